// Plans the memory of training on more rows than memory holds: for frr train --memory and for
// frr.files in Python.
#pragma once

#include <cstddef>
#include <cstdint>

namespace frr::internal {

// Bytes that reading a source and training on it take.
struct MemoryCosts {
  std::size_t columns = 0;     // to learn from, and the target
  double fixed = 0;            // for any data
  double reader = 0;           // of each reader
  double shard_row = 0;        // of a row of a shard
  std::size_t whole_rows = 0;  // rows that can only be decoded together
  double sample_row = 0;       // of a row of the sample
  double unusable_row = 0;     // of an unusable row that is read with the sample
  std::size_t least_rows = 1;  // of a shard; a power of 2
};

// Of a CSV file that the program reads.
MemoryCosts csv_costs(std::size_t columns);
// Of files that pyarrow reads: a decoded row takes `shard_row` bytes, a reader keeps `stream`.
// `resident`: bytes that the process has in memory already.
MemoryCosts arrow_costs(std::size_t columns, double shard_row, double stream,
                        std::size_t whole_rows, double resident);

struct MemoryPlan {
  std::size_t shard_rows = 0;  // at most
  int readers = 1;             // shards in memory at once
  int search_rows = 0;         // rows of the sample
};
// The plan for training on `rows` rows: the wanted sample of `search_rows` rows if there is room,
// with the most readers and the largest shards of up to 65536 rows that fit, else a smaller sample.
// Throws Error{usage} if nothing fits; the message says how much memory is enough.
MemoryPlan plan_memory(double memory, const MemoryCosts& costs, std::uint64_t rows, int search_rows,
                       int readers);

// Rows to predict at once, with `result_row` bytes of result per row. Throws as plan_memory.
std::size_t plan_prediction(double memory, const MemoryCosts& costs, double result_row);

}  // namespace frr::internal
