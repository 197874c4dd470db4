#include "evaluate/same_training.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.hpp"
#include "frr/error.hpp"
#include "model/column_map.hpp"
#include "model/policy.hpp"
#include "model/statistics.hpp"
#include "train/options.hpp"
#include "train/training_cost.hpp"

namespace frr::internal {
namespace {

std::string whole(double value) { return shortest(std::round(value)); }

PolicyRequest same_policy(const RuleBase& base) {
  const DecisionPolicy& policy = base.policy;
  const std::size_t classes = base.classes.size();
  PolicyRequest request;
  if (policy.positive >= 0) {
    request.positive = base.classes[static_cast<std::size_t>(policy.positive)];
  }
  for (std::size_t i = 0; i < policy.costs.size(); ++i) {
    const std::size_t c = i / classes, d = i % classes;
    if (c != d) request.costs.push_back({base.classes[c], base.classes[d], policy.costs[i]});
  }
  request.threshold = policy.threshold;
  request.refer = policy.refer;
  return request;
}

// Weighted rows are counted in units, whose sums are rounded when they are scaled.
bool same_counts(const Statistics& x, const Statistics& y) {
  constexpr double rounding = 1e-5;
  const auto same = [](double a, double b) { return std::fabs(a - b) <= rounding; };
  return std::ranges::equal(x.class_rows, y.class_rows, same) && same(x.coverage, y.coverage);
}

}  // namespace

std::string recorded_setting(const RuleBase& base, std::string_view name) {
  for (const auto& [key, value] : base.summary.settings)
    if (key == name) return value;
  return "";
}

TrainRequest same_training(const RuleBase& base) {
  TrainRequest request;
  request.target = base.target;
  if (const std::string name = recorded_setting(base, "preset"); !name.empty())
    request.settings = preset(name);
  for (const Option& option : option_table()) {
    const std::string value = recorded_setting(base, option.name);
    if (option.shapes_result && !value.empty()) set_option(request.settings, option, value);
  }
  request.policy = same_policy(base);
  return request;
}

double checked_cost(const RuleBase& base, std::size_t rows, const std::string& instead) {
  const double cost =
      training_cost(same_training(base).settings, rows, base.partition.features.size());
  if (cost <= max_recorded_cost) return cost;
  fail_data("training with the settings that the model records may take " + whole(cost) +
            " times as long as with the defaults; the limit for a model file is " +
            whole(max_recorded_cost) + " times. " + instead);
}

bool was_trained_on(const RuleBase& base, const Table& table, std::span<const int> classes,
                    std::span<const double> weights, int threads) {
  if (!has_counts(base)) return false;
  std::vector<int> known(classes.begin(), classes.end());
  std::vector<std::int64_t> units;
  if (!weights.empty()) {
    const double most = *std::ranges::max_element(weights);
    for (std::size_t row = 0; row < known.size(); ++row) {
      if (!(weights[row] > 0)) known[row] = -1;
      units.push_back(weight_units(weights[row], most));
    }
  }
  RuleBase counted = base;
  const std::vector<std::int64_t> counts =
      decision_counts(base, ColumnMap(base, table), known, {}, units, threads);
  const auto unweighted =
      static_cast<double>(std::ranges::count_if(known, [](int c) { return c >= 0; }));
  set_statistics(counted, counts,
                 weights.empty() ? unweighted : static_cast<double>(base.summary.rows));
  if (!same_counts(base.otherwise_statistics, counted.otherwise_statistics)) return false;
  return std::ranges::equal(base.rules, counted.rules, [](const Rule& x, const Rule& y) {
    return same_counts(x.statistics, y.statistics);
  });
}

}  // namespace frr::internal
