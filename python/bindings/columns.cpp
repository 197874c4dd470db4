#include "columns.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "frr/error.hpp"

namespace frr::python {
namespace {

// Rows to copy at a time from all columns: in a matrix, they share cache lines.
constexpr std::size_t rows_at_once = 512;

void check_length(const std::string& name, std::size_t length, std::size_t rows) {
  if (length == rows) return;
  fail_usage("column '" + name + "' has " + std::to_string(length) + " values, but there are " +
             std::to_string(rows) + " rows");
}

}  // namespace

Columns::Columns(const nb::list& columns, std::size_t rows) {
  view_.source = "X";
  view_.rows = rows;
  std::unordered_set<std::string> seen;
  for (const nb::handle item : columns) {
    if (!nb::isinstance<nb::tuple>(item)) throw nb::type_error("a column is not a tuple");
    const auto parts = nb::borrow<nb::tuple>(item);
    if (parts.size() != 2 && parts.size() != 3) {
      throw nb::type_error("a column is not (name, numbers) or (name, codes, categories)");
    }
    names_.push_back(nb::cast<std::string>(parts[0]));
    if (names_.back().empty()) fail_usage("a column needs a name");
    if (!seen.insert(names_.back()).second) {
      fail_usage("there are two columns named '" + names_.back() + "'");
    }
    if (parts.size() == 2) {
      add_numbers(nb::cast<Numbers>(parts[1]));
    } else {
      add_codes(nb::cast<Codes>(parts[1]), nb::cast<std::vector<std::string>>(parts[2]));
    }
  }
}

void Columns::add_numbers(const Numbers& numbers) {
  const std::string& name = names_.back();
  check_length(name, numbers.shape(0), view_.rows);
  const bool single = numbers.dtype() == nb::dtype<float>();
  if (!single && numbers.dtype() != nb::dtype<double>()) {
    fail_usage("column '" + name + "' is neither float64 nor float32");
  }
  const std::ptrdiff_t size = single ? sizeof(float) : sizeof(double);
  view_.columns.emplace_back(
      name,
      NumberView{numbers.data(), static_cast<std::ptrdiff_t>(numbers.stride(0)) * size, single});
  numbers_.push_back(numbers);
}

void Columns::add_codes(const Codes& codes, std::vector<std::string> categories) {
  const std::string& name = names_.back();
  check_length(name, codes.shape(0), view_.rows);
  const auto end = static_cast<std::int32_t>(categories.size());
  if (std::any_of(codes.data(), codes.data() + view_.rows, [&](std::int32_t code) {
        return code != Column::missing_code && (code < 0 || code >= end);
      })) {
    fail_usage("column '" + name + "' has a code without a category");
  }
  categories_.push_back(std::move(categories));
  ColumnView column;
  column.name = name;
  column.type = ColumnType::categorical;
  column.codes = codes.data();
  column.categories = categories_.back();
  view_.columns.push_back(column);
  codes_.push_back(codes);
}

Table Columns::copy(const std::string& source) const {
  Table table;
  table.source = source;
  table.rows = view_.rows;
  for (const ColumnView& view : view_.columns) {
    Column& column = table.columns.emplace_back();
    column.name = view.name;
    column.type = view.type;
    if (view.type == ColumnType::numeric) {
      column.values.resize(table.rows);
    } else {
      column.codes.assign(view.codes, view.codes + table.rows);
      column.categories.assign(view.categories.begin(), view.categories.end());
    }
  }
  for (std::size_t from = 0; from < table.rows; from += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, table.rows - from);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (view_.columns[i].type != ColumnType::numeric) continue;
      double* const to = table.columns[i].values.data() + from;
      view_.columns[i].numbers.copy(
          count, [&](std::size_t row) { return from + row; }, to);
      const double* const infinite =
          std::find_if(to, to + count, [](double x) { return std::isinf(x); });
      if (infinite == to + count) continue;
      fail_data("X contains infinity: column '" + table.columns[i].name + "', row " +
                std::to_string(from + static_cast<std::size_t>(infinite - to)) +
                " (the first is row 0); give a finite number, or NaN for a missing value");
    }
  }
  return table;
}

}  // namespace frr::python
