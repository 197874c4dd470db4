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
  infinite,  // "inf", "-infinity", or too large for a double, such as "1e999"
};

struct ParsedNumber {
  NumberKind kind = NumberKind::none;
  double value = 0;
};

// Reads all of `text`: "3", "+3", "-.5", "5.", "1e-3". No blanks, no NaN, no hexadecimal; the same
// in every locale.
ParsedNumber parse_number(std::string_view text);

// The common case of it, faster: digits with at most one point and a minus, 15 digits at most. They
// and the power of ten are exact as doubles, so that their quotient is rounded once, to the same
// number that parse_number gives. False, and `value` untouched, for any other text.
bool parse_plain_number(std::string_view text, double& value);
// The same, and faster still, where 8 bytes behind `text` can be read.
bool parse_padded_number(std::string_view text, double& value);

// The same as parse_number with one decimal comma ("3,14"); a text with a point or without a comma
// is no such number.
ParsedNumber parse_comma_number(std::string_view text);

// For people to read and edit: the fewest digits that read back as the same double, without an
// exponent in the everyday range ("100000", not "1e+05").
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

// The name of a number where it stands among texts: plain_number(value).
std::string number_name(double value);

}  // namespace frr::internal
