#include "evaluate/metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "evaluate/predictions.hpp"

namespace frr::internal {
namespace {

// Rows with their predictions; the predicted class is the first of the most probable ones.
struct Rows {
  std::size_t classes = 2;
  std::vector<int> truth, predicted;
  std::vector<double> probabilities, weights;

  [[nodiscard]] double p(std::size_t row, std::size_t c) const {
    return probabilities[row * classes + c];
  }
  [[nodiscard]] double weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }
  void add(int actual, const std::vector<double>& shares) {
    truth.push_back(actual);
    predicted.push_back(static_cast<int>(std::ranges::max_element(shares) - shares.begin()));
    probabilities.insert(probabilities.end(), shares.begin(), shares.end());
  }
};

Rows two_classes(const std::vector<std::pair<int, double>>& rows) {
  Rows result;
  for (const auto& [actual, p] : rows) result.add(actual, {1 - p, p});
  return result;
}

Metrics metrics_of(const Rows& rows, std::optional<std::size_t> positive = {}) {
  const Predictions predictions =
      distinct_predictions(rows.classes, rows.predicted, rows.probabilities);
  if (rows.classes == 2 && !positive) positive = 1;
  return Scorer(predictions, rows.truth, rows.weights, positive).metrics();
}

Rows random_rows(Random& random, std::size_t count, std::size_t classes, bool weighted,
                 std::size_t levels) {
  Rows rows;
  rows.classes = classes;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> shares(classes);
    double sum = 0;
    for (double& share : shares) sum += share = 1 + static_cast<double>(random.below(levels));
    for (double& share : shares) share /= sum;
    rows.add(static_cast<int>(random.below(classes)), shares);
    if (weighted) rows.weights.push_back(static_cast<double>(random.below(5)) / 4);
  }
  return rows;
}

// The share of pairs of a row of the class and another row that are in order; ties count half.
double auc_by_pairs(const Rows& rows, std::size_t c) {
  double right = 0, all = 0;
  for (std::size_t i = 0; i < rows.truth.size(); ++i) {
    for (std::size_t k = 0; k < rows.truth.size(); ++k) {
      if (rows.truth[i] != static_cast<int>(c) || rows.truth[k] == static_cast<int>(c)) continue;
      const double weight = rows.weight(i) * rows.weight(k);
      all += weight;
      if (rows.p(i, c) > rows.p(k, c)) right += weight;
      if (rows.p(i, c) == rows.p(k, c)) right += weight / 2;
    }
  }
  return right / all;
}

// Each row of the class adds the precision among the rows with at least its probability.
double average_precision_by_rows(const Rows& rows, std::size_t c) {
  double sum = 0, all = 0;
  for (std::size_t i = 0; i < rows.truth.size(); ++i) {
    if (rows.truth[i] != static_cast<int>(c)) continue;
    double right = 0, chosen = 0;
    for (std::size_t k = 0; k < rows.truth.size(); ++k) {
      if (rows.p(k, c) < rows.p(i, c)) continue;
      chosen += rows.weight(k);
      if (rows.truth[k] == static_cast<int>(c)) right += rows.weight(k);
    }
    all += rows.weight(i);
    if (rows.weight(i) > 0) sum += rows.weight(i) * right / chosen;
  }
  return sum / all;
}

TEST(Metrics, RatesByHand) {
  // 3 of 4 positives and 4 of 6 negatives are predicted correctly.
  const Rows rows = two_classes({{1, 0.9},
                                 {1, 0.8},
                                 {1, 0.7},
                                 {1, 0.2},
                                 {0, 0.6},
                                 {0, 0.7},
                                 {0, 0.1},
                                 {0, 0.1},
                                 {0, 0.3},
                                 {0, 0.2}});
  const Metrics result = metrics_of(rows);
  EXPECT_DOUBLE_EQ(result.accuracy, 0.7);
  EXPECT_DOUBLE_EQ(result.balanced_accuracy, (3.0 / 4 + 4.0 / 6) / 2);
  const ClassMetrics& positive = result.classes[1];
  EXPECT_DOUBLE_EQ(positive.prevalence, 0.4);
  EXPECT_DOUBLE_EQ(positive.predicted, 0.5);
  EXPECT_DOUBLE_EQ(positive.sensitivity, 3.0 / 4);
  EXPECT_DOUBLE_EQ(positive.specificity, 4.0 / 6);
  EXPECT_DOUBLE_EQ(positive.ppv, 3.0 / 5);
  EXPECT_DOUBLE_EQ(positive.npv, 4.0 / 5);
  EXPECT_DOUBLE_EQ(positive.f1, 6.0 / 9);
  EXPECT_DOUBLE_EQ(result.classes[0].sensitivity, positive.specificity);
  EXPECT_DOUBLE_EQ(result.classes[0].ppv, positive.npv);
  // (TP TN - FP FN) / sqrt of the product of the four margins
  EXPECT_DOUBLE_EQ(result.mcc, (3 * 4 - 2 * 1) / std::sqrt(5.0 * 4 * 6 * 5));
}

