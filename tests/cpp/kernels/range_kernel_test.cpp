#include "kernels/range_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"

namespace frr::internal {
namespace {

// Values of all kinds, the corners of the range among them.
std::vector<double> values_near(Random& random, const Trapezoid& shape) {
  std::vector<double> values{
      std::numeric_limits<double>::quiet_NaN(),  HUGE_VAL, -HUGE_VAL, 0, -0.0,
      std::numeric_limits<double>::denorm_min(), 1e300,    -1e300};
  for (const double corner : {shape.a, shape.b, shape.c, shape.d}) {
    if (!std::isfinite(corner)) continue;
    values.push_back(corner);
    values.push_back(std::nextafter(corner, HUGE_VAL));
    values.push_back(std::nextafter(corner, -HUGE_VAL));
  }
  while (values.size() < 37) values.push_back(4 * random.normal());
  return values;
}

TEST(RangeKernel, EqualsTheTrapezoidToTheLastBit) {
  Random random(3);
  constexpr double inf = HUGE_VAL;
  std::vector<Trapezoid> shapes = {{-inf, -inf, 0, 1}, {0, 1, inf, inf}, {-inf, -inf, inf, inf},
                                   {0, 0, 1, 1},       {0, 0, 0, 0},     {0, 1, 1, 2},
                                   {-inf, -inf, 2, 2}, {2, 2, inf, inf}, {-1e308, 1e308, inf, inf},
                                   {3, 1, 2, 4},       {0, 2, 1, 3},     {-inf, 1, 2, 3},
                                   {0, 1, 2, inf}};
  for (int i = 0; i < 500; ++i) {
    std::vector<double> at(4);
    for (double& x : at) x = std::round(8 * random.normal()) / 4;
    std::sort(at.begin(), at.end());
    shapes.push_back({at[0], at[1], at[2], at[3]});
  }
  for (const Trapezoid& shape : shapes) {
    const std::vector<double> values = values_near(random, shape);
    std::vector<float> found(values.size(), -1.0F);
    fill_range(shape, values.data(), values.size(), found.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto expected = static_cast<float>(shape(values[i]));
      if (std::isnan(expected) && std::isnan(found[i])) continue;
      EXPECT_EQ(found[i], expected)
          << values[i] << " in " << shape.a << ' ' << shape.b << ' ' << shape.c << ' ' << shape.d;
    }
  }
}

}  // namespace
}  // namespace frr::internal
