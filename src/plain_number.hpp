// Numbers for people to read and edit: the fewest digits that read back as the same double, without
// an exponent in the everyday range ("100000", not "1e+05").
#pragma once

#include <charconv>
#include <cmath>
#include <string>

namespace frr {

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

}  // namespace frr
