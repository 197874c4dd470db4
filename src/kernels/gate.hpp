// The gate: a soft choice among m weights that becomes hard as beta falls to 0.
//
//     w~ = softmax(w / temperature)
//     f_beta = 1 / (1 + beta (m - 1)) for the largest w~ (the first of equals), beta times that for
//              the others
//     g = f_beta w~               (restricted addition)
//     g = g / sum g               if normalised: a convex combination at every beta
//
// Backward, for h = f_beta w~: dh/dw~ = f_beta + w~ with the straight-through estimate
// df_beta/dw~ = 1, else dh/dw~ = f_beta (f_beta is held fixed); then the Jacobian of the softmax.
#pragma once

#include <cstddef>
#include <span>

namespace frr::internal {

struct GateRule {
  double temperature = 0.1;
  double beta = 0;
  bool normalise = true;
  bool straight_through = true;
};

template <typename Scalar>
struct GateState {
  std::size_t best = 0;  // index of the largest weight
  Scalar sum = 1;        // of f_beta w~
};

template <typename Scalar>
GateState<Scalar> gate_forward(const GateRule& rule, std::span<const Scalar> w,
                               std::span<Scalar> soft, std::span<Scalar> g);

// Adds dL/dw to `dw`, given dg = dL/dg and a direct gradient on w~ (`dsoft`; empty: 0).
template <typename Scalar>
void gate_backward(const GateRule& rule, const GateState<Scalar>& state,
                   std::span<const Scalar> soft, std::span<const Scalar> g,
                   std::span<const Scalar> dg, std::span<const Scalar> dsoft, std::span<Scalar> dw);

}  // namespace frr::internal
