#include "network/trainer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "network/optimizer.hpp"

namespace frr::internal {
namespace {

// Rows of crisp labels: row i has label labels[i][j] of feature j (-1: none of it).
struct Toy {
  NetworkShape shape;
  SparseRows<float> inputs;
  std::vector<int> classes;
  std::vector<float> weights;

  Toy(std::size_t rules, std::size_t slots, std::size_t classes_,
      const std::vector<std::size_t>& labels) {
    shape.rules = rules;
    shape.slots = slots;
    shape.classes = classes_;
    for (const std::size_t count : labels) shape.first.push_back(shape.first.back() + count);
  }
  void add(const std::vector<int>& labels, int target, float weight = 1) {
    for (std::size_t j = 0; j < labels.size(); ++j) {
      if (labels[j] < 0) continue;
      inputs.entries.push_back(
          {static_cast<std::uint32_t>(shape.first[j]) + static_cast<std::uint32_t>(labels[j]), 1});
    }
    inputs.start.push_back(inputs.entries.size());
    classes.push_back(target);
    weights.push_back(weight);
  }
  Training train(const Settings& settings, std::uint64_t seed, Control& control) const {
    return train_network(shape, inputs, classes, weights, settings, seed, 1, control);
  }
  Training train(const Settings& settings, std::uint64_t seed = 0) const {
    Control control({}, 0);
    return train(settings, seed, control);
  }
  // Loss of all rows at once at `parameters`.
  double loss(const Settings& settings, const std::vector<float>& parameters,
              const NetworkPoint& point) const {
    std::vector<std::uint32_t> rows(classes.size());
    std::iota(rows.begin(), rows.end(), 0U);
    std::vector<float> gradient(parameters.size());
    Network<float> network(shape, network_rule(settings));
    return network.gradient(
        parameters, point,
        {.inputs = &inputs, .rows = rows, .classes = classes, .weights = weights}, gradient);
  }
};

// Class 1 if feature 0 has label 1 and feature 1 has label 2; feature 2 is noise.
Toy separable() {
  Toy toy(6, 3, 2, {2, 3, 2});
  for (int repeat = 0; repeat < 4; ++repeat)
    for (int x = 0; x < 2; ++x)
      for (int y = 0; y < 3; ++y)
        for (int z = 0; z < 2; ++z) toy.add({x, y, z}, x == 1 && y == 2 ? 1 : 0);
  return toy;
}

Settings quick() {
  Settings settings;
  settings.epochs = 60;
  settings.batch = 8;
  return settings;
}

TEST(Schedule, RunsFromStartToEnd) {
  // beta 1 -> 0, gamma 0.1 -> 0 linearly; sharpness 4 -> 40 geometrically: 4 sqrt(10) half way.
  const Settings settings;
  EXPECT_DOUBLE_EQ(schedule(settings, 0).beta, 1);
  EXPECT_DOUBLE_EQ(schedule(settings, 0.5).beta, 0.5);
  EXPECT_DOUBLE_EQ(schedule(settings, 1).beta, 0);
  EXPECT_DOUBLE_EQ(schedule(settings, 0).gamma, 0.1);
  EXPECT_DOUBLE_EQ(schedule(settings, 0.5).gamma, 0.05);
  EXPECT_DOUBLE_EQ(schedule(settings, 1).gamma, 0);
  EXPECT_DOUBLE_EQ(schedule(settings, 0).sharpness, 4);
  EXPECT_NEAR(schedule(settings, 0.5).sharpness, 12.649110640673518, 1e-12);
  EXPECT_DOUBLE_EQ(schedule(settings, 1).sharpness, 40);
}

TEST(Schedule, UsesGivenEnds) {
  Settings settings;
  settings.beta_start = 0.8;
  settings.beta_end = 0.2;
  settings.max_start = 100;
  settings.max_end = 1;
  EXPECT_DOUBLE_EQ(schedule(settings, 0.25).beta, 0.65);
  EXPECT_NEAR(schedule(settings, 0.5).sharpness, 10, 1e-12);
}

TEST(Schedule, OfThePaperAlwaysHasAHardMaximum) {
  const Settings settings = preset("paper");
  for (const double done : {0.0, 0.5, 1.0}) EXPECT_EQ(schedule(settings, done).sharpness, 0);
}

TEST(LearningRate, FallsAlongACosine) {
  Settings settings;
  settings.learning_rate = 0.08;
  EXPECT_DOUBLE_EQ(learning_rate(settings, 0), 0.08);
  EXPECT_NEAR(learning_rate(settings, 0.5), 0.04, 1e-15);
  EXPECT_NEAR(learning_rate(settings, 1.0 / 3), 0.06, 1e-15);  // (1 + cos 60) / 2 = 3/4
  EXPECT_NEAR(learning_rate(settings, 1), 0, 1e-15);
  settings.cosine = false;
  EXPECT_EQ(learning_rate(settings, 0.9), 0.08);
}

TEST(AutomaticEpochs, AreFewerForMoreRowsWithinLimits) {
  EXPECT_EQ(automatic_epochs(1), 120);
  EXPECT_EQ(automatic_epochs(300), 120);
  EXPECT_EQ(automatic_epochs(1000), 40);
  EXPECT_EQ(automatic_epochs(4000), 10);
  EXPECT_EQ(automatic_epochs(8000), 7);
  EXPECT_EQ(automatic_epochs(100000000), 7);
}

TEST(InitialWeights, AreSmallAndAssignTheClassesInTurn) {
  const NetworkShape shape{.rules = 60, .slots = 3, .classes = 3, .first = {0, 4, 8, 12}};
  Random random(1);
  const auto w = Network<double>::initial(shape, random);
  ASSERT_EQ(w.size(), shape.parameters());
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < shape.w4(); ++i) {
    sum += w[i];
    squares += w[i] * w[i];
  }
  const auto n = static_cast<double>(shape.w4());  // 60 * (12 + 9 + 6) = 1620
  EXPECT_NEAR(sum / n, 0, 5 * 0.1 / std::sqrt(n));
  EXPECT_NEAR(std::sqrt(squares / n), 0.1, 0.01);
  double assigned = 0, others = 0;
  for (std::size_t r = 0; r < shape.rules; ++r)
    for (std::size_t c = 0; c < shape.classes; ++c)
      (r % 3 == c ? assigned : others) += w[shape.w4() + r * 3 + c];
  EXPECT_NEAR(assigned / 60, 1, 5 * 0.3 / std::sqrt(60.0));
  EXPECT_NEAR(others / 120, 0, 5 * 0.3 / std::sqrt(120.0));
}

TEST(Trainer, WeightsDependOnTheSeedOnly) {
  const Toy toy = separable();
  Settings settings = quick();
  settings.epochs = 5;
  const Training first = toy.train(settings, 3);
  const Training again = toy.train(settings, 3);
  EXPECT_EQ(first.parameters, again.parameters);
  EXPECT_EQ(first.loss, again.loss);
  EXPECT_NE(first.parameters, toy.train(settings, 4).parameters);
}

TEST(Trainer, LearnsASeparableProblemThatItsRulesThenClassify) {
  const Toy toy = separable();
  for (const Semantics semantics : {Semantics::sufficient, Semantics::additive}) {
    Settings settings = quick();
    settings.semantics = semantics;
    std::vector<double> losses;
    Control control(
        [&](const Progress& progress) {
          losses.push_back(progress.loss);
          return true;
        },
        0);
    const Training training = toy.train(settings, 0, control);
    ASSERT_GE(losses.size(), 60U);
    EXPECT_LT(losses.back(), 0.3 * losses.front());
    const NetworkRule rule = network_rule(settings);
    const auto hard = Network<float>(toy.shape, rule).hard_rules(training.parameters);
    for (std::size_t row = 0; row < toy.classes.size(); ++row) {
      std::vector<double> mu(toy.shape.labels(), 0);
      for (const auto& [column, value] : toy.inputs.of_row(row)) mu[column] = value;
      const int answer = hard_class(rule, hard, 2, mu);
      EXPECT_EQ(answer < 0 ? 0 : answer, toy.classes[row])
          << to_string(semantics) << ", row " << row;
    }
  }
}

TEST(Trainer, ReportsEveryEpoch) {
  const Toy toy = separable();
  Settings settings = quick();
  settings.epochs = 4;
  std::vector<Progress> seen;
  Control control(
      [&](const Progress& progress) {
        seen.push_back(progress);
        return true;
      },
      0);
  const Training training = toy.train(settings, 1, control);
  ASSERT_GE(seen.size(), 4U);
  EXPECT_EQ(seen.back().epoch, 4);
  EXPECT_EQ(seen.back().loss, training.loss);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].stage, Progress::Stage::gradient);
    EXPECT_EQ(seen[i].epochs, 4);
    if (i == 0) continue;
    EXPECT_GE(seen[i].fraction, seen[i - 1].fraction);
    EXPECT_GE(seen[i].epoch, seen[i - 1].epoch);
  }
  EXPECT_EQ(training.epochs, 4);
  EXPECT_FALSE(training.cut_short);
}

