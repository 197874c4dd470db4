#include "model/what_if.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "model/inference.hpp"
#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t plenty = std::numeric_limits<std::size_t>::max() / 2;

std::vector<FeatureValue> values_of(const RuleBase& base, const ColumnMap& map, std::size_t row) {
  std::vector<FeatureValue> values(base.partition.features.size());
  for (std::size_t f = 0; f < values.size(); ++f) values[f] = map.value(row, static_cast<int>(f));
  return values;
}

bool same(const Decision& a, const Decision& b) {
  return a.predicted == b.predicted && a.rule == b.rule && a.score == b.score;
}

// Tries all values of each feature, with all features in turn: a feature that kept its last trial
// value would be noticed.
TEST(WhatIf, DecidesLikeDecide) {
  Random random(11);
  int decisions = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const RuleBase base = sample::random_rule_base(random);
    const Table table = sample::random_table(random, base, 6);
    const ColumnMap map(base, table, true);
    const std::vector<FeatureValue> row = values_of(base, map, 0);
    WhatIf what_if(base, row, plenty);
    ASSERT_TRUE(same(what_if.decision(), decide(base, row)));
    for (std::size_t f = 0; f < row.size(); ++f) {
      what_if.vary(static_cast<int>(f), row.size() - f - 1);
      std::vector<FeatureValue> other = row;
      for (std::size_t k = 1; k < table.rows; ++k, ++decisions) {
        other[f] = map.value(k, static_cast<int>(f));
        const std::optional<Decision> decision = what_if.decide(other[f]);
        ASSERT_TRUE(decision.has_value());
        ASSERT_TRUE(same(*decision, decide(base, other))) << "trial " << trial;
      }
    }
  }
  EXPECT_GT(decisions, 5000);
}

// One decision about glucose evaluates the 2 + 1 + 2 conditions of the three rules that read it,
// and one about age the 2 of rule 1; each costs 1 more. Of 20 for both features glucose gets 10.
TEST(WhatIf, SharesTheWorkAmongTheFeatures) {
  const RuleBase base = sample::patients();
  const Table table = sample::patient_table({108}, {40}, {"m"});
  const ColumnMap map(base, table, true);
  WhatIf what_if(base, values_of(base, map, 0), 20);
  what_if.vary(0, 1);
  EXPECT_EQ(what_if.affordable_decisions(1), 1u);
  EXPECT_TRUE(what_if.decide({.number = 100}).has_value());
  EXPECT_TRUE(what_if.complete());
  EXPECT_FALSE(what_if.decide({.number = 100}).has_value());
  EXPECT_FALSE(what_if.complete());
  what_if.vary(1, 0);
  EXPECT_EQ(what_if.affordable_decisions(9), 4u);
}

}  // namespace
}  // namespace frr::internal
