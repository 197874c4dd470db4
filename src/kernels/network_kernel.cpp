#include "network_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "fastmath.hpp"
#include "kernel.hpp"
#include "tnorm.hpp"

namespace frr {
namespace {

// Conjunction of c ([k][r]) into t ([r]) and dT/dc into `slope` ([k][r]).
template <typename T>
FRR_INLINE void conjoin_product(const RowKernel<T>& n, const T* __restrict c, T* __restrict t,
                                T* __restrict slope) {
  const std::size_t lanes = n.lanes;
  for (std::size_t r = 0; r < lanes; ++r) t[r] = 1;
  for (std::size_t k = 0; k < n.slots; ++k) {
    for (std::size_t r = 0; r < lanes; ++r) {
      slope[k * lanes + r] = t[r];
      t[r] *= c[k * lanes + r];
    }
  }
  if (n.slots < 2) return;
  T* __restrict suffix = n.scratch + n.scratch_size() - 2 * n.classes - lanes;
  for (std::size_t r = 0; r < lanes; ++r) suffix[r] = c[(n.slots - 1) * lanes + r];
  for (std::size_t k = n.slots - 1; k-- > 0;) {
    for (std::size_t r = 0; r < lanes; ++r) {
      slope[k * lanes + r] *= suffix[r];
      suffix[r] *= c[k * lanes + r];
    }
  }
}

template <typename T>
void conjoin_general(const RowKernel<T>& n, const T* c, T* t, T* slope) {
  constexpr std::size_t most = 20;
  T degrees[most], gradient[most];
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

// t -> t^(1/root), and the slopes with it. Near 0, where the root is ever steeper, the slope is
// that at 1e-6.
template <typename T>
void take_root(const RowKernel<T>& n, T* t, T* slope) {
  const T exponent = 1 / n.root;
  for (std::size_t r = 0; r < n.rules; ++r) {
    const T base = larger(t[r], static_cast<T>(1e-6));
    const T steep = exponent * std::pow(base, exponent - 1);
    t[r] = t[r] > 0 ? std::pow(t[r], exponent) : T{0};
    for (std::size_t k = 0; k < n.slots; ++k) slope[k * n.lanes + r] *= steep;
  }
}

// Scores s ([c][r]) -> class outputs, and share ([c][r]) = d out[c] / d s[c][r].
template <typename T>
FRR_INLINE void combine(const RowKernel<T>& n, const T* __restrict s, T* __restrict share,
                        T* __restrict result) {
  const std::size_t lanes = n.lanes;
  for (std::size_t c = 0; c < n.classes; ++c) {
    const T* score = s + c * lanes;
    T* part = share + c * lanes;
    if (n.additive) {
      T sum = 0;
      for (std::size_t r = 0; r < n.rules; ++r) sum += score[r];
      for (std::size_t r = 0; r < lanes; ++r) part[r] = r < n.rules ? T{1} : T{0};
      result[c] = sum;
      continue;
    }
    std::size_t best = 0;
    for (std::size_t r = 1; r < n.rules; ++r) best = score[r] > score[best] ? r : best;
    const T top = score[best];
    if (n.sharpness <= 0) {
      for (std::size_t r = 0; r < lanes; ++r) part[r] = r == best ? T{1} : T{0};
      result[c] = top;
      continue;
    }
    for (std::size_t r = 0; r < lanes; ++r) {
      part[r] = exponential(n.sharpness * (score[r] + n.bias[r] - top));
    }
    T sum = 0;
    for (std::size_t r = 0; r < n.rules; ++r) sum += part[r];
    const T inverse = 1 / sum;
    for (std::size_t r = 0; r < lanes; ++r) part[r] *= inverse;
    result[c] = top + std::log(sum) / n.sharpness;
  }
}

// Weighted cross-entropy of softmax(kappa out); `result` is replaced by its gradient.
template <typename T>
FRR_INLINE T cross_entropy(const RowKernel<T>& n, T* result, int target, T weight) {
  const auto y = static_cast<std::size_t>(target);
  T top = result[0];
  for (std::size_t c = 1; c < n.classes; ++c) top = larger(top, result[c]);
  const T own = n.kappa * (result[y] - top);
  T sum = 0;
  for (std::size_t c = 0; c < n.classes; ++c) {
    result[c] = exponential(n.kappa * (result[c] - top));
    sum += result[c];
  }
  const T scale = n.kappa * weight / sum;
  for (std::size_t c = 0; c < n.classes; ++c) result[c] *= scale;
  result[y] -= n.kappa * weight;
  return weight * (std::log(sum) - own);
}

template <typename T>
FRR_INLINE T head_body(const RowKernel<T>& n, const T* __restrict a, T* __restrict da, int target,
                       T weight) {
  const std::size_t lanes = n.lanes, width = lanes * n.slots;
  T* __restrict c = n.scratch;
  T* __restrict slope = c + width;
  T* __restrict truth = slope + width;
  T* __restrict rule = truth + lanes;
  T* __restrict drule = rule + lanes;
  T* __restrict score = drule + lanes;
  T* __restrict share = score + n.classes * lanes;
  T* __restrict result = n.scratch + n.scratch_size() - 2 * n.classes;

  for (std::size_t i = 0; i < width; ++i) c[i] = n.keep[i] * a[i] + n.cancel[i];
  if (n.tnorm.kind == TNormKind::product)
    conjoin_product(n, c, truth, slope);
  else
    conjoin_general(n, c, truth, slope);
  if (n.root != 1) take_root(n, truth, slope);

  for (std::size_t r = 0; r < lanes; ++r) rule[r] = 0;
  for (std::size_t k = 0; k < n.slots; ++k) {
    for (std::size_t r = 0; r < lanes; ++r) rule[r] += a[k * lanes + r];
  }
  for (std::size_t r = 0; r < lanes; ++r) rule[r] = truth[r] + n.gamma * rule[r];
  for (std::size_t j = 0; j < n.classes; ++j) {
    for (std::size_t r = 0; r < lanes; ++r) score[j * lanes + r] = n.out[j * lanes + r] * rule[r];
  }
  combine(n, score, share, result);
  const T loss = cross_entropy(n, result, target, weight);

  for (std::size_t r = 0; r < lanes; ++r) drule[r] = 0;
  for (std::size_t j = 0; j < n.classes; ++j) {
    const T dresult = result[j];
    for (std::size_t r = 0; r < lanes; ++r) {
      const T dscore = dresult * share[j * lanes + r];
      n.dout[j * lanes + r] += dscore * rule[r];
      drule[r] += dscore * n.out[j * lanes + r];
    }
  }
  for (std::size_t k = 0; k < n.slots; ++k) {
    for (std::size_t r = 0; r < lanes; ++r) {
      const std::size_t i = k * lanes + r;
      const T dc = drule[r] * slope[i];
      n.dkeep[i] += dc * a[i];
      n.dcancel[i] += dc;
      da[i] = dc * n.keep[i] + n.gamma * drule[r];
    }
  }
  return loss;
}

// In pieces of 16 numbers that stay in registers over all entries of the row.
template <typename T>
FRR_INLINE void forward_body(const T* __restrict e, std::size_t width,
                             const std::uint32_t* __restrict column, const T* __restrict value,
                             std::size_t count, T* __restrict a) {
  std::size_t at = 0;
  for (; at + 16 <= width; at += 16) {
    T sum[16] = {};
    for (std::size_t i = 0; i < count; ++i) {
      const T* __restrict row = e + column[i] * width + at;
      for (std::size_t l = 0; l < 16; ++l) sum[l] += value[i] * row[l];
    }
    for (std::size_t l = 0; l < 16; ++l) a[at + l] = sum[l];
  }
  for (; at < width; at += 8) {
    T sum[8] = {};
    for (std::size_t i = 0; i < count; ++i) {
      const T* __restrict row = e + column[i] * width + at;
      for (std::size_t l = 0; l < 8; ++l) sum[l] += value[i] * row[l];
    }
    for (std::size_t l = 0; l < 8; ++l) a[at + l] = sum[l];
  }
}

template <typename T>
FRR_INLINE void backward_body(T* __restrict de, std::size_t width,
                              const std::uint32_t* __restrict column, const T* __restrict value,
                              std::size_t count, const T* __restrict da) {
  for (std::size_t i = 0; i < count; ++i) {
    T* __restrict row = de + column[i] * width;
    for (std::size_t l = 0; l < width; ++l) row[l] += value[i] * da[l];
  }
}

template <typename T>
FRR_INLINE void collapse_body(const CollapseShape& shape, const T* __restrict g2,
                              const T* __restrict g3, T* __restrict e) {
  const std::size_t lanes = shape.lanes, features = shape.first.size() - 1;
  for (std::size_t j = 0; j < features; ++j) {
    for (std::size_t d = shape.first[j]; d < shape.first[j + 1]; ++d) {
      const T* __restrict own = g2 + d * lanes;
      for (std::size_t k = 0; k < shape.slots; ++k) {
        const T* __restrict slot = g3 + (k * features + j) * lanes;
        T* __restrict to = e + (d * shape.slots + k) * lanes;
        for (std::size_t r = 0; r < lanes; ++r) to[r] = slot[r] * own[r];
      }
    }
  }
}

template <typename T>
FRR_INLINE void expand_body(const CollapseShape& shape, const T* __restrict g2,
                            const T* __restrict g3, const T* __restrict de, T* __restrict dg2,
                            T* __restrict dg3) {
  const std::size_t lanes = shape.lanes, features = shape.first.size() - 1;
  std::fill(dg2, dg2 + shape.first.back() * lanes, T{0});
  std::fill(dg3, dg3 + shape.slots * features * lanes, T{0});
  for (std::size_t j = 0; j < features; ++j) {
    for (std::size_t d = shape.first[j]; d < shape.first[j + 1]; ++d) {
      const T* __restrict own = g2 + d * lanes;
      T* __restrict down = dg2 + d * lanes;
      for (std::size_t k = 0; k < shape.slots; ++k) {
        const T* __restrict slot = g3 + (k * features + j) * lanes;
        T* __restrict dslot = dg3 + (k * features + j) * lanes;
        const T* __restrict from = de + (d * shape.slots + k) * lanes;
        for (std::size_t r = 0; r < lanes; ++r) {
          down[r] += from[r] * slot[r];
          dslot[r] += from[r] * own[r];
        }
      }
    }
  }
}

}  // namespace

FRR_MULTIVERSION void collapse_gates(const CollapseShape& shape, const float* g2, const float* g3,
                                     float* e) {
  collapse_body(shape, g2, g3, e);
}
void collapse_gates(const CollapseShape& shape, const double* g2, const double* g3, double* e) {
  collapse_body(shape, g2, g3, e);
}
FRR_MULTIVERSION void expand_gates(const CollapseShape& shape, const float* g2, const float* g3,
                                   const float* de, float* dg2, float* dg3) {
  expand_body(shape, g2, g3, de, dg2, dg3);
}
void expand_gates(const CollapseShape& shape, const double* g2, const double* g3,
                  const double* de, double* dg2, double* dg3) {
  expand_body(shape, g2, g3, de, dg2, dg3);
}
FRR_MULTIVERSION float head(const RowKernel<float>& kernel, const float* a, float* da, int target,
                            float weight) {
  return head_body(kernel, a, da, target, weight);
}
double head(const RowKernel<double>& kernel, const double* a, double* da, int target,
            double weight) {
  return head_body(kernel, a, da, target, weight);
}
FRR_MULTIVERSION void collapse_forward(const float* e, std::size_t width,
                                       const std::uint32_t* column, const float* value,
                                       std::size_t count, float* a) {
  forward_body(e, width, column, value, count, a);
}
void collapse_forward(const double* e, std::size_t width, const std::uint32_t* column,
                      const double* value, std::size_t count, double* a) {
  forward_body(e, width, column, value, count, a);
}
FRR_MULTIVERSION void collapse_backward(float* de, std::size_t width, const std::uint32_t* column,
                                        const float* value, std::size_t count, const float* da) {
  backward_body(de, width, column, value, count, da);
}
void collapse_backward(double* de, std::size_t width, const std::uint32_t* column,
                       const double* value, std::size_t count, const double* da) {
  backward_body(de, width, column, value, count, da);
}

}  // namespace frr
