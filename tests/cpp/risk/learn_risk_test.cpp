#include "risk/learn_risk.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "support/log_loss_task.hpp"

namespace frr::internal {
namespace {

struct Learned {
  RiskRules rules;
  Partition partition;
};

Learned learn(const LogLossProblem& problem, Control& control, int threads = 1,
              std::vector<LabelRule> start = {}) {
  Partition partition = problem.partition;
  AdditiveTask task = problem.task(threads);
  task.start = start;
  RiskRules rules = learn_risk(task, partition, problem.memberships, 1, control);
  return {std::move(rules), std::move(partition)};
}

Learned learn(const LogLossProblem& problem, int threads = 1, std::vector<LabelRule> start = {}) {
  Control control({}, 0);
  return learn(problem, control, threads, std::move(start));
}

Settings quick(const TNorm& tnorm = {}) {
  Settings settings;
  settings.tnorm = tnorm;
  settings.rules = 3;
  settings.conditions = 2;
  settings.trees = 10;
  return settings;
}

void expect_valid(const LogLossProblem& problem, const RiskRules& found) {
  const auto classes = static_cast<int>(problem.data.classes.size());
  EXPECT_LE(found.rules.size(), static_cast<std::size_t>(problem.settings.rules));
  EXPECT_GE(found.otherwise, 0);
  EXPECT_LT(found.otherwise, classes);
  for (const LabelRule& rule : found.rules) {
    EXPECT_GT(rule.weight, 0);
    EXPECT_LE(rule.weight, 1);
    EXPECT_GE(rule.then, 0);
    EXPECT_LT(rule.then, classes);
    EXPECT_GE(rule.labels.size(), 1U);
    EXPECT_LE(rule.labels.size(), static_cast<std::size_t>(problem.settings.conditions));
    std::set<std::size_t> features;
    for (const std::size_t d : rule.labels) features.insert(problem.memberships.feature_of(d));
    EXPECT_EQ(features.size(), rule.labels.size());
  }
}

TEST(LearnRisk, KeepsToTheLimits) {
  Random random(1);
  for (const TNorm& tnorm : random_table::all_tnorms()) {
    const LogLossProblem problem(
        random_table::make(random, {.rows = 400, .numeric = 4, .classes = 3, .missing = 0.05}),
        quick(tnorm));
    const auto start = random_table::random_rules(random, problem, 3, 2);
    const Learned learned = learn(problem, 1, start);
    EXPECT_FALSE(learned.rules.rules.empty()) << to_string(tnorm);
    expect_valid(problem, learned.rules);
  }
}

TEST(LearnRisk, IsTheSameWithAnyNumberOfThreads) {
  Random random(2);
  const LogLossProblem problem(
      random_table::make(random, {.rows = 6000, .numeric = 4, .classes = 3}), quick());
  const Learned one = learn(problem);
  for (const int threads : {2, 7}) {
    const Learned many = learn(problem, threads);
    EXPECT_EQ(many.rules.objective, one.rules.objective);
    EXPECT_EQ(many.rules.otherwise, one.rules.otherwise);
    ASSERT_EQ(many.rules.rules.size(), one.rules.rules.size());
    for (std::size_t r = 0; r < one.rules.rules.size(); ++r) {
      EXPECT_EQ(many.rules.rules[r].labels, one.rules.rules[r].labels);
      EXPECT_EQ(many.rules.rules[r].then, one.rules.rules[r].then);
      EXPECT_EQ(many.rules.rules[r].weight, one.rules.rules[r].weight);
    }
    for (std::size_t j = 0; j < one.partition.features.size(); ++j) {
      const auto x = borders_of(one.partition.features[j]);
      const auto y = borders_of(many.partition.features[j]);
      ASSERT_EQ(x.size(), y.size());
      for (std::size_t b = 0; b < x.size(); ++b) EXPECT_EQ(x[b].start, y[b].start);
    }
  }
}

TEST(LearnRisk, WithoutPolishKeepsTheConditionsOfTheStart) {
  Random random(3);
  Settings settings = quick();
  settings.polish = false;
  const LogLossProblem problem(random_table::make(random, {.rows = 300}), settings);
  const auto start = random_table::random_rules(random, problem, 3, 2);
  const Learned learned = learn(problem, 1, start);
  ASSERT_EQ(learned.rules.rules.size(), start.size());
  for (std::size_t r = 0; r < start.size(); ++r) {
    EXPECT_EQ(learned.rules.rules[r].labels, start[r].labels);
    EXPECT_EQ(learned.rules.rules[r].weight, start[r].weight);
  }
}

TEST(LearnRisk, StopsWithTheCallback) {
  Random random(4);
  const LogLossProblem problem(random_table::make(random, {.rows = 300}), quick());
  // At the first report, and at one in the middle.
  int reports = 0;
  Control counting([&](const Progress&) { return ++reports > 0; }, 0);
  learn(problem, counting);
  ASSERT_GT(reports, 4);
  for (const int last : {1, reports / 2, reports}) {
    int seen = 0;
    Control control([&](const Progress&) { return ++seen < last; }, 0);
    try {
      learn(problem, control);
      ADD_FAILURE() << "not interrupted at report " << last;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::interrupted);
      EXPECT_EQ(seen, last);
    }
  }
}

TEST(LearnRisk, ReturnsTheStartWhenTheTimeIsOver) {
  Random random(5);
  const LogLossProblem problem(random_table::make(random, {.rows = 300}), quick());
  auto start = random_table::random_rules(random, problem, 2, 2);
  Control control({}, 1e-9);
  const Learned learned = learn(problem, control, 1, start);
  expect_valid(problem, learned.rules);
  ASSERT_EQ(learned.rules.rules.size(), start.size());
  for (std::size_t r = 0; r < start.size(); ++r) {
    EXPECT_EQ(learned.rules.rules[r].labels, start[r].labels);
  }
}

}  // namespace
}  // namespace frr::internal
