// The network's gradients: against central differences, with f_beta held fixed, and against the
// equations written out (network_reference.hpp), straight-through included.
#include "network/network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "support/network_reference.hpp"

namespace frr::internal {
namespace {

using reference::Row;
using reference::Vector;

struct Problem {
  NetworkShape shape;
  Vector parameters;
  std::vector<Row> rows;
};

// Inputs in the form of the production code.
template <typename Scalar>
struct Inputs {
  SparseRows<Scalar> sparse;
  std::vector<std::uint32_t> order;
  std::vector<int> classes;
  std::vector<Scalar> weights;

  explicit Inputs(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      for (std::size_t d = 0; d < row.memberships.size(); ++d) {
        if (row.memberships[d] <= 0) continue;
        sparse.entries.push_back(
            {static_cast<std::uint32_t>(d), static_cast<Scalar>(row.memberships[d])});
      }
      sparse.start.push_back(sparse.entries.size());
      order.push_back(static_cast<std::uint32_t>(order.size()));
      classes.push_back(row.target);
      weights.push_back(static_cast<Scalar>(row.weight));
    }
  }
  [[nodiscard]] Batch<Scalar> batch() const {
    return {.inputs = &sparse, .rows = order, .classes = classes, .weights = weights};
  }
};

template <typename Scalar>
struct Answer {
  Scalar loss = 0;
  std::vector<Scalar> gradient;
};
template <typename Scalar>
Answer<Scalar> produce(Network<Scalar>& network, const NetworkPoint& point,
                       const std::vector<Scalar>& parameters, const Inputs<Scalar>& inputs) {
  Answer<Scalar> answer;
  // The previous contents of the vector must not matter.
  answer.gradient.assign(parameters.size(), Scalar{123});
  answer.loss = network.gradient(parameters, point, inputs.batch(), answer.gradient);
  return answer;
}

NetworkShape make_shape(std::size_t rules, std::size_t slots, std::size_t classes,
                        const std::vector<std::size_t>& labels) {
  NetworkShape shape;
  shape.rules = rules;
  shape.slots = slots;
  shape.classes = classes;
  for (const std::size_t count : labels) shape.first.push_back(shape.first.back() + count);
  return shape;
}

// Features with different numbers of labels, prime sizes, one of everything, more rules than a
// vector has lanes, slots that fill two and a half vectors.
struct Size {
  std::size_t rules, slots, classes, rows;
  std::vector<std::size_t> labels;
};
const std::vector<Size> sizes = {
    {.rules = 3, .slots = 2, .classes = 3, .rows = 5, .labels = {1, 2, 3, 5}},
    {.rules = 1, .slots = 1, .classes = 2, .rows = 1, .labels = {3}},
    {.rules = 9, .slots = 3, .classes = 2, .rows = 3, .labels = {2, 3}},
    {.rules = 7, .slots = 3, .classes = 5, .rows = 7, .labels = {5, 1, 3, 2}},
    {.rules = 2, .slots = 5, .classes = 2, .rows = 2, .labels = {2, 2, 1}},
    {.rules = 17, .slots = 1, .classes = 3, .rows = 2, .labels = {3, 2}},
};

// One weight of each group is larger by `lift`, so that conjunctions of the chosen labels are well
// above 0. Slots are kept and cancelled in turn.
void fill_group(Vector& w, std::size_t at, std::size_t size, std::size_t chosen, double lift,
                Random& random) {
  for (std::size_t i = 0; i < size; ++i) w[at + i] = 0.05 * random.normal();
  w[at + chosen] += lift;
}

Problem random_problem(const Size& size, Random& random) {
  Problem p;
  p.shape = make_shape(size.rules, size.slots, size.classes, size.labels);
  const NetworkShape& shape = p.shape;
  p.parameters.assign(shape.parameters(), 0);
  for (std::size_t r = 0; r < shape.rules; ++r) {
    for (std::size_t j = 0; j < shape.features(); ++j) {
      const std::size_t count = shape.first[j + 1] - shape.first[j];
      fill_group(p.parameters, r * shape.labels() + shape.first[j], count, random.below(count),
                 0.25, random);
    }
    for (std::size_t k = 0; k < shape.slots; ++k) {
      const std::size_t slot = r * shape.slots + k;
      fill_group(p.parameters, shape.w3() + slot * shape.features(), shape.features(),
                 random.below(shape.features()), 0.25, random);
      fill_group(p.parameters, shape.a() + 2 * slot, 2, (slot + random.below(2)) % 2, 0.2, random);
    }
    fill_group(p.parameters, shape.w4() + r * shape.classes, shape.classes, r % shape.classes, 0.15,
               random);
  }
  for (std::size_t i = 0; i < size.rows; ++i) {
    Row row;
    row.memberships.assign(shape.labels(), 0);
    for (std::size_t j = 0; j < shape.features(); ++j) {
      // Some features of some rows are empty: an unknown category.
      if (shape.features() > 1 && random.below(6) == 0) continue;
      for (std::size_t d = shape.first[j]; d < shape.first[j + 1]; ++d)
        if (random.below(4) != 0) row.memberships[d] = 0.3 + 0.65 * random.uniform();
    }
    row.target = static_cast<int>(random.below(shape.classes));
    row.weight = 0.25 + random.uniform();
    p.rows.push_back(row);
  }
  return p;
}

struct Config {
  NetworkRule rule;
  NetworkPoint point;
};
std::ostream& operator<<(std::ostream& out, const Config& c) {
  return out << to_string(c.rule.tnorm) << ' ' << to_string(c.rule.semantics) << " sharpness "
             << c.point.sharpness << " gamma " << c.point.gamma << " beta " << c.point.beta
             << " root " << c.rule.root << " price " << c.rule.cancel_price << " normalise "
             << c.rule.normalise << " bind " << c.rule.bind_weights;
}

std::vector<Config> configs(const TNorm& tnorm) {
  struct Decision {
    Semantics semantics;
    double sharpness;
  };
  std::vector<Config> all;
  for (const Decision& decision :
       {Decision{Semantics::sufficient, 7}, Decision{Semantics::sufficient, 0},
        Decision{Semantics::additive, 0}}) {
    for (int bits = 0; bits < 32; ++bits) {
      Config c;
      c.rule.tnorm = tnorm;
      c.rule.semantics = decision.semantics;
      c.point.sharpness = decision.sharpness;
      c.point.gamma = (bits & 1) != 0 ? 0.1 : 0;
      c.rule.root = (bits & 2) != 0 ? 2 : 1;
      c.rule.cancel_price = (bits & 4) != 0 ? 0.01 : 0;
      c.rule.normalise = (bits & 8) != 0;
      c.rule.bind_weights = (bits & 16) != 0;
      c.rule.kappa = 3;
      all.push_back(c);
    }
  }
  return all;
}

// A problem whose loss is differentiable in a neighbourhood that includes all difference points.
struct Smooth {
  Problem problem;
  double beta;
};
Smooth smooth_problem(const Size& size, const Config& config, std::uint64_t seed) {
  const double needed = 1e-3;
  for (std::uint64_t draw = 0; draw < 2000; ++draw) {
    Random random(seed * 10007 + draw);
    Smooth result{random_problem(size, random), random.below(2) == 0 ? 0.02 : 0.4};
    NetworkPoint point = config.point;
    point.beta = result.beta;
    const Problem& p = result.problem;
    if (distance_to_kink(p.shape, config.rule, point, p.parameters, p.rows) > needed) return result;
  }
  ADD_FAILURE() << "no smooth problem for " << config << ", rules " << size.rules;
  Random random(seed);
  return {random_problem(size, random), 0.4};
}

double norm(const Vector& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum);
}
double largest(const Vector& x) {
  double most = 0;
  for (const double v : x) most = std::max(most, std::abs(v));
  return most;
}

