// How training on more rows than memory holds divides the memory that it is given.
#pragma once

#include <cstddef>

namespace frr::internal {

// What fits in `bytes` of memory: the rows of one piece of a file, and the rows to learn from (at
// most settings.search_rows). Throws Error{usage} if this is too little to learn from; the message
// says how much is enough.
struct MemoryPlan {
  std::size_t piece_rows = 0;
  int search_rows = 0;
};
MemoryPlan plan_memory(std::size_t bytes, std::size_t columns, int search_rows, int threads);

// Pieces that are in memory at once: while one is read, the others are counted.
std::size_t pieces_at_once(int threads);

}  // namespace frr::internal
