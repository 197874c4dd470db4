// Finds the fields of plain rows many at a time, in vector code. A plain row has no quote and no
// NUL, and ends with LF or CRLF: all others are left to RowSplitter, which gives the same fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace frr::internal {

class CsvIndex {
 public:
  // Looks at this many bytes at a time; a longer row counts as not plain.
  static constexpr std::size_t window = std::size_t{1} << 16;

  // Finds the plain rows at the beginning of `text`, up to the first that is not. False if there is
  // none. `text` must stay as it is while they are read.
  bool scan(std::string_view text, char delimiter);
  // Steps to the first, the second, ... of them; false at the end.
  bool next() {
    if (row_ == rows_) return false;
    begin_ = row_ == 0 ? 0 : ends_[first_ + fields_ - 1] + 1;
    first_ += fields_;
    fields_ = counts_[row_++];
    return true;
  }

  // Of the present row:
  [[nodiscard]] std::size_t fields() const { return fields_; }
  [[nodiscard]] std::size_t length() const { return ends_[first_ + fields_ - 1] + 1 - begin_; }
  // Without blanks around it.
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
  std::size_t marks_ = 0, rows_ = 0;                // how many of them there are
  std::size_t counted_ = 0;                         // fields in complete rows
  std::size_t row_ = 0;                             // rows stepped to
  std::size_t first_ = 0, fields_ = 0, begin_ = 0;  // of the present row
};

}  // namespace frr::internal
