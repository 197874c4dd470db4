// T-norms: the conjunction "AND" on degrees of truth in [0, 1].
//
// An Archimedean t-norm has a generator t, continuous and strictly decreasing with t(1) = 0:
//     T(x1, ..., xn) = t^-1(min(t(0), sum t(xi))),     dT/dxi = t'(xi) / t'(T).
//
//   product       t(x) = -log x                T = x1 * ... * xn
//   aczel-alsina  t(x) = (-log x)^lambda       T = exp(-(sum (-log xi)^lambda)^(1/lambda))
//   lukasiewicz   t(x) = 1 - x                 T = max(0, sum xi - (n - 1))
//   hamacher      t(x) = (1 - x) / x           T(x, y) = x y / (x + y - x y), T(0, 0) = 0
//   minimum       has no generator             T = min xi
#pragma once

#include <span>

#include "frr/settings.hpp"

namespace frr::internal {

// Generator and its inverse; not for minimum. t(0) is infinite except for lukasiewicz, where it
// is 1.
double generator(const TNorm& tnorm, double x);
double generator_inverse(const TNorm& tnorm, double y);

// T of the degrees; 1 if there are none. Product and minimum are computed directly.
template <typename Scalar>
Scalar tnorm_value(const TNorm& tnorm, std::span<const Scalar> degrees);

// Returns T and sets `gradient` (same length) to its partial derivatives. Where T is not
// differentiable: for minimum the first smallest degree gets 1; for the others a derivative at 0 is
// the limit if that is finite, else 0.
template <typename Scalar>
Scalar tnorm_gradient(const TNorm& tnorm, std::span<const Scalar> degrees,
                      std::span<Scalar> gradient);

}  // namespace frr::internal
