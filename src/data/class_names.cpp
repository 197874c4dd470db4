#include "data/class_names.hpp"

#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/number.hpp"

namespace frr::internal {

DistinctValues distinct_values(const ColumnView& column, std::size_t rows, std::size_t most) {
  DistinctValues values;
  values.of_row.assign(rows, -1);
  std::unordered_map<double, int> by_number;
  std::vector<int> by_code(column.categories.size(), -1);
  for (std::size_t row = 0; row < rows && values.names.size() <= most; ++row) {
    if (column.is_missing(row)) continue;
    const int next = static_cast<int>(values.names.size());
    const bool numeric = column.type == ColumnType::numeric;
    int& index = numeric ? by_number.try_emplace(column.numbers[row], -1).first->second
                         : by_code[static_cast<std::size_t>(column.codes[row])];
    if (index < 0) {
      index = next;
      values.names.push_back(numeric
                                 ? number_name(column.numbers[row])
                                 : column.categories[static_cast<std::size_t>(column.codes[row])]);
    }
    values.of_row[row] = index;
  }
  return values;
}

std::vector<int> class_indices(const ColumnView& column, std::size_t rows,
                               const std::vector<std::string>& classes) {
  std::unordered_map<std::string_view, int> by_text;
  std::unordered_map<double, int> by_number;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    by_text.emplace(classes[c], static_cast<int>(c));
    const ParsedNumber number = parse_number(classes[c]);
    if (number.kind == NumberKind::finite) by_number.emplace(number.value, static_cast<int>(c));
  }
  const auto numbered = [&](double number) {
    const auto found = by_number.find(number);
    return found == by_number.end() ? -1 : found->second;
  };
  std::vector<int> indices(rows, -1);
  if (column.type == ColumnType::numeric) {
    for (std::size_t row = 0; row < rows; ++row) {
      if (!column.is_missing(row)) indices[row] = numbered(column.numbers[row]);
    }
    return indices;
  }
  std::vector<int> of_code;
  for (const std::string& category : column.categories) {
    const auto found = by_text.find(category);
    const ParsedNumber number = parse_number(category);
    of_code.push_back(found != by_text.end()              ? found->second
                      : number.kind == NumberKind::finite ? numbered(number.value)
                                                          : -1);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    if (!column.is_missing(row))
      indices[row] = of_code[static_cast<std::size_t>(column.codes[row])];
  }
  return indices;
}

}  // namespace frr::internal
