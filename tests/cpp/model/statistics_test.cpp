#include "model/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "model/inference.hpp"
#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

using V = std::vector<double>;

const Table& six_patients() {
  static const Table table =
      sample::patient_table({108, 117, sample::nan, sample::nan, 108, 200},
                            {35, 40, 50, 50, 40, 20}, {"m", "m", "f", "m", "f", "f"});
  return table;
}
const std::vector<int> six_classes = {0, 1, 0, 1, 0, -1};

double count(RuleBase& base, std::span<const std::uint32_t> rows,
             std::span<const std::int64_t> units, double all) {
  const ColumnMap map(base, six_patients());
  return set_statistics(base, decision_counts(base, map, six_classes, rows, units, 1), all);
}

TEST(SetStatistics, CountsWhatEachRuleDecidesAndCovers) {
  RuleBase base = sample::patients();
  EXPECT_EQ(count(base, {}, {}, 5), 2);                        // rows 0 and 1 are right
  EXPECT_EQ(base.class_rows, (V{3, 2}));                       // row 5 has no class
  EXPECT_EQ(base.rules[0].statistics.class_rows, (V{1, 1}));   // rows 1 and 4
  EXPECT_EQ(base.rules[0].statistics.coverage, 3);             // and 0, where rule 2 is stronger
  EXPECT_EQ(base.rules[1].statistics.class_rows, (V{1, 0}));   // row 0
  EXPECT_EQ(base.rules[1].statistics.coverage, 2);             // and 4
  EXPECT_EQ(base.rules[2].statistics.class_rows, (V{1, 0}));   // row 2
  EXPECT_EQ(base.otherwise_statistics.class_rows, (V{0, 1}));  // row 3
  EXPECT_EQ(base.otherwise_statistics.coverage, 1);

  const std::vector<std::uint32_t> rows = {1, 3};
  count(base, rows, {}, 2);
  EXPECT_EQ(base.rules[0].statistics.class_rows, (V{0, 1}));
  EXPECT_EQ(base.rules[0].statistics.coverage, 1);
  EXPECT_EQ(base.rules[1].statistics.rows(), 0);
  EXPECT_EQ(base.otherwise_statistics.class_rows, (V{0, 1}));
}

// Weights 1, 2, 3, 1, 1 of the rows with a class: 8 in all, scaled to 5 rows.
TEST(SetStatistics, CountsWeightsScaledToTheNumberOfRows) {
  RuleBase base = sample::patients();
  const std::vector<std::int64_t> units = {1, 2, 3, 1, 1, 9};
  count(base, {}, units, 5);
  const auto expect = [](const V& counts, double first, double second) {
    EXPECT_NEAR(counts[0], first, 1e-6);
    EXPECT_NEAR(counts[1], second, 1e-6);
  };
  expect(base.class_rows, 5 * 5.0 / 8, 3 * 5.0 / 8);
  expect(base.rules[0].statistics.class_rows, 5.0 / 8, 2 * 5.0 / 8);
  expect(base.rules[2].statistics.class_rows, 3 * 5.0 / 8, 0);
  EXPECT_NEAR(base.rules[0].statistics.coverage, 4 * 5.0 / 8, 1e-6);
}

// Rule 1 is true to 0.5 or more on rows 1 and 4 (0.25 on row 0), rule 2 on rows 0 and 4, rule 3 on
// row 2; no rule applies to row 3.
TEST(SetStatistics, OfAdditiveRulesCountTheRowsOnWhichTheyAreTrue) {
  RuleBase base = sample::patients();
  base.semantics = Semantics::additive;
  base.biases = {0, 0};
  EXPECT_EQ(count(base, {}, {}, 5), 2);  // rows 1 and 0: ill 0.8, well 0.25 against 0.2
  EXPECT_EQ(base.rules[0].statistics.class_rows, (V{1, 1}));
  EXPECT_EQ(base.rules[0].statistics.coverage, 3);
  EXPECT_EQ(base.rules[1].statistics.class_rows, (V{2, 0}));
  EXPECT_EQ(base.rules[2].statistics.class_rows, (V{1, 0}));
  EXPECT_EQ(base.otherwise_statistics.class_rows, (V{0, 1}));
}

TEST(DecisionCounts, AreThoseOfEachRow) {
  Random random(26);
  for (int round = 0; round < 100; ++round) {
    const RuleBase base = sample::random_rule_base(random);
    const Table table = sample::random_table(random, base, 300);
    const ColumnMap map(base, table);
    std::vector<int> classes(table.rows);
    std::vector<std::int64_t> units(table.rows);
    for (int& c : classes) c = static_cast<int>(random.below(base.classes.size() + 1)) - 1;
    for (std::int64_t& unit : units) unit = static_cast<std::int64_t>(random.below(9));
    const CountLayout places(base);
    std::vector<std::int64_t> expected(places.size(), 0);
    for (std::size_t row = 0; row < table.rows; ++row) {
      if (classes[row] < 0) continue;
      const auto c = static_cast<std::size_t>(classes[row]);
      const bool sufficient = base.semantics == Semantics::sufficient;
      std::vector<FeatureValue> values(base.partition.features.size());
      for (const Rule& rule : base.rules) {
        for (const Condition& condition : rule.conditions) {
          values[static_cast<std::size_t>(condition.feature)] = map.value(row, condition.feature);
        }
      }
      bool covered = false;
      for (std::size_t r = 0; r < base.rules.size(); ++r) {
        const double t = truth(base, base.rules[r], values);
        if (t > 0) expected[places.coverage(r + 1)] += units[row], covered = true;
        if (!sufficient && t >= 0.5) expected[places.rows(r + 1) + c] += units[row];
      }
      const Decision decision = decide(base, values);
      if (sufficient) {
        expected[places.rows(static_cast<std::size_t>(decision.rule + 1)) + c] += units[row];
        covered = decision.rule != Decision::otherwise;
      } else if (!covered) {
        expected[places.rows(0) + c] += units[row];
      }
      if (!covered) expected[places.coverage(0)] += units[row];
      expected[places.all() + c] += units[row];
      if (decision.predicted == classes[row]) expected[places.right()] += units[row];
    }
    for (const int threads : {1, 3}) {
      EXPECT_EQ(decision_counts(base, map, classes, {}, units, threads), expected);
    }
  }
}

TEST(WeightUnits, KeepWeightsInProportion) {
  EXPECT_EQ(weight_units(0, 1), 0);
  EXPECT_EQ(weight_units(std::nan(""), 1), 0);
  // Whole numbers keep their proportions: 1, 2 and 3 of at most 3 are quarters of 2^16.
  EXPECT_EQ(weight_units(1, 3), 1 << 14);
  EXPECT_EQ(weight_units(2, 3), 2 << 14);
  EXPECT_EQ(weight_units(3, 3), 3 << 14);
  EXPECT_EQ(weight_units(1e-30, 1), 1);  // never lost
  EXPECT_EQ(weight_units(1e90, 1e90), weight_units(1e90 / (1ULL << 40), 1e90 / (1ULL << 40)));
}

}  // namespace
}  // namespace frr::internal
