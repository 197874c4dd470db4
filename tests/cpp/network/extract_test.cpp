// From the network's weights to rules: hard choices, hard inference, and agreement of both.
#include "network/extract.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "model/inference.hpp"
#include "support/network_reference.hpp"
#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

using Vector = std::vector<double>;

const std::vector<TNorm> tnorms = {
    {TNormKind::product},         {TNormKind::minimum},     {TNormKind::aczel_alsina, 1},
    {TNormKind::aczel_alsina, 3}, {TNormKind::lukasiewicz}, {TNormKind::hamacher},
};

NetworkRule literal() {
  NetworkRule rule;
  rule.temperature = 1;  // weights log(p) have the softmax p
  rule.normalise = false;
  return rule;
}

// Two rules of two slots over features of 2 and 3 labels (columns 0-1 and 2-4), two classes; the
// softmax shares of the groups in order W2, W3, a, W4.
NetworkShape small_shape() { return {.rules = 2, .slots = 2, .classes = 2, .first = {0, 2, 5}}; }
struct Shares {
  Vector labels = {0.9, 0.1, 0.2, 0.2, 0.6,   // rule 0 reads column 0 or 4
                   0.3, 0.7, 0.5, 0.3, 0.2};  // rule 1 reads column 1 or 2
  Vector features = {0.8, 0.2, 0.4, 0.6,      // rule 0: feature 0, then 1
                     0.1, 0.9, 0.7, 0.3};     // rule 1: feature 1, then 0
  Vector keep = {0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.6, 0.4};
  Vector outcome = {0.75, 0.25, 0.4, 0.6};

  [[nodiscard]] Vector parameters() const {
    Vector result;
    for (const Vector* part : {&labels, &features, &keep, &outcome})
      for (const double p : *part) result.push_back(std::log(p));
    return result;
  }
};
std::vector<HardRule> hard_rules(const NetworkRule& rule, const Shares& shares) {
  return Network<double>(small_shape(), rule).hard_rules(shares.parameters());
}
using Columns = std::vector<std::size_t>;

TEST(HardRules, FollowTheLargestWeights) {
  const auto rules = hard_rules(literal(), {});
  ASSERT_EQ(rules.size(), 2U);
  EXPECT_EQ(rules[0].labels, (Columns{0, 4}));
  EXPECT_EQ(rules[0].then, 0U);
  // W4 0.75, W3 0.8 and 0.6, W2 0.9 and 0.6
  EXPECT_NEAR(rules[0].weight, 0.75 * 0.8 * 0.9 * 0.6 * 0.6, 1e-12);
  EXPECT_EQ(rules[1].labels, (Columns{2, 1}));  // in the order of the slots
  EXPECT_EQ(rules[1].then, 1U);
  EXPECT_NEAR(rules[1].weight, 0.6 * 0.9 * 0.5 * 0.7 * 0.7, 1e-12);
}

TEST(HardRules, HaveWeightOneForNormalisedGates) {
  NetworkRule rule = literal();
  rule.normalise = true;
  for (const HardRule& hard : hard_rules(rule, {})) EXPECT_EQ(hard.weight, 1.0);
}

TEST(HardRules, IgnoreCancelledSlots) {
  Shares shares;
  shares.keep[0] = 0.1;
  shares.keep[1] = 0.9;
  const auto rules = hard_rules(literal(), shares);
  EXPECT_EQ(rules[0].labels, (Columns{4}));
  EXPECT_NEAR(rules[0].weight, 0.75 * 0.6 * 0.6, 1e-12);
}

TEST(HardRules, UseTheFirstOfTwoSlotsWithTheSameFeature) {
  Shares shares;
  shares.features[2] = 0.7;  // rule 0's second slot reads feature 0, too, less clearly
  shares.features[3] = 0.3;
  const auto rules = hard_rules(literal(), shares);
  EXPECT_EQ(rules[0].labels, (Columns{0}));
  EXPECT_NEAR(rules[0].weight, 0.75 * 0.8 * 0.9, 1e-12);
}

TEST(HardRules, MayUseTheFeatureOfACancelledSlotAgain) {
  Shares shares;
  shares.features[2] = 0.7;
  shares.features[3] = 0.3;
  shares.keep[0] = 0.1;
  shares.keep[1] = 0.9;
  const auto rules = hard_rules(literal(), shares);
  EXPECT_EQ(rules[0].labels, (Columns{0}));
  EXPECT_NEAR(rules[0].weight, 0.75 * 0.7 * 0.9, 1e-12);
}

