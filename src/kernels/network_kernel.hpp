// The inner loops of the network, with the rules as vector lanes: every array is [k][r] or [c][r]
// with r padded to a multiple of 8. Formulas: network.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "frr/settings.hpp"
#include "kernels/entry.hpp"

namespace frr::internal {

inline constexpr std::size_t head_rows = 8;  // rows that head() processes together

template <typename Scalar>
struct RowKernel {
  std::size_t rules = 0, lanes = 0, slots = 0, classes = 0;
  // Gates of the step.
  const Scalar* keep = nullptr;    // [k][r] ga[.,.,0]
  const Scalar* cancel = nullptr;  // [k][r] ga[.,.,1]
  const Scalar* out = nullptr;     // [c][r] g4
  const Scalar* bias = nullptr;    // [r] 0, or far below 0 in the padding
  // Their gradients are added here.
  Scalar* dkeep = nullptr;
  Scalar* dcancel = nullptr;
  Scalar* dout = nullptr;
  Scalar* scratch = nullptr;  // scratch_size() numbers
  TNorm tnorm;
  bool additive = false;
  Scalar gamma = 0, sharpness = 0, kappa = 1, root = 1;
  Scalar max_score = std::numeric_limits<Scalar>::infinity();  // upper bound of out[c][r] rule[r]

  [[nodiscard]] std::size_t scratch_size() const {
    return head_rows * (lanes * (2 * slots + 1 + classes) + 2 * classes);
  }
};

// The sum of the weighted losses of `count` <= head_rows rows, given the values `a` ([q][k][r]) of
// their slots. Sets `da` to its gradient and adds to dkeep, dcancel and dout.
float head(const RowKernel<float>& kernel, const float* a, float* da, const int* target,
           const float* weight, std::size_t count);
double head(const RowKernel<double>& kernel, const double* a, double* da, const int* target,
            const double* weight, std::size_t count);

// a[:] = sum_i value_i e[column_i, :]; a row of e has `width` numbers.
void collapse_forward(const float* e, std::size_t width, Entries<float> entries, float* a);
void collapse_forward(const double* e, std::size_t width, Entries<double> entries, double* a);
// de[column_i, :] += value_i da[:].
void collapse_backward(float* de, std::size_t width, Entries<float> entries, const float* da);
void collapse_backward(double* de, std::size_t width, Entries<double> entries, const double* da);

// x[i] += y[i].
void add(std::span<float> x, std::span<const float> y);
void add(std::span<double> x, std::span<const double> y);

// The shape of the collapsed matrix E.
struct CollapseShape {
  std::span<const std::size_t> first;  // M + 1 offsets of the features' labels
  std::size_t lanes = 0, slots = 0;
};
// e[d][k][r] = g3[k][j(d)][r] g2[d][r].
void collapse_gates(const CollapseShape& shape, const float* g2, const float* g3, float* e);
void collapse_gates(const CollapseShape& shape, const double* g2, const double* g3, double* e);
// The gradients dg2 and dg3 of collapse_gates, given de.
void expand_gates(const CollapseShape& shape, const float* g2, const float* g3, const float* de,
                  float* dg2, float* dg3);
void expand_gates(const CollapseShape& shape, const double* g2, const double* g3, const double* de,
                  double* dg2, double* dg3);

}  // namespace frr::internal
