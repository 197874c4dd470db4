// The same table, request and seed give the same bytes with any number of threads.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "random_table.hpp"

namespace frr {
namespace {

// Enough rows times labels that polish and tuning share their work among threads.
Table large_table() {
  Random random(5);
  return random_table::make(random, {.rows = 9000, .numeric = 12, .categorical = 3, .classes = 3});
}
Table small_table() {
  Random random(6);
  return random_table::make(random, {.rows = 100, .numeric = 3, .categorical = 1, .classes = 3});
}

TrainRequest quick(int epochs) {
  TrainRequest request;
  request.settings.epochs = epochs;
  request.settings.rules = 4;
  request.settings.sweeps = 2;
  request.settings.seed = 11;
  return request;
}

std::string model(const Table& table, TrainRequest request, int threads) {
  request.settings.threads = threads;
  return to_json(train(table, request));
}

std::string text_of(const CrossValidation& result) {
  std::string text;
  const auto add = [&](double value) { text += std::to_string(value) + " "; };
  for (const FoldResult& fold : result.folds) {
    add(fold.accuracy), add(fold.balanced_accuracy), add(fold.train_accuracy);
    add(fold.rules), add(fold.conditions), add(fold.unique_conditions);
  }
  for (const auto& row : result.confusion) {
    for (const std::size_t count : row) add(static_cast<double>(count));
  }
  return text;
}

TEST(Determinism, ThreadsNeverChangeTheModelOfALargeTable) {
  const Table table = large_table();
  TrainRequest request = quick(1);
  request.settings.sweeps = 1;
  request.settings.rules = request.settings.conditions = 2;
  const std::string one = model(table, request, 1);
  EXPECT_EQ(model(table, request, 2), one);
  EXPECT_EQ(model(table, request, 7), one);
}

TEST(Determinism, ThreadsNeverChangeTheModelOfSeveralRestarts) {
  const Table table = small_table();
  for (const int restarts : {1, 3}) {
    TrainRequest request = quick(4);
    request.settings.restarts = restarts;
    const std::string one = model(table, request, 1);
    EXPECT_EQ(model(table, request, 1), one);
    EXPECT_EQ(model(table, request, 2), one);
    EXPECT_EQ(model(table, request, 7), one);
  }
}

TEST(Determinism, ThreadsNeverChangeACrossValidation) {
  const Table table = small_table();
  TrainRequest request = quick(4);
  request.settings.threads = 1;
  const std::string one = text_of(cross_validate(table, request, 4));
  for (const int threads : {2, 7}) {
    request.settings.threads = threads;
    EXPECT_EQ(text_of(cross_validate(table, request, 4)), one);
  }
}

TEST(Determinism, OfOneSeedAndNotOfAllSeeds) {
  const Table table = small_table();
  TrainRequest request = quick(4);
  request.settings.polish = false;  // it may lead different starts to the same rules
  const std::string first = model(table, request, 1);
  EXPECT_EQ(model(table, request, 1), first);
  const RuleBase base = from_json(first);
  int different = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    request.settings.seed = seed;
    RuleBase other = train(table, request);
    other.summary.settings = base.summary.settings;  // the seed itself stands there
    different += to_json(other) != first ? 1 : 0;
  }
  EXPECT_GE(different, 2);
}

TEST(Determinism, MoreRestartsNeverFitWorse) {
  // The first restart is the training without restarts, so the best objective can only rise; with a
  // margin of 0 and free conditions the objective is the number of right rows.
  const Table table = small_table();
  TrainRequest request = quick(4);
  request.settings.margin = 0;
  request.settings.price = request.settings.price_rate = 0;
  request.settings.tune = false;
  request.settings.polish = false;
  const double one = train(table, request).summary.train_accuracy;
  request.settings.restarts = 4;
  EXPECT_GE(train(table, request).summary.train_accuracy, one);
}

// Several trainings and predictions at once share no state.
TEST(Determinism, TrainingsInSeveralThreadsAtOnceDoNotDisturbEachOther) {
  const Table table = small_table();
  const TrainRequest request = quick(4);
  const std::string alone = model(table, request, 1);
  std::vector<std::string> models(4);
  {
    std::vector<std::jthread> threads;
    for (std::string& own : models) {
      threads.emplace_back([&] { own = model(table, request, 2); });
    }
  }
  for (const std::string& own : models) EXPECT_EQ(own, alone);
}

}  // namespace
}  // namespace frr
