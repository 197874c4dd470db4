// The second request to all rows: those to learn from, and the table that they form.
//
// A row is drawn if the hash of its number among all rows is one of the smallest. The sample also
// contains extreme and rare values: the rows with the smallest and the largest value of each
// numeric column, one row in which each column is missing, and two rows of each class. The survey
// finds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "frr/view.hpp"
#include "rows/survey.hpp"

namespace frr::internal {

struct SampleRequest {
  std::vector<std::uint64_t> first;  // number of the first row of each shard
  std::uint64_t seed = 0;
  std::uint64_t below = 0;           // usable rows whose number has a hash up to this are drawn
  std::vector<std::uint64_t> extra;  // numbers of further rows, ascending
  bool everything = false;           // all rows, usable or not
};

// Rows with their numbers among all rows. A column may be numeric in one part and categorical in
// another.
struct SampledRows {
  std::vector<std::uint64_t> numbers;
  std::vector<Column> columns;
};

// The sampled rows of one shard.
SampledRows sample_rows(const TableView& view, const ColumnRoles& roles,
                        const SampleRequest& request, std::size_t shard);

// Numbers of the rows that are in the sample for their extreme or rare values, ascending. `first`:
// number of the first row of each shard.
std::vector<std::uint64_t> rows_with_rarities(const Survey& survey, const ColumnRoles& roles,
                                              std::span<const std::uint64_t> first);

// Sets `seed` and `below` so that `wanted` of `usable` rows are drawn, or slightly more;
// make_sample keeps those with the smallest hashes.
void draw_rows(SampleRequest& request, std::uint64_t wanted, std::uint64_t usable,
               std::uint64_t seed);

// The rows of a shard that the request asks for, ascending. `usable`: one mark per row.
std::vector<std::uint32_t> requested_rows(const SampleRequest& request,
                                          std::span<const char> usable, std::size_t shard);

// These rows of a column.
Column pick_rows(const ColumnView& column, std::span<const std::uint32_t> rows);

struct Sample {
  Table table;
  std::vector<std::uint64_t> numbers;  // of its rows among all rows
  std::vector<double> weights;         // of its rows; none if there is no column of weights
};
// Puts the parts together in the order of the rows' numbers; the columns are in the order of
// `columns`. At most `wanted` rows, unless the extra rows alone are more.
Sample make_sample(std::vector<SampledRows> parts, const std::vector<SurveyedColumn>& columns,
                   const ColumnRoles& roles, const SampleRequest& request, std::uint64_t wanted,
                   const std::string& source);

}  // namespace frr::internal
