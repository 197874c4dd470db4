#include "risk/risk_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "search/polish.hpp"
#include "support/risk_problem.hpp"

namespace frr::internal {
namespace {

using random_table::Problem;
using risk_problem::make_targets;
using risk_problem::plain_objective;

Settings small_settings(const TNorm& tnorm) {
  Settings settings;
  settings.tnorm = tnorm;
  settings.rules = 4;
  settings.conditions = 2;
  settings.margin = 2;
  settings.sweeps = 6;
  return settings;
}

bool polish(RiskSearch& risk, std::uint64_t seed = 1) {
  Random random(seed);
  Control control({}, 0);
  return risk.polish(random, control);
}

class RiskSearchOnRandomTables : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RiskSearchOnRandomTables, ObjectiveEqualsASlowReference) {
  Random random(GetParam());
  for (const TNorm& tnorm : random_table::all_tnorms()) {
    Settings settings = small_settings(tnorm);
    settings.root = random.below(3) == 0 ? 2 : 1;
    Problem problem(random_table::make(random, {.rows = 90,
                                                .numeric = 3,
                                                .categorical = 2,
                                                .classes = 2 + random.below(3),
                                                .missing = 0.1}),
                    settings);
    for (float& weight : problem.weights) weight = static_cast<float>(0.5 + random.uniform());
    const RiskTargets targets = make_targets(random, problem, 0.4, 0.7);
    const auto rules = random_table::random_rules(random, problem, random.below(6), 3);
    Search search(problem.search_rows(), settings, rules);
    EXPECT_NEAR(RiskSearch(search, targets, settings, 1).objective(),
                plain_objective(problem, problem.memberships, targets, rules), 1e-3)
        << to_string(tnorm);
  }
}

TEST_P(RiskSearchOnRandomTables, PolishNeverLowersTheObjectiveAndKeepsToTheLimits) {
  Random random(GetParam());
  for (const TNorm& tnorm : random_table::all_tnorms()) {
    const Settings settings = small_settings(tnorm);
    Problem problem(random_table::make(random, {.rows = 120,
                                                .numeric = 3,
                                                .categorical = 2,
                                                .classes = 2 + random.below(3),
                                                .missing = 0.1}),
                    settings);
    const RiskTargets targets = make_targets(random, problem, 0.6, 0.3 + 2 * random.uniform());
    const std::size_t start = random.below(5);
    Search search(problem.search_rows(), settings,
                  random_table::random_rules(random, problem, start, 2));
    RiskSearch risk(search, targets, settings, 1);
    const double before = risk.objective();
    polish(risk, GetParam());
    EXPECT_GE(risk.objective(), before - 1e-6) << to_string(tnorm) << " " << start;
    Search fresh(problem.search_rows(), settings, search.rules());
    EXPECT_EQ(risk.objective(), RiskSearch(fresh, targets, settings, 1).objective());
    EXPECT_LE(search.rules().size(), 4U);
    for (const LabelRule& rule : search.rules()) {
      EXPECT_GE(rule.labels.size(), 1U);
      EXPECT_LE(rule.labels.size(), 2U);
      EXPECT_GT(rule.weight, 0);
      EXPECT_LE(rule.weight, 1);
      std::set<std::size_t> features;
      for (const std::size_t d : rule.labels) features.insert(problem.memberships.feature_of(d));
      EXPECT_EQ(features.size(), rule.labels.size());
    }
  }
}

TEST_P(RiskSearchOnRandomTables, ClassesAreTheMostProbableOnes) {
  Random random(GetParam());
  const Settings settings = small_settings({});
  Problem problem(random_table::make(random, {.rows = 120, .classes = 3}), settings);
  const RiskTargets targets = make_targets(random, problem, 0.6, 0.3);
  const auto rules = random_table::random_rules(random, problem, 4, 2);
  Search search(problem.search_rows(), settings, rules);
  RiskSearch risk(search, targets, settings, 1);
  const int otherwise = risk.choose_classes();
  std::vector<std::vector<double>> sums(rules.size() + 1, std::vector<double>(3, 0));
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    std::size_t decider = 0;
    float best = -never;
    for (std::size_t r = 0; r < rules.size(); ++r) {
      if (search.score(r)[i] > best) best = search.score(r)[i], decider = r + 1;
    }
    for (std::size_t c = 0; c < 3; ++c) {
      sums[decider][c] += static_cast<double>(targets.shares[i * 3 + c]);
    }
  }
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const auto chosen = static_cast<std::size_t>(k == 0 ? otherwise : search.rules()[k - 1].then);
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_GE(sums[k][chosen] + targets.base_rates[chosen], sums[k][c] + targets.base_rates[c]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RiskSearchOnRandomTables, testing::Range<std::uint64_t>(0, 12));
// Rules there that gain nothing by the ramp, although the objective would be lower without them.
INSTANTIATE_TEST_SUITE_P(Found, RiskSearchOnRandomTables, testing::Values(2337, 2511));

// Three rows of a hundred are ill: a third of the red own with a high x, and hardly any others.
Table rare_table() {
  Random random(3);
  Table table;
  std::vector<double> x, noise;
  std::vector<std::optional<std::string>> colour, target;
  for (int i = 0; i < 2000; ++i) {
    x.push_back(10 * random.uniform());
    noise.push_back(random.normal());
    colour.emplace_back(random.below(3) == 0 ? "red" : "blue");
    const bool risky = x.back() > 7.5 && *colour.back() == "red";
    target.emplace_back(random.uniform() < (risky ? 0.3 : 0.005) ? "ill" : "well");
  }
  table.add_numeric("x", x);
  table.add_numeric("noise", noise);
  table.add_categorical("colour", colour);
  table.add_categorical("class", target);
  return table;
}

// For each row, the share of class `then` among the rows that the same rule (or ELSE) decides.
std::vector<double> shares_of_outcomes(const Search& search, const std::vector<int>& classes,
                                       int then) {
  std::vector<std::size_t> decider(classes.size(), 0);
  std::vector<double> rows(search.rules().size() + 1, 0), own = rows, result;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    float best = -never;
    for (std::size_t r = 0; r < search.rules().size(); ++r) {
      if (search.score(r)[i] > best) best = search.score(r)[i], decider[i] = r + 1;
    }
    rows[decider[i]] += 1;
    own[decider[i]] += classes[i] == then ? 1 : 0;
  }
  for (const std::size_t k : decider) result.push_back(own[k] / rows[k]);
  return result;
}

