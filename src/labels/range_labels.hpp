// Where the labels of a numeric feature are placed; formulas in partition.hpp.
#pragma once

#include <span>
#include <vector>

#include "frr/rulebase.hpp"
#include "frr/settings.hpp"

namespace frr::internal {

// Range labels for the sorted values of a column; at least two values differ. `classes` are those
// of the sorted rows. settings.labels must not be 0.
std::vector<Label> range_labels(std::span<const double> sorted, std::span<const int> classes,
                                int class_count, const Settings& settings);

// Linearly interpolated between ranks; `fraction` in [0, 1].
double quantile(std::span<const double> sorted, double fraction);

}  // namespace frr::internal
