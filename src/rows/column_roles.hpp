// The columns of a shard by their role in training: target, weights, features. A shard is a part
// of all rows; messages name it and count its rows from 0.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frr/view.hpp"

namespace frr::internal {

struct ColumnRoles {
  std::string target;
  std::string weight = {};                    // column of row weights; empty: each row weighs 1
  std::vector<std::string> categorical = {};  // numeric columns whose values are categories
};

// Throws Error{data}, naming the shard and the role, if there is no such column.
const ColumnView& require_column(const TableView& view, std::string_view name, std::size_t shard,
                                 std::string_view role);

// The weight of each row; empty if all are 1. Throws Error{data} for a weight that is not
// a number from 0 to 1e100.
std::optional<std::vector<double>> row_weights(const TableView& view, const ColumnRoles& roles,
                                               std::size_t shard);

// Per row: its class is known and its weight is not 0.
std::vector<char> usable_rows(const ColumnView& target,
                              const std::optional<std::vector<double>>& weights, std::size_t rows);

// Numbers as categories, with the names that they have in a column of numbers and other texts.
Column named_numbers(const ColumnView& column, std::size_t rows);

}  // namespace frr::internal
