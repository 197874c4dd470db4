#include "rows/survey.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/parallel.hpp"
#include "data/class_names.hpp"
#include "frr/error.hpp"

namespace frr::internal {
namespace {

// ---- The survey of one shard --------------------------------------------------------------------

void survey_classes(Survey& survey, const ColumnView& target, std::span<const char> usable,
                    std::size_t shard) {
  const DistinctValues values = distinct_values(target, usable.size(), most_surveyed_classes);
  std::vector<SurveyedClass> classes(values.names.size());
  for (std::size_t row = 0; row < usable.size(); ++row) {
    const int value = values.of_row[row];
    if (value < 0) {
      ++survey.unlabelled;
      continue;
    }
    SurveyedClass& its_class = classes[static_cast<std::size_t>(value)];
    if (usable[row] == 0) {
      if (!its_class.unused) its_class.unused = RowPlace{shard, row};
      continue;
    }
    ++its_class.rows;
    if (its_class.places.size() < 2) its_class.places.push_back({shard, row});
  }
  for (std::size_t v = 0; v < classes.size(); ++v) {
    survey.classes[values.names[v]] = std::move(classes[v]);
  }
}

SurveyedColumn survey_column(const ColumnView& column, std::span<const char> usable,
                             std::size_t shard) {
  constexpr std::size_t block = 1024;
  SurveyedColumn result;
  result.name = column.name;
  std::vector<double> numbers(block);
  const bool numeric = column.type == ColumnType::numeric;
  for (std::size_t from = 0; from < usable.size(); from += block) {
    const std::size_t count = std::min(block, usable.size() - from);
    if (numeric) column.numbers.copy_block(from, count, numbers.data());
    for (std::size_t i = 0; i < count; ++i) {
      const RowPlace place{shard, from + i};
      const double x = numeric ? numbers[i] : 0;
      const bool missing = numeric ? x != x : column.codes[from + i] == Column::missing_code;
      if (missing) {
        if (usable[from + i] != 0 && !result.missing) result.missing = place;
        continue;
      }
      (numeric ? result.numeric : result.categorical) = true;
      if (!numeric) continue;
      if (std::isinf(x)) {
        fail_data("shard " + std::to_string(shard) + ": column '" + std::string(column.name) +
                  "' holds an infinite number in row " + std::to_string(place.row) +
                  " (the first is row 0); give a finite number, or a missing value");
      }
      if (usable[from + i] == 0) continue;
      if (!result.low || x < result.low->value) result.low = {x, place};
      if (!result.high || x > result.high->value) result.high = {x, place};
    }
  }
  return result;
}

// ---- Adding -------------------------------------------------------------------------------------

template <typename T>
void take_first(std::optional<T>& first, const std::optional<T>& other) {
  if (other && (!first || *other < *first)) first = other;
}

void add_class(SurveyedClass& sum, const SurveyedClass& other) {
  sum.rows += other.rows;
  sum.places.insert(sum.places.end(), other.places.begin(), other.places.end());
  std::sort(sum.places.begin(), sum.places.end());
  if (sum.places.size() > 2) sum.places.resize(2);
  take_first(sum.unused, other.unused);
}

void add_column(SurveyedColumn& sum, const SurveyedColumn& other) {
  using End = SurveyedColumn::End;
  const auto take_end = [](std::optional<End>& end, const std::optional<End>& candidate,
                           double sign) {
    if (!candidate) return;
    const auto key = [&](const End& e) { return std::pair(sign * e.value, e.place); };
    if (!end || key(*candidate) < key(*end)) end = candidate;
  };
  sum.numeric = sum.numeric || other.numeric;
  sum.categorical = sum.categorical || other.categorical;
  take_end(sum.low, other.low, 1);
  take_end(sum.high, other.high, -1);
  take_first(sum.missing, other.missing);
}

std::string shard_name(const Survey& survey) {
  return "shard " + std::to_string(survey.rows.begin()->first);
}

using Positions = std::unordered_map<std::string_view, std::size_t>;
Positions positions_of(const std::vector<SurveyedColumn>& columns) {
  Positions positions;
  for (std::size_t i = 0; i < columns.size(); ++i) positions.emplace(columns[i].name, i);
  return positions;
}

void check_has(const Survey& survey, const Positions& its, const Survey& other) {
  for (const SurveyedColumn& column : other.columns) {
    if (its.contains(column.name)) continue;
    fail_data(shard_name(survey) + " has no column '" + column.name + "', which " +
              shard_name(other) + " has; all shards must have the same columns");
  }
}

// Shards may have their columns in different orders. The shard with the lowest number decides,
// whatever the order of adding.
void add_columns(Survey& sum, Survey& other) {
  if (other.columns.empty()) return;
  if (sum.columns.empty()) {
    sum.columns = std::move(other.columns);
    return;
  }
  check_has(sum, positions_of(sum.columns), other);
  check_has(other, positions_of(other.columns), sum);
  if (other.rows.begin()->first < sum.rows.begin()->first) std::swap(sum.columns, other.columns);
  const Positions theirs = positions_of(other.columns);
  for (SurveyedColumn& column : sum.columns) {
    add_column(column, other.columns[theirs.at(column.name)]);
  }
}

}  // namespace

Survey survey_rows(const TableView& view, const ColumnRoles& roles, std::size_t shard, int threads,
                   std::string_view target_type) {
  Survey survey;
  survey.rows[shard] = view.rows;
  if (view.rows == 0 && view.columns.empty()) return survey;
  const ColumnView& target = require_column(view, roles.target, shard, "the target");
  const auto weights = row_weights(view, roles, shard);
  const std::vector<char> usable = usable_rows(target, weights, view.rows);
  survey_classes(survey, target, usable, shard);
  if (!target_type.empty() && !survey.classes.empty()) survey.target_types.emplace(target_type);
  for (std::size_t row = 0; row < view.rows; ++row) {
    if (usable[row] != 0) {
      survey.most_weight = std::max(survey.most_weight, weights ? (*weights)[row] : 1.0);
    }
  }
  survey.columns.resize(view.columns.size());
  parallel_for(threads, view.columns.size(), [&](std::size_t i) {
    survey.columns[i] = survey_column(view.columns[i], usable, shard);
  });
  return survey;
}

void Survey::add(Survey other) {
  add_columns(*this, other);  // reads the shards of both
  for (const auto& [shard, count] : other.rows) {
    if (!rows.emplace(shard, count).second) {
      fail_data("shard " + std::to_string(shard) + " has answered twice; number the shards 0, 1, " +
                "2 and so on, and add one answer of each");
    }
  }
  unlabelled += other.unlabelled;
  for (const auto& [name, surveyed] : other.classes) add_class(classes[name], surveyed);
  while (classes.size() > most_surveyed_classes) classes.erase(std::prev(classes.end()));
  most_weight = std::max(most_weight, other.most_weight);
  target_types.merge(other.target_types);
}

std::uint64_t Survey::usable_rows() const {
  std::uint64_t usable = 0;
  for (const auto& [name, surveyed] : classes) usable += surveyed.rows;
  return usable;
}

bool is_categorical(const SurveyedColumn& column, const ColumnRoles& roles) {
  return column.categorical || std::find(roles.categorical.begin(), roles.categorical.end(),
                                         column.name) != roles.categorical.end();
}

}  // namespace frr::internal
