// The first layers of the SQL: x, the columns that rules read, and d, the degrees of the labels.
#pragma once

#include <string>
#include <vector>

#include "plan.hpp"
#include "slopes.hpp"
#include "sql_dialect.hpp"

namespace frr::internal {

// "s3"
inline std::string sql_column(const std::string& layer, std::size_t index) {
  return layer + std::to_string(index + 1);
}

// "  EXPRESSION AS s1", one per item.
template <typename Items, typename Expression>
std::string sql_columns_of(const Items& items, const std::string& layer,
                           const Expression& expression) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i)
    text += (i == 0 ? "" : ",\n") + expression(items[i]) + " AS " + sql_column(layer, i);
  return text;
}

class SqlDegrees {
 public:
  // Throws Error{data} for columns that the database cannot have; see sql_columns.
  SqlDegrees(const Plan& plan, const Dialect& dialect);
  [[nodiscard]] std::string inputs() const;   // columns x1, x2, ... of the table t
  [[nodiscard]] std::string degrees() const;  // columns d1, d2, ... of the layer x

 private:
  [[nodiscard]] std::string number_of(const std::string& name) const;
  [[nodiscard]] std::string known_text(const Plan::Input& input, const std::string& text) const;
  [[nodiscard]] std::string is_missing(const std::string& text) const;
  [[nodiscard]] std::string one_of(const std::string& text,
                                   const std::vector<std::string>& texts) const;
  [[nodiscard]] std::string text_of(const Plan::Input& input, const std::string& name) const;
  [[nodiscard]] std::vector<std::string> degree_cases(const Plan::Degree& degree) const;
  [[nodiscard]] std::vector<std::string> range_cases(const Plan::Degree& degree,
                                                     const std::string& x) const;
  [[nodiscard]] std::string rising(const Plan::Edge& edge, const Slope& slope,
                                   const std::string& x) const;
  [[nodiscard]] std::string falling(const Plan::Edge& edge, const Slope& slope,
                                    const std::string& x) const;

  const Plan& plan_;
  const Dialect& sql_;
  std::vector<std::string> columns_;  // of the table, one per input
};

}  // namespace frr::internal
