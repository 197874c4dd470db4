// What a report counts on the data: decisions, histograms, and which rows the page holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "frr/rulebase.hpp"
#include "frr/view.hpp"

namespace frr::internal {

// A numeric column as a slider and a histogram need it. All values missing: everything is 0.
struct NumberSummary {
  double low = 0, high = 0, median = 0;
  int decimals = 0;                  // after the point, of nearly all values; at most 6
  double from = 0, to = 0;           // of the histogram: what is outside counts to its ends
  std::size_t below = 0, above = 0;  // rows outside
  // [group][bin]; bins of equal width from `from` to `to`.
  std::vector<std::vector<std::size_t>> counts;
};

// `groups`: one a row, < group_count. `borders`: what the histogram has to show in any case.
NumberSummary summarise_numbers(const ColumnView& column, std::size_t rows,
                                std::span<const double> borders, std::span<const int> groups,
                                std::size_t group_count);

// Row indices, ascending, at most `most` unless there are more groups than that. All rows if they
// are no more. Else rows at random, but of each group `at_least` where it has them and `most`
// allows.
std::vector<std::uint32_t> draw_rows(std::span<const int> groups, std::size_t most,
                                     std::size_t at_least, std::uint64_t seed);

}  // namespace frr::internal