TEST(HardRules, ChooseTheFirstOfEqualWeights) {
  Shares shares;
  shares.labels = {0.5, 0.5, 0.3, 0.4, 0.4, 0.5, 0.5, 0.3, 0.4, 0.4};
  shares.features = {0.5, 0.5, 0.1, 0.9, 0.5, 0.5, 0.1, 0.9};
  shares.keep = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
  shares.outcome = {0.5, 0.5, 0.5, 0.5};
  for (const HardRule& rule : hard_rules(literal(), shares)) {
    EXPECT_EQ(rule.labels, (Columns{0, 3}));  // kept, as keeping comes before cancelling
    EXPECT_EQ(rule.then, 0U);
  }
}

TEST(HardClass, TakesTheStrongestRuleAndTheFirstOfEquals) {
  const std::vector<HardRule> rules = {{{0}, 1, 0.5}, {{1}, 0, 0.8}, {{2}, 2, 0.5}};
  const NetworkRule network;
  EXPECT_EQ(hard_class(network, rules, 3, Vector{1, 0.5, 0}), 1);    // 0.5, 0.4, 0
  EXPECT_EQ(hard_class(network, rules, 3, Vector{1, 0.75, 0}), 0);   // 0.5, 0.6, 0
  EXPECT_EQ(hard_class(network, rules, 3, Vector{0.5, 0, 0.5}), 1);  // 0.25, 0, 0.25
  EXPECT_EQ(hard_class(network, rules, 3, Vector{0, 0, 0}), -1);
}

TEST(HardClass, AddsScoresAndTakesTheFirstOfEqualClasses) {
  const std::vector<HardRule> rules = {{{0}, 2, 0.5}, {{1}, 1, 0.25}, {{2}, 1, 0.25}};
  NetworkRule network;
  network.semantics = Semantics::additive;
  EXPECT_EQ(hard_class(network, rules, 3, Vector{1, 1, 0.5}), 2);  // 0.5 against 0.375
  EXPECT_EQ(hard_class(network, rules, 3, Vector{0.6, 1, 0.5}), 1);
  EXPECT_EQ(hard_class(network, rules, 3, Vector{1, 1, 1}), 1);  // 0.5 each
  EXPECT_EQ(hard_class(network, rules, 3, Vector{0, 0, 0}), -1);
}

TEST(HardClass, IgnoresRulesWithoutKeptSlots) {
  const std::vector<HardRule> rules = {{{}, 1, 1.0}, {{0}, 0, 0.1}};
  for (const Semantics semantics : {Semantics::sufficient, Semantics::additive}) {
    NetworkRule network;
    network.semantics = semantics;
    EXPECT_EQ(hard_class(network, rules, 2, Vector{0.1}), 0);
    EXPECT_EQ(hard_class(network, rules, 2, Vector{0}), -1);
  }
}

TEST(HardClass, AppliesTNormAndRoot) {
  const std::vector<HardRule> rules = {{{0, 1}, 1, 0.52}, {{2}, 0, 0.6}};
  const Vector degrees = {0.6, 0.6, 0.3};
  NetworkRule network;
  EXPECT_EQ(hard_class(network, rules, 2, degrees), 1);  // 0.52 * 0.36 = 0.1872 against 0.18
  network.root = 2;
  EXPECT_EQ(hard_class(network, rules, 2, degrees), 0);  // 0.52 * 0.6 = 0.312 against 0.3286
  network.root = 1;
  network.tnorm = {TNormKind::lukasiewicz};
  EXPECT_EQ(hard_class(network, rules, 2, degrees), 0);  // 0.52 * 0.2 = 0.104
}

TEST(ExtractRules, KeepsTheOrderAndLeavesOutEmptyRules) {
  const std::vector<HardRule> hard = {{{4, 0}, 1, 0.5}, {{}, 0, 0.9}, {{2}, 0, 0.25}};
  const auto rules = extract_rules(hard);
  ASSERT_EQ(rules.size(), 2U);
  EXPECT_EQ(rules[0].labels, (Columns{4, 0}));
  EXPECT_EQ(rules[0].then, 1);
  EXPECT_EQ(rules[0].weight, 0.5);
  EXPECT_EQ(rules[1].labels, (Columns{2}));
  EXPECT_EQ(rules[1].weight, 0.25);
}

