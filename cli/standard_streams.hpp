// Standard input, output and error, which the caller may have closed.
#pragma once

namespace frr::cli {

// Occupies the descriptors 0 to 2 that are closed, so that no file opened later gets one of them
// and with it what is meant for a terminal. Reading a closed standard input and writing to a closed
// standard output then fail; what is written to a closed standard error is dropped. False if the
// system gives no descriptors. Called before anything is opened.
bool reserve_standard_streams();

}  // namespace frr::cli
