// A training problem as the network and the search see it, from a CSV file or made up.
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

// Normal columns x0, x1, ... and the column "class", which follows four of them; a tenth of the
// rows have a class by chance. The same arguments give the same table.
Table generated_table(std::size_t rows, std::size_t columns, std::size_t classes);
// As CSV, numbers with four decimals.
void write_csv(const Table& table, const std::string& path);

struct Problem {
  Table table;
  Settings settings;
  Dataset data;
  std::vector<std::uint32_t> rows;  // with a class; at most as many as were asked for
  std::vector<std::string> notes;
  Partition partition;
  Memberships memberships;
  SparseRows<float> inputs;
  std::vector<int> classes;
  std::vector<float> weights;

  // `most`: rows to keep, 0 for all; only whole multiples of `batch` are kept.
  Problem(Table source, Settings chosen, std::size_t most = 0, std::size_t batch = 1);
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  [[nodiscard]] NetworkShape shape() const;
};

}  // namespace frr::bench
