#include "rows/sample.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "frr/error.hpp"

namespace frr::internal {
namespace {

constexpr std::uint64_t every_row = std::numeric_limits<std::uint64_t>::max();

std::uint64_t hash_of(std::uint64_t number, std::uint64_t seed) {
  std::uint64_t z = number * 0x9e3779b97f4a7c15ULL + seed;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

Column join_numbers(const std::vector<Column>& parts) {
  Column all;
  for (const Column& part : parts) {
    if (part.type == ColumnType::numeric) {
      all.values.insert(all.values.end(), part.values.begin(), part.values.end());
    } else {  // a part without any value
      all.values.resize(all.values.size() + part.codes.size(),
                        std::numeric_limits<double>::quiet_NaN());
    }
  }
  return all;
}

Column join_categories(std::vector<Column> parts) {
  Column all;
  all.type = ColumnType::categorical;
  std::unordered_map<std::string, std::int32_t> code_of;
  for (Column& part : parts) {
    if (part.type == ColumnType::numeric) {
      part = named_numbers(ColumnView(part), part.values.size());
    }
    for (const std::int32_t code : part.codes) {
      if (code == Column::missing_code) {
        all.codes.push_back(code);
        continue;
      }
      const std::string& text = part.categories[static_cast<std::size_t>(code)];
      const auto [entry, is_new] =
          code_of.emplace(text, static_cast<std::int32_t>(all.categories.size()));
      if (is_new) all.categories.push_back(text);
      all.codes.push_back(entry->second);
    }
  }
  return all;
}

// Sorts the columns of a part into the order of `columns`.
void put_in_order(SampledRows& part, const std::vector<SurveyedColumn>& columns) {
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < part.columns.size(); ++i) place.emplace(part.columns[i].name, i);
  std::vector<Column> ordered;
  for (const SurveyedColumn& column : columns) {
    const auto found = place.find(column.name);
    if (found == place.end()) {
      fail_data("a shard no longer has the column '" + column.name +
                "', which it had in the survey; its rows must stay the same");
    }
    ordered.push_back(std::move(part.columns[found->second]));
  }
  part.columns = std::move(ordered);
}

// Indices in `numbers` of the rows to keep, ascending: the extra rows, and the drawn rows with the
// smallest hashes, up to `wanted` rows in all.
std::vector<std::uint32_t> rows_to_keep(const std::vector<std::uint64_t>& numbers,
                                        const SampleRequest& request, std::uint64_t wanted) {
  std::vector<std::uint32_t> kept, drawn;
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    const bool extra = std::binary_search(request.extra.begin(), request.extra.end(), numbers[i]);
    (extra ? kept : drawn).push_back(i);
  }
  const std::size_t room = wanted > kept.size() ? wanted - kept.size() : 0;
  if (drawn.size() > room) {
    const auto before = [&](std::uint32_t x, std::uint32_t y) {
      return std::pair(hash_of(numbers[x], request.seed), numbers[x]) <
             std::pair(hash_of(numbers[y], request.seed), numbers[y]);
    };
    const auto end = drawn.begin() + static_cast<std::ptrdiff_t>(room);
    if (room > 0) std::nth_element(drawn.begin(), end, drawn.end(), before);
    drawn.erase(end, drawn.end());
  }
  kept.insert(kept.end(), drawn.begin(), drawn.end());
  std::sort(kept.begin(), kept.end());
  return kept;
}

}  // namespace

