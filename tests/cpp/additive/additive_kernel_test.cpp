#include "additive/additive_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"

namespace frr::internal {
namespace {

std::vector<float> random_values(Random& random, std::size_t count, double low, double high) {
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(static_cast<float>(low + (high - low) * random.uniform()));
  }
  return values;
}

// Lengths around the eight rows that the kernels take at a time.
constexpr std::size_t lengths[] = {0, 1, 7, 8, 9, 64, 100};

TEST(Softmax, GivesProbabilitiesThatFollowFromTheScores) {
  Random random(1);
  for (const std::size_t count : lengths) {
    std::vector<std::vector<float>> scores;
    for (int c = 0; c < 3; ++c) scores.push_back(random_values(random, count, -20, 20));
    const std::vector<std::vector<float>> before = scores;
    std::vector<float*> arrays;
    for (std::vector<float>& score : scores) arrays.push_back(score.data());
    softmax(arrays, count);
    for (std::size_t i = 0; i < count; ++i) {
      double sum = 0;
      for (const auto& score : before) sum += std::exp(static_cast<double>(score[i]));
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(scores[c][i], std::exp(static_cast<double>(before[c][i])) / sum, 1e-6);
      }
    }
  }
}

TEST(Softmax, StaysFiniteForExtremeScores) {
  std::vector<float> first = {1000, -1000, 0}, second = {0, 0, 0};
  const std::vector<float*> arrays = {first.data(), second.data()};
  softmax(arrays, 3);
  EXPECT_FLOAT_EQ(first[0], 1);
  EXPECT_NEAR(first[1], 0, 1e-30);
  EXPECT_FLOAT_EQ(first[2], 0.5);
  EXPECT_NEAR(second[0], 0, 1e-30);
}

TEST(AdditiveSums, EqualPlainLoops) {
  Random random(2);
  for (const std::size_t count : lengths) {
    const std::vector<float> t = random_values(random, count, 0, 1);
    const std::vector<float> g = random_values(random, count, -1, 1);
    const std::vector<float> h = random_values(random, count, 0, 0.25);
    double gradient = 0, curvature = 0, cross = 0, logs = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double x = t[i], y = h[i];
      gradient += x * static_cast<double>(g[i]);
      curvature += x * x * y;
      cross += x * y;
      logs += y * std::log(std::max(x, 1e-30));
    }
    TruthSums sums{.gradient = 1, .curvature = 2, .cross_curvature = 3};
    add_truth_sums(t.data(), g.data(), h.data(), count, sums);
    EXPECT_NEAR(sums.gradient, 1 + gradient, 1e-5);
    EXPECT_NEAR(sums.curvature, 2 + curvature, 1e-5);
    EXPECT_NEAR(sums.cross_curvature, 3 + cross, 1e-5);
    EXPECT_NEAR(dot(t.data(), h.data(), count), cross, 1e-5);
    EXPECT_NEAR(log_sum(t.data(), h.data(), count), logs, 1e-5);
    std::vector<float> out = g;
    add_scaled(out.data(), t.data(), 2, count);
    for (std::size_t i = 0; i < count; ++i) EXPECT_NEAR(out[i], g[i] + 2 * t[i], 1e-6);
  }
}

}  // namespace
}  // namespace frr::internal
