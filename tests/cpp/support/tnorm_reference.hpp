// T-norms by their closed forms, without generators, and their slopes. Slow and plain on purpose:
// what the production code does is proved against this.
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

// T over one or more degrees, and its partial derivatives; at 0 those from the right.
double conjunction(const TNorm& tnorm, const Vector& degrees);
Vector conjunction_slopes(const TNorm& tnorm, const Vector& degrees);

// How far the degrees are from where T has no (bounded) derivative: ties of the minimum, the foot
// of lukasiewicz, degrees near 1 of aczel-alsina.
double distance_to_kink(const TNorm& tnorm, const Vector& degrees);

}  // namespace frr::internal::reference
