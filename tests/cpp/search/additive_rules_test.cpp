#include "search/additive_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/random_table.hpp"

namespace frr::internal {
namespace {

using random_table::Problem;

// Right rows of the rules' summed scores, minus prices; slow and from the definition.
double objective_of(const Search& search) {
  const SearchRows& rows = search.rows();
  double right = 0;
  for (std::size_t i = 0; i < rows.classes.size(); ++i) {
    std::vector<double> sums(rows.class_count, 0);
    for (std::size_t r = 0; r < search.rules().size(); ++r) {
      const LabelRule& rule = search.rules()[r];
      double truth = 1;
      for (const std::size_t d : rule.labels) {
        truth *= static_cast<double>(rows.memberships->column(d)[i]);
      }
      sums[static_cast<std::size_t>(rule.then)] += rule.weight * truth;
    }
    const auto best = std::max_element(sums.begin(), sums.end());
    const int given = *best > 0 ? static_cast<int>(best - sums.begin()) : search.otherwise();
    if (given == rows.classes[i]) right += static_cast<double>(rows.weights[i]);
  }
  return right - search.price() * static_cast<double>(search.conditions());
}

TEST(AdditiveRules, NeverLoseAndReturnTheirObjective) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    Settings settings;
    const Problem problem(
        random_table::make(random, {.rows = 90, .numeric = 3, .categorical = 1, .classes = 3}),
        settings);
    Search search(problem.search_rows(), settings,
                  random_table::random_rules(random, problem, 6, 2));
    const double before = objective_of(search);
    Control control({}, 0);
    const double after = fit_additive_rules(search, settings, control);
    EXPECT_NEAR(after, objective_of(search), 1e-3) << "seed " << seed;
    EXPECT_GE(after, before - 1e-3) << "seed " << seed;
    Search none(problem.search_rows(), settings, {});
    EXPECT_GE(after, objective_of(none) - 1e-3) << "seed " << seed;
  }
}

}  // namespace
}  // namespace frr::internal
