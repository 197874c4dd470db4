#include "base/missing_codes.hpp"

#include <algorithm>

#include "base/number.hpp"

namespace frr::internal {
namespace {

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool means_missing(std::string_view text) {
  if (text.empty() || text == "?") return true;
  if ((text.front() != 'n' && text.front() != 'N') || text.size() > 4) return false;
  return equals_ignoring_case(text, "na") || equals_ignoring_case(text, "n/a") ||
         equals_ignoring_case(text, "nan") || equals_ignoring_case(text, "null");
}

MissingCodes::MissingCodes(const std::vector<std::string>& codes) {
  for (const std::string& code : codes) {
    const std::string_view text = trimmed(code);
    texts_.emplace_back(text);
    const ParsedNumber number = parse_number(text);
    if (number.kind != NumberKind::none) numbers_.push_back(number.value);
  }
}

bool MissingCodes::contains(std::string_view text) const {
  return std::find(texts_.begin(), texts_.end(), text) != texts_.end();
}

bool MissingCodes::contains(double number) const {
  return std::find(numbers_.begin(), numbers_.end(), number) != numbers_.end();
}

}  // namespace frr::internal
