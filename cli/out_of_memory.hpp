// Out of memory: one message and one exit status, wherever it happens.
#pragma once

namespace frr::cli {

inline constexpr int out_of_memory_status = 4;

// Makes std::terminate exit with out_of_memory_status if an allocation has failed: an exception
// that leaves a destructor or cannot be allocated is then not a bug. Call it before anything
// allocates.
void catch_out_of_memory();

// Writes the message to stderr without allocating. Returns out_of_memory_status.
int report_out_of_memory() noexcept;

}  // namespace frr::cli
