#include "frr/explain.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/explain.hpp"
#include "model/inference.hpp"
#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

using sample::nan;

// glucose 108: low = high = 0.5; age 40: old = 1. Rule 1: 0.8 * 0.5 = 0.4 (ill), rule 2:
// 0.5 * 0.5 = 0.25 (well).
TEST(Explain, GivesWinnerRunnerUpAndMargin) {
  const RuleBase base = sample::patients();
  const Table table = sample::patient_table({108}, {40}, {"m"});
  const Explanation e = explain(base, ColumnMap(base, table), 0);
  EXPECT_EQ(e.decision.predicted, 1);
  ASSERT_TRUE(e.winner.has_value());
  EXPECT_EQ(e.winner->rule, 0);
  EXPECT_DOUBLE_EQ(e.winner->truth, 0.5);
  EXPECT_DOUBLE_EQ(e.winner->score, 0.4);
  ASSERT_EQ(e.winner->conditions.size(), 2u);
  EXPECT_EQ(e.winner->conditions[0].condition, (Condition{0, 1}));
  EXPECT_DOUBLE_EQ(e.winner->conditions[0].membership, 0.5);
  EXPECT_EQ(e.winner->conditions[0].value, "108");
  EXPECT_EQ(e.winner->conditions[1].membership, 1);
  ASSERT_TRUE(e.runner_up.has_value());
  EXPECT_EQ(e.runner_up->rule, 1);
  EXPECT_DOUBLE_EQ(e.runner_up->score, 0.25);
  EXPECT_DOUBLE_EQ(e.margin, 0.15);
  EXPECT_DOUBLE_EQ(e.probabilities[1], (18 + 19.0 / 54) / 21);
}

// Rule 1 against rule 2: 0.8 (g - 99) / 18 = 0.5 (117 - g) / 18 where g = 137.7 / 1.3 = 105.923...
// Age: 0.8 * 0.5 * (a - 30) / 10 = 0.25 where a = 36.25; there rule 1 still wins as the first of
// equals, and below it loses.
TEST(Explain, FindsTheExactCrossings) {
  const RuleBase base = sample::patients();
  const Table table = sample::patient_table({108}, {40}, {"m"});
  const Explanation e = explain(base, ColumnMap(base, table), 0);
  ASSERT_EQ(e.changes.size(), 2u);  // sex changes nothing
  EXPECT_EQ(e.changes[0].feature, 0);
  EXPECT_EQ(e.changes[0].from, "108");
  EXPECT_LE(std::stod(e.changes[0].to), 137.7 / 1.3);
  EXPECT_GE(std::stod(e.changes[0].to), 137.7 / 1.3 - 0.1);
  EXPECT_EQ(e.changes[0].to, "105.9");  // the shortest within 0.1% of the spread of 100
  EXPECT_NEAR(e.changes[0].distance, 0.021, 1e-15);
  EXPECT_EQ(e.changes[0].predicted, 0);
  EXPECT_EQ(e.changes[0].rule, 1);
  EXPECT_EQ(e.changes[1].feature, 1);
  EXPECT_EQ(e.changes[1].to, "36.2");
  EXPECT_NEAR(e.changes[1].distance, 0.076, 1e-15);
}

TEST(Explain, ElseHasNoWinnerAndNoMargin) {
  const RuleBase base = sample::patients();
  const Table table = sample::patient_table({200}, {20}, {"m"});
  const Explanation e = explain(base, ColumnMap(base, table), 0);
  EXPECT_FALSE(e.winner.has_value());
  EXPECT_FALSE(e.runner_up.has_value());
  EXPECT_EQ(e.margin, 0);
  EXPECT_DOUBLE_EQ(e.probabilities[0], (3 + 35.0 / 54) / 5);
  // Any age above 30 makes rule 1 the only one that applies.
  ASSERT_EQ(e.changes.size(), 1u);
  EXPECT_EQ(e.changes[0].feature, 1);
  EXPECT_GT(std::stod(e.changes[0].to), 30);
  EXPECT_LE(std::stod(e.changes[0].to), 30.5);
  EXPECT_EQ(e.changes[0].rule, 0);
}

