#include "additive/points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/random.hpp"

namespace frr::internal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Rows with three crisp rules, the first two for the second class and the third for the first.
struct Case {
  std::vector<int> classes;
  std::vector<float> weights;
  std::vector<std::vector<float>> truths;
  std::vector<double> fitted;
  std::vector<double> prices;

  explicit Case(std::uint64_t seed, std::size_t rows = 50) : truths(3) {
    Random random(seed);
    const double strength[] = {2.5 * random.uniform(), 2.5 * random.uniform(),
                               -2.5 * random.uniform()};
    for (std::size_t i = 0; i < rows; ++i) {
      double score = -0.5;
      for (std::size_t r = 0; r < 3; ++r) {
        truths[r].push_back(random.below(3) == 0 ? 1.0F : 0.0F);
        score += strength[r] * static_cast<double>(truths[r].back());
      }
      const bool second = random.uniform() < 1 / (1 + std::exp(-score));
      classes.push_back(i < 2 ? static_cast<int>(i) : second ? 1 : 0);
      weights.push_back(static_cast<float>(0.5 + random.uniform()));
    }
    for (const double weight : strength) {
      fitted.push_back(weight + (weight > 0 ? 0.2 : -0.2) * random.uniform());
      prices.push_back(random.uniform());
    }
  }

  [[nodiscard]] AdditiveRows rows() const { return {classes, weights, 2}; }
  [[nodiscard]] std::vector<PointsRule> rules() const {
    std::vector<PointsRule> result;
    for (std::size_t r = 0; r < truths.size(); ++r) {
      result.push_back({truths[r], fitted[r], prices[r]});
    }
    return result;
  }
  [[nodiscard]] double total(const std::vector<int>& points, std::size_t i) const {
    double sum = 0;
    for (std::size_t r = 0; r < points.size(); ++r) {
      sum += points[r] * static_cast<double>(truths[r][i]);
    }
    return sum;
  }
  // Of all rows, with p = 1 / (1 + exp(-(b + s T))).
  [[nodiscard]] double loss(const std::vector<int>& points, double b, double s) const {
    double sum = 0;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const double x = b + s * total(points, i);
      sum += static_cast<double>(weights[i]) * std::log1p(std::exp(classes[i] == 1 ? -x : x));
    }
    return sum;
  }
  [[nodiscard]] double price(const std::vector<int>& points) const {
    double sum = 0;
    for (std::size_t r = 0; r < points.size(); ++r) sum += points[r] != 0 ? prices[r] : 0;
    return sum;
  }
  // The least loss for these points, by golden sections of s, with the best b for each.
  [[nodiscard]] double least_loss(const std::vector<int>& points) const {
    const auto with_slope = [&](double s) {
      return least([&](double b) { return loss(points, b, s); }, -12, 12);
    };
    return least(with_slope, 0, 6);
  }
  // loss + price of the best points of all within the limits, with the signs of the fitted weights.
  [[nodiscard]] double best_of_all(int most) const {
    double best = infinity;
    for (int x = 0; x <= most; ++x) {
      for (int y = 0; y <= most; ++y) {
        for (int z = -most; z <= 0; ++z) {
          if (x == 0 && y == 0 && z == 0) continue;
          best = std::min(best, least_loss({x, y, z}) + price({x, y, z}));
        }
      }
    }
    return best;
  }

 private:
  // The least value of a convex function between `from` and `to`.
  template <typename Function>
  static double least(const Function& f, double from, double to) {
    const double golden = (std::sqrt(5.0) - 1) / 2;
    for (int i = 0; i < 22; ++i) {
      const double x = to - golden * (to - from), y = from + golden * (to - from);
      (f(x) < f(y) ? to : from) = f(x) < f(y) ? y : x;
    }
    return f((from + to) / 2);
  }
};

class FitPoints : public testing::TestWithParam<std::uint64_t> {};

TEST_P(FitPoints, StateTheirLossWhichIsTheLeastOfThesePoints) {
  const Case data(GetParam());
  const Points card = fit_points(data.rows(), data.rules(), 2);
  ASSERT_EQ(card.of_rule.size(), 3U);
  EXPECT_GT(card.nats_per_point, 0);
  // Up to the ridge that keeps s finite.
  EXPECT_NEAR(card.loss, data.loss(card.of_rule, card.bias, card.nats_per_point), 0.01);
  EXPECT_NEAR(card.loss, data.least_loss(card.of_rule), 0.01);
}

TEST_P(FitPoints, AreAsGoodAsTheBestOfAllPoints) {
  const Case data(GetParam());
  const Points card = fit_points(data.rows(), data.rules(), 2);
  EXPECT_NEAR(card.loss + data.price(card.of_rule), data.best_of_all(2), 0.05);
}

