#include "rows/rule_sums.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "additive/loss_sums.hpp"
#include "data/class_names.hpp"
#include "frr/error.hpp"
#include "labels/partition.hpp"
#include "model/statistics.hpp"
#include "search/rule_scores.hpp"

namespace frr::internal {
namespace {

// Per feature: a rule reads it.
std::vector<char> features_read(const RuleBase& rules) {
  std::vector<char> read(rules.partition.features.size(), 0);
  for (const Rule& rule : rules.rules) {
    for (const Condition& condition : rule.conditions) {
      read[static_cast<std::size_t>(condition.feature)] = 1;
    }
  }
  return read;
}

void check_trials(const ScoreRequest& request) {
  const std::vector<char> read = features_read(request.rules);
  for (const BorderTrial& trial : request.trials) {
    const auto& features = request.rules.partition.features;
    const bool fits = trial.feature < read.size() && read[trial.feature] != 0 &&
                      trial.border < borders_of(features[trial.feature]).size() &&
                      trial.start <= trial.end;
    if (!fits) fail_data("a request to shards moves a border that the rules do not read");
  }
}

// The rows of a shard with the columns that rules read in the types of their features: if a column
// is categorical in other shards, its numbers here are names; if it is numeric there, a column
// without any value here holds missing numbers.
class ShardRows {
 public:
  ShardRows(const TableView& view, const ColumnRoles& roles, const RuleBase& rules,
            std::size_t shard)
      : view_(view) {
    made_.reserve(view_.columns.size());
    for (ColumnView& column : view_.columns) adapt(column, rules, shard);
    const std::vector<char> read = features_read(rules);
    for (std::size_t j = 0; j < read.size(); ++j) {
      if (read[j] == 0) continue;
      require_column(view_, rules.partition.features[j].name, shard, "a rule reads it");
    }
    weights_ = row_weights(view_, roles, shard);
    classes_ = class_indices(require_column(view_, roles.target, shard, "the target"), view_.rows,
                             rules.classes);
    for (std::size_t row = 0; weights_ && row < view_.rows; ++row) {
      if ((*weights_)[row] == 0) classes_[row] = -1;
    }
  }

  [[nodiscard]] const TableView& view() const { return view_; }
  // Of each row: its class, -1 if the row is not usable.
  [[nodiscard]] const std::vector<int>& classes() const { return classes_; }
  // Of each row; none where each row weighs 1.
  [[nodiscard]] std::vector<std::int64_t> units(double most_weight) const {
    std::vector<std::int64_t> units;
    if (!weights_) return units;
    for (const double weight : *weights_) units.push_back(weight_units(weight, most_weight));
    return units;
  }

 private:
  void adapt(ColumnView& column, const RuleBase& rules, std::size_t shard) {
    const auto& features = rules.partition.features;
    const auto feature = std::find_if(features.begin(), features.end(), [&](const Feature& other) {
      return other.name == column.name;
    });
    if (feature == features.end() || feature->type == column.type) return;
    const auto is_missing = [](std::int32_t code) { return code == Column::missing_code; };
    if (column.type == ColumnType::numeric) {
      made_.push_back(named_numbers(column, view_.rows));
    } else if (std::all_of(column.codes, column.codes + view_.rows, is_missing)) {
      Column& missing = made_.emplace_back();
      missing.name = column.name;
      missing.values.assign(view_.rows, std::numeric_limits<double>::quiet_NaN());
    } else {
      fail_data("shard " + std::to_string(shard) + ": column '" + std::string(column.name) +
                "' now holds names, unlike in the survey; its rows must stay the same");
    }
    column = ColumnView(made_.back());
  }

  TableView view_;
  std::vector<Column> made_;
  std::vector<int> classes_;
  std::optional<std::vector<double>> weights_;
};

}  // namespace

std::vector<std::string> columns_read(const RuleBase& rules, const ColumnRoles& roles) {
  std::vector<std::string> names = {roles.target};
  if (!roles.weight.empty()) names.push_back(roles.weight);
  const std::vector<char> read = features_read(rules);
  for (std::size_t j = 0; j < read.size(); ++j) {
    if (read[j] != 0) names.push_back(rules.partition.features[j].name);
  }
  return names;
}

std::vector<std::int64_t> score_rules(const TableView& view, const ColumnRoles& roles,
                                      const ScoreRequest& request, std::size_t shard, int threads) {
  check_trials(request);
  const RuleBase& rules = request.rules;
  if (view.rows == 0) {
    const std::size_t sums = RuleScoreLayout(rules, request.margin, request.trials.size()).size();
    return std::vector<std::int64_t>(sums, 0);
  }
  const ShardRows rows(view, roles, rules, shard);
  return rule_score_sums(rules, request.trials, request.margin, ColumnMap(rules, rows.view()),
                         rows.classes(), rows.units(request.most_weight), threads);
}

std::vector<std::int64_t> count_decisions(const TableView& view, const ColumnRoles& roles,
                                          const RuleBase& rules, double most_weight,
                                          std::size_t shard, int threads) {
  if (view.rows == 0) return std::vector<std::int64_t>(CountLayout(rules).size(), 0);
  const ShardRows rows(view, roles, rules, shard);
  return decision_counts(rules, ColumnMap(rules, rows.view()), rows.classes(), {},
                         rows.units(most_weight), threads);
}

std::vector<std::int64_t> sum_losses(const TableView& view, const ColumnRoles& roles,
                                     const LossRequest& request, std::size_t shard, int threads) {
  const LossLayout layout(request.rules);
  check_point(layout, request.point, request.fraction_bits);
  if (view.rows == 0) return std::vector<std::int64_t>(layout.size(), 0);
  const ShardRows rows(view, roles, request.rules, shard);
  return loss_sums(request.rules, request.point, ColumnMap(request.rules, rows.view()),
                   rows.classes(), rows.units(request.most_weight), request.fraction_bits, threads);
}

}  // namespace frr::internal
