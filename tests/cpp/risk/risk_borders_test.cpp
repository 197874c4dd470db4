#include "risk/risk_borders.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/risk_problem.hpp"

namespace frr::internal {
namespace {

using random_table::Problem;
using risk_problem::make_targets;

constexpr double infinity = std::numeric_limits<double>::infinity();

bool move(Problem& problem, Search& search, const RiskTargets& targets,
          std::vector<bool> fixed = {}, int threads = 1) {
  fixed.resize(problem.partition.features.size(), false);
  const RiskSearch risk(search, targets, problem.settings, threads);
  Control control({}, 0);
  TuneInput input{&problem.table, problem.rows, std::move(fixed)};
  return move_risk_borders(search, risk, targets, problem.partition, problem.memberships, input,
                           problem.settings, threads, control);
}

double objective_of(Search& search, const RiskTargets& targets, const Settings& settings) {
  return RiskSearch(search, targets, settings, 1).objective();
}

class RiskBordersOnRandomTables : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RiskBordersOnRandomTables, NeverLowerTheObjectiveAndStayConsistent) {
  Random random(GetParam());
  for (const TNorm& tnorm : random_table::all_tnorms()) {
    Settings settings;
    settings.tnorm = tnorm;
    settings.margin = 2;
    Problem problem(random_table::make(random, {.rows = 150,
                                                .numeric = 3,
                                                .categorical = 1,
                                                .classes = 2 + random.below(2),
                                                .missing = 0.1}),
                    settings);
    const RiskTargets targets = make_targets(random, problem, 0.7, 0.3);
    const auto rules = random_table::random_rules(random, problem, 4, 2);
    Search search(problem.search_rows(), settings, rules);
    const Partition old = problem.partition;
    const double before = objective_of(search, targets, settings);
    const bool moved = move(problem, search, targets);
    const double after = objective_of(search, targets, settings);
    EXPECT_GE(after, before) << to_string(tnorm);
    EXPECT_EQ(moved, after > before) << to_string(tnorm);

    // Memberships, search and partition agree, and only the borders are others.
    const Memberships fresh(problem.partition, problem.table, problem.rows, 1);
    for (std::size_t d = 0; d < fresh.labels(); ++d) {
      EXPECT_TRUE(std::ranges::equal(fresh.column(d), problem.memberships.column(d))) << d;
    }
    SearchRows rows = problem.search_rows();
    rows.memberships = &fresh;
    const Search again(rows, settings, rules);
    for (std::size_t r = 0; r < rules.size(); ++r) {
      EXPECT_TRUE(std::ranges::equal(again.score(r), search.score(r))) << r;
    }
    ASSERT_EQ(problem.partition.features.size(), old.features.size());
    for (std::size_t j = 0; j < old.features.size(); ++j) {
      EXPECT_EQ(problem.partition.features[j].labels.size(), old.features[j].labels.size());
      double last = -infinity;
      for (const Border& border : borders_of(problem.partition.features[j])) {
        EXPECT_LE(last, border.start);
        EXPECT_LE(border.start, border.end);
        last = border.end;
      }
    }
  }
}

TEST_P(RiskBordersOnRandomTables, AreTheSameWithAnyNumberOfThreads) {
  std::vector<std::vector<double>> starts;
  for (const int threads : {1, 2, 7}) {
    Random random(GetParam());
    Settings settings;
    settings.margin = 2;
    Problem problem(random_table::make(random, {.rows = 300, .numeric = 3}), settings);
    const RiskTargets targets = make_targets(random, problem, 0.7, 0.3);
    Search search(problem.search_rows(), settings,
                  random_table::random_rules(random, problem, 4, 2));
    move(problem, search, targets, {}, threads);
    starts.emplace_back();
    for (const Feature& feature : problem.partition.features) {
      for (const Border& border : borders_of(feature)) {
        starts.back().push_back(border.start);
        starts.back().push_back(border.end);
      }
    }
  }
  EXPECT_EQ(starts[1], starts[0]);
  EXPECT_EQ(starts[2], starts[0]);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RiskBordersOnRandomTables, testing::Range<std::uint64_t>(0, 8));

Feature two_labels(const std::string& name, double start, double end) {
  Feature feature;
  feature.name = name;
  feature.labels = {{"low", LabelKind::range, {-infinity, -infinity, start, end}},
                    {"high", LabelKind::range, {start, end, infinity, infinity}}};
  return feature;
}

// From 280 on, a fifth of the rows is ill, below none: no border changes which class is the most
// frequent one. The border is at 100. z is not informative.
struct Planted : Problem {
  RiskTargets targets;

  Planted() : Problem(table_of(), {}, {two_labels("x", 100, 100), two_labels("z", 5, 5)}) {
    Random random(1);
    targets = make_targets(random, *this, 1, 1);
  }
  static Table table_of() {
    Table table;
    std::vector<double> x, z;
    std::vector<std::optional<std::string>> target;
    for (int i = 0; i < 400; ++i) {
      x.push_back(i);
      z.push_back(i * 7 % 11);
      target.emplace_back(i >= 280 && i % 5 == 0 ? "ill" : "well");
    }
    table.add_numeric("x", x);
    table.add_numeric("z", z);
    table.add_categorical("class", target);
    return table;
  }
};

TEST(RiskBorders, FindAPlantedPlaceThatChangesNoDecision) {
  Planted planted;
  Search search(planted.search_rows(), planted.settings, {{{1}, 0, 1}});
  EXPECT_TRUE(move(planted, search, planted.targets));
  const std::vector<Border> borders = borders_of(planted.partition.features[0]);
  ASSERT_EQ(borders.size(), 1U);
  // The rule takes the rows above the start. Quantiles are 400 / automatic_grid(400) rows apart.
  const double apart = 400.0 / automatic_grid(400);
  EXPECT_NEAR(borders[0].start, 280, apart);
  // 120 rows of which 24 are ill, and 280 without any, up to the distance of the quantiles.
  const double best = 24 * std::log(24 / 120.0) + 96 * std::log(96 / 120.0) - 1;
  EXPECT_GT(objective_of(search, planted.targets, planted.settings), best - 5);
  EXPECT_EQ(borders_of(planted.partition.features[1])[0].start, 5) << "no rule reads z";
  EXPECT_FALSE(move(planted, search, planted.targets)) << "moves again although it cannot gain";
}

TEST(RiskBorders, LeaveFixedFeaturesAlone) {
  Planted planted;
  Search search(planted.search_rows(), planted.settings, {{{1}, 0, 1}});
  EXPECT_FALSE(move(planted, search, planted.targets, {true, false}));
  EXPECT_EQ(borders_of(planted.partition.features[0])[0].start, 100);
}

TEST(RiskBorders, StopAtTheTimeLimit) {
  Planted planted;
  Search search(planted.search_rows(), planted.settings, {{{1}, 0, 1}});
  const RiskSearch risk(search, planted.targets, planted.settings, 1);
  Control control({}, 1e-9);
  TuneInput input{&planted.table, planted.rows, {false, false}};
  EXPECT_FALSE(move_risk_borders(search, risk, planted.targets, planted.partition,
                                 planted.memberships, input, planted.settings, 1, control));
  EXPECT_EQ(borders_of(planted.partition.features[0])[0].start, 100);
}

}  // namespace
}  // namespace frr::internal
