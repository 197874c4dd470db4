// Random rules on random tables, and their scores on each row as prediction computes them: slow and
// plain, for tests of the sums over rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "frr/frr.hpp"
#include "model/inference.hpp"
#include "network/extract.hpp"
#include "support/random_table.hpp"

namespace frr::internal::plain_rules {

struct Row {
  std::vector<double> scores;                // of each rule, in steps; -inf if its truth is 0
  std::vector<std::vector<double>> shorter;  // truth without each condition, in steps, unweighted
};

inline double steps(double degree) {
  return degree > 0 ? std::log(degree) / std::log(1.25) : -HUGE_VAL;
}

inline Row row_of(const RuleBase& base, const ColumnMap& map, std::size_t row) {
  std::vector<FeatureValue> values(base.partition.features.size());
  for (const Rule& rule : base.rules) {
    for (const Condition& condition : rule.conditions) {
      const auto feature = static_cast<std::size_t>(condition.feature);
      values[feature] = map.value(row, condition.feature);
    }
  }
  Row result;
  for (const Rule& rule : base.rules) {
    result.scores.push_back(steps(rule.weight * truth(base, rule, values)));
    std::vector<double> truths;
    for (std::size_t p = 0; p <= rule.conditions.size(); ++p) {
      Rule without = rule;
      if (p < rule.conditions.size()) {
        without.conditions.erase(without.conditions.begin() + static_cast<std::ptrdiff_t>(p));
      }
      truths.push_back(steps(truth(base, without, values)));
    }
    result.shorter.push_back(std::move(truths));
  }
  return result;
}

inline double degree_of(const RuleBase& base, const Row& row, int actual, double margin) {
  double right = -HUGE_VAL, wrong = -HUGE_VAL;
  for (std::size_t r = 0; r < base.rules.size(); ++r) {
    double& side = base.rules[r].then == actual ? right : wrong;
    side = std::max(side, row.scores[r]);
  }
  if (right == -HUGE_VAL && wrong == -HUGE_VAL) return base.otherwise == actual ? 1 : 0;
  if (right == -HUGE_VAL) return 0;
  if (wrong == -HUGE_VAL) return 1;
  if (margin == 0) return right > wrong + 1e-4 ? 1 : 0;
  return std::clamp((right - wrong + margin) / (2 * margin), 0.0, 1.0);
}

struct Case {
  random_table::Problem problem;
  RuleBase base;
  ColumnMap map;
  std::vector<int> classes;

  Case(Random& random, const random_table::Shape& shape, const Settings& settings)
      : problem(random_table::make(random, shape), settings),
        base(make_base(random, problem)),
        map(base, problem.table),
        classes(problem.data.labels) {}
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  static RuleBase make_base(Random& random, const random_table::Problem& problem) {
    const auto rules = random_table::random_rules(random, problem, 5, 3);
    RuleBase base =
        make_rulebase(problem.partition, problem.memberships, rules, 0, problem.settings);
    base.classes = problem.data.classes;
    base.target = problem.data.target;
    return base;
  }
};

inline Settings settings_for(std::uint64_t seed) {
  const auto tnorms = random_table::all_tnorms();
  Settings settings;
  settings.tnorm = tnorms[seed % tnorms.size()];
  settings.margin = seed % 3 == 0 ? 0 : 3;
  settings.price = seed % 2 == 0 ? 0.1 : 2;
  return settings;
}

// The rows from `from` to `to`, with their classes.
struct Part {
  Table table;
  std::vector<int> classes;
};
inline Part part_of(const Case& example, std::size_t from, std::size_t to) {
  Part part;
  part.table.rows = to - from;
  const auto cut = [&](const auto& all) {
    return std::decay_t<decltype(all)>(all.begin() + static_cast<std::ptrdiff_t>(from),
                                       all.begin() + static_cast<std::ptrdiff_t>(to));
  };
  for (const Column& column : example.problem.table.columns) {
    Column copy = column;
    if (column.type == ColumnType::numeric) {
      copy.values = cut(column.values);
    } else {
      copy.codes = cut(column.codes);
    }
    part.table.columns.push_back(std::move(copy));
  }
  part.classes = cut(example.classes);
  return part;
}

}  // namespace frr::internal::plain_rules
