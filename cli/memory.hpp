// Amounts of memory as users write them.
#pragma once

#include <cstddef>
#include <string>

namespace frr::cli {

// Parses "1GB", "1.5 GB", "512MiB" or "200000000" to a number of bytes. KB, MB, GB and TB are
// powers of 1000; KiB, MiB, GiB and TiB are powers of 1024. Throws Error{usage} that names
// `option`.
std::size_t parse_memory(const std::string& text, const std::string& option);

}  // namespace frr::cli
