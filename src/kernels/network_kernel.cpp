#include "kernels/network_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <type_traits>

#include "kernels/fastmath.hpp"
#include "kernels/gate_kernel.hpp"
#include "kernels/kernel.hpp"
#include "kernels/tnorm.hpp"

// Only inlined functions take vectors, so the calling convention does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace frr::internal {
namespace {

template <typename T>
void conjoin_general(const RowKernel<T>& n, const T* c, T* t, T* slope) {
  constexpr std::size_t max_slots = 20;
  T degrees[max_slots], gradient[max_slots];
  for (std::size_t r = 0; r < n.lanes; ++r) {
    if (r >= n.rules) {
      t[r] = 0;
      for (std::size_t k = 0; k < n.slots; ++k) slope[k * n.lanes + r] = 0;
      continue;
    }
    for (std::size_t k = 0; k < n.slots; ++k) degrees[k] = c[k * n.lanes + r];
    t[r] = tnorm_gradient<T>(n.tnorm, std::span<const T>(degrees, n.slots),
                             std::span<T>(gradient, n.slots));
    for (std::size_t k = 0; k < n.slots; ++k) slope[k * n.lanes + r] = gradient[k];
  }
}

// t -> t^(1/root), and the slopes accordingly. Below 1e-6 the derivative of the root, which is
// unbounded near 0, is that at 1e-6.
template <typename T>
void take_root(const RowKernel<T>& n, T* t, T* slope) {
  const T exponent = 1 / n.root;
  for (std::size_t r = 0; r < n.rules; ++r) {
    const T base = larger(t[r], static_cast<T>(1e-6));
    const T derivative = exponent * std::pow(base, exponent - 1);
    t[r] = t[r] > 0 ? std::pow(t[r], exponent) : T{0};
    for (std::size_t k = 0; k < n.slots; ++k) slope[k * n.lanes + r] *= derivative;
  }
}

namespace plain {
#include "kernels/network_kernel.inc"  // NOLINT(readability-duplicate-include)
}  // namespace plain

// FRR_MULTIVERSION would not do: GCC splits vector types before it clones functions for other
// processors.
#ifdef FRR_AVX2
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
namespace avx2 {
#include "kernels/network_kernel.inc"  // NOLINT(readability-duplicate-include)
}  // namespace avx2
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#define FRR_CHOOSE(call) (has_avx2() ? avx2::call : plain::call)
#else
#define FRR_CHOOSE(call) (plain::call)
#endif

}  // namespace

void gate_lanes_forward(const GateRule& rule, const float* w, std::size_t members,
                        std::size_t lanes, float* soft, float* g, const GateLanes<float>& state) {
  FRR_CHOOSE(gate_lanes_forward(rule, w, members, lanes, soft, g, state));
}
void gate_lanes_forward(const GateRule& rule, const double* w, std::size_t members,
                        std::size_t lanes, double* soft, double* g,
                        const GateLanes<double>& state) {
  plain::gate_lanes_forward(rule, w, members, lanes, soft, g, state);
}
void gate_lanes_backward(const GateRule& rule, const float* soft, const float* g, const float* dg,
                         std::size_t members, std::size_t lanes, float price,
                         const GateLanes<float>& state, float* dw) {
  FRR_CHOOSE(gate_lanes_backward(rule, soft, g, dg, members, lanes, price, state, dw));
}
void gate_lanes_backward(const GateRule& rule, const double* soft, const double* g,
                         const double* dg, std::size_t members, std::size_t lanes, double price,
                         const GateLanes<double>& state, double* dw) {
  plain::gate_lanes_backward(rule, soft, g, dg, members, lanes, price, state, dw);
}
float head(const RowKernel<float>& kernel, const float* a, float* da, const int* target,
           const float* weight, std::size_t count) {
  return FRR_CHOOSE(head(kernel, a, da, target, weight, count));
}
double head(const RowKernel<double>& kernel, const double* a, double* da, const int* target,
            const double* weight, std::size_t count) {
  return plain::head(kernel, a, da, target, weight, count);
}
void collapse_forward(const float* e, std::size_t width, Entries<float> entries, float* a) {
  FRR_CHOOSE(collapse_forward(e, width, entries, a));
}
void collapse_forward(const double* e, std::size_t width, Entries<double> entries, double* a) {
  plain::collapse_forward(e, width, entries, a);
}
void collapse_backward(float* de, std::size_t width, Entries<float> entries, const float* da) {
  FRR_CHOOSE(collapse_backward(de, width, entries, da));
}
void collapse_backward(double* de, std::size_t width, Entries<double> entries, const double* da) {
  plain::collapse_backward(de, width, entries, da);
}
void collapse_gates(const CollapseShape& shape, const float* g2, const float* g3, float* e) {
  FRR_CHOOSE(collapse_gates(shape, g2, g3, e));
}
void collapse_gates(const CollapseShape& shape, const double* g2, const double* g3, double* e) {
  plain::collapse_gates(shape, g2, g3, e);
}
void expand_gates(const CollapseShape& shape, const float* g2, const float* g3, const float* de,
                  float* dg2, float* dg3) {
  FRR_CHOOSE(expand_gates(shape, g2, g3, de, dg2, dg3));
}
void expand_gates(const CollapseShape& shape, const double* g2, const double* g3, const double* de,
                  double* dg2, double* dg3) {
  plain::expand_gates(shape, g2, g3, de, dg2, dg3);
}
void add(std::span<float> x, std::span<const float> y) { FRR_CHOOSE(add(x, y)); }
void add(std::span<double> x, std::span<const double> y) { plain::add(x, y); }

}  // namespace frr::internal
