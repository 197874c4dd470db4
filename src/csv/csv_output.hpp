// Fields of CSV output.
#pragma once

#include <string>
#include <string_view>

namespace frr::internal {

// One field, quoted if it contains a delimiter, a quote or a line end, or begins or ends with a
// space.
std::string csv_field(std::string_view text);

// The same for a spreadsheet, which would compute a text that begins like a formula: with = + - @,
// a tab or a line end. An apostrophe in front prevents that; numbers remain unchanged.
std::string spreadsheet_field(std::string_view text);

}  // namespace frr::internal
