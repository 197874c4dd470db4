// The membership matrix U (rows x D), computed from a table and a partition: the input of training.
// It has a column for each of the D labels; the labels of a feature are adjacent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "frr/rulebase.hpp"
#include "kernels/entry.hpp"

namespace frr::internal {

// The membership of each of `rows` in one label of the feature with this column.
void fill_memberships(std::span<float> out, const Label& label, const Column& column,
                      std::span<const std::uint32_t> rows);

// Stored by columns, for the search: column d has the membership of every training row in label d.
class Memberships {
 public:
  Memberships(const Partition& partition, const Table& table, std::span<const std::uint32_t> rows,
              int threads);

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t labels() const { return first_.back(); }
  [[nodiscard]] std::size_t features() const { return first_.size() - 1; }
  // Labels of feature j are the columns first()[j] .. first()[j + 1] - 1.
  [[nodiscard]] std::span<const std::size_t> first() const { return first_; }
  [[nodiscard]] std::size_t feature_of(std::size_t d) const { return feature_[d]; }
  [[nodiscard]] Condition condition(std::size_t d) const {
    return {static_cast<int>(feature_[d]), static_cast<int>(d - first_[feature_[d]])};
  }
  [[nodiscard]] std::size_t column_of(const Condition& c) const {
    return first_[static_cast<std::size_t>(c.feature)] + static_cast<std::size_t>(c.label);
  }
  [[nodiscard]] std::span<const float> column(std::size_t d) const {
    return {values_.data() + d * rows_, rows_};
  }
  // Recomputes the columns of feature j after a border has moved.
  void refresh(const Feature& feature, std::size_t j, const Column& column,
               std::span<const std::uint32_t> rows, int threads = 1);

 private:
  std::size_t rows_;
  std::vector<std::size_t> first_;
  std::vector<std::size_t> feature_;
  std::vector<float> values_;
};

// Stored by rows, for the network: the nonzero memberships of each row.
template <typename Scalar>
struct SparseRows {
  std::vector<std::size_t> start{0};  // rows + 1 offsets
  std::vector<Entry<Scalar>> entries;

  [[nodiscard]] std::size_t rows() const { return start.size() - 1; }
  [[nodiscard]] Entries<Scalar> of_row(std::size_t row) const {
    return {entries.data() + start[row], start[row + 1] - start[row]};
  }
};
// The nonzero memberships of the first `count` rows.
template <typename Scalar>
SparseRows<Scalar> sparse_rows(const Memberships& memberships, std::size_t count, int threads = 1);

}  // namespace frr::internal
