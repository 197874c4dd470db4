// The rows of a CSV text that arrives in chunks. Its only buffer is as long as a chunk or the
// longest row, whichever is longer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "csv/csv_index.hpp"
#include "csv/csv_row.hpp"
#include "frr/table.hpp"

namespace frr::internal {

// Writes up to `count` bytes to `into` and returns how many; 0 at the end.
using ByteSource = std::function<std::size_t(char* into, std::size_t count)>;

class CsvInput {
 public:
  static constexpr std::size_t default_chunk = std::size_t{1} << 20;
  static constexpr std::size_t longest_row = std::size_t{1} << 26;
  static constexpr std::size_t slack = 8;

  // Reads the beginning: rejects UTF-16, skips a byte order mark and the "sep=;" line of
  // spreadsheets, and finds the delimiter if the options give none. `options` must outlive it.
  CsvInput(ByteSource source, const CsvOptions& options, std::size_t chunk = default_chunk);

  // Which rows to skip. Empty lines contain only blanks; blank lines only blanks and delimiters.
  enum class Skip { nothing, empty_lines, blank_lines };
  // Steps to the next row; false at the end. Throws Error{data} for text that is not CSV.
  bool next(Skip skip);

  [[nodiscard]] std::size_t fields() const { return plain_ ? index_.fields() : row_.fields.size(); }
  // Valid until the next call of next(). `slack` bytes behind it are readable.
  [[nodiscard]] std::string_view text(std::size_t field) const {
    if (plain_) return index_.text(field);
    const CsvField& at = row_.fields[field];
    return {buffer_.data() + start_ + at.begin, at.end - at.begin};
  }
  [[nodiscard]] std::uint32_t line() const { return line_; }  // on which the row starts, from 1
  [[nodiscard]] char delimiter() const { return delimiter_; }
  // Rows skipped so far, not counting those after the last row.
  [[nodiscard]] std::size_t skipped() const { return skipped_; }

 private:
  [[nodiscard]] std::string_view rest() const {
    return {buffer_.data() + position_, filled_ - position_};
  }
  bool split();
  void step(std::size_t length, std::uint32_t line_ends);
  void refill();
  void fill_to(std::size_t count);
  void skip_mark();
  char separator_line();
  char find_delimiter() const;
  [[nodiscard]] bool skipped_by(Skip skip) const;
  void undouble_quotes();
  [[noreturn]] void fail(RowStatus status) const;

  ByteSource source_;
  const CsvOptions& options_;
  std::size_t chunk_;
  std::vector<char> buffer_;
  std::size_t start_ = 0;     // of the current row in the buffer
  std::size_t position_ = 0;  // of the next row
  std::size_t filled_ = 0;
  bool ended_ = false;  // the source has no more bytes
  std::size_t bytes_ = 0, reported_ = 0;
  std::uint32_t line_ = 1, next_line_ = 1;
  std::size_t skipped_ = 0, pending_ = 0;
  char delimiter_ = ',';
  bool plain_ = false;  // the current row is in index_, not in row_
  CsvIndex index_;
  RowSplitter splitter_{','};
  CsvRow row_;
};

}  // namespace frr::internal
