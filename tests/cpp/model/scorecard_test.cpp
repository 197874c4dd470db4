#include "model/scorecard.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "model/inference.hpp"
#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

using sample::category;
using sample::infinity;
using sample::missing;
using sample::range;

// age (young below 40, old from 40), sex (f, m), sugar (high from 100; missing); 0.5 nats a point.
RuleBase card(const std::vector<std::pair<std::vector<Condition>, int>>& rules) {
  RuleBase base;
  base.classes = {"well", "ill"};
  base.semantics = Semantics::additive;
  base.biases = {1.0, 0.0};
  base.nats_per_point = 0.5;
  base.policy.positive = 1;
  base.partition.features = {
      {.name = "age",
       .labels = {range("young", -infinity, -infinity, 40, 40),
                  range("old", 40, 40, infinity, infinity)}},
      {.name = "sex", .type = ColumnType::categorical, .labels = {category("f"), category("m")}},
      {.name = "sugar", .labels = {range("high", 100, 100, infinity, infinity), missing()}}};
  for (const auto& [conditions, points] : rules) {
    base.rules.push_back(sample::rule(conditions, points > 0 ? 1 : 0, 0.5 * std::abs(points)));
    base.rules.back().points = points;
  }
  return base;
}

std::vector<int> sums_of(const RuleBase& base) {
  std::vector<int> sums;
  for (const PointsRange& line : points_table(base)) {
    EXPECT_EQ(line.least, line.most);
    sums.push_back(line.least);
  }
  return sums;
}

TEST(Scorecard, GivesTheProbabilityOfASumOfPoints) {
  const RuleBase base = card({});
  // ill - well = 0 + 0.5 * points - 1
  EXPECT_NEAR(points_probability(base, 2), 0.5, 1e-15);
  EXPECT_NEAR(points_probability(base, 4), 1 / (1 + std::exp(-1.0)), 1e-15);
  EXPECT_NEAR(points_probability(base, -2), 1 / (1 + std::exp(2.0)), 1e-15);
  EXPECT_EQ(points_class(base, 1), 0);
  EXPECT_EQ(points_class(base, 3), 1);
}

TEST(Scorecard, AppliesThePolicyToSums) {
  RuleBase base = card({});
  base.policy.threshold = 0.2;  // log-odds -1.386: reached at 0.5 * points >= -0.386
  EXPECT_EQ(points_class(base, 0), 1);
  EXPECT_EQ(points_class(base, -1), 0);
}

TEST(Scorecard, ListsOnlySumsThatACaseCanReach) {
  // Nobody is young and old: 3 + 5 is not reachable. A missing age is neither.
  EXPECT_EQ(sums_of(card({{{{0, 0}}, 3}, {{{0, 1}}, 5}})), (std::vector<int>{0, 3, 5}));
  // Without a common feature, all sums are.
  EXPECT_EQ(sums_of(card({{{{0, 0}}, 3}, {{{1, 1}}, -1}})), (std::vector<int>{-1, 0, 2, 3}));
  // The second rule implies the first.
  EXPECT_EQ(sums_of(card({{{{0, 1}}, 2}, {{{0, 1}, {1, 0}}, 4}})), (std::vector<int>{0, 2, 6}));
  // A missing number is not high.
  EXPECT_EQ(sums_of(card({{{{2, 0}}, 2}, {{{2, 1}}, 1}})), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(sums_of(card({})), (std::vector<int>{0}));
}

TEST(Scorecard, ReachesTheSumsOfAllCases) {
  const RuleBase base = card({{{{0, 1}, {1, 0}}, 4},
                              {{{1, 1}, {2, 0}}, -3},
                              {{{2, 1}}, 2},
                              {{{0, 0}}, 1},
                              {{{1, 0}}, -7}});
  std::set<int> sums;
  for (const double age : {20.0, 40.0, sample::nan}) {
    for (const int sex : {0, 1, -1}) {
      for (const double sugar : {50.0, 100.0, sample::nan}) {
        const FeatureValue row[] = {{.number = age, .missing = std::isnan(age)},
                                    {.category = sex},
                                    {.number = sugar, .missing = std::isnan(sugar)}};
        int sum = 0;
        for (const Rule& rule : base.rules)
          if (truth(base, rule, row) > 0) sum += rule.points;
        sums.insert(sum);
      }
    }
  }
  EXPECT_EQ(sums_of(base), std::vector<int>(sums.begin(), sums.end()));
}

// 2^10 sums: from 0 to 1023.
RuleBase large() {
  RuleBase base = card({});
  for (int i = 0; i < 10; ++i) {
    base.partition.features.push_back(
        {.name = "x" + std::to_string(i), .labels = {range("high", 0, 0, infinity, infinity)}});
    base.rules.push_back(sample::rule({{3 + i, 0}}, 1, 0.5 * (1 << i)));
    base.rules.back().points = 1 << i;
  }
  return base;
}

TEST(Scorecard, GroupsManySums) {
  const RuleBase base = large();
  const std::vector<PointsRange> table = points_table(base);
  // Groups of 50 are the narrowest of at most 40; points 0 and 1 are "well", 2 is a tie.
  ASSERT_EQ(table.size(), 22U);
  EXPECT_EQ(table[0].least, 0);
  EXPECT_EQ(table[0].predicted, 0);
  EXPECT_EQ(table[1].least, table[0].most + 1);
  EXPECT_EQ(table[1].most, 49);
  EXPECT_EQ(table[1].predicted, 1);
  EXPECT_EQ(table[2].least, 50);
  EXPECT_EQ(table[2].most, 99);
  EXPECT_EQ(table[2].low, points_probability(base, 50));
  EXPECT_EQ(table[2].high, points_probability(base, 99));
  EXPECT_EQ(table.back().most, 1023);
}

TEST(Scorecard, AlignsGroupsOfNegativeSums) {
  RuleBase base = large();
  for (Rule& rule : base.rules) rule.points = -rule.points, rule.then = 0;
  const std::vector<PointsRange> table = points_table(base);
  EXPECT_EQ(table.front().least, -1023);
  EXPECT_EQ(table.front().most, -1001);
  EXPECT_EQ(table[1].least, -1000);
  EXPECT_EQ(table.back().least, 0);
}

TEST(Scorecard, IsEmptyForOtherModels) { EXPECT_TRUE(points_table(sample::patients()).empty()); }

}  // namespace
}  // namespace frr::internal
