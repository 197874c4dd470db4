// The page without its data, generated at build time from the files in report/.
#pragma once

#include <string_view>

namespace frr::internal {

// HTML with the placeholders {{title}}, {{rules}} and {{data}}.
std::string_view report_template();

}  // namespace frr::internal
