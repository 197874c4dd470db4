#include "rows/column_roles.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/number.hpp"
#include "frr/error.hpp"

namespace frr::internal {

const ColumnView& require_column(const TableView& view, std::string_view name, std::size_t shard,
                                 std::string_view role) {
  const auto found = std::find_if(view.columns.begin(), view.columns.end(),
                                  [&](const ColumnView& column) { return column.name == name; });
  if (found != view.columns.end()) return *found;
  std::string names;
  for (const ColumnView& column : view.columns) {
    names += (names.empty() ? "" : ", ") + std::string(column.name);
  }
  fail_data("shard " + std::to_string(shard) + " has no column '" + std::string(name) + "' (" +
            std::string(role) + "); it has " + (names.empty() ? "none" : names) +
            ". All shards must have the same columns");
}

std::optional<std::vector<double>> row_weights(const TableView& view, const ColumnRoles& roles,
                                               std::size_t shard) {
  if (roles.weight.empty()) return std::nullopt;
  const ColumnView& column = require_column(view, roles.weight, shard, "the weights");
  const auto fail_row = [&](std::size_t row) {
    fail_data("shard " + std::to_string(shard) + ": the weight in column '" + roles.weight +
              "', row " + std::to_string(row) +
              " (the first is row 0), is not a number from 0 to 1e100; correct it");
  };
  if (column.type != ColumnType::numeric && view.rows > 0) fail_row(0);
  std::vector<double> weights(view.rows);
  for (std::size_t row = 0; row < view.rows; ++row) {
    weights[row] = column.numbers[row];
    if (!(weights[row] >= 0) || weights[row] > 1e100) fail_row(row);
  }
  return weights;
}

std::vector<char> usable_rows(const ColumnView& target,
                              const std::optional<std::vector<double>>& weights, std::size_t rows) {
  std::vector<char> usable(rows, 1);
  for (std::size_t row = 0; row < rows; ++row) {
    if (target.is_missing(row) || (weights && (*weights)[row] == 0)) usable[row] = 0;
  }
  return usable;
}

Column named_numbers(const ColumnView& column, std::size_t rows) {
  Column named;
  named.name = column.name;
  named.type = ColumnType::categorical;
  std::unordered_map<double, std::int32_t> code_of;
  for (std::size_t row = 0; row < rows; ++row) {
    const double x = column.numbers[row];
    if (x != x) {
      named.codes.push_back(Column::missing_code);
      continue;
    }
    const auto [entry, is_new] =
        code_of.emplace(x, static_cast<std::int32_t>(named.categories.size()));
    if (is_new) named.categories.push_back(number_name(x));
    named.codes.push_back(entry->second);
  }
  return named;
}

}  // namespace frr::internal
