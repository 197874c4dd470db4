#include "frr/rulebase.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "model/decider.hpp"
#include "model/inference.hpp"
#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

using sample::infinity;
using sample::nan;

TEST(TrapezoidShape, RisesIsOneAndFalls) {
  const Trapezoid t{1, 3, 5, 9};
  EXPECT_EQ(t(0.5), 0);
  EXPECT_EQ(t(1), 0);
  EXPECT_EQ(t(2), 0.5);
  EXPECT_EQ(t(3), 1);
  EXPECT_EQ(t(5), 1);
  EXPECT_EQ(t(6), 0.75);
  EXPECT_EQ(t(9), 0);
  EXPECT_EQ(t(nan), 0);
}

TEST(TrapezoidShape, OpenEndsAndCrispBorders) {
  const Trapezoid left{-infinity, -infinity, 2, 2}, right{2, 2, infinity, infinity};
  EXPECT_EQ(left(-1e308), 1);
  EXPECT_EQ(left(std::nextafter(2.0, 0.0)), 1);
  EXPECT_EQ(left(2), 0);
  EXPECT_EQ(right(2), 1);
  EXPECT_EQ(right(1e308), 1);
  EXPECT_EQ(right(1.999), 0);
  EXPECT_EQ(left(-infinity), 1);
  EXPECT_EQ(left(infinity), 0);
  EXPECT_EQ(right(infinity), 1);
  EXPECT_EQ(right(-infinity), 0);
}

TEST(Membership, EachKindReadsItsPartOfTheValue) {
  const FeatureValue number{.number = 2, .category = -1, .missing = false};
  const FeatureValue second{.number = nan, .category = 1, .missing = false};
  const FeatureValue absent{.number = nan, .category = -1, .missing = true};
  const Label range = sample::range("r", 1, 3, 5, 9);
  EXPECT_EQ(membership(range, 0, number), 0.5);
  EXPECT_EQ(membership(range, 0, absent), 0);
  EXPECT_EQ(membership(sample::category("x"), 1, second), 1);
  EXPECT_EQ(membership(sample::category("x"), 0, second), 0);
  EXPECT_EQ(membership(sample::missing(), 2, absent), 1);
  EXPECT_EQ(membership(sample::missing(), 2, number), 0);
}

TEST(RuleBaseSize, CountsConditionsAndLabels) {
  const RuleBase base = sample::patients();
  EXPECT_EQ(base.size(), 5u);
  EXPECT_EQ(base.unique_conditions(), 5u);
  EXPECT_EQ(base.partition.label_count(), 7u);
  EXPECT_EQ(base.condition_text({0, 1}), "glucose IS high");
  EXPECT_DOUBLE_EQ(base.rules[0].confidence(), 0.9);
  EXPECT_EQ(base.rules[2].confidence(), 0);
  RuleBase repeated = base;
  repeated.rules.push_back(base.rules[0]);
  EXPECT_EQ(repeated.size(), 7u);
  EXPECT_EQ(repeated.unique_conditions(), 5u);
}

TEST(RuleText, StatesConditionsAndClass) {
  const RuleBase base = sample::patients();
  EXPECT_EQ(base.rule_text(base.rules[0]), "IF glucose IS high AND age IS old THEN ill");
  EXPECT_EQ(base.rule_text(base.rules[1]), "IF glucose IS low THEN well");
}

TEST(UsedFeatures, AreThoseThatARuleReads) {
  RuleBase base = sample::patients();
  EXPECT_EQ(base.used_features(), (std::vector<bool>{true, true, true}));
  base.rules.pop_back();  // the only rule that reads sex
  EXPECT_EQ(base.used_features(), (std::vector<bool>{true, true, false}));
  base.rules.clear();
  EXPECT_EQ(base.used_features(), (std::vector<bool>{false, false, false}));
}

