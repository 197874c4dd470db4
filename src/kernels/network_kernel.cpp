#include "network_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>

#include "kernel.hpp"
#include "tnorm.hpp"
#include "vector.hpp"

namespace frr {
namespace {

// Bodies are written for any number of vectors of rules (Vectors 0) and compiled for the usual ones,
// whose loops then vanish.
template <std::size_t Vectors, typename T>
FRR_INLINE std::size_t lanes_of(const RowKernel<T>& n) {
  return Vectors > 0 ? Vectors * vector_lanes : n.lanes;
}

// Conjunction of c ([k][r]) into t ([r]) and dT/dc into `slope` ([k][r]).
template <std::size_t Vectors, typename T>
FRR_INLINE void conjoin_product(const RowKernel<T>& n, const T* __restrict c, T* __restrict t,
                                T* __restrict slope) {
  const std::size_t lanes = lanes_of<Vectors>(n);
  for (std::size_t r = 0; r < lanes; r += vector_lanes) {
    Vector<T> before = all_equal(T{1});
    for (std::size_t k = 0; k < n.slots; ++k) {
      store(slope + k * lanes + r, before);
      before *= load(c + k * lanes + r);
    }
    store(t + r, before);
    Vector<T> after = load(c + (n.slots - 1) * lanes + r);
    for (std::size_t k = n.slots - 1; k-- > 0;) {
      T* own = slope + k * lanes + r;
      store(own, load(own) * after);
      after *= load(c + k * lanes + r);
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
template <std::size_t Vectors, typename T>
FRR_INLINE void combine(const RowKernel<T>& n, const T* __restrict s, T* __restrict share,
                        T* __restrict result) {
  const std::size_t lanes = lanes_of<Vectors>(n);
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
    Vector<T> most = load(score) + load(n.bias);
    for (std::size_t r = vector_lanes; r < lanes; r += vector_lanes) {
      most = larger(most, load(score + r) + load(n.bias + r));
    }
    const T top = largest_lane<T>(most);
    if (n.sharpness <= 0) {
      std::size_t best = 0;
      while (score[best] + n.bias[best] != top) ++best;
      for (std::size_t r = 0; r < lanes; ++r) part[r] = r == best ? T{1} : T{0};
      result[c] = top;
      continue;
    }
    Vector<T> sum{};
    for (std::size_t r = 0; r < lanes; r += vector_lanes) {
      const Vector<T> own = exponential((load(score + r) + load(n.bias + r) - top) * n.sharpness);
      store(part + r, own);
      sum += own;
    }
    const T total = sum_of_lanes<T>(sum), inverse = 1 / total;
    for (std::size_t r = 0; r < lanes; r += vector_lanes) store(part + r, load(part + r) * inverse);
    result[c] = top + logarithm(total) / n.sharpness;
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
  return weight * (logarithm(sum) - own);
}

template <std::size_t Vectors, typename T>
FRR_INLINE T head_body(const RowKernel<T>& n, const T* __restrict a, T* __restrict da, int target,
                       T weight) {
  const std::size_t lanes = lanes_of<Vectors>(n), width = lanes * n.slots;
  T* __restrict c = n.scratch;
  T* __restrict slope = c + width;
  T* __restrict truth = slope + width;
  T* __restrict rule = truth + lanes;
  T* __restrict score = rule + lanes;
  T* __restrict share = score + n.classes * lanes;
  T* __restrict result = share + n.classes * lanes;

  for (std::size_t i = 0; i < width; i += vector_lanes) {
    store(c + i, load(n.keep + i) * load(a + i) + load(n.cancel + i));
  }
  if (n.tnorm.kind == TNormKind::product)
    conjoin_product<Vectors>(n, c, truth, slope);
  else
    conjoin_general(n, c, truth, slope);
  if (n.root != 1) take_root(n, truth, slope);

  for (std::size_t r = 0; r < lanes; r += vector_lanes) {
    Vector<T> sum{};
    for (std::size_t k = 0; k < n.slots; ++k) sum += load(a + k * lanes + r);
    const Vector<T> own = load(truth + r) + sum * n.gamma;
    store(rule + r, own);
    for (std::size_t j = 0; j < n.classes; ++j) {
      store(score + j * lanes + r, load(n.out + j * lanes + r) * own);
    }
  }
  combine<Vectors>(n, score, share, result);
  const T loss = cross_entropy(n, result, target, weight);

  for (std::size_t r = 0; r < lanes; r += vector_lanes) {
    const Vector<T> own = load(rule + r);
    Vector<T> drule{};
    for (std::size_t j = 0; j < n.classes; ++j) {
      const std::size_t i = j * lanes + r;
      const Vector<T> dscore = load(share + i) * result[j];
      store(n.dout + i, load(n.dout + i) + dscore * own);
      drule += dscore * load(n.out + i);
    }
    for (std::size_t k = 0; k < n.slots; ++k) {
      const std::size_t i = k * lanes + r;
      const Vector<T> dc = drule * load(slope + i);
      store(n.dkeep + i, load(n.dkeep + i) + dc * load(a + i));
      store(n.dcancel + i, load(n.dcancel + i) + dc);
      store(da + i, dc * load(n.keep + i) + drule * n.gamma);
    }
  }
  return loss;
}

// Both products go through the row's entries once for as many numbers as stay in registers.
constexpr std::size_t most_vectors = 6;

template <std::size_t Vectors, typename T>
FRR_INLINE void forward_piece(const T* __restrict e, std::size_t width,
                              const std::uint32_t* __restrict column, const T* __restrict value,
                              std::size_t count, T* __restrict a) {
  Vector<T> sum[Vectors] = {};
  for (std::size_t i = 0; i < count; ++i) {
    const T* __restrict row = e + column[i] * width;
    for (std::size_t v = 0; v < Vectors; ++v) sum[v] += load(row + v * vector_lanes) * value[i];
  }
  for (std::size_t v = 0; v < Vectors; ++v) store(a + v * vector_lanes, sum[v]);
}

template <std::size_t Vectors, typename T>
FRR_INLINE void backward_piece(T* __restrict de, std::size_t width,
                               const std::uint32_t* __restrict column, const T* __restrict value,
                               std::size_t count, const T* __restrict da) {
  Vector<T> own[Vectors];
  for (std::size_t v = 0; v < Vectors; ++v) own[v] = load(da + v * vector_lanes);
  for (std::size_t i = 0; i < count; ++i) {
    T* __restrict row = de + column[i] * width;
    for (std::size_t v = 0; v < Vectors; ++v) {
      T* place = row + v * vector_lanes;
      store(place, load(place) + own[v] * value[i]);
    }
  }
}

// Calls visit(at, vectors) for pieces that make up `width`, `vectors` being a constant.
template <typename Visit>
FRR_INLINE void for_each_piece(std::size_t width, Visit visit) {
  using std::integral_constant;
  std::size_t at = 0;
  for (; at + most_vectors * vector_lanes <= width; at += most_vectors * vector_lanes) {
    visit(at, integral_constant<std::size_t, most_vectors>{});
  }
  for (; at + 2 * vector_lanes <= width; at += 2 * vector_lanes) {
    visit(at, integral_constant<std::size_t, 2>{});
  }
  if (at < width) visit(at, integral_constant<std::size_t, 1>{});
}

template <typename T>
FRR_INLINE void forward_body(const T* e, std::size_t width, const std::uint32_t* column,
                             const T* value, std::size_t count, T* a) {
  for_each_piece(width, [&](std::size_t at, auto vectors) FRR_LAMBDA_INLINE {
    forward_piece<vectors()>(e + at, width, column, value, count, a + at);
  });
}

template <typename T>
FRR_INLINE void backward_body(T* de, std::size_t width, const std::uint32_t* column,
                              const T* value, std::size_t count, const T* da) {
  for_each_piece(width, [&](std::size_t at, auto vectors) FRR_LAMBDA_INLINE {
    backward_piece<vectors()>(de + at, width, column, value, count, da + at);
  });
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

FRR_MULTIVERSION void add(std::span<float> x, std::span<const float> y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
}
void add(std::span<double> x, std::span<const double> y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
}
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
  switch (kernel.lanes) {
    case 8:
      return head_body<1>(kernel, a, da, target, weight);
    case 16:
      return head_body<2>(kernel, a, da, target, weight);
    default:
      return head_body<0>(kernel, a, da, target, weight);
  }
}
double head(const RowKernel<double>& kernel, const double* a, double* da, int target,
            double weight) {
  return head_body<0>(kernel, a, da, target, weight);
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