TEST(Explain, ProposesCategoriesAndSkipsMissingValues) {
  const RuleBase base = sample::patients();
  const Table table = sample::patient_table({nan}, {50}, {"f"});
  const Explanation e = explain(base, ColumnMap(base, table), 0);
  EXPECT_EQ(e.decision.rule, 2);
  EXPECT_EQ(e.winner->conditions[0].value, "");
  ASSERT_EQ(e.changes.size(), 1u);
  EXPECT_EQ(e.changes[0].feature, 2);
  EXPECT_EQ(e.changes[0].from, "f");
  EXPECT_EQ(e.changes[0].to, "m");
  EXPECT_EQ(e.changes[0].distance, 1);
  EXPECT_EQ(e.changes[0].rule, Decision::otherwise);
}

TEST(Explain, AdditiveMarginIsThatOfTheSums) {
  RuleBase base = sample::patients();
  base.semantics = Semantics::additive;
  base.rules.push_back(sample::rule({{1, 1}}, 0, 0.1));
  const Table table = sample::patient_table({108}, {40}, {"m"});
  const Explanation e = explain(base, ColumnMap(base, table), 0);
  EXPECT_EQ(e.decision.predicted, 1);
  EXPECT_NEAR(e.margin, 0.4 - (0.25 + 0.1), 1e-15);
  EXPECT_EQ(e.runner_up->rule, 1);
}

TEST(Explain, CrispBordersAreCrossedFromBothSides) {
  RuleBase base = sample::patients();
  base.partition.features[1].labels = {
      sample::range("young", -sample::infinity, -sample::infinity, 30, 30),
      sample::range("old", 30, 30, sample::infinity, sample::infinity)};
  base.rules = {sample::rule({{1, 1}}, 1, 1), sample::rule({{1, 0}}, 0, 1)};
  const Table table = sample::patient_table({1, 1}, {50, 10}, {"f", "f"});
  const ColumnMap map(base, table);
  const Explanation down = explain(base, map, 0);
  ASSERT_EQ(down.changes.size(), 1u);
  EXPECT_LT(std::stod(down.changes[0].to), 30);
  EXPECT_GE(std::stod(down.changes[0].to), 29.5);
  const Explanation up = explain(base, map, 1);
  ASSERT_EQ(up.changes.size(), 1u);
  EXPECT_EQ(up.changes[0].to, "30");
}

TEST(Explain, LongDecimalsAreUsedOnlyWhereNeeded) {
  RuleBase base = sample::patients();
  // The other class holds only from 50.0625 to 50.0703125, 1/6400 of the spread.
  base.partition.features[1].labels = {
      sample::range("young", -sample::infinity, -sample::infinity, 50.0625, 50.0625),
      sample::range("narrow", 50.0625, 50.0625, 50.0703125, 50.0703125),
      sample::range("old", 50.0703125, 50.0703125, sample::infinity, sample::infinity)};
  base.rules = {sample::rule({{1, 1}}, 1, 1), sample::rule({{1, 0}}, 0, 1)};
  const Table table = sample::patient_table({1}, {20}, {"f"});
  const Explanation e = explain(base, ColumnMap(base, table), 0);
  ASSERT_EQ(e.changes.size(), 1u);
  EXPECT_EQ(e.changes[0].to, "50.07");
}

Decision decide_changed(const RuleBase& base, const ColumnMap& map, std::size_t row, int feature,
                        double number, int category) {
  std::vector<FeatureValue> values(base.partition.features.size());
  for (const Rule& rule : base.rules)
    for (const Condition& c : rule.conditions)
      values[static_cast<std::size_t>(c.feature)] = map.value(row, c.feature);
  values[static_cast<std::size_t>(feature)].number = number;
  values[static_cast<std::size_t>(feature)].category = category;
  return decide(base, values);
}

// Walks away from the current value in small steps; the distance at which the class first changes.
double scanned_distance(const RuleBase& base, const ColumnMap& map, std::size_t row, int feature,
                        double step, double reach) {
  const double from = map.value(row, feature).number;
  const int present = decide(base, map, row).predicted;
  for (double distance = step; distance <= reach; distance += step)
    for (const double x : {from + distance, from - distance})
      if (decide_changed(base, map, row, feature, x, -1).predicted != present) return distance;
  return sample::infinity;
}

bool reads(const RuleBase& base, int feature) {
  for (const Rule& rule : base.rules)
    for (const Condition& c : rule.conditions)
      if (c.feature == feature) return true;
  return false;
}