TEST(Metrics, RankingByHand) {
  // In order: 1, 0 and 1 tied, 0. Of 4 pairs 3 are right, one of them by half: 1 + 1 + 1 + 1/2.
  const Metrics result = metrics_of(two_classes({{1, 0.9}, {0, 0.5}, {1, 0.5}, {0, 0.1}}));
  EXPECT_DOUBLE_EQ(result.auc, 3.5 / 4);
  // Recall rises from 0 to 1/2 at precision 1, then to 1 at precision 2/3.
  EXPECT_DOUBLE_EQ(result.average_precision, 0.5 * 1 + 0.5 * 2 / 3);
}

TEST(Metrics, LossesByHand) {
  const Metrics two = metrics_of(two_classes({{1, 0.5}, {0, 0.25}}));
  EXPECT_NEAR(two.log_loss, -(std::log(0.5) + std::log(0.75)) / 2, 1e-15);
  EXPECT_DOUBLE_EQ(two.brier, (0.25 + 0.0625) / 2);
  Rows rows;
  rows.classes = 3;
  rows.add(0, {0.5, 0.25, 0.25});
  rows.add(2, {0, 1, 0});
  const Metrics three = metrics_of(rows);
  EXPECT_DOUBLE_EQ(three.brier, ((0.25 + 0.0625 + 0.0625) + (1 + 1)) / 2);
  // A probability of 0 is clipped to 2^-52.
  EXPECT_NEAR(three.log_loss, (std::log(2.0) + 52 * std::log(2.0)) / 2, 1e-12);
}

TEST(Metrics, CalibrationErrorByHand) {
  // Bin [0.2, 0.3): 2 rows, none an event, mean p 0.23. Bin [0.9, 1]: 2 rows, one an event, mean p
  // 0.95.
  const Rows rows = two_classes({{0, 0.21}, {0, 0.25}, {1, 1.0}, {0, 0.9}});
  EXPECT_NEAR(metrics_of(rows).calibration_error, (2 * 0.23 + 2 * 0.45) / 4, 1e-15);
  EXPECT_NEAR(metrics_of(rows, 0).calibration_error, (2 * 0.23 + 2 * 0.45) / 4, 1e-15);
}

TEST(Metrics, CalibrationErrorOfSeveralClassesIsOfThePredictedOne) {
  Rows rows;
  rows.classes = 3;
  rows.add(0, {0.75, 0.125, 0.125});
  rows.add(1, {0.75, 0.125, 0.125});
  rows.add(2, {0.25, 0.25, 0.5});
  EXPECT_DOUBLE_EQ(metrics_of(rows).calibration_error, (2 * 0.25 + 0.5) / 3);
}

TEST(Metrics, CalibrationSlopeIsTheSlopeBetweenTwoPoints) {
  // p = 0.8 and 0.2 happen in 3 of 4 and 1 of 4 rows: the fit passes through both exactly, so the
  // slope is logit(0.75) / logit(0.8).
  Rows rows = two_classes({{1, 0.8}, {1, 0.8}, {1, 0.8}, {0, 0.8}});
  for (const int actual : {1, 0, 0, 0}) rows.add(actual, {0.8, 0.2});
  const Metrics symmetric = metrics_of(rows);
  EXPECT_NEAR(symmetric.calibration_slope, std::log(3.0) / std::log(4.0), 1e-12);
  EXPECT_NEAR(symmetric.calibration_intercept, 0, 1e-12);
}

TEST(Metrics, CalibrationInterceptIsTheDistanceInLogits) {
  // p = 0.5 always, and the event happens in 3 of 4 rows.
  const Metrics result = metrics_of(two_classes({{1, 0.5}, {1, 0.5}, {1, 0.5}, {0, 0.5}}));
  EXPECT_NEAR(result.calibration_intercept, std::log(3.0), 1e-12);
  EXPECT_TRUE(std::isnan(result.calibration_slope));
}

