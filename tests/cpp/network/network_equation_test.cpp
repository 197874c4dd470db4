// The network's equations, one by one, on examples computed by hand.
//
// Only the loss is visible from outside. With two classes, kappa = 1, one row of class 0 and no
// price, it is L = log(1 + exp(-(out[0] - out[1]))), so out[0] - out[1] = -log(exp(L) - 1). A rule
// that is for class 0 alone gives out[0] - out[1] = r.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "network/network.hpp"

namespace frr::internal {
namespace {

using Vector = std::vector<double>;

// At beta = 1 and normalised a gate is its softmax, so weights log(p) at temperature 1 pass exactly
// p. The probability of what must not pass:
constexpr double none = 1e-300;

struct Example {
  NetworkShape shape;
  NetworkRule rule;
  NetworkPoint point;
  Vector parameters;
  std::vector<Vector> memberships;
  std::vector<int> classes;
  Vector weights;

  Example(std::size_t rules, std::size_t slots, std::size_t classes_,
          const std::vector<std::size_t>& labels) {
    shape.rules = rules;
    shape.slots = slots;
    shape.classes = classes_;
    for (const std::size_t count : labels) shape.first.push_back(shape.first.back() + count);
    rule.temperature = 1;
    rule.kappa = 1;
    point.beta = 1;
  }

  // Shares of the groups of parameters in their order: W2, W3, a, W4.
  void set_shares(const Vector& shares) {
    ASSERT_EQ(shares.size(), shape.parameters());
    parameters.clear();
    for (const double p : shares) parameters.push_back(std::log(p));
  }

