#include "base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace frr::internal {
namespace {

// Computed with unbounded integers in Python from the published definitions: four words of
// splitmix64 from the seed as the state of xoshiro256**. That program gives splitmix64's known
// outputs for seed 1234567 (6457827717110365317, ...) and xoshiro256**'s for the state 1, 2, 3, 4
// (11520, 0, 1509978240, 1215971899390074240, ...).
TEST(Random, GivesTheGeneratorsKnownOutputs) {
  Random zero(0);
  for (const std::uint64_t expected :
       {0x99ec5f36cb75f2b4ULL, 0xbf6e1f784956452aULL, 0x1a5f849d4933e6e0ULL, 0x6aa594f1262d2d2cULL})
    EXPECT_EQ(zero.next(), expected);
  Random other(42);
  for (const std::uint64_t expected :
       {0x15780b2e0c2ec716ULL, 0x6104d9866d113a7eULL, 0xae17533239e499a1ULL, 0xecb8ad4703b360a1ULL})
    EXPECT_EQ(other.next(), expected);
  Random last(~0ULL);
  EXPECT_EQ(last.next(), 0x8f5520d52a7ead08ULL);
  EXPECT_EQ(last.next(), 0xc476a018caa1802dULL);
}

TEST(Random, UniformIsTheTop53Bits) {
  Random random(42);
  EXPECT_EQ(random.uniform(), 0.08386297105988216);
  EXPECT_EQ(random.uniform(), 0.3789802506626686);
  EXPECT_EQ(random.uniform(), 0.6800434110281394);
}

TEST(Random, UniformFillsTheUnitIntervalEvenly) {
  Random random(7);
  const int draws = 100000, cells = 20;
  std::vector<int> counts(cells, 0);
  double sum = 0, squares = 0;
  for (int i = 0; i < draws; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    ++counts[static_cast<std::size_t>(u * cells)];
    sum += u;
    squares += u * u;
  }
  // Mean 1/2 and mean square 1/3, both within five standard errors (0.0009 and 0.00095).
  EXPECT_NEAR(sum / draws, 0.5, 0.0046);
  EXPECT_NEAR(squares / draws, 1.0 / 3, 0.0048);
  // Chi-square of 19 degrees: below 50 but for a chance of 1e-4.
  double chi = 0;
  const double expected = static_cast<double>(draws) / cells;
  for (const int count : counts) chi += (count - expected) * (count - expected) / expected;
  EXPECT_LT(chi, 50);
}

TEST(Random, BelowReachesEveryNumberAndNoOther) {
  Random random(3);
  for (const std::size_t n : {1U, 2U, 7U, 64U}) {
    std::vector<int> counts(n, 0);
    for (std::size_t i = 0; i < 1000 * n; ++i) {
      const std::size_t x = random.below(n);
      ASSERT_LT(x, n);
      ++counts[x];
    }
    // 1000 expected, standard deviation below 32.
    for (const int count : counts) EXPECT_NEAR(count, 1000, 160);
  }
}

TEST(Random, NormalHasTheMomentsOfTheStandardNormal) {
  Random random(11);
  const int draws = 100000;
  double sum = 0, squares = 0, fourth = 0;
  int within = 0;
  for (int i = 0; i < draws; ++i) {
    const double x = random.normal();
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
    within += std::abs(x) < 1 ? 1 : 0;
  }
  // Five standard errors: 5 sqrt(1 / n), 5 sqrt(2 / n), 5 sqrt(96 / n), 5 sqrt(0.683 0.317 / n).
  EXPECT_NEAR(sum / draws, 0, 0.016);
  EXPECT_NEAR(squares / draws, 1, 0.023);
  EXPECT_NEAR(fourth / draws, 3, 0.16);
  EXPECT_NEAR(static_cast<double>(within) / draws, 0.682689, 0.0074);
}

TEST(Random, ShuffleIsAPermutation) {
  Random random(5);
  for (const std::size_t n : {0U, 1U, 2U, 97U}) {
    std::vector<int> items(n);
    std::iota(items.begin(), items.end(), 0);
    const std::vector<int> sorted = items;
    random.shuffle(std::span(items));
    if (n == 97) {
      EXPECT_NE(items, sorted);
    }
    std::sort(items.begin(), items.end());
    EXPECT_EQ(items, sorted);
  }
}

TEST(Random, ShuffleGivesEveryOrderEquallyOften) {
  Random random(6);
  std::vector<int> counts(6, 0);
  for (int i = 0; i < 6000; ++i) {
    std::vector<int> items = {0, 1, 2};
    random.shuffle(std::span(items));
    ++counts[static_cast<std::size_t>(items[0] * 2 + (items[1] > items[2] ? 1 : 0))];
  }
  // 1000 expected of each of the six orders, standard deviation 29.
  for (const int count : counts) EXPECT_NEAR(count, 1000, 145);
}

}  // namespace
}  // namespace frr::internal
