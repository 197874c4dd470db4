// Runs independent tasks on several threads. Which thread runs a task is unspecified: for a result
// that does not depend on the number of threads, let each task write to a separate place, and
// combine the parts in the order of the tasks.
#pragma once

#include <cstddef>
#include <functional>

namespace frr::internal {

// The number of threads to use: `requested` if positive, else the number of cores (at least 1).
int thread_count(int requested);

// Calls body(0) ... body(tasks - 1), each once, on at most thread_count(threads) threads, including
// the caller. With one thread, the tasks run in order on the caller. Threads take tasks in
// ascending order. Once a task has thrown, no further task starts; after the running ones have
// ended, the exception of the smallest task index is rethrown: the same one with any number of
// threads. Calls share nothing and may be nested. All threads compute in the caller's mode
// (float_mode.hpp).
void parallel_for(int threads, std::size_t tasks,
                  const std::function<void(std::size_t task)>& body);

// Rows per task: enough to outweigh the cost of a task, few enough to divide small tables evenly.
inline constexpr std::size_t block_rows = 1024;

// Calls body(from, to) for consecutive ranges of `block` numbers that cover 0 ... count - 1; the
// last one may be shorter.
void parallel_blocks(int threads, std::size_t count, std::size_t block,
                     const std::function<void(std::size_t from, std::size_t to)>& body);

}  // namespace frr::internal
