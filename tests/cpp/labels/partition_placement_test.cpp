// Where each kind of partition places its labels.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "frr/error.hpp"
#include "frr/frr.hpp"
#include "labels/partition.hpp"
#include "labels/supervised_cuts.hpp"
#include "support/partition_sample.hpp"

namespace frr::internal {
namespace {

using namespace partition_sample;

// ---- The paper's quantile partition

TEST(QuantilePartition, ThreeLabelsAreThePapersTableWithOpenShoulders) {
  // Q = 0, 20, 40, 60, 80, 100.
  const Feature feature = feature_of(up_to(100), of(PartitionKind::quantile, 3));
  ASSERT_EQ(names_of(feature), (Names{"low", "medium", "high"}));
  expect_shape(feature.labels[0], -infinity, -infinity, 20, 40);
  expect_shape(feature.labels[1], 20, 30, 50, 60);
  expect_shape(feature.labels[2], 40, 60, infinity, infinity);
}

TEST(QuantilePartition, TwoLabelsCrossInTheSecondQuarter) {
  const Feature feature =
      feature_of(up_to(100), of(PartitionKind::quantile, 2));  // Q = 0, 25, 50, 75, 100
  ASSERT_EQ(names_of(feature), (Names{"low", "high"}));
  expect_shape(feature.labels[0], -infinity, -infinity, 25, 50);
  expect_shape(feature.labels[1], 25, 50, infinity, infinity);
}

TEST(QuantilePartition, SevenLabelsFollowTheSameTable) {
  const Feature feature = feature_of(up_to(90), of(PartitionKind::quantile, 7));  // Q_i = 10 i
  ASSERT_EQ(names_of(feature),
            (Names{"very low", "low", "fairly low", "medium", "fairly high", "high", "very high"}));
  expect_shape(feature.labels[0], -infinity, -infinity, 10, 20);
  for (int v = 1; v < 6; ++v) {
    expect_shape(feature.labels[static_cast<std::size_t>(v)], 10 * v, 10 * v + 5, 10 * v + 15,
                 10 * v + 20);
  }
  expect_shape(feature.labels[6], 60, 70, infinity, infinity);
}

TEST(QuantilePartition, EveryTrainingValueHasALabelWithAnyTies) {
  const std::vector<std::vector<double>> columns{{0, 0, 0, 0, 0, 0, 1},
                                                 {0, 1, 1, 1, 1, 1, 1},
                                                 {0, 0, 0, 1, 1, 1},
                                                 {0, 0, 1, 1, 2, 2, 3, 3},
                                                 {5, 5, 5, 5, 5, 5, 5, 5, 9, 12}};
  for (const auto& values : columns) {
    for (int labels = 2; labels <= 7; ++labels) {
      const Feature feature = feature_of(values, of(PartitionKind::quantile, labels));
      EXPECT_GE(feature.labels.size(), 2U);
      for (const double x : values) {
        double most = 0;
        for (const Trapezoid& shape : ranges_of(feature)) most = std::max(most, shape(x));
        EXPECT_GT(most, 0) << x << " of " << values.size() << " values, " << labels << " labels";
      }
    }
  }
}

TEST(UniformPartition, StaysStrongIfAMiddleRangeIsEmpty) {
  const Feature feature = feature_of({0, 0.1, 0.3, 0.5, 100}, of(PartitionKind::uniform, 3));
  ASSERT_EQ(names_of(feature), (Names{"low", "high"}));
  EXPECT_EQ(borders_of(feature).size(), 1U);
  for (double x = -1; x < 102; x += 0.5) {
    EXPECT_NEAR(ranges_of(feature)[0](x) + ranges_of(feature)[1](x), 1, 1e-12);
  }
}

TEST(QuantilePartition, ValuesBeyondTheDataAreFullyLowOrHigh) {
  for (int labels = 2; labels <= 7; ++labels) {
    for (const auto kind :
         {PartitionKind::quantile, PartitionKind::uniform, PartitionKind::supervised}) {
      const Feature feature = feature_of(up_to(100), of(kind, labels));
      EXPECT_EQ(ranges_of(feature).front()(-1e300), 1);
      EXPECT_EQ(ranges_of(feature).back()(1e300), 1);
      for (const double x : {90.0, 100.0, 101.0}) EXPECT_EQ(ranges_of(feature).back()(x), 1);
    }
  }
}

TEST(QuantilePartition, QuantilesAreInterpolated) {
  // Positions 0.8 and 1.6 of 0..4 (V = 3, n = 5): Q_1 = 0.8, Q_2 = 1.6, Q_3 = 2.4.
  const Feature feature = feature_of({4, 2, 0, 3, 1}, of(PartitionKind::quantile, 3));
  ASSERT_EQ(feature.labels.size(), 3u);
  expect_shape(feature.labels[0], -infinity, -infinity, 0.8, 1.6);
  expect_shape(feature.labels[2], 1.6, 2.4, infinity, infinity);
}

// ---- Equal widths

TEST(UniformPartition, CutsTheRangeIntoEqualWidths) {
  Settings settings = of(PartitionKind::uniform, 4);
  settings.slope = 0.2;  // of a range's width, 10
  const Feature feature = feature_of(up_to(40), settings);
  ASSERT_EQ(names_of(feature), (Names{"very low", "low", "high", "very high"}));
  expect_shape(feature.labels[0], -infinity, -infinity, 8, 12);
  expect_shape(feature.labels[1], 8, 12, 18, 22);
  expect_shape(feature.labels[2], 18, 22, 28, 32);
  expect_shape(feature.labels[3], 28, 32, infinity, infinity);
}

TEST(UniformPartition, LeavesOutLabelsWithoutValues) {
  Settings settings = of(PartitionKind::uniform, 7);
  const Feature feature = feature_of({0, 0, 0, 1, 1, 1}, settings);
  EXPECT_EQ(names_of(feature), (Names{"low", "high"}));
}

// ---- Supervised cuts

// Weighted entropy of the ranges between the cuts, in nats times rows.
double entropy(const std::vector<int>& classes, const std::vector<std::size_t>& cuts,
               int class_count) {
  double total = 0;
  std::size_t from = 0;
  for (std::size_t i = 0; i <= cuts.size(); ++i) {
    const std::size_t to = i < cuts.size() ? cuts[i] : classes.size();
    for (int c = 0; c < class_count; ++c) {
      double of_class = 0;
      for (std::size_t k = from; k < to; ++k) of_class += classes[k] == c ? 1 : 0;
      const double share = of_class / static_cast<double>(to - from);
      if (share > 0) total -= of_class * std::log(share);
    }
    from = to;
  }
  return total;
}

// The smallest entropy of `labels` ranges of at least `least` rows; infinite if there are none.
double best_entropy(const std::vector<double>& sorted, const std::vector<int>& classes,
                    int class_count, std::size_t labels, double least,
                    std::vector<std::size_t>& cuts) {
  const std::size_t from = cuts.empty() ? 0 : cuts.back();
  if (cuts.size() + 1 == labels) {
    if (static_cast<double>(sorted.size() - from) < least) return infinity;
    return entropy(classes, cuts, class_count);
  }
  double best = infinity;
  for (std::size_t k = from + 1; k < sorted.size(); ++k) {
    if (sorted[k] == sorted[k - 1] || static_cast<double>(k - from) < least) continue;
    cuts.push_back(k);
    best = std::min(best, best_entropy(sorted, classes, class_count, labels, least, cuts));
    cuts.pop_back();
  }
  return best;
}

TEST(SupervisedCuts, AreTheBestOfAllCombinations) {
  Random random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 6 + random.below(20);
    const int class_count = 2 + static_cast<int>(random.below(3));
    const int labels = 2 + static_cast<int>(random.below(3));
    const double min_share = random.below(2) == 0 ? 0.1 : 0.25 * random.uniform();
    std::vector<double> sorted;
    std::vector<int> classes;
    const std::size_t distinct = 2 + random.below(30);
    for (std::size_t i = 0; i < n; ++i) {
      sorted.push_back(static_cast<double>(random.below(distinct)));
      classes.push_back(static_cast<int>(random.below(static_cast<std::size_t>(class_count))));
    }
    std::sort(sorted.begin(), sorted.end());
    if (sorted.front() == sorted.back()) continue;
    const auto cuts = supervised_cuts(sorted, classes, class_count, labels, 40, min_share);
    for (const std::size_t cut : cuts) EXPECT_NE(sorted[cut], sorted[cut - 1]);

    const double least = min_share * static_cast<double>(n);
    // The largest possible number of ranges: an additional range never increases the entropy.
    double best = infinity;
    std::size_t ranges = static_cast<std::size_t>(labels);
    for (; ranges >= 2 && best == infinity; --ranges) {
      std::vector<std::size_t> none;
      best = best_entropy(sorted, classes, class_count, ranges, least, none);
      if (best < infinity) {
        EXPECT_EQ(cuts.size() + 1, ranges);
      }
    }
    if (best == infinity) continue;  // the near-constant case, below
    EXPECT_NEAR(entropy(classes, cuts, class_count), best, 1e-9) << "trial " << trial;
    std::size_t from = 0;
    for (std::size_t i = 0; i <= cuts.size(); ++i) {
      const std::size_t to = i < cuts.size() ? cuts[i] : n;
      EXPECT_GE(static_cast<double>(to - from), least);
      from = to;
    }
  }
}

TEST(SupervisedCuts, AreQuantileBinEdgesForManyValues) {
  std::vector<double> sorted = up_to(999);
  std::vector<int> classes(1000);
  for (std::size_t i = 0; i < 1000; ++i) classes[i] = i < 400 ? 0 : i < 750 ? 1 : 0;
  const auto cuts = supervised_cuts(sorted, classes, 2, 3, 40, 0.1);  // bins of 25 rows
  EXPECT_EQ(cuts, (std::vector<std::size_t>{400, 750}));
}

TEST(SupervisedCuts, SeparateRareValuesInNearConstantColumns) {
  std::vector<double> sorted(100, 0.0);
  for (std::size_t i = 95; i < 100; ++i) sorted[i] = 7;
  const std::vector<int> classes = halves(100);
  EXPECT_EQ(supervised_cuts(sorted, classes, 2, 3, 40, 0.1), (std::vector<std::size_t>{95}));
  std::vector<double> one(1000, 0.0);
  one.back() = 1;
  EXPECT_EQ(supervised_cuts(one, halves(1000), 2, 3, 40, 0.1), (std::vector<std::size_t>{999}));
  std::vector<double> first(1000, 0.0);
  first.front() = -1;
  EXPECT_EQ(supervised_cuts(first, halves(1000), 2, 3, 40, 0.1), (std::vector<std::size_t>{1}));
}

TEST(SupervisedPartition, SlopesCoverAFractionOfTheRows) {
  Settings settings = of(PartitionKind::supervised, 2);
  settings.slope = 0.1;
  // 100 rows, cut between 49 and 50: ten rows on each side of it.
  const Feature feature = feature_of(up_to(99), settings);
  ASSERT_EQ(names_of(feature), (Names{"low", "high"}));
  expect_shape(feature.labels[0], -infinity, -infinity, 39, 60);
  expect_shape(feature.labels[1], 39, 60, infinity, infinity);
}

TEST(SupervisedPartition, HasCrispBordersWithoutSlope) {
  Settings settings = of(PartitionKind::supervised, 2);
  settings.slope = 0;
  const Feature feature = feature_of(up_to(99), settings);
  const auto borders = borders_of(feature);
  ASSERT_EQ(borders.size(), 1u);
  EXPECT_EQ(borders[0].start, borders[0].end);
  EXPECT_GT(borders[0].start, 49);
  EXPECT_LE(borders[0].start, 50);
}

TEST(QuantilePartition, TiesOfDecimalsStayOrdered) {
  Random random(4);
  for (int trial = 0; trial < 2000; ++trial) {
    const std::size_t n = 8 + random.below(60);
    std::vector<double> values(n, static_cast<double>(1 + random.below(999)) * 0.01);
    for (std::size_t i = 0; i < n; ++i)
      if (random.below(4) == 0) values[i] = 10 * random.uniform();
    const Feature feature =
        feature_of(values, of(PartitionKind::quantile, 2 + static_cast<int>(random.below(6))));
    for (const auto& t : ranges_of(feature))
      ASSERT_TRUE(t.a <= t.b && t.b <= t.c && t.c <= t.d)
          << trial << " " << t.a - t.b << " " << t.b - t.c << " " << t.c - t.d << " " << t.a
          << " n " << n;
  }
}

}  // namespace
}  // namespace frr::internal
