// libFuzzer target: reading any bytes as CSV gives a valid table or frr::Error, the same one for
// any chunk size.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "base/utf8.hpp"
#include "csv/csv_reader.hpp"
#include "data/dataset.hpp"
#include "frr/error.hpp"
#include "frr/table.hpp"

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

frr::CsvOptions options_from(std::uint8_t bits) {
  frr::CsvOptions options;
  options.delimiter = "\0,;\t"[bits & 3];
  if (bits & 4) options.target = "";
  if (bits & 8) options.target = "a";
  if (bits & 16) options.categorical = {"b"};
  if (bits & 32) options.numeric = {"c"};
  if (bits & 64) options.missing = {"x", "-9"};
  if (bits & 128) options.ignore = {"d"};
  return options;
}

struct Outcome {
  std::optional<frr::Table> table;
  std::string error;
};

Outcome read(std::string_view text, const frr::CsvOptions& options, std::size_t chunk) {
  const auto source = [&text](char* into, std::size_t count) {
    const std::size_t got = std::min(count, text.size());
    std::memcpy(into, text.data(), got);
    text.remove_prefix(got);
    return got;
  };
  try {
    return {frr::internal::read_csv(source, options, chunk), ""};
  } catch (const frr::Error& error) {
    check(error.kind() == frr::ErrorKind::data || error.kind() == frr::ErrorKind::usage);
    check(*error.what() != '\0');
    return {std::nullopt, error.what()};
  }
}

void check_column(const frr::Column& column, std::size_t rows) {
  check(!column.name.empty() && frr::internal::is_utf8(column.name));
  if (column.type == frr::ColumnType::numeric) {
    check(column.values.size() == rows && column.codes.empty() && column.categories.empty());
    for (const double value : column.values) check(!std::isinf(value));
    return;
  }
  check(column.codes.size() == rows && column.values.empty());
  std::int32_t next = 0;
  for (const std::int32_t code : column.codes) {
    check(code >= frr::Column::missing_code && code <= next);
    if (code == next) ++next;
  }
  check(static_cast<std::size_t>(next) == column.categories.size());
  for (const std::string& category : column.categories) check(frr::internal::is_utf8(category));
}

void check_table(const frr::Table& table) {
  check(table.rows > 0 && table.lines.size() == table.rows);
  check(std::is_sorted(table.lines.begin(), table.lines.end()));
  for (const frr::Column& column : table.columns) {
    check_column(column, table.rows);
    check(table.find(column.name) == &column);
  }
}

void check_dataset(const frr::Table& table) {
  try {
    const frr::internal::Dataset data = frr::internal::make_dataset(table, "");
    check(data.labels.size() == table.rows && data.classes.size() >= 2 && !data.features.empty());
    for (const int label : data.labels) {
      check(label >= -1 && label < static_cast<int>(data.classes.size()));
    }
  } catch (const frr::Error& error) {
    check(error.kind() == frr::ErrorKind::data);
  }
}

bool same(const frr::Table& a, const frr::Table& b) {
  if (a.rows != b.rows || a.lines != b.lines || a.columns.size() != b.columns.size()) return false;
  for (std::size_t i = 0; i < a.columns.size(); ++i) {
    const frr::Column &x = a.columns[i], &y = b.columns[i];
    const auto equal = [](double p, double q) { return p == q || (p != p && q != q); };
    if (x.name != y.name || x.type != y.type || x.codes != y.codes ||
        x.categories != y.categories ||
        !std::equal(x.values.begin(), x.values.end(), y.values.begin(), y.values.end(), equal)) {
      return false;
    }
  }
  return true;
}

// Reading in parts of `rows` rows gives the same columns, or the same error.
void check_parts(std::string_view text, const frr::CsvOptions& options, const Outcome& whole,
                 std::size_t rows, std::size_t chunk) {
  const auto source = [&text](char* into, std::size_t count) {
    const std::size_t got = std::min(count, text.size());
    std::memcpy(into, text.data(), got);
    text.remove_prefix(got);
    return got;
  };
  std::size_t first = 0;
  const auto check_part = [&](const frr::Table& part) {
    if (!whole.table) return;
    for (std::size_t i = 0; i < part.columns.size(); ++i) {
      const frr::Column &column = part.columns[i], &all = whole.table->columns[i];
      for (std::size_t row = 0; row < part.rows; ++row) {
        check(column.is_missing(row) == all.is_missing(first + row));
        if (column.is_missing(row)) continue;
        if (column.type == frr::ColumnType::numeric) {
          check(column.values[row] == all.values[first + row]);
        } else {
          check(column.codes[row] == all.codes[first + row]);
        }
      }
    }
    first += part.rows;
  };
  try {
    const frr::Table rest = frr::internal::read_csv_parts(source, options, rows, check_part, chunk);
    check(whole.table && rest.rows == whole.table->rows && first == rest.rows);
  } catch (const frr::Error& error) {
    check(whole.error == error.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const frr::CsvOptions options = options_from(data[0]);
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  const Outcome whole = read(text, options, std::size_t{1} << 16);
  const Outcome parts = read(text, options, 1 + data[1]);
  check_parts(text, options, whole, 1 + data[1] % 8, 1 + data[1]);
  check(whole.error == parts.error && whole.table.has_value() == parts.table.has_value());
  if (!whole.table) return 0;
  check(same(*whole.table, *parts.table));
  check_table(*whole.table);
  check_dataset(*whole.table);
  return 0;
}
