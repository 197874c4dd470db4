// Numbers as people write them in tables.
#pragma once

#include <string>
#include <string_view>

namespace frr {

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

// The same with one decimal comma ("3,14"); a text with a point or without a comma is no such
// number.
ParsedNumber parse_comma_number(std::string_view text);

// The name of a number where it stands among texts: shortest(value), and "0" for -0.
std::string number_name(double value);

}  // namespace frr
