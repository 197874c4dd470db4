// Maps the columns of a table to the features of a rule base.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "frr/rulebase.hpp"
#include "frr/view.hpp"

namespace frr::internal {

// The value of one feature in one row, as memberships need it.
struct FeatureValue {
  double number = 0;  // numeric features; NaN if missing
  int category = -1;  // categorical features: label index, or -1 for none
  bool missing = false;
};

// Matches columns to features by name. Categories are translated to labels once, and the rule
// base's missing-value codes become missing. Holds references to the rule base and to the data of
// the columns, which must outlive it.
class ColumnMap {
 public:
  // Only features that a rule reads are needed (all if `all`). Throws Error{data} if a needed
  // column is absent or of the wrong type.
  ColumnMap(const RuleBase& base, const TableView& table, bool all = false);
  ColumnMap(const RuleBase& base, const Table& table, bool all = false);
  ColumnMap(const ColumnMap&) = delete;
  ColumnMap& operator=(const ColumnMap&) = delete;
  // For the same table, whose columns now hold other rows and may have more categories.
  void refresh(const Table& table);

  [[nodiscard]] FeatureValue value(std::size_t row, int feature) const;
  [[nodiscard]] std::string text(std::size_t row, int feature) const;  // as in the table
  [[nodiscard]] std::size_t rows() const { return rows_; }
  // The column of a feature; Error{internal} if it is not mapped.
  [[nodiscard]] const ColumnView& column(int feature) const;
  // For a categorical feature: category code -> label index, or -1 for none.
  [[nodiscard]] std::span<const int> category_labels(int feature) const {
    return category_labels_[static_cast<std::size_t>(feature)];
  }

 private:
  static constexpr std::size_t unbound = std::numeric_limits<std::size_t>::max();
  void map(std::size_t feature, const ColumnView& column);

  const RuleBase* base_;
  std::size_t rows_;
  std::vector<std::size_t> positions_;  // per feature: index of its column in the table
  std::vector<ColumnView> columns_;     // per feature
  std::vector<Column> cleaned_;  // per feature: the column, if it holds a code of a missing value
  std::vector<std::vector<int>> category_labels_;  // per feature: category code -> label or -1
};

}  // namespace frr::internal