TEST_P(FitPoints, KeepToTheLimitAndToTheSignsOfTheWeights) {
  const Case data(GetParam());
  for (const int most : {1, 2, 5, 100}) {
    const Points card = fit_points(data.rows(), data.rules(), most);
    for (std::size_t r = 0; r < 3; ++r) {
      EXPECT_LE(std::abs(card.of_rule[r]), most);
      EXPECT_GE(card.of_rule[r] * data.fitted[r], 0) << r;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, FitPoints, testing::Range<std::uint64_t>(0, 12));

TEST(FitPoints, GiveNoneToARuleThatIsNotWorthItsPrice) {
  Case data(1, 200);
  data.prices = {0, 1e6, 0};
  EXPECT_EQ(fit_points(data.rows(), data.rules(), 5).of_rule[1], 0);
}

TEST(FitPoints, GiveNoneIfNoRuleIsWorthItsPrice) {
  Case data(1);
  data.prices = {1e6, 1e6, 1e6};
  const Points card = fit_points(data.rows(), data.rules(), 5);
  EXPECT_EQ(card.of_rule, std::vector<int>(3, 0));
  EXPECT_NEAR(card.loss, data.least_loss({0, 0, 0}), 0.01);
}

TEST(FitPoints, StayFiniteWhereTheTotalsSeparateTheClasses) {
  const std::vector<int> classes = {0, 0, 0, 1, 1};
  const std::vector<float> weights(5, 1.0F), truth = {0, 0, 0, 1, 1};
  const Points card = fit_points({classes, weights, 2}, std::vector<PointsRule>{{truth, 5, 0}}, 3);
  EXPECT_GT(card.of_rule[0], 0);
  EXPECT_GT(card.nats_per_point, 0);
  EXPECT_LT(card.nats_per_point * card.of_rule[0], 50);
  EXPECT_LT(card.loss, 0.2);
}

// Half of the rows on which the rule is true are of the second class, and an eighth of the others.
TEST(FitPoints, GiveTheSharesOfASingleRule) {
  std::vector<int> classes;
  std::vector<float> weights(160, 1.0F), truth;
  for (int i = 0; i < 160; ++i) {
    truth.push_back(i < 80 ? 1.0F : 0.0F);
    classes.push_back(i < 80 ? i % 2 : i % 8 == 0 ? 1 : 0);
  }
  const Points card = fit_points({classes, weights, 2}, std::vector<PointsRule>{{truth, 2, 1}}, 1);
  EXPECT_EQ(card.of_rule, std::vector<int>{1});
  EXPECT_NEAR(card.bias, -std::log(7.0), 1e-3);
  EXPECT_NEAR(card.nats_per_point, std::log(7.0), 1e-3);
}

TEST(FitPoints, OfNoRulesGiveTheShareOfTheClass) {
  const std::vector<int> classes = {0, 0, 0, 1};
  const std::vector<float> weights(4, 1.0F);
  const Points card = fit_points({classes, weights, 2}, {}, 5);
  EXPECT_TRUE(card.of_rule.empty());
  EXPECT_NEAR(card.bias, -std::log(3.0), 1e-3);
  EXPECT_TRUE(std::isfinite(card.loss));
}

// ---- Crisp labels -------------------------------------------------------------------------------

Trapezoid crisp(Trapezoid shape) {
  Label label{"label", LabelKind::range, shape};
  make_crisp(label);
  return label.shape;
}

TEST(MakeCrisp, PutsTheBorderAtAShortNumberInTheMiddleHalf) {
  const Trapezoid low = crisp({-infinity, -infinity, 99.13, 116.87});
  EXPECT_EQ(low.c, low.d);
  EXPECT_EQ(low.c, 110);  // the shortest from 103.6 to 112.4
  const Trapezoid high = crisp({99.13, 116.87, infinity, infinity});
  EXPECT_EQ(high.a, low.d);
  EXPECT_EQ(high.b, low.d);
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    const double start = std::exp(5 * random.normal()) * (random.below(2) == 0 ? 1 : -1);
    const double width = std::exp(5 * random.normal());
    const Trapezoid shape = crisp({start, start + width, infinity, infinity});
    EXPECT_EQ(shape.a, shape.b);
    EXPECT_GE(shape.a, start + width / 4);
    EXPECT_LE(shape.a, start + 3 * width / 4);
  }
}

TEST(MakeCrisp, LeavesOpenEndsAndCrispBordersAlone) {
  const Trapezoid left = crisp({-infinity, -infinity, 3, 3});
  EXPECT_EQ(left.a, -infinity);
  EXPECT_EQ(left.b, -infinity);
  EXPECT_EQ(left.c, 3);
  EXPECT_EQ(left.d, 3);
  const Trapezoid middle = crisp({0.1, 0.1, 0.7, 0.7});
  EXPECT_EQ(middle.a, 0.1);
  EXPECT_EQ(middle.b, 0.1);
  EXPECT_EQ(middle.c, 0.7);
  EXPECT_EQ(middle.d, 0.7);
  const Trapezoid right = crisp({-2, -2, infinity, infinity});
  EXPECT_EQ(right.a, -2);
  EXPECT_EQ(right.c, infinity);
  EXPECT_EQ(right.d, infinity);
}

TEST(MakeCrisp, OfTheNarrowestSlopeIsOneOfItsEnds) {
  const double next = std::nextafter(1.0, 2.0);
  const Trapezoid shape = crisp({1, next, infinity, infinity});
  EXPECT_EQ(shape.a, shape.b);
  EXPECT_TRUE(shape.a == 1 || shape.a == next);
}

TEST(MakeCrisp, ChangesNoCategoryAndNoMissingLabel) {
  for (const LabelKind kind : {LabelKind::category, LabelKind::missing}) {
    Label label{"label", kind, {1, 2, 3, 4}};
    make_crisp(label);
    EXPECT_EQ(label.shape.a, 1);
    EXPECT_EQ(label.shape.d, 4);
  }
}

}  // namespace
}  // namespace frr::internal
