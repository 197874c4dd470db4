// The page without its data, made at build time from the files in report/.
#pragma once

#include <string_view>

namespace frr::internal {

// HTML with the marks {{title}}, {{rules}} and {{data}}.
std::string_view report_template();

}  // namespace frr::internal
