#include "additive/candidates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include "kernels/tnorm.hpp"
#include "support/random_table.hpp"

namespace frr::internal {
namespace {

using random_table::Problem;

// The gain by its definition, in doubles.
double plain_gain(const Problem& problem, const std::vector<std::size_t>& labels, int then,
                  const std::vector<float>& probability) {
  double gradient = 0, curvature = 0, cross = 0, all = 0;
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    std::vector<double> degrees;
    for (const std::size_t d : labels) degrees.push_back(problem.memberships.column(d)[i]);
    const double t =
        std::pow(tnorm_value<double>(problem.settings.tnorm, degrees), 1 / problem.settings.root);
    const double p = probability[i], v = problem.weights[i];
    const double h = v * p * (1 - p);
    gradient += t * v * ((problem.classes[i] == then ? 1 : 0) - p);
    curvature += t * t * h;
    cross += t * h;
    all += h;
  }
  if (gradient <= 0) return 0;
  return gradient * gradient / (2 * (curvature - cross * cross / all + additive_ridge));
}

struct Trial {
  Problem problem;
  Conjunction conjunction;
  AdditiveRows rows;
  std::vector<int> classes;
  std::vector<std::vector<float>> probabilities;

  Trial(Table table, const Settings& settings)
      : problem(std::move(table), settings),
        conjunction(settings.tnorm, settings.root),
        rows{problem.classes, problem.weights, problem.data.classes.size()} {
    const AdditiveFit fit = fit_additive(rows, {}, {});
    for (std::size_t c = 0; c < rows.class_count; ++c) classes.push_back(static_cast<int>(c));
    probabilities = additive_probabilities(rows, {}, fit, classes, 1);
  }
  [[nodiscard]] CandidateSearch search(std::size_t most, double price = 0, int threads = 1) const {
    return {problem.memberships, conjunction, rows, most, price, threads};
  }
};

TEST(FindCandidates, FindsTheBestConditionWithEveryTNorm) {
  Random random(1);
  for (const TNorm& tnorm : random_table::all_tnorms()) {
    Settings settings;
    settings.tnorm = tnorm;
    settings.root = tnorm.kind == TNormKind::minimum ? 2 : 1;
    const Trial trial(random_table::make(random, {.rows = 150, .classes = 3}), settings);
    double best = 0;
    for (const int c : trial.classes) {
      for (std::size_t d = 0; d < trial.problem.memberships.labels(); ++d) {
        best = std::max(best, plain_gain(trial.problem, {d}, c,
                                         trial.probabilities[static_cast<std::size_t>(c)]));
      }
    }
    const auto found = find_candidates(trial.search(1), trial.classes, trial.probabilities, 1);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NEAR(found[0].gain, best, 1e-4 * best);
  }
}

TEST(FindCandidates, StatesTheGainOfWhatItFinds) {
  Random random(2);
  for (const TNorm& tnorm : random_table::all_tnorms()) {
    Settings settings;
    settings.tnorm = tnorm;
    const Trial trial(random_table::make(random, {.rows = 200, .numeric = 4, .classes = 3}),
                      settings);
    const auto found = find_candidates(trial.search(3), trial.classes, trial.probabilities, 50);
    EXPECT_FALSE(found.empty());
    for (const AdditiveCandidate& candidate : found) {
      const auto c = static_cast<std::size_t>(candidate.rule.then);
      const double gain = plain_gain(trial.problem, candidate.rule.labels, candidate.rule.then,
                                     trial.probabilities[c]);
      EXPECT_NEAR(candidate.gain, gain, 1e-3 * gain + 1e-4);
      EXPECT_GT(candidate.rule.weight, 0);
    }
  }
}

// One class stands for both: a rule against it is a rule for the other.
TEST(FindCandidates, FindsRulesForBothOfTwoClasses) {
  Random random(3);
  const Trial trial(random_table::make(random, {.rows = 200}), Settings{});
  const std::vector<int> second = {1};
  const std::vector<std::vector<float>> p = {trial.probabilities[1]};
  std::set<int> thens;
  for (const auto& candidate : find_candidates(trial.search(1), second, p, 50)) {
    thens.insert(candidate.rule.then);
    const double gain =
        plain_gain(trial.problem, candidate.rule.labels, candidate.rule.then,
                   trial.probabilities[static_cast<std::size_t>(candidate.rule.then)]);
    EXPECT_NEAR(candidate.gain, gain, 1e-3 * gain + 1e-4);
  }
  EXPECT_EQ(thens, (std::set<int>{0, 1}));
}

TEST(FindCandidates, KeepsToTheLimitsAndOrdersByGainLessPrice) {
  Random random(4);
  const Trial trial(random_table::make(random, {.rows = 200, .numeric = 4}), Settings{});
  for (const std::size_t most : {1U, 2U, 3U}) {
    const double price = 0.7;
    const auto found =
        find_candidates(trial.search(most, price), trial.classes, trial.probabilities, 50);
    double before = HUGE_VAL;
    for (const AdditiveCandidate& candidate : found) {
      const double net = candidate.gain - price * static_cast<double>(candidate.rule.labels.size());
      EXPECT_LE(net, before);
      EXPECT_GT(net, 0);
      before = net;
      EXPECT_LE(candidate.rule.labels.size(), most);
      std::set<std::size_t> features;
      for (const std::size_t d : candidate.rule.labels) {
        features.insert(trial.problem.memberships.feature_of(d));
      }
      EXPECT_EQ(features.size(), candidate.rule.labels.size());
    }
  }
  EXPECT_TRUE(
      find_candidates(trial.search(3, 1e9), trial.classes, trial.probabilities, 50).empty());
}

TEST(FindCandidates, IsTheSameWithAnyNumberOfThreads) {
  Random random(5);
  const Trial trial(random_table::make(random, {.rows = 9000, .numeric = 5}), Settings{});
  const auto one = find_candidates(trial.search(3), trial.classes, trial.probabilities, 10);
  for (const int threads : {2, 7}) {
    const auto many =
        find_candidates(trial.search(3, 0, threads), trial.classes, trial.probabilities, 10);
    ASSERT_EQ(many.size(), one.size());
    for (std::size_t k = 0; k < one.size(); ++k) {
      EXPECT_EQ(many[k].rule.labels, one[k].rule.labels);
      EXPECT_EQ(many[k].gain, one[k].gain);
    }
  }
}

}  // namespace
}  // namespace frr::internal
