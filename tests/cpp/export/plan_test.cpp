#include "plan.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

using sample::infinity;
using sample::nan;

Plan plan_of(const Trapezoid& shape) {
  RuleBase base;
  base.classes = {"no", "yes"};
  base.partition.features = {{.name = "x", .labels = {{"label", LabelKind::range, shape}}}};
  base.rules = {sample::rule({{0, 0}}, 1, 1)};
  return make_plan(base);
}

double clamp(double t) { return t > 0 ? (t < 1 ? t : 1) : 0; }

// As the header states it.
double value(const Plan::Degree& degree, double x) {
  const auto [rise, fall] = std::pair(degree.rise, degree.fall);
  if (std::isnan(x)) return 0;
  double up = 1, down = 1;
  if (rise.there) {
    up = rise.width == 0 ? (x >= rise.corner ? 1 : 0) : clamp((x - rise.corner) / rise.width);
  }
  if (fall.there) {
    down = fall.width == 0 ? (x < fall.corner ? 1 : 0) : clamp((fall.corner - x) / fall.width);
  }
  return std::min(up, down);
}

// As export/c.cpp computes a label that both rises and falls, with one division.
double one_division(const Plan::Degree& degree, double x) {
  const bool falls = degree.fall.corner - x < degree.fall.width;
  const double corner = falls ? degree.fall.corner : degree.rise.corner;
  const double width = falls ? -degree.fall.width : degree.rise.width;
  return clamp((x - corner) / width);
}

// Except for the sign of 0, which no comparison sees: adding 0 removes it.
void expect_same_bits(double one, double other, const Trapezoid& shape, double x) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(one + 0.0), std::bit_cast<std::uint64_t>(other + 0.0))
      << one << " instead of " << other << " at " << x << " of " << shape.a << ' ' << shape.b << ' '
      << shape.c << ' ' << shape.d;
}

void expect_equal(const Trapezoid& shape, Random& random) {
  const Plan plan = plan_of(shape);
  ASSERT_EQ(plan.degrees.size(), 1U);
  const Plan::Degree& degree = plan.degrees[0];
  std::vector<double> values = {nan, infinity, -infinity, 0.0, -0.0, 1e308, -1e308, 5e-324};
  for (const double corner : {shape.a, shape.b, shape.c, shape.d}) {
    if (!std::isfinite(corner)) continue;
    values.insert(values.end(), {corner, std::nextafter(corner, infinity),
                                 std::nextafter(corner, -infinity), -corner});
    for (const double other : {shape.a, shape.b, shape.c, shape.d}) {
      if (std::isfinite(other)) values.push_back(corner + random.uniform() * (other - corner));
    }
  }
  for (const double x : values) {
    expect_same_bits(value(degree, x), shape(x), shape, x);
    const bool peak =
        degree.rise.there && degree.rise.width != 0 && degree.fall.there && degree.fall.width != 0;
    if (peak) expect_same_bits(one_division(degree, x), shape(x), shape, x);
  }
}

// Corners of all magnitudes; some coincide, some ends are open.
Trapezoid random_trapezoid(Random& random) {
  std::vector<double> corners;
  for (int i = 0; i < 4; ++i) {
    const double size = std::pow(10.0, static_cast<double>(random.below(5)) * 10 - 30);
    corners.push_back(random.below(3) == 0 ? std::round(random.normal() * 5)
                                           : random.normal() * (random.below(2) == 0 ? 1 : size));
  }
  std::sort(corners.begin(), corners.end());
  Trapezoid shape{corners[0], corners[1], corners[2], corners[3]};
  if (random.below(4) == 0) shape.b = shape.a;
  if (random.below(4) == 0) shape.c = shape.d;
  if (random.below(4) == 0) shape.c = shape.b;
  if (random.below(5) == 0) shape.a = shape.b = -infinity;
  if (random.below(5) == 0) shape.c = shape.d = infinity;
  return shape;
}

TEST(Plan, RandomTrapezoidsAreTheSameToTheLastBit) {
  Random random(1);
  for (int i = 0; i < 20000 && !testing::Test::HasFailure(); ++i) {
    expect_equal(random_trapezoid(random), random);
  }
}

// b - a loses the digits of b, so the end of the rise cannot be computed as a + (b - a).
TEST(Plan, CornersOfVeryDifferentSizesAreTheSameToTheLastBit) {
  Random random(2);
  expect_equal({-1e10, 1e-5, 1e-5, 2e-5}, random);
  expect_equal({-3e-5, -2e-5, -2e-5, 1e10}, random);
  expect_equal({0, 5e-324, 1e-323, 1e300}, random);
  expect_equal({7, 7, 7, 7}, random);
}

