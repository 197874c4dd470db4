// Which rows are in the sample, and how parts of it become a table.
//
// A row is in the sample if the hash of its number is small. Besides, a few rows are in it for what
// they hold, so that the sample knows of what is rare: of every numeric column the row of the
// smallest and of the largest value and one with a missing value, of every class two rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "frr/view.hpp"
#include "shard_messages.hpp"

namespace frr {

inline constexpr std::uint64_t every_row = std::numeric_limits<std::uint64_t>::max();

// Of the rows that count (one mark a row), in ascending order. `first`: number of row 0.
std::vector<std::uint32_t> sampled_rows(const TableView& view, std::span<const char> counts,
                                        const ShardRequest& request, std::uint64_t first);

Column picked(const ColumnView& column, std::span<const std::uint32_t> rows);
// Numbers as categories, named as they are in a column that mixes both.
Column named_numbers(const ColumnView& column, std::size_t rows);
// Throws Error{data} for an infinite number.
void check_finite(const ColumnView& column, std::size_t rows, std::size_t shard);

struct Sample {
  Table table;
  std::vector<std::uint64_t> numbers;  // of its rows in the whole
  std::vector<double> weights;         // of its rows; none where there is no column of weights
};
// The parts together, in the order of the rows' numbers. Of rows that are there for what they hold,
// those that are not the first of the whole are left out again.
Sample make_sample(std::vector<SampledRows> parts, const ShardRequest& request,
                   const std::string& source);

}  // namespace frr
