// Untrusted text made safe to show.
//
// Hidden characters cannot be seen but change what is seen: the controls C0 (including tab and line
// end), DEL and C1, which command terminals; the directional marks U+061C, U+200E, U+200F, U+202A
// to U+202E and U+2066 to U+2069; and the line separators U+2028 and U+2029. Bytes that are not
// UTF-8 count as hidden, too.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace frr::internal {

bool is_hidden(std::uint32_t code_point);
bool has_hidden(std::string_view text);

// Replaces each hidden character by replacement(code point). A byte b that is not UTF-8 has the
// code point 0xDC00 + b, which no character has.
std::string replace_hidden(std::string_view text,
                           const std::function<std::string(std::uint32_t)>& replacement);

// Writes hidden characters as \n, \r, \t, \x1b or \u202e and bytes that are not UTF-8 as \xff.
// Everything else, backslashes included, is unchanged.
std::string visible_text(std::string_view text);
// The same for several lines: keeps line ends and tabs.
std::string visible_lines(std::string_view text);

// Writes hidden characters in the strings of well-formed JSON as \u202e and the like, and keeps
// line ends between values: another spelling of the same values.
std::string visible_json(std::string_view json);

}  // namespace frr::internal
