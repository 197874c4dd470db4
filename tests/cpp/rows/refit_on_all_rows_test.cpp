#include "rows/refit_on_all_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "labels/partition.hpp"
#include "model/column_map.hpp"
#include "support/plain_rules.hpp"

namespace frr::internal {
namespace {

using namespace plain_rules;

double slow_objective(const Case& given, const RuleBase& base, const Settings& settings) {
  const ColumnMap map(base, given.problem.table);
  double right = 0, rows = 0;
  for (std::size_t i = 0; i < given.classes.size(); ++i) {
    if (given.classes[i] < 0) continue;
    rows += 1;
    right += degree_of(base, row_of(base, map, i), given.classes[i], settings.margin);
  }
  return right - (settings.price + settings.price_rate * rows) * static_cast<double>(base.size());
}

void refit_case(const Case& given, RuleBase& base, const Settings& settings,
                SampledValues values = {}) {
  RefitInput input;
  input.values = std::move(values);
  input.rule_scores = [&](const RuleBase& rules, std::span<const BorderTrial> trials) {
    return rule_score_sums(rules, trials, settings.margin, ColumnMap(rules, given.problem.table),
                           given.classes, {}, 1);
  };
  input.class_weights.assign(base.classes.size(), 1);
  input.class_rows.assign(base.classes.size(), 0);
  for (const int c : given.classes) {
    if (c >= 0) input.class_rows[static_cast<std::size_t>(c)] += 1;
  }
  Control control({}, 0);
  refit_on_all_rows(base, input, settings, control);
}

TEST(Refit, NeverLowersTheObjectiveAndOnlyRemovesConditions) {
  int better = 0, shorter = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Settings settings = settings_for(seed);
    const Case given(random, {.rows = 500, .classes = 2 + seed % 3, .missing = 0.05}, settings);
    RuleBase base = given.base;
    refit_case(given, base, settings);
    const double before = slow_objective(given, given.base, settings);
    const double after = slow_objective(given, base, settings);
    // Degrees are counted in 256ths.
    EXPECT_GE(after, before - 500.0 / 256 - 1e-6);
    better += after > before + 3 ? 1 : 0;
    EXPECT_LE(base.rules.size(), given.base.rules.size());
    shorter += base.size() < given.base.size() ? 1 : 0;
    for (const Rule& rule : base.rules) {
      EXPECT_FALSE(rule.conditions.empty());
      const bool known =
          std::any_of(given.base.rules.begin(), given.base.rules.end(), [&](const Rule& old) {
            return std::all_of(
                rule.conditions.begin(), rule.conditions.end(), [&](const Condition& condition) {
                  return std::find(old.conditions.begin(), old.conditions.end(), condition) !=
                         old.conditions.end();
                });
          });
      EXPECT_TRUE(known);
    }
  }
  EXPECT_GT(better, 40);
  EXPECT_GT(shorter, 20);
}

// x <= 0 is always "a" and x > 0 always "b"; the rule gives "a" if x is high.
TEST(Refit, FlipsARuleThatIsWrongOnAllRows) {
  std::vector<double> x;
  std::vector<std::optional<std::string>> target;
  for (int i = 0; i < 400; ++i) {
    x.push_back(i % 2 == 0 ? -1 - i * 1e-3 : 1 + i * 1e-3);
    target.emplace_back(i % 2 == 0 ? "a" : "b");
  }
  Table table;
  table.add_numeric("x", x);
  table.add_categorical("class", target);
  RuleBase base;
  base.target = "class";
  base.classes = {"a", "b"};
  base.partition.features.push_back(
      {.name = "x", .labels = {{"high", LabelKind::range, {}}}, .low = -2, .high = 2});
  base.partition.features[0].labels[0].shape.a = 0;
  base.partition.features[0].labels[0].shape.b = 0.5;
  base.partition.features[0].labels[0].shape.c = HUGE_VAL;
  base.partition.features[0].labels[0].shape.d = HUGE_VAL;
  base.rules.push_back({.conditions = {{0, 0}}, .then = 0, .weight = 1});
  base.otherwise = 0;
  RefitInput input;
  const std::vector<int> classes = class_indices(table, "class", base.classes);
  input.rule_scores = [&](const RuleBase& rules, std::span<const BorderTrial> trials) {
    return rule_score_sums(rules, trials, 3, ColumnMap(rules, table), classes, {}, 1);
  };
  input.class_weights = {1, 1};
  input.class_rows = {200, 200};
  Control control({}, 0);
  refit_on_all_rows(base, input, Settings{}, control);
  ASSERT_EQ(base.rules.size(), 1U);
  EXPECT_EQ(base.rules[0].then, 1);
  EXPECT_EQ(base.otherwise, 0);
}

// The values of every numeric column.
SampledValues values_of(const Case& given) {
  SampledValues values;
  for (const Feature& feature : given.base.partition.features) {
    values.emplace_back();
    if (feature.type != ColumnType::numeric) continue;
    for (const double x : given.problem.table.find(feature.name)->values) {
      if (x == x) values.back().push_back(x);
    }
    std::sort(values.back().begin(), values.back().end());
  }
  return values;
}

TEST(Refit, MovingBordersNeverLowersTheObjectiveAndKeepsLabelsInOrder) {
  int moved = 0, better = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Settings settings = settings_for(seed);
    const Case given(random, {.rows = 800, .classes = 2 + seed % 3, .missing = 0.05}, settings);
    RuleBase still = given.base, base = given.base;
    refit_case(given, still, settings);
    refit_case(given, base, settings, values_of(given));
    const double before = slow_objective(given, given.base, settings);
    const double after = slow_objective(given, base, settings);
    EXPECT_GE(after, before - 800.0 / 256 - 1e-6);
    better += after > slow_objective(given, still, settings) + 1 ? 1 : 0;
    for (std::size_t j = 0; j < base.partition.features.size(); ++j) {
      const std::vector<Border> now = borders_of(base.partition.features[j]);
      const std::vector<Border> old = borders_of(given.base.partition.features[j]);
      ASSERT_EQ(now.size(), old.size());
      for (std::size_t b = 0; b < now.size(); ++b) {
        EXPECT_LE(now[b].start, now[b].end);
        if (b > 0) {
          EXPECT_LE(now[b - 1].end, now[b].start);
        }
        moved += now[b].start != old[b].start || now[b].end != old[b].end ? 1 : 0;
      }
    }
    Settings fixed = settings;
    fixed.tune = false;
    RuleBase untouched = given.base;
    refit_case(given, untouched, fixed, values_of(given));
    EXPECT_EQ(to_json(untouched), to_json(still));
  }
  EXPECT_GT(moved, 60);
  EXPECT_GT(better, 25);
}

}  // namespace
}  // namespace frr::internal