// With a learning rate of 0 and fixed schedules every step sees the same weights, so the mean loss
// of an epoch is that of all rows at once if and only if its batches contain each row once. The
// losses of the rows differ widely.
TEST(Trainer, UsesEveryRowOncePerEpoch) {
  Toy toy(3, 2, 4, {2, 3});
  for (int i = 0; i < 12; ++i) toy.add({i % 2, i % 5 - 2}, i % 4);
  Settings settings;
  settings.epochs = 1;
  settings.learning_rate = 0;
  settings.beta_start = settings.beta_end = 0.5;
  settings.gamma_start = settings.gamma_end = 0.1;
  settings.max_start = settings.max_end = 10;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    Random random(seed);
    const auto parameters = Network<float>::initial(toy.shape, random);
    const double expected = toy.loss(settings, parameters, schedule(settings, 0));
    for (const int batch : {1, 2, 3, 4, 6, 12, 1000}) {
      settings.batch = batch;
      const Training training = toy.train(settings, seed);
      EXPECT_EQ(training.parameters, parameters);
      EXPECT_NEAR(training.loss, expected, 2e-6) << "batch " << batch;
    }
  }
}

TEST(Trainer, BatchesOfUnequalSizeStillCoverAllRows) {
  // 7 rows in batches of at most 3: sizes 2, 2, 3. Only one row has another loss, so the mean over
  // batches is base + (its loss - base) / size of its batch / 3, with a size of 2 or 3.
  Toy toy(2, 1, 2, {2});
  for (int i = 0; i < 7; ++i) toy.add({0}, i == 3 ? 1 : 0);
  Settings settings;
  settings.epochs = 1;
  settings.batch = 3;
  settings.learning_rate = 0;
  settings.beta_start = settings.beta_end = 0.5;
  settings.max_start = settings.max_end = 10;
  settings.gamma_start = settings.gamma_end = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Training training = toy.train(settings, seed);
    const double all = toy.loss(settings, training.parameters, schedule(settings, 0));
    Toy common(2, 1, 2, {2}), odd(2, 1, 2, {2});
    common.add({0}, 0);
    odd.add({0}, 1);
    const double base = common.loss(settings, training.parameters, schedule(settings, 0));
    const double other = odd.loss(settings, training.parameters, schedule(settings, 0));
    ASSERT_NEAR(all, base + (other - base) / 7, 1e-5);
    const double share = (training.loss - base) / (other - base);
    EXPECT_TRUE(std::abs(share - 1.0 / 6) < 1e-3 || std::abs(share - 1.0 / 9) < 1e-3 ||
                std::abs(share - 1.0 / 7) < 1e-3)
        << share;
  }
}

