// Statistics of the data for the report: histograms, and the choice of the rows on the page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "frr/rulebase.hpp"
#include "frr/view.hpp"

namespace frr::internal {

// A numeric column as a slider and a histogram need it. If all values are missing, everything is 0.
struct NumberSummary {
  double low = 0, high = 0, median = 0;
  int decimals = 0;                  // decimal places of nearly all values; at most 6
  double from = 0, to = 0;           // range of the histogram
  std::size_t below = 0, above = 0;  // rows outside
  // [group][bin]; bins of equal width from `from` to `to`.
  std::vector<std::vector<std::size_t>> counts;
};

// `groups`: one per row, < group_count. `borders`: numbers that the histogram must include.
NumberSummary summarise_numbers(const ColumnView& column, std::size_t rows,
                                std::span<const double> borders, std::span<const int> groups,
                                std::size_t group_count);

// The indices of at most `most` rows, ascending (more only if there are more groups). All rows if
// there are at most `most`. Otherwise, a random sample with `at_least` rows of each group if the
// group has them and `most` allows.
std::vector<std::uint32_t> draw_rows(std::span<const int> groups, std::size_t most,
                                     std::size_t at_least, std::uint64_t seed);

}  // namespace frr::internal
