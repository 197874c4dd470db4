#include "search/tune.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "labels/partition.hpp"
#include "support/random_table.hpp"

namespace frr::internal {
namespace {

using random_table::Problem;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Values 0 .. 39 with class "p" from 28 on, and a second column that is not informative.
Table step_table() {
  Table table;
  std::vector<double> x, z;
  std::vector<std::optional<std::string>> target;
  for (int i = 0; i < 40; ++i) {
    x.push_back(i);
    z.push_back(i * 7 % 11);
    target.emplace_back(i >= 28 ? "p" : "n");
  }
  table.add_numeric("x", x);
  table.add_numeric("z", z);
  table.add_categorical("class", target);
  return table;
}

Feature two_labels(const std::string& name, double start, double end) {
  Feature feature;
  feature.name = name;
  feature.labels = {{"low", LabelKind::range, {-infinity, -infinity, start, end}},
                    {"high", LabelKind::range, {start, end, infinity, infinity}}};
  return feature;
}

Settings with_margin(double margin) {
  Settings settings;
  settings.margin = margin;
  return settings;
}

// Tunes the search and the problem's partition and memberships.
bool run(Problem& problem, Search& search, std::vector<bool> fixed = {}, int threads = 1) {
  fixed.resize(problem.partition.features.size(), false);
  Control control({}, 0);
  TuneInput input{&problem.table, problem.rows, std::move(fixed)};
  return tune(search, problem.partition, problem.memberships, input, problem.settings, threads,
              control);
}

// The objective of the rules with this partition, computed by a new search.
double fresh_objective(const Problem& problem, const std::vector<LabelRule>& rules,
                       const Partition& partition) {
  const Memberships memberships(partition, problem.table, problem.rows, 1);
  SearchRows rows = problem.search_rows();
  rows.memberships = &memberships;
  return Search(rows, problem.settings, rules).objective();
}

TEST(Tune, MovesAMisplacedBorderToWhereAllRowsAreRight) {
  Problem problem(step_table(), with_margin(3), {two_labels("x", 10, 10), two_labels("z", 5, 5)});
  Search search(problem.search_rows(), problem.settings, {{{0}, 0, 1}, {{1}, 1, 1}});
  EXPECT_EQ(search.correct(), 22);  // 10 below, 12 from 28 on; the 18 in between are decided as p
  EXPECT_TRUE(run(problem, search));
  EXPECT_EQ(search.correct(), 40);
  const auto borders = borders_of(problem.partition.features[0]);
  ASSERT_EQ(borders.size(), 1u);
  EXPECT_GT(borders[0].end, 27);
  EXPECT_LE(borders[0].start, 28);
  EXPECT_EQ(borders_of(problem.partition.features[1])[0].start, 5);  // no rule reads z
  EXPECT_FALSE(run(problem, search)) << "moves again although it cannot gain";
}

// A short number at each quantile q / grid, between neighbouring values.
std::vector<double> grid_points(std::vector<double> values, int grid) {
  std::sort(values.begin(), values.end());
  std::vector<double> points;
  const std::size_t n = values.size();
  for (int q = 1; q < grid; ++q) {
    const double value = values[n * static_cast<std::size_t>(q) / static_cast<std::size_t>(grid)];
    const auto above = std::upper_bound(values.begin(), values.end(), value);
    points.push_back(above == values.end() ? value : short_between(value, *above));
  }
  return points;
}

TEST(Tune, FindsTheBestPairOfTheGrid) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Random random(seed);
    Settings settings = with_margin(seed % 3 == 0 ? 1 : 3);
    const auto tnorms = random_table::all_tnorms();
    settings.tnorm = tnorms[seed % tnorms.size()];
    settings.grid = 8;
    Table table;
    std::vector<double> x;
    std::vector<std::optional<std::string>> c, target;
    for (int i = 0; i < 60; ++i) {
      x.push_back(std::round(random.normal() * 10));
      c.emplace_back(random.below(2) == 0 ? "a" : "b");
      const bool p = x.back() > 3 && random.below(6) != 0;
      target.emplace_back(i < 2 ? (i == 0 ? "n" : "p") : p ? "p" : "n");
    }
    table.add_numeric("x", x);
    table.add_categorical("c", c);
    table.add_categorical("class", target);
    Problem problem(std::move(table), settings, {two_labels("x", -12, -8)});
    const std::vector<LabelRule> rules = {{{0}, 0, 0.8}, {{1}, 1, 1}, {{1, 2}, 0, 0.512}};
    double best = -infinity;
    const auto points = grid_points(x, settings.grid);
    for (std::size_t s = 0; s < points.size(); ++s) {
      for (std::size_t e = s; e < points.size(); ++e) {
        Partition partition = problem.partition;
        set_border(partition.features[0], 0, {points[s], points[e]});
        best = std::max(best, fresh_objective(problem, rules, partition));
      }
    }
    Search search(problem.search_rows(), settings, rules);
    const double before = search.objective();
    const bool moved = run(problem, search);
    EXPECT_GE(search.objective(), before - 1e-3) << "seed " << seed;
    EXPECT_NEAR(search.objective(), fresh_objective(problem, rules, problem.partition), 1e-3);
    if (moved) {
      EXPECT_GT(search.objective(), before);
    }
    EXPECT_GE(search.objective(), std::max(best, before) - 0.01) << "seed " << seed;
  }
}