TEST(Trainer, PatienceStopsWithoutImprovement) {
  // One row and a learning rate of 0: the loss never changes after the first epoch.
  Toy toy(2, 1, 2, {2});
  toy.add({0}, 1);
  Settings settings;
  settings.epochs = 50;
  settings.learning_rate = 0;
  settings.beta_start = settings.beta_end = 0.5;
  settings.gamma_start = settings.gamma_end = 0.1;
  settings.max_start = settings.max_end = 10;
  EXPECT_EQ(toy.train(settings).epochs, 50);
  for (const int patience : {1, 3}) {
    settings.patience = patience;
    const Training training = toy.train(settings);
    EXPECT_EQ(training.epochs, 1 + patience);
    EXPECT_FALSE(training.cut_short);
  }
}

TEST(Trainer, StopsAtTheTimeLimit) {
  const Toy toy = separable();
  Control control({}, 1e-9);
  const Training training = toy.train(quick(), 1, control);
  EXPECT_TRUE(training.cut_short);
  EXPECT_LT(training.epochs, 60);
  for (const float w : training.parameters) EXPECT_TRUE(std::isfinite(w));
}

TEST(Trainer, StopsWhenTheCallbackReturnsFalse) {
  const Toy toy = separable();
  int calls = 0;
  Control control([&](const Progress&) { return ++calls < 3; }, 0);
  try {
    toy.train(quick(), 1, control);
    FAIL() << "not interrupted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
  EXPECT_EQ(calls, 3);
}

// Large enough for several threads.
Toy wide() {
  Toy toy(9, 3, 3, std::vector<std::size_t>(40, 3));
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    std::vector<int> labels;
    for (int j = 0; j < 40; ++j) labels.push_back(static_cast<int>(random.below(3)));
    toy.add(labels, labels[3]);
  }
  return toy;
}

