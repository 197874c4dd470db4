#include "slopes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"

namespace frr::internal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Plan::Degree range(Plan::Edge rise, Plan::Edge fall) {
  Plan::Degree degree;
  degree.rise = rise;
  degree.fall = fall;
  return degree;
}

// By hand: (x - 1) / 2 is above 0 first at 1 + 2^-52, where it is 2^-53, and 1 from 3 on; (8 - x) /
// 4 is 1 up to 4, and above 0 last at 8 - 2^-50, where it is 2^-52.
TEST(Slopes, BeginAndEndAtTheCorners) {
  const Slopes at = slopes_of(range({true, 1, 2}, {true, 8, 4}));
  EXPECT_EQ(at.rise.zero, 1);
  EXPECT_EQ(at.rise.one, 3);
  EXPECT_EQ(at.rise.first_one, 3);
  EXPECT_EQ(at.rise.least, std::ldexp(1.0, -53));
  EXPECT_EQ(at.fall.zero, 8);
  EXPECT_EQ(at.fall.one, 4);
  EXPECT_EQ(at.fall.least, std::ldexp(1.0, -52));
}

TEST(Slopes, AreStepsIfTheWidthIsZero) {
  const Slopes at = slopes_of(range({true, 1, 0}, {true, 8, 0}));
  EXPECT_EQ(at.rise.zero, std::nextafter(1, 0));
  EXPECT_EQ(at.rise.one, 1);
  EXPECT_EQ(at.rise.least, 1);
  EXPECT_EQ(at.fall.zero, std::nextafter(8, 9));
  EXPECT_EQ(at.fall.least, 1);
}

TEST(Slopes, AreOneEverywhereWithoutASide) {
  const Slopes at = slopes_of(range({}, {}));
  EXPECT_EQ(at.rise.one, -infinity);
  EXPECT_EQ(at.fall.one, infinity);
}

// x / 4 is 0 for the smallest double above 0 and the next one; for the third it rounds up.
TEST(Slopes, BeginAtTheFirstDegreeThatADoubleCanHold) {
  const double least = std::numeric_limits<double>::denorm_min();
  const Slopes at = slopes_of(range({true, 0, 4}, {}));
  EXPECT_EQ(at.rise.zero, 2 * least);
  EXPECT_EQ(at.rise.least, least);
}

TEST(Slopes, BoundTheQuotientAtZeroAndOneToTheLastBit) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const double a = random.uniform() * 100 - 50, b = a + random.uniform() * 10 + 1e-9;
    const double c = b + random.uniform(), d = c + random.uniform() * 10 + 1e-9;
    const Plan::Degree degree = range({true, a, b - a}, {true, d, d - c});
    const Slopes at = slopes_of(degree);
    const auto rise = [&](double x) { return (x - degree.rise.corner) / degree.rise.width; };
    const auto drop = [&](double x) { return (degree.fall.corner - x) / degree.fall.width; };
    EXPECT_LE(rise(at.rise.zero), 0);
    EXPECT_GT(rise(std::nextafter(at.rise.zero, infinity)), 0);
    EXPECT_EQ(rise(std::nextafter(at.rise.zero, infinity)), at.rise.least);
    EXPECT_GE(rise(at.rise.first_one), 1);
    EXPECT_LT(rise(std::nextafter(at.rise.first_one, -infinity)), 1);
    EXPECT_GE(at.rise.one, at.rise.first_one);
    EXPECT_LE(rise(std::nextafter(at.rise.one, -infinity)), 1);  // below `one`, no clamp is needed
    EXPECT_LE(drop(at.fall.zero), 0);
    EXPECT_GT(drop(std::nextafter(at.fall.zero, -infinity)), 0);
    EXPECT_GE(drop(at.fall.first_one), 1);
    EXPECT_LT(drop(std::nextafter(at.fall.first_one, infinity)), 1);
    EXPECT_LE(at.fall.one, at.fall.first_one);
    EXPECT_LE(drop(std::nextafter(at.fall.one, infinity)), 1);
  }
}

}  // namespace
}  // namespace frr::internal
