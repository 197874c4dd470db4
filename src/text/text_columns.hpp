// Text in aligned columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace frr::internal {

// Columns that UTF-8 text occupies on a terminal, one per code point.
std::size_t text_width(std::string_view text);
// Followed by spaces up to `width`.
std::string padded(std::string text, std::size_t width);

struct TextCell {
  std::string text;
  bool right = false;  // aligned to the right
};

// One line per row, without line ends and trailing spaces; three spaces between columns. Hidden
// characters appear as escapes.
std::vector<std::string> align_columns(std::vector<std::vector<TextCell>> rows);

}  // namespace frr::internal
