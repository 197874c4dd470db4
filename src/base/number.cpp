#include "base/number.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <system_error>

namespace frr::internal {
namespace {

// std::from_chars reports the same error above and below the range of a double. The decimal
// exponent of the first nonzero digit decides; `text` is a valid number other than 0.
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

constexpr std::size_t max_digits = 15;
constexpr double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                             1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

// Eight characters in a word, the first in its lowest byte; a digit is stored as its value.
namespace word {

constexpr std::uint64_t ones = 0x0101010101010101, top_bits = 0x8080808080808080;

// The first `count` (1 to 8) characters of `text` at the end of the word, zeros before them.
std::uint64_t load(const char* text, std::size_t count) {
  std::uint64_t word = 0;
  std::memcpy(&word, text, 8);
  return (word ^ ones * '0') << (64 - 8 * count);
}

// The top bit of the first byte that was a point, or 0.
std::uint64_t find_point(std::uint64_t word) {
  const std::uint64_t other = word ^ ones * ('.' ^ '0');
  const std::uint64_t found = ~(((other & ~top_bits) + ~top_bits) | other) & top_bits;
  return found & (~found + 1);
}

// Removes the byte at `point`: the bytes before it move up, and `carry` becomes the first byte.
std::uint64_t remove(std::uint64_t word, std::uint64_t point, std::uint64_t carry) {
  const std::uint64_t before = (point >> 7) - 1;
  return (word & before) << 8 | carry | (word & ~(before << 8 | 0xff));
}

std::size_t bytes_after(std::uint64_t point) {
  return static_cast<std::size_t>(std::countl_zero(point)) / 8;
}

bool all_digits(std::uint64_t word) { return (((word + ones * 0x76) | word) & top_bits) == 0; }

// The number that eight digits spell: pairs, then fours, then all.
std::uint64_t value(std::uint64_t word) {
  const std::uint64_t pairs = word * 10 + (word >> 8);
  constexpr std::uint64_t every_fourth = 0x000000ff000000ff;
  const std::uint64_t first = (pairs & every_fourth) * (100 + (std::uint64_t{1000000} << 32));
  const std::uint64_t second = (pairs >> 16 & every_fourth) * (1 + (std::uint64_t{10000} << 32));
  return (first + second) >> 32;
}

}  // namespace word

}  // namespace

bool parse_padded_number(std::string_view text, double& value) {
  if constexpr (std::endian::native != std::endian::little) return parse_plain_number(text, value);
  const std::size_t sign = !text.empty() && text.front() == '-' ? 1 : 0;
  const char* const begin = text.data() + sign;
  const std::size_t length = text.size() - sign;
  if (length - 1 > max_digits) return false;  // true for length 0, too
  std::uint64_t high = 0, low = 0;            // the last eight digits are in `low`
  std::size_t points = 0, decimals = 0;
  if (length <= 8) {
    low = word::load(begin, length);
  } else {
    high = word::load(begin, length - 8);
    low = word::load(begin + length - 8, 8);
  }
  if (const std::uint64_t point = word::find_point(low); point != 0) {
    low = word::remove(low, point, high >> 56);
    high <<= 8;
    points = 1;
    decimals = word::bytes_after(point);
  } else if (const std::uint64_t early = word::find_point(high); early != 0) {
    high = word::remove(high, early, 0);
    points = 1;
    decimals = 8 + word::bytes_after(early);
  }
  const std::size_t digits = length - points;
  if (!word::all_digits(low) || !word::all_digits(high)) return false;
  if (digits == 0 || digits > max_digits) return false;
  const auto whole = static_cast<double>(word::value(high) * 100000000 + word::value(low));
  const double magnitude = whole / powers[decimals];
  value = sign == 1 ? -magnitude : magnitude;
  return true;
}

// Avoids branches on the position of the point, which no processor can predict.
bool parse_plain_number(std::string_view text, double& value) {
  const std::size_t length = text.size();
  const std::size_t start = length > 0 && text.front() == '-' ? 1 : 0;
  if (length - start > max_digits + 1) return false;
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
  if (others > 0 || points > 1 || count == 0 || count > max_digits) return false;
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

}  // namespace frr::internal
