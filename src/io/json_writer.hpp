// Writes JSON that people read: short lists and objects on one line, numbers in their shortest
// spelling, the same bytes for the same value.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace frr::internal {

// Writes a list or object on one line if that line ends within 110 columns. Values of keys in
// `open` or `lines` are always spread, one member per line; in `lines` each member stays on one
// line, however long. Whatever contains a spread value is spread, too. Ends with a newline. Throws
// Error{data} for a text that is not UTF-8; numbers must be finite.
std::string write_json(const nlohmann::ordered_json& value,
                       std::initializer_list<std::string_view> open,
                       std::initializer_list<std::string_view> lines);

// Appends a new key to an object in constant time; the key must not exist.
void add_member(nlohmann::ordered_json& object, std::string key, nlohmann::ordered_json value);

}  // namespace frr::internal
