#include "kernels/fastmath.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace frr::internal {
namespace {

double relative_error(float x) {
  const double truth = std::exp(static_cast<double>(x));
  return std::abs(exponential(x) - truth) / truth;
}
// The error relative to max(1, |log x|), the scale of the bound.
double log_error(float x) {
  const double truth = std::log(static_cast<double>(x));
  return std::abs(logarithm(x) - truth) / std::max(1.0, std::abs(truth));
}

TEST(Exponential, KeepsItsErrorBound) {
  double worst = 0;
  // Evenly over the range ...
  for (int i = 0; i <= 1'750'000; ++i) {
    const auto x = static_cast<float>(-87.0 + 1e-4 * i);
    worst = std::max(worst, relative_error(x));
  }
  // ... and evenly over the bit patterns of both signs, small numbers and subnormals included.
  for (const std::uint32_t sign : {0U, 0x80000000U}) {
    const auto last = std::bit_cast<std::uint32_t>(sign == 0 ? 88.0F : 87.0F);
    for (std::uint32_t bits = 0; bits <= last; bits += 1009)
      worst = std::max(worst, relative_error(std::bit_cast<float>(bits | sign)));
  }
  EXPECT_LT(worst, 3e-7);
  RecordProperty("largest_error", std::to_string(worst * 1e7) + "e-7");
}

TEST(Exponential, KeepsItsErrorBoundAtTheEdges) {
  EXPECT_EQ(exponential(0.0F), 1.0F);
  EXPECT_EQ(exponential(-0.0F), 1.0F);
  EXPECT_EQ(exponential(std::numeric_limits<float>::denorm_min()), 1.0F);
  EXPECT_LT(relative_error(-87.0F), 3e-7);
  EXPECT_LT(relative_error(88.0F), 3e-7);
  // Half way between two powers of 2, where the rounding of n changes.
  for (int n = -125; n <= 126; ++n) {
    const auto half = static_cast<float>((n + 0.5) * std::log(2.0));
    for (const float x : {std::nextafter(half, -99.0F), half, std::nextafter(half, 99.0F)})
      EXPECT_LT(relative_error(x), 3e-7) << n;
  }
}

TEST(Exponential, IsClampedOutsideItsRange) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float x : {-87.5F, -1e6F, -1e30F, -infinity}) {
    EXPECT_EQ(exponential(x), exponential(-87.0F)) << x;
  }
  for (const float x : {88.5F, 1e6F, 1e30F, infinity})
    EXPECT_EQ(exponential(x), exponential(88.0F));
  EXPECT_GT(exponential(-infinity), 0);
  EXPECT_LT(exponential(infinity), infinity);
}

TEST(Exponential, OfDoubleIsExact) { EXPECT_EQ(exponential(-1.25), std::exp(-1.25)); }

TEST(Logarithm, KeepsItsErrorBoundOnEveryNormalScale) {
  double worst = 0;
  const auto first = std::bit_cast<std::uint32_t>(std::numeric_limits<float>::min());
  const auto last = std::bit_cast<std::uint32_t>(std::numeric_limits<float>::max());
  for (std::uint32_t bits = first; bits <= last; bits += 1009)
    worst = std::max(worst, log_error(std::bit_cast<float>(bits)));
  // Membership degrees, which it is made for.
  for (int i = 1; i <= 1'000'000; ++i)
    worst = std::max(worst, log_error(static_cast<float>(i * 1e-6)));
  EXPECT_LT(worst, 2e-7);
  RecordProperty("largest_error", std::to_string(worst * 1e7) + "e-7");
}

TEST(Logarithm, KeepsItsErrorBoundAtTheEdges) {
  EXPECT_EQ(logarithm(1.0F), 0.0F);
  EXPECT_LT(log_error(std::numeric_limits<float>::min()), 2e-7);
  EXPECT_LT(log_error(std::numeric_limits<float>::max()), 2e-7);
  float below = 1, above = 1;
  for (int i = 0; i < 1000; ++i) {
    below = std::nextafter(below, 0.0F);
    above = std::nextafter(above, 2.0F);
    EXPECT_LT(log_error(below), 2e-7);
    EXPECT_LT(log_error(above), 2e-7);
    EXPECT_LT(logarithm(below), 0);
    EXPECT_GT(logarithm(above), 0);
  }
  // Where the mantissa's range folds over: sqrt(2) 2^n.
  for (int n = -120; n <= 120; ++n) {
    const float fold = std::ldexp(std::sqrt(2.0F), n);
    for (const float x : {std::nextafter(fold, 0.0F), fold, std::nextafter(fold, 1e38F)})
      EXPECT_LT(log_error(x), 2e-7) << n;
  }
}

TEST(Logarithm, InvertsTheExponential) {
  for (float x = -80; x < 80; x += 0.37F)
    EXPECT_NEAR(logarithm(exponential(x)), x, 6e-7 * std::max(1.0F, std::abs(x)));
}

}  // namespace
}  // namespace frr::internal