TEST(Metrics, ThereIsNoSlopeWhereProbabilitiesSeparateTheOutcomes) {
  EXPECT_TRUE(std::isnan(
      metrics_of(two_classes({{1, 0.9}, {1, 0.6}, {0, 0.6}, {0, 0.1}})).calibration_slope));
  EXPECT_TRUE(
      std::isnan(metrics_of(two_classes({{0, 0.9}, {0, 0.6}, {1, 0.1}})).calibration_slope));
  EXPECT_FALSE(std::isnan(
      metrics_of(two_classes({{1, 0.9}, {1, 0.6}, {0, 0.7}, {0, 0.1}})).calibration_slope));
}

TEST(Metrics, CalibrationFitsSolveTheirEquations) {
  // At the maximum the residuals sum to 0, and so do their products with the logits.
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<Outcome> outcomes;
    std::vector<double> weights;
    for (int i = 0; i < 40; ++i) {
      outcomes.push_back({random.uniform(), random.below(2) == 0});
      weights.push_back(random.uniform());
    }
    const CalibrationFit fit =
        Calibration(outcomes).fit(weights, {undefined, undefined, undefined});
    ASSERT_TRUE(std::isfinite(fit.slope));
    double alone = 0, both = 0, product = 0;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const double x = std::log(outcomes[i].probability / (1 - outcomes[i].probability));
      const double y = outcomes[i].happened ? 1 : 0;
      const auto chance = [](double score) { return 1 / (1 + std::exp(-score)); };
      alone += weights[i] * (y - chance(fit.intercept + x));
      both += weights[i] * (y - chance(fit.slope_intercept + fit.slope * x));
      product += weights[i] * (y - chance(fit.slope_intercept + fit.slope * x)) * x;
    }
    EXPECT_NEAR(alone, 0, 1e-10);
    EXPECT_NEAR(both, 0, 1e-10);
    EXPECT_NEAR(product, 0, 1e-10);
  }
}

TEST(Metrics, RankingsEqualThoseByPairsAndByRows) {
  Random random(1);
  for (int round = 0; round < 60; ++round) {
    const std::size_t classes = 2 + random.below(3);
    const Rows rows = random_rows(random, 60, classes, round % 2 == 1, round % 3 == 0 ? 3 : 1000);
    const Metrics result = metrics_of(rows);
    double auc = 0, precision = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      EXPECT_NEAR(result.classes[c].auc, auc_by_pairs(rows, c), 1e-12);
      EXPECT_NEAR(result.classes[c].average_precision, average_precision_by_rows(rows, c), 1e-12);
      auc += auc_by_pairs(rows, c) / static_cast<double>(classes);
      precision += average_precision_by_rows(rows, c) / static_cast<double>(classes);
    }
    EXPECT_NEAR(result.auc, classes == 2 ? result.classes[1].auc : auc, 1e-12);
    EXPECT_NEAR(result.average_precision,
                classes == 2 ? result.classes[1].average_precision : precision, 1e-12);
  }
}

// Undefined equals undefined.
void expect_near(const Metrics& x, const Metrics& y) {
  for (const Figure<Metrics>& figure : overall_figures) {
    EXPECT_EQ(std::isnan(x.*figure.value), std::isnan(y.*figure.value)) << figure.key;
    if (std::isnan(x.*figure.value)) continue;
    EXPECT_NEAR(x.*figure.value, y.*figure.value, 1e-12) << figure.key;
  }
}

TEST(Metrics, AWeightIsARepetitionAndRowsOfWeightZeroAreAbsent) {
  Random random(2);
  Rows weighted = random_rows(random, 50, 3, false, 4), repeated;
  repeated.classes = 3;
  for (std::size_t i = 0; i < 50; ++i) {
    weighted.weights.push_back(static_cast<double>(random.below(4)));
    for (int copy = 0; copy < static_cast<int>(weighted.weights[i]); ++copy)
      repeated.add(weighted.truth[i], {weighted.p(i, 0), weighted.p(i, 1), weighted.p(i, 2)});
  }
  const Metrics one = metrics_of(weighted), other = metrics_of(repeated);
  expect_near(one, other);
  for (std::size_t c = 0; c < 3; ++c) {
    for (const Figure<ClassMetrics>& figure : class_figures)
      EXPECT_NEAR(one.classes[c].*figure.value, other.classes[c].*figure.value, 1e-12)
          << figure.key;
  }
}

TEST(Metrics, TheUnitOfTheWeightsDoesNotMatter) {
  Random random(5);
  Rows rows = random_rows(random, 40, 3, true, 10);
  const Metrics one = metrics_of(rows);
  for (double& weight : rows.weights) weight *= 1e100;
  const Metrics other = metrics_of(rows);
  expect_near(one, other);
}

