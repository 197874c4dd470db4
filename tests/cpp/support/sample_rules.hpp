// Rule bases and tables for tests: a small one made by hand, and random ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "frr/frr.hpp"

namespace frr::internal::sample {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline const double nan = std::numeric_limits<double>::quiet_NaN();

inline Label range(std::string name, double a, double b, double c, double d) {
  return {std::move(name), LabelKind::range, {a, b, c, d}};
}
inline Label category(std::string name) { return {std::move(name), LabelKind::category, {}}; }
inline Label missing(std::string name = "missing") {
  return {std::move(name), LabelKind::missing, {}};
}

inline Rule rule(std::vector<Condition> conditions, int then, double weight,
                 std::vector<double> class_rows = {}, double coverage = 0) {
  return {.conditions = std::move(conditions),
          .then = then,
          .weight = weight,
          .statistics = {.class_rows = std::move(class_rows), .coverage = coverage}};
}

// Features: 0 glucose (low falls from 99 to 117, high rises there; missing), 1 age (young falls
// from 30 to 40, old rises there), 2 sex (f, m).
//   1  IF glucose IS high AND age IS old THEN ill       weight 0.8   decides 2 well, 18 ill
//   2  IF glucose IS low THEN well                      weight 0.5   decides 30 well
//   3  IF glucose IS missing AND sex IS f THEN ill      weight 1     decides nothing
//   ELSE well                                                        decides 3 well, 1 ill
inline RuleBase patients() {
  RuleBase base;
  base.target = "state";
  base.classes = {"well", "ill"};
  base.partition.features = {
      {.name = "glucose",
       .labels = {range("low", -infinity, -infinity, 99, 117),
                  range("high", 99, 117, infinity, infinity), missing()},
       .low = 44,
       .high = 199,
       .spread = 100},
      {.name = "age",
       .labels = {range("young", -infinity, -infinity, 30, 40),
                  range("old", 30, 40, infinity, infinity)},
       .low = 21,
       .high = 81,
       .spread = 50},
      {.name = "sex", .type = ColumnType::categorical, .labels = {category("f"), category("m")}},
  };
  base.rules = {rule({{0, 1}, {1, 1}}, 1, 0.8, {2, 18}, 25), rule({{0, 0}}, 0, 0.5, {30, 0}, 40),
                rule({{0, 2}, {2, 0}}, 1, 1, {0, 0}, 0)};
  base.otherwise = 0;
  base.otherwise_statistics = {{3, 1}, 4};
  return base;
}

inline Table patient_table(const std::vector<double>& glucose, const std::vector<double>& age,
                           const std::vector<std::optional<std::string>>& sex) {
  Table table;
  table.source = "patients.csv";
  table.add_numeric("glucose", glucose);
  table.add_numeric("age", age);
  table.add_categorical("sex", sex);
  return table;
}

// Ordered labels with random corners; about half of the borders are crisp or shared.
inline Feature random_numeric(Random& random, std::string name) {
  Feature feature;
  feature.name = std::move(name);
  const std::size_t labels = 1 + random.below(4);
  std::vector<double> corners;
  for (std::size_t i = 0; i < 2 * (labels - 1); ++i)
    corners.push_back(random.below(2) != 0 ? std::round(random.normal() * 50)
                                           : random.normal() * 50);
  std::sort(corners.begin(), corners.end());
  for (std::size_t v = 0; v < labels; ++v) {
    const bool first = v == 0, last = v + 1 == labels;
    const double start = first ? -infinity : corners[2 * v - 2];
    const double rise = first ? -infinity : corners[2 * v - 1];
    const double fall = last ? infinity : corners[2 * v];
    const double end = last ? infinity : corners[2 * v + 1];
    feature.labels.push_back(range("label " + std::to_string(v), start, rise, fall, end));
  }
  if (random.below(3) == 0) feature.labels.push_back(missing());
  feature.low = -100 * random.uniform();
  feature.high = 100 * random.uniform();
  feature.spread = (feature.high - feature.low) * 0.9;
  return feature;
}

inline Feature random_categorical(Random& random, std::string name) {
  Feature feature;
  feature.name = std::move(name);
  feature.type = ColumnType::categorical;
  for (std::size_t v = 0; v <= random.below(4); ++v)
    feature.labels.push_back(category(std::string(1, static_cast<char>('a' + v))));
  if (random.below(3) == 0) feature.labels.push_back(missing());
  return feature;
}

inline Rule random_rule(Random& random, const RuleBase& base) {
  Rule result;
  std::vector<int> features(base.partition.features.size());
  for (std::size_t f = 0; f < features.size(); ++f) features[f] = static_cast<int>(f);
  random.shuffle<int>(features);
  const std::size_t conditions = 1 + random.below(std::min<std::size_t>(3, features.size()));
  for (std::size_t k = 0; k < conditions; ++k) {
    const auto& labels = base.partition.features[static_cast<std::size_t>(features[k])].labels;
    result.conditions.push_back({features[k], static_cast<int>(random.below(labels.size()))});
  }
  result.then = static_cast<int>(random.below(base.classes.size()));
  result.weight = 1 - random.uniform();
  result.statistics.class_rows.resize(base.classes.size());
  for (double& rows : result.statistics.class_rows) rows = static_cast<double>(random.below(50));
  result.statistics.coverage = result.statistics.rows() + static_cast<double>(random.below(9));
  return result;
}

// Costs, a threshold or neither.
inline DecisionPolicy random_policy(Random& random, std::size_t classes) {
  DecisionPolicy policy;
  const auto choice = random.below(4);
  if (choice == 0) policy.refer = random.uniform();
  if (choice == 1) {
    const bool by_true_class = random.below(2) == 0;
    for (std::size_t c = 0; c < classes; ++c) {
      const double cost = 1 + static_cast<double>(random.below(5));
      for (std::size_t d = 0; d < classes; ++d) {
        const double other = 1 + static_cast<double>(random.below(5));
        policy.costs.push_back(c == d ? 0 : by_true_class ? cost : other);
      }
    }
  }
  if (choice == 2) {
    policy.positive = static_cast<int>(random.below(classes));
    policy.threshold = 0.1 + 0.8 * random.uniform();
  }
  return policy;
}

// Its classes follow from its counts and its policy, as in a trained model.
inline RuleBase random_rule_base(Random& random) {
  RuleBase base;
  base.target = "class";
  for (std::size_t c = 0; c < 2 + random.below(3); ++c)
    base.classes.push_back("class " + std::to_string(c));
  const std::size_t features = 1 + random.below(5);
  for (std::size_t f = 0; f < features; ++f) {
    const std::string name = "feature " + std::to_string(f);
    base.partition.features.push_back(random.below(4) == 0 ? random_categorical(random, name)
                                                           : random_numeric(random, name));
  }
  const std::vector<TNorm> tnorms = {{TNormKind::product},  {TNormKind::product},
                                     {TNormKind::minimum},  {TNormKind::aczel_alsina, 2.5},
                                     {TNormKind::hamacher}, {TNormKind::lukasiewicz}};
  base.tnorm = tnorms[random.below(tnorms.size())];
  base.semantics = random.below(3) == 0 ? Semantics::additive : Semantics::sufficient;
  base.root = random.below(4) == 0 ? 1 + 3 * random.uniform() : 1;
  const std::size_t rules = random.below(9);
  for (std::size_t r = 0; r < rules; ++r) base.rules.push_back(random_rule(random, base));
  base.otherwise = static_cast<int>(random.below(base.classes.size()));
  base.otherwise_statistics.class_rows.assign(base.classes.size(), 0.0);
  base.otherwise_statistics.class_rows[0] = static_cast<double>(random.below(20));
  base.otherwise_statistics.coverage = base.otherwise_statistics.rows();
  base.policy = random_policy(random, base.classes.size());
  for (std::size_t c = 0; c < base.classes.size(); ++c) {
    base.class_rows.push_back(1 + static_cast<double>(random.below(500)));
  }
  if (base.semantics == Semantics::additive) {
    for (Rule& rule : base.rules) rule.weight *= 3;
    for (std::size_t c = 0; c < base.classes.size(); ++c) base.biases.push_back(random.normal());
  }
  apply_policy(base);
  return base;
}

inline Table random_table(Random& random, const RuleBase& base, std::size_t rows) {
  Table table;
  table.source = "random.csv";
  for (const Feature& feature : base.partition.features) {
    std::vector<double> numbers;
    std::vector<std::optional<std::string>> texts;
    for (std::size_t row = 0; row < rows; ++row) {
      const bool absent = random.below(10) == 0;
      numbers.push_back(absent ? nan : std::round(random.normal() * 60));
      texts.emplace_back(std::string(1, static_cast<char>('a' + random.below(5))));
      if (absent) texts.back() = std::nullopt;
    }
    if (feature.type == ColumnType::numeric)
      table.add_numeric(feature.name, numbers);
    else
      table.add_categorical(feature.name, texts);
  }
  return table;
}

}  // namespace frr::internal::sample
