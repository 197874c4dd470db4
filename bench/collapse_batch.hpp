// The two matrix products of the network over a whole batch, A = U E and dE = U^T dA, with the
// kernels of the training. Only this file of the benchmarks calls these kernels.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/aligned_vector.hpp"
#include "problem.hpp"

namespace frr::bench {
using namespace internal;

class CollapseBatch {
 public:
  // Uses `rows` rows of the problem, repeated if it has fewer.
  CollapseBatch(const Problem& problem, std::size_t rows);

  void forward();   // A = U E
  void backward();  // dE = U^T dA

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t labels() const { return labels_; }
  [[nodiscard]] std::size_t width() const { return width_; }      // with padding
  [[nodiscard]] std::size_t columns() const { return columns_; }  // without padding
  [[nodiscard]] std::size_t entries() const {
    return inputs_.entries.size();
  }                                                // non-zero entries of U
  [[nodiscard]] std::vector<float> dense() const;  // U, row by row
  [[nodiscard]] std::span<const float> e() const { return e_; }
  [[nodiscard]] std::span<const float> a() const { return a_; }
  [[nodiscard]] std::span<const float> da() const { return da_; }
  [[nodiscard]] std::span<const float> de() const { return de_; }

 private:
  std::size_t rows_, labels_, columns_, width_;
  SparseRows<float> inputs_;
  AlignedVector<float> e_, de_;  // [d][width]
  AlignedVector<float> a_, da_;  // [row][width]
};

}  // namespace frr::bench
