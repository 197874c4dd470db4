#include "model/policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "frr/error.hpp"
#include "model/inference.hpp"
#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

using V = std::vector<double>;

// Counts of patients(): 2 + 30 + 3 well, 18 + 1 ill; base rates 35/54 and 19/54.
TEST(Probabilities, AreTheSharesOfTheRowsThatARuleDecidesShrunkToTheBaseRates) {
  const RuleBase base = sample::patients();
  EXPECT_EQ(base_rates(base), (V{35.0 / 54, 19.0 / 54}));
  const V first = probabilities(base, 0);
  EXPECT_DOUBLE_EQ(first[0], (2 + 35.0 / 54) / 21);
  EXPECT_DOUBLE_EQ(first[1], (18 + 19.0 / 54) / 21);
  EXPECT_DOUBLE_EQ(probabilities(base, Decision::otherwise)[0], (3 + 35.0 / 54) / 5);
  EXPECT_EQ(probabilities(base, 2), base_rates(base));  // decides no row
}

TEST(Probabilities, UseTheCountsOfAllTrainingRowsIfTheModelHasThem) {
  RuleBase base = sample::patients();
  base.class_rows = {30, 10};
  EXPECT_EQ(base_rates(base), (V{0.75, 0.25}));
  EXPECT_DOUBLE_EQ(probabilities(base, 0)[1], 18.25 / 21);
}

TEST(Probabilities, AreEqualWithoutAnyCounts) {
  RuleBase base = sample::patients();
  for (Rule& rule : base.rules) rule.statistics.class_rows.clear();
  base.otherwise_statistics = {};
  EXPECT_EQ(probabilities(base, 0), (V{0.5, 0.5}));
  EXPECT_FALSE(has_counts(base));
  apply_policy(base);
  EXPECT_EQ(base.rules[0].then, 1);  // as written by hand
}

TEST(Probabilities, OfAnAdditiveModelAreTheSoftmaxOfTheScores) {
  RuleBase base = sample::patients();
  base.semantics = Semantics::additive;
  base.biases = {0.5, -0.5};
  const Table table = sample::patient_table({108, 300}, {40, 20}, {"f", "m"});
  const ColumnMap map(base, table);
  // Scores: ill -0.5 + 0.8 * 0.5, well 0.5 + 0.5 * 0.5; a difference of 0.85.
  const RowProbabilities both = row_probabilities(base, map, 0);
  EXPECT_NEAR(both.of_class[1], 1 / (1 + std::exp(0.85)), 1e-15);
  EXPECT_TRUE(both.covered);
  const RowProbabilities none = row_probabilities(base, map, 1);
  EXPECT_NEAR(none.of_class[0], 1 / (1 + std::exp(-1)), 1e-15);
  EXPECT_FALSE(none.covered);
}

TEST(Softmax, OfHugeScoresIsFinite) {
  const V shares = softmax(V{1000, 999, -1e6});
  EXPECT_NEAR(shares[0], 1 / (1 + std::exp(-1)), 1e-15);
  EXPECT_EQ(shares[2], 0);
}

TEST(ApplyPolicy, PredictsTheMostProbableClass) {
  Random random(13);
  for (int round = 0; round < 300; ++round) {
    RuleBase base = sample::random_rule_base(random);
    base.policy = {};
    apply_policy(base);
    const Table table = sample::random_table(random, base, 20);
    const ColumnMap map(base, table);
    for (std::size_t row = 0; row < table.rows; ++row) {
      const V p = row_probabilities(base, map, row).of_class;
      EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
      EXPECT_EQ(std::ranges::max_element(p) - p.begin(), decide(base, map, row).predicted);
    }
  }
}

// Of 20 rows of the first rule, 18 are ill. A false alarm that costs 30 times a miss makes it well:
// 30 * p(well) > p(ill).
TEST(ApplyPolicy, PredictsTheClassOfTheLowestExpectedCost) {
  RuleBase base = sample::patients();
  base.policy.costs = {0, 30, 1, 0};  // [true class][predicted class]
  apply_policy(base);
  EXPECT_EQ(base.rules[0].then, 0);
  base.policy.costs = {0, 1, 30, 0};
  apply_policy(base);
  EXPECT_EQ(base.rules[0].then, 1);
  EXPECT_EQ(base.rules[1].then, 0);  // 0.35 of 31 rows is ill: 30 * 0.011 < 0.989
  EXPECT_EQ(base.otherwise, 1);      // 30 * 0.27 > 0.73
}

