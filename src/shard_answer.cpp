// The side of a shard: what its own rows answer.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "class_names.hpp"
#include "decider.hpp"
#include "frr/shards.hpp"
#include "number.hpp"
#include "settle.hpp"
#include "shard_messages.hpp"
#include "shard_rows.hpp"

namespace frr {
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
    fail_data("shard " + std::to_string(shard) + ", row " + std::to_string(row + 1) +
              ": its weight is not a number from 0 to 1e100; correct it or leave the row out");
  };
  if (column.type != ColumnType::numeric && view.rows > 0) wrong(0);
  std::vector<double> weights(view.rows);
  for (std::size_t row = 0; row < view.rows; ++row) {
    weights[row] = column.numbers[row];
    if (!(weights[row] >= 0) || weights[row] > 1e100) wrong(row);
  }
  return weights;
}

ShardAnswer survey(const ShardRequest& request, const TableView& view, std::size_t shard) {
  const ColumnView& target = require(view, request.target, shard, "the target");
  const auto weights = weights_of(request, view, shard);
  const DistinctValues values = distinct_values(target, view.rows, most_surveyed_classes);
  ShardAnswer answer;
  answer.rows[shard] = view.rows;
  std::vector<std::uint64_t> counts(values.names.size(), 0);
  std::int64_t unlabelled = 0;
  for (std::size_t row = 0; row < view.rows; ++row) {
    const int value = values.of_row[row];
    if (value < 0) ++unlabelled;
    if (value < 0 || (weights && (*weights)[row] == 0)) continue;
    ++counts[static_cast<std::size_t>(value)];
    answer.most_weight = std::max(answer.most_weight, weights ? (*weights)[row] : 1.0);
  }
  for (std::size_t v = 0; v < counts.size(); ++v) {
    if (counts[v] > 0) answer.classes[values.names[v]] = counts[v];
  }
  answer.sums = {unlabelled};
  return answer;
}

ShardAnswer sample(const ShardRequest& request, const TableView& view, std::size_t shard) {
  const ColumnView& target = require(view, request.target, shard, "the target");
  const auto weights = weights_of(request, view, shard);
  if (shard >= request.first.size()) {
    fail_data("shard " + std::to_string(shard) + " did not take part in the survey");
  }
  const bool everything = request.below == every_row;
  std::vector<char> counts(view.rows, 1);
  for (std::size_t row = 0; row < view.rows && !everything; ++row) {
    if (target.is_missing(row) || (weights && (*weights)[row] == 0)) counts[row] = 0;
  }
  for (const ColumnView& column : view.columns) check_finite(column, view.rows, shard);
  std::vector<std::uint32_t> rows;
  if (everything) {
    for (std::size_t row = 0; row < view.rows; ++row) rows.push_back(static_cast<std::uint32_t>(row));
  } else {
    rows = sampled_rows(view, counts, request, request.first[shard]);
  }
  SampledRows part;
  for (const std::uint32_t row : rows) part.numbers.push_back(request.first[shard] + row);
  for (const ColumnView& column : view.columns) part.columns.push_back(picked(column, rows));
  ShardAnswer answer;
  answer.parts.push_back(std::move(part));
  return answer;
}

// ---- With rules ---------------------------------------------------------------------------------

// The columns that the rules read, as the types of their features: where a column is categories
// elsewhere, numbers are names.
struct Conformed {
  std::vector<Column> made;
  TableView view;
};

Conformed conformed(const RuleBase& base, const TableView& view) {
  Conformed result{{}, view};
  result.made.reserve(view.columns.size());
  for (ColumnView& column : result.view.columns) {
    const auto feature =
        std::find_if(base.partition.features.begin(), base.partition.features.end(),
                     [&](const Feature& own) { return own.name == column.name; });
    if (feature == base.partition.features.end()) continue;
    if (feature->type != ColumnType::categorical || column.type != ColumnType::numeric) continue;
    result.made.push_back(named_numbers(column, view.rows));
    column = ColumnView(result.made.back());
  }
  return result;
}

ShardAnswer with_rules(const ShardRequest& request, const TableView& whole, std::size_t shard,
                       int threads) {
  const RuleBase base = from_json(request.model, "<rules>");
  const Conformed rows = conformed(base, whole);
  const TableView& view = rows.view;
  for (const Rule& rule : base.rules) {
    for (const Condition& condition : rule.conditions) {
      require(view, base.partition.features[static_cast<std::size_t>(condition.feature)].name,
              shard, "a rule reads it");
    }
  }
  const auto weights = weights_of(request, view, shard);
  std::vector<int> classes = class_indices(require(view, request.target, shard, "the target"),
                                           view.rows, base.classes);
  std::vector<std::int64_t> units;
  if (weights) {
    for (std::size_t row = 0; row < view.rows; ++row) {
      units.push_back(weight_units((*weights)[row], request.most_weight));
      if (units.back() == 0) classes[row] = -1;
    }
  }
  const Binding binding(base, view);
  ShardAnswer answer;
  if (request.kind == ShardRequest::Kind::worth) {
    answer.sums = worth_sums(base, request.margin, binding, classes, units, threads);
  } else {
    answer.sums = decision_counts(base, binding, classes, {}, threads);
  }
  return answer;
}

}  // namespace

std::string answer(std::string_view bytes, const TableView& rows, std::size_t shard, int threads) {
  const ShardRequest request = ShardRequest::from(bytes);
  switch (request.kind) {
    case ShardRequest::Kind::survey:
      return survey(request, rows, shard).bytes();
    case ShardRequest::Kind::sample:
      return sample(request, rows, shard).bytes();
    case ShardRequest::Kind::worth:
    case ShardRequest::Kind::count:
      break;
  }
  return with_rules(request, rows, shard, threads).bytes();
}

std::string add_answers(std::span<const std::string> answers) {
  ShardAnswer sum;
  for (const std::string& own : answers) sum.add(ShardAnswer::from(own));
  return sum.bytes();
}

std::vector<std::string> columns_asked(std::string_view bytes) {
  const ShardRequest request = ShardRequest::from(bytes);
  if (request.kind == ShardRequest::Kind::sample) return {};
  std::vector<std::string> names = {request.target};
  if (!request.weight.empty()) names.push_back(request.weight);
  if (request.kind == ShardRequest::Kind::survey) return names;
  const RuleBase base = from_json(request.model, "<rules>");
  std::vector<bool> read(base.partition.features.size(), false);
  for (const Rule& rule : base.rules) {
    for (const Condition& condition : rule.conditions) {
      read[static_cast<std::size_t>(condition.feature)] = true;
    }
  }
  for (std::size_t j = 0; j < read.size(); ++j) {
    if (read[j]) names.push_back(base.partition.features[j].name);
  }
  return names;
}

}  // namespace frr
