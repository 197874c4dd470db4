#include "rows/memory_plan.hpp"

#include <algorithm>
#include <string>

#include "base/parallel.hpp"
#include "frr/error.hpp"

namespace frr::internal {
namespace {

// Measured: training on 131072 rows takes 67 bytes per cell with 20 columns and 55 with 100. A
// piece is held as text, in blocks and as columns, and partly once more while it is counted.
constexpr std::size_t bytes_of_learning = 72, bytes_of_piece = 32;
constexpr std::size_t bytes_of_program = std::size_t{16} << 20;
constexpr std::size_t least_rows = 1000, most_piece_rows = 65536;

}  // namespace

std::size_t pieces_at_once(int threads) {
  return static_cast<std::size_t>(std::max(1, thread_count(threads) - 1));
}

MemoryPlan plan_memory(std::size_t bytes, std::size_t columns, int search_rows, int threads) {
  const std::size_t row = std::max<std::size_t>(1, columns);
  // An eighth for pieces, the rest for learning.
  const std::size_t pieces = bytes / 8;
  const std::size_t fixed = pieces + bytes_of_program;
  const std::size_t rows = bytes > fixed ? (bytes - fixed) / (row * bytes_of_learning) : 0;
  if (rows < least_rows) {
    const std::size_t needed =
        (least_rows * row * bytes_of_learning + bytes_of_program) / 7 * 8 + (std::size_t{1} << 20);
    fail_usage("this is too little memory to learn from " + std::to_string(columns) +
               " columns; give " + std::to_string(needed / 1000000 + 1) + "MB or more");
  }
  MemoryPlan plan;
  plan.search_rows = static_cast<int>(std::min(rows, static_cast<std::size_t>(search_rows)));
  const std::size_t piece = pieces / (2 * pieces_at_once(threads) * row * bytes_of_piece);
  plan.piece_rows = std::clamp<std::size_t>(piece, 64, most_piece_rows);
  return plan;
}

}  // namespace frr::internal
