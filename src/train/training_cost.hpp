// The cost of a training, from its settings alone: for settings from a file that is not trusted.
#pragma once

#include <cstddef>

#include "frr/settings.hpp"

namespace frr::internal {

// The largest training_cost that the settings of a model file may ask for.
constexpr double max_recorded_cost = 30;

// Upper estimate of the work of training on `rows` x `features` cells, relative to the same
// training with the values of the settings' preset. It is the product, over all settings that
// multiply the work, of max(1, value / value of the preset). >= 1.
double training_cost(const Settings& settings, std::size_t rows, std::size_t features);

}  // namespace frr::internal
