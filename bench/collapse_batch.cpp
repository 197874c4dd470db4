#include "collapse_batch.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "kernels/network_kernel.hpp"

namespace frr::bench {
using namespace internal;

CollapseBatch::CollapseBatch(const Problem& problem, std::size_t rows)
    : rows_(rows), labels_(problem.memberships.labels()) {
  const NetworkShape shape = problem.shape();
  columns_ = shape.rules * shape.slots;
  width_ = (shape.rules + 7) / 8 * 8 * shape.slots;
  const SparseRows<float>& inputs = problem.inputs;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t row = i % inputs.rows();
    const Entries<float> row_entries = inputs.of_row(row);
    inputs_.entries.insert(inputs_.entries.end(), row_entries.begin(), row_entries.end());
    inputs_.start.push_back(inputs_.entries.size());
  }
  Random random(2);
  for (auto* matrix : {&e_, &de_}) matrix->resize(labels_ * width_);
  for (auto* matrix : {&a_, &da_}) matrix->resize(rows_ * width_);
  for (auto* matrix : {&e_, &da_}) {
    for (float& x : *matrix) x = static_cast<float>(random.uniform());
  }
}

void CollapseBatch::forward() {
  for (std::size_t i = 0; i < rows_; ++i) {
    collapse_forward(e_.data(), width_, inputs_.of_row(i), a_.data() + i * width_);
  }
}

void CollapseBatch::backward() {
  std::fill(de_.begin(), de_.end(), 0.0F);
  for (std::size_t i = 0; i < rows_; ++i) {
    collapse_backward(de_.data(), width_, inputs_.of_row(i), da_.data() + i * width_);
  }
}

std::vector<float> CollapseBatch::dense() const {
  std::vector<float> u(rows_ * labels_, 0.0F);
  for (std::size_t i = 0; i < rows_; ++i) {
    for (const auto& [column, value] : inputs_.of_row(i)) u[i * labels_ + column] = value;
  }
  return u;
}

}  // namespace frr::bench