TEST(Plan, SidesOfLabels) {
  const auto degree = [](const Trapezoid& shape) { return plan_of(shape).degrees[0]; };
  const Plan::Degree both = degree({1, 3, 5, 9});
  EXPECT_TRUE(both.rise.there && both.fall.there);
  EXPECT_EQ(both.rise.corner, 1);
  EXPECT_EQ(both.rise.width, 2);
  EXPECT_EQ(both.fall.corner, 9);
  EXPECT_EQ(both.fall.width, 4);
  const Plan::Degree right = degree({2, 2, infinity, infinity});
  EXPECT_TRUE(right.rise.there && !right.fall.there);
  EXPECT_EQ(right.rise.width, 0);
  const Plan::Degree all = degree({-infinity, -infinity, infinity, infinity});
  EXPECT_FALSE(all.rise.there || all.fall.there);
}

// Inputs and degrees are in the order in which rules read them.
TEST(Plan, RulesByHand) {
  const Plan plan = make_plan(sample::patients());
  ASSERT_EQ(plan.inputs.size(), 3U);
  EXPECT_EQ(plan.inputs[0].name, "glucose");
  EXPECT_EQ(plan.inputs[1].name, "age");
  EXPECT_EQ(plan.inputs[2].name, "sex");
  EXPECT_EQ(plan.inputs[2].type, ColumnType::categorical);
  EXPECT_EQ(plan.inputs[2].categories, std::vector<std::string>{"f"});

  ASSERT_EQ(plan.degrees.size(), 5U);
  EXPECT_EQ(plan.degrees[0].text, "glucose IS high");
  EXPECT_EQ(plan.degrees[0].rise.corner, 99);
  EXPECT_EQ(plan.degrees[0].rise.width, 18);
  EXPECT_EQ(plan.degrees[1].input, 1U);
  EXPECT_EQ(plan.degrees[2].text, "glucose IS low");
  EXPECT_EQ(plan.degrees[3].kind, LabelKind::missing);
  EXPECT_EQ(plan.degrees[4].kind, LabelKind::category);
  EXPECT_EQ(plan.degrees[4].category, "f");

  ASSERT_EQ(plan.strengths.size(), 3U);
  EXPECT_EQ(plan.strengths[0].degrees, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(plan.strengths[0].weight, 0.8);
  EXPECT_EQ(plan.strengths[0].text, "IF glucose IS high AND age IS old THEN ill");
  EXPECT_EQ(plan.strengths[2].degrees, (std::vector<std::size_t>{3, 4}));
}

// One more row, divided as all 54 are: 35 well and 19 ill.
TEST(Plan, OutcomesByHand) {
  const Plan plan = make_plan(sample::patients());
  ASSERT_EQ(plan.outcomes.size(), 4U);
  EXPECT_EQ(plan.outcomes[0].then, 0U);
  EXPECT_DOUBLE_EQ(plan.outcomes[0].probabilities[0], (3 + 35.0 / 54) / 5);
  EXPECT_EQ(plan.outcomes[1].then, 1U);
  EXPECT_DOUBLE_EQ(plan.outcomes[1].probabilities[1], (18 + 19.0 / 54) / 21);
  EXPECT_EQ(plan.outcomes[3].then, 1U);  // decided nothing
  EXPECT_DOUBLE_EQ(plan.outcomes[3].probabilities[1], 19.0 / 54);
  EXPECT_FALSE(plan.outcomes[0].referred);
}

TEST(Plan, RulesShareDegreesAndCategoriesAreCountedByInput) {
  RuleBase base = sample::patients();
  base.partition.features.push_back({.name = "ward",
                                     .type = ColumnType::categorical,
                                     .labels = {sample::category("f"), sample::category("m")}});
  base.rules = {sample::rule({{2, 1}, {0, 0}}, 0, 1), sample::rule({{3, 1}, {2, 1}}, 1, 1),
                sample::rule({{2, 0}}, 1, 1)};
  const Plan plan = make_plan(base);
  EXPECT_EQ(plan.strengths[1].degrees, (std::vector<std::size_t>{2, 0}));
  EXPECT_EQ(plan.inputs[0].categories, (std::vector<std::string>{"m", "f"}));
  EXPECT_EQ(plan.inputs[2].categories, std::vector<std::string>{"m"});
  EXPECT_EQ(plan.degrees[0].code, 0U);
  EXPECT_EQ(plan.degrees[2].code, 0U);
  EXPECT_EQ(plan.degrees[3].code, 1U);
}

TEST(Plan, KeepsCategoriesThatWouldMeanMissing) {
  RuleBase base = sample::patients();
  base.missing = {"-9", "NA", " none "};
  base.partition.features.push_back({.name = "ward",
                                     .type = ColumnType::categorical,
                                     .labels = {sample::category(""), sample::category("m"),
                                                sample::category("none"), sample::category("9")}});
  base.rules = {sample::rule({{0, 0}, {3, 1}}, 0, 1)};
  const Plan plan = make_plan(base);
  EXPECT_TRUE(plan.inputs[0].kept.empty());  // numbers
  EXPECT_EQ(plan.inputs[1].kept, (std::vector<std::string>{"", "none"}));
  EXPECT_EQ(plan.missing.codes, (std::vector<std::string>{"-9", "none"}));  // NA is built in
  EXPECT_EQ(plan.missing.numbers, std::vector<double>{-9});
}

TEST(Plan, NoRules) {
  RuleBase base = sample::patients();
  base.rules.clear();
  const Plan plan = make_plan(base);
  EXPECT_TRUE(plan.inputs.empty());
  EXPECT_TRUE(plan.degrees.empty());
  EXPECT_EQ(plan.outcomes.size(), 1U);
}

RuleBase additive_patients() {
  RuleBase base = sample::patients();
  base.semantics = Semantics::additive;
  base.biases = {0.5, -0.25};
  return base;
}

TEST(Plan, BiasesAndTheClassWithoutRules) {
  RuleBase base = additive_patients();
  base.otherwise = 1;  // the biases say otherwise
  const Plan plan = make_plan(base);
  EXPECT_EQ(plan.biases, base.biases);
  ASSERT_EQ(plan.outcomes.size(), 1U);
  EXPECT_EQ(plan.outcomes[0].then, 0U);
  EXPECT_NEAR(plan.outcomes[0].probabilities[0], 1 / (1 + std::exp(-0.75)), 1e-15);
  EXPECT_EQ(plan.choice.order, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(plan.choice.offsets, (std::vector<double>{0, 0}));
  EXPECT_TRUE(plan.notes.empty());
}

TEST(Plan, AThresholdOfTwoClassesIsAnOffset) {
  RuleBase base = additive_patients();
  base.policy = {.positive = 1, .threshold = 0.2};
  const Plan plan = make_plan(base);
  EXPECT_EQ(plan.choice.order, (std::vector<std::size_t>{1, 0}));  // wins a tie
  ASSERT_TRUE(plan.by_offsets());
  EXPECT_DOUBLE_EQ(plan.choice.offsets[1], std::log(4.0));
  EXPECT_EQ(plan.outcomes[0].then, 1U);  // p(ill) = 0.32
  EXPECT_EQ(plan.notes.size(), 1U);
}

TEST(Plan, OtherPoliciesCompareExpectedCosts) {
  RuleBase base = additive_patients();
  base.classes.emplace_back("dead");
  base.biases.push_back(0);
  for (Rule& rule : base.rules) rule.statistics = {};
  base.policy = {.positive = 1, .threshold = 0.2};
  Plan plan = make_plan(base);
  EXPECT_FALSE(plan.by_offsets());
  EXPECT_EQ(plan.choice.preferred, 1U);
  EXPECT_EQ(plan.choice.threshold, 0.2);
  EXPECT_EQ(plan.choice.order, (std::vector<std::size_t>{0, 2}));
  // Without costs, a class costs minus its probability.
  EXPECT_EQ(plan.choice.costs, (std::vector<double>{-1, 0, 0, 0, -1, 0, 0, 0, -1}));

  base.policy = {.costs = {0, 1, 2, 3, 0, 4, 5, 6, 0}};
  plan = make_plan(base);
  EXPECT_FALSE(plan.choice.preferred.has_value());
  EXPECT_EQ(plan.choice.costs, base.policy.costs);
  EXPECT_EQ(plan.choice.order.size(), 3U);
}

TEST(Plan, OutcomesSayWhetherTheyAreReferred) {
  RuleBase base = sample::patients();
  base.class_rows = {35, 19};
  base.policy.refer = 0.95;
  const Plan plan = make_plan(base);
  EXPECT_EQ(plan.refer, 0.95);
  // Rule 1: (18 + 0.35) / 21 = 0.87; rule 2: (30 + 0.65) / 31 = 0.99; ELSE has no rule.
  EXPECT_TRUE(plan.outcomes[0].referred);
  EXPECT_TRUE(plan.outcomes[1].referred);
  EXPECT_FALSE(plan.outcomes[2].referred);
}

TEST(Plan, PointsOfAScorecard) {
  RuleBase base = additive_patients();
  base.nats_per_point = 0.5;
  base.policy.positive = 1;
  base.rules[0].points = 3;
  base.rules[1].points = -2;
  const Plan plan = make_plan(base);
  EXPECT_TRUE(plan.scorecard);
  EXPECT_EQ(plan.strengths[0].points, 3);
  EXPECT_EQ(plan.strengths[1].points, -2);
}

}  // namespace
}  // namespace frr::internal
