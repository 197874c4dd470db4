#include "additive/loss_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "frr/error.hpp"
#include "model/statistics.hpp"
#include "support/plain_loss.hpp"
#include "support/plain_rules.hpp"

namespace frr::internal {
namespace {

using plain_rules::Case;
using plain_rules::Part;

constexpr int bits = 5;
const double unit = std::ldexp(1.0, -20);  // of the weight 1

std::vector<double> random_point(Random& random, const LossLayout& layout) {
  std::vector<double> point;
  for (std::size_t k = 0; k < layout.variables(); ++k) {
    point.push_back(k < layout.biases() ? random.normal() : 2 * random.uniform());
  }
  return point;
}

// - sum_i log p_i(group of y_i), by plain loops.
double slow_loss(const RuleBase& base, const LossLayout& layout, const std::vector<double>& point,
                 const std::vector<std::vector<double>>& truths, const std::vector<int>& classes) {
  double loss = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] < 0) continue;
    std::vector<double> scores(layout.groups().count(), 0);
    for (std::size_t g = 0; g < layout.biases(); ++g) scores[g] = point[g];
    for (std::size_t r = 0; r < base.rules.size(); ++r) {
      scores[layout.groups().of(base.rules[r].then)] += point[layout.biases() + r] * truths[i][r];
    }
    double sum = 0;
    for (const double score : scores) sum += std::exp(score);
    loss += std::log(sum) - scores[layout.groups().of(classes[i])];
  }
  return loss;
}

TEST(LossSums, AreTheLossOfTheRowsAndItsDifferences) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Case given(random,
                     {.rows = 300, .classes = 2 + seed % 4, .missing = 0.05, .missing_target = 0.1},
                     plain_rules::settings_for(seed));
    const std::vector<int> classes =
        class_indices(given.problem.table, given.base.target, given.base.classes);
    const LossLayout layout(given.base);
    const std::vector<double> point = random_point(random, layout);
    const std::vector<std::int64_t> sums =
        loss_sums(given.base, point, given.map, classes, {}, bits, 1);
    ASSERT_EQ(sums.size(), layout.size());
    std::vector<std::vector<double>> truths;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      truths.push_back(plain_loss::truths_of(given.base, given.map, i));
    }
    const auto loss_at = [&](std::vector<double> at, std::size_t k, double x, std::size_t j,
                             double y) {
      at[k] += x;
      at[j] += y;
      return slow_loss(given.base, layout, at, truths, classes);
    };
    const auto value = [&](std::size_t index) { return unit * static_cast<double>(sums[index]); };
    const double rounding = 300 * unit / 2;
    EXPECT_NEAR(value(layout.loss()), loss_at(point, 0, 0, 0, 0), rounding + 1e-9);
    constexpr double h = 1e-3;
    for (std::size_t k = 0; k < layout.variables(); ++k) {
      const double first = (loss_at(point, k, h, k, 0) - loss_at(point, k, -h, k, 0)) / (2 * h);
      EXPECT_NEAR(value(layout.gradient(k)), first, rounding + 1e-4) << k;
      for (std::size_t j = 0; j <= k; ++j) {
        const double second = (loss_at(point, k, h, j, h) - loss_at(point, k, h, j, -h) -
                               loss_at(point, k, -h, j, h) + loss_at(point, k, -h, j, -h)) /
                              (4 * h * h);
        EXPECT_NEAR(value(layout.hessian(k, j)), second, rounding + 1e-3) << k << " " << j;
      }
    }
    std::vector<std::int64_t> rows(given.base.classes.size(), 0);
    for (const int c : classes) {
      if (c >= 0) rows[static_cast<std::size_t>(c)] += 1;
    }
    for (std::size_t c = 0; c < rows.size(); ++c) {
      EXPECT_EQ(sums[layout.all() + c], rows[c] * weight_units(1, 1));
    }
  }
}

