#include "rows/refit_additive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "additive/loss_sums.hpp"
#include "model/statistics.hpp"
#include "support/plain_loss.hpp"
#include "support/plain_rules.hpp"

namespace frr::internal {
namespace {

using plain_rules::Case;

// Of rows with random weights, a tenth of them 0.
struct Weighted {
  std::vector<double> weights;
  std::vector<int> classes;  // -1 for the weight 0

  Weighted(Random& random, const Case& given) : classes(given.classes) {
    for (int& c : classes) {
      weights.push_back(random.uniform() < 0.1 ? 0 : 0.1 + random.uniform());
      if (weights.back() == 0) c = -1;
    }
  }
};

// Returns the number of passes over the rows.
int refit(RuleBase& base, const Table& table, const std::vector<int>& classes,
          const std::vector<double>& weights) {
  std::vector<std::int64_t> units;
  for (const double weight : weights) units.push_back(weight_units(weight, 1.2));
  int passes = 0;
  AdditiveRefitInput input;
  for (const int c : classes) input.rows += c >= 0 ? 1 : 0;
  input.loss_sums = [&](const RuleBase& rules, std::span<const double> point, int bits) {
    ++passes;
    return loss_sums(rules, point, ColumnMap(rules, table), classes, units, bits, 1);
  };
  Control control({}, 0);
  refit_additive(base, input, control);
  return passes;
}

RuleBase additive_base(Random& random, const Case& given) {
  RuleBase base = given.base;
  base.semantics = Semantics::additive;
  for (std::size_t c = 0; c < base.classes.size(); ++c) base.biases.push_back(random.normal());
  for (Rule& rule : base.rules) rule.weight = 0.1 + 2 * random.uniform();
  return base;
}

// Biases and weights that are the best ones for a quarter of the rows.
RuleBase sampled_base(Random& random, const Case& given, const Weighted& rows) {
  RuleBase base = additive_base(random, given);
  std::vector<int> sample = rows.classes;
  for (std::size_t i = 0; i < sample.size(); ++i) sample[i] = i % 4 == 0 ? sample[i] : -1;
  for (int round = 0; round < 10; ++round) {
    refit(base, given.problem.table, sample, rows.weights);
  }
  return base;
}

// The gain of the next step is at most 0.001 nats; curvatures are up to 500.
constexpr double small_gradient = 1;

TEST(RefitAdditive, ReachesTheMinimumOfTheLossOfAllRows) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Case given(random, {.rows = 2000, .classes = 2 + seed % 3, .missing = 0.05},
                     plain_rules::settings_for(seed));
    const Weighted rows(random, given);
    const plain_loss::Rows plain{given.problem.table, rows.classes, rows.weights};
    const RuleBase before = sampled_base(random, given, rows);
    RuleBase base = before;
    EXPECT_LE(refit(base, given.problem.table, rows.classes, rows.weights), 6);
    const plain_loss::Loss loss = plain_loss::loss_of(base, plain);
    EXPECT_LT(loss.loss, plain_loss::loss_of(before, plain).loss);
    for (const double gradient : loss.by_class) EXPECT_NEAR(gradient, 0, small_gradient);
    for (const double gradient : loss.by_rule) EXPECT_NEAR(gradient, 0, small_gradient);
    for (const Rule& rule : base.rules) EXPECT_GT(rule.weight, 0);
    // Again: nothing is left to gain.
    RuleBase again = base;
    EXPECT_LE(refit(again, given.problem.table, rows.classes, rows.weights), 3);
    EXPECT_NEAR(plain_loss::loss_of(again, plain).loss, loss.loss, 2e-3);
  }
}

// A rule that is true of half of the rows, of which 3 of 4 are of its class; of the others 1 of 4.
struct Halves {
  Table table;
  std::vector<int> classes;
  RuleBase base;

  Halves() {
    std::vector<std::optional<std::string>> side, target;
    for (int i = 0; i < 80000; ++i) {
      side.emplace_back(i % 2 == 0 ? "left" : "right");
      classes.push_back(i / 2 % 4 == 0 ? i % 2 : 1 - i % 2);
      target.emplace_back(classes.back() == 0 ? "no" : "yes");
    }
    table.add_categorical("side", side);
    table.add_categorical("class", target);
    base.target = "class";
    base.classes = {"no", "yes"};
    base.semantics = Semantics::additive;
    base.biases = {0, 0};
    base.partition.features.push_back(
        {.name = "side",
         .type = ColumnType::categorical,
         .labels = {{"left", LabelKind::category, {}}, {"right", LabelKind::category, {}}}});
    base.rules.push_back({.conditions = {{0, 0}}, .then = 1, .weight = 1});
  }
};

