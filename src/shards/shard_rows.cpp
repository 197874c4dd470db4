#include "shards/shard_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/number.hpp"
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

Column numbers_together(const std::vector<Column>& parts) {
  Column all;
  for (const Column& part : parts) {
    if (part.type == ColumnType::numeric) {
      all.values.insert(all.values.end(), part.values.begin(), part.values.end());
    } else {  // without any value
      all.values.resize(all.values.size() + part.codes.size(),
                        std::numeric_limits<double>::quiet_NaN());
    }
  }
  return all;
}

Column categories_together(std::vector<Column> parts) {
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
      const auto [place, is_new] =
          code_of.emplace(text, static_cast<std::int32_t>(all.categories.size()));
      if (is_new) all.categories.push_back(text);
      all.codes.push_back(place->second);
    }
  }
  return all;
}

// The columns of a part in the order of all.
void put_in_order(SampledRows& part, const std::vector<SurveyedColumn>& columns) {
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < part.columns.size(); ++i) place.emplace(part.columns[i].name, i);
  std::vector<Column> ordered;
  for (const SurveyedColumn& column : columns) {
    const auto found = place.find(column.name);
    if (found == place.end()) {
      fail_data("a shard has no column '" + column.name +
                "' any more, which it had in the survey; its rows must stay the same");
    }
    ordered.push_back(std::move(part.columns[found->second]));
  }
  part.columns = std::move(ordered);
}

