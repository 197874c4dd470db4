#include "additive/additive_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"

namespace frr::internal {
namespace {

// Random rows and rules, and what follows from biases and weights by plain loops in doubles.
struct Case {
  std::vector<int> classes;
  std::vector<float> weights;
  std::vector<int> thens;
  std::vector<std::vector<float>> truths;
  std::size_t class_count;

  Case(Random& random, std::size_t rows, std::size_t rules, std::size_t count)
      : class_count(count) {
    for (std::size_t i = 0; i < rows; ++i) {
      classes.push_back(static_cast<int>(i < count ? i : random.below(count)));
      weights.push_back(static_cast<float>(0.5 + random.uniform()));
    }
    for (std::size_t r = 0; r < rules; ++r) {
      thens.push_back(static_cast<int>(random.below(count)));
      std::vector<float> truth;
      for (std::size_t i = 0; i < rows; ++i) {
        const bool own = classes[i] == thens[r];
        const double x = random.uniform() < 0.4 ? 0 : random.uniform();
        truth.push_back(static_cast<float>(own ? x : x * random.uniform()));
      }
      truths.push_back(std::move(truth));
    }
  }

  [[nodiscard]] AdditiveRows rows() const { return {classes, weights, class_count}; }
  [[nodiscard]] std::vector<RuleTruth> rules() const {
    std::vector<RuleTruth> result;
    for (std::size_t r = 0; r < thens.size(); ++r) result.push_back({thens[r], truths[r]});
    return result;
  }

  [[nodiscard]] std::vector<double> probabilities(const AdditiveFit& fit, std::size_t i) const {
    std::vector<double> scores = fit.biases;
    for (std::size_t r = 0; r < thens.size(); ++r) {
      scores[static_cast<std::size_t>(thens[r])] +=
          fit.weights[r] * static_cast<double>(truths[r][i]);
    }
    double sum = 0;
    for (double& score : scores) sum += score = std::exp(score);
    for (double& score : scores) score /= sum;
    return scores;
  }

  [[nodiscard]] double loss(const AdditiveFit& fit) const {
    double sum = 0;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      sum -= static_cast<double>(weights[i]) *
             std::log(probabilities(fit, i)[static_cast<std::size_t>(classes[i])]);
    }
    for (const double weight : fit.weights) sum += additive_ridge / 2 * weight * weight;
    return sum;
  }