TEST(Metrics, WhatComparesClassesIsUndefinedForOneClass) {
  const Metrics result = metrics_of(two_classes({{1, 0.9}, {1, 0.2}}));
  EXPECT_DOUBLE_EQ(result.accuracy, 0.5);
  EXPECT_DOUBLE_EQ(result.balanced_accuracy, 0.5);
  EXPECT_DOUBLE_EQ(result.average_precision, 1);
  EXPECT_TRUE(std::isfinite(result.log_loss));
  for (const double value :
       {result.auc, result.mcc, result.calibration_slope, result.calibration_intercept,
        result.classes[1].specificity, result.classes[0].sensitivity, result.classes[0].auc,
        result.classes[0].average_precision}) {
    EXPECT_TRUE(std::isnan(value));
  }
}

TEST(Metrics, AClassThatDoesNotOccurIsLeftOutOfMeans) {
  Rows rows;
  rows.classes = 3;
  rows.add(0, {0.5, 0.25, 0.25});
  rows.add(1, {0.25, 0.5, 0.25});
  rows.add(1, {0.25, 0.25, 0.5});
  const Metrics result = metrics_of(rows);
  EXPECT_TRUE(std::isnan(result.classes[2].auc));
  EXPECT_DOUBLE_EQ(result.classes[2].ppv, 0);
  EXPECT_DOUBLE_EQ(result.classes[2].f1, 0);
  EXPECT_DOUBLE_EQ(result.balanced_accuracy, (1 + 0.5) / 2);
  EXPECT_DOUBLE_EQ(result.auc, (1 + 0.75) / 2);  // class 1: one pair right, one tied
}

TEST(Metrics, OneDecisionForAllRowsHasNoCorrelation) {
  const Metrics result = metrics_of(two_classes({{1, 0.2}, {0, 0.2}, {0, 0.1}}));
  EXPECT_EQ(result.mcc, 0);
  EXPECT_TRUE(std::isnan(result.classes[1].ppv));
  EXPECT_EQ(result.classes[1].sensitivity, 0);
}

TEST(Metrics, ChosenRowsAndRowsOfAnUnknownClass) {
  Rows rows = two_classes({{1, 0.9}, {0, 0.9}, {-1, 0.9}, {0, 0.1}});
  rows.truth[2] = -1;
  const Predictions predictions = distinct_predictions(2, rows.predicted, rows.probabilities);
  const Scorer all(predictions, rows.truth, {}, 1);
  EXPECT_EQ(all.rows(), 3U);
  EXPECT_EQ(all.class_rows(), (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(all.confusion(all.weights()), (std::vector<std::vector<double>>{{1, 1}, {0, 1}}));
  const std::vector<std::uint32_t> chosen = {0, 2, 3};
  const Scorer some(predictions, rows.truth, {}, 1, chosen);
  EXPECT_EQ(some.rows(), 2U);
  EXPECT_DOUBLE_EQ(some.metrics().accuracy, 1);
}

TEST(Metrics, RocCurveByHand) {
  const Rows rows = two_classes({{1, 0.9}, {0, 0.5}, {1, 0.5}, {0, 0.1}});
  const Predictions predictions = distinct_predictions(2, rows.predicted, rows.probabilities);
  const std::vector<RocPoint> points = Scorer(predictions, rows.truth, {}, 1).roc(1);
  ASSERT_EQ(points.size(), 4U);
  const double expected[][3] = {{HUGE_VAL, 0, 0}, {0.9, 0, 0.5}, {0.5, 0.5, 1}, {0.1, 1, 1}};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(points[i].threshold, expected[i][0]);
    EXPECT_EQ(points[i].false_positive_rate, expected[i][1]);
    EXPECT_EQ(points[i].true_positive_rate, expected[i][2]);
  }
}

TEST(Metrics, TheRocCurveOfManyProbabilitiesIsThinnedOut) {
  Random random(4);
  const Rows rows = random_rows(random, 20000, 2, false, 1'000'000);
  const Predictions predictions = distinct_predictions(2, rows.predicted, rows.probabilities);
  const std::vector<RocPoint> points = Scorer(predictions, rows.truth, {}, 1).roc(1);
  EXPECT_LE(points.size(), 1002U);
  EXPECT_GE(points.size(), 500U);
  EXPECT_EQ(points.back().false_positive_rate, 1);
  EXPECT_EQ(points.back().true_positive_rate, 1);
}

}  // namespace
}  // namespace frr::internal
