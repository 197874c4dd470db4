#include "additive/truth.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/tnorm.hpp"

namespace frr::internal {

void Conjunction::join(float* x, const float* y, std::size_t count) const {
  if (tnorm_.kind == TNormKind::product) {
    for (std::size_t i = 0; i < count; ++i) x[i] *= y[i];
  } else if (tnorm_.kind == TNormKind::minimum) {
    for (std::size_t i = 0; i < count; ++i) x[i] = std::min(x[i], y[i]);
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      const std::array<double, 2> degrees{x[i], y[i]};
      x[i] = static_cast<float>(tnorm_value<double>(tnorm_, degrees));
    }
  }
}

void Conjunction::take_root(float* x, std::size_t count) const {
  if (inverse_root_ == 1) return;
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = static_cast<float>(std::pow(static_cast<double>(x[i]), inverse_root_));
  }
}

std::vector<float> Conjunction::truth(const Memberships& memberships,
                                      std::span<const std::size_t> labels) const {
  std::vector<float> result(memberships.rows(), 1.0F);
  for (const std::size_t d : labels)
    join(result.data(), memberships.column(d).data(), result.size());
  take_root(result.data(), result.size());
  return result;
}

}  // namespace frr::internal