TEST(Decide, WithAThresholdPredictsThePositiveClassFromItOn) {
  DecisionPolicy policy;
  policy.positive = 1;
  policy.threshold = 0.2;
  EXPECT_EQ(frr::decide(policy, V{0.5, 0.2, 0.3}), 1);
  EXPECT_EQ(frr::decide(policy, V{0.5, 0.19, 0.31}), 0);
  policy.threshold = 0.9;
  EXPECT_EQ(frr::decide(policy, V{0.05, 0.89, 0.06}), 2);  // the best of the others
}

TEST(ScorePolicy, PredictsAsTheProbabilitiesDo) {
  Random random(5);
  int by_offsets = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::size_t classes = 2 + random.below(3);
    const DecisionPolicy policy = sample::random_policy(random, classes);
    const ScorePolicy score_policy(policy, classes);
    by_offsets += score_policy.by_offsets() ? 1 : 0;
    V scores;
    for (std::size_t c = 0; c < classes; ++c) scores.push_back(2 * random.normal());
    EXPECT_EQ(score_policy.predict(scores), frr::decide(policy, softmax(scores)));
  }
  EXPECT_GT(by_offsets, 1000);
}

TEST(Refers, CasesThatAreUncertainOrUncovered) {
  DecisionPolicy policy;
  EXPECT_FALSE(refers(policy, V{0.5, 0.5}, false));  // off by default
  policy.refer = 0.8;
  EXPECT_TRUE(refers(policy, V{0.7, 0.3}, true));
  EXPECT_FALSE(refers(policy, V{0.2, 0.8}, true));
  EXPECT_TRUE(refers(policy, V{0.1, 0.9}, false));
}

TEST(MakePolicy, TakesTheRarerOfTwoClassesAsPositive) {
  RuleBase base = sample::patients();
  base.class_rows = {35, 19};
  EXPECT_EQ(make_policy(base, {}).positive, 1);
  base.class_rows = {19, 35};
  EXPECT_EQ(make_policy(base, {}).positive, 0);
  base.class_rows = {19, 19};
  EXPECT_EQ(make_policy(base, {}).positive, 1);
  base.classes.emplace_back("dead");
  base.class_rows = {19, 35, 1};
  EXPECT_EQ(make_policy(base, {}).positive, -1);
}

TEST(MakePolicy, TurnsAMissIntoCosts) {
  RuleBase base = sample::patients();
  base.classes.emplace_back("dead");
  PolicyRequest request;
  request.positive = "ill";
  request.miss = 20;
  EXPECT_EQ(make_policy(base, request).costs, (V{0, 1, 1, 20, 0, 20, 1, 1, 0}));
  request.miss.reset();
  request.costs = {{"dead", "well", 7}};
  EXPECT_EQ(make_policy(base, request).costs, (V{0, 1, 1, 1, 0, 1, 7, 1, 0}));
}

std::string usage_error(const PolicyRequest& request, const std::vector<std::string>& classes) {
  try {
    check_policy(request, classes);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(CheckPolicy, NamesWhatIsWrong) {
  const std::vector<std::string> two = {"well", "ill"}, three = {"well", "ill", "dead"};
  EXPECT_EQ(usage_error({}, two), "");
  PolicyRequest unknown;
  unknown.positive = "il";
  EXPECT_NE(usage_error(unknown, two).find("did you mean"), std::string::npos);
  PolicyRequest negative;
  negative.costs = {{"ill", "well", -1}};
  EXPECT_NE(usage_error(negative, two).find("above 0"), std::string::npos);
  PolicyRequest certain;
  certain.threshold = 1;
  EXPECT_NE(usage_error(certain, two).find("above 0 and below 1"), std::string::npos);
  PolicyRequest both;
  both.threshold = 0.5;
  both.sensitivity = 0.9;
  EXPECT_NE(usage_error(both, two).find("--threshold and --sensitivity"), std::string::npos);
  PolicyRequest unnamed;
  unnamed.miss = 20;
  EXPECT_EQ(usage_error(unnamed, two), "");
  EXPECT_NE(usage_error(unnamed, three).find("--positive"), std::string::npos);
  PolicyRequest refer;
  refer.refer = 1;
  EXPECT_NE(usage_error(refer, two).find("--refer"), std::string::npos);
}

TEST(CostsOfWeights, AreThoseOfTheTrueClassRelativeToTheSmallest) {
  EXPECT_TRUE(costs_of_weights(V{2, 2}).empty());
  EXPECT_EQ(costs_of_weights(V{0.5, 2}), (V{0, 1, 4, 0}));
}

}  // namespace
}  // namespace frr::internal
