#include <gtest/gtest.h>

#include <numeric>

#include "model/inference.hpp"
#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

TEST(Predict, GivesTheDecisionsAndProbabilitiesOfEachRow) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const RuleBase base = sample::random_rule_base(random);
    const Table table = sample::random_table(random, base, 7);
    const ColumnMap map(base, table);
    const std::vector<Decision> decisions = predict(base, table, 1 + trial % 2);
    const std::vector<double> all = predict_proba(base, table, 1 + trial % 2);
    const std::size_t classes = base.classes.size();
    ASSERT_EQ(decisions.size(), table.rows);
    ASSERT_EQ(all.size(), table.rows * classes);
    for (std::size_t row = 0; row < table.rows; ++row) {
      const Decision expected = decide(base, map, row);
      EXPECT_EQ(decisions[row].predicted, expected.predicted);
      EXPECT_EQ(decisions[row].rule, expected.rule);
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(row * classes);
      const std::vector<double> shares(first, first + static_cast<std::ptrdiff_t>(classes));
      EXPECT_EQ(shares, row_probabilities(base, map, row).of_class);
      EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-12);
      EXPECT_EQ(decide(base.policy, shares), expected.predicted);
    }
  }
}

// Rule 2 decides rows 1 and 2 (well, right; well, wrong), rule 1 row 3 (ill, right); the class of
// row 4 is not known.
TEST(Predict, EvaluatesOnTheRowsWhoseClassIsKnown) {
  Table table = sample::patient_table({90, 90, 150, 150}, {50, 50, 50, 50}, {"m", "m", "m", "m"});
  const std::vector<std::optional<std::string>> states = {"well", "ill", "ill", std::nullopt};
  table.add_categorical("state", states);
  const Evaluation evaluation = evaluate(sample::patients(), table);
  EXPECT_NEAR(evaluation.accuracy, 200.0 / 3, 1e-12);
  EXPECT_NEAR(evaluation.balanced_accuracy, 75, 1e-12);
  EXPECT_EQ(evaluation.confusion, (std::vector<std::vector<std::size_t>>{{1, 0}, {1, 1}}));
}

TEST(Predict, ARowOutsideTheTableIsRefused) {
  const Table table = sample::patient_table({90}, {50}, {"m"});
  EXPECT_THROW((void)explain(sample::patients(), table, 1), Error);
}

}  // namespace
}  // namespace frr::internal
