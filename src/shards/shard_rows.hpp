// Which rows are in the sample, and how parts of it become a table.
//
// A row is drawn if the hash of its number in the whole is among the smallest. Besides, a few rows
// are in the sample for what they hold, so that it knows of what is rare: of every numeric column
// the row of the smallest and of the largest value, of every column one without a value, and of
// every class two rows. The survey finds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "frr/view.hpp"
#include "shards/shard_messages.hpp"

namespace frr::internal {

// What the survey tells of one column of a shard. `counts`: one mark a row.
SurveyedColumn surveyed(const ColumnView& column, std::span<const char> counts, std::size_t shard);

// Of all shards: one shard has names in it, or the request says so.
bool is_categorical(const SurveyedColumn& column, const ShardRequest& request);

// Numbers in the whole of the rows that are to be in the sample for what they hold, ascending.
// `first`: number of the first row of each shard.
std::vector<std::uint64_t> rows_with_rarities(const ShardAnswer& survey,
                                              const ShardRequest& request,
                                              std::span<const std::uint64_t> first);

// Sets seed and `below` so that `wanted` of `counted` rows are drawn, or very few more: the asker
// then takes the smallest.
void draw_rows(ShardRequest& request, std::uint64_t wanted, std::uint64_t counted,
               std::uint64_t seed);

// The rows of a shard that the request asks for, ascending.
std::vector<std::uint32_t> sampled_rows(const ShardRequest& request, std::span<const char> counts,
                                        std::size_t shard);

Column picked(const ColumnView& column, std::span<const std::uint32_t> rows);
// Numbers as categories, named as they are in a column that mixes both.
Column named_numbers(const ColumnView& column, std::size_t rows);

struct Sample {
  Table table;
  std::vector<std::uint64_t> numbers;  // of its rows in the whole
  std::vector<double> weights;         // of its rows; none where there is no column of weights
};
// The parts together in the order of the rows' numbers; `columns` in their order. At most `wanted`
// rows, unless more are asked for besides those that are drawn.
Sample make_sample(std::vector<SampledRows> parts, const std::vector<SurveyedColumn>& columns,
                   const ShardRequest& request, std::uint64_t wanted, const std::string& source);

}  // namespace frr::internal