// glucose 108: low = high = 0.5. age 35: old = 0.5. Rule 1: 0.8 * 0.25, rule 2: 0.5 * 0.5.
TEST(Decide, HandComputedScores) {
  const RuleBase base = sample::patients();
  const Table table = sample::patient_table(
      {108, 117, nan, nan, 108, 200}, {35, 40, 50, 50, 40, 20}, {"m", "m", "f", "m", "f", "f"});
  const ColumnMap map(base, table);
  const auto expect = [&](std::size_t row, int predicted, int rule, double score) {
    const Decision d = decide(base, map, row);
    EXPECT_EQ(d.predicted, predicted) << row;
    EXPECT_EQ(d.rule, rule) << row;
    EXPECT_DOUBLE_EQ(d.score, score) << row;
  };
  expect(0, 0, 1, 0.25);
  expect(1, 1, 0, 0.8);
  expect(2, 1, 2, 1.0);
  expect(3, 0, Decision::otherwise, 0);
  expect(4, 1, 0, 0.4);
  expect(5, 0, Decision::otherwise, 0);
}

TEST(Decide, FirstOfEqualScoresWins) {
  RuleBase base = sample::patients();
  base.rules = {sample::rule({{0, 0}}, 1, 0.5), sample::rule({{1, 0}}, 0, 0.5)};
  const Table table = sample::patient_table({50}, {20}, {"f"});
  EXPECT_EQ(decide(base, ColumnMap(base, table), 0).rule, 0);
  std::swap(base.rules[0], base.rules[1]);
  EXPECT_EQ(decide(base, ColumnMap(base, table), 0).predicted, 0);
}

// Scores of the classes: well -0.2 + 0.3 + 0.3, ill 0.1 + 0.5; the strongest of the winning class
// is the first of its equals.
TEST(Decide, AdditiveAddsTheScoresOfAClassToItsBias) {
  RuleBase base = sample::patients();
  base.semantics = Semantics::additive;
  base.biases = {0, -0.1};
  base.rules = {sample::rule({{2, 0}}, 1, 0.5), sample::rule({{0, 0}}, 0, 0.3),
                sample::rule({{1, 0}}, 0, 0.3)};
  const Table table = sample::patient_table({50, 50, 300}, {20, 80, 80}, {"f", "f", "m"});
  const ColumnMap map(base, table);
  const Decision both = decide(base, map, 0);
  EXPECT_EQ(both.predicted, 0);
  EXPECT_EQ(both.rule, 1);
  EXPECT_EQ(both.score, 0.3);
  EXPECT_EQ(decide(base, map, 1).predicted, 1);
  EXPECT_EQ(decide(base, map, 2).predicted, 0);
  EXPECT_EQ(decide(base, map, 2).rule, Decision::otherwise);
  base.biases = {0, 0.5};
  EXPECT_EQ(decide(base, map, 0).predicted, 1);
  EXPECT_EQ(decide(base, map, 2).predicted, 1);
  base.biases = {0, 0};
  base.rules[0].weight = 0.6;  // 0.6 and 0.3 + 0.3: equal sums, the first class
  EXPECT_EQ(decide(base, map, 0).predicted, 0);
}

TEST(Decide, RootLiftsTheTruthOfARule) {
  RuleBase base = sample::patients();
  base.root = 2;
  const Table table = sample::patient_table({108}, {35}, {"f"});
  const ColumnMap map(base, table);
  const std::vector<FeatureValue> row = {map.value(0, 0), map.value(0, 1), {}};
  EXPECT_DOUBLE_EQ(truth(base, base.rules[0], row), 0.5);  // sqrt(0.5 * 0.5)
  EXPECT_EQ(decide(base, row).rule, 0);                    // 0.8 * 0.5 against 0.5 * sqrt(0.5)
}

// The class that the policy predicts, from the expected costs of all classes.
int slow_policy(const DecisionPolicy& policy, std::span<const double> sums) {
  std::vector<double> p;
  double total = 0;
  for (const double sum : sums) total += std::exp(sum);
  for (const double sum : sums) p.push_back(std::exp(sum) / total);
  const std::size_t classes = p.size();
  if (policy.threshold && p[static_cast<std::size_t>(policy.positive)] >= *policy.threshold) {
    return policy.positive;
  }
  int best = -1;
  double least = 0;
  for (std::size_t d = 0; d < classes; ++d) {
    if (policy.threshold && static_cast<int>(d) == policy.positive) continue;
    double cost = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      const double error = policy.costs.empty() ? 1 : policy.costs[c * classes + d];
      cost += c == d ? 0 : p[c] * error;
    }
    if (best < 0 || cost < least - 1e-12) {
      best = static_cast<int>(d);
      least = cost;
    }
  }
  return best;
}

