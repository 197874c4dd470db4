// The groups of rows that --by compares.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "frr/view.hpp"

namespace frr::internal {

// The rows by the values of one column.
struct RowGroups {
  std::string column;
  std::vector<std::optional<std::string>> names;  // ascending; none: missing, the last one
  std::vector<int> of_row;
};
// Throws Error{data}, naming `source`, if there are more than most_groups values.
RowGroups row_groups(const ColumnView& column, std::size_t rows, const std::string& source);

}  // namespace frr::internal
