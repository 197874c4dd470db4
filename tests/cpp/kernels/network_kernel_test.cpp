#include "kernels/network_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/random.hpp"

namespace frr::internal {
namespace {

using Scalars = testing::Types<float, double>;

// One rule of two slots in eight lanes, two classes.
template <typename Scalar>
struct OneRule {
  static constexpr std::size_t lanes = 8;
  std::vector<Scalar> keep, cancel, out, bias, dkeep, dcancel, dout, scratch, a, da;
  RowKernel<Scalar> kernel;

  OneRule()
      : keep(2 * lanes, 0),
        cancel(2 * lanes, 0),
        out(2 * lanes, 0),
        bias(lanes, -1e6),
        dkeep(2 * lanes, 0),
        dcancel(2 * lanes, 0),
        dout(2 * lanes, 0),
        a(2 * lanes, 0),
        da(2 * lanes, 0) {
    bias[0] = 0;
    kernel.rules = 1;
    kernel.lanes = lanes;
    kernel.slots = 2;
    kernel.classes = 2;
    scratch.assign(kernel.scratch_size(), 0);
    kernel.keep = keep.data();
    kernel.cancel = cancel.data();
    kernel.out = out.data();
    kernel.bias = bias.data();
    kernel.dkeep = dkeep.data();
    kernel.dcancel = dcancel.data();
    kernel.dout = dout.data();
    kernel.scratch = scratch.data();
  }
};

template <typename Scalar>
Scalar head_of_one(OneRule<Scalar>& one, int target, Scalar weight) {
  return head(one.kernel, one.a.data(), one.da.data(), &target, &weight, 1);
}

template <typename Scalar>
class Head : public testing::Test {};
TYPED_TEST_SUITE(Head, Scalars);

TYPED_TEST(Head, MatchesAnExampleComputedByHand) {
  // a = (0.5, 0.4), keep (0.8, 0.5), cancel (0.2, 0.5): c = (0.6, 0.7), T = 0.42, gamma = 0.1:
  // r = 0.42 + 0.09 = 0.51. g4 = (0.75, 0.25), kappa = 4: kappa (out0 - out1) = 1.02. Target 1,
  // weight 0.5: loss = 0.5 log(1 + e^1.02); p0 = 1 / (1 + e^-1.02), d/d out = 0.5 * 4 * (p0, -p0).
  OneRule<TypeParam> one;
  const std::size_t second = one.lanes;
  one.keep[0] = static_cast<TypeParam>(0.8);
  one.keep[second] = static_cast<TypeParam>(0.5);
  one.cancel[0] = static_cast<TypeParam>(0.2);
  one.cancel[second] = static_cast<TypeParam>(0.5);
  one.out[0] = static_cast<TypeParam>(0.75);
  one.out[second] = static_cast<TypeParam>(0.25);
  one.a[0] = static_cast<TypeParam>(0.5);
  one.a[second] = static_cast<TypeParam>(0.4);
  one.kernel.gamma = static_cast<TypeParam>(0.1);
  one.kernel.kappa = 4;
  const double p0 = 1 / (1 + std::exp(-1.02));
  const double dout = 2 * p0, dr = dout * (0.75 - 0.25);
  for (const double sharpness : {0.0, 12.0}) {  // of one rule the smooth maximum is the maximum
    for (auto* sums : {&one.dkeep, &one.dcancel, &one.dout})
      sums->assign(sums->size(), TypeParam{0});
    one.kernel.sharpness = static_cast<TypeParam>(sharpness);
    const auto weight = static_cast<TypeParam>(0.5);
    const double loss = head_of_one(one, 1, weight);
    const double near = 2e-6;
    EXPECT_NEAR(loss, 0.5 * std::log1p(std::exp(1.02)), near);
    EXPECT_NEAR(one.dout[0], dout * 0.51, near);
    EXPECT_NEAR(one.dout[second], -dout * 0.51, near);
    // dT/dc = (0.7, 0.6)
    EXPECT_NEAR(one.dcancel[0], dr * 0.7, near);
    EXPECT_NEAR(one.dcancel[second], dr * 0.6, near);
    EXPECT_NEAR(one.dkeep[0], dr * 0.7 * 0.5, near);
    EXPECT_NEAR(one.dkeep[second], dr * 0.6 * 0.4, near);
    EXPECT_NEAR(one.da[0], dr * (0.7 * 0.8 + 0.1), near);
    EXPECT_NEAR(one.da[second], dr * (0.6 * 0.5 + 0.1), near);
  }
}

TYPED_TEST(Head, SumsGradientsOverRows) {
  OneRule<TypeParam> one;
  one.keep[0] = one.keep[one.lanes] = one.out[0] = 1;
  one.a[0] = one.a[one.lanes] = 1;
  head_of_one(one, 1, TypeParam{1});
  const auto once = one.dout[0];
  const auto slope = one.da[0];
  head_of_one(one, 1, TypeParam{1});
  EXPECT_GT(once, 0.1);
  EXPECT_EQ(one.dout[0], 2 * once);
  EXPECT_EQ(one.da[0], slope);  // of the last row alone
}

TYPED_TEST(Head, PaddingNeitherWinsNorGetsAGradient) {
  // The only real rule scores below the 0 of the padding's lanes.
  for (const bool additive : {false, true}) {
    for (const double sharpness : {0.0, 4.0}) {
      OneRule<TypeParam> one;
      one.kernel.additive = additive;
      one.kernel.sharpness = static_cast<TypeParam>(sharpness);
      one.kernel.gamma = 1;
      one.keep[0] = one.keep[one.lanes] = one.out[0] = 1;
      one.a[0] = one.a[one.lanes] = -1;  // T = 1, r = 1 - 2 = -1
      const double loss = head_of_one(one, 0, TypeParam{1});
      EXPECT_NEAR(loss, std::log1p(std::exp(1.0)), 1e-6);
      for (std::size_t i = 0; i < one.da.size(); ++i) {
        if (i % one.lanes == 0) continue;
        EXPECT_EQ(one.da[i], TypeParam{0}) << i;
      }
    }
  }
}

TYPED_TEST(Head, RootOfZeroTruthHasAFiniteSlope) {
  OneRule<TypeParam> one;
  one.kernel.root = 2;
  one.keep[0] = one.keep[one.lanes] = one.out[0] = 1;
  one.a[one.lanes] = 1;  // c = (0, 1)
  const double loss = head_of_one(one, 0, TypeParam{1});
  EXPECT_NEAR(loss, std::log(2.0), 1e-6);
  EXPECT_TRUE(std::isfinite(one.da[0]));
  EXPECT_LT(one.da[0], -1);  // a class that lacks support asks for more
  EXPECT_EQ(one.da[one.lanes], TypeParam{0});
}

TYPED_TEST(Head, LargeScoresNeitherOverflowNorLoseTheLoss) {
  OneRule<TypeParam> one;
  one.kernel.kappa = 1e4;
  one.keep[0] = one.keep[one.lanes] = one.out[0] = 1;
  one.a[0] = one.a[one.lanes] = 1;
  // out = (1, 0): the right class costs nothing, the wrong one kappa.
  EXPECT_NEAR(head_of_one(one, 0, TypeParam{1}), 0, 1e-6);
  EXPECT_NEAR(head_of_one(one, 1, TypeParam{1}), 1e4, 1e-2);
  EXPECT_TRUE(std::isfinite(one.da[0]));
}

}  // namespace
}  // namespace frr::internal