TEST(LossSums, DependNeitherOnTheDivisionNorOnThreads) {
  Random random(5);
  const Case given(random, {.rows = 40000, .classes = 3, .missing = 0.05}, Settings{});
  const std::vector<double> point = random_point(random, LossLayout(given.base));
  std::vector<std::int64_t> units;
  for (std::size_t i = 0; i < given.classes.size(); ++i) {
    units.push_back(weight_units(random.uniform(), 1));
  }
  const auto sums = loss_sums(given.base, point, given.map, given.classes, units, bits, 1);
  EXPECT_EQ(loss_sums(given.base, point, given.map, given.classes, units, bits, 3), sums);
  std::vector<std::int64_t> of_parts(sums.size(), 0);
  const std::vector<std::size_t> cuts = {0, 1, 70, 12345, 40000};
  for (std::size_t k = 1; k < cuts.size(); ++k) {
    const Part part = plain_rules::part_of(given, cuts[k - 1], cuts[k]);
    const ColumnMap map(given.base, part.table);
    const std::span<const std::int64_t> weights =
        std::span(units).subspan(cuts[k - 1], cuts[k] - cuts[k - 1]);
    const auto more = loss_sums(given.base, point, map, part.classes, weights, bits, 1);
    for (std::size_t i = 0; i < sums.size(); ++i) of_parts[i] += more[i];
  }
  EXPECT_EQ(of_parts, sums);
}

TEST(LossSums, RowsWithoutWeightsWeighOne) {
  Random random(6);
  const Case given(random, {.rows = 500, .classes = 2}, Settings{});
  const std::vector<double> point = random_point(random, LossLayout(given.base));
  const std::vector<std::int64_t> units(given.classes.size(), weight_units(1, 1));
  EXPECT_EQ(loss_sums(given.base, point, given.map, given.classes, units, bits, 1),
            loss_sums(given.base, point, given.map, given.classes, {}, bits, 1));
}

// Scores of 1000 nats for the wrong class.
TEST(LossSums, ARowHasABoundedLoss) {
  Random random(7);
  const Case given(random, {.rows = 200, .classes = 2}, Settings{});
  const LossLayout layout(given.base);
  std::vector<double> point(layout.variables(), 0);
  point[0] = 1000;
  const auto sums = loss_sums(given.base, point, given.map, given.classes, {}, bits, 1);
  double others = 0;
  for (const int c : given.classes) others += layout.groups().of(c) == 0 ? 0 : 1;
  EXPECT_NEAR(unit * static_cast<double>(sums[layout.loss()]), others * most_row_loss, 1e-3);
}

TEST(LossSums, CannotOverflow) {
  EXPECT_EQ(loss_fraction_bits(400000), 5);
  EXPECT_EQ(loss_fraction_bits(std::uint64_t{1} << 38U), 0);
  for (int power = 0; power < 64; ++power) {
    const std::uint64_t rows = std::uint64_t{1} << static_cast<unsigned>(power);
    // The largest weight times the largest loss.
    const double of_row = std::ldexp(65536 * most_row_loss, loss_fraction_bits(rows));
    EXPECT_LT(static_cast<double>(rows) * of_row, std::ldexp(1.0, 62)) << power;
  }
}

TEST(LossSums, RejectAPointOfOtherRules) {
  Random random(8);
  const Case given(random, {.rows = 100, .classes = 2}, Settings{});
  const LossLayout layout(given.base);
  std::vector<double> point(layout.variables(), 1);
  check_point(layout, point, bits);
  EXPECT_THROW(check_point(layout, point, bits + 1), Error);
  EXPECT_THROW(check_point(layout, point, -100), Error);
  point.back() = HUGE_VAL;
  EXPECT_THROW(check_point(layout, point, bits), Error);
  point.pop_back();
  EXPECT_THROW(check_point(layout, point, bits), Error);
}

}  // namespace
}  // namespace frr::internal
