// Which column of a table holds which feature of a rule base.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "frr/rulebase.hpp"
#include "frr/view.hpp"

namespace frr::internal {

// The value of one feature on one row, in the form memberships are computed from.
struct FeatureValue {
  double number = 0;  // numeric features; NaN if missing
  int category = -1;  // categorical features: label index, or -1 for none
  bool missing = false;
};

// Columns matched by name to the features of a rule base; categories are translated to labels once,
// and values that the rule base names as missing are missing. Holds references to the rule base and
// to what the columns hold: they must outlive it.
class ColumnMap {
 public:
  // Only features that occur in a rule are needed (all of them if `all`). Throws Error{data} if a
  // needed column is absent or of the wrong type.
  ColumnMap(const RuleBase& base, const TableView& table, bool all = false);
  ColumnMap(const RuleBase& base, const Table& table, bool all = false);
  ColumnMap(const ColumnMap&) = delete;
  ColumnMap& operator=(const ColumnMap&) = delete;
  // The same table, whose columns hold other rows now and may have gained categories.
  void refresh(const Table& table);

  [[nodiscard]] FeatureValue value(std::size_t row, int feature) const;
  [[nodiscard]] std::string text(std::size_t row, int feature) const;  // as in the table
  [[nodiscard]] std::size_t rows() const { return rows_; }
  // The column that holds a feature; Error{internal} for one that is not mapped.
  [[nodiscard]] const ColumnView& column(int feature) const;
  // Of a categorical feature: category code -> label index, or -1 for none.
  [[nodiscard]] std::span<const int> category_labels(int feature) const {
    return category_labels_[static_cast<std::size_t>(feature)];
  }

 private:
  static constexpr std::size_t unbound = std::numeric_limits<std::size_t>::max();
  void map(std::size_t feature, const ColumnView& column);

  const RuleBase* base_;
  std::size_t rows_;
  std::vector<std::size_t> positions_;  // per feature: of its column in the table
  std::vector<ColumnView> columns_;     // per feature
  std::vector<Column> cleaned_;  // per feature: the column, if it holds a code of a missing value
  std::vector<std::vector<int>> category_labels_;  // per feature: category code -> label or -1
};

}  // namespace frr::internal
