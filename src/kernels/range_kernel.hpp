// Memberships of many numbers in a range, with the values of Trapezoid to the last bit.
#pragma once

#include <cstddef>

#include "frr/rulebase.hpp"

namespace frr::internal {

void fill_range(const Trapezoid& shape, const double* x, std::size_t count, float* out);

}  // namespace frr::internal