// The largest error of a component relative to the component (or to `floor` times the largest one,
// if that is more), and the error of the whole vector. Components below `least` are ignored.
struct Errors {
  double component = 0, whole = 0;
};
Errors errors(const Vector& x, const Vector& truth, double floor, double least) {
  Errors result;
  Vector difference;
  for (std::size_t i = 0; i < x.size(); ++i) {
    difference.push_back(x[i] - truth[i]);
    const double scale = std::max({std::abs(truth[i]), floor * largest(truth), least});
    result.component = std::max(result.component, std::abs(difference.back()) / scale);
  }
  result.whole = norm(difference) / std::max(norm(truth), least);
  return result;
}

const std::vector<TNorm> tnorms = {
    {TNormKind::product},           {TNormKind::minimum},         {TNormKind::aczel_alsina, 1},
    {TNormKind::aczel_alsina, 1.5}, {TNormKind::aczel_alsina, 3}, {TNormKind::lukasiewicz},
    {TNormKind::hamacher},
};

class NetworkGradient : public testing::TestWithParam<TNorm> {};
std::string name_of(const testing::TestParamInfo<TNorm>& info) {
  std::string name = to_string(info.param);
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(TNorms, NetworkGradient, testing::ValuesIn(tnorms), name_of);

// The indices of all parameters, or of a random sample if there are many.
std::vector<std::size_t> some_parameters(std::size_t count, Random& random) {
  const std::size_t most = 48;
  std::vector<std::size_t> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = i;
  if (count <= most) return all;
  random.shuffle<std::size_t>(all);
  all.resize(most);
  return all;
}

TEST_P(NetworkGradient, EqualsCentralDifferencesWithAFixedIndicator) {
  const double h = 1e-5;
  Errors worst;
  int moving = 0, cases = 0;
  std::uint64_t seed = 1;
  for (const Config& config : configs(GetParam())) {
    // The first size is in every configuration, the others in turn.
    for (const std::size_t s : {std::size_t{0}, 1 + seed % (sizes.size() - 1)}) {
      const Smooth smooth = smooth_problem(sizes[s], config, seed++);
      const Problem& p = smooth.problem;
      NetworkRule rule = config.rule;
      NetworkPoint point = config.point;
      rule.straight_through = false;
      point.beta = smooth.beta;
      Network<double> network(p.shape, rule);
      const Inputs<double> inputs(p.rows);
      const Answer<double> answer = produce(network, point, p.parameters, inputs);
      Random random(seed);
      Vector analytic, numeric;
      for (const std::size_t i : some_parameters(p.parameters.size(), random)) {
        Vector moved = p.parameters;
        moved[i] = p.parameters[i] + h;
        const double above = produce(network, point, moved, inputs).loss;
        moved[i] = p.parameters[i] - h;
        const double below = produce(network, point, moved, inputs).loss;
        numeric.push_back((above - below) / (2 * h));
        analytic.push_back(answer.gradient[i]);
      }
      ++cases;
      moving += largest(analytic) > 1e-4 ? 1 : 0;
      // Differences of a loss near 1 carry a rounding error of about 1e-16 / h = 1e-11.
      const Errors e = errors(numeric, analytic, 1e-3, 1e-5);
      EXPECT_LT(e.component, 1e-5) << config << ", beta " << point.beta << ", size " << s;
      EXPECT_LT(e.whole, 1e-5) << config << ", beta " << point.beta << ", size " << s;
      worst = {std::max(worst.component, e.component), std::max(worst.whole, e.whole)};
    }
  }
  EXPECT_GT(moving, cases * 3 / 4);
  RecordProperty("largest_component_error", std::to_string(worst.component * 1e9) + "e-9");
  RecordProperty("largest_error", std::to_string(worst.whole * 1e9) + "e-9");
}

TEST_P(NetworkGradient, EqualsTheEquationsWrittenOut) {
  Errors worst;
  double worst_loss = 0;
  int moving = 0, cases = 0;
  std::uint64_t seed = 5000;
  for (const Config& config : configs(GetParam())) {
    // The first size is in every configuration, the others in turn.
    for (const std::size_t s : {std::size_t{0}, 1 + seed % (sizes.size() - 1)}) {
      const Size& size = sizes[s];
      const Smooth smooth = smooth_problem(size, config, seed++);
      const Problem& p = smooth.problem;
      NetworkRule rule = config.rule;
      NetworkPoint point = config.point;
      rule.straight_through = seed % 5 != 0;
      point.beta = smooth.beta;
      Network<double> network(p.shape, rule);
      const Answer<double> answer = produce(network, point, p.parameters, Inputs<double>(p.rows));
      const auto truth = reference::evaluate(p.shape, rule, point, p.parameters, p.rows);
      const Errors e = errors(answer.gradient, truth.gradient, 1e-5, 1e-12);
      ++cases;
      moving += largest(truth.gradient) > 1e-6 ? 1 : 0;
      EXPECT_LT(e.component, 1e-9) << config << ", beta " << point.beta << ", rules " << size.rules;
      EXPECT_LT(e.whole, 1e-9) << config << ", beta " << point.beta << ", rules " << size.rules;
      EXPECT_NEAR(answer.loss, truth.loss, 1e-12 * truth.loss) << config;
      worst = {std::max(worst.component, e.component), std::max(worst.whole, e.whole)};
      worst_loss = std::max(worst_loss, std::abs(answer.loss / truth.loss - 1));
    }
  }
  EXPECT_GT(moving, cases * 3 / 4);
  RecordProperty("largest_component_error", std::to_string(worst.component * 1e15) + "e-15");
  RecordProperty("largest_error", std::to_string(worst.whole * 1e15) + "e-15");
  RecordProperty("largest_loss_error", std::to_string(worst_loss * 1e15) + "e-15");
}

// At beta = 0 only one weight of each gate is open; the gradient must still reach the closed ones,
// from the right.
void expect_equations_at_beta_0(const TNorm& tnorm, bool bind_weights) {
  std::uint64_t seed = 7000;
  int compared = 0;
  for (const Config& config : configs(tnorm)) {
    // Under a root the slope at truth 0 is infinite, and the production code's is a convention.
    if (config.rule.root != 1 || config.rule.bind_weights != bind_weights) continue;
    for (const std::size_t s : {seed % sizes.size(), (seed + 3) % sizes.size()}) {
      const Size& size = sizes[s];
      Random random(seed++);
      const Problem p = random_problem(size, random);
      Network<double> network(p.shape, config.rule);
      const Answer<double> answer =
          produce(network, config.point, p.parameters, Inputs<double>(p.rows));
      const auto truth =
          reference::evaluate(p.shape, config.rule, config.point, p.parameters, p.rows);
      EXPECT_LT(errors(answer.gradient, truth.gradient, 1e-5, 1e-12).component, 1e-9)
          << config << ", rules " << size.rules << ", seed " << seed - 1;
      EXPECT_NEAR(answer.loss, truth.loss, 1e-12 * truth.loss) << config;
      ++compared;
    }
  }
  EXPECT_GT(compared, 40);
}

TEST_P(NetworkGradient, EqualsTheEquationsAtBetaZero) {
  expect_equations_at_beta_0(GetParam(), false);
}

TEST_P(NetworkGradient, EqualsTheEquationsAtBetaZeroWithWeightsBound) {
  expect_equations_at_beta_0(GetParam(), true);
}

TEST_P(NetworkGradient, InFloatAgreesWithDouble) {
  Errors worst;
  std::uint64_t seed = 9000;
  for (const Config& config : configs(GetParam())) {
    const Size& size = sizes[seed % sizes.size()];
    Smooth smooth = smooth_problem(size, config, seed++);
    Problem& p = smooth.problem;
    NetworkPoint point = config.point;
    point.beta = smooth.beta;
    std::vector<float> parameters;
    for (double& w : p.parameters) {
      parameters.push_back(static_cast<float>(w));
      w = parameters.back();
    }
    for (Row& row : p.rows) {
      row.weight = static_cast<float>(row.weight);
      for (double& mu : row.memberships) mu = static_cast<float>(mu);
    }
    Network<float> fast(p.shape, config.rule);
    Network<double> exact(p.shape, config.rule);
    const Answer<float> single = produce(fast, point, parameters, Inputs<float>(p.rows));
    const Answer<double> twice = produce(exact, point, p.parameters, Inputs<double>(p.rows));
    EXPECT_NEAR(single.loss, twice.loss, 1e-5 * twice.loss) << config;
    const Vector gradient(single.gradient.begin(), single.gradient.end());
    const Errors e = errors(gradient, twice.gradient, 1e-2, 1e-6);
    EXPECT_LT(e.whole, 1e-4) << config;
    EXPECT_LT(e.component, 1e-3) << config;
    worst = {std::max(worst.component, e.component), std::max(worst.whole, e.whole)};
  }
  RecordProperty("largest_component_error", std::to_string(worst.component * 1e7) + "e-7");
  RecordProperty("largest_error", std::to_string(worst.whole * 1e7) + "e-7");
}

}  // namespace
}  // namespace frr::internal