std::vector<std::uint64_t> rows_with_rarities(const Survey& survey, const ColumnRoles& roles,
                                              std::span<const std::uint64_t> first) {
  std::vector<std::uint64_t> numbers;
  const auto add = [&](const RowPlace& place) {
    if (place.shard >= first.size()) fail_data("the answers to the survey do not fit together");
    numbers.push_back(first[place.shard] + place.row);
  };
  for (const auto& [name, surveyed] : survey.classes) {
    for (const RowPlace& place : surveyed.places) add(place);
    if (surveyed.places.empty() && surveyed.unused) add(*surveyed.unused);
  }
  for (const SurveyedColumn& column : survey.columns) {
    if (column.name == roles.target || column.name == roles.weight) continue;
    if (column.missing) add(*column.missing);
    if (is_categorical(column, roles)) continue;
    if (column.low) add(column.low->place);
    if (column.high) add(column.high->place);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

void draw_rows(SampleRequest& request, std::uint64_t wanted, std::uint64_t usable,
               std::uint64_t seed) {
  request.seed = seed ^ 0x5a3b1e0fULL;
  request.below = every_row;
  // The number of rows below a hash is binomial; six standard deviations more are enough.
  const auto n = static_cast<double>(wanted);
  const double share = (n + 6 * std::sqrt(n)) / static_cast<double>(usable);
  if (wanted < usable && share < 1) {
    request.below = static_cast<std::uint64_t>(std::ldexp(share, 64));
  }
}

std::vector<std::uint32_t> requested_rows(const SampleRequest& request,
                                          std::span<const char> usable, std::size_t shard) {
  if (shard >= request.first.size()) {
    fail_data("shard " + std::to_string(shard) + " did not take part in the survey");
  }
  const std::uint64_t first = request.first[shard];
  std::vector<std::uint32_t> rows;
  auto next = std::lower_bound(request.extra.begin(), request.extra.end(), first);
  for (std::uint32_t row = 0; row < usable.size(); ++row) {
    const bool extra = next != request.extra.end() && *next == first + row;
    if (extra) ++next;
    const bool drawn = usable[row] != 0 && hash_of(first + row, request.seed) <= request.below;
    if (extra || drawn || request.everything) rows.push_back(row);
  }
  return rows;
}

Column pick_rows(const ColumnView& column, std::span<const std::uint32_t> rows) {
  Column picked;
  picked.name = column.name;
  picked.type = column.type;
  if (column.type == ColumnType::numeric) {
    for (const std::uint32_t row : rows) picked.values.push_back(column.numbers[row]);
    return picked;
  }
  // With new codes, so that the result does not depend on the rows that are left out.
  std::unordered_map<std::int32_t, std::int32_t> code_of;
  for (const std::uint32_t row : rows) {
    const std::int32_t old = column.codes[row];
    if (old == Column::missing_code) {
      picked.codes.push_back(old);
      continue;
    }
    const auto [entry, is_new] =
        code_of.emplace(old, static_cast<std::int32_t>(picked.categories.size()));
    if (is_new) picked.categories.push_back(column.categories[static_cast<std::size_t>(old)]);
    picked.codes.push_back(entry->second);
  }
  return picked;
}

SampledRows sample_rows(const TableView& view, const ColumnRoles& roles,
                        const SampleRequest& request, std::size_t shard) {
  SampledRows sampled;
  if (view.rows == 0) return sampled;
  const ColumnView& target = require_column(view, roles.target, shard, "the target");
  const auto weights = row_weights(view, roles, shard);
  const std::vector<std::uint32_t> rows =
      requested_rows(request, usable_rows(target, weights, view.rows), shard);
  for (const std::uint32_t row : rows) sampled.numbers.push_back(request.first[shard] + row);
  for (const ColumnView& column : view.columns) sampled.columns.push_back(pick_rows(column, rows));
  return sampled;
}

Sample make_sample(std::vector<SampledRows> parts, const std::vector<SurveyedColumn>& columns,
                   const ColumnRoles& roles, const SampleRequest& request, std::uint64_t wanted,
                   const std::string& source) {
  std::erase_if(parts, [](const SampledRows& part) { return part.numbers.empty(); });
  std::sort(parts.begin(), parts.end(), [](const SampledRows& x, const SampledRows& y) {
    return x.numbers.front() < y.numbers.front();
  });
  std::vector<std::uint64_t> numbers;
  for (SampledRows& part : parts) {
    put_in_order(part, columns);
    numbers.insert(numbers.end(), part.numbers.begin(), part.numbers.end());
  }
  const std::vector<std::uint32_t> rows = rows_to_keep(numbers, request, wanted);
  Sample sample;
  sample.table.source = source;
  sample.table.rows = rows.size();
  for (const std::uint32_t row : rows) sample.numbers.push_back(numbers[row]);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::vector<Column> pieces;
    pieces.reserve(parts.size());
    for (SampledRows& part : parts) pieces.push_back(std::move(part.columns[i]));
    Column column = is_categorical(columns[i], roles) ? join_categories(std::move(pieces))
                                                      : join_numbers(pieces);
    column.name = columns[i].name;
    if (rows.size() < numbers.size()) column = pick_rows(ColumnView(column), rows);
    if (column.name == roles.weight) {
      sample.weights = std::move(column.values);
    } else {
      sample.table.columns.push_back(std::move(column));
    }
  }
  return sample;
}

}  // namespace frr::internal