struct RareProblem : Problem {
  RiskTargets targets;
  RareProblem() : Problem(rare_table(), small_settings({})) {
    Random random(1);
    targets = make_targets(random, *this, 1, 2);
  }
};

TEST(RiskSearch, FindsAPlantedRuleForARareClassThatAccuracyMisses) {
  const RareProblem problem;
  Search by_accuracy(problem.search_rows(), problem.settings, {});
  Random random(1);
  Control control({}, 0);
  polish(by_accuracy, problem.settings, random, 1, control);
  EXPECT_TRUE(by_accuracy.rules().empty());

  Search search(problem.search_rows(), problem.settings, {});
  RiskSearch risk(search, problem.targets, problem.settings, 1);
  const double without = risk.objective();
  EXPECT_TRUE(polish(risk));
  EXPECT_GT(risk.objective(), without + 20);
  // Within the planted region, and clearly outside of it.
  const Column& x = *problem.table.find("x");
  const Column& colour = *problem.table.find("colour");
  const std::vector<double> ill =
      shares_of_outcomes(search, problem.classes, problem.data.classes[0] == "ill" ? 0 : 1);
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    const bool red = colour.categories[static_cast<std::size_t>(colour.codes[i])] == "red";
    if (red && x.values[i] > 8.5) {
      EXPECT_NEAR(ill[i], 0.3, 0.12) << x.values[i];
    }
    if (!red || x.values[i] < 5) {
      EXPECT_LT(ill[i], 0.05) << x.values[i];
    }
  }
}

TEST(RiskSearch, IsTheSameWithAnyNumberOfThreads) {
  Random random(5);
  const Settings settings = small_settings({});
  Problem problem(random_table::make(random, {.rows = 6000, .numeric = 4, .classes = 3}), settings);
  const RiskTargets targets = make_targets(random, problem, 0.6, 0.3);
  const auto start = random_table::random_rules(random, problem, 3, 2);
  const auto rules_with = [&](int threads) {
    Search search(problem.search_rows(), settings, start, threads);
    RiskSearch risk(search, targets, settings, threads);
    polish(risk);
    return search.rules();
  };
  const std::vector<LabelRule> one = rules_with(1);
  EXPECT_FALSE(one.empty());
  for (const int threads : {1, 2, 7}) {
    const std::vector<LabelRule> many = rules_with(threads);
    ASSERT_EQ(many.size(), one.size()) << threads;
    for (std::size_t r = 0; r < one.size(); ++r) {
      EXPECT_EQ(many[r].labels, one[r].labels);
      EXPECT_EQ(many[r].weight, one[r].weight);
    }
  }
}

TEST(RiskSearch, FindsNothingWhereEveryConditionCostsMoreThanItGains) {
  RareProblem problem;
  problem.targets.price = 1e6;
  Search search(problem.search_rows(), problem.settings, {{{0}, 0, 1}});
  RiskSearch risk(search, problem.targets, problem.settings, 1);
  EXPECT_TRUE(polish(risk));
  EXPECT_TRUE(search.rules().empty());
}

}  // namespace
}  // namespace frr::internal
