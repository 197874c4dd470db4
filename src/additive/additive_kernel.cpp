#include "additive/additive_kernel.hpp"

#include "kernels/fastmath.hpp"
#include "kernels/kernel.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t lanes = 8;

FRR_INLINE float sum_of(const float* sum) {
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

}  // namespace

FRR_MULTIVERSION void add_scaled(float* out, const float* x, float scale, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) out[i] += scale * x[i];
}

FRR_MULTIVERSION void softmax(std::span<float* const> scores, std::size_t count) {
  const std::size_t classes = scores.size();
  float top[lanes], sum[lanes];
  for (std::size_t first = 0; first < count; first += lanes) {
    const std::size_t rows = count - first < lanes ? count - first : lanes;
    for (std::size_t l = 0; l < rows; ++l) top[l] = scores[0][first + l];
    for (std::size_t c = 1; c < classes; ++c) {
      const float* score = scores[c] + first;
      for (std::size_t l = 0; l < rows; ++l) top[l] = larger(top[l], score[l]);
    }
    for (std::size_t l = 0; l < rows; ++l) sum[l] = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      float* score = scores[c] + first;
      for (std::size_t l = 0; l < rows; ++l) {
        score[l] = exponential(score[l] - top[l]);
        sum[l] += score[l];
      }
    }
    for (std::size_t c = 0; c < classes; ++c) {
      float* score = scores[c] + first;
      for (std::size_t l = 0; l < rows; ++l) score[l] /= sum[l];
    }
  }
}

FRR_MULTIVERSION double log_sum(const float* x, const float* w, std::size_t count) {
  double sum[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) {
      sum[l] +=
          static_cast<double>(w[i + l]) * static_cast<double>(logarithm(larger(x[i + l], 1e-30F)));
    }
  }
  for (std::size_t l = 0; i + l < count; ++l) {
    sum[l] +=
        static_cast<double>(w[i + l]) * static_cast<double>(logarithm(larger(x[i + l], 1e-30F)));
  }
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

FRR_MULTIVERSION float dot(const float* x, const float* y, std::size_t count) {
  float sum[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) sum[l] += x[i + l] * y[i + l];
  }
  for (std::size_t l = 0; i + l < count; ++l) sum[l] += x[i + l] * y[i + l];
  return sum_of(sum);
}

FRR_MULTIVERSION void add_truth_sums(const float* t, const float* g, const float* h,
                                     std::size_t count, TruthSums& sums) {
  float gradient[lanes] = {}, curvature[lanes] = {}, cross[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) {
      const float th = t[i + l] * h[i + l];
      gradient[l] += t[i + l] * g[i + l];
      cross[l] += th;
      curvature[l] += t[i + l] * th;
    }
  }
  for (std::size_t l = 0; i + l < count; ++l) {
    const float th = t[i + l] * h[i + l];
    gradient[l] += t[i + l] * g[i + l];
    cross[l] += th;
    curvature[l] += t[i + l] * th;
  }
  sums.gradient += static_cast<double>(sum_of(gradient));
  sums.curvature += static_cast<double>(sum_of(curvature));
  sums.cross_curvature += static_cast<double>(sum_of(cross));
}

}  // namespace frr::internal
