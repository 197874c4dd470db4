#include "kernels/gate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace frr::internal {
namespace {

using Vector = std::vector<double>;

struct Opened {
  GateState<double> state;
  Vector soft, g;
};
Opened open(const GateRule& rule, const Vector& w) {
  Opened result{{}, Vector(w.size()), Vector(w.size())};
  result.state = gate_forward<double>(rule, w, result.soft, result.g);
  return result;
}
Vector close(const GateRule& rule, const Opened& gate, const Vector& dg, const Vector& dsoft = {}) {
  Vector dw(gate.g.size(), 0);
  gate_backward<double>(rule, gate.state, gate.soft, gate.g, dg, dsoft, dw);
  return dw;
}
// Weights whose softmax at `temperature` is `p`.
Vector weights_of(const Vector& p, double temperature) {
  Vector w;
  for (const double x : p) w.push_back(temperature * std::log(x) + 0.7);
  return w;
}
void expect_near(const Vector& x, const Vector& expected, double tolerance = 1e-14) {
  ASSERT_EQ(x.size(), expected.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(x[i], expected[i], tolerance) << "at " << i;
}

GateRule literal(double beta) {
  return {.temperature = 0.1, .beta = beta, .normalise = false, .straight_through = true};
}
GateRule normalised(double beta) {
  return {.temperature = 0.1, .beta = beta, .normalise = true, .straight_through = true};
}

TEST(Gate, SoftmaxDividesByTheTemperature) {
  // e^(0.1/0.1) : e^0 = e : 1
  const Opened gate = open(literal(0), {0.1, 0});
  expect_near(gate.soft, {std::exp(1.0) / (std::exp(1.0) + 1), 1 / (std::exp(1.0) + 1)});
}

TEST(Gate, LiteralFormFollowsThePapersIndicator) {
  // m = 3, beta = 0.5: the largest gets 1 / (1 + 0.5 * 2) = 0.5, the others 0.5 * 0.5 = 0.25.
  const Opened gate = open(literal(0.5), weights_of({0.3, 0.5, 0.2}, 0.1));
  EXPECT_EQ(gate.state.best, 1U);
  expect_near(gate.soft, {0.3, 0.5, 0.2});
  expect_near(gate.g, {0.25 * 0.3, 0.5 * 0.5, 0.25 * 0.2});
  // 0.075 + 0.25 + 0.05
  EXPECT_NEAR(gate.state.sum, 0.375, 1e-14);
}

TEST(Gate, NormalisedFormIsAConvexCombination) {
  // The literal values 0.075, 0.25, 0.05 over their sum 0.375: 1/5, 2/3, 2/15.
  const Opened gate = open(normalised(0.5), weights_of({0.3, 0.5, 0.2}, 0.1));
  expect_near(gate.g, {0.2, 2.0 / 3, 2.0 / 15});
}

TEST(Gate, PassesOnlyTheLargestAtBetaZero) {
  const Vector w = weights_of({0.3, 0.5, 0.2}, 0.1);
  expect_near(open(literal(0), w).g, {0, 0.5, 0});
  expect_near(open(normalised(0), w).g, {0, 1, 0});
  EXPECT_EQ(open(normalised(0), w).g[1], 1.0);
}

TEST(Gate, PassesAllAlikeAtBetaOne) {
  // f_beta = 1/3 for all of three.
  const Vector w = weights_of({0.3, 0.5, 0.2}, 0.1);
  expect_near(open(literal(1), w).g, {0.1, 0.5 / 3, 0.2 / 3});
  expect_near(open(normalised(1), w).g, {0.3, 0.5, 0.2});
}

TEST(Gate, TakesTheFirstOfEqualWeights) {
  const Opened gate = open(literal(0), {0.2, 0.4, 0.4});
  EXPECT_EQ(gate.state.best, 1U);
  EXPECT_GT(gate.g[1], 0);
  EXPECT_EQ(gate.g[2], 0);
}

TEST(Gate, IsAlwaysOpenWithOneWeight) {
  for (const double beta : {0.0, 0.3, 1.0}) {
    for (const GateRule& rule : {literal(beta), normalised(beta)}) {
      const Opened gate = open(rule, {-3.5});
      EXPECT_EQ(gate.g[0], 1.0);
      EXPECT_EQ(close(rule, gate, {5.0})[0], 0.0);
    }
  }
}

TEST(Gate, HandlesWeightsFarApart) {
  for (const GateRule& rule : {literal(0.5), normalised(0.5), normalised(0)}) {
    const Opened gate = open(rule, {1e4, -1e4, 0});
    expect_near(gate.soft, {1, 0, 0});
    for (const double x : close(rule, gate, {1, 2, 3})) EXPECT_EQ(x, 0.0);
  }
}

// m = 2, beta = 0.5: f = (2/3, 1/3); w~ = (0.75, 0.25); temperature 0.1.
const Vector pair = weights_of({0.75, 0.25}, 0.1);

TEST(Gate, BackwardCanHoldTheIndicatorFixed) {
  GateRule rule = literal(0.5);
  rule.straight_through = false;
  // dL/dw~ = f dg = (2/3 * 3, 1/3 * 1) = (2, 1/3); its mean under w~ is 1.5 + 1/12 = 19/12.
  // dL/dw = w~ (dL/dw~ - mean) / 0.1 = (7.5 * 5/12, 2.5 * -15/12) = (3.125, -3.125).
  expect_near(close(rule, open(rule, pair), {3, 1}), {3.125, -3.125}, 1e-12);
}

TEST(Gate, BackwardIsStraightThrough) {
  // dL/dw~ = (f + w~) dg = ((2/3 + 3/4) * 3, (1/3 + 1/4) * 1) = (17/4, 7/12); mean 51/16 + 7/48 =
  // 10/3; dL/dw = (7.5 * 11/12, 2.5 * -33/12) = (6.875, -6.875).
  const GateRule rule = literal(0.5);
  expect_near(close(rule, open(rule, pair), {3, 1}), {6.875, -6.875}, 1e-12);
}

TEST(Gate, BackwardGoesThroughTheSumOfTheNormalisedForm) {
  // h = (1/2, 1/12), sum 7/12, g = (6/7, 1/7); mean of dg under g = 19/7. dL/dh = (dg - 19/7) 12/7
  // = (24/49, -144/49). times f + w~ = (17/12, 7/12): (34/49, -84/49); mean under w~ = 4.5/49.
  // dL/dw = (7.5 * 29.5/49, 2.5 * -88.5/49).
  const GateRule rule = normalised(0.5);
  expect_near(close(rule, open(rule, pair), {3, 1}), {7.5 * 29.5 / 49, -2.5 * 88.5 / 49}, 1e-12);
}

TEST(Gate, BackwardAddsTheDirectGradient) {
  // With dg = 0 only dL/dw~ = (1, 0) is left: w~ (dL/dw~ - 0.75) / 0.1 = (1.875, -1.875).
  const GateRule rule = literal(0.5);
  expect_near(close(rule, open(rule, pair), {0, 0}, {1, 0}), {1.875, -1.875}, 1e-12);
}

TEST(Gate, BackwardAccumulates) {
  const GateRule rule = literal(0.5);
  const Opened gate = open(rule, pair);
  Vector dw = {100, 200};
  gate_backward<double>(rule, gate.state, gate.soft, gate.g, Vector{3, 1}, {}, dw);
  expect_near(dw, {106.875, 193.125}, 1e-12);
}

TEST(Gate, ReachesAClosedWeightOnlyStraightThrough) {
  // beta = 0, literal, dg on the shut weight alone. Held fixed, f = 0 lets nothing through;
  // straight-through, dL/dw~ = (0, w~ dg) = (0, 0.25), mean 0.0625, dL/dw = (-0.46875, 0.46875).
  GateRule rule = literal(0);
  expect_near(close(rule, open(rule, pair), {0, 1}), {-0.46875, 0.46875}, 1e-12);
  rule.straight_through = false;
  expect_near(close(rule, open(rule, pair), {0, 1}), {0, 0}, 0);
}

}  // namespace
}  // namespace frr::internal
