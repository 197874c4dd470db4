// Runs independent tasks on several threads. Which thread runs a task is left open; so a result
// that must not depend on the number of threads is written by each task to its own place and
// combined afterwards in the order of the tasks.
#pragma once

#include <cstddef>
#include <functional>

namespace frr::internal {

// The number of threads to use: `requested` if positive, else one a core (at least 1).
int thread_count(int requested);

// Calls body(0) ... body(tasks - 1), each once, on at most thread_count(threads) threads, of which
// the caller is one. With one thread the tasks run in order on the caller. Tasks are handed out in
// ascending order as threads become free. After a task has thrown no further ones are started, and
// when the running ones have ended the exception of the smallest task index is thrown here: the
// same one with any number of threads. Nothing is shared between calls, so they may nest. All
// threads compute in the caller's mode (float_mode.hpp).
void parallel_for(int threads, std::size_t tasks,
                  const std::function<void(std::size_t task)>& body);

// Rows that one thread works on at a time: enough to pay for handing them out, few enough to share
// small tables evenly.
inline constexpr std::size_t block_rows = 1024;

// Calls body(from, to) for the ranges of `block` numbers that make up 0 ... count - 1, the last one
// being shorter.
void parallel_blocks(int threads, std::size_t count, std::size_t block,
                     const std::function<void(std::size_t from, std::size_t to)>& body);

}  // namespace frr::internal
