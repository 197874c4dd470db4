#include "additive/learn_additive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "additive/truth.hpp"
#include "support/random_table.hpp"

namespace frr::internal {
namespace {

using random_table::Problem;

struct Learned {
  AdditiveRules rules;
  Partition partition;
};

Learned learn(Problem& problem, int threads = 1) {
  Partition partition = problem.partition;
  Memberships memberships = problem.memberships;
  const std::vector<bool> fixed(partition.features.size(), false);
  Control control({}, problem.settings.time_limit);
  const AdditiveTask task{
      .table = problem.table,
      .rows = problem.rows,
      .examples = {problem.classes, problem.weights, problem.data.classes.size()},
      .settings = problem.settings,
      .fixed = fixed,
      .threads = threads};
  AdditiveRules rules = learn_additive(task, partition, memberships, control);
  return {std::move(rules), std::move(partition)};
}

// Loss and price by their definitions, with memberships recomputed from the partition.
double plain_objective(const Problem& problem, const Learned& learned) {
  const Memberships memberships(learned.partition, problem.table, problem.rows, 1);
  const Conjunction conjunction(problem.settings.tnorm, problem.settings.root);
  std::vector<std::vector<double>> scores(problem.rows.size(), learned.rules.biases);
  double sum = 0;
  for (const LabelRule& rule : learned.rules.rules) {
    const std::vector<float> truth = conjunction.truth(memberships, rule.labels);
    for (std::size_t i = 0; i < truth.size(); ++i) {
      scores[i][static_cast<std::size_t>(rule.then)] += rule.weight * static_cast<double>(truth[i]);
    }
    sum += additive_price(problem.settings) * static_cast<double>(rule.labels.size()) +
           additive_ridge / 2 * rule.weight * rule.weight;
  }
  for (std::size_t i = 0; i < scores.size(); ++i) {
    double total = 0;
    for (const double score : scores[i]) total += std::exp(score);
    sum += static_cast<double>(problem.weights[i]) *
           (std::log(total) - scores[i][static_cast<std::size_t>(problem.classes[i])]);
  }
  return sum;
}

TEST(LearnAdditive, KeepsToTheLimits) {
  Random random(1);
  for (const TNorm& tnorm : random_table::all_tnorms()) {
    Settings settings;
    settings.tnorm = tnorm;
    settings.rules = 3;
    settings.conditions = 2;
    Problem problem(random_table::make(random, {.rows = 300, .numeric = 4, .classes = 4}),
                    settings);
    const Learned learned = learn(problem);
    EXPECT_LE(learned.rules.rules.size(), 3U);
    EXPECT_FALSE(learned.rules.rules.empty());
    for (const LabelRule& rule : learned.rules.rules) {
      EXPECT_GT(rule.weight, 0);
      EXPECT_GE(rule.labels.size(), 1U);
      EXPECT_LE(rule.labels.size(), 2U);
      std::set<std::size_t> features;
      for (const std::size_t d : rule.labels) features.insert(problem.memberships.feature_of(d));
      EXPECT_EQ(features.size(), rule.labels.size());
    }
  }
}

TEST(LearnAdditive, StatesItsObjective) {
  Random random(2);
  for (const std::size_t classes : {2U, 3U, 12U}) {
    Problem problem(
        random_table::make(random, {.rows = 400, .numeric = 4, .classes = classes, .missing = 0.1}),
        Settings{});
    const Learned learned = learn(problem);
    EXPECT_NEAR(-learned.rules.objective, plain_objective(problem, learned), 0.05);
  }
}

// A class where two conditions hold together, in a column whose labels are not placed for it.
TEST(LearnAdditive, FindsAPlantedRuleAndItsBorder) {
  Random random(3);
  Table table;
  table.source = "planted.csv";
  std::vector<double> x, z;
  std::vector<std::optional<std::string>> colour, target;
  for (int i = 0; i < 2000; ++i) {
    x.push_back(10 * random.uniform());
    z.push_back(random.normal());
    colour.emplace_back(random.below(3) == 0 ? "red" : "blue");
    const bool ill = x.back() > 7.3 && *colour.back() == "blue";
    target.emplace_back(random.uniform() < (ill ? 0.9 : 0.1) ? "ill" : "well");
  }
  table.add_numeric("x", x);
  table.add_numeric("z", z);
  table.add_categorical("colour", colour);
  table.add_categorical("class", target);
  Problem problem(std::move(table), Settings{});
  const Learned learned = learn(problem);
  ASSERT_FALSE(learned.rules.rules.empty());
  for (const LabelRule& rule : learned.rules.rules) {
    EXPECT_EQ(rule.labels.size(), 2U);
    EXPECT_EQ(problem.data.classes[static_cast<std::size_t>(rule.then)], "ill");
    EXPECT_NEAR(rule.weight, 2 * std::log(9.0), 1);
  }
  double nearest = 10;
  for (const Border& border : borders_of(learned.partition.features[0])) {
    nearest = std::min(nearest, std::abs((border.start + border.end) / 2 - 7.3));
  }
  EXPECT_LT(nearest, 0.3);
}

TEST(LearnAdditive, FindsNothingInNoise) {
  Random random(4);
  Table table;
  table.source = "noise.csv";
  std::vector<double> x;
  std::vector<std::optional<std::string>> target;
  for (int i = 0; i < 40; ++i) {
    x.push_back(random.normal());
    target.emplace_back(i % 4 == 0 ? "a" : "b");
  }
  table.add_numeric("x", x);
  table.add_categorical("class", target);
  Settings settings;
  Problem problem(std::move(table), settings);
  const Learned learned = learn(problem);
  EXPECT_LE(learned.rules.rules.size(), 1U);
}

TEST(LearnAdditive, IsTheSameWithAnyNumberOfThreads) {
  Random random(5);
  Problem problem(random_table::make(random, {.rows = 9000, .numeric = 4}), Settings{});
  const Learned one = learn(problem);
  for (const int threads : {2, 7}) {
    const Learned many = learn(problem, threads);
    EXPECT_EQ(many.rules.biases, one.rules.biases);
    ASSERT_EQ(many.rules.rules.size(), one.rules.rules.size());
    for (std::size_t r = 0; r < one.rules.rules.size(); ++r) {
      EXPECT_EQ(many.rules.rules[r].labels, one.rules.rules[r].labels);
      EXPECT_EQ(many.rules.rules[r].weight, one.rules.rules[r].weight);
    }
  }
}

TEST(LearnAdditive, LeavesBordersWhereTuningIsOff) {
  Random random(6);
  Settings settings;
  settings.tune = false;
  Problem problem(random_table::make(random, {.rows = 400}), settings);
  const Learned learned = learn(problem);
  for (std::size_t j = 0; j < problem.partition.features.size(); ++j) {
    const auto before = borders_of(problem.partition.features[j]);
    const auto after = borders_of(learned.partition.features[j]);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t b = 0; b < before.size(); ++b) EXPECT_EQ(before[b].start, after[b].start);
  }
}

TEST(LearnAdditive, StopsWithTheCallback) {
  Random random(7);
  Problem problem(random_table::make(random, {.rows = 300}), Settings{});
  Partition partition = problem.partition;
  Memberships memberships = problem.memberships;
  const std::vector<bool> fixed(partition.features.size(), false);
  Control control([](const Progress&) { return false; }, 0);
  const AdditiveTask task{
      .table = problem.table,
      .rows = problem.rows,
      .examples = {problem.classes, problem.weights, problem.data.classes.size()},
      .settings = problem.settings,
      .fixed = fixed,
      .threads = 1};
  EXPECT_THROW(learn_additive(task, partition, memberships, control), Error);
}

}  // namespace
}  // namespace frr::internal
