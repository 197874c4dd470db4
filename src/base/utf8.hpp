// UTF-8, the encoding of every text in FRR, and Windows-1252, which spreadsheets still write.
#pragma once

#include <string>
#include <string_view>

namespace frr::internal {

// Well-formed UTF-8 (no overlong forms, no surrogates, at most U+10FFFF).
bool is_utf8(std::string_view text);

// Converts Windows-1252 (a superset of printable Latin-1) to UTF-8. The five bytes that it leaves
// undefined become the control characters of the same number.
std::string windows_1252_to_utf8(std::string_view text);

}  // namespace frr::internal
