#include "kernels/border_kernel.hpp"

#include <limits>

#include "kernels/fastmath.hpp"
#include "kernels/kernel.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t lanes = 8;

FRR_INLINE float ramp_of(const BorderRows& rows, const float* rise, const float* fall,
                         std::size_t i, float width, float slope) {
  const float right =
      larger(rows.rising_right[i] + rise[i], rows.falling_right[i] + fall[i]) - width;
  const float wrong =
      larger(rows.rising_wrong[i] + rise[i], rows.falling_wrong[i] + fall[i]) - width;
  const float x = (larger(right, rows.right[i]) - larger(wrong, rows.wrong[i])) * slope + 0.5F;
  return rows.weight[i] * smaller(larger(x, 0.0F), 1.0F);
}

}  // namespace

FRR_MULTIVERSION void distance_logs(const double* x, std::size_t count, double from, double scale,
                                    float factor, float* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto u = static_cast<float>((x[i] - from) * scale);
    const float finite = factor * logarithm(larger(u, 1e-30F));
    out[i] = u > 0 ? finite : -std::numeric_limits<float>::infinity();
  }
}

FRR_MULTIVERSION float slope_sum(const BorderRows& rows, const float* rise, const float* fall,
                                 float width, float slope) {
  float sum[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= rows.count; i += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) {
      sum[l] += ramp_of(rows, rise, fall, i + l, width, slope);
    }
  }
  for (std::size_t l = 0; i + l < rows.count; ++l) {
    sum[l] += ramp_of(rows, rise, fall, i + l, width, slope);
  }
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

}  // namespace frr::internal