TEST(Tune, FixedFeaturesAndLabelsThatDoNotCrossNeverMove) {
  Problem fixed(step_table(), with_margin(3), {two_labels("x", 10, 10)});
  Search search(fixed.search_rows(), fixed.settings, {{{0}, 0, 1}, {{1}, 1, 1}});
  EXPECT_FALSE(run(fixed, search, {true}));
  EXPECT_EQ(borders_of(fixed.partition.features[0])[0].start, 10);

  Feature gap = two_labels("x", 10, 10);
  gap.labels[1].shape = {11, 12, infinity, infinity};
  Problem apart(step_table(), with_margin(3), {gap});
  Search other(apart.search_rows(), apart.settings, {{{0}, 0, 1}, {{1}, 1, 1}});
  EXPECT_FALSE(run(apart, other));
  EXPECT_EQ(apart.partition.features[0].labels[0].shape.d, 10);
  EXPECT_EQ(apart.partition.features[0].labels[1].shape.a, 11);
}

TEST(Tune, LabelsStayOrderedAndStrongAndTheObjectiveNeverFalls) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    Settings settings = with_margin(1 + 3 * random.uniform());
    settings.labels = 2 + static_cast<int>(random.below(6));
    settings.grid = 3 + static_cast<int>(random.below(10));
    Problem problem(
        random_table::make(
            random, {.rows = 90, .numeric = 4, .categorical = 1, .classes = 3, .missing = 0.1}),
        settings);
    std::vector<std::size_t> counts;
    for (const Feature& feature : problem.partition.features) {
      counts.push_back(borders_of(feature).size());
    }
    Search search(problem.search_rows(), settings,
                  random_table::random_rules(random, problem, 6, 3));
    const double before = search.objective();
    const bool moved = run(problem, search);
    EXPECT_GE(search.objective(), before - 1e-3) << "seed " << seed;
    EXPECT_EQ(moved, search.objective() > before + 1e-4) << "seed " << seed;
    search.choose_otherwise();  // as fresh_objective does, because ELSE may now decide other rows
    EXPECT_NEAR(search.objective(), fresh_objective(problem, search.rules(), problem.partition),
                1e-2);
    for (std::size_t j = 0; j < counts.size(); ++j) {
      const auto borders = borders_of(problem.partition.features[j]);
      EXPECT_EQ(borders.size(), counts[j]);
      for (std::size_t b = 0; b < borders.size(); ++b) {
        EXPECT_LE(borders[b].start, borders[b].end);
        if (b > 0) {
          EXPECT_LE(borders[b - 1].end, borders[b].start);
        }
      }
    }
  }
}

TEST(Tune, IgnoresMissingValues) {
  Table table = step_table();
  table.columns[0].values[30] = std::numeric_limits<double>::quiet_NaN();
  Problem problem(std::move(table), with_margin(3), {two_labels("x", 10, 10)});
  Search search(problem.search_rows(), problem.settings, {{{0}, 0, 1}, {{1}, 1, 1}});
  EXPECT_TRUE(run(problem, search));
  EXPECT_EQ(search.otherwise(), 1);
  EXPECT_EQ(search.correct(), 40);  // ELSE decides the missing one as p
  EXPECT_EQ(problem.memberships.column(0)[30], 0);
  EXPECT_EQ(problem.memberships.column(1)[30], 0);
  EXPECT_EQ(problem.memberships.column(2)[30], 1);
}

TEST(TuneDeterminism, ThreadsNeverChangeTheBorders) {
  std::vector<Border> first;
  for (const int threads : {1, 2, 7}) {
    Random random(3);
    Settings settings;
    Problem problem(
        random_table::make(random, {.rows = 3000, .numeric = 3, .categorical = 0, .classes = 2}),
        settings);
    Search search(problem.search_rows(), settings,
                  random_table::random_rules(random, problem, 4, 2));
    run(problem, search, {}, threads);
    std::vector<Border> all;
    for (const Feature& feature : problem.partition.features) {
      for (const Border& border : borders_of(feature)) all.push_back(border);
    }
    if (threads == 1) first = all;
    ASSERT_EQ(all.size(), first.size());
    for (std::size_t b = 0; b < all.size(); ++b) {
      EXPECT_EQ(all[b].start, first[b].start);
      EXPECT_EQ(all[b].end, first[b].end);
    }
  }
}

TEST(AutomaticGrid, IsFinerForMoreRows) {
  EXPECT_EQ(automatic_grid(10), 20);
  EXPECT_EQ(automatic_grid(20999), 20);
  EXPECT_EQ(automatic_grid(40000), 40);
  EXPECT_EQ(automatic_grid(60000), 60);
  EXPECT_EQ(automatic_grid(2000000000), 60);
}

}  // namespace
}  // namespace frr::internal
