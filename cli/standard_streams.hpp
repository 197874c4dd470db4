// Protection against standard streams that the caller has closed.
#pragma once

namespace frr::cli {

// Occupies those of the descriptors 0 to 2 that are closed. Otherwise a file opened later could get
// one of them, and messages would be written into it. Afterwards, reading a closed standard input
// and writing to a closed standard output fail; messages to a closed standard error are dropped.
// Returns false if the system provides no descriptors. Call it before any file is opened.
bool reserve_standard_streams();

}  // namespace frr::cli
