// Synthetic rows for small tables: rows are generated between neighbours, and a random forest
// trained on the real rows predicts their classes. The rules are then learned from both, so that
// they follow the consensus of many trees rather than accidents of single rows. The forest is
// discarded, and no statistic of the model counts a synthetic row.
//
// A synthetic row starts from a real row and its nearest neighbour. Each value is kept with
// probability 0.2. Otherwise, a category or missing value is replaced by the neighbour's. A
// number is drawn from a normal distribution around the neighbour's, with the distance of the two
// as standard deviation. It is limited to the column's range, and rounded if the column has only
// whole numbers. The row gets its class from the forest and the weight of the real row. All weights
// are then scaled so that their sum is that of the real rows alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "frr/settings.hpp"

namespace frr::internal {

struct Examples {
  std::optional<Table> enlarged;    // feature columns of real and synthetic rows, if any
  std::vector<std::uint32_t> rows;  // of `enlarged`, or else of the table; in random order
  std::vector<int> classes;         // of `rows`
  std::vector<float> weights;       // of `rows`
};

// Examples for training: `rows` as they are if there are settings.augment of them, else with
// synthetic rows. `columns`: the only features of `data` that `enlarged` holds. `weights`: one for
// each of `rows`.
Examples make_examples(const Table& table, const Dataset& data,
                       std::span<const std::size_t> columns, std::span<const std::uint32_t> rows,
                       std::vector<float> weights, const Settings& settings, int threads,
                       Control& control);

}  // namespace frr::internal
