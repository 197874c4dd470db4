// Finds the fields of plain rows fast, in vector code. A plain row has no quotes and no NUL and
// ends with LF or CRLF. RowSplitter splits all other rows, and would give the same fields for plain
// ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace frr::internal {

class CsvIndex {
 public:
  // Bytes scanned at a time; a longer row does not count as plain.
  static constexpr std::size_t window = std::size_t{1} << 16;

  // Finds the plain rows at the beginning of `text`, up to the first row that is not plain. False
  // if there are none. `text` must not change while they are read.
  bool scan(std::string_view text, char delimiter);
  // Steps to the next of these rows; false at the end.
  bool next() {
    if (row_ == rows_) return false;
    begin_ = row_ == 0 ? 0 : ends_[first_ + fields_ - 1] + 1;
    first_ += fields_;
    fields_ = counts_[row_++];
    return true;
  }

  // The current row:
  [[nodiscard]] std::size_t fields() const { return fields_; }
  [[nodiscard]] std::size_t length() const { return ends_[first_ + fields_ - 1] + 1 - begin_; }
  // Without surrounding blanks.
  [[nodiscard]] std::string_view text(std::size_t field) const {
    const char* begin = text_ + (field == 0 ? begin_ : ends_[first_ + field - 1] + 1);
    const char* end = text_ + ends_[first_ + field];
    if (field + 1 == fields_ && end != begin && end[-1] == '\r') --end;
    while (begin != end && is_blank(*begin)) ++begin;
    while (begin != end && is_blank(end[-1])) --end;
    return {begin, static_cast<std::size_t>(end - begin)};
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  bool add_piece(const char* piece, std::size_t offset, char after, char delimiter);

  const char* text_ = nullptr;
  std::vector<std::uint32_t> ends_;                 // where the fields of all rows end, in text_
  std::vector<std::uint32_t> counts_;               // fields of each row
  std::size_t marks_ = 0, rows_ = 0;                // numbers of ends and of rows
  std::size_t counted_ = 0;                         // fields in complete rows
  std::size_t row_ = 0;                             // rows stepped to
  std::size_t first_ = 0, fields_ = 0, begin_ = 0;  // of the current row
};

}  // namespace frr::internal
