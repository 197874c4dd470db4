// Synthetic rows for small tables: a random forest learns from the real rows and gives the class of
// rows that are generated between neighbours. The rules are then learned from both, so that they
// follow what many trees agree on rather than accidents of single rows. The forest is discarded,
// and no statistic of the model counts a synthetic row.
//
// A synthetic row starts from a real one and its nearest neighbour: each value is, with probability
// 0.8, drawn around the neighbour's (numbers with the distance of the two as standard deviation,
// within the column's range and whole where the column is; categories and missing values are the
// neighbour's). It gets its class from the forest and the weight of the real row that it started
// from; then all weights are scaled so that their sum is that of the real rows alone.
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
