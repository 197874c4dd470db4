#include "network/gradient_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "model/column_map.hpp"
#include "support/plain_rules.hpp"

namespace frr::internal {
namespace {

using namespace plain_rules;

struct Step {
  GradientPoint point;
  NetworkShape shape;

  Step(Random& random, const Case& own, const Settings& settings, std::uint32_t rules) {
    point.rules = rules;
    point.slots = 3;
    point.rule = network_rule(settings);
    point.point = {random.uniform(), 0.1 * random.uniform(), 4 + 20 * random.uniform()};
    shape = network_shape(own.base.partition, own.base.classes.size(), rules, 3);
    const Network<float> network(shape, point.rule);
    point.parameters = network.pack(Network<float>::initial(shape, random));
    point.class_weights.assign(own.base.classes.size(), 1);
  }

  // Of these sums: the loss, then the gradient.
  [[nodiscard]] std::vector<float> gradient(const std::vector<std::int64_t>& sums) const {
    Network<float> network(shape, point.rule);
    std::vector<float> gradient(network.packed_size());
    const double loss = gradient_of_sums(network, point, sums, gradient);
    gradient.insert(gradient.begin(), static_cast<float>(loss));
    return gradient;
  }
};

// The same by the network as training calls it, in double.
std::vector<double> plain_gradient(const Step& step, const Case& own,
                                   std::span<const double> weights) {
  std::vector<std::uint32_t> rows, order;
  std::vector<int> classes;
  std::vector<double> own_weights;
  for (std::size_t i = 0; i < own.classes.size(); ++i) {
    if (own.classes[i] < 0 || weights[i] == 0) continue;
    order.push_back(static_cast<std::uint32_t>(rows.size()));
    rows.push_back(static_cast<std::uint32_t>(i));
    classes.push_back(own.classes[i]);
    own_weights.push_back(weights[i]);
  }
  const double mean = std::accumulate(own_weights.begin(), own_weights.end(), 0.0) /
                      static_cast<double>(own_weights.size());
  for (double& weight : own_weights) weight /= mean;
  const Memberships memberships(own.base.partition, own.problem.table, rows, 1);
  const SparseRows<double> inputs = sparse_rows<double>(memberships, rows.size());
  Network<double> network(step.shape, step.point.rule);
  const std::vector<double> parameters(step.point.parameters.begin(), step.point.parameters.end());
  std::vector<double> gradient(network.packed_size());
  const double loss = network.packed_gradient(parameters, step.point.point,
                                              {&inputs, order, classes, own_weights}, gradient);
  gradient.insert(gradient.begin(), loss);
  return gradient;
}

TEST(GradientSums, GiveTheGradientOfAllRows) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Settings settings;
    settings.tnorm = random_table::all_tnorms()[seed % random_table::all_tnorms().size()];
    settings.semantics = seed % 4 == 3 ? Semantics::additive : Semantics::sufficient;
    settings.normalise = seed % 5 != 4;
    settings.cancel_price = seed % 3 == 0 ? 0.01 : 0;
    const Case own(
        random,
        {.rows = 300 + random.below(500), .classes = 3, .missing = 0.05, .missing_target = 0.05},
        settings);
    Step step(random, own, settings, 5);
    std::vector<double> weights(own.classes.size(), 1);
    std::vector<std::int64_t> units;
    if (seed % 2 == 1) {
      step.point.class_weights = {1, 0.25F, 0.5F};
      for (std::size_t i = 0; i < weights.size(); ++i) {
        units.push_back(static_cast<std::int64_t>(random.below(3)) << 15U);
        weights[i] = static_cast<double>(units.back());
        if (own.classes[i] >= 0) {
          weights[i] *= static_cast<double>(
              step.point.class_weights[static_cast<std::size_t>(own.classes[i])]);
        }
      }
    }
    std::vector<int> classes = own.classes;
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (units[i] == 0) classes[i] = -1;
    }
    const ColumnMap map(own.base, own.problem.table, true);
    const std::vector<std::int64_t> sums =
        gradient_sums(own.base, step.point, map, classes, units, 1);
    EXPECT_EQ(sums.size(), gradient_sums_size(own.base, step.point));
    const std::vector<float> found = step.gradient(sums);
    const std::vector<double> expected = plain_gradient(step, own, weights);
    ASSERT_EQ(found.size(), expected.size());
    double largest = 0;
    for (const double x : expected) largest = std::max(largest, std::abs(x));
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_NEAR(static_cast<double>(found[i]), expected[i], 1e-3 * largest) << i;
    }
  }
}

TEST(GradientSums, AreTheSameForAnyCutsAndThreads) {
  for (const bool literal : {false, true}) {
    Random random(7);
    Settings settings;
    settings.normalise = !literal;
    if (literal) settings.tnorm = {TNormKind::minimum, 1};
    const std::size_t rows = literal ? 2000 : 70000;  // more than a double adds up exactly
    const Case own(random, {.rows = rows, .numeric = 2, .classes = 2}, settings);
    const Step step(random, own, settings, 3);
    const auto sums_of = [&](std::size_t from, std::size_t to, int threads) {
      const Part part = part_of(own, from, to);
      return gradient_sums(own.base, step.point, ColumnMap(own.base, part.table, true),
                           part.classes, {}, threads);
    };
    const std::vector<float> whole = step.gradient(sums_of(0, rows, 1));
    EXPECT_EQ(step.gradient(sums_of(0, rows, 2)), whole);
    for (const std::size_t cut : {std::size_t{1}, std::size_t{255}, rows / 2 + 77}) {
      std::vector<std::int64_t> sum = sums_of(0, cut, 2);
      const std::vector<std::int64_t> rest = sums_of(cut, rows, 1);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += rest[i];
      EXPECT_EQ(step.gradient(sum), whole) << cut;
    }
  }
}

TEST(GradientSums, OfAnotherNetworkAreRefused) {
  Random random(1);
  const Case own(random, {.rows = 50}, Settings{});
  const Step step(random, own, Settings{}, 3);
  std::vector<std::int64_t> sums(gradient_sums_size(own.base, step.point), 0);
  EXPECT_THROW((void)step.gradient(sums), Error);  // of no rows
  sums.pop_back();
  EXPECT_THROW((void)step.gradient(sums), Error);
}

}  // namespace
}  // namespace frr::internal
