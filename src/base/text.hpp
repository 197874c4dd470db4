// Text for messages and pages: numbers, suggestions, lists, markup.
#pragma once

#include <charconv>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace frr::internal {

// The shortest spelling that reads back to the same number: "0.1", "15", "1e+22".
template <typename Number>
std::string shortest(Number value) {
  static_assert(std::is_arithmetic_v<Number>);
  char buffer[64];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, result.ptr};
}

// A number x with low < x <= high and as few decimal digits as possible, for borders that people
// read. Requires low < high; returns `high` if the two are adjacent doubles.
double short_between(double low, double high);

// "; did you mean 'glucose'?" for the nearest of `known` by edit distance; if none is near, a list
// of `known` if it is short, else "".
std::string did_you_mean(std::string_view name, std::span<const std::string> known);

// The items of "a,b". An item that contains a comma must be quoted: "\"a,b\",c". Empty items are
// skipped.
std::vector<std::string> split_list(std::string_view list);

// `text` with &, <, > and " as entities: for elements and quoted attributes of HTML and XML.
std::string escape_markup(std::string_view text);

}  // namespace frr::internal
