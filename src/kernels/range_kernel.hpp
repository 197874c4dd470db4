// Memberships of many numbers in a range, equal to those of Trapezoid to the last bit.
#pragma once

#include <cstddef>

#include "frr/rulebase.hpp"

namespace frr::internal {

// out[i] = shape(x[i]).
void fill_range(const Trapezoid& shape, const double* x, std::size_t count, float* out);

}  // namespace frr::internal
