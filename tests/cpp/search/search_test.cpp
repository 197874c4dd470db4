#include "search/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/tnorm.hpp"
#include "support/random_table.hpp"

namespace frr::internal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double steps_below_one(double truth) {
  return truth > 0 ? -std::log(truth) / std::log(1.25) : infinity;
}

// The closed forms of two degrees.
double pair_value(const TNorm& tnorm, double x, double y) {
  switch (tnorm.kind) {
    case TNormKind::product:
      return x * y;
    case TNormKind::minimum:
      return std::min(x, y);
    case TNormKind::lukasiewicz:
      return std::max(0.0, x + y - 1);
    case TNormKind::hamacher:
      return x + y > 0 ? x * y / (x + y - x * y) : 0;
    case TNormKind::aczel_alsina:
      return std::exp(
          -std::pow(std::pow(-std::log(x), tnorm.lambda) + std::pow(-std::log(y), tnorm.lambda),
                    1 / tnorm.lambda));
  }
  return -1;
}

TEST(CostScale, GivesTheStepsOfTheClosedForms) {
  for (const TNorm& tnorm : random_table::all_tnorms()) {
    for (const double root : {1.0, 2.0, 3.5}) {
      const CostScale scale(tnorm, root);
      for (int i = 0; i <= 32; ++i) {
        for (int j = 0; j <= 32; ++j) {
          // Sums of 32nds are exact, so lukasiewicz reaches 0 exactly.
          const double x = i / 32.0, y = j / 32.0;
          const double expected = steps_below_one(std::pow(pair_value(tnorm, x, y), 1 / root));
          const float steps = scale.steps(
              scale.join(scale.cost(static_cast<float>(x)), scale.cost(static_cast<float>(y))));
          if (expected == infinity) {
            EXPECT_EQ(steps, never) << to_string(tnorm) << " " << x << " " << y;
          } else {
            EXPECT_NEAR(steps, expected, 1e-4 * (1 + expected))
                << to_string(tnorm) << " " << x << " " << y;
          }
        }
      }
    }
  }
}

TEST(CostScale, IsLinearOnlyForTheProduct) {
  for (const TNorm& tnorm : random_table::all_tnorms()) {
    const CostScale scale(tnorm, 2);
    const bool product = tnorm.kind == TNormKind::product ||
                         (tnorm.kind == TNormKind::aczel_alsina && tnorm.lambda == 1);
    EXPECT_EQ(scale.linear(), product);
    EXPECT_EQ(scale.additive(), tnorm.kind != TNormKind::minimum);
    if (product) {
      EXPECT_NEAR(scale.cost(0.3F), -scale.factor() * std::log(0.3F), 1e-5);
    }
  }
}

TEST(DegreeRight, IsALinearRampOfTheLead) {
  EXPECT_EQ(degree_right(0, -3, false, 3), 1);
  EXPECT_EQ(degree_right(-3, 0, false, 3), 0);
  EXPECT_EQ(degree_right(-2, -2, false, 3), 0.5);
  EXPECT_NEAR(degree_right(-1, -2, false, 3), 4.0 / 6, 1e-12);
  EXPECT_EQ(degree_right(-1, -1.5, false, 0), 1);
  EXPECT_EQ(degree_right(-1, -1, false, 0), 0);
  EXPECT_EQ(degree_right(-5, -never, false, 3), 1);
  EXPECT_EQ(degree_right(-never, -5, true, 3), 0);
  EXPECT_EQ(degree_right(-never, -never, true, 3), 1);
  EXPECT_EQ(degree_right(-never, -never, false, 3), 0);
}

// Row by row in double, from the memberships and the formulas of the header only.
struct Reference {
  const random_table::Problem& problem;
  const Settings& settings;
  const std::vector<LabelRule>& rules;

