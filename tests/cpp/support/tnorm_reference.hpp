// A reference implementation of the t-norms and their slopes by closed forms, without generators:
// slow and plain, to check the production code.
#pragma once

#include <cstddef>
#include <vector>

#include "frr/settings.hpp"
#include "model/inference.hpp"

namespace frr::internal::reference {

using Vector = std::vector<double>;

std::size_t argmax(const Vector& x);  // the first of equals
// Gap between the largest and the second largest, relative to both; 1 if there is only one.
double lead(const Vector& x);

// T of one or more degrees, and its partial derivatives (at 0 from the right).
double conjunction(const TNorm& tnorm, const Vector& degrees);
Vector conjunction_slopes(const TNorm& tnorm, const Vector& degrees);

// The distance of the degrees from points where T has no bounded derivative: ties of the minimum,
// the edge of lukasiewicz, degrees near 1 of aczel-alsina.
double distance_to_kink(const TNorm& tnorm, const Vector& degrees);

}  // namespace frr::internal::reference