// Every reported change is valid, and no scan on a fine grid finds a nearer one.
TEST(Explain, SmallestChangeAgreesWithAScanOnRandomRuleBases) {
  Random random(41);
  int found = 0, none = 0;
  for (int round = 0; round < 120; ++round) {
    const RuleBase base = sample::random_rule_base(random);
    const Table table = sample::random_table(random, base, 3);
    const ColumnMap map(base, table);
    for (std::size_t row = 0; row < table.rows; ++row) {
      const Explanation e = explain(base, map, row);
      std::vector<const Change*> change_of(base.partition.features.size(), nullptr);
      double last = 0;
      for (const Change& change : e.changes) {
        EXPECT_GE(change.distance, last);
        last = change.distance;
        change_of[static_cast<std::size_t>(change.feature)] = &change;
      }
      for (std::size_t f = 0; f < change_of.size(); ++f) {
        const Feature& feature = base.partition.features[f];
        const int index = static_cast<int>(f);
        const Change* change = change_of[f];
        if (!reads(base, index)) {
          EXPECT_EQ(change, nullptr);
          continue;
        }
        if (feature.type != ColumnType::numeric || map.value(row, index).missing) continue;
        constexpr double step = 0.1, reach = 400;
        const double scanned = scanned_distance(base, map, row, index, step, reach);
        if (change == nullptr) {
          ++none;
          EXPECT_EQ(scanned, sample::infinity) << to_json(base);
          continue;
        }
        ++found;
        const double to = std::stod(change->to);
        const Decision after = decide_changed(base, map, row, index, to, -1);
        EXPECT_NE(after.predicted, e.decision.predicted);
        EXPECT_EQ(after.predicted, change->predicted);
        EXPECT_EQ(after.rule, change->rule);
        const double moved = std::fabs(to - map.value(row, index).number);
        EXPECT_NEAR(change->distance, moved / feature.spread, 1e-12);
        EXPECT_LE(moved, scanned + 0.01 * feature.spread + 1e-9) << to_json(base);
      }
    }
  }
  EXPECT_GT(found, 100);
  EXPECT_GT(none, 50);
}

TEST(Explain, FindsExactlyTheCategoryChangesThatChangeTheClass) {
  Random random(42);
  int found = 0;
  for (int round = 0; round < 300; ++round) {
    const RuleBase base = sample::random_rule_base(random);
    const Table table = sample::random_table(random, base, 3);
    const ColumnMap map(base, table);
    for (std::size_t row = 0; row < table.rows; ++row) {
      const Explanation e = explain(base, map, row);
      for (std::size_t f = 0; f < base.partition.features.size(); ++f) {
        const Feature& feature = base.partition.features[f];
        const int index = static_cast<int>(f);
        if (feature.type == ColumnType::numeric || !reads(base, index)) continue;
        if (map.value(row, index).missing) continue;
        std::string expected;
        for (std::size_t v = 0; v < feature.labels.size() && expected.empty(); ++v)
          if (feature.labels[v].kind == LabelKind::category &&
              decide_changed(base, map, row, index, nan, static_cast<int>(v)).predicted !=
                  e.decision.predicted)
            expected = feature.labels[v].name;
        std::string actual;
        for (const Change& change : e.changes)
          if (change.feature == index) actual = change.to;
        EXPECT_EQ(actual, expected);
        found += !actual.empty();
      }
    }
  }
  EXPECT_GT(found, 20);
}

TEST(Explain, SurvivesExtremeNumbers) {
  RuleBase base = sample::patients();
  base.partition.features[1].labels = {
      sample::range("young", -sample::infinity, -sample::infinity, -1.7e308, -1e308),
      sample::range("old", 1e308, 1.7e308, sample::infinity, sample::infinity)};
  base.rules = {sample::rule({{1, 1}}, 1, 1), sample::rule({{1, 0}}, 0, 1)};
  for (const double spread : {0.0, 5e-324, 1e308}) {
    base.partition.features[1].spread = spread;
    const Table table = sample::patient_table({1, 1, 1}, {0, 1.7e308, -1.7e308}, {"f", "f", "f"});
    const ColumnMap map(base, table);
    for (std::size_t row = 0; row < 3; ++row)
      for (const Change& change : explain(base, map, row).changes)
        EXPECT_TRUE(std::isfinite(std::stod(change.to)));
  }
}

}  // namespace
}  // namespace frr::internal