// The score in plain steps: memberships from left to right, then the root, then the weight.
Decision slow_decide(const RuleBase& base, const ColumnMap& map, std::size_t row) {
  std::vector<double> sums = base.biases;
  sums.resize(base.classes.size(), 0.0);
  std::vector<double> scores;
  for (const Rule& rule : base.rules) {
    std::vector<double> degrees;
    double product = 1.0;
    for (const Condition& c : rule.conditions) {
      const auto& feature = base.partition.features[static_cast<std::size_t>(c.feature)];
      const auto value = map.value(row, c.feature);
      const Label& label = feature.labels[static_cast<std::size_t>(c.label)];
      double degree = 0;
      if (label.kind == LabelKind::missing) degree = value.missing;
      if (label.kind == LabelKind::category) degree = value.category == c.label;
      if (label.kind == LabelKind::range && !value.missing) {
        const double x = value.number;
        const auto [a, b, l, d] = label.shape;
        if (x >= a && x < d) degree = x < b ? (x - a) / (b - a) : x > l ? (d - x) / (d - l) : 1;
      }
      degrees.push_back(degree);
      product *= degree;
    }
    double t = base.tnorm.kind == TNormKind::product ? product : conjunction(base.tnorm, degrees);
    if (base.root != 1) t = std::pow(t, 1 / base.root);
    scores.push_back(rule.weight * t);
    sums[static_cast<std::size_t>(rule.then)] += scores.back();
  }
  Decision best{.predicted = base.otherwise};
  if (base.semantics == Semantics::additive) {
    best.predicted = slow_policy(base.policy, sums);
  }
  for (std::size_t r = 0; r < scores.size(); ++r) {
    if (base.semantics == Semantics::additive && base.rules[r].then != best.predicted) continue;
    if (scores[r] > best.score) best = {base.rules[r].then, static_cast<int>(r), scores[r]};
  }
  return best;
}

TEST(Decide, AgreesBitForBitWithPlainArithmeticOnRandomRuleBases) {
  Random random(11);
  int by_rule = 0;
  for (int round = 0; round < 300; ++round) {
    const RuleBase base = sample::random_rule_base(random);
    const Table table = sample::random_table(random, base, 30);
    const ColumnMap map(base, table);
    for (std::size_t row = 0; row < table.rows; ++row) {
      const Decision expected = slow_decide(base, map, row);
      const Decision actual = decide(base, map, row);
      EXPECT_EQ(actual.predicted, expected.predicted);
      EXPECT_EQ(actual.rule, expected.rule);
      EXPECT_EQ(actual.score, expected.score);
      by_rule += actual.rule != Decision::otherwise;
    }
  }
  EXPECT_GT(by_rule, 2000);
}

TEST(DecideAll, IsTheSameWithAnyNumberOfThreads) {
  Random random(12);
  const RuleBase base = sample::patients();
  const std::size_t rows = 40'000;
  std::vector<double> glucose(rows), age(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    glucose[i] = 108 + 20 * random.normal();
    age[i] = 35 + 10 * random.normal();
  }
  const Table table =
      sample::patient_table(glucose, age, std::vector<std::optional<std::string>>(rows, "f"));
  const ColumnMap map(base, table);
  for (const int threads : {1, 2, 7}) {
    const std::vector<Decision> all = decide_all(base, map, threads);
    ASSERT_EQ(all.size(), rows);
    for (std::size_t row = 0; row < rows; ++row) {
      const Decision one = decide(base, map, row);
      EXPECT_EQ(all[row].predicted, one.predicted);
      EXPECT_EQ(all[row].score, one.score);
    }
  }
}

}  // namespace
}  // namespace frr::internal
