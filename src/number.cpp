#include "number.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "text.hpp"

namespace frr {
namespace {

// std::from_chars reports one and the same error above and below the range of a double. The
// decimal exponent of the first digit that is not 0 tells which: text is a valid number, not 0.
bool overflows(std::string_view text) {
  const std::size_t mark = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, mark);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const auto leading = static_cast<double>(mantissa.find_first_of("123456789"));
  double exponent = 0;
  if (mark != std::string_view::npos) {
    for (const char digit : text.substr(mark + 1)) {
      if (digit >= '0' && digit <= '9') exponent = exponent * 10 + (digit - '0');
    }
    if (text[mark + 1] == '-') exponent = -exponent;
  }
  return static_cast<double>(point) - leading + exponent > 0;
}

bool starts_number(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'i' || c == 'I';
}

}  // namespace

ParsedNumber parse_number(std::string_view text) {
  if (text.empty() || !starts_number(text.front())) return {};
  if (text.front() == '+') {
    text.remove_prefix(1);
    if (text.empty() || text.front() == '-') return {};
  }
  double value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ptr != end) return {};
  if (result.ec == std::errc::result_out_of_range) {
    if (!overflows(text)) return {NumberKind::finite, 0.0};
    const double infinity = std::numeric_limits<double>::infinity();
    return {NumberKind::infinite, text.front() == '-' ? -infinity : infinity};
  }
  if (result.ec != std::errc() || std::isnan(value)) return {};
  return {std::isinf(value) ? NumberKind::infinite : NumberKind::finite, value};
}

ParsedNumber parse_comma_number(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || text.find('.') != std::string_view::npos) return {};
  std::string with_point(text);
  with_point[comma] = '.';
  return parse_number(with_point);
}

std::string number_name(double value) { return shortest(value + 0.0); }

}  // namespace frr
