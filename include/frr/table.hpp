// A table of typed columns, and the CSV reader that makes one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frr/api.hpp"

namespace frr {

enum class ColumnType { numeric, categorical };

// One column. A numeric column uses `values` (finite, or NaN for a missing value); a categorical
// one uses `codes` (indices into `categories`, or missing_code) and `categories` (distinct texts in
// order of first appearance).
struct Column {
  static constexpr std::int32_t missing_code = -1;

  std::string name;
  ColumnType type = ColumnType::numeric;
  std::vector<double> values;
  std::vector<std::int32_t> codes;
  std::vector<std::string> categories;

  [[nodiscard]] bool is_missing(std::size_t row) const {
    return type == ColumnType::numeric ? values[row] != values[row] : codes[row] == missing_code;
  }
  [[nodiscard]] FRR_API bool has_missing() const;
};

// Columns of equal length with distinct, non-empty names.
struct Table {
  std::string source;  // for messages: a file name or "<table>"
  std::size_t rows = 0;
  std::vector<Column> columns;
  std::vector<std::string> warnings;  // sentences to show the user: odd columns, skipped rows
  // The line of the source on which each row starts, from 1; empty if the table is not from a file.
  std::vector<std::uint32_t> lines;

  // nullptr if there is none
  [[nodiscard]] FRR_API const Column* find(std::string_view name) const;
  // Appends a column. Throws Error{usage} for a wrong length, an empty or repeated name, or an
  // infinite value.
  FRR_API void add_numeric(std::string name, std::vector<double> values);
  FRR_API void add_categorical(std::string name,
                               const std::vector<std::optional<std::string>>& values);
};

// Throws Error{data} that suggests similar names if the table has no column of that name.
FRR_API const Column& require_column(const Table& table, std::string_view name,
                                     std::string_view role);

struct CsvOptions {
  char delimiter = '\0';             // ',', ';', '\t' or '|'; '\0': the best fit of the first three
  std::vector<std::string> numeric;  // columns to read as numbers: other text is an error
  std::vector<std::string> categorical;  // columns to read as categories even if all are numbers
  std::vector<std::string> categorical_if_present;  // the same, but these columns need not exist
  std::vector<std::string> ignore;                  // columns to leave out
  // The column with the class names, read as categorical; empty text: the last column kept.
  std::optional<std::string> target;
  // Codes for missing values, in addition to the built-in ones.
  std::vector<std::string> missing;
  // If set, only these columns are kept; others are skipped unparsed. An absent column is not an
  // error unless `numeric` or `categorical` names it, too (Error{data}).
  std::optional<std::vector<std::string>> only;
  std::string source = "<input>";  // name used in messages
  // Called about once per megabyte with the number of bytes read so far; return false to stop with
  // Error{interrupted}.
  std::function<bool(std::size_t bytes)> progress;
};

// Reads RFC 4180 text: quoted fields, doubled quotes, line ends inside quotes, LF / CRLF / CR, a
// UTF-8 byte order mark, a spreadsheet's "sep=;" line. UTF-16 is an error that names the remedy;
// other text that is not UTF-8 is read as Windows-1252, with a warning. The first line holds the
// names (a line break in a name becomes a space). Spaces and tabs around fields, outside quotes,
// are removed.
//
// A column is numeric if all its non-missing values are numbers ("1e5", "-.5", "+3"), else
// categorical. Infinite numbers are an error; numbers too small for a double are 0. A category is
// the exact text of its cells: "1" and "1.0" are two categories. If the delimiter is ';', numbers
// may have a decimal comma ("3,14"): the first fraction of a column decides between comma and
// point. Missing values are "", ?, NA, N/A, NaN, null in any case, and options.missing: texts that
// equal a code and, in numeric columns, numbers that equal one ("-9.0" for -9). Spaces and tabs
// around a text are ignored when it is tested for a number or a missing value.
//
// Every line is a row, even one of empty fields; empty lines are skipped unless there is only one
// column. Empty columns without a name and empty fields beyond the last name are skipped. A file
// with columns that mix numbers and other texts is read twice. Memory beyond the table itself is
// bounded (by the longest row, at most 64 MiB) for any length of the input. Only an input that
// cannot be read twice, such as a pipe, is kept as text until the types of all columns are known.
// Throws Error{data} naming source, line and column, or Error{usage} for options that name no
// column or contradict each other.
FRR_API Table read_csv(std::istream& input, const CsvOptions& options);
FRR_API Table read_csv_file(const std::string& path, CsvOptions options);  // "-" is standard input

}  // namespace frr
