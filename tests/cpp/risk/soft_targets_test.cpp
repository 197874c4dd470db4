#include "risk/soft_targets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "additive/truth.hpp"
#include "support/log_loss_task.hpp"

namespace frr::internal {
namespace {

constexpr double of_class = 0.15;

struct SoftProblem : LogLossProblem {
  Partition moved;
  Memberships moved_memberships;
  AdditiveRules additive;

  SoftProblem(Random& random, const random_table::Shape& shape, const Settings& given)
      : LogLossProblem(random_table::make(random, shape), given),
        moved(partition),
        moved_memberships(memberships) {
    for (float& weight : weights) weight = static_cast<float>(0.5 + random.uniform());
    Control control({}, 0);
    additive = learn_additive(task(), moved, moved_memberships, control);
  }
  [[nodiscard]] std::vector<float> targets(int threads = 1) const {
    return soft_targets(task(threads), moved, moved_memberships, additive);
  }

  // p_c of a row by the additive rules, from biases, weights and truths.
  [[nodiscard]] std::vector<std::vector<double>> additive_shares() const {
    const Conjunction conjunction(settings.tnorm, settings.root);
    std::vector<std::vector<double>> scores(rows.size(), additive.biases);
    for (const LabelRule& rule : additive.rules) {
      const std::vector<float> truth = conjunction.truth(moved_memberships, rule.labels);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        scores[i][static_cast<std::size_t>(rule.then)] +=
            rule.weight * static_cast<double>(truth[i]);
      }
    }
    for (std::vector<double>& score : scores) {
      double total = 0;
      for (double& x : score) total += x = std::exp(x);
      for (double& x : score) x /= total;
    }
    return scores;
  }
};

TEST(SoftTargets, OfARowSumToItsWeightAndHoldAPartForItsClass) {
  Random random(1);
  for (const std::size_t classes : {2U, 3U, 7U}) {
    Settings settings;
    settings.trees = 20;
    const SoftProblem problem(random, {.rows = 400, .classes = classes, .missing = 0.1}, settings);
    const std::vector<float> targets = problem.targets();
    ASSERT_EQ(targets.size(), 400 * classes);
    for (std::size_t i = 0; i < 400; ++i) {
      double sum = 0;
      for (std::size_t c = 0; c < classes; ++c) {
        EXPECT_GE(targets[i * classes + c], 0);
        sum += static_cast<double>(targets[i * classes + c]);
      }
      const auto weight = static_cast<double>(problem.weights[i]);
      EXPECT_NEAR(sum, weight, 1e-5);
      const auto own = static_cast<std::size_t>(problem.classes[i]);
      EXPECT_GE(targets[i * classes + own], of_class * weight - 1e-6);
    }
  }
}

// A single tree has seen about 1 - 1/e of the rows: their targets come from the additive rules and
// the class alone. Of the others, half comes from the tree.
TEST(SoftTargets, AreAdditiveAloneForRowsThatEveryTreeHasSeen) {
  Random random(2);
  Settings settings;
  settings.trees = 1;
  const SoftProblem problem(random, {.rows = 3000, .numeric = 4, .classes = 3}, settings);
  ASSERT_FALSE(problem.additive.rules.empty());
  const std::vector<float> targets = problem.targets();
  const auto additive = problem.additive_shares();
  int seen = 0;
  for (std::size_t i = 0; i < 3000; ++i) {
    bool alone = true;
    for (std::size_t c = 0; c < 3; ++c) {
      const double truth = problem.classes[i] == static_cast<int>(c) ? 1 : 0;
      const double p =
          (static_cast<double>(targets[i * 3 + c] / problem.weights[i]) - of_class * truth) /
          (1 - of_class);
      alone = alone && std::abs(p - additive[i][c]) < 1e-4;
      // p = (additive + tree) / 2, where the share of a tree is from 0 to 1.
      EXPECT_GE(p, additive[i][c] / 2 - 1e-4);
      EXPECT_LE(p, additive[i][c] / 2 + 0.5 + 1e-4);
    }
    seen += alone ? 1 : 0;
  }
  EXPECT_NEAR(seen, 3000 * (1 - std::exp(-1.0)), 120);
}

TEST(SoftTargets, DoNotDependOnTheNumberOfThreads) {
  Random random(3);
  Settings settings;
  settings.trees = 10;
  const SoftProblem problem(random, {.rows = 1500, .classes = 3}, settings);
  const std::vector<float> one = problem.targets();
  EXPECT_EQ(problem.targets(2), one);
  EXPECT_EQ(problem.targets(7), one);
}

// Classes drawn at random: the targets do not repeat them, as a forest of the same rows would.
TEST(SoftTargets, DoNotRememberNoise) {
  Random random(4);
  Table table;
  std::vector<double> x, z;
  std::vector<std::optional<std::string>> target;
  for (int i = 0; i < 2000; ++i) {
    x.push_back(random.normal());
    z.push_back(random.normal());
    target.emplace_back(random.below(10) == 0 ? "a" : "b");
  }
  table.add_numeric("x", x);
  table.add_numeric("z", z);
  table.add_categorical("class", target);
  LogLossProblem problem(std::move(table), {});
  Control control({}, 0);
  const AdditiveRules additive =
      learn_additive(problem.task(), problem.partition, problem.memberships, control);
  const std::vector<float> targets =
      soft_targets(problem.task(), problem.partition, problem.memberships, additive);
  const std::size_t a = problem.data.classes[0] == "a" ? 0 : 1;
  double of_a = 0, of_b = 0, rows_a = 0, rows_b = 0;
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    const bool own = problem.classes[i] == static_cast<int>(a);
    (own ? of_a : of_b) += static_cast<double>(targets[2 * i + a]);
    (own ? rows_a : rows_b) += 1;
  }
  // On average, rows of a and b differ by the part of the class alone.
  EXPECT_NEAR(of_a / rows_a - of_b / rows_b, of_class, 0.02);
}

}  // namespace
}  // namespace frr::internal
