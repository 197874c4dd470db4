// Amounts of memory as people give them.
#pragma once

#include <cstddef>
#include <string>

namespace frr::cli {

// "1GB", "1.5 GB", "512MiB", "200000000": bytes. KB, MB, GB, TB count thousands, KiB ... 1024s.
// Throws Error{usage}; `option` names what gave it.
std::size_t parse_memory(const std::string& text, const std::string& option);

}  // namespace frr::cli
