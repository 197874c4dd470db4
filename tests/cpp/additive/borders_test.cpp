#include "additive/borders.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"

namespace frr::internal {
namespace {

double falling(const Border& border, double x) {
  const double infinity = std::numeric_limits<double>::infinity();
  return Trapezoid{-infinity, -infinity, border.start, border.end}(x);
}

double plain_change(const std::vector<BorderRow>& rows, const Border& border) {
  double sum = 0;
  for (const BorderRow& row : rows) {
    const double by = falling(border, row.value) - row.membership;
    sum += row.slope * by + row.curvature / 2 * by * by;
  }
  return sum;
}

std::vector<BorderRow> random_rows(Random& random, const Border& now, double scale) {
  std::vector<BorderRow> rows;
  for (int i = 0; i < 200; ++i) {
    // Some values lie on grid points.
    const double x =
        scale * (i % 3 == 0 ? static_cast<double>(random.below(12)) : 12 * random.uniform() - 1);
    rows.push_back({.value = x,
                    .membership = falling(now, x),
                    .slope = random.normal(),
                    .curvature = random.uniform()});
  }
  return rows;
}

TEST(BestBorders, AreTheBestOfAllPairsOfGridPoints) {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    const double scale = std::pow(10.0, static_cast<double>(random.below(13)) - 6);
    const Border now{3 * scale, 6 * scale};
    const std::vector<BorderRow> rows = random_rows(random, now, scale);
    std::vector<double> grid;
    for (int k = 0; k < 12; ++k) {
      if (random.uniform() < 0.8) grid.push_back(k * scale);
    }
    const double from = random.below(2) == 0 ? -HUGE_VAL : 2 * scale;
    const double to = random.below(2) == 0 ? HUGE_VAL : 9 * scale;
    std::vector<double> changes;
    for (const double start : grid) {
      for (const double end : grid) {
        if (start <= end && start >= from && end <= to) {
          changes.push_back(plain_change(rows, {start, end}));
        }
      }
    }
    std::sort(changes.begin(), changes.end());
    const std::vector<BorderChange> best = best_borders(rows, grid, from, to, 3);
    ASSERT_EQ(best.size(), std::min<std::size_t>(3, changes.size()));
    for (std::size_t k = 0; k < best.size(); ++k) {
      EXPECT_NEAR(best[k].change, changes[k], 1e-9 * 200);
      EXPECT_NEAR(best[k].change, plain_change(rows, best[k].border), 1e-9 * 200);
      EXPECT_GE(best[k].border.start, from);
      EXPECT_LE(best[k].border.end, to);
    }
  }
}

TEST(BestBorders, WithoutSlopesAreTheBestSinglePoints) {
  Random random(2);
  std::vector<double> grid;
  for (int k = 0; k < 12; ++k) grid.push_back(k);
  for (int round = 0; round < 20; ++round) {
    const std::vector<BorderRow> rows = random_rows(random, {3, 6}, 1);
    std::vector<double> changes;
    for (const double point : grid) changes.push_back(plain_change(rows, {point, point}));
    std::sort(changes.begin(), changes.end());
    const auto best = best_borders(rows, grid, -HUGE_VAL, HUGE_VAL, 3, true);
    ASSERT_EQ(best.size(), 3U);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(best[k].border.start, best[k].border.end);
      EXPECT_NEAR(best[k].change, changes[k], 1e-9 * 200);
    }
  }
}

TEST(BestBorders, FindsAPlantedBorder) {
  // Rows below 4 gain from belonging to the left label, the others lose.
  std::vector<BorderRow> rows;
  for (int i = 0; i < 100; ++i) {
    const double x = 0.1 * i;
    rows.push_back({.value = x, .membership = 0.5, .slope = x < 4 ? -1.0 : 1.0, .curvature = 0.1});
  }
  const std::vector<double> grid = {1, 2, 3, 4, 5, 6, 7};
  const auto best = best_borders(rows, grid, -HUGE_VAL, HUGE_VAL, 1);
  ASSERT_EQ(best.size(), 1U);
  EXPECT_EQ(best[0].border.start, 4);
  EXPECT_EQ(best[0].border.end, 4);
}

TEST(BestBorders, FindsNothingWithoutGridPointsOrWhereTheyAreTooFarApart) {
  const std::vector<BorderRow> rows = {{.value = 0, .membership = 1, .slope = 1, .curvature = 1}};
  EXPECT_TRUE(best_borders(rows, {}, -HUGE_VAL, HUGE_VAL, 2).empty());
  const std::vector<double> outside = {5};
  EXPECT_TRUE(best_borders(rows, outside, 6, 9, 2).empty());
  const std::vector<double> far = {-1.7e308, 1.7e308};
  EXPECT_TRUE(best_borders(rows, far, -HUGE_VAL, HUGE_VAL, 2).empty());
}

}  // namespace
}  // namespace frr::internal
