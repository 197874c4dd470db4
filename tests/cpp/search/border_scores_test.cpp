#include "search/border_scores.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "labels/partition.hpp"
#include "model/column_map.hpp"
#include "search/border_moves.hpp"
#include "search/rule_scores.hpp"
#include "support/plain_rules.hpp"
#include "support/random_cases.hpp"

namespace frr::internal {
namespace {

using namespace plain_rules;

// Other places, near and far, crisp and wide, for every border of the features that rules read.
std::vector<BorderTrial> random_trials(Random& random, const Case& example) {
  std::vector<BorderTrial> trials;
  for (std::size_t j = 0; j < example.base.partition.features.size(); ++j) {
    const Feature& feature = example.base.partition.features[j];
    const bool read =
        std::any_of(example.base.rules.begin(), example.base.rules.end(), [&](const Rule& rule) {
          return std::any_of(rule.conditions.begin(), rule.conditions.end(),
                             [&](const Condition& c) { return c.feature == static_cast<int>(j); });
        });
    if (feature.type != ColumnType::numeric || !read) continue;
    std::vector<double> values = example.problem.table.find(feature.name)->values;
    std::erase_if(values, [](double x) { return x != x; });
    const std::size_t borders = borders_of(feature).size();
    for (std::size_t b = 0; b < borders; ++b) {
      for (int t = 0; t < 4; ++t) {
        double start = values[random.below(values.size())];
        double end = t == 0 ? start : values[random.below(values.size())];
        if (start > end) std::swap(start, end);
        trials.push_back({.feature = static_cast<std::uint32_t>(j),
                          .border = static_cast<std::uint32_t>(b),
                          .start = start,
                          .end = end});
      }
    }
  }
  return trials;
}

TEST(BorderScores, EqualTheChangeOfTheDegreesOfAllRows) {
  std::size_t changing = 0;
  for (std::uint64_t seed = 0; seed < random_cases(std::uint64_t{36}); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Settings settings = settings_for(seed);
    const Case example(
        random,
        {.rows = 300 + random.below(1500), .classes = 3, .missing = 0.1, .missing_target = 0.1},
        settings);
    std::vector<std::int64_t> units;
    for (std::size_t i = 0; seed % 2 == 1 && i < example.classes.size(); ++i) {
      units.push_back(static_cast<std::int64_t>(random.below(5)));
    }
    const std::vector<BorderTrial> trials = random_trials(random, example);
    const RuleScoreLayout layout(example.base, settings.margin, trials.size());
    const std::vector<std::int64_t> sums = rule_score_sums(example.base, trials, settings.margin,
                                                           example.map, example.classes, units, 1);
    ASSERT_EQ(sums.size(), layout.size());
    EXPECT_EQ(rule_score_sums(example.base, trials, settings.margin, example.map, example.classes,
                              units, 2),
              sums);
    for (std::size_t t = 0; t < trials.size(); ++t) {
      RuleBase moved = example.base;
      set_border(moved.partition.features[trials[t].feature], trials[t].border,
                 {trials[t].start, trials[t].end});
      const ColumnMap map(moved, example.problem.table);
      std::vector<double> expected(3, 0), doubt(3, 0);
      for (std::size_t i = 0; i < example.classes.size(); ++i) {
        if (example.classes[i] < 0) continue;
        const auto c = static_cast<std::size_t>(example.classes[i]);
        const double unit = units.empty() ? 1 : static_cast<double>(units[i]);
        const Row then = row_of(moved, map, i), now = row_of(example.base, example.map, i);
        const double change = degree_of(moved, then, example.classes[i], settings.margin) -
                              degree_of(example.base, now, example.classes[i], settings.margin);
        expected[c] += unit * change;
        if (change != 0 || then.scores != now.scores) doubt[c] += unit;
        // Without a margin rounding may decide a tie. In single precision the generator sum of
        // t-norms other than the product cannot distinguish a truth of 1e-4 from 0.
        const bool faint = settings.tnorm.kind != TNormKind::product &&
                           std::any_of(then.scores.begin(), then.scores.end(), [](double score) {
                             return score < -40 && score > -HUGE_VAL;
                           });
        if (faint) doubt[c] += 256 * unit;
        const bool narrow =
            std::abs(degree_of(moved, then, example.classes[i], 3) - 0.5) < 1e-3 ||
            std::abs(degree_of(example.base, now, example.classes[i], 3) - 0.5) < 1e-3;
        if (settings.margin == 0 && narrow) doubt[c] += 256 * unit;
      }
      for (std::size_t c = 0; c < 3; ++c) {
        const auto sum = static_cast<double>(sums[layout.borders() + t * 3 + c]) / degree_units;
        ASSERT_NEAR(sum, expected[c], doubt[c] / 256 + 1e-9) << t;
        changing += std::abs(sum) > 1 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(changing, random_cases(500U));
}

TEST(BorderScores, OfPartsAddUp) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Random random(seed);
    const Settings settings = settings_for(seed);
    const Case example(random, {.rows = 2500, .classes = 2}, settings);
    const std::vector<BorderTrial> trials = random_trials(random, example);
    const auto sums_of = [&](std::size_t from, std::size_t to) {
      const Part part = part_of(example, from, to);
      return rule_score_sums(example.base, trials, settings.margin,
                             ColumnMap(example.base, part.table), part.classes, {}, 1);
    };
    const std::vector<std::int64_t> whole = sums_of(0, 2500);
    for (const std::size_t cut : {std::size_t{1}, std::size_t{1023}, std::size_t{1777}}) {
      std::vector<std::int64_t> sum = sums_of(0, cut);
      const std::vector<std::int64_t> rest = sums_of(cut, 2500);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += rest[i];
      EXPECT_EQ(sum, whole) << cut;
    }
  }
}

// Low is 1 below `start` and falls to 0 at `end`.
RuleBase two_labels(const Border& border) {
  RuleBase base;
  base.target = "class";
  base.classes = {"a", "b"};
  Feature feature{.name = "x", .low = 0, .high = 100};
  feature.labels = {{"low", LabelKind::range, {-HUGE_VAL, -HUGE_VAL, border.start, border.end}},
                    {"high", LabelKind::range, {border.start, border.end, HUGE_VAL, HUGE_VAL}}};
  base.partition.features.push_back(feature);
  base.rules.push_back({.conditions = {{0, 0}}, .then = 0, .weight = 1});
  base.otherwise = 1;
  return base;
}

std::vector<double> up_to(int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(i * 100.0 / count);
  return values;
}

TEST(BorderMoves, AreNearShortDistinctAndBetweenTheNeighbours) {
  const RuleBase base = two_labels({40, 60});
  const std::vector<BorderTrial> trials = border_trials(base, {up_to(10000)});
  EXPECT_EQ(trials.size(), 16U);
  bool moved_down = false, moved_up = false;
  for (const BorderTrial& trial : trials) {
    EXPECT_EQ(trial.feature, 0U);
    EXPECT_EQ(trial.border, 0U);
    EXPECT_NEAR(trial.start, 40, 1.3);
    EXPECT_NEAR(trial.end, 60, 1.3);
    EXPECT_TRUE(trial.start != 40 || trial.end != 60);
    // There is a number with few digits within a quarter of a shift.
    for (const double x : {trial.start, trial.end}) EXPECT_NEAR(x * 10, std::round(x * 10), 1e-9);
    moved_down = moved_down || (trial.start < 39.5 && trial.end < 59.5);
    moved_up = moved_up || (trial.start > 40.5 && trial.end > 60.5);
  }
  EXPECT_TRUE(moved_down && moved_up);
  // A border without values, or that no rule reads, has no trials.
  EXPECT_TRUE(border_trials(base, {{}}).empty());
  RuleBase unread = base;
  unread.rules.clear();
  EXPECT_TRUE(border_trials(unread, {up_to(10000)}).empty());
}

TEST(BorderMoves, LieBetweenTheValuesOfATiedColumn) {
  const RuleBase base = two_labels({0.5, 0.5});
  std::vector<double> values(500, 0);
  values.resize(1000, 1);
  for (const BorderTrial& trial : border_trials(base, {values})) {
    EXPECT_GE(trial.start, 0);
    EXPECT_LE(trial.end, 1);
  }
}

TEST(BorderMoves, NeverCrossANeighbour) {
  RuleBase base = two_labels({40, 60});
  Feature& feature = base.partition.features[0];
  feature.labels[1].shape.c = 60.2;
  feature.labels[1].shape.d = 80;
  feature.labels.push_back({"top", LabelKind::range, {60.2, 80, HUGE_VAL, HUGE_VAL}});
  for (const BorderTrial& trial : border_trials(base, {up_to(10000)})) {
    if (trial.border == 0) {
      EXPECT_LE(trial.end, 60.2);
    }
  }
  const std::string before = to_json(base);
  move_border(base, {0, 0, 41, 60.3});
  EXPECT_EQ(to_json(base), before);
  move_border(base, {0, 0, 41, 60.1});
  EXPECT_EQ(borders_of(base.partition.features[0])[0].start, 41);
}

}  // namespace
}  // namespace frr::internal
