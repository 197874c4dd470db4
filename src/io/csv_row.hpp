// One row of CSV text, split into fields: a pure function of the bytes, so that a row cut short by
// the end of a buffer is simply split again once more bytes are there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace frr::internal {

// text[begin, end) without the quotes and without blanks outside of them. A row is shorter than
// 4 GiB.
struct CsvField {
  std::uint32_t begin = 0, end = 0;
  bool quoted = false;
  bool doubled = false;  // holds doubled quotes, each of which stands for one
};

enum class RowStatus {
  complete,
  incomplete,        // more bytes are needed to tell
  open_quote,        // the text ends within quotes
  text_after_quote,  // something else than a delimiter follows a closing quote
  nul,               // a NUL byte: no CSV text
};

struct CsvRow {
  RowStatus status = RowStatus::complete;
  std::vector<CsvField> fields;  // an empty line has one empty field
  std::size_t length = 0;        // bytes of the row, its line end included
  std::uint32_t line_ends = 0;   // line ends among them, those within quotes included
  std::uint32_t fault_line = 0;  // line ends before the fault (an open quote: before the quote)
};

class RowSplitter {
 public:
  explicit RowSplitter(char delimiter);

  // Splits the first row of `text`, which is not empty. `last`: no more bytes will follow it.
  // `row` is overwritten; its memory is used again.
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