TEST(MakeRulebase, NamesColumnsByFeatureAndLabel) {
  // glucose has the columns 0-2, age 3-4, sex 5-6.
  const RuleBase patients = sample::patients();
  const Table table = sample::patient_table({100, 90}, {35, 20}, {"f", "m"});
  const Memberships memberships(patients.partition, table, std::vector<std::uint32_t>{0, 1}, 1);
  Settings settings;
  settings.tnorm = {TNormKind::hamacher};
  settings.semantics = Semantics::additive;
  settings.root = 3;
  const std::vector<LabelRule> rules = {{{6, 0}, 1, 0.5}, {{4}, 0, 0.75}};
  const RuleBase base = make_rulebase(patients.partition, memberships, rules, 1, settings);
  ASSERT_EQ(base.rules.size(), 2U);
  EXPECT_EQ(base.rules[0].conditions, (std::vector<Condition>{{2, 1}, {0, 0}}));
  EXPECT_EQ(base.rules[0].then, 1);
  EXPECT_EQ(base.rules[0].weight, 0.5);
  EXPECT_EQ(base.rules[1].conditions, (std::vector<Condition>{{1, 1}}));
  EXPECT_EQ(base.condition_text(base.rules[1].conditions[0]), "age IS old");
  EXPECT_EQ(base.tnorm, settings.tnorm);
  EXPECT_EQ(base.semantics, Semantics::additive);
  EXPECT_EQ(base.root, 3);
  EXPECT_EQ(base.otherwise, 1);
}

// A random network on a random table.
struct Case {
  RuleBase world;  // for its partition and classes
  Table table;
  std::vector<std::uint32_t> rows;
  NetworkShape shape;
  std::vector<float> parameters;
};
Case random_case(Random& random, bool spread) {
  Case c;
  c.world = sample::random_rule_base(random);
  c.table = sample::random_table(random, c.world, 24);
  c.rows.resize(c.table.rows);
  std::iota(c.rows.begin(), c.rows.end(), 0U);
  c.shape.rules = 1 + random.below(12);
  c.shape.slots = 1 + random.below(4);
  c.shape.classes = c.world.classes.size();
  for (const Feature& feature : c.world.partition.features)
    c.shape.first.push_back(c.shape.first.back() + feature.labels.size());
  c.parameters = Network<float>::initial(c.shape, random);
  if (spread)
    for (float& w : c.parameters) w *= 5;
  return c;
}
Vector memberships_of(const RuleBase& base, const ColumnMap& map, std::size_t row) {
  Vector mu;
  for (std::size_t f = 0; f < base.partition.features.size(); ++f) {
    const auto& labels = base.partition.features[f].labels;
    for (std::size_t v = 0; v < labels.size(); ++v)
      mu.push_back(membership(labels[v], static_cast<int>(v), map.value(row, static_cast<int>(f))));
  }
  return mu;
}

class Agreement : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Presets, Agreement, testing::Values("paper", "default"),
                         [](const auto& each) { return each.param; });

TEST_P(Agreement, OfNetworkAndExtractedRulesIsComplete) {
  Random random(2024);
  std::size_t decided = 0, otherwise = 0;
  for (int repeat = 0; repeat < 6; ++repeat) {
    for (const TNorm& tnorm : tnorms) {
      for (const Semantics semantics : {Semantics::sufficient, Semantics::additive}) {
        Settings settings = preset(GetParam());
        settings.tnorm = tnorm;
        settings.semantics = semantics;
        const Case c = random_case(random, repeat % 2 == 0);
        const NetworkRule rule = network_rule(settings);
        const auto hard = Network<float>(c.shape, rule).hard_rules(c.parameters);
        const Memberships memberships(c.world.partition, c.table, c.rows, 1);
        const int otherwise_class = static_cast<int>(random.below(c.shape.classes));
        RuleBase base = make_rulebase(c.world.partition, memberships, extract_rules(hard),
                                      otherwise_class, settings);
        base.classes = c.world.classes;
        const ColumnMap map(base, c.table, true);
        // Where no rule applies, additive rules give the class of the largest bias, not ELSE.
        const bool sufficient = semantics == Semantics::sufficient;
        if (sufficient) {
          EXPECT_EQ(agreement(rule, hard, base, memberships, map, c.rows), 100.0);
        }
        // The same from the equations, with weights in double.
        const Vector weights(c.parameters.begin(), c.parameters.end());
        for (const std::uint32_t row : c.rows) {
          const Vector mu = memberships_of(base, map, row);
          const int answer = reference::hard_class(c.shape, rule, weights, mu);
          (answer < 0 ? otherwise : decided) += 1;
          if (answer < 0 && !sufficient) continue;
          EXPECT_EQ(decide(base, map, row).predicted, answer < 0 ? otherwise_class : answer)
              << to_string(tnorm) << ' ' << to_string(semantics) << ", row " << row;
        }
      }
    }
  }
  EXPECT_GT(decided, 500U);
  EXPECT_GT(otherwise, 20U);
}

