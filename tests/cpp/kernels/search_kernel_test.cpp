// The search's kernels against their plain forms (support/kernel_reference.hpp) on random shapes.
#include "kernels/search_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/border_kernel.hpp"
#include "support/kernel_numbers.hpp"

namespace frr::internal {
namespace {

constexpr float far = std::numeric_limits<float>::infinity();

// Multiples of 1/8 below 8, whose sums are exact.
std::vector<float> exact_weights(std::size_t count, Random& random) {
  std::vector<float> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(static_cast<float>(random.below(64)) / 8);
  return result;
}
float total(const std::vector<float>& x) {
  float sum = 0;
  for (const float y : x) sum += y;
  return sum;
}

// Scores in steps; some rows have none.
std::vector<float> random_scores(std::size_t count, Random& random, double covered) {
  std::vector<float> result;
  for (std::size_t i = 0; i < count; ++i) {
    const auto score = static_cast<float>(-12 * random.uniform());
    result.push_back(random.uniform() < covered ? score : -far);
  }
  return result;
}

// ---- Search -------------------------------------------------------------------------------------

struct PanelCase {
  std::size_t width, count, bins, classes;
  bool zero;  // costs, slacks and weights
};

void compare_panel(const PanelCase& shape, Random& random) {
  std::vector<std::uint16_t> panel(shape.width * shape.count, 0);
  std::vector<PanelRow> rows;
  for (std::size_t i = 0; i < shape.count; ++i) {
    PanelRow row{.row = static_cast<std::uint32_t>(i)};
    row.key = static_cast<std::uint32_t>(random.below(2 * shape.classes) * shape.bins);
    if (!shape.zero) {
      row.weight = static_cast<float>(random.below(64)) / 8;
      row.slack = static_cast<std::uint16_t>(64 + random.below(shape.bins * 80));
      if (random.uniform() < 0.1) row.slack = max_slack;
    }
    if (random.uniform() < 0.8) rows.push_back(row);  // not all rows are given
  }
  if (!shape.zero) {
    for (std::uint16_t& cost : panel) {
      const double kind = random.uniform();
      cost = kind < 0.2   ? std::uint16_t{0}
             : kind < 0.4 ? cost_never
             : kind < 0.5 ? max_finite_cost
                          : panel_cost(static_cast<float>(20 * random.uniform()));
    }
  }
  const std::size_t stride = 2 * shape.classes * shape.bins;
  std::vector<float> counts(shape.width * stride, 0);
  fill_panel(panel.data(), shape.width, rows, shape.bins, stride, counts.data());
  expect_near(counts, reference::fill_panel(panel.data(), shape.width, rows, shape.bins, stride), 0,
              "rows " + std::to_string(shape.count));
}

TEST(SearchKernel, FillsPanelsExactly) {
  Random random(1);
  for (const std::size_t count : row_counts) {
    for (const std::size_t width : {panel_width / 2, panel_width}) {
      for (const std::size_t bins : {34, 40, 127}) {
        for (const std::size_t classes : {1, 2, 17})
          compare_panel(
              {.width = width, .count = count, .bins = bins, .classes = classes, .zero = false},
              random);
      }
      compare_panel({.width = width, .count = count, .bins = 40, .classes = 2, .zero = true},
                    random);
    }
  }
}

TEST(SearchKernel, FillPanelAccumulates) {
  const std::vector<std::uint16_t> panel(panel_width, 0);
  const std::vector<PanelRow> rows = {{.row = 0, .key = 0, .weight = 2, .slack = 64 * 3}};
  std::vector<float> counts(panel_width * 8, 1);
  fill_panel(panel.data(), panel_width, rows, 8, 8, counts.data());
  for (std::size_t i = 0; i < counts.size(); ++i) EXPECT_EQ(counts[i], i % 8 == 3 ? 3 : 1) << i;
}

TEST(SearchKernel, FindsTheRowsThatReachABin) {
  Random random(2);
  const std::vector<float> special = {far, -far, 0, 1, -1, 0.99999F, 999.99F, 1000, 1e30F, -1e30F};
  for (const std::size_t count : row_counts) {
    for (const bool zero : {false, true}) {
      std::vector<float> slack(count, 0), weight = exact_weights(count, random);
      std::vector<std::uint32_t> key;
      for (float& x : slack) {
        key.push_back(static_cast<std::uint32_t>(random.below(1000)));
        if (zero) continue;
        x = random.uniform() < 0.2 ? special[random.below(special.size())]
                                   : static_cast<float>(20 * random.normal());
      }
      std::vector<PanelRow> rows(count + 1);
      rows.resize(reached_rows(slack, key.data(), weight.data(), rows.data()));
      const auto expected = reference::reached_rows(slack, key.data(), weight.data());
      ASSERT_EQ(rows.size(), expected.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].row, expected[i].row);
        EXPECT_EQ(rows[i].key, expected[i].key);
        EXPECT_EQ(rows[i].weight, expected[i].weight);
        EXPECT_EQ(rows[i].slack, expected[i].slack);
      }
    }
  }
}

