#include "kernels/gate.hpp"

#include <algorithm>
#include <cmath>

namespace frr::internal {

template <typename Scalar>
GateState<Scalar> gate_forward(const GateRule& rule, std::span<const Scalar> w,
                               std::span<Scalar> soft, std::span<Scalar> g) {
  const std::size_t m = w.size();
  GateState<Scalar> state;
  state.best = static_cast<std::size_t>(std::max_element(w.begin(), w.end()) - w.begin());
  const auto scale = static_cast<Scalar>(1 / rule.temperature);
  Scalar total = 0;
  for (std::size_t i = 0; i < m; ++i) {
    soft[i] = std::exp((w[i] - w[state.best]) * scale);
    total += soft[i];
  }
  const double top = 1 / (1 + rule.beta * static_cast<double>(m - 1));
  const auto other = static_cast<Scalar>(rule.beta * top);
  const Scalar inverse = 1 / total;
  Scalar sum = 0;
  for (std::size_t i = 0; i < m; ++i) {
    soft[i] *= inverse;
    g[i] = soft[i] * (i == state.best ? static_cast<Scalar>(top) : other);
    sum += g[i];
  }
  state.sum = sum;
  if (rule.normalise) {
    for (Scalar& x : g) x /= sum;
  }
  return state;
}

template <typename Scalar>
void gate_backward(const GateRule& rule, const GateState<Scalar>& state,
                   std::span<const Scalar> soft, std::span<const Scalar> g,
                   std::span<const Scalar> dg, std::span<const Scalar> dsoft,
                   std::span<Scalar> dw) {
  const std::size_t m = soft.size();
  const auto top = static_cast<Scalar>(1 / (1 + rule.beta * static_cast<double>(m - 1)));
  const auto other = static_cast<Scalar>(rule.beta) * top;
  Scalar mean = 0, inverse = 1;
  if (rule.normalise) {
    for (std::size_t i = 0; i < m; ++i) mean += dg[i] * g[i];
    inverse = 1 / state.sum;
  }
  const auto through = static_cast<Scalar>(rule.straight_through ? 1 : 0);
  const auto gradient_of_soft = [&](std::size_t i) {
    const Scalar f = i == state.best ? top : other;
    const Scalar direct = dsoft.empty() ? Scalar{0} : dsoft[i];
    return (dg[i] - mean) * inverse * (f + through * soft[i]) + direct;
  };
  Scalar inner = 0;
  for (std::size_t i = 0; i < m; ++i) inner += gradient_of_soft(i) * soft[i];
  const auto scale = static_cast<Scalar>(1 / rule.temperature);
  for (std::size_t i = 0; i < m; ++i) dw[i] += scale * soft[i] * (gradient_of_soft(i) - inner);
}

template GateState<float> gate_forward<float>(const GateRule&, std::span<const float>,
                                              std::span<float>, std::span<float>);
template GateState<double> gate_forward<double>(const GateRule&, std::span<const double>,
                                                std::span<double>, std::span<double>);
template void gate_backward<float>(const GateRule&, const GateState<float>&, std::span<const float>,
                                   std::span<const float>, std::span<const float>,
                                   std::span<const float>, std::span<float>);
template void gate_backward<double>(const GateRule&, const GateState<double>&,
                                    std::span<const double>, std::span<const double>,
                                    std::span<const double>, std::span<const double>,
                                    std::span<double>);

}  // namespace frr::internal