TEST(AgreementOfOthers, CountsTheRowsThatDiffer) {
  // glucose low, low, high, missing; the network has "low THEN ill", the base "low THEN well".
  const RuleBase patients = sample::patients();
  const Table table =
      sample::patient_table({80, 90, 150, sample::nan}, {20, 20, 20, 20}, {"f", "f", "f", "f"});
  const std::vector<std::uint32_t> rows = {0, 1, 2, 3};
  const Memberships memberships(patients.partition, table, rows, 1);
  RuleBase base = make_rulebase(patients.partition, memberships,
                                std::vector<LabelRule>{{{0}, 0, 1}}, 0, Settings{});
  base.classes = patients.classes;
  const ColumnMap map(base, table, true);
  const std::vector<HardRule> hard = {{{0}, 1, 1.0}};
  EXPECT_EQ(agreement({}, hard, base, memberships, map, rows), 50.0);
  EXPECT_EQ(agreement({}, hard, base, memberships, map, {}), 100.0);
}

// Every rule keeps its first slot and reads different features with its slots; a's are decisive.
Vector plain_parameters(const NetworkShape& shape, Random& random) {
  Vector w(shape.parameters());
  for (double& x : w) x = random.normal();
  for (std::size_t r = 0; r < shape.rules; ++r) {
    std::vector<std::size_t> order(shape.features());
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(std::span(order));
    for (std::size_t k = 0; k < shape.slots; ++k) {
      const std::size_t slot = r * shape.slots + k;
      w[shape.w3() + slot * shape.features() + order[k]] += 10;
      const bool keep = k == 0 || random.below(3) != 0;
      w[shape.a() + 2 * slot] = keep ? 200 : 0;
      w[shape.a() + 2 * slot + 1] = keep ? 0 : 200;
    }
  }
  return w;
}

TEST(HardClass, IsTheNetworkItselfAtBetaZero) {
  Random random(99);
  std::size_t compared = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    NetworkRule rule;
    rule.semantics = repeat % 2 == 0 ? Semantics::sufficient : Semantics::additive;
    rule.normalise = repeat % 3 != 0;
    // Only for the product can a weight be moved in front of the conjunction.
    if (rule.normalise) {
      rule.tnorm = tnorms[random.below(tnorms.size())];
      rule.root = 1 + static_cast<double>(random.below(3));
    }
    const NetworkShape shape{.rules = 1 + random.below(9),
                             .slots = 1 + random.below(3),
                             .classes = 2 + random.below(3),
                             .first = {0, 2, 5, 6, 9}};
    const Vector parameters = plain_parameters(shape, random);
    Vector mu(shape.labels());
    for (double& x : mu) x = random.below(3) == 0 ? 0 : random.uniform();
    const auto open = reference::gates(shape, rule, 0, parameters);
    const Vector out = reference::forward(shape, rule, {}, open, mu).out;
    Vector sorted = out;
    std::sort(sorted.rbegin(), sorted.rend());
    // Of equal rules the first one decides, but the outputs do not show which one that is.
    if (sorted[0] > 0 && sorted[0] - sorted[1] < 1e-9) continue;
    const auto best = std::find(out.begin(), out.end(), sorted[0]);
    const int expected = sorted[0] > 0 ? static_cast<int>(best - out.begin()) : -1;
    const auto hard = Network<double>(shape, rule).hard_rules(parameters);
    EXPECT_EQ(hard_class(rule, hard, shape.classes, mu), expected) << "repeat " << repeat;
    compared += expected >= 0 ? 1 : 0;
  }
  EXPECT_GT(compared, 150U);
}

}  // namespace
}  // namespace frr::internal