// The error of the logarithm, 2e-7 max(1, |log x|), and a rounding of the number and of the
// product.
double log_tolerance(double log, double factor) {
  return rounding<float> * factor * std::max(1.0, std::abs(log));
}

TEST(SearchKernel, CostsAreLogarithms) {
  Random random(3);
  const std::vector<float> special = {0, 1, 1e-30F, 1e-38F, 1e-42F, 0.5F, 0.99999994F};
  for (const std::size_t count : row_counts) {
    for (const float factor : {4.48142F, 0.5F}) {
      std::vector<float> x = random_numbers<float>(count, random, Fill::unit);
      for (float& mu : x) {
        if (random.uniform() < 0.2) mu = special[random.below(special.size())];
      }
      std::vector<float> cost = x;
      costs_of(cost, factor);
      for (std::size_t i = 0; i < count; ++i) {
        const double expected = reference::cost_of(x[i], factor);
        EXPECT_GE(cost[i], 0) << x[i];
        if (std::isinf(expected)) {
          EXPECT_EQ(cost[i], far);
        } else {
          EXPECT_NEAR(cost[i], expected, log_tolerance(expected / factor, factor)) << x[i];
        }
      }
    }
  }
}

TEST(SearchKernel, SubtractsElementwise) {
  Random random(4);
  for (const std::size_t count : row_counts) {
    const auto x = random_scores(count, random, 0.8);
    const auto y = random_numbers<float>(count, random);
    auto found = x;
    subtract(found, y.data());
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(found[i], x[i] - y[i]);
  }
}

TEST(SearchKernel, TakeBestKeepsTheLargerScore) {
  Random random(5);
  for (const std::size_t count : row_counts) {
    for (const bool tied : {false, true}) {
      const auto scores = random_scores(count, random, 0.7);
      const auto before = tied ? scores : random_scores(count, random, 0.7);
      std::vector<float> best = before;
      std::vector<int> best_class(count, 3);
      take_best(scores.data(), 5, best, best_class.data());
      for (std::size_t i = 0; i < count; ++i) {
        const auto expected = reference::take_best(scores[i], 5, {before[i], 3});
        EXPECT_EQ(best[i], expected.score);
        EXPECT_EQ(best_class[i], expected.then);
      }
    }
  }
}

TEST(SearchKernel, RampGainEqualsThePlainSum) {
  Random random(6);
  for (const std::size_t count : row_counts) {
    for (const float slope : {0.5F / 3, 0.5F, 500.0F}) {
      for (const bool zero : {false, true}) {
        auto score = random_scores(count, random, zero ? 0 : 0.7);
        auto others = random_scores(count, random, zero ? 0 : 0.6);
        if (zero) score.assign(count, 0), others.assign(count, 0);
        const auto weight = exact_weights(count, random);
        std::vector<std::uint32_t> key;
        for (std::size_t i = 0; i < count; ++i)
          key.push_back(static_cast<std::uint32_t>(random.below(6)));
        const double found = ramp_gain(score, others.data(), key.data(), weight.data(), 1, slope);
        const double expected =
            reference::ramp_gain(score, others.data(), key.data(), weight.data(), 1, slope);
        // A lead of at most 12 steps is rounded once, times the slope; each lane of a piece sums 64
        // numbers in single precision.
        const double tolerance = rounding<float> * total(weight) * (3 * slope + 16);
        EXPECT_NEAR(found, expected, tolerance) << count << " rows, slope " << slope;
      }
    }
  }
}

// ---- Gains --------------------------------------------------------------------------------------

TEST(SearchKernel, AddsAndSumsElementwise) {
  Random random(21);
  for (const std::size_t count : row_counts) {
    const std::vector<float> x = exact_weights(count, random);
    std::vector<double> sum(count, 0.5);
    add_to(sum, x.data());
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(sum[i], 0.5 + static_cast<double>(x[i]));
    EXPECT_EQ(sum_of(x), static_cast<double>(total(x)));
  }
}

TEST(SearchKernel, AddWindowsEqualsThePlainSums) {
  Random random(22);
  for (const std::size_t window : {0, 1, 2, 7, 10}) {
    for (const std::size_t count : {0, 1, 7, 16, 17, 32, 48}) {
      for (const Fill fill : {Fill::normal, Fill::zero}) {
        const auto ramp = random_numbers<double>(window, random);
        const auto value = random_numbers<double>(window + count, random, fill);
        const auto before = random_numbers<double>(count, random);
        std::vector<double> gain = before;
        add_windows(ramp, value.data(), gain);
        for (std::size_t k = 0; k < count; ++k) {
          double expected = before[k];
          for (std::size_t w = 0; w < window; ++w) expected += ramp[w] * value[k + w];
          EXPECT_NEAR(gain[k], expected, 1e-12) << "window " << window << " at " << k;
        }
      }
    }
  }
}

