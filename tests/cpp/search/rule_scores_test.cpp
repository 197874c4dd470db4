#include "search/rule_scores.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/column_map.hpp"
#include "support/plain_rules.hpp"

namespace frr::internal {
namespace {

using namespace plain_rules;

// If a lead is so close to the edge of a bin that rounding decides, the row may be in either bin.
struct Bounds {
  std::vector<double> certain, possible;

  void add(std::size_t first, double lead, std::size_t bins, double unit) {
    const auto bin = [&](double x) {
      return x < 1 ? 0 : static_cast<std::size_t>(std::min(x, static_cast<double>(bins - 1)));
    };
    const std::size_t low = bin(lead - 2e-3), high = bin(lead + 2e-3);
    if (low == high) {
      if (low > 0) certain[first + low] += unit;
      return;
    }
    if (low > 0) possible[first + low] += unit;
    possible[first + high] += unit;
  }
};

TEST(RuleScoreSums, EqualASlowReference) {
  for (std::uint64_t seed = 0; seed < 36; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Settings settings = settings_for(seed);
    const Case example(
        random,
        {.rows = 300 + random.below(2000), .classes = 3, .missing = 0.1, .missing_target = 0.1},
        settings);
    const RuleBase& base = example.base;
    const std::size_t rows = example.problem.table.rows;
    std::vector<std::int64_t> units;
    if (seed % 2 == 1) {
      for (std::size_t i = 0; i < rows; ++i) {
        units.push_back(static_cast<std::int64_t>(random.below(5)));
      }
    }
    const RuleScoreLayout layout(base, settings.margin, 0);
    const std::size_t bins = layout.scale().bins();
    Bounds bounds{std::vector<double>(layout.size(), 0), std::vector<double>(layout.size(), 0)};
    std::vector<double> right(3, 0), all(3, 0), uncovered(3, 0), narrow(3, 0);
    for (std::size_t i = 0; i < rows; ++i) {
      const int actual = example.classes[i];
      if (actual < 0) continue;
      const double unit = units.empty() ? 1 : static_cast<double>(units[i]);
      const Row row = row_of(base, example.map, i);
      const auto y = static_cast<std::size_t>(actual);
      all[y] += unit;
      const double degree = degree_of(base, row, actual, settings.margin);
      right[y] += unit * degree;
      // Without a margin rounding may decide a tie.
      if (std::abs(degree_of(base, row, actual, 3) - 0.5) < 1e-3) narrow[y] += unit;
      if (std::all_of(row.scores.begin(), row.scores.end(),
                      [](double score) { return score == -HUGE_VAL; })) {
        uncovered[y] += unit;
      }
      for (std::size_t r = 0; r < base.rules.size(); ++r) {
        double best = -HUGE_VAL;
        std::size_t other = r;
        for (std::size_t q = 0; q < base.rules.size(); ++q) {
          if (q == r || row.scores[q] <= best + 1e-4) continue;
          best = row.scores[q];
          other = q;
        }
        // If others tie, rounding may choose another one.
        const bool tied = std::any_of(base.rules.begin(), base.rules.end(), [&](const Rule& rule) {
          const auto q = static_cast<std::size_t>(&rule - base.rules.data());
          return q != r && other != r && std::abs(row.scores[q] - best) < 1e-3 &&
                 rule.then != base.rules[other].then;
        });
        const int other_class = other == r ? base.otherwise : base.rules[other].then;
        const std::size_t length = base.rules[r].conditions.size();
        for (std::size_t p = 0; p <= length; ++p) {
          if (p < length && length == 1) continue;
          const double truth_steps = row.shorter[r][p];
          if (truth_steps == -HUGE_VAL) continue;
          const double lead =
              std::min(-best, 1e6) + truth_steps + static_cast<double>(layout.scale().offset());
          const std::size_t first = layout.histogram(r, p);
          for (const bool same : {false, true}) {
            if (!tied && same != (other_class == actual)) continue;
            const std::size_t start = first + (2 * y + (same ? 1 : 0)) * bins;
            if (!tied) {
              bounds.add(start, lead, bins, unit);
            } else if (lead > 0.9) {
              const auto bin =
                  static_cast<std::size_t>(std::min(lead, static_cast<double>(bins - 1)));
              for (std::size_t b = bin == 0 ? 0 : bin - 1; b < std::min(bin + 2, bins); ++b) {
                bounds.possible[start + b] += unit;
              }
            }
          }
        }
      }
    }

    for (const int threads : {1, 2}) {
      const std::vector<std::int64_t> sums =
          rule_score_sums(base, {}, settings.margin, example.map, example.classes, units, threads);
      ASSERT_EQ(sums.size(), layout.size());
      for (std::size_t i = 0; i < layout.all(); ++i) {
        const auto sum = static_cast<double>(sums[i]);
        ASSERT_GE(sum, bounds.certain[i]) << i;
        ASSERT_LE(sum, bounds.certain[i] + bounds.possible[i]) << i;
      }
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_EQ(static_cast<double>(sums[layout.all() + c]), all[c]);
        EXPECT_EQ(static_cast<double>(sums[layout.uncovered() + c]), uncovered[c]);
        EXPECT_NEAR(static_cast<double>(sums[layout.right() + c]) / degree_units, right[c],
                    settings.margin > 0 ? all[c] * 0.004 : narrow[c]);
        EXPECT_LT(narrow[c], all[c] / 4);
      }
    }
  }
}

TEST(RuleScoreSums, OfPartsAddUp) {
  Random random(5);
  const Case example(random, {.rows = 3000, .classes = 2}, Settings{});
  const auto sums_of = [&](std::size_t from, std::size_t to) {
    const Part part = part_of(example, from, to);
    return rule_score_sums(example.base, {}, 3, ColumnMap(example.base, part.table), part.classes,
                           {}, 1);
  };
  const std::vector<std::int64_t> whole = sums_of(0, 3000);
  for (const std::size_t cut : {std::size_t{1}, std::size_t{1023}, std::size_t{1500}}) {
    std::vector<std::int64_t> sum = sums_of(0, cut);
    const std::vector<std::int64_t> rest = sums_of(cut, 3000);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += rest[i];
    EXPECT_EQ(sum, whole) << cut;
  }
}

}  // namespace
}  // namespace frr::internal