TEST(RefitAdditive, FindsTheWeightThatFollowsFromTheShares) {
  Halves rows;
  refit(rows.base, rows.table, rows.classes, {});
  ASSERT_EQ(rows.base.rules.size(), 1U);
  EXPECT_NEAR(rows.base.rules[0].weight, 2 * std::log(3.0), 1e-3);
  EXPECT_NEAR(std::exp(rows.base.biases[0]), 0.75, 1e-3);
  EXPECT_NEAR(std::exp(rows.base.biases[1]), 0.25, 1e-3);
}

TEST(RefitAdditive, DropsARuleForTheWrongClass) {
  Halves rows;
  rows.base.rules[0].then = 0;
  rows.base.rules[0].weight = 0.1;
  refit(rows.base, rows.table, rows.classes, {});
  EXPECT_TRUE(rows.base.rules.empty());
  EXPECT_NEAR(std::exp(rows.base.biases[0]), 0.5, 1e-4);
}

TEST(RefitAdditive, WithoutRulesGivesTheBaseRates) {
  Halves rows;
  rows.base.rules.clear();
  for (std::size_t i = 0; i < rows.classes.size(); i += 2) rows.classes[i] = 1;
  // All even rows, and of the others one of four.
  EXPECT_EQ(refit(rows.base, rows.table, rows.classes, {}), 1);
  EXPECT_NEAR(std::exp(rows.base.biases[1]), 0.625, 1e-9);
  EXPECT_NEAR(std::exp(rows.base.biases[0]), 0.375, 1e-9);
}

// The rule for the left side, with 3 points, and one for the right side, with 1: the points are 3
// and -1, so that four points are worth 2 log 3 nats, and a total of 3 points means odds of 3.
TEST(RefitAdditive, KeepsThePointsOfAScorecard) {
  Halves rows;
  rows.base.nats_per_point = 0.2;
  rows.base.rules.push_back({.conditions = {{0, 1}}, .then = 0, .weight = 0.2});
  rows.base.rules[0].weight = 3 * 0.2;
  refit(rows.base, rows.table, rows.classes, {});
  ASSERT_EQ(rows.base.rules.size(), 2U);
  const double nats = *rows.base.nats_per_point;
  EXPECT_NEAR(nats, 2 * std::log(3.0) / 4, 1e-3);
  EXPECT_EQ(rows.base.rules[0].weight, 3 * nats);
  EXPECT_EQ(rows.base.rules[1].weight, nats);
  EXPECT_NEAR(rows.base.biases[1] - rows.base.biases[0] + 3 * nats, std::log(3.0), 1e-3);
}

TEST(RefitAdditive, ReachesTheBestSlopeOfAScorecard) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Case given(random, {.rows = 2000, .classes = 2}, Settings{});
    const Weighted rows(random, given);
    const plain_loss::Rows plain{given.problem.table, rows.classes, rows.weights};
    RuleBase base = additive_base(random, given);
    base.nats_per_point = 0.3;
    std::vector<double> points;
    for (Rule& rule : base.rules) {
      points.push_back(static_cast<double>(1 + random.below(9)));
      rule.weight = points.back() * 0.3;
    }
    const double before = plain_loss::loss_of(base, plain).loss;
    refit(base, given.problem.table, rows.classes, rows.weights);
    const plain_loss::Loss loss = plain_loss::loss_of(base, plain);
    EXPECT_LT(loss.loss, before);
    EXPECT_NEAR(loss.by_class[0], 0, small_gradient);
    if (base.rules.empty()) continue;
    ASSERT_EQ(base.rules.size(), points.size());
    double slope = 0;
    for (std::size_t r = 0; r < points.size(); ++r) {
      EXPECT_EQ(base.rules[r].weight, points[r] * *base.nats_per_point);
      slope += points[r] * loss.by_rule[r];
    }
    EXPECT_NEAR(slope / std::accumulate(points.begin(), points.end(), 0.0), 0, small_gradient);
  }
}

}  // namespace
}  // namespace frr::internal
