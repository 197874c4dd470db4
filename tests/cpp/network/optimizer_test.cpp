#include "network/optimizer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace frr::internal {
namespace {

TEST(Adam, TakesThreeStepsAsComputedByHand) {
  // One parameter from 1, rate 0.1, gradients 1, -2, 0.5.
  //   t = 1: m = 0.1, v = 0.001; corrected 1 and 1; step 0.1 * 1 / 1 = 0.1; w = 0.9
  //   t = 2: m = 0.09 - 0.2 = -0.11, over 0.19: -11/19; v = 0.000999 + 0.004 = 0.004999, over
  //          0.001999; w = 0.9 + 0.1 * (11/19) / sqrt(4.999 / 1.999) = 0.93661035
  //   t = 3: m = -0.099 + 0.05 = -0.049, over 0.271; v = 0.004994001 + 0.00025 = 0.005244001, over
  //          0.002997001; w = 0.93661035 + 0.1 * (0.049 / 0.271) / sqrt(5.244001 / 2.997001)
  //          = 0.95027942
  Adam adam(1);
  std::vector<float> w = {1};
  adam.step(w, std::vector<float>{1}, 0.1);
  EXPECT_NEAR(w[0], 0.9, 1e-6);
  adam.step(w, std::vector<float>{-2}, 0.1);
  const double second = 0.9 + 0.1 * (11.0 / 19) / std::sqrt(4.999 / 1.999);
  EXPECT_NEAR(second, 0.93661035, 1e-8);
  EXPECT_NEAR(w[0], second, 1e-6);
  adam.step(w, std::vector<float>{0.5F}, 0.1);
  const double third = second + 0.1 * (0.049 / 0.271) / std::sqrt(5.244001 / 2.997001);
  EXPECT_NEAR(third, 0.95027942, 1e-8);
  EXPECT_NEAR(w[0], third, 1e-6);
}

TEST(Adam, FirstStepIsTheRateForAnyGradient) {
  Adam adam(4);
  std::vector<float> w(4, 0);
  adam.step(w, std::vector<float>{1e-4F, -1e-2F, 1e3F, 0}, 0.05);
  EXPECT_NEAR(w[0], -0.05, 1e-5);
  EXPECT_NEAR(w[1], 0.05, 1e-6);
  EXPECT_NEAR(w[2], -0.05, 1e-6);
  EXPECT_EQ(w[3], 0.0F);
}

TEST(Adam, ParametersDoNotMix) {
  // 11 parameters, more than one vector: each moves as it would alone.
  const std::size_t count = 11;
  Adam together(count);
  std::vector<float> all(count, 1);
  std::vector<float> gradient(count);
  for (int t = 0; t < 5; ++t) {
    for (std::size_t i = 0; i < count; ++i)
      gradient[i] = std::sin(static_cast<float>(i) + static_cast<float>(t));
    together.step(all, gradient, 0.01);
  }
  for (std::size_t i = 0; i < count; ++i) {
    Adam alone(1);
    std::vector<float> one = {1};
    for (int t = 0; t < 5; ++t) {
      alone.step(one, std::vector<float>{std::sin(static_cast<float>(i) + static_cast<float>(t))},
                 0.01);
    }
    EXPECT_NEAR(all[i], one[0], 1e-7) << i;
  }
}

}  // namespace
}  // namespace frr::internal
