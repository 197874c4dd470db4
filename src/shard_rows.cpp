#include "shard_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "frr/error.hpp"
#include "number.hpp"

namespace frr {
namespace {

std::uint64_t hash_of(std::uint64_t number, std::uint64_t seed) {
  std::uint64_t z = number * 0x9e3779b97f4a7c15ULL + seed;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// Of each class the first two rows.
void mark_classes(const ColumnView& target, std::span<const char> counts,
                  std::vector<char>& marks) {
  std::unordered_map<double, int> by_number;
  std::vector<int> by_code(target.categories.size(), 0);
  for (std::size_t row = 0; row < counts.size(); ++row) {
    if (counts[row] == 0 || target.is_missing(row)) continue;
    int& seen = target.type == ColumnType::numeric
                    ? by_number[target.numbers[row]]
                    : by_code[static_cast<std::size_t>(target.codes[row])];
    if (++seen <= 2) marks[row] = 1;
  }
}

// The first row of the smallest number, of the largest one and without a number.
void mark_extremes(const ColumnView& column, std::span<const char> counts,
                   std::vector<char>& marks) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::size_t lowest = none, highest = none, missing = none;
  double low = 0, high = 0;
  for (std::size_t row = 0; row < counts.size(); ++row) {
    if (counts[row] == 0) continue;
    const double x = column.numbers[row];
    if (x != x) {
      if (missing == none) missing = row;
      continue;
    }
    if (lowest == none || x < low) lowest = row, low = x;
    if (highest == none || x > high) highest = row, high = x;
  }
  for (const std::size_t row : {lowest, highest, missing}) {
    if (row != none) marks[row] = 1;
  }
}

Column together(std::vector<Column> parts) {
  const bool categorical = std::any_of(parts.begin(), parts.end(), [](const Column& part) {
    return part.type == ColumnType::categorical;
  });
  Column all;
  all.name = parts.front().name;
  if (!categorical) {
    for (const Column& part : parts) {
      all.values.insert(all.values.end(), part.values.begin(), part.values.end());
    }
    return all;
  }
  all.type = ColumnType::categorical;
  std::unordered_map<std::string, std::int32_t> code_of;
  for (Column& part : parts) {
    if (part.type == ColumnType::numeric) part = named_numbers(ColumnView(part), part.values.size());
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

void check_columns(const std::vector<SampledRows>& parts) {
  for (const SampledRows& part : parts) {
    const auto& first = parts.front().columns;
    const bool same = std::equal(first.begin(), first.end(), part.columns.begin(),
                                 part.columns.end(),
                                 [](const Column& x, const Column& y) { return x.name == y.name; });
    if (same) continue;
    std::string names[2];
    for (const Column& column : first) names[0] += " '" + column.name + "'";
    for (const Column& column : part.columns) names[1] += " '" + column.name + "'";
    fail_data("shards have different columns:" + names[0] + " and" + names[1] +
              ". All shards must have the same columns in the same order");
  }
}

}  // namespace

std::vector<std::uint32_t> sampled_rows(const TableView& view, std::span<const char> counts,
                                        const ShardRequest& request, std::uint64_t first) {
  std::vector<char> marks(view.rows, 0);
  for (std::size_t row = 0; row < view.rows; ++row) {
    if (counts[row] != 0 && hash_of(first + row, request.seed) < request.below) marks[row] = 1;
  }
  for (const ColumnView& column : view.columns) {
    if (column.name == request.target) {
      mark_classes(column, counts, marks);
    } else if (column.type == ColumnType::numeric && column.name != request.weight) {
      mark_extremes(column, counts, marks);
    }
  }
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row < view.rows; ++row) {
    if (marks[row] != 0) rows.push_back(static_cast<std::uint32_t>(row));
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

void check_finite(const ColumnView& column, std::size_t rows, std::size_t shard) {
  if (column.type != ColumnType::numeric) return;
  for (std::size_t row = 0; row < rows; ++row) {
    if (!std::isinf(column.numbers[row])) continue;
    fail_data("shard " + std::to_string(shard) + ", row " + std::to_string(row + 1) +
              ": column '" + std::string(column.name) +
              "' holds an infinite number; make it finite or missing");
  }
}

Sample make_sample(std::vector<SampledRows> parts, const ShardRequest& request,
                   const std::string& source) {
  std::sort(parts.begin(), parts.end(), [](const SampledRows& x, const SampledRows& y) {
    if (x.numbers.empty() || y.numbers.empty()) return y.numbers.size() > x.numbers.size();
    return x.numbers.front() < y.numbers.front();
  });
  check_columns(parts);
  Sample sample;
  sample.table.source = source;
  std::vector<std::uint64_t> numbers;
  for (const SampledRows& part : parts) {
    numbers.insert(numbers.end(), part.numbers.begin(), part.numbers.end());
  }
  std::vector<Column> columns;
  for (std::size_t i = 0; i < parts.front().columns.size(); ++i) {
    std::vector<Column> own;
    for (SampledRows& part : parts) own.push_back(std::move(part.columns[i]));
    columns.push_back(together(std::move(own)));
  }
  std::vector<std::uint32_t> rows(numbers.size());
  std::iota(rows.begin(), rows.end(), 0U);
  if (request.below != every_row) {
    TableView view;
    view.rows = numbers.size();
    for (const Column& column : columns) view.columns.emplace_back(column);
    // The marks anew, of the whole; the numbers are not consecutive here.
    ShardRequest extremes = request;
    extremes.below = 0;
    const std::vector<char> all(view.rows, 1);
    const std::vector<std::uint32_t> witnesses = sampled_rows(view, all, extremes, 0);
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t row : rows) {
      const bool drawn = hash_of(numbers[row], request.seed) < request.below;
      if (drawn || std::binary_search(witnesses.begin(), witnesses.end(), row)) kept.push_back(row);
    }
    rows = std::move(kept);
  }
  for (const std::uint32_t row : rows) sample.numbers.push_back(numbers[row]);
  sample.table.rows = rows.size();
  for (const Column& column : columns) {
    Column own = picked(ColumnView(column), rows);
    if (column.name == request.weight) {
      sample.weights = std::move(own.values);
    } else {
      sample.table.columns.push_back(std::move(own));
    }
  }
  return sample;
}

}  // namespace frr
