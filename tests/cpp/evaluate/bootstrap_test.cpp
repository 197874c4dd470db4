#include "evaluate/bootstrap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "evaluate/predictions.hpp"
#include "frr/error.hpp"

namespace frr::internal {
namespace {

// Rows of class 1 with this chance, all predicted 1 with probability 0.75.
struct Coins {
  std::vector<int> truth;
  Predictions predictions;

  Coins(Random& random, std::size_t rows, double chance) {
    std::vector<double> shares;
    for (std::size_t i = 0; i < rows; ++i) {
      truth.push_back(random.uniform() < chance ? 1 : 0);
      shares.insert(shares.end(), {0.25, 0.75});
    }
    predictions = distinct_predictions(2, std::vector<int>(rows, 1), shares);
  }
};

std::vector<double> accuracy(const Metrics& metrics) { return {metrics.accuracy}; }
std::vector<double> several(const Metrics& metrics) {
  return {metrics.accuracy, metrics.auc, metrics.log_loss, metrics.calibration_slope};
}

struct RandomRows {
  std::vector<int> truth, predicted;
  std::vector<double> shares, weights;

  explicit RandomRows(std::size_t rows) {
    Random random(7);
    for (std::size_t i = 0; i < rows; ++i) {
      const double p = random.uniform();
      truth.push_back(random.uniform() < p ? 1 : 0);
      predicted.push_back(p > 0.5 ? 1 : 0);
      shares.insert(shares.end(), {1 - p, p});
      weights.push_back(random.uniform());
    }
  }
};

TEST(Bootstrap, IntervalsAreThoseOfTheBinomialDistribution) {
  Random random(1);
  const Coins coins(random, 400, 0.8);
  const Scorer scorer(coins.predictions, coins.truth, {}, 1);
  const double share = scorer.metrics().accuracy;
  const double error = std::sqrt(share * (1 - share) / 400);
  const Interval interval = bootstrap(scorer, {.replicates = 4000, .seed = 5}, accuracy)[0];
  // The ends of 4000 replicates are themselves known to about 0.05 standard errors.
  EXPECT_NEAR(interval.low, share - 1.96 * error, 0.3 * error);
  EXPECT_NEAR(interval.high, share + 1.96 * error, 0.3 * error);
}

TEST(Bootstrap, About95PercentOfTheIntervalsHoldTheTrueValue) {
  Random random(2);
  int covered = 0;
  constexpr int tables = 400;
  for (int table = 0; table < tables; ++table) {
    const Coins coins(random, 200, 0.7);
    const Scorer scorer(coins.predictions, coins.truth, {}, 1);
    const auto seed = static_cast<std::uint64_t>(table);
    const Interval interval =
        bootstrap(scorer, {.replicates = 300, .seed = seed, .threads = 1}, accuracy)[0];
    covered += interval.low <= 0.7 && 0.7 <= interval.high ? 1 : 0;
  }
  // 0.95 +- 4 standard errors of 0.011
  EXPECT_GE(covered, static_cast<int>(0.905 * tables));
  EXPECT_LE(covered, static_cast<int>(0.995 * tables));
}

TEST(Bootstrap, DeterministicWithAnyNumberOfThreads) {
  const RandomRows rows(300);
  const Predictions predictions = distinct_predictions(2, rows.predicted, rows.shares);
  const Scorer scorer(predictions, rows.truth, rows.weights, 1);
  const std::vector<Interval> one =
      bootstrap(scorer, {.replicates = 100, .seed = 3, .threads = 1}, several);
  for (const int threads : {2, 7}) {
    const std::vector<Interval> other =
        bootstrap(scorer, {.replicates = 100, .seed = 3, .threads = threads}, several);
    for (std::size_t i = 0; i < one.size(); ++i) {
      EXPECT_EQ(one[i].low, other[i].low);
      EXPECT_EQ(one[i].high, other[i].high);
    }
  }
  const std::vector<Interval> next =
      bootstrap(scorer, {.replicates = 100, .seed = 4, .threads = 1}, several);
  EXPECT_NE(one[1].low, next[1].low);
}

TEST(Bootstrap, FiguresThatAreMostlyUndefinedHaveNoInterval) {
  // Drawn again, a single row of class 0 among 3 is absent in (2/3)^3 = 30 % of the replicates:
  // AUC has an interval. With all rows of one class it has none.
  const std::vector<double> shares = {0.25, 0.75, 0.5, 0.5, 0.75, 0.25};
  const Predictions predictions = distinct_predictions(2, std::vector<int>{1, 0, 0}, shares);
  const std::vector<int> mixed = {1, 1, 0}, same = {1, 1, 1};
  const Scorer some(predictions, mixed, {}, 1), none(predictions, same, {}, 1);
  EXPECT_EQ(bootstrap(some, {.replicates = 200}, several)[1].high, 1);
  EXPECT_TRUE(std::isnan(bootstrap(none, {.replicates = 200}, several)[1].high));
  EXPECT_FALSE(std::isnan(bootstrap(none, {.replicates = 200}, several)[0].high));
}

TEST(Bootstrap, CanBeStopped) {
  Random random(1);
  const Coins coins(random, 50, 0.5);
  const Scorer scorer(coins.predictions, coins.truth, {}, 1);
  Resampling resampling{.replicates = 50, .seed = 0, .threads = 1};
  int done = 0;
  resampling.after_replicate = [&] {
    if (++done == 3) throw Error(ErrorKind::interrupted, "stop");
  };
  EXPECT_THROW(bootstrap(scorer, resampling, accuracy), Error);
  EXPECT_EQ(done, 3);
}

TEST(Bootstrap, FewerReplicatesOnVeryManyRows) {
  EXPECT_EQ(usual_replicates(0), 1000);
  EXPECT_EQ(usual_replicates(200'000), 1000);
  EXPECT_EQ(usual_replicates(400'000), 500);
  EXPECT_EQ(usual_replicates(100'000'000), 100);
}

}  // namespace
}  // namespace frr::internal