// ---- Borders ------------------------------------------------------------------------------------

TEST(BorderKernel, DistancesAreLogarithms) {
  Random random(7);
  for (const std::size_t count : row_counts) {
    for (const double scale : {1.0, -0.25, 1e6}) {
      std::vector<double> x = random_numbers<double>(count, random);
      const double from = 0.3;
      for (double& value : x) {
        if (random.uniform() < 0.1) value = from;
        if (random.uniform() < 0.1) value = 0;
      }
      std::vector<float> out(count, 99);
      distance_logs(x.data(), count, from, scale, 4.5F, out.data());
      for (std::size_t i = 0; i < count; ++i) {
        const double expected = reference::distance_log(x[i], from, scale, 4.5);
        if (std::isinf(expected)) {
          EXPECT_EQ(out[i], -far) << x[i];
        } else {
          EXPECT_NEAR(out[i], expected, log_tolerance(expected / 4.5, 4.5)) << x[i];
        }
      }
    }
  }
}

struct Border {
  std::vector<float> right, wrong, rising_right, rising_wrong, falling_right, falling_wrong;
  std::vector<float> weight, rise, fall;

  Border(std::size_t count, Random& random, double covered)
      : right(random_scores(count, random, covered)),
        wrong(random_scores(count, random, covered)),
        rising_right(random_scores(count, random, covered)),
        rising_wrong(random_scores(count, random, covered)),
        falling_right(random_scores(count, random, covered)),
        falling_wrong(random_scores(count, random, covered)),
        weight(exact_weights(count, random)),
        rise(random_scores(count, random, 0.8)),
        fall(random_scores(count, random, 0.8)) {
    // Finite placeholders if no other rule covers the row.
    for (float& x : right) x = x == -far ? -1e9F : x;
    for (float& x : wrong) x = x == -far ? -2e9F : x;
  }
  [[nodiscard]] BorderRows rows() const {
    return {.right = right.data(),
            .wrong = wrong.data(),
            .rising_right = rising_right.data(),
            .rising_wrong = rising_wrong.data(),
            .falling_right = falling_right.data(),
            .falling_wrong = falling_wrong.data(),
            .weight = weight.data(),
            .count = weight.size()};
  }
};

TEST(BorderKernel, SlopeSumEqualsThePlainSum) {
  Random random(8);
  for (const std::size_t count : row_counts) {
    for (const double covered : {0.0, 0.5, 1.0}) {
      for (const float slope : {0.5F / 3, 0.5F, 500.0F}) {
        Border border(count, random, covered);
        for (const float width : {0.0F, 1.7F}) {
          const float found =
              slope_sum(border.rows(), border.rise.data(), border.fall.data(), width, slope);
          const double expected = reference::slope_sum(border.rows(), border.rise.data(),
                                                       border.fall.data(), width, slope);
          // Scores of at most 26 steps are rounded three times; each lane sums count / 8 numbers.
          const double added = static_cast<double>(count) / 8;
          const double tolerance =
              rounding<float> * sum_of(border.weight) * (20 * slope + 3 + added / 4);
          EXPECT_NEAR(found, expected, tolerance)
              << count << " rows, covered " << covered << ", slope " << slope;
        }
      }
    }
  }
}

TEST(BorderKernel, SlopeSumOfWholeStepsIsExact) {
  // No rounding anywhere: leads in whole steps, slope 1/4, weights in eighths.
  Random random(9);
  for (const std::size_t count : row_counts) {
    Border border(count, random, 1);
    for (auto* x : {&border.right, &border.wrong, &border.rising_right, &border.rising_wrong,
                    &border.falling_right, &border.falling_wrong, &border.rise, &border.fall}) {
      for (float& score : *x) score = score == -far ? score : std::floor(score);
    }
    EXPECT_EQ(slope_sum(border.rows(), border.rise.data(), border.fall.data(), 2, 0.25F),
              reference::slope_sum(border.rows(), border.rise.data(), border.fall.data(), 2, 0.25));
  }
}

TEST(BorderKernel, ZeroWeightsSumToZero) {
  Random random(10);
  Border border(127, random, 0.5);
  border.weight.assign(127, 0);
  EXPECT_EQ(slope_sum(border.rows(), border.rise.data(), border.fall.data(), 1, 0.5F), 0);
}

}  // namespace
}  // namespace frr::internal
