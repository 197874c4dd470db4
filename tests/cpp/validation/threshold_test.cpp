#include "validation/threshold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "frr/error.hpp"

namespace frr::internal {
namespace {

struct Rows {
  std::vector<double> probabilities;
  std::vector<char> positive;
  std::vector<double> weights = {};

  [[nodiscard]] PositiveProbabilities view() const { return {probabilities, positive, weights}; }
};

struct Rates {
  double sensitivity = 0, specificity = 0;
};

// Straight from the definition.
Rates rates_at(const Rows& rows, double threshold) {
  double positives = 0, negatives = 0, found = 0, cleared = 0;
  for (std::size_t i = 0; i < rows.probabilities.size(); ++i) {
    const double weight = rows.weights.empty() ? 1 : rows.weights[i];
    const bool predicted = rows.probabilities[i] >= threshold;
    if (rows.positive[i] != 0) {
      positives += weight;
      found += predicted ? weight : 0;
    } else {
      negatives += weight;
      cleared += predicted ? 0 : weight;
    }
  }
  return {found / positives, cleared / negatives};
}

std::string message_of(const Rows& rows, TargetMeasure measure, double wanted) {
  try {
    choose_threshold(rows.view(), measure, wanted);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "";
}

// Positive: 0.9, 0.6, 0.6, 0.2; others: 0.8, 0.6, 0.4, 0.1, 0.1.
Rows nine_rows() {
  return {{0.9, 0.6, 0.6, 0.2, 0.8, 0.6, 0.4, 0.1, 0.1}, {1, 1, 1, 1, 0, 0, 0, 0, 0}};
}

TEST(ChooseThreshold, ReachesTheSensitivityWithTheBestSpecificity) {
  // 3 of 4 are found from 0.6 down; above 0.4, 2 of 5 others are found, too.
  const ChosenThreshold three =
      choose_threshold(nine_rows().view(), TargetMeasure::sensitivity, 0.75);
  EXPECT_GT(three.threshold, 0.4);
  EXPECT_LT(three.threshold, 0.6);
  EXPECT_EQ(three.threshold, 0.5);  // the middle, with one digit
  EXPECT_DOUBLE_EQ(three.sensitivity, 0.75);
  EXPECT_DOUBLE_EQ(three.specificity, 0.6);
  // The next value that can be reached is 1.
  const ChosenThreshold four =
      choose_threshold(nine_rows().view(), TargetMeasure::sensitivity, 0.76);
  EXPECT_GT(four.threshold, 0.1);
  EXPECT_LT(four.threshold, 0.2);
  EXPECT_EQ(four.sensitivity, 1);
  EXPECT_DOUBLE_EQ(four.specificity, 0.4);
}

TEST(ChooseThreshold, ReachesTheSpecificityWithTheBestSensitivity) {
  const ChosenThreshold some =
      choose_threshold(nine_rows().view(), TargetMeasure::specificity, 0.8);
  EXPECT_GT(some.threshold, 0.6);
  EXPECT_LT(some.threshold, 0.8);
  EXPECT_DOUBLE_EQ(some.specificity, 0.8);
  EXPECT_DOUBLE_EQ(some.sensitivity, 0.25);
  const ChosenThreshold all =
      choose_threshold(nine_rows().view(), TargetMeasure::specificity, 0.81);
  EXPECT_GT(all.threshold, 0.8);
  EXPECT_LT(all.threshold, 0.9);
  EXPECT_EQ(all.specificity, 1);
}

TEST(ChooseThreshold, MayPredictAllOrNoRowsAsPositive) {
  const Rows rows = {{0.3, 0.2, 0.1}, {0, 0, 1}};
  const ChosenThreshold all = choose_threshold(rows.view(), TargetMeasure::sensitivity, 0.5);
  EXPECT_EQ(all.sensitivity, 1);
  EXPECT_EQ(all.specificity, 0);
  EXPECT_GT(all.threshold, 0);
  EXPECT_LT(all.threshold, 0.1);
  const ChosenThreshold none = choose_threshold(rows.view(), TargetMeasure::specificity, 0.9);
  EXPECT_GT(none.threshold, 0.3);
  EXPECT_LT(none.threshold, 1);
  EXPECT_EQ(none.sensitivity, 0);
  EXPECT_EQ(none.specificity, 1);
}

TEST(ChooseThreshold, CountsWeights) {
  // Of the positive weight of 10, the first row has 9.
  const Rows rows = {{0.9, 0.5, 0.3, 0.7}, {1, 1, 0, 0}, {9, 1, 3, 1}};
  const ChosenThreshold chosen = choose_threshold(rows.view(), TargetMeasure::sensitivity, 0.9);
  EXPECT_GT(chosen.threshold, 0.7);
  EXPECT_DOUBLE_EQ(chosen.sensitivity, 0.9);
  EXPECT_EQ(chosen.specificity, 1);
  // A row of weight 0 has no effect.
  const Rows more = {{0.9, 0.5, 0.3, 0.7, 0.75, 0.01}, {1, 1, 0, 0, 0, 1}, {9, 1, 3, 1, 0, 0}};
  EXPECT_EQ(choose_threshold(more.view(), TargetMeasure::sensitivity, 0.9).threshold,
            chosen.threshold);
}

TEST(ChooseThreshold, RefusesWhatCannotBeReached) {
  // A positive row with a probability of 0, and another row with 1.
  const Rows rows = {{0.7, 0, 1, 0.2}, {1, 1, 0, 0}};
  EXPECT_NE(message_of(rows, TargetMeasure::sensitivity, 0.9).find("the best is 50 %"),
            std::string::npos);
  EXPECT_NE(message_of(rows, TargetMeasure::specificity, 0.9).find("the best is 50 %"),
            std::string::npos);
  EXPECT_EQ(message_of(rows, TargetMeasure::sensitivity, 0.5), "");
  EXPECT_NE(message_of({{0.5, 0.4}, {1, 1}}, TargetMeasure::sensitivity, 0.5).find("all rows are"),
            std::string::npos);
  EXPECT_NE(message_of({{0.5, 0.4}, {0, 0}}, TargetMeasure::sensitivity, 0.5).find("no row is"),
            std::string::npos);
  EXPECT_NE(message_of({{0.5, 0.4}, {1, 0}, {1, 0}}, TargetMeasure::sensitivity, 0.5), "");
}

TEST(ChooseThreshold, SeparatesNeighbouringNumbers) {
  const double low = 0.3, high = std::nextafter(low, 1);
  const Rows rows = {{high, low}, {1, 0}};
  const ChosenThreshold chosen =
      choose_threshold(rows.view(), TargetMeasure::sensitivity, 1 - 1e-9);
  EXPECT_GT(chosen.threshold, low);
  EXPECT_LE(chosen.threshold, high);
}

// Against all thresholds at and between the probabilities.
TEST(ChooseThreshold, IsAsGoodAsTheBestOfAllThresholds) {
  Random random(3);
  for (int trial = 0; trial < 3000; ++trial) {
    Rows rows;
    const std::size_t count = 2 + random.below(30);
    const bool weighted = random.below(2) == 0;
    for (std::size_t i = 0; i < count; ++i) {
      const bool positive = i < 2 ? i == 0 : random.below(3) == 0;
      // Ties are frequent.
      rows.probabilities.push_back(
          static_cast<double>(5 + 6 * random.below(11) + (positive ? 30 : 0)) / 100);
      rows.positive.push_back(positive ? 1 : 0);
      if (weighted) rows.weights.push_back(i < 2 ? 1 : static_cast<double>(random.below(4)));
    }
    std::vector<double> thresholds = {1e-9, 1 - 1e-9};
    for (const double p : rows.probabilities) {
      for (const double q : rows.probabilities) thresholds.push_back((p + q) / 2);
    }
    const double wanted = 0.02 + 0.96 * random.uniform();
    double best_specificity = -1, best_sensitivity = -1;
    for (const double threshold : thresholds) {
      const Rates rates = rates_at(rows, threshold);
      if (rates.sensitivity >= wanted) {
        best_specificity = std::max(best_specificity, rates.specificity);
      }
      if (rates.specificity >= wanted) {
        best_sensitivity = std::max(best_sensitivity, rates.sensitivity);
      }
    }
    const ChosenThreshold sensitive =
        choose_threshold(rows.view(), TargetMeasure::sensitivity, wanted);
    EXPECT_GE(sensitive.sensitivity, wanted);
    EXPECT_NEAR(sensitive.specificity, best_specificity, 1e-12);
    const ChosenThreshold specific =
        choose_threshold(rows.view(), TargetMeasure::specificity, wanted);
    EXPECT_GE(specific.specificity, wanted);
    EXPECT_NEAR(specific.sensitivity, best_sensitivity, 1e-12);
    for (const ChosenThreshold& chosen : {sensitive, specific}) {
      EXPECT_GT(chosen.threshold, 0);
      EXPECT_LT(chosen.threshold, 1);
      const Rates rates = rates_at(rows, chosen.threshold);
      EXPECT_NEAR(rates.sensitivity, chosen.sensitivity, 1e-12);
      EXPECT_NEAR(rates.specificity, chosen.specificity, 1e-12);
      for (std::size_t i = 0; i < count; ++i) {
        const bool counts = !weighted || rows.weights[i] > 0;
        EXPECT_TRUE(!counts || rows.probabilities[i] != chosen.threshold);
      }
    }
  }
}

// One fold. Seen: positive 0.9, 0.7, 0.5, 0.3; others 0.6, 0.2. Unseen: positive 0.8, 0.62, 0.45,
// 0.1; another 0.4.
TEST(ChooseLevel, IsTheLowestThatReachesTheTargetOnUnseenRows) {
  const Rows seen = {{0.9, 0.7, 0.5, 0.3, 0.6, 0.2}, {1, 1, 1, 1, 0, 0}};
  const Rows unseen = {{0.8, 0.62, 0.45, 0.1, 0.4}, {1, 1, 1, 1, 0}};
  const std::vector<FoldProbabilities> folds = {{seen.view(), unseen.view()}};
  // 0.5 of the seen rows is a threshold of 0.65, which finds one unseen row of four; 0.75 is 0.4,
  // which finds three.
  for (const double wanted : {0.3, 0.5, 0.75}) {
    const TargetLevel level = choose_level(folds, TargetMeasure::sensitivity, wanted);
    EXPECT_EQ(level.level, 0.75);
    EXPECT_EQ(level.reached, 0.75);
  }
  // The highest threshold, 0.8, finds one.
  EXPECT_EQ(choose_level(folds, TargetMeasure::sensitivity, 0.2).level, 0);
  // The row with 0.1 is found only if all rows are predicted positive.
  const TargetLevel all = choose_level(folds, TargetMeasure::sensitivity, 0.8);
  EXPECT_GT(all.level, 1);
  EXPECT_EQ(all.reached, 1);
  EXPECT_LT(choose_threshold(seen.view(), TargetMeasure::sensitivity, all.level).threshold, 0.2);
  // A specificity of 0.5 on the seen rows is a threshold between 0.2 and 0.3.
  const TargetLevel specific = choose_level(folds, TargetMeasure::specificity, 0.4);
  EXPECT_EQ(specific.level, 1);
  EXPECT_EQ(specific.reached, 1);
}

TEST(ChooseLevel, IsAsLowAsAnyThatReachesTheTarget) {
  Random random(4);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<Rows> seen(3), unseen(3);
    std::vector<FoldProbabilities> folds;
    for (std::size_t f = 0; f < 3; ++f) {
      for (Rows* rows : {&seen[f], &unseen[f]}) {
        for (std::size_t i = 0; i < 4 + random.below(20); ++i) {
          const bool positive = i < 2 ? i == 0 : random.below(3) == 0;
          rows->probabilities.push_back(
              static_cast<double>(5 + 5 * random.below(12) + (positive ? 20 : 0)) / 100);
          rows->positive.push_back(positive ? 1 : 0);
          rows->weights.push_back(0.5 + static_cast<double>(random.below(3)));
        }
      }
      folds.push_back({seen[f].view(), unseen[f].view()});
    }
    for (const TargetMeasure measure : {TargetMeasure::sensitivity, TargetMeasure::specificity}) {
      const auto reached = [&](double level) {
        double right = 0, all = 0;
        for (std::size_t f = 0; f < 3; ++f) {
          const double threshold = choose_threshold(seen[f].view(), measure, level).threshold;
          const bool sensitivity = measure == TargetMeasure::sensitivity;
          for (std::size_t i = 0; i < unseen[f].positive.size(); ++i) {
            if ((unseen[f].positive[i] == 1) != sensitivity) continue;
            const bool predicted = unseen[f].probabilities[i] >= threshold;
            all += unseen[f].weights[i];
            right += predicted == sensitivity ? unseen[f].weights[i] : 0;
          }
        }
        return right / all;
      };
      const double wanted = 0.02 + 0.96 * random.uniform();
      const TargetLevel chosen = choose_level(folds, measure, wanted);
      EXPECT_GE(chosen.reached, wanted);
      EXPECT_NEAR(chosen.reached, reached(chosen.level), 1e-12);
      // The levels that differ are the rates of the seen rows at any threshold.
      for (const Rows& rows : seen) {
        for (const double p : rows.probabilities) {
          const Rates rates = rates_at(rows, p);
          const double level =
              measure == TargetMeasure::sensitivity ? rates.sensitivity : rates.specificity;
          if (level >= chosen.level - 1e-9) continue;
          EXPECT_LT(reached(level), wanted) << level;
        }
      }
    }
  }
}

}  // namespace
}  // namespace frr::internal
