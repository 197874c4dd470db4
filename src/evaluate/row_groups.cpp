#include "evaluate/row_groups.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>

#include "base/number.hpp"
#include "data/class_names.hpp"
#include "frr/error.hpp"
#include "frr/metrics.hpp"

namespace frr::internal {

RowGroups row_groups(const ColumnView& column, std::size_t rows, const std::string& source) {
  const DistinctValues values = distinct_values(column, rows);
  const bool numeric = column.type == ColumnType::numeric;
  const std::string name(column.name);
  if (values.names.size() > most_groups) {
    fail_data(source + ", column '" + name + "': groups need a column of at most " +
              std::to_string(most_groups) + " values, and this one has " +
              std::to_string(values.names.size()) +
              (numeric
                   ? " different numbers. Give a categorical column, such as one with ranges of "
                     "these numbers."
                   : ". Give a column of fewer categories."));
  }
  std::vector<std::size_t> order(values.names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Numbers by value, before all other texts.
  std::ranges::sort(order, {}, [&](std::size_t i) {
    const ParsedNumber number = parse_number(values.names[i]);
    const bool is_number = number.kind == NumberKind::finite;
    return std::tuple(!is_number, is_number ? number.value : 0, values.names[i]);
  });
  RowGroups result;
  result.column = name;
  std::vector<int> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = static_cast<int>(i);
    result.names.emplace_back(values.names[order[i]]);
  }
  const int missing = static_cast<int>(order.size());
  result.names.emplace_back();
  result.of_row.reserve(rows);
  for (const int value : values.of_row)
    result.of_row.push_back(value < 0 ? missing : place[static_cast<std::size_t>(value)]);
  return result;
}

}  // namespace frr::internal
