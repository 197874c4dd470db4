#include "number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <system_error>

#include "plain_number.hpp"

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

// Hardly a branch depends on where the point stands, which no processor can predict.
bool parse_plain_number(std::string_view text, double& value) {
  constexpr std::size_t most_digits = 15;
  static constexpr double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const std::size_t length = text.size();
  const std::size_t start = length > 0 && text.front() == '-' ? 1 : 0;
  if (length - start > most_digits + 1) return false;
  std::uint64_t digits = 0;
  std::size_t points = 0, others = 0, point = length - 1;
  for (std::size_t i = start; i < length; ++i) {
    const unsigned digit = static_cast<unsigned char>(text[i] - '0');
    const bool is_point = text[i] == '.';
    digits = is_point ? digits : digits * 10 + digit;
    point = is_point ? i : point;
    points += is_point ? 1 : 0;
    others += !is_point && digit > 9 ? 1 : 0;
  }
  const std::size_t count = length - start - points;
  if (others > 0 || points > 1 || count == 0 || count > most_digits) return false;
  const double magnitude = static_cast<double>(digits) / powers[length - 1 - point];
  value = start == 1 ? -magnitude : magnitude;
  return true;
}

ParsedNumber parse_number(std::string_view text) {
  if (text.empty() || !starts_number(text.front())) return {};
  if (text.front() == '+') {
    text.remove_prefix(1);
    if (text.empty() || text.front() == '-') return {};
  }
  double value = 0;
  if (parse_plain_number(text, value)) return {NumberKind::finite, value};
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

std::string number_name(double value) { return plain_number(value); }

}  // namespace frr
