// Numbers as people write them in tables.
#pragma once

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

namespace frr::internal {

enum class NumberKind {
  none,      // not a number
  finite,    // a number; one too small for a double counts as 0
  infinite,  // "inf", "-infinity", or a number too large for a double, such as "1e999"
};

struct ParsedNumber {
  NumberKind kind = NumberKind::none;
  double value = 0;
};

// Parses all of `text`: "3", "+3", "-.5", "5.", "1e-3". No blanks, no NaN, no hexadecimal;
// independent of the locale.
ParsedNumber parse_number(std::string_view text);

// A fast path for the common case: an optional minus, at most 15 digits and at most one point.
// Digits and power of ten are exact doubles, so their quotient is rounded once, to the number that
// parse_number gives. Returns false and leaves `value` untouched for any other text.
bool parse_plain_number(std::string_view text, double& value);
// The same, but faster; 8 bytes behind `text` must be readable.
bool parse_padded_number(std::string_view text, double& value);

// parse_number for a decimal comma ("3,14"). A text with a point or without a comma is not a number
// here.
ParsedNumber parse_comma_number(std::string_view text);

// For people to read and edit: the fewest digits that read back as the same double, without an
// exponent for common magnitudes ("100000", not "1e+05").
inline std::string plain_number(double value) {
  // 0 and -0 are equal; the sign would only puzzle.
  if (value == 0) return "0";
  const double size = std::fabs(value);
  char buffer[64];
  char* const end = buffer + sizeof buffer;
  const auto result = size >= 1e-5 && size < 1e16
                          ? std::to_chars(buffer, end, value, std::chars_format::fixed)
                          : std::to_chars(buffer, end, value);
  return {buffer, result.ptr};
}

// The category name of a number in a column of texts: plain_number(value).
std::string number_name(double value);

}  // namespace frr::internal
