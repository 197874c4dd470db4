// The same table, request and seed give the same bytes with any number of threads.
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/random_table.hpp"

namespace frr::internal {
namespace {

// Enough rows and labels for polish and tuning to use several threads.
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

// `table` and `weights` with their rows in another order.
std::pair<Table, std::vector<double>> shuffled(const Table& table,
                                               const std::vector<double>& weights, Random& random) {
  std::vector<std::uint32_t> order(table.rows);
  std::iota(order.begin(), order.end(), 0U);
  random.shuffle<std::uint32_t>(order);
  Table other;
  other.source = table.source;
  for (const Column& column : table.columns) {
    if (column.type == ColumnType::numeric) {
      std::vector<double> values;
      for (const std::uint32_t row : order) values.push_back(column.values[row]);
      other.add_numeric(column.name, std::move(values));
      continue;
    }
    std::vector<std::optional<std::string>> values;
    for (const std::uint32_t row : order) {
      values.emplace_back(column.categories[static_cast<std::size_t>(column.codes[row])]);
    }
    other.add_categorical(column.name, values);
  }
  std::vector<double> moved;
  for (const std::uint32_t row : order) moved.push_back(weights[row]);
  return {std::move(other), std::move(moved)};
}

// Six different rows in each of two classes, so that most rows differ from others only in weight.
TEST(Determinism, RowOrderNeverChangesTheModelIfRowsDifferOnlyInWeight) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    std::vector<std::optional<std::string>> colours, classes;
    std::vector<double> sizes, weights;
    for (std::size_t i = 0; i < 80; ++i) {
      const std::size_t colour = random.below(2), size = random.below(3);
      colours.emplace_back(colour == 0 ? "red" : "blue");
      sizes.push_back(static_cast<double>(size));
      const bool first = random.uniform() < 0.2 ? random.below(2) == 0 : colour + size > 1;
      classes.emplace_back(i == 0 || (i > 1 && first) ? "a" : "b");
      weights.push_back(0.01 + 3 * random.uniform());
    }
    Table table;
    table.add_numeric("size", sizes);
    table.add_categorical("colour", colours);
    table.add_categorical("class", classes);
    TrainRequest request = quick(4);
    request.row_weights = weights;
    const std::string given = model(table, request, 1);
    for (int times = 0; times < 2; ++times) {
      const auto [other, moved] = shuffled(table, weights, random);
      request.row_weights = moved;
      EXPECT_EQ(model(other, request, 1), given) << seed;
    }
  }
}

TEST(Determinism, HoldsForOneSeedAndSeedsDiffer) {
  const Table table = small_table();
  TrainRequest request = quick(4);
  request.settings.polish = false;  // it may find the same rules from different starts
  const std::string first = model(table, request, 1);
  EXPECT_EQ(model(table, request, 1), first);
  const RuleBase base = from_json(first);
  int different = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    request.settings.seed = seed;
    RuleBase other = train(table, request);
    other.summary.settings = base.summary.settings;  // they contain the seed
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
TEST(Determinism, ConcurrentTrainingsAreIndependent) {
  const Table table = small_table();
  const TrainRequest request = quick(4);
  const std::string alone = model(table, request, 1);
  std::vector<std::string> models(4);
  {
    std::vector<std::jthread> threads;
    for (std::string& result : models) {
      threads.emplace_back([&] { result = model(table, request, 2); });
    }
  }
  for (const std::string& result : models) EXPECT_EQ(result, alone);
}

}  // namespace
}  // namespace frr::internal
