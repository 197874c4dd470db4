// Moves the borders between labels that the rules use. For each such border every pair (start, end)
// of a grid of quantiles between its neighbours is tried; the one with the largest objective
// (search.hpp) is kept. Labels stay in order and shared by all rules. Only strong partitions are
// tuned: a user's own labels and the paper's quantile labels stay as they are.
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
  std::vector<bool> fixed;                   // per feature: never moved
  std::vector<std::vector<double>> grids{};  // per feature, made when first needed
};

// Quantiles to try a border at, of so many rows: the more rows, the finer its place can be told.
int automatic_grid(std::size_t rows);

// Changes `partition` and `memberships` (those behind `search`) together. Returns whether a border
// moved.
bool tune(Search& search, Partition& partition, Memberships& memberships, TuneInput& input,
          const Settings& settings, int threads, Control& control);

}  // namespace frr::internal
