// The side of a shard: what its own rows answer.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "base/float_mode.hpp"
#include "base/parallel.hpp"
#include "data/class_names.hpp"
#include "frr/shards.hpp"
#include "labels/partition.hpp"
#include "model/decider.hpp"
#include "search/rule_scores.hpp"
#include "shards/byte_stream.hpp"
#include "shards/shard_messages.hpp"
#include "shards/shard_rows.hpp"

namespace frr::internal {
namespace {

const ColumnView* find(const TableView& view, std::string_view name) {
  for (const ColumnView& column : view.columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

const ColumnView& require(const TableView& view, std::string_view name, std::size_t shard,
                          std::string_view role) {
  if (const ColumnView* column = find(view, name)) return *column;
  std::string names;
  for (const ColumnView& column : view.columns) {
    names += (names.empty() ? "" : ", ") + std::string(column.name);
  }
  fail_data("shard " + std::to_string(shard) + " has no column '" + std::string(name) + "' (" +
            std::string(role) + "); it has " + (names.empty() ? "none" : names) +
            ". All shards must have the same columns");
}

// The weight of each row; none where every row counts 1.
std::optional<std::vector<double>> weights_of(const ShardRequest& request, const TableView& view,
                                              std::size_t shard) {
  if (request.weight.empty()) return std::nullopt;
  const ColumnView& column = require(view, request.weight, shard, "the weights");
  const auto wrong = [&](std::size_t row) {
    fail_data("shard " + std::to_string(shard) + ": the weight in column '" + request.weight +
              "', row " + std::to_string(row) +
              " (the first is row 0), is not a number from 0 to 1e100; correct it");
  };
  if (column.type != ColumnType::numeric && view.rows > 0) wrong(0);
  std::vector<double> weights(view.rows);
  for (std::size_t row = 0; row < view.rows; ++row) {
    weights[row] = column.numbers[row];
    if (!(weights[row] >= 0) || weights[row] > 1e100) wrong(row);
  }
  return weights;
}

// One mark a row: its class is known and its weight is not 0.
std::vector<char> rows_that_count(const ColumnView& target,
                                  const std::optional<std::vector<double>>& weights,
                                  std::size_t rows) {
  std::vector<char> counts(rows, 1);
  for (std::size_t row = 0; row < rows; ++row) {
    if (target.is_missing(row) || (weights && (*weights)[row] == 0)) counts[row] = 0;
  }
  return counts;
}

void survey_classes(ShardAnswer& answer, const ColumnView& target, std::span<const char> counts,
                    std::size_t shard) {
  const DistinctValues values = distinct_values(target, counts.size(), most_surveyed_classes);
  std::vector<SurveyedClass> classes(values.names.size());
  for (std::size_t row = 0; row < counts.size(); ++row) {
    const int value = values.of_row[row];
    if (value < 0) {
      ++answer.unlabelled;
      continue;
    }
    SurveyedClass& own = classes[static_cast<std::size_t>(value)];
    if (counts[row] == 0) {
      if (!own.idle) own.idle = RowPlace{shard, row};
      continue;
    }
    ++own.rows;
    if (own.places.size() < 2) own.places.push_back({shard, row});
  }
  for (std::size_t v = 0; v < classes.size(); ++v) {
    answer.classes[values.names[v]] = std::move(classes[v]);
  }
}

ShardAnswer survey(const ShardRequest& request, const TableView& view, std::size_t shard,
                   int threads, std::string_view target_type) {
  ShardAnswer answer;
  answer.rows[shard] = view.rows;
  if (view.rows == 0 && view.columns.empty()) return answer;
  const ColumnView& target = require(view, request.target, shard, "the target");
  const auto weights = weights_of(request, view, shard);
  const std::vector<char> counts = rows_that_count(target, weights, view.rows);
  survey_classes(answer, target, counts, shard);
  if (!target_type.empty() && !answer.classes.empty()) {
    answer.target_types.emplace(target_type);
  }
  for (std::size_t row = 0; row < view.rows; ++row) {
    if (counts[row] != 0) {
      answer.most_weight = std::max(answer.most_weight, weights ? (*weights)[row] : 1.0);
    }
  }
  answer.columns.resize(view.columns.size());
  parallel_for(threads, view.columns.size(), [&](std::size_t i) {
    answer.columns[i] = surveyed(view.columns[i], counts, shard);
  });
  return answer;
}

ShardAnswer sample(const ShardRequest& request, const TableView& view, std::size_t shard) {
  ShardAnswer answer;
  if (view.rows == 0) return answer;
  const ColumnView& target = require(view, request.target, shard, "the target");
  const auto weights = weights_of(request, view, shard);
  const std::vector<std::uint32_t> rows =
      sampled_rows(request, rows_that_count(target, weights, view.rows), shard);
  SampledRows part;
  for (const std::uint32_t row : rows) part.numbers.push_back(request.first[shard] + row);
  for (const ColumnView& column : view.columns) part.columns.push_back(picked(column, rows));
  answer.parts.push_back(std::move(part));
  return answer;
}

// ---- With rules ---------------------------------------------------------------------------------

// The columns that the rules read, as the types of their features: where a column is categories
// elsewhere, numbers are names; where it is numbers, categories of which there is none are missing
// numbers.
struct Conformed {
  std::vector<Column> made;
  TableView view;
};

Conformed conformed(const RuleBase& base, const TableView& view, std::size_t shard) {
  Conformed result{{}, view};
  result.made.reserve(view.columns.size());
  for (ColumnView& column : result.view.columns) {
    const auto feature =
        std::find_if(base.partition.features.begin(), base.partition.features.end(),
                     [&](const Feature& own) { return own.name == column.name; });
    if (feature == base.partition.features.end()) continue;
    if (feature->type == column.type) continue;
    if (column.type == ColumnType::numeric) {
      result.made.push_back(named_numbers(column, view.rows));
    } else if (std::all_of(column.codes, column.codes + view.rows,
                           [](std::int32_t code) { return code == Column::missing_code; })) {
      Column& missing = result.made.emplace_back();
      missing.name = column.name;
      missing.values.assign(view.rows, std::numeric_limits<double>::quiet_NaN());
    } else {
      fail_data("shard " + std::to_string(shard) + ": column '" + std::string(column.name) +
                "' holds names now, which it did not in the survey; its rows must stay the same");
    }
    column = ColumnView(result.made.back());
  }
  return result;
}

std::size_t sums_asked(const ShardRequest& request, const RuleBase& base) {
  if (request.kind == ShardRequest::Kind::count) return decision_count_size(base);
  return RuleScoreLayout(base, request.margin, request.trials.size()).size();
}

// One mark a feature: a rule reads it.
std::vector<char> features_read(const RuleBase& base) {
  std::vector<char> read(base.partition.features.size(), 0);
  for (const Rule& rule : base.rules) {
    for (const Condition& own : rule.conditions) read[static_cast<std::size_t>(own.feature)] = 1;
  }
  return read;
}

void check_trials(std::span<const BorderTrial> trials, const RuleBase& base,
                  std::span<const char> read) {
  for (const BorderTrial& trial : trials) {
    const bool fits = trial.feature < read.size() && read[trial.feature] != 0 &&
                      trial.border < borders_of(base.partition.features[trial.feature]).size() &&
                      trial.start <= trial.end;
    if (!fits) fail_data("a request to shards moves a border that the rules do not read");
  }
}

ShardAnswer with_model(const ShardRequest& request, const TableView& whole, std::size_t shard,
                       int threads) {
  const RuleBase base = from_json(request.model, "<rules>");
  const std::vector<char> read = features_read(base);
  check_trials(request.trials, base, read);
  ShardAnswer answer;
  if (whole.rows == 0) {
    answer.sums.assign(sums_asked(request, base), 0);
    return answer;
  }
  const Conformed rows = conformed(base, whole, shard);
  const TableView& view = rows.view;
  for (std::size_t j = 0; j < read.size(); ++j) {
    if (read[j] == 0) continue;
    require(view, base.partition.features[j].name, shard, "a rule reads it");
  }
  const auto weights = weights_of(request, view, shard);
  std::vector<int> classes =
      class_indices(require(view, request.target, shard, "the target"), view.rows, base.classes);
  std::vector<std::int64_t> units;
  if (weights) {
    for (std::size_t row = 0; row < view.rows; ++row) {
      units.push_back(weight_units((*weights)[row], request.most_weight));
      if (units.back() == 0) classes[row] = -1;
    }
  }
  const ColumnMap map(base, view);
  if (request.kind == ShardRequest::Kind::worth) {
    answer.sums =
        rule_score_sums(base, request.trials, request.margin, map, classes, units, threads);
  } else {
    answer.sums = decision_counts(base, map, classes, {}, threads);
  }
  return answer;
}

}  // namespace

}  // namespace frr::internal

namespace frr {
using namespace internal;

std::string answer(std::string_view bytes, const TableView& rows, std::size_t shard, int threads,
                   std::string_view target_type) {
  const FloatMode mode(Denormals::keep);
  const ShardRequest request = ShardRequest::from(bytes);
  ShardAnswer answer;
  switch (request.kind) {
    case ShardRequest::Kind::survey:
      answer = survey(request, rows, shard, threads, target_type);
      break;
    case ShardRequest::Kind::sample:
      answer = sample(request, rows, shard);
      break;
    case ShardRequest::Kind::worth:
    case ShardRequest::Kind::count:
      answer = with_model(request, rows, shard, threads);
      break;
  }
  answer.kind = request.kind;
  answer.request = check_sum(bytes);
  answer.attendance.add(shard, rows.rows);
  return answer.bytes();
}

std::string add_answers(std::span<const std::string> answers) {
  if (answers.empty()) fail_data("there are no answers to add: are there no shards?");
  ShardAnswer sum = ShardAnswer::from(answers.front());
  for (const std::string& own : answers.subspan(1)) sum.add(ShardAnswer::from(own));
  return sum.bytes();
}

ShardQuestion question_of(std::string_view bytes) {
  const ShardRequest request = ShardRequest::from(bytes);
  constexpr std::array kinds{"survey", "sample", "worth", "count"};
  return {kinds[static_cast<std::size_t>(request.kind)], request.target, request.categorical};
}

ShardSurvey survey_of(std::string_view bytes) {
  const ShardAnswer answer = ShardAnswer::from(bytes);
  if (answer.kind != ShardRequest::Kind::survey) fail_usage("this is no answer to a survey");
  ShardSurvey survey;
  for (const SurveyedColumn& own : answer.columns) {
    survey.columns.emplace_back(own.name, own.categorical);
  }
  for (const auto& [name, own] : answer.classes) survey.classes.push_back(name);
  survey.target_types.assign(answer.target_types.begin(), answer.target_types.end());
  return survey;
}

std::vector<std::string> columns_asked(std::string_view bytes) {
  const ShardRequest request = ShardRequest::from(bytes);
  const bool all =
      request.kind == ShardRequest::Kind::survey || request.kind == ShardRequest::Kind::sample;
  if (all) return {};
  std::vector<std::string> names = {request.target};
  if (!request.weight.empty()) names.push_back(request.weight);
  const RuleBase base = from_json(request.model, "<rules>");
  const std::vector<char> read = features_read(base);
  for (std::size_t j = 0; j < read.size(); ++j) {
    if (read[j] != 0) names.push_back(base.partition.features[j].name);
  }
  return names;
}

}  // namespace frr
