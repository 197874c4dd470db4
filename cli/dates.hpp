// Dates as the report shows them: "2026-11-16 16:48".
#pragma once

#include <string>

namespace frr::cli {

// Now, or what SOURCE_DATE_EPOCH says, in UTC: then the same input gives the same page.
std::string date_of_page();
// When the file was last written; "" if that cannot be known.
std::string date_of_file(const std::string& path);

}  // namespace frr::cli