  // Steps of rule r on row i (<= 0), -infinity if its truth is 0.
  [[nodiscard]] double score(std::size_t r, std::size_t i) const {
    std::vector<double> degrees;
    for (const std::size_t d : rules[r].labels) {
      degrees.push_back(static_cast<double>(problem.memberships.column(d)[i]));
    }
    const double truth = std::pow(tnorm_value<double>(settings.tnorm, degrees), 1 / settings.root);
    return -steps_below_one(rules[r].weight * truth);
  }

  [[nodiscard]] int otherwise() const {
    std::vector<double> uncovered(problem.data.classes.size(), 0), all = uncovered;
    double none = 0;
    for (std::size_t i = 0; i < problem.rows.size(); ++i) {
      bool covered = false;
      for (std::size_t r = 0; r < rules.size(); ++r) covered = covered || score(r, i) > -infinity;
      const auto y = static_cast<std::size_t>(problem.classes[i]);
      all[y] += problem.weights[i];
      if (covered) continue;
      uncovered[y] += problem.weights[i];
      none += problem.weights[i];
    }
    const auto& counts = none > 0 ? uncovered : all;
    return static_cast<int>(std::max_element(counts.begin(), counts.end()) - counts.begin());
  }

  [[nodiscard]] double objective(int else_class) const {
    double sum = 0;
    for (std::size_t i = 0; i < problem.rows.size(); ++i) {
      double right = -infinity, wrong = -infinity;
      for (std::size_t r = 0; r < rules.size(); ++r) {
        double& side = rules[r].then == problem.classes[i] ? right : wrong;
        side = std::max(side, score(r, i));
      }
      double degree = 0;
      if (right == -infinity && wrong == -infinity) {
        degree = else_class == problem.classes[i] ? 1 : 0;
      } else if (wrong == -infinity) {
        degree = 1;
      } else if (right > -infinity) {
        degree = std::clamp((right - wrong + settings.margin) / (2 * settings.margin), 0.0, 1.0);
      }
      sum += problem.weights[i] * degree;
    }
    double weight = 0, conditions = 0;
    for (const float w : problem.weights) weight += w;
    for (const LabelRule& rule : rules) conditions += static_cast<double>(rule.labels.size());
    return sum - (settings.price + settings.price_rate * weight) * conditions;
  }
};

class SearchOnRandomTables : public testing::TestWithParam<std::uint64_t> {};

TEST_P(SearchOnRandomTables, ObjectiveElseAndScoresEqualASlowReference) {
  Random random(GetParam());
  Settings settings;
  const auto tnorms = random_table::all_tnorms();
  settings.tnorm = tnorms[random.below(tnorms.size())];
  settings.root = random.below(3) == 0 ? 2 : 1;
  settings.margin = 0.5 + 4 * random.uniform();
  random_table::Problem problem(
      random_table::make(
          random, {.rows = 80, .numeric = 3, .categorical = 2, .classes = 3, .missing = 0.1}),
      settings);
  for (float& weight : problem.weights) weight = static_cast<float>(0.5 + random.uniform());
  const auto rules = random_table::random_rules(random, problem, 1 + random.below(6), 3);
  const Search search(problem.search_rows(), settings, rules);
  const Reference reference{problem, settings, rules};
  EXPECT_EQ(search.otherwise(), reference.otherwise());
  EXPECT_NEAR(search.objective(), reference.objective(search.otherwise()), 0.01);
  for (std::size_t r = 0; r < rules.size(); ++r) {
    for (std::size_t i = 0; i < problem.rows.size(); ++i) {
      const double expected = reference.score(r, i);
      // By rounding, lukasiewicz is 0 or slightly above 0 at the edge of its support.
      if (std::abs(expected) > 40) continue;
      EXPECT_NEAR(search.score(r)[i], expected, 1e-2) << to_string(settings.tnorm);
    }
  }
}

