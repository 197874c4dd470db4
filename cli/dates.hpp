// Dates as the report shows them: "2026-11-16 16:48".
#pragma once

#include <string>

namespace frr::cli {

// The current time, or the time in SOURCE_DATE_EPOCH in UTC, which makes pages reproducible.
std::string date_of_page();
// When the file was last written; "" if unknown.
std::string date_of_file(const std::string& path);

}  // namespace frr::cli