  [[nodiscard]] double loss() const {
    SparseRows<double> inputs;
    std::vector<std::uint32_t> rows;
    for (const Vector& row : memberships) {
      for (std::size_t d = 0; d < row.size(); ++d) {
        if (row[d] <= 0) continue;
        inputs.entries.push_back({static_cast<std::uint32_t>(d), row[d]});
      }
      inputs.start.push_back(inputs.entries.size());
      rows.push_back(static_cast<std::uint32_t>(rows.size()));
    }
    Network<double> network(shape, rule);
    Vector gradient(parameters.size());
    return network.gradient(
        parameters, point,
        {.inputs = &inputs, .rows = rows, .classes = classes, .weights = weights}, gradient);
  }
  [[nodiscard]] double lead_of_class_0() const { return -std::log(std::expm1(loss())); }
};

// One rule for class 0 of one slot that is kept, reading features of these labels.
Example one_condition(const std::vector<std::size_t>& labels, const Vector& label_shares,
                      const Vector& feature_shares, const Vector& keep) {
  Example example(1, 1, 2, labels);
  Vector shares = label_shares;
  shares.insert(shares.end(), feature_shares.begin(), feature_shares.end());
  shares.insert(shares.end(), keep.begin(), keep.end());
  shares.insert(shares.end(), {1, none});
  example.set_shares(shares);
  example.classes = {0};
  return example;
}

TEST(Equation, U2IsTheSharedMembershipOfAFeature) {
  // u2 = 0.5 * 0.6 + 0.3 * 0.4 + 0.2 * 0 = 0.42
  Example example = one_condition({3}, {0.5, 0.3, 0.2}, {1}, {1, none});
  example.memberships = {{0.6, 0.4, 0}};
  EXPECT_NEAR(example.lead_of_class_0(), 0.42, 1e-12);
}

TEST(Equation, U2OfTheLiteralGateIsScaledByTheIndicator) {
  // beta = 0.5, m = 3: f = (0.5, 0.25, 0.25), so u2 = 0.25 * 0.6 + 0.075 * 0.4 = 0.18. The groups
  // of two (keep, outcome) have f = 2/3 for what is chosen, the group of one has 1: r = 2/3 * 0.18
  // = 0.12, out[0] - out[1] = 2/3 * 0.12 = 0.08.
  Example example = one_condition({3}, {0.5, 0.3, 0.2}, {1}, {1, none});
  example.rule.normalise = false;
  example.point.beta = 0.5;
  example.memberships = {{0.6, 0.4, 0}};
  EXPECT_NEAR(example.lead_of_class_0(), 0.08, 1e-12);
}

TEST(Equation, AIsTheSharedTruthOfTheFeatures) {
  // u2 = 0.42 as above and 0.9 of one label; A = 0.25 * 0.42 + 0.75 * 0.9 = 0.78
  Example example = one_condition({3, 1}, {0.5, 0.3, 0.2, 1}, {0.25, 0.75}, {1, none});
  example.memberships = {{0.6, 0.4, 0, 0.9}};
  EXPECT_NEAR(example.lead_of_class_0(), 0.78, 1e-12);
  // A feature whose value is unknown adds nothing: A = 0.75 * 0.9
  example.memberships = {{0, 0, 0, 0.9}};
  EXPECT_NEAR(example.lead_of_class_0(), 0.675, 1e-12);
}

TEST(Equation, AWithBoundWeightsIsTheTNormOfWeightAndTruth) {
  // With the minimum: u2[0] = min(0.5, 0.6) + min(0.3, 0.4) + min(0.2, 0) = 0.8, u2[1] = min(1,
  // 0.9); A = min(0.25, 0.8) + min(0.75, 0.9) = 1; with mu = 0.1 in place of 0.9: 0.25 + 0.1 =
  // 0.35.
  Example example = one_condition({3, 1}, {0.5, 0.3, 0.2, 1}, {0.25, 0.75}, {1, none});
  example.rule.tnorm.kind = TNormKind::minimum;
  example.rule.bind_weights = true;
  example.memberships = {{0.6, 0.4, 0, 0.9}};
  EXPECT_NEAR(example.lead_of_class_0(), 1, 1e-12);
  example.memberships = {{0.6, 0.4, 0, 0.1}};
  EXPECT_NEAR(example.lead_of_class_0(), 0.35, 1e-12);
}

TEST(Equation, CMixesTheSlotWithOne) {
  // c = 0.8 * 0.78 + 0.2 = 0.824
  Example example = one_condition({3, 1}, {0.5, 0.3, 0.2, 1}, {0.25, 0.75}, {0.8, 0.2});
  example.memberships = {{0.6, 0.4, 0, 0.9}};
  EXPECT_NEAR(example.lead_of_class_0(), 0.824, 1e-12);
}

TEST(Equation, COfACancelledSlotIsOne) {
  Example example = one_condition({1}, {1}, {1}, {none, 1});
  for (const double mu : {0.0, 0.3, 1.0}) {
    example.memberships = {{mu}};
    EXPECT_NEAR(example.lead_of_class_0(), 1, 1e-12) << mu;
  }
}

// One rule for class 0 of two kept slots that read 0.5 and 0.8.
Example two_conditions(const TNorm& tnorm) {
  Example example(1, 2, 2, {1, 1});
  example.set_shares({1, 1, 1, none, none, 1, 1, none, 1, none, 1, none});
  example.rule.tnorm = tnorm;
  example.memberships = {{0.5, 0.8}};
  example.classes = {0};
  return example;
}

TEST(Equation, RIsTheConjunctionOfTheSlots) {
  EXPECT_NEAR(two_conditions({TNormKind::product}).lead_of_class_0(), 0.4, 1e-12);
  EXPECT_NEAR(two_conditions({TNormKind::minimum}).lead_of_class_0(), 0.5, 1e-12);
  // 0.5 + 0.8 - 1
  EXPECT_NEAR(two_conditions({TNormKind::lukasiewicz}).lead_of_class_0(), 0.3, 1e-12);
  // 0.4 / (1.3 - 0.4) = 4/9
  EXPECT_NEAR(two_conditions({TNormKind::hamacher}).lead_of_class_0(), 4.0 / 9, 1e-12);
  // log 2 = 0.693147, log 1.25 = 0.223144; squares 0.480453 + 0.049793 = 0.530246, root 0.728180,
  // e^-0.728180 = 0.482787
  const double r = two_conditions({TNormKind::aczel_alsina, 2}).lead_of_class_0();
  EXPECT_NEAR(r, 0.482787, 2e-6);
}

TEST(Equation, RTakesTheRootOfTheConjunctionAlone) {
  // sqrt(0.4) = 0.6324555; the residual 0.1 * (0.5 + 0.8) = 0.13 comes after the root.
  Example example = two_conditions({TNormKind::product});
  example.rule.root = 2;
  EXPECT_NEAR(example.lead_of_class_0(), 0.6324555320336759, 1e-12);
  example.point.gamma = 0.1;
  EXPECT_NEAR(example.lead_of_class_0(), 0.7624555320336759, 1e-12);
}

TEST(Equation, RAddsTheResidualOfTheSlotsBeforeCancellation) {
  // The second slot is cancelled: c = (0.5, 1), r = 0.5 + 0.2 * (0.5 + 0.8) = 0.76
  Example example = two_conditions({TNormKind::product});
  example.set_shares({1, 1, 1, none, none, 1, 1, none, none, 1, 1, none});
  example.point.gamma = 0.2;
  EXPECT_NEAR(example.lead_of_class_0(), 0.76, 1e-12);
}

// Three rules of one slot that read 0.9, 0.5 and 0.6, with these shares for class 0.
Example three_rules(double first, double second, double third) {
  Example example(3, 1, 2, {1, 1, 1});
  Vector shares(9, 1);
  for (int r = 0; r < 3; ++r)
    for (int j = 0; j < 3; ++j) shares.push_back(r == j ? 1 : none);
  for (int r = 0; r < 3; ++r) shares.insert(shares.end(), {1, none});
  for (const double p : {first, second, third}) shares.insert(shares.end(), {p, 1 - p});
  example.set_shares(shares);
  example.memberships = {{0.9, 0.5, 0.6}};
  example.classes = {0};
  return example;
}

TEST(Equation, OutOfSufficientRulesIsTheStrongest) {
  // Class 0: max(0.6 * 0.9, 0.2 * 0.5, 0.7 * 0.6) = max(0.54, 0.1, 0.42) = 0.54
  // Class 1: max(0.4 * 0.9, 0.8 * 0.5, 0.3 * 0.6) = max(0.36, 0.4, 0.18) = 0.4
  EXPECT_NEAR(three_rules(0.6, 0.2, 0.7).lead_of_class_0(), 0.14, 1e-12);
}

TEST(Equation, OutOfAdditiveRulesIsTheSum) {
  // 0.54 + 0.1 + 0.42 - (0.36 + 0.4 + 0.18) = 1.06 - 0.94
  Example example = three_rules(0.6, 0.2, 0.7);
  example.rule.semantics = Semantics::additive;
  EXPECT_NEAR(example.lead_of_class_0(), 0.12, 1e-12);
}

TEST(Equation, OutOfTheSmoothMaximumIsLogSumExp) {
  // Sharpness 10: log(e^5.4 + e^1 + e^4.2) / 10 - log(e^3.6 + e^4 + e^1.8) / 10
  //   e^5.4 = 221.40642, e^1 = 2.71828, e^4.2 = 66.68633: sum 290.81103, log 5.6726736
  //   e^3.6 = 36.59823, e^4 = 54.59815, e^1.8 = 6.04965: sum 97.24603, log 4.5772442
  Example example = three_rules(0.6, 0.2, 0.7);
  example.point.sharpness = 10;
  EXPECT_NEAR(example.lead_of_class_0(), 0.10954294, 2e-7);
}

TEST(Equation, LossIsTheWeightedCrossEntropyOfTheScaledOutputs) {
  // Three classes, one rule of truth mu, shares 0.5, 0.3, 0.2 and kappa 2. Row 1, mu = 1, class 1:
  // out = (0.5, 0.3, 0.2); log(e^1 + e^0.6 + e^0.4) - 0.6 = log(2.7182818 + 1.8221188 + 1.4918247)
  // - 0.6 = log(6.0322253) - 0.6 = 1.1971160. Row 2, mu = 0: all alike, log 3 = 1.0986123. Weights
  // 3 and 1: (3 * 1.1971160 + 1.0986123) / 2 = 2.3449802.
  Example example(1, 1, 3, {1});
  example.set_shares({1, 1, 1, none, 0.5, 0.3, 0.2});
  example.rule.kappa = 2;
  example.memberships = {{1}, {0}};
  example.classes = {1, 2};
  example.weights = {3, 1};
  EXPECT_NEAR(example.loss(), 2.3449802, 2e-7);
  example.weights = {};
  EXPECT_NEAR(example.loss(), (1.1971160 + 1.0986123) / 2, 2e-7);
}

TEST(Equation, LossPricesKeptSlots) {
  // The price is 0.01 * (0.8 + 0.3) = 0.011. Nothing is true of the row: A = 0, so c = (0.2, 0.7),
  // r = 0.14 for class 0 alone and the cross-entropy is log(1 + e^-0.14).
  Example example(1, 2, 2, {1, 1});
  example.set_shares({1, 1, 1, none, none, 1, 0.8, 0.2, 0.3, 0.7, 1, none});
  example.rule.cancel_price = 0.01;
  example.memberships = {{0, 0}};
  example.classes = {0};
  EXPECT_NEAR(example.loss(), 0.011 + std::log1p(std::exp(-0.14)), 1e-12);
  // At beta = 0 the first slot is kept for good (c = 0), so r = 0 and the cross-entropy is log 2;
  // the price is of the softmax, not of the gate.
  example.point.beta = 0;
  EXPECT_NEAR(example.loss(), 0.011 + std::log(2.0), 1e-12);
}

TEST(Equation, LossOfRowsWithoutWeightIsThePriceAlone) {
  Example example = three_rules(0.6, 0.2, 0.7);
  example.weights = {0};
  EXPECT_EQ(example.loss(), 0.0);
}

TEST(NetworkRule, BindsWeightsOnlyWithLiteralGates) {
  Settings settings = preset("paper");
  settings.normalise = false;
  EXPECT_FALSE(network_rule(settings).bind_weights);
  settings.tnorm = {TNormKind::minimum};
  EXPECT_TRUE(network_rule(settings).bind_weights);
  settings = preset("default");
  settings.tnorm = {TNormKind::minimum};
  EXPECT_FALSE(network_rule(settings).bind_weights);
  EXPECT_TRUE(network_rule(settings).normalise);
}

}  // namespace
}  // namespace frr::internal
