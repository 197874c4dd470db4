#include "text/text_columns.hpp"

#include <algorithm>

#include "base/visible_text.hpp"

namespace frr::internal {

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t used = text_width(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

std::vector<std::string> align_columns(std::vector<std::vector<TextCell>> rows) {
  std::vector<std::size_t> widths;
  for (std::vector<TextCell>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t k = 0; k < row.size(); ++k) {
      row[k].text = visible_text(row[k].text);
      widths[k] = std::max(widths[k], text_width(row[k].text));
    }
  }
  std::vector<std::string> lines;
  for (const std::vector<TextCell>& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::string gap(widths[k] - text_width(row[k].text), ' ');
      line += (k == 0 ? "" : "   ") + (row[k].right ? gap + row[k].text : row[k].text + gap);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace frr::internal
