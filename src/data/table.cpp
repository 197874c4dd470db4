#include "frr/table.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "csv/csv_column.hpp"
#include "frr/error.hpp"

namespace frr {
using namespace internal;
namespace {

void check_new_column(const Table& table, const std::string& name, std::size_t length) {
  if (name.empty()) fail_usage("a column needs a name");
  if (!is_utf8(name)) fail_usage("the name of a column is not UTF-8");
  if (table.find(name) != nullptr) fail_usage("there are two columns named '" + name + "'");
  if (!table.columns.empty() && length != table.rows) {
    fail_usage("column '" + name + "' has " + std::to_string(length) + " values, but the table " +
               std::to_string(table.rows) + " rows");
  }
}

}  // namespace

bool Column::has_missing() const {
  if (type == ColumnType::numeric) {
    return std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); });
  }
  return std::find(codes.begin(), codes.end(), missing_code) != codes.end();
}

const Column* Table::find(std::string_view name) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [name](const Column& column) { return column.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

void Table::add_numeric(std::string name, std::vector<double> values) {
  check_new_column(*this, name, values.size());
  const auto infinite =
      std::find_if(values.begin(), values.end(), [](double x) { return std::isinf(x); });
  if (infinite != values.end()) {
    fail_usage("column '" + name + "' is infinite in row " +
               std::to_string(infinite - values.begin() + 1) +
               "; give a finite number, or NaN for a missing value");
  }
  rows = values.size();
  Column column;
  column.name = std::move(name);
  column.values = std::move(values);
  columns.push_back(std::move(column));
}

void Table::add_categorical(std::string name,
                            const std::vector<std::optional<std::string>>& values) {
  check_new_column(*this, name, values.size());
  Dictionary dictionary;
  Column column;
  column.type = ColumnType::categorical;
  column.codes.reserve(values.size());
  for (const auto& value : values) {
    if (value && !is_utf8(*value)) fail_usage("column '" + name + "' holds text that is not UTF-8");
    column.codes.push_back(value ? dictionary.find_or_add(*value) : Column::missing_code);
  }
  rows = values.size();
  column.name = std::move(name);
  column.categories = dictionary.take();
  columns.push_back(std::move(column));
}

const Column& require_column(const Table& table, std::string_view name, std::string_view role) {
  if (const Column* column = table.find(name)) return *column;
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  fail_data((table.source.empty() ? std::string("the table") : table.source) + " has no column '" +
            std::string(name) + "'" + (role.empty() ? "" : " (" + std::string(role) + ")") +
            did_you_mean(name, names));
}

}  // namespace frr
