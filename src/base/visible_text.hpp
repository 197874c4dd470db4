// Text from anywhere, made safe for people to read.
//
// Hidden characters are those that a reader cannot see but that change what is seen: the controls
// C0 (with tab and line end), DEL and C1, which command terminals; the marks U+061C, U+200E,
// U+200F, U+202A to U+202E and U+2066 to U+2069, which change the direction of reading; and
// U+2028 and U+2029, which end lines. Bytes that are not UTF-8 count as hidden, too.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace frr::internal {

bool is_hidden(std::uint32_t code_point);
bool has_hidden(std::string_view text);

// `text` with replacement(code point) instead of each hidden character. A byte b that is not part
// of UTF-8 has the code point 0xDC00 + b, which no character has.
std::string replace_hidden(std::string_view text,
                           const std::function<std::string(std::uint32_t)>& replacement);

// Hidden characters as \n, \r, \t, \x1b or \u202e, bytes that are not UTF-8 as \xff. All else,
// backslashes as well, stays as it is.
std::string visible_text(std::string_view text);
// The same for several lines: line ends and tabs stay.
std::string visible_lines(std::string_view text);

// JSON text in which no character is hidden but the line ends between its values, with \u202e and
// the like in its strings: another spelling of the same values. `json` is well-formed.
std::string visible_json(std::string_view json);

}  // namespace frr::internal
