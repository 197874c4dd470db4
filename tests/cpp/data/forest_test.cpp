#include "data/forest.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.hpp"

namespace frr::internal {
namespace {

std::vector<std::uint32_t> all_rows(const Table& table) {
  std::vector<std::uint32_t> rows(table.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

TEST(BinningTest, PutsValuesBetweenTheEdgesAndMissingOnesInBinZero) {
  Table table;
  table.add_numeric("x", {1, 3, 3, std::numeric_limits<double>::quiet_NaN(), 7});
  table.add_categorical("c", {"b", "a", std::nullopt, "b", "c"});
  const std::vector<std::size_t> columns{0, 1};
  const auto rows = all_rows(table);
  const Binning binning(table, columns, rows);
  // Three distinct numbers make edges at 2 and 5; with the missing bin that is 4 bins.
  EXPECT_EQ(binning.bins(0), 4U);
  EXPECT_EQ(binning.bins(1), 4U);
  const std::vector<std::uint8_t> expected{1, 2, 2, 0, 3, 1, 2, 0, 1, 3};
  EXPECT_EQ(binning.apply(table, rows), expected);
}

TEST(BinningTest, ValuesOutsideTheTrainingRangeGoToTheOuterBins) {
  Table table;
  table.add_numeric("x", {1, 2, -100, 100});
  const std::vector<std::uint32_t> train{0, 1}, rest{2, 3};
  const Binning binning(table, std::vector<std::size_t>{0}, train);
  EXPECT_EQ(binning.apply(table, rest), (std::vector<std::uint8_t>{1, 2}));
}

TEST(BinningTest, ManyDistinctValuesShareBinsOfEqualSize) {
  Table table;
  std::vector<double> values(6300);
  std::iota(values.begin(), values.end(), 0.0);
  table.add_numeric("x", values);
  const auto rows = all_rows(table);
  const Binning binning(table, std::vector<std::size_t>{0}, rows);
  std::vector<int> count(binning.bins(0), 0);
  for (const std::uint8_t bin : binning.apply(table, rows)) ++count[bin];
  EXPECT_EQ(count[0], 0);
  for (std::size_t b = 1; b < count.size(); ++b) EXPECT_NEAR(count[b], 100, 1) << b;
}

// Two columns; only the first decides: class 1 from 50 on.
struct Halves {
  Table table;
  std::vector<int> classes;
  std::vector<float> weights;
  Halves() {
    Random random(3);
    std::vector<double> x, noise;
    for (int i = 0; i < 300; ++i) {
      x.push_back(random.uniform() * 100);
      noise.push_back(random.uniform());
      classes.push_back(x.back() >= 50 ? 1 : 0);
      weights.push_back(1);
    }
    table.add_numeric("x", x);
    table.add_numeric("noise", noise);
  }
};

// The same, ready for a forest.
struct BinnedHalves : Halves {
  std::vector<std::uint32_t> rows = all_rows(table);
  Binning binning{table, std::vector<std::size_t>{0, 1}, rows};
  std::vector<std::uint8_t> bins = binning.apply(table, rows);

  [[nodiscard]] ForestRows input() const {
    return {.bins = bins, .classes = classes, .weights = weights, .class_count = 2};
  }
  [[nodiscard]] Forest forest(const ForestShape& shape, int threads = 1) const {
    return Forest(binning, input(), shape, threads);
  }
  [[nodiscard]] std::vector<float> shares(const Forest& forest, int threads = 1) const {
    return forest.probabilities(bins, rows.size(), threads);
  }
};

TEST(ForestTest, FindsTheColumnThatDecides) {
  const BinnedHalves data;
  const Forest forest = data.forest({50, 2, 1});
  Table fresh;
  fresh.add_numeric("x", {5, 30, 70, 95});
  fresh.add_numeric("noise", {0.9, 0.1, 0.2, 0.8});
  const auto fresh_bins = data.binning.apply(fresh, all_rows(fresh));
  const auto shares = forest.probabilities(fresh_bins, 4, 1);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(shares[2 * i] + shares[2 * i + 1], 1, 1e-5);
    EXPECT_GT(shares[2 * i + (i < 2 ? 0 : 1)], 0.9F) << i;
  }
}

TEST(ForestTest, IsTheSameWithAnyNumberOfThreads) {
  const BinnedHalves data;
  const Forest forest = data.forest({20, 2, 7});
  const auto one = data.shares(forest);
  EXPECT_EQ(one, data.shares(data.forest({20, 2, 7}, 3), 3));
  EXPECT_NE(one, data.shares(data.forest({20, 2, 8})));
  EXPECT_EQ(forest.unseen_right(data.input()), forest.unseen_right(data.input(), 3));
}

TEST(ForestTest, IsTheSameIfGrownInTwoSteps) {
  const BinnedHalves data;
  Forest forest = data.forest({7, 2, 7});
  forest.grow(data.binning, data.input(), {20, 2, 7}, 2);
  EXPECT_EQ(data.shares(forest), data.shares(data.forest({20, 2, 7})));
}

TEST(ForestTest, StopsGrowingWhenThereAreEnoughTrees) {
  const BinnedHalves data;
  int asked = 0;
  const Forest stopped(data.binning, data.input(), {20, 2, 7}, 1, [&] { return ++asked > 2; });
  EXPECT_EQ(data.shares(stopped), data.shares(data.forest({3, 2, 7})));
}

TEST(ForestTest, RowsOfMoreWeightCountMore) {
  // The column is uninformative, so the shares follow the weights of the classes: 1 to 3.
  Table table;
  std::vector<double> x;
  std::vector<int> classes;
  std::vector<float> weights;
  for (int i = 0; i < 2000; ++i) {
    x.push_back(i % 2);
    classes.push_back((i / 2) % 2);
    weights.push_back(classes.back() == 1 ? 3.0F : 1.0F);
  }
  table.add_numeric("x", x);
  const auto rows = all_rows(table);
  const Binning binning(table, std::vector<std::size_t>{0}, rows);
  const auto bins = binning.apply(table, rows);
  const auto shares =
      Forest(binning, {.bins = bins, .classes = classes, .weights = weights, .class_count = 2},
             {200, 2, 1}, 1)
          .probabilities(bins, rows.size(), 1);
  EXPECT_NEAR(shares[1], 0.75, 0.02);
}

TEST(ForestTest, LeavesHaveTheMinimumSize) {
  const BinnedHalves data;
  // A sample of 300 rows has at most 300 different ones, so there cannot be two leaves of 151.
  const auto shares = data.shares(data.forest({20, 151, 1}));
  for (std::size_t i = 1; i < data.rows.size(); ++i) EXPECT_EQ(shares[2 * i], shares[0]) << i;
}

TEST(ForestTest, OutOfBagRowsMeasureItsAccuracy) {
  BinnedHalves data;
  EXPECT_GT(data.forest({50, 2, 1}).unseen_right(data.input()), 290);
  // Random classes: it is right on about half of the out-of-bag rows, whatever it memorised.
  Random random(5);
  for (int& c : data.classes) c = static_cast<int>(random.below(2));
  const Forest fine = data.forest({50, 2, 1});
  const auto shares = data.shares(fine);
  int known = 0;
  for (std::size_t i = 0; i < data.rows.size(); ++i) {
    known += (shares[2 * i + 1] > 0.5F ? 1 : 0) == data.classes[i] ? 1 : 0;
  }
  EXPECT_GT(known, 260);
  const double right = fine.unseen_right(data.input());
  EXPECT_NEAR(right, 150, 45);
  std::fill(data.weights.begin(), data.weights.end(), 2.0F);
  EXPECT_NEAR(fine.unseen_right(data.input()), 2 * right, 1e-6);
}

// The same columns with classes that only follow them mostly, so that no two trees agree.
struct NoisyHalves : BinnedHalves {
  NoisyHalves() {
    Random random(9);
    for (int& c : classes) c = random.below(5) == 0 ? 1 - c : c;
  }
};

TEST(UnseenProbabilities, OfOneTreeAreThoseOfItsLeavesForTheRowsOutsideItsSample) {
  const NoisyHalves data;
  const Forest tree = data.forest({1, 2, 1});
  const std::vector<float> all = data.shares(tree),
                           unseen = tree.unseen_probabilities(data.input());
  ASSERT_EQ(unseen.size(), all.size());
  int rows = 0;
  for (std::size_t i = 0; i < data.rows.size(); ++i) {
    if (unseen[2 * i] + unseen[2 * i + 1] == 0) continue;
    ++rows;
    for (const std::size_t k : {2 * i, 2 * i + 1}) EXPECT_NEAR(unseen[k], all[k], 1e-6) << i;
  }
  // A bootstrap sample misses a row with a probability of about 1/e.
  EXPECT_NEAR(rows, 300 / std::exp(1.0), 25);
}

TEST(UnseenProbabilities, AreTheMeanOfTheTreesThatHaveNotSeenTheRow) {
  const NoisyHalves data;
  constexpr std::size_t trees = 8;
  const Forest forest = data.forest({trees, 2, 4});
  std::vector<double> all(600, 0.0), unseen(600, 0.0), counts(300, 0.0);
  for (std::size_t t = 0; t < trees; ++t) {
    // Tree t of a forest is the only one of a forest with this seed.
    const Forest tree = data.forest({1, 2, 4 + 0x9e3779b97f4a7c15ULL * t});
    const std::vector<float> leaves = data.shares(tree);
    const std::vector<float> of_unseen = tree.unseen_probabilities(data.input());
    for (std::size_t i = 0; i < 300; ++i) {
      if (of_unseen[2 * i] + of_unseen[2 * i + 1] > 0) counts[i] += 1;
      for (const std::size_t k : {2 * i, 2 * i + 1}) {
        all[k] += static_cast<double>(leaves[k]) / trees;
        unseen[k] += static_cast<double>(of_unseen[k]);
      }
    }
  }
  const std::vector<float> shares = data.shares(forest);
  const std::vector<float> result = forest.unseen_probabilities(data.input());
  int seen_by_all = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    seen_by_all += counts[i] == 0 ? 1 : 0;
    for (const std::size_t k : {2 * i, 2 * i + 1}) {
      ASSERT_NEAR(shares[k], all[k], 1e-5) << "other trees";
      EXPECT_NEAR(result[k], counts[i] > 0 ? unseen[k] / counts[i] : 0, 1e-5) << i;
    }
  }
  EXPECT_GT(seen_by_all, 0);  // (1 - 1/e)^8 of the rows
  EXPECT_EQ(forest.unseen_probabilities(data.input(), 3), result);
}

TEST(UnseenProbabilities, GiveTheOutOfBagAccuracy) {
  NoisyHalves data;
  Random random(10);
  for (float& weight : data.weights) weight = static_cast<float>(1 + random.below(4)) / 2;
  for (const std::size_t trees : {1U, 3U, 40U}) {
    const Forest forest = data.forest({trees, 2, 4});
    const std::vector<float> p = forest.unseen_probabilities(data.input());
    double right = 0;
    for (std::size_t i = 0; i < 300; ++i) {
      if (p[2 * i] + p[2 * i + 1] == 0) continue;
      EXPECT_NEAR(p[2 * i] + p[2 * i + 1], 1, 1e-5);
      const int likely = p[2 * i + 1] > p[2 * i] ? 1 : 0;
      if (likely == data.classes[i]) right += static_cast<double>(data.weights[i]);
    }
    EXPECT_EQ(forest.unseen_right(data.input()), right) << trees;
  }
}

}  // namespace
}  // namespace frr::internal
