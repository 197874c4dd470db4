// Random numbers and comparisons for tests of the kernels against their plain forms.
//
// Tolerances are multiples of `rounding`, the rounding error of the type: the error bounds of the
// kernel's exponential and logarithm (3e-7, 2e-7; fastmath.hpp) times the factors in the formula,
// plus one rounding per number added.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "support/kernel_reference.hpp"

namespace frr::internal {

// The exponential and logarithm of floats are off by a few roundings, those of doubles by about
// one.
template <typename Scalar>
constexpr double rounding = 4 * std::numeric_limits<Scalar>::epsilon();

inline const std::vector<std::size_t> row_counts = {0, 1, 7, 8, 9, 31, 127, 512, 513, 1009};

enum class Fill { normal, unit, zero };

template <typename Scalar>
std::vector<Scalar> random_numbers(std::size_t count, Random& random, Fill fill = Fill::normal) {
  std::vector<Scalar> result(count, Scalar{0});
  if (fill == Fill::zero) return result;
  for (Scalar& x : result)
    x = static_cast<Scalar>(fill == Fill::unit ? random.uniform() : random.normal());
  return result;
}

// Fails with one message for the first number that differs.
template <typename Scalar>
void expect_near(const std::vector<Scalar>& found, const reference::Numbers& expected,
                 double tolerance, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(found[i]), expected[i], tolerance) << what << " at " << i;
  }
}

}  // namespace frr::internal
