// Writing JSON that people read: short things on one line, numbers by their shortest spelling,
// the same bytes for the same value.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace frr::internal {

// A list or object goes on one line if that line ends within 110 columns. Those under a key in
// `open` are always spread, one member a line; those under a key in `lines` too, and there each
// member takes one line however long. Whatever holds a spread one is spread itself. Ends with a
// newline. Throws Error{data} for a text that is not UTF-8; numbers must be finite.
std::string write_json(const nlohmann::ordered_json& value,
                       std::initializer_list<std::string_view> open,
                       std::initializer_list<std::string_view> lines);

// Appends to an object a key it does not hold yet, in constant time.
void add_member(nlohmann::ordered_json& object, std::string key, nlohmann::ordered_json value);

}  // namespace frr::internal