  [[nodiscard]] bool has_rules(std::size_t c) const {
    for (const int then : thens) {
      if (then == static_cast<int>(c)) return true;
    }
    return false;
  }
};

// The loss is convex: where the conditions of Karush, Kuhn and Tucker hold, it has its minimum.
void expect_minimum(const Case& rows, const AdditiveFit& fit, double tolerance) {
  std::vector<double> of_class(rows.class_count, 0), of_rule(rows.thens.size(), 0);
  for (std::size_t i = 0; i < rows.classes.size(); ++i) {
    const std::vector<double> p = rows.probabilities(fit, i);
    for (std::size_t c = 0; c < rows.class_count; ++c) {
      const bool own = rows.classes[i] == static_cast<int>(c);
      of_class[c] += static_cast<double>(rows.weights[i]) * (p[c] - (own ? 1 : 0));
    }
    for (std::size_t r = 0; r < rows.thens.size(); ++r) {
      const bool own = rows.classes[i] == rows.thens[r];
      of_rule[r] += static_cast<double>(rows.weights[i] * rows.truths[r][i]) *
                    (p[static_cast<std::size_t>(rows.thens[r])] - (own ? 1 : 0));
    }
  }
  double of_others = 0;
  for (std::size_t c = 0; c < rows.class_count; ++c) {
    if (rows.has_rules(c)) {
      EXPECT_NEAR(of_class[c], 0, tolerance);
    } else {
      of_others += of_class[c];
    }
  }
  EXPECT_NEAR(of_others, 0, tolerance);
  for (std::size_t r = 0; r < of_rule.size(); ++r) {
    const double gradient = of_rule[r] + additive_ridge * fit.weights[r];
    EXPECT_GE(fit.weights[r], 0);
    if (fit.weights[r] > 0) {
      EXPECT_NEAR(gradient, 0, tolerance);
    } else {
      EXPECT_GE(gradient, -tolerance);
    }
  }
}

TEST(FitAdditive, WithoutRulesGivesTheBaseRates) {
  const std::vector<int> classes = {0, 0, 0, 1};
  const std::vector<float> weights = {1, 1, 2, 4};
  const AdditiveFit fit = fit_additive({classes, weights, 2}, {}, {});
  EXPECT_NEAR(std::exp(fit.biases[0]), 0.5, 1e-6);
  EXPECT_NEAR(std::exp(fit.biases[1]), 0.5, 1e-6);
  EXPECT_NEAR(fit.loss, 8 * std::log(2.0), 1e-5);
}

// A rule that is true of half of the rows, of which 3 of 4 are of its class; of the others 1 of 4.
// Without the ridge its weight would be log 3 - log 1/3 = 2 log 3; with many rows the ridge, which
// is worth one row, hardly matters.
TEST(FitAdditive, FindsTheWeightThatFollowsFromTheShares) {
  std::vector<int> classes;
  std::vector<float> truth;
  for (int i = 0; i < 80000; ++i) {
    truth.push_back(i % 2 == 0 ? 1.0F : 0.0F);
    classes.push_back(i / 2 % 4 == 0 ? i % 2 : 1 - i % 2);
  }
  const std::vector<float> weights(classes.size(), 1.0F);
  const std::vector<RuleTruth> rules = {{1, truth}};
  const AdditiveFit fit = fit_additive({classes, weights, 2}, rules, {.tolerance = 1e-9});
  EXPECT_NEAR(fit.weights[0], 2 * std::log(3.0), 1e-3);
  EXPECT_NEAR(std::exp(fit.biases[1]), 0.25, 1e-3);
}

TEST(FitAdditive, ReachesTheMinimum) {
  Random random(3);
  for (int round = 0; round < 60; ++round) {
    const std::size_t classes = 2 + random.below(4);
    const Case rows(random, 40 + random.below(600), random.below(9), classes);
    const AdditiveFit fit = fit_additive(rows.rows(), rows.rules(), {.tolerance = 1e-9});
    expect_minimum(rows, fit, 2e-3);
    EXPECT_NEAR(fit.loss, rows.loss(fit), 1e-3);
  }
}

TEST(FitAdditive, EndsAtTheSamePointFromAnyStart) {
  Random random(4);
  for (int round = 0; round < 20; ++round) {
    const Case rows(random, 300, 6, 3);
    const AdditiveFit cold = fit_additive(rows.rows(), rows.rules(), {.tolerance = 1e-9});
    AdditiveFit start = cold;
    for (double& weight : start.weights) weight = 3 * random.uniform();
    for (double& bias : start.biases) bias += random.normal();
    const AdditiveFit warm =
        fit_additive(rows.rows(), rows.rules(), {.start = &start, .tolerance = 1e-9});
    for (std::size_t r = 0; r < 6; ++r) EXPECT_NEAR(warm.weights[r], cold.weights[r], 2e-3);
  }
}

TEST(FitAdditive, IsTheSameWithAnyNumberOfThreads) {
  Random random(5);
  const Case rows(random, 20000, 5, 3);
  const AdditiveFit one = fit_additive(rows.rows(), rows.rules(), {.threads = 1});
  for (const int threads : {2, 7}) {
    const AdditiveFit many = fit_additive(rows.rows(), rows.rules(), {.threads = threads});
    EXPECT_EQ(many.weights, one.weights);
    EXPECT_EQ(many.biases, one.biases);
    EXPECT_EQ(many.loss, one.loss);
  }
}

// Separable rows: without the ridge the weight would grow without end.
TEST(FitAdditive, StaysFiniteWhereARuleDecidesEveryRow) {
  const std::vector<int> classes = {0, 0, 0, 1, 1, 1};
  const std::vector<float> weights(6, 1.0F), truth = {0, 0, 0, 1, 1, 1},
                                             opposite = {1, 1, 1, 0, 0, 0};
  const std::vector<RuleTruth> rules = {{1, truth}, {1, opposite}};
  const AdditiveFit fit = fit_additive({classes, weights, 2}, rules, {.tolerance = 1e-9});
  EXPECT_GT(fit.weights[0], 0.5);
  EXPECT_LT(fit.weights[0], 5);
  EXPECT_EQ(fit.weights[1], 0);  // it speaks against its class
}

TEST(FitAdditive, GivesAClassWithoutRowsAlmostNoProbability) {
  const std::vector<int> classes = {0, 0, 1, 1};
  const std::vector<float> weights(4, 1.0F), truth = {0, 0.5F, 1, 1};
  const std::vector<RuleTruth> rules = {{1, truth}};
  const AdditiveFit fit = fit_additive({classes, weights, 3}, rules, {});
  EXPECT_TRUE(std::isfinite(fit.biases[2]));
  EXPECT_LT(fit.biases[2], -15);
}

TEST(AdditiveProbabilities, FollowFromBiasesAndWeights) {
  Random random(6);
  for (int round = 0; round < 10; ++round) {
    const Case rows(random, 700, 4, 4);
    const AdditiveFit fit = fit_additive(rows.rows(), rows.rules(), {});
    const std::vector<int> wanted = {2, 0};
    const auto result = additive_probabilities(rows.rows(), rows.rules(), fit, wanted, 2);
    for (std::size_t i = 0; i < 700; ++i) {
      const std::vector<double> p = rows.probabilities(fit, i);
      EXPECT_NEAR(result[0][i], p[2], 1e-5);
      EXPECT_NEAR(result[1][i], p[0], 1e-5);
    }
  }
}

}  // namespace
}  // namespace frr::internal