// Places in `numbers` of the rows to keep, ascending: those asked for besides, and of the drawn
// ones as many of the smallest hashes as there is room for.
std::vector<std::uint32_t> rows_to_keep(const std::vector<std::uint64_t>& numbers,
                                        const ShardRequest& request, std::uint64_t wanted) {
  std::vector<std::uint32_t> kept, drawn;
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    const bool besides =
        std::binary_search(request.besides.begin(), request.besides.end(), numbers[i]);
    (besides ? kept : drawn).push_back(i);
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

SurveyedColumn surveyed(const ColumnView& column, std::span<const char> counts, std::size_t shard) {
  constexpr std::size_t block = 1024;
  SurveyedColumn result;
  result.name = column.name;
  std::vector<double> numbers(block);
  const bool numeric = column.type == ColumnType::numeric;
  for (std::size_t from = 0; from < counts.size(); from += block) {
    const std::size_t count = std::min(block, counts.size() - from);
    if (numeric) column.numbers.copy_block(from, count, numbers.data());
    for (std::size_t i = 0; i < count; ++i) {
      const RowPlace place{shard, from + i};
      const double x = numeric ? numbers[i] : 0;
      const bool missing = numeric ? x != x : column.codes[from + i] == Column::missing_code;
      if (missing) {
        if (counts[from + i] != 0 && !result.missing) result.missing = place;
        continue;
      }
      (numeric ? result.numeric : result.categorical) = true;
      if (!numeric) continue;
      if (std::isinf(x)) {
        fail_data("shard " + std::to_string(shard) + ": column '" + std::string(column.name) +
                  "' holds an infinite number in row " + std::to_string(place.row) +
                  " (the first is row 0); give a finite number, or a missing value");
      }
      if (counts[from + i] == 0) continue;
      if (!result.low || x < result.low->value) result.low = {x, place};
      if (!result.high || x > result.high->value) result.high = {x, place};
    }
  }
  return result;
}

bool is_categorical(const SurveyedColumn& column, const ShardRequest& request) {
  return column.categorical || std::find(request.categorical.begin(), request.categorical.end(),
                                         column.name) != request.categorical.end();
}

std::vector<std::uint64_t> rows_with_rarities(const ShardAnswer& survey,
                                              const ShardRequest& request,
                                              std::span<const std::uint64_t> first) {
  std::vector<std::uint64_t> numbers;
  const auto add = [&](const RowPlace& place) {
    if (place.shard >= first.size()) fail_data("the answers to the survey do not fit together");
    numbers.push_back(first[place.shard] + place.row);
  };
  for (const auto& [name, own] : survey.classes) {
    for (const RowPlace& place : own.places) add(place);
    if (own.places.empty() && own.idle) add(*own.idle);
  }
  for (const SurveyedColumn& column : survey.columns) {
    if (column.name == request.target || column.name == request.weight) continue;
    if (column.missing) add(*column.missing);
    if (is_categorical(column, request)) continue;
    if (column.low) add(column.low->place);
    if (column.high) add(column.high->place);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

void draw_rows(ShardRequest& request, std::uint64_t wanted, std::uint64_t counted,
               std::uint64_t seed) {
  request.seed = seed ^ 0x5a3b1e0fULL;
  request.below = every_row;
  // The number of rows below a hash is binomial; six standard deviations more are enough.
  const auto n = static_cast<double>(wanted);
  const double share = (n + 6 * std::sqrt(n)) / static_cast<double>(counted);
  if (wanted < counted && share < 1) {
    request.below = static_cast<std::uint64_t>(std::ldexp(share, 64));
  }
}

std::vector<std::uint32_t> sampled_rows(const ShardRequest& request, std::span<const char> counts,
                                        std::size_t shard) {
  if (shard >= request.first.size()) {
    fail_data("shard " + std::to_string(shard) + " did not take part in the survey");
  }
  const std::uint64_t first = request.first[shard];
  std::vector<std::uint32_t> rows;
  auto next = std::lower_bound(request.besides.begin(), request.besides.end(), first);
  for (std::uint32_t row = 0; row < counts.size(); ++row) {
    const bool besides = next != request.besides.end() && *next == first + row;
    if (besides) ++next;
    const bool drawn = counts[row] != 0 && hash_of(first + row, request.seed) <= request.below;
    if (besides || drawn || request.everything) rows.push_back(row);
  }
  return rows;
}

Column picked(const ColumnView& column, std::span<const std::uint32_t> rows) {
  Column own;
  own.name = column.name;
  own.type = column.type;
  if (column.type == ColumnType::numeric) {
    for (const std::uint32_t row : rows) own.values.push_back(column.numbers[row]);
    return own;
  }
  // Coded anew, so that rows which are left out leave no trace.
  std::unordered_map<std::int32_t, std::int32_t> code_of;
  for (const std::uint32_t row : rows) {
    const std::int32_t old = column.codes[row];
    if (old == Column::missing_code) {
      own.codes.push_back(old);
      continue;
    }
    const auto [place, is_new] =
        code_of.emplace(old, static_cast<std::int32_t>(own.categories.size()));
    if (is_new) own.categories.push_back(column.categories[static_cast<std::size_t>(old)]);
    own.codes.push_back(place->second);
  }
  return own;
}

Column named_numbers(const ColumnView& column, std::size_t rows) {
  Column own;
  own.name = column.name;
  own.type = ColumnType::categorical;
  std::unordered_map<double, std::int32_t> code_of;
  for (std::size_t row = 0; row < rows; ++row) {
    const double x = column.numbers[row];
    if (x != x) {
      own.codes.push_back(Column::missing_code);
      continue;
    }
    const auto [place, is_new] =
        code_of.emplace(x, static_cast<std::int32_t>(own.categories.size()));
    if (is_new) own.categories.push_back(number_name(x));
    own.codes.push_back(place->second);
  }
  return own;
}

Sample make_sample(std::vector<SampledRows> parts, const std::vector<SurveyedColumn>& columns,
                   const ShardRequest& request, std::uint64_t wanted, const std::string& source) {
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
    std::vector<Column> own;
    own.reserve(parts.size());
    for (SampledRows& part : parts) own.push_back(std::move(part.columns[i]));
    Column column = is_categorical(columns[i], request) ? categories_together(std::move(own))
                                                        : numbers_together(own);
    column.name = columns[i].name;
    if (rows.size() < numbers.size()) column = picked(ColumnView(column), rows);
    if (column.name == request.weight) {
      sample.weights = std::move(column.values);
    } else {
      sample.table.columns.push_back(std::move(column));
    }
  }
  return sample;
}

}  // namespace frr::internal
