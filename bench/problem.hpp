// A training problem in the form that the network and the search use, from a CSV file or synthetic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/dataset.hpp"
#include "frr/frr.hpp"
#include "labels/membership.hpp"
#include "labels/partition.hpp"
#include "network/network.hpp"

namespace frr::bench {
using namespace internal;

// Normally distributed columns x0, x1, ... and the column "class", which depends on four of them; a
// tenth of the rows have a random class. The same arguments give the same table.
Table generated_table(std::size_t rows, std::size_t columns, std::size_t classes);
// Writes CSV with four decimals.
void write_csv(const Table& table, const std::string& path);

struct Problem {
  Table table;
  Settings settings;
  Dataset data;
  std::vector<std::uint32_t> rows;  // with a class; at most the requested number
  std::vector<std::string> notes;
  Partition partition;
  Memberships memberships;
  SparseRows<float> inputs;
  std::vector<int> classes;
  std::vector<float> weights;

  // Keeps at most `most` rows (0: all), rounded down to a multiple of `batch`.
  Problem(Table source, Settings chosen, std::size_t most = 0, std::size_t batch = 1);
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  [[nodiscard]] NetworkShape shape() const;
};

}  // namespace frr::bench
