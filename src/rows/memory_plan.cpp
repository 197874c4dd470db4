#include "rows/memory_plan.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "frr/error.hpp"

namespace frr::internal {
namespace {

constexpr int least_sample = 1000;
constexpr std::size_t most_shard_rows = 65536, slow_shard_rows = 8192;

// "500MB": at least `bytes`.
std::string size_text(double bytes) {
  const bool small = bytes < 1e10;
  return std::to_string(static_cast<long long>(std::ceil(bytes / (small ? 1e6 : 1e9)))) +
         (small ? "MB" : "GB");
}

[[noreturn]] void fail_memory(double memory, const std::string& to_do, double needed) {
  fail_usage(size_text(memory) + " is too little memory to " + to_do + "; give " +
             size_text(1.02 * needed) + " or more");
}

// From the largest down.
std::vector<std::size_t> shard_sizes(const MemoryCosts& costs) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = most_shard_rows; size >= costs.least_rows; size /= 2) {
    sizes.push_back(size);
  }
  return sizes;
}

double reading(const MemoryCosts& costs, std::size_t shard_rows, int readers) {
  // As many rows again wait in the batches that a shard is cut from.
  const std::size_t rows = std::max(2 * shard_rows, shard_rows + costs.whole_rows);
  return readers * (static_cast<double>(rows) * costs.shard_row + costs.reader);
}

double learning(const MemoryCosts& costs, double rows, double search_rows) {
  const double sample = std::min(rows, search_rows);
  // Up to four times as many rows: the unusable ones come along with the sample.
  const double unusable = rows <= 4 * sample ? rows - sample : 0;
  return costs.sample_row * sample + costs.unusable_row * unusable;
}

// The largest sample that fits in `room`; 0 if there is none.
int largest_sample(double room, const MemoryCosts& costs, double rows, int most) {
  int low = 0, high = most;
  while (low < high) {
    const int middle = low + (high - low + 1) / 2;
    if (learning(costs, rows, middle) <= room) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

using Choice = std::pair<std::size_t, int>;  // rows of a shard, readers

// The best ones first. Very small shards are slow.
std::vector<Choice> choices_of(const MemoryCosts& costs, int most_readers) {
  std::vector<Choice> choices;
  for (int readers = most_readers; readers > 0; --readers) {
    for (const std::size_t size : shard_sizes(costs)) choices.emplace_back(size, readers);
  }
  std::stable_partition(choices.begin(), choices.end(),
                        [](const Choice& choice) { return choice.first >= slow_shard_rows; });
  return choices;
}

}  // namespace

MemoryCosts csv_costs(std::size_t columns) {
  // Measured: training on 131072 rows takes 67 bytes per cell with 20 columns and 55 with 100. A
  // piece is held as text, in blocks and as columns, and partly once more while it is counted.
  const auto cells = static_cast<double>(std::max<std::size_t>(1, columns));
  return {.columns = columns,
          .fixed = 16 << 20,
          .shard_row = 32 * cells,
          .sample_row = 72 * cells,
          .least_rows = 64};
}

MemoryCosts arrow_costs(std::size_t columns, double shard_row, double stream,
                        std::size_t whole_rows, double resident) {
  // The interpreter and the libraries once they are loaded. What is more belongs to the caller.
  constexpr double interpreter = 220e6;
  // Stacks, message buffers, memory that allocators keep: per process and per reader.
  constexpr double working = 24e6, worker = 8e6;
  // Measured: training takes 890 bytes per row of the sample with 11 columns, 1340 with 20 and 5500
  // with 100.
  const auto cells = static_cast<double>(columns);
  return {.columns = columns,
          .fixed = std::min(resident, interpreter) + working,
          .reader = stream + worker,
          .shard_row = shard_row,
          .whole_rows = whole_rows,
          .sample_row = 56 * cells + 480,
          .unusable_row = 4 * 8 * cells,
          .least_rows = 1024};
}

MemoryPlan plan_memory(double memory, const MemoryCosts& costs, std::uint64_t rows, int search_rows,
                       int readers) {
  const double room = memory - costs.fixed;
  const auto all = static_cast<double>(rows);
  const double wanted = learning(costs, all, search_rows);
  const std::vector<Choice> choices = choices_of(costs, readers);
  for (const auto& [size, at_once] : choices) {
    if (reading(costs, size, at_once) + wanted <= room) return {size, at_once, search_rows};
  }
  // A smaller sample: reading may take a quarter of the room, or half of it for shards that are not
  // slow.
  const double least = reading(costs, costs.least_rows, 1);
  const double share = std::max(room / 4, std::min(room / 2, reading(costs, slow_shard_rows, 1)));
  for (const auto& [size, at_once] : choices) {
    const double taken = reading(costs, size, at_once);
    if (taken > share && taken > least) continue;
    const int sample = largest_sample(room - taken, costs, all, search_rows);
    if (sample >= least_sample) return {size, at_once, sample};
  }
  fail_memory(memory, "learn from " + std::to_string(costs.columns) + " columns",
              costs.fixed + least + learning(costs, all, least_sample));
}

std::size_t plan_prediction(double memory, const MemoryCosts& costs, double result_row) {
  double needed = 0;
  for (const std::size_t size : shard_sizes(costs)) {
    // One shard is read ahead.
    needed = costs.fixed + 2 * reading(costs, size, 1) + 3 * static_cast<double>(size) * result_row;
    if (needed <= memory) return size;
  }
  fail_memory(memory, "read these files", needed);
}

}  // namespace frr::internal
