#include "network/optimizer.hpp"

#include <cmath>

#include "kernels/kernel.hpp"

namespace frr::internal {
namespace {

FRR_MULTIVERSION void adam_step(float* __restrict w, const float* __restrict g, float* __restrict m,
                                float* __restrict v, std::size_t count, float rate,
                                float square_scale) {
  for (std::size_t i = 0; i < count; ++i) {
    m[i] = 0.9F * m[i] + 0.1F * g[i];
    v[i] = 0.999F * v[i] + 0.001F * g[i] * g[i];
    w[i] -= rate * m[i] / (std::sqrt(v[i] * square_scale) + 1e-8F);
  }
}

}  // namespace

void Adam::step(std::span<float> parameters, std::span<const float> gradient, double rate) {
  mean_decay_ *= 0.9;
  square_decay_ *= 0.999;
  adam_step(parameters.data(), gradient.data(), mean_.data(), square_.data(), parameters.size(),
            static_cast<float>(rate / (1 - mean_decay_)),
            static_cast<float>(1 / (1 - square_decay_)));
}

}  // namespace frr::internal
