// Splits one row of CSV text into fields. Splitting is a pure function of the bytes: a row that the
// end of a buffer cuts off is split again once more bytes have been read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace frr::internal {

// The field is text[begin, end), without quotes and blanks around them. A row is shorter than 4
// GiB.
struct CsvField {
  std::uint32_t begin = 0, end = 0;
  bool quoted = false;
  bool doubled = false;  // contains doubled quotes; each pair means one quote
};

enum class RowStatus {
  complete,
  incomplete,        // more bytes are needed
  open_quote,        // the text ends within quotes
  text_after_quote,  // something other than a delimiter follows a closing quote
  nul,               // a NUL byte: not CSV text
};

struct CsvRow {
  RowStatus status = RowStatus::complete;
  std::vector<CsvField> fields;  // an empty line has one empty field
  std::size_t length = 0;        // bytes of the row, including its line end
  std::uint32_t line_ends = 0;   // number of line ends, including those within quotes
  std::uint32_t fault_line = 0;  // line ends before the fault (or before an open quote)
};

class RowSplitter {
 public:
  explicit RowSplitter(char delimiter);

  // Splits the first row of `text`, which is not empty. `last`: no more bytes will follow.
  // Overwrites `row` and reuses its memory.
  void split(std::string_view text, bool last, CsvRow& row) const;

 private:
  struct Cursor;
  bool quoted_field(Cursor& at, CsvRow& row) const;
  void plain_field(Cursor& at, CsvRow& row) const;
  bool end_row(Cursor& at, CsvRow& row) const;

  char delimiter_;
  std::array<bool, 256> special_{};  // bytes that end an unquoted field
};

}  // namespace frr::internal
