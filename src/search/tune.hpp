// Tunes the borders between labels that the rules read. For each border it tries every pair (start,
// end) of a grid of quantiles between the neighbouring borders, and keeps the one with the largest
// objective (objective.hpp). Labels stay in order, and all rules share them. Only strong
// partitions (labels/partition.hpp) are tuned, so labels that the user has given and the paper's
// quantile labels do not change.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "frr/rulebase.hpp"
#include "search/search.hpp"

namespace frr::internal {

struct TuneInput {
  const Table* table = nullptr;
  std::span<const std::uint32_t> rows;       // training rows of the table, as in `memberships`
  std::vector<bool> fixed;                   // per feature: its borders never move
  std::vector<std::vector<double>> grids{};  // per feature, filled when first needed
};

// The number of quantiles to try for a border, for this number of rows: more rows allow a finer
// grid.
int automatic_grid(std::size_t rows);

// Points between neighbouring distinct values at about `count` quantiles of the column.
std::vector<double> tuning_grid(const Column& column, std::span<const std::uint32_t> rows,
                                int count);

// Changes `partition` and `memberships` (those of `search`) together. Returns whether a border
// moved.
bool tune(Search& search, Partition& partition, Memberships& memberships, TuneInput& input,
          const Settings& settings, int threads, Control& control);

}  // namespace frr::internal
