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

// One column. A numeric column fills `values` (finite, or NaN for a missing value); a categorical
// one fills `codes` (an index into `categories`, or missing_code) and `categories` (distinct texts,
// in order of first appearance).
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
  std::string source;  // where it came from, for messages: a file name or "<table>"
  std::size_t rows = 0;
  std::vector<Column> columns;
  std::vector<std::string> warnings;  // sentences a user should see: odd columns, skipped rows
  // Line of the source on which each row starts (1-based); empty if the table is not from a file.
  std::vector<std::uint32_t> lines;

  // nullptr if there is none
  [[nodiscard]] FRR_API const Column* find(std::string_view name) const;
  // Appends a column made in memory; throws Error{usage} if lengths or names do not fit, or a value
  // is infinite.
  FRR_API void add_numeric(std::string name, std::vector<double> values);
  FRR_API void add_categorical(std::string name,
                               const std::vector<std::optional<std::string>>& values);
};

// Throws Error{data} with a list of near names if the table has no column of that name.
FRR_API const Column& require_column(const Table& table, std::string_view name,
                                     std::string_view role);

struct CsvOptions {
  char delimiter = '\0';  // ',', ';', '\t' or '|'; '\0': which of the first three fits best
  std::vector<std::string> numeric;      // columns that must hold numbers: text there is an error
  std::vector<std::string> categorical;  // columns whose values are names even if they look numeric
  std::vector<std::string> if_there;     // columns whose values are names, where there are such
  std::vector<std::string> ignore;       // columns to leave out
  // This column (empty text: the last one that is kept) holds class names: read as categorical.
  std::optional<std::string> target;
  // Codes that mean missing, in addition to the built-in ones.
  std::vector<std::string> missing;
  // If set, only these columns are kept (others are skipped unparsed). Absent ones are an error of
  // whoever asks for them; if named in `numeric` or `categorical` too, the reader's: Error{data}.
  std::optional<std::vector<std::string>> only;
  std::string source = "<input>";  // name used in messages
  // Called about once a megabyte with the bytes read so far; return false to stop (Error
  // {interrupted}).
  std::function<bool(std::size_t bytes)> progress;
};

// Reads RFC 4180 text: quoted fields, doubled quotes, line ends inside quotes, LF / CRLF / CR, an
// UTF-8 byte order mark, a spreadsheet's "sep=;" line. UTF-16 is refused with a remedy; text that
// is not UTF-8 is taken as Windows-1252, with a warning. The first line holds the names (a line
// break in a name becomes a blank). Blanks around fields, outside of quotes, do not count.
//
// A column is numeric if all its non-missing values are numbers ("1e5", "-.5", "+3"; infinities
// are refused; what is too small for a double is 0), else categorical. A category is the exact text
// of its cells: "1" and "1.0" are two categories. Where the delimiter is ';', numbers may have a
// decimal comma ("3,14"): each column must keep to the mark, comma or point, that its first
// fraction has. Missing: "", ?, NA, N/A, NaN, null in any case, and options.missing: texts that
// equal a code and, in numeric columns, numbers that equal one ("-9.0" for -9). Spaces and tabs
// around a text do not count in deciding whether it is missing or a number.
//
// Every line is a row, one of empty fields too; empty lines are skipped unless there is only one
// column. Nameless empty columns and empty fields beyond the last name are skipped. A file whose
// columns mix numbers and other texts is read twice. Memory beyond the table itself stays bounded
// (by the longest row, at most 64 MiB) whatever the length of the input; only an input that cannot
// be read twice, such as a pipe, is kept as text until the types of all columns are known. Throws
// Error{data} naming source, line and column, Error{usage} for options that name no column or
// contradict each other.
FRR_API Table read_csv(std::istream& input, const CsvOptions& options);
FRR_API Table read_csv_file(const std::string& path, CsvOptions options);  // "-" is standard input

}  // namespace frr
