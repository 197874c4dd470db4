#include "shards/refit_on_all_rows.hpp"

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

double slow_objective(const Case& own, const RuleBase& base, const Settings& settings) {
  const ColumnMap map(base, own.problem.table);
  double right = 0, rows = 0;
  for (std::size_t i = 0; i < own.classes.size(); ++i) {
    if (own.classes[i] < 0) continue;
    rows += 1;
    right += degree_of(base, row_of(base, map, i), own.classes[i], settings.margin);
  }
  return right - (settings.price + settings.price_rate * rows) * static_cast<double>(base.size());
}

void settle_on(const Case& own, RuleBase& base, const Settings& settings,
               SampledValues values = {}) {
  SettleInput input;
  input.values = std::move(values);
  input.sums = [&](const RuleBase& rules, std::span<const BorderTrial> trials) {
    return rule_score_sums(rules, trials, settings.margin, ColumnMap(rules, own.problem.table),
                           own.classes, {}, 1);
  };
  input.class_weights.assign(base.classes.size(), 1);
  input.class_rows.assign(base.classes.size(), 0);
  for (const int c : own.classes) {
    if (c >= 0) input.class_rows[static_cast<std::size_t>(c)] += 1;
  }
  Control control({}, 0);
  settle(base, input, settings, control);
}

TEST(Settle, NeverLowersTheObjectiveAndOnlyTakesConditionsAway) {
  int better = 0, shorter = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Settings settings = settings_for(seed);
    const Case own(random, {.rows = 500, .classes = 2 + seed % 3, .missing = 0.05}, settings);
    RuleBase base = own.base;
    settle_on(own, base, settings);
    const double before = slow_objective(own, own.base, settings);
    const double after = slow_objective(own, base, settings);
    // Degrees are counted in 256ths.
    EXPECT_GE(after, before - 500.0 / 256 - 1e-6);
    better += after > before + 3 ? 1 : 0;
    EXPECT_LE(base.rules.size(), own.base.rules.size());
    shorter += base.size() < own.base.size() ? 1 : 0;
    for (const Rule& rule : base.rules) {
      EXPECT_FALSE(rule.conditions.empty());
      const bool known =
          std::any_of(own.base.rules.begin(), own.base.rules.end(), [&](const Rule& old) {
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

// x <= 0 is always "a" and x > 0 always "b"; the rule says "a" where x is high.
TEST(Settle, TurnsARuleThatIsWrongOnAllRows) {
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
  SettleInput input;
  const std::vector<int> classes = class_indices(table, "class", base.classes);
  input.sums = [&](const RuleBase& rules, std::span<const BorderTrial> trials) {
    return rule_score_sums(rules, trials, 3, ColumnMap(rules, table), classes, {}, 1);
  };
  input.class_weights = {1, 1};
  input.class_rows = {200, 200};
  Control control({}, 0);
  settle(base, input, Settings{}, control);
  ASSERT_EQ(base.rules.size(), 1U);
  EXPECT_EQ(base.rules[0].then, 1);
  EXPECT_EQ(base.otherwise, 0);
}

// The values of every numeric column.
SampledValues values_of(const Case& own) {
  SampledValues values;
  for (const Feature& feature : own.base.partition.features) {
    values.emplace_back();
    if (feature.type != ColumnType::numeric) continue;
    for (const double x : own.problem.table.find(feature.name)->values) {
      if (x == x) values.back().push_back(x);
    }
    std::sort(values.back().begin(), values.back().end());
  }
  return values;
}

TEST(Settle, MovingBordersNeverLowersTheObjectiveAndKeepsLabelsInOrder) {
  int moved = 0, better = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Settings settings = settings_for(seed);
    const Case own(random, {.rows = 800, .classes = 2 + seed % 3, .missing = 0.05}, settings);
    RuleBase still = own.base, base = own.base;
    settle_on(own, still, settings);
    settle_on(own, base, settings, values_of(own));
    const double before = slow_objective(own, own.base, settings);
    const double after = slow_objective(own, base, settings);
    EXPECT_GE(after, before - 800.0 / 256 - 1e-6);
    better += after > slow_objective(own, still, settings) + 1 ? 1 : 0;
    for (std::size_t j = 0; j < base.partition.features.size(); ++j) {
      const std::vector<Border> now = borders_of(base.partition.features[j]);
      const std::vector<Border> old = borders_of(own.base.partition.features[j]);
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
    RuleBase untouched = own.base;
    settle_on(own, untouched, fixed, values_of(own));
    EXPECT_EQ(to_json(untouched), to_json(still));
  }
  EXPECT_GT(moved, 60);
  EXPECT_GT(better, 25);
}

}  // namespace
}  // namespace frr::internal
