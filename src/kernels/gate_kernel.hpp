// Gates (gate.hpp) of many rules at once, with the rules as vector lanes: weight i of the gate in
// lane r is w[i * lanes + r]. `lanes` is a multiple of 8.
#pragma once

#include <cstddef>

#include "kernels/gate.hpp"

namespace frr::internal {

// What the backward pass needs, per lane: the index of the largest weight, and sum f_beta w~.
template <typename Scalar>
struct GateLanes {
  Scalar* best = nullptr;
  Scalar* sum = nullptr;
};

void gate_lanes_forward(const GateRule& rule, const float* w, std::size_t members,
                        std::size_t lanes, float* soft, float* g, const GateLanes<float>& state);
void gate_lanes_forward(const GateRule& rule, const double* w, std::size_t members,
                        std::size_t lanes, double* soft, double* g, const GateLanes<double>& state);

// dw = dL/dw given dg = dL/dg; `price` is a direct gradient on w~ of the first member.
void gate_lanes_backward(const GateRule& rule, const float* soft, const float* g, const float* dg,
                         std::size_t members, std::size_t lanes, float price,
                         const GateLanes<float>& state, float* dw);
void gate_lanes_backward(const GateRule& rule, const double* soft, const double* g,
                         const double* dg, std::size_t members, std::size_t lanes, double price,
                         const GateLanes<double>& state, double* dw);

}  // namespace frr::internal