TEST_P(SearchOnRandomTables, BestOfOthersIsTheFirstOfTheLargest) {
  Random random(GetParam());
  const Settings settings;
  random_table::Problem problem(
      random_table::make(random, {.rows = 60, .numeric = 2, .categorical = 2, .classes = 3}),
      settings);
  const auto rules = random_table::random_rules(random, problem, 5, 2);
  const Search search(problem.search_rows(), settings, rules);
  std::vector<float> best(problem.rows.size());
  std::vector<int> best_class(problem.rows.size());
  for (std::size_t except = 0; except <= rules.size(); ++except) {
    search.best_of_others(except, best, best_class);
    double right = 0;
    for (std::size_t i = 0; i < problem.rows.size(); ++i) {
      float top = -never;
      int then = search.otherwise();
      for (std::size_t r = 0; r < rules.size(); ++r) {
        if (r == except || !(search.score(r)[i] > top)) continue;
        top = search.score(r)[i];
        then = rules[r].then;
      }
      EXPECT_EQ(best[i], top);
      EXPECT_EQ(best_class[i], then);
      right += then == problem.classes[i] ? 1 : 0;
    }
    if (except == rules.size()) {
      EXPECT_EQ(search.correct(), right);
    }
  }
}

TEST_P(SearchOnRandomTables, ChangesEqualANewSearch) {
  Random random(GetParam());
  const Settings settings;
  random_table::Problem problem(
      random_table::make(random, {.rows = 40, .numeric = 2, .categorical = 1, .classes = 2}),
      settings);
  const auto rules = random_table::random_rules(random, problem, 5, 2);
  Search search(problem.search_rows(), settings, {rules[0], rules[1], rules[2]});
  search.replace(1, rules[3]);
  search.erase(0);
  search.append(rules[4]);
  search.choose_otherwise();
  const Search fresh(problem.search_rows(), settings, {rules[3], rules[2], rules[4]});
  EXPECT_EQ(search.objective(), fresh.objective());
  EXPECT_EQ(search.otherwise(), fresh.otherwise());
  EXPECT_EQ(search.conditions(), fresh.conditions());
}

INSTANTIATE_TEST_SUITE_P(Seeds, SearchOnRandomTables, testing::Range<std::uint64_t>(0, 12));

TEST(Search, ElseIsTheClassOfMostUncoveredRowsByWeight) {
  Table table;
  table.add_categorical("c", {"a", "a", "a", "b", "b", "b"});
  table.add_categorical("class", {"x", "x", "x", "y", "y", "x"});
  random_table::Problem problem(std::move(table), Settings{});
  const std::size_t a = 0, b = 1;
  const Search half(problem.search_rows(), problem.settings, {{{a}, 0, 1}});
  EXPECT_EQ(half.otherwise(), 1);  // y y x are left
  problem.weights[5] = 2.5F;
  const Search heavy(problem.search_rows(), problem.settings, {{{a}, 0, 1}});
  EXPECT_EQ(heavy.otherwise(), 0);
  problem.weights[5] = 1;
  const Search all(problem.search_rows(), problem.settings, {{{a}, 0, 1}, {{b}, 1, 1}});
  EXPECT_EQ(all.otherwise(), 0);  // all are covered: the most frequent class
}

TEST(Search, PriceHasAFixedPartAndAFractionOfTheRows) {
  Table table;
  table.add_categorical("c", {"a", "a", "b", "b"});
  table.add_categorical("class", {"x", "x", "y", "y"});
  Settings settings;
  settings.price = 0.5;
  settings.price_rate = 0.1;
  random_table::Problem problem(std::move(table), settings);
  problem.weights = {1, 2, 3, 4};
  const Search search(problem.search_rows(), settings, {{{0}, 0, 1}});
  EXPECT_NEAR(search.price(), 0.5 + 0.1 * 10, 1e-12);
  // One rule takes the rows of x, ELSE those of y: 10 rows minus the price of one condition.
  EXPECT_NEAR(search.objective(), 10 - 1.5, 1e-9);
  EXPECT_EQ(search.correct(), 10);
}

}  // namespace
}  // namespace frr::internal