TEST(Trainer, AnyNumberOfThreadsGivesTheSameWeights) {
  const Toy toy = wide();
  Settings settings = quick();
  settings.epochs = 3;
  for (const int batch : {64, 200}) {
    settings.batch = batch;
    std::vector<Training> found;
    for (const int threads : {1, 2, 5}) {
      Control control({}, 0);
      found.push_back(train_network(toy.shape, toy.inputs, toy.classes, toy.weights, settings, 0,
                                    threads, control));
    }
    EXPECT_EQ(found[0].parameters, found[1].parameters);
    EXPECT_EQ(found[0].parameters, found[2].parameters);
    EXPECT_EQ(found[0].loss, found[1].loss);
  }
}

TEST(Trainer, SeveralThreadsStopWhenTheCallbackReturnsFalse) {
  const Toy toy = wide();
  Settings settings = quick();
  settings.epochs = 1000;
  int reports = 0;
  Control control([&](const Progress&) { return ++reports < 3; }, 0);
  EXPECT_THROW(
      train_network(toy.shape, toy.inputs, toy.classes, toy.weights, settings, 0, 2, control),
      Error);
  EXPECT_EQ(reports, 3);
}

TEST(Replicas, IncreaseWithTheNumberOfBatches) {
  EXPECT_EQ(replica_count(1), 1U);
  EXPECT_EQ(replica_count(15), 1U);
  EXPECT_EQ(replica_count(16), 2U);
  EXPECT_EQ(replica_count(31), 3U);
  EXPECT_EQ(replica_count(32), 4U);
  EXPECT_EQ(replica_count(100000), 4U);
}

// The procedure of the header step by step: 48 rows in 16 batches give two replicas, which make 8
// separate steps and are then averaged.
TEST(Replicas, ContinueFromTheirMean) {
  const Toy toy = separable();
  Settings settings = quick();
  settings.batch = 3;
  settings.epochs = 2;
  Random random(5);
  std::vector<float> start = Network<float>::initial(toy.shape, random);
  std::vector<std::uint32_t> order(48);
  std::iota(order.begin(), order.end(), 0U);
  std::vector<Adam> adams(2, Adam(start.size()));
  for (int epoch = 0; epoch < 2; ++epoch) {
    random.shuffle(std::span(order));
    std::vector<std::vector<float>> ends;
    for (std::size_t w = 0; w < 2; ++w) {
      std::vector<float> at = start, gradient(start.size());
      for (std::size_t step = 8 * w; step < 8 * (w + 1); ++step) {
        const double done = (16.0 * epoch + static_cast<double>(step)) / 32;
        Network<float> network(toy.shape, network_rule(settings));
        network.gradient(at, schedule(settings, done),
                         {.inputs = &toy.inputs,
                          .rows = std::span(order).subspan(3 * step, 3),
                          .classes = toy.classes,
                          .weights = toy.weights},
                         gradient);
        adams[w].step(at, gradient, learning_rate(settings, done));
      }
      ends.push_back(at);
    }
    for (std::size_t i = 0; i < start.size(); ++i) start[i] = (ends[0][i] + ends[1][i]) / 2;
  }
  const std::vector<float> trained = toy.train(settings, 5).parameters;
  ASSERT_EQ(trained.size(), start.size());
  for (std::size_t i = 0; i < start.size(); ++i) EXPECT_NEAR(trained[i], start[i], 1e-5) << i;
}

TEST(Trainer, RowsOfGreaterWeightCountMore) {
  // The same row twice with different classes: the larger weight wins.
  for (const int heavy : {0, 1}) {
    Toy toy(4, 1, 2, {2});
    toy.add({0}, 0, heavy == 0 ? 9.0F : 1.0F);
    toy.add({0}, 1, heavy == 1 ? 9.0F : 1.0F);
    Settings settings = quick();
    settings.epochs = 200;
    const Training training = toy.train(settings);
    const NetworkPoint last = schedule(settings, 1);
    Toy wins(4, 1, 2, {2}), loses(4, 1, 2, {2});
    wins.add({0}, heavy);
    loses.add({0}, 1 - heavy);
    EXPECT_LT(wins.loss(settings, training.parameters, last),
              loses.loss(settings, training.parameters, last));
  }
}

TEST(Trainer, TrainsWithOneRowOneBatchAndOneRule) {
  Toy toy(1, 1, 2, {1});
  toy.add({0}, 1);
  Settings settings = quick();
  settings.epochs = 1;
  const Training training = toy.train(settings);
  EXPECT_EQ(training.epochs, 1);
  EXPECT_TRUE(std::isfinite(training.loss));
}

}  // namespace
}  // namespace frr::internal
