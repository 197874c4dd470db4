#include "gate_kernel.hpp"

#include <algorithm>

#include "fastmath.hpp"
#include "kernel.hpp"

namespace frr {
namespace {

constexpr std::size_t piece = 8;  // lanes that stay in registers

template <typename T>
struct Factors {
  T top, other;  // f_beta of the largest member and of the others
  Factors(const GateRule& rule, std::size_t members) {
    const double largest = 1 / (1 + rule.beta * static_cast<double>(members - 1));
    top = static_cast<T>(largest);
    other = static_cast<T>(rule.beta * largest);
  }
};

template <typename T>
FRR_INLINE void forward_body(const GateRule& rule, const T* __restrict w, std::size_t members,
                             std::size_t lanes, T* __restrict soft, T* __restrict g,
                             const GateLanes<T>& state) {
  const Factors<T> factors(rule, members);
  const auto scale = static_cast<T>(1 / rule.temperature);
  for (std::size_t r = 0; r < lanes; r += piece) {
    T largest[piece], best[piece], total[piece], sum[piece], divisor[piece];
    for (std::size_t l = 0; l < piece; ++l) largest[l] = w[r + l], best[l] = total[l] = sum[l] = 0;
    for (std::size_t i = 1; i < members; ++i) {
      const T* own = w + i * lanes + r;
      for (std::size_t l = 0; l < piece; ++l) {
        best[l] = own[l] > largest[l] ? static_cast<T>(i) : best[l];
        largest[l] = larger(largest[l], own[l]);
      }
    }
    for (std::size_t i = 0; i < members; ++i) {
      const std::size_t at = i * lanes + r;
      for (std::size_t l = 0; l < piece; ++l) {
        const T x = exponential((w[at + l] - largest[l]) * scale);
        const T f = best[l] == static_cast<T>(i) ? factors.top : factors.other;
        soft[at + l] = x;
        g[at + l] = f * x;
        total[l] += x;
        sum[l] += f * x;
      }
    }
    for (std::size_t l = 0; l < piece; ++l) {
      total[l] = 1 / total[l];
      sum[l] *= total[l];
      divisor[l] = rule.normalise ? total[l] / sum[l] : total[l];
      state.best[r + l] = best[l];
      state.sum[r + l] = sum[l];
    }
    for (std::size_t i = 0; i < members; ++i) {
      const std::size_t at = i * lanes + r;
      for (std::size_t l = 0; l < piece; ++l) {
        soft[at + l] *= total[l];
        g[at + l] *= divisor[l];
      }
    }
  }
}

template <typename T>
FRR_INLINE void backward_body(const GateRule& rule, const T* __restrict soft,
                              const T* __restrict g, const T* __restrict dg, std::size_t members,
                              std::size_t lanes, T price, const GateLanes<T>& state,
                              T* __restrict dw) {
  const Factors<T> factors(rule, members);
  const auto scale = static_cast<T>(1 / rule.temperature);
  const T through = rule.straight_through ? 1 : 0;
  for (std::size_t r = 0; r < lanes; r += piece) {
    T mean[piece] = {}, inverse[piece], inner[piece] = {};
    for (std::size_t i = 0; rule.normalise && i < members; ++i) {
      const std::size_t at = i * lanes + r;
      for (std::size_t l = 0; l < piece; ++l) mean[l] += dg[at + l] * g[at + l];
    }
    for (std::size_t l = 0; l < piece; ++l) inverse[l] = rule.normalise ? 1 / state.sum[r + l] : 1;
    for (std::size_t i = 0; i < members; ++i) {
      const std::size_t at = i * lanes + r;
      const T direct = i == 0 ? price : 0;
      for (std::size_t l = 0; l < piece; ++l) {
        const T f = state.best[r + l] == static_cast<T>(i) ? factors.top : factors.other;
        const T dsoft =
            (dg[at + l] - mean[l]) * inverse[l] * (f + through * soft[at + l]) + direct;
        dw[at + l] = dsoft;
        inner[l] += dsoft * soft[at + l];
      }
    }
    for (std::size_t i = 0; i < members; ++i) {
      const std::size_t at = i * lanes + r;
      for (std::size_t l = 0; l < piece; ++l) {
        dw[at + l] = scale * soft[at + l] * (dw[at + l] - inner[l]);
      }
    }
  }
}

}  // namespace

FRR_MULTIVERSION void gate_lanes_forward(const GateRule& rule, const float* w, std::size_t members,
                                         std::size_t lanes, float* soft, float* g,
                                         const GateLanes<float>& state) {
  forward_body(rule, w, members, lanes, soft, g, state);
}
void gate_lanes_forward(const GateRule& rule, const double* w, std::size_t members,
                        std::size_t lanes, double* soft, double* g,
                        const GateLanes<double>& state) {
  forward_body(rule, w, members, lanes, soft, g, state);
}
FRR_MULTIVERSION void gate_lanes_backward(const GateRule& rule, const float* soft, const float* g,
                                          const float* dg, std::size_t members, std::size_t lanes,
                                          float price, const GateLanes<float>& state, float* dw) {
  backward_body(rule, soft, g, dg, members, lanes, price, state, dw);
}
void gate_lanes_backward(const GateRule& rule, const double* soft, const double* g,
                         const double* dg, std::size_t members, std::size_t lanes, double price,
                         const GateLanes<double>& state, double* dw) {
  backward_body(rule, soft, g, dg, members, lanes, price, state, dw);
}

}  // namespace frr
