// Every kernel against its plain form (kernels/reference.hpp) on random shapes.
//
// Tolerances are multiples of the rounding of the type, `rounding`: what the kernel's exponential
// and logarithm may be off (3e-7, 2e-7; fastmath.hpp), times the factors that the formula puts on
// it, plus one rounding a number that is added up.
#include "reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "gate_kernel.hpp"
#include "random.hpp"

namespace frr {
namespace {

constexpr float far = std::numeric_limits<float>::infinity();
const std::vector<std::size_t> row_counts = {0, 1, 7, 8, 9, 31, 127, 512, 513, 1009};
const std::vector<std::size_t> lane_counts = {8, 16, 24, 56};
const std::vector<std::size_t> slot_counts = {1, 2, 3, 5};
const std::vector<std::size_t> class_counts = {1, 2, 3, 7, 9, 17};

// The exponential and logarithm of floats are a few roundings off, those of doubles hardly one.
template <typename Scalar>
constexpr double rounding = 4 * std::numeric_limits<Scalar>::epsilon();

enum class Fill { normal, unit, zero };

template <typename Scalar>
std::vector<Scalar> random_numbers(std::size_t count, Random& random, Fill fill = Fill::normal) {
  std::vector<Scalar> result(count, Scalar{0});
  if (fill == Fill::zero) return result;
  for (Scalar& x : result)
    x = static_cast<Scalar>(fill == Fill::unit ? random.uniform() : random.normal());
  return result;
}

// Multiples of 1/8 below 8, whose sums are exact.
std::vector<float> exact_weights(std::size_t count, Random& random) {
  std::vector<float> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(static_cast<float>(random.below(64)) / 8);
  return result;
}
float sum_of(const std::vector<float>& x) {
  float sum = 0;
  for (const float y : x) sum += y;
  return sum;
}

// Scores in steps; some rows have none.
std::vector<float> random_scores(std::size_t count, Random& random, double covered) {
  std::vector<float> result;
  for (std::size_t i = 0; i < count; ++i) {
    const auto score = static_cast<float>(-12 * random.uniform());
    result.push_back(random.uniform() < covered ? score : -far);
  }
  return result;
}

// One message for the first of many numbers that differs.
template <typename Scalar>
void expect_near(const std::vector<Scalar>& found, const reference::Numbers& expected,
                 double tolerance, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(found[i]), expected[i], tolerance) << what << " at " << i;
  }
}

// ---- Search -------------------------------------------------------------------------------------

struct PanelCase {
  std::size_t width, count, bins, classes;
  bool zero;  // costs, slacks and weights
};

void compare_panel(const PanelCase& shape, Random& random) {
  std::vector<std::uint16_t> panel(shape.width * shape.count, 0);
  std::vector<PanelRow> rows;
  for (std::size_t i = 0; i < shape.count; ++i) {
    PanelRow row{static_cast<std::uint32_t>(i), 0, 0, 0};
    row.key = static_cast<std::uint32_t>(random.below(2 * shape.classes) * shape.bins);
    if (!shape.zero) {
      row.weight = static_cast<float>(random.below(64)) / 8;
      row.slack = static_cast<std::uint16_t>(64 + random.below(shape.bins * 80));
      if (random.uniform() < 0.1) row.slack = slack_most;
    }
    if (random.uniform() < 0.8) rows.push_back(row);  // rows need not all be there
  }
  if (!shape.zero) {
    for (std::uint16_t& cost : panel) {
      const double kind = random.uniform();
      cost = kind < 0.2   ? std::uint16_t{0}
             : kind < 0.4 ? cost_never
             : kind < 0.5 ? cost_most
                          : panel_cost(static_cast<float>(20 * random.uniform()));
    }
  }
  const std::size_t stride = 2 * shape.classes * shape.bins;
  std::vector<float> counts(shape.width * stride, 0);
  fill_panel(panel.data(), shape.width, rows, shape.bins, stride, counts.data());
  expect_near(counts, reference::fill_panel(panel.data(), shape.width, rows, shape.bins, stride), 0,
              "rows " + std::to_string(shape.count));
}

TEST(SearchKernel, FillsPanelsExactly) {
  Random random(1);
  for (const std::size_t count : row_counts) {
    for (const std::size_t width : {panel_width / 2, panel_width}) {
      for (const std::size_t bins : {34, 40, 127}) {
        for (const std::size_t classes : {1, 2, 17})
          compare_panel({width, count, bins, classes, false}, random);
      }
      compare_panel({width, count, 40, 2, true}, random);
    }
  }
}

TEST(SearchKernel, FillPanelAddsToWhatIsThere) {
  const std::vector<std::uint16_t> panel(panel_width, 0);
  const std::vector<PanelRow> rows = {{0, 0, 2, 64 * 3}};
  std::vector<float> counts(panel_width * 8, 1);
  fill_panel(panel.data(), panel_width, rows, 8, 8, counts.data());
  for (std::size_t i = 0; i < counts.size(); ++i) EXPECT_EQ(counts[i], i % 8 == 3 ? 3 : 1) << i;
}

TEST(SearchKernel, FindsTheRowsThatReachABin) {
  Random random(2);
  const std::vector<float> special = {far, -far, 0, 1, -1, 0.99999F, 999.99F, 1000, 1e30F, -1e30F};
  for (const std::size_t count : row_counts) {
    for (const bool zero : {false, true}) {
      std::vector<float> slack(count, 0), weight = exact_weights(count, random);
      std::vector<std::uint32_t> key;
      for (float& x : slack) {
        key.push_back(static_cast<std::uint32_t>(random.below(1000)));
        if (zero) continue;
        x = random.uniform() < 0.2 ? special[random.below(special.size())]
                                   : static_cast<float>(20 * random.normal());
      }
      std::vector<PanelRow> rows(count + 1);
      rows.resize(reached_rows(slack, key.data(), weight.data(), rows.data()));
      const auto expected = reference::reached_rows(slack, key.data(), weight.data());
      ASSERT_EQ(rows.size(), expected.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].row, expected[i].row);
        EXPECT_EQ(rows[i].key, expected[i].key);
        EXPECT_EQ(rows[i].weight, expected[i].weight);
        EXPECT_EQ(rows[i].slack, expected[i].slack);
      }
    }
  }
}

// Of the logarithm 2e-7 max(1, |log x|), and one rounding each of the number and the product.
double log_tolerance(double log, double factor) {
  return rounding<float> * factor * std::max(1.0, std::abs(log));
}

TEST(SearchKernel, CostsAreLogarithms) {
  Random random(3);
  const std::vector<float> special = {0, 1, 1e-30F, 1e-38F, 1e-42F, 0.5F, 0.99999994F};
  for (const std::size_t count : row_counts) {
    for (const float factor : {4.48142F, 0.5F}) {
      std::vector<float> x = random_numbers<float>(count, random, Fill::unit);
      for (float& mu : x) {
        if (random.uniform() < 0.2) mu = special[random.below(special.size())];
      }
      std::vector<float> cost = x;
      costs_of(cost, factor);
      for (std::size_t i = 0; i < count; ++i) {
        const double expected = reference::cost_of(x[i], factor);
        EXPECT_GE(cost[i], 0) << x[i];
        if (std::isinf(expected)) {
          EXPECT_EQ(cost[i], far);
        } else {
          EXPECT_NEAR(cost[i], expected, log_tolerance(expected / factor, factor)) << x[i];
        }
      }
    }
  }
}

TEST(SearchKernel, SubtractsNumberByNumber) {
  Random random(4);
  for (const std::size_t count : row_counts) {
    const auto x = random_scores(count, random, 0.8);
    const auto y = random_numbers<float>(count, random);
    auto found = x;
    subtract(found, y.data());
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(found[i], x[i] - y[i]);
  }
}

TEST(SearchKernel, TakesTheBest) {
  Random random(5);
  for (const std::size_t count : row_counts) {
    for (const bool tied : {false, true}) {
      const auto own = random_scores(count, random, 0.7);
      const auto before = tied ? own : random_scores(count, random, 0.7);
      std::vector<float> best = before;
      std::vector<int> best_class(count, 3);
      take_best(own.data(), 5, best, best_class.data());
      for (std::size_t i = 0; i < count; ++i) {
        const auto expected = reference::take_best(own[i], 5, {before[i], 3});
        EXPECT_EQ(best[i], expected.score);
        EXPECT_EQ(best_class[i], expected.then);
      }
    }
  }
}

TEST(SearchKernel, GainOfARampIsThePlainSum) {
  Random random(6);
  for (const std::size_t count : row_counts) {
    for (const float slope : {0.5F / 3, 0.5F, 500.0F}) {
      for (const bool zero : {false, true}) {
        auto score = random_scores(count, random, zero ? 0 : 0.7);
        auto others = random_scores(count, random, zero ? 0 : 0.6);
        if (zero) score.assign(count, 0), others.assign(count, 0);
        const auto weight = exact_weights(count, random);
        std::vector<std::uint32_t> key;
        for (std::size_t i = 0; i < count; ++i)
          key.push_back(static_cast<std::uint32_t>(random.below(6)));
        const double found = ramp_gain(score, others.data(), key.data(), weight.data(), 1, slope);
        const double expected =
            reference::ramp_gain(score, others.data(), key.data(), weight.data(), 1, slope);
        // A lead of at most 12 steps is rounded once, times the slope; 64 numbers a lane of a
        // piece are added up in single precision.
        const double tolerance = rounding<float> * sum_of(weight) * (3 * slope + 16);
        EXPECT_NEAR(found, expected, tolerance) << count << " rows, slope " << slope;
      }
    }
  }
}

// ---- Borders ------------------------------------------------------------------------------------

TEST(BorderKernel, DistancesAreLogarithms) {
  Random random(7);
  for (const std::size_t count : row_counts) {
    for (const double scale : {1.0, -0.25, 1e6}) {
      std::vector<double> x = random_numbers<double>(count, random);
      const double from = 0.3;
      for (double& value : x) {
        if (random.uniform() < 0.1) value = from;
        if (random.uniform() < 0.1) value = 0;
      }
      std::vector<float> out(count, 99);
      distance_logs(x.data(), count, from, scale, 4.5F, out.data());
      for (std::size_t i = 0; i < count; ++i) {
        const double expected = reference::distance_log(x[i], from, scale, 4.5);
        if (std::isinf(expected)) {
          EXPECT_EQ(out[i], -far) << x[i];
        } else {
          EXPECT_NEAR(out[i], expected, log_tolerance(expected / 4.5, 4.5)) << x[i];
        }
      }
    }
  }
}

struct Border {
  std::vector<float> right, wrong, rising_right, rising_wrong, falling_right, falling_wrong;
  std::vector<float> weight, rise, fall;

  Border(std::size_t count, Random& random, double covered)
      : right(random_scores(count, random, covered)),
        wrong(random_scores(count, random, covered)),
        rising_right(random_scores(count, random, covered)),
        rising_wrong(random_scores(count, random, covered)),
        falling_right(random_scores(count, random, covered)),
        falling_wrong(random_scores(count, random, covered)),
        weight(exact_weights(count, random)),
        rise(random_scores(count, random, 0.8)),
        fall(random_scores(count, random, 0.8)) {
    // Finite stand-ins where no other rule covers the row.
    for (float& x : right) x = x == -far ? -1e9F : x;
    for (float& x : wrong) x = x == -far ? -2e9F : x;
  }
  [[nodiscard]] BorderRows rows() const {
    return {right.data(),         wrong.data(),         rising_right.data(), rising_wrong.data(),
            falling_right.data(), falling_wrong.data(), weight.data(),       weight.size()};
  }
};

TEST(BorderKernel, SlopeSumIsThePlainSum) {
  Random random(8);
  for (const std::size_t count : row_counts) {
    for (const double covered : {0.0, 0.5, 1.0}) {
      for (const float slope : {0.5F / 3, 0.5F, 500.0F}) {
        Border border(count, random, covered);
        for (const float width : {0.0F, 1.7F}) {
          const float found =
              slope_sum(border.rows(), border.rise.data(), border.fall.data(), width, slope);
          const double expected = reference::slope_sum(border.rows(), border.rise.data(),
                                                       border.fall.data(), width, slope);
          // Scores of at most 26 steps are rounded three times; count / 8 numbers are added up.
          const double added = static_cast<double>(count) / 8;
          const double tolerance =
              rounding<float> * sum_of(border.weight) * (20 * slope + 3 + added / 4);
          EXPECT_NEAR(found, expected, tolerance)
              << count << " rows, covered " << covered << ", slope " << slope;
        }
      }
    }
  }
}

TEST(BorderKernel, SlopeSumOfWholeStepsIsExact) {
  // No rounding anywhere: leads in whole steps, slope 1/4, weights in eighths.
  Random random(9);
  for (const std::size_t count : row_counts) {
    Border border(count, random, 1);
    for (auto* x : {&border.right, &border.wrong, &border.rising_right, &border.rising_wrong,
                    &border.falling_right, &border.falling_wrong, &border.rise, &border.fall}) {
      for (float& score : *x) score = score == -far ? score : std::floor(score);
    }
    EXPECT_EQ(slope_sum(border.rows(), border.rise.data(), border.fall.data(), 2, 0.25F),
              reference::slope_sum(border.rows(), border.rise.data(), border.fall.data(), 2, 0.25));
  }
}

TEST(BorderKernel, ZeroWeightsSumToNothing) {
  Random random(10);
  Border border(127, random, 0.5);
  border.weight.assign(127, 0);
  EXPECT_EQ(slope_sum(border.rows(), border.rise.data(), border.fall.data(), 1, 0.5F), 0);
}

// ---- Gates --------------------------------------------------------------------------------------

using Scalars = testing::Types<float, double>;

template <typename Scalar>
class GateKernel : public testing::Test {};
TYPED_TEST_SUITE(GateKernel, Scalars);

template <typename Scalar>
void compare_gates(const GateRule& rule, std::size_t members, std::size_t lanes, Scalar price,
                   Random& random, Fill fill) {
  const std::size_t size = members * lanes;
  std::vector<Scalar> w = random_numbers<Scalar>(size, random, fill);
  const auto dg = random_numbers<Scalar>(size, random);
  std::vector<Scalar> soft(size), g(size), dw(size, Scalar{99}), best(lanes), sum(lanes);
  const GateLanes<Scalar> state{best.data(), sum.data()};
  gate_lanes_forward(rule, w.data(), members, lanes, soft.data(), g.data(), state);
  gate_lanes_backward(rule, soft.data(), g.data(), dg.data(), members, lanes, price, state,
                      dw.data());
  for (std::size_t r = 0; r < lanes; ++r) {
    const auto gate = reference::gate_forward(rule, w.data(), members, lanes, r);
    const auto slopes = reference::gate_backward(rule, gate, dg.data(), lanes, r, price);
    EXPECT_EQ(static_cast<std::size_t>(best[r]), gate.state.best);
    // An exponent of up to 1 / temperature steps is rounded before the exponential, where the
    // number itself is below 1: |x| e^x < 0.4.
    const double near = 2 * rounding<Scalar>;
    EXPECT_NEAR(sum[r], gate.state.sum, near);
    double largest = 0;
    for (std::size_t i = 0; i < members; ++i)
      largest = std::max(largest, std::abs(static_cast<double>(dg[i * lanes + r])));
    const double inverse = rule.normalise ? 1 / gate.state.sum : 1;
    const double steep = (4 * largest * inverse + std::abs(price)) / rule.temperature;
    for (std::size_t i = 0; i < members; ++i) {
      const std::size_t at = i * lanes + r;
      ASSERT_NEAR(soft[at], gate.soft[i], near) << members << " members, lane " << r;
      ASSERT_NEAR(g[at], gate.g[i], near * inverse) << members << " members, lane " << r;
      ASSERT_NEAR(dw[at], slopes[i], near * steep) << members << " members, lane " << r;
    }
  }
}

TYPED_TEST(GateKernel, AgreesWithOneGateAtATime) {
  Random random(11);
  for (const std::size_t lanes : lane_counts) {
    for (const std::size_t members : class_counts) {
      for (const double beta : {0.0, 0.3, 1.0}) {
        for (const bool normalise : {false, true}) {
          for (const bool through : {false, true}) {
            const GateRule rule{0.1, beta, normalise, through};
            const auto price = static_cast<TypeParam>(through ? 0.2 : 0);
            compare_gates<TypeParam>(rule, members, lanes, price, random, Fill::normal);
            compare_gates<TypeParam>(rule, members, lanes, price, random, Fill::zero);
          }
        }
      }
    }
  }
}

// ---- Network ------------------------------------------------------------------------------------

template <typename Scalar>
class NetworkKernel : public testing::Test {};
TYPED_TEST_SUITE(NetworkKernel, Scalars);

TYPED_TEST(NetworkKernel, CollapsesForwardAndBackward) {
  Random random(12);
  constexpr std::size_t labels = 37;
  for (const std::size_t lanes : lane_counts) {
    for (const std::size_t slots : slot_counts) {
      const std::size_t width = lanes * slots;
      for (const std::size_t count : {0, 1, 2, 3, 7, 8, 9, 31, 127}) {
        for (const Fill fill : {Fill::normal, Fill::zero}) {
          const auto e = random_numbers<TypeParam>(labels * width, random);
          const auto da = random_numbers<TypeParam>(width, random);
          const auto value = random_numbers<TypeParam>(count, random, fill);
          std::vector<Entry<TypeParam>> entries;
          for (std::size_t i = 0; i < count; ++i)
            entries.push_back({static_cast<std::uint32_t>(random.below(labels)), value[i]});
          std::vector<TypeParam> a(width, TypeParam{99}), de = e;
          collapse_forward(e.data(), width, Entries<TypeParam>(entries), a.data());
          collapse_backward(de.data(), width, Entries<TypeParam>(entries), da.data());
          // Products of up to 16, of which `count` are added up.
          const double tolerance = 4 * rounding<TypeParam> * static_cast<double>(count + 1);
          const std::string what =
              "width " + std::to_string(width) + ", entries " + std::to_string(count);
          expect_near(a, reference::collapse_forward(e.data(), width, Entries<TypeParam>(entries)),
                      tolerance, what);
          reference::Numbers expected = reference::numbers(e.data(), e.size());
          reference::collapse_backward(expected, width, Entries<TypeParam>(entries), da.data());
          expect_near(de, expected, tolerance, what);
        }
      }
    }
  }
}

TYPED_TEST(NetworkKernel, CollapsesAndExpandsGates) {
  Random random(13);
  const std::vector<std::vector<std::size_t>> partitions = {
      {0, 1}, {0, 5}, {0, 2, 4}, {0, 1, 8, 9, 20}, {0, 3, 3, 7}};
  for (const auto& first : partitions) {
    for (const std::size_t lanes : lane_counts) {
      for (const std::size_t slots : slot_counts) {
        for (const Fill fill : {Fill::normal, Fill::zero}) {
          const CollapseShape shape{first, lanes, slots};
          const std::size_t labels = first.back(), features = first.size() - 1;
          const auto g2 = random_numbers<TypeParam>(labels * lanes, random, fill);
          const auto g3 = random_numbers<TypeParam>(slots * features * lanes, random);
          const auto de = random_numbers<TypeParam>(labels * slots * lanes, random);
          std::vector<TypeParam> e(de.size(), TypeParam{99}), dg2(g2.size(), TypeParam{99}),
              dg3(g3.size(), TypeParam{99});
          collapse_gates(shape, g2.data(), g3.data(), e.data());
          expand_gates(shape, g2.data(), g3.data(), de.data(), dg2.data(), dg3.data());
          const auto expected = reference::expand_gates(shape, g2.data(), g3.data(), de.data());
          // Products of up to 16, of which at most 11 are added up.
          const double tolerance = 16 * rounding<TypeParam>;
          expect_near(e, reference::collapse_gates(shape, g2.data(), g3.data()), tolerance, "e");
          expect_near(dg2, expected.dg2, tolerance, "dg2");
          expect_near(dg3, expected.dg3, tolerance, "dg3");
        }
      }
    }
  }
}

TYPED_TEST(NetworkKernel, AddsNumberByNumber) {
  Random random(14);
  for (const std::size_t count : row_counts) {
    const auto x = random_numbers<TypeParam>(count, random);
    const auto y = random_numbers<TypeParam>(count, random);
    auto sum = x;
    add(sum, y);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(sum[i], x[i] + y[i]);
  }
}

// ---- Head ---------------------------------------------------------------------------------------

// Rows, gates and everything else that head() needs, at random. The padding's lanes hold numbers
// like those of the rules, as they do in the network.
template <typename Scalar>
struct HeadCase {
  std::size_t count;
  std::vector<Scalar> keep, cancel, out, bias, dkeep, dcancel, dout, scratch, a, da, weight;
  std::vector<int> target;
  RowKernel<Scalar> kernel;

  HeadCase(std::size_t rules, std::size_t lanes, std::size_t slots, std::size_t classes,
           std::size_t rows, Random& random, Fill fill)
      : count(rows),
        keep(random_numbers<Scalar>(slots * lanes, random, fill)),
        out(random_numbers<Scalar>(classes * lanes, random, fill)),
        bias(lanes, Scalar{0}),
        a(random_numbers<Scalar>(rows * slots * lanes, random, fill)),
        da(a.size(), Scalar{99}) {
    for (const Scalar x : keep) cancel.push_back(fill == Fill::zero ? Scalar{0} : 1 - x);
    for (std::size_t r = rules; r < lanes; ++r) bias[r] = static_cast<Scalar>(-1e6);
    for (std::size_t q = 0; q < rows; ++q) {
      target.push_back(static_cast<int>(random.below(classes)));
      weight.push_back(static_cast<Scalar>(fill == Fill::zero ? 1 : 2 * random.uniform()));
    }
    kernel.rules = rules, kernel.lanes = lanes, kernel.slots = slots, kernel.classes = classes;
    scratch.assign(kernel.scratch_size(), std::numeric_limits<Scalar>::quiet_NaN());
    kernel.kappa = 8;
    clear();
  }
  HeadCase(const HeadCase&) = delete;
  HeadCase& operator=(const HeadCase&) = delete;

  void clear() {
    dkeep.assign(keep.size(), Scalar{0});
    dcancel.assign(keep.size(), Scalar{0});
    dout.assign(out.size(), Scalar{0});
    kernel.keep = keep.data(), kernel.cancel = cancel.data();
    kernel.out = out.data(), kernel.bias = bias.data();
    kernel.dkeep = dkeep.data(), kernel.dcancel = dcancel.data(), kernel.dout = dout.data();
    kernel.scratch = scratch.data();
  }
  [[nodiscard]] std::size_t width() const { return keep.size(); }
};

double largest(const reference::Numbers& x) {
  double most = 0;
  for (const double y : x) most = std::max(most, std::abs(y));
  return most;
}

template <typename Scalar>
void compare_head(HeadCase<Scalar>& own, const std::string& what) {
  own.clear();
  const double loss = head(own.kernel, own.a.data(), own.da.data(), own.target.data(),
                           own.weight.data(), own.count);
  reference::Head sum{0,
                      {},
                      reference::Numbers(own.width(), 0),
                      reference::Numbers(own.width(), 0),
                      reference::Numbers(own.out.size(), 0)};
  for (std::size_t q = 0; q < own.count; ++q) {
    const auto row = reference::head(own.kernel, own.a.data() + q * own.width(), own.target[q],
                                     static_cast<double>(own.weight[q]));
    sum.loss += row.loss;
    sum.da.insert(sum.da.end(), row.da.begin(), row.da.end());
    for (std::size_t i = 0; i < own.width(); ++i) {
      sum.dkeep[i] += row.dkeep[i];
      sum.dcancel[i] += row.dcancel[i];
    }
    for (std::size_t i = 0; i < sum.dout.size(); ++i) sum.dout[i] += row.dout[i];
  }
  // Scores are rounded a few times and times the sharpness, outputs times kappa, in exponentials.
  // A score is below 2, but an additive output is as large as a sum of scores (on average 1/4).
  const auto& n = own.kernel;
  const double output = n.additive ? 1 + static_cast<double>(n.rules) / 4 : 1;
  const double exponents = n.sharpness + n.kappa * output;
  const double near = rounding<Scalar> * (2 + exponents / 4);
  const auto tolerance = [&](const reference::Numbers& x) {
    return near * std::max(2.0 * n.kappa, largest(x));
  };
  EXPECT_NEAR(loss, sum.loss, near * std::max(2.0 * n.kappa, sum.loss)) << what;
  expect_near(own.da, sum.da, tolerance(sum.da), what + ", da");
  expect_near(own.dkeep, sum.dkeep, tolerance(sum.dkeep), what + ", dkeep");
  expect_near(own.dcancel, sum.dcancel, tolerance(sum.dcancel), what + ", dcancel");
  expect_near(own.dout, sum.dout, tolerance(sum.dout), what + ", dout");
}

// The ways in which rules become outputs.
struct HeadForm {
  bool additive = false;
  double sharpness = 0, gamma = 0, root = 1;
  TNorm tnorm = {};
};
const std::vector<HeadForm> head_forms = {
    {},
    {.sharpness = 4, .gamma = 0.1},
    {.sharpness = 40},
    {.additive = true, .gamma = 0.1},
    {.sharpness = 10, .gamma = 0.05, .root = 3},
    {.sharpness = 4, .gamma = 0.1, .tnorm = {TNormKind::minimum, 1}},
    {.sharpness = 4, .tnorm = {TNormKind::lukasiewicz, 1}}};

template <typename Scalar>
void compare_forms(HeadCase<Scalar>& own, const std::string& what) {
  for (std::size_t f = 0; f < head_forms.size(); ++f) {
    const HeadForm& form = head_forms[f];
    own.kernel.additive = form.additive;
    own.kernel.sharpness = static_cast<Scalar>(form.sharpness);
    own.kernel.gamma = static_cast<Scalar>(form.gamma);
    own.kernel.root = static_cast<Scalar>(form.root);
    own.kernel.tnorm = form.tnorm;
    for (const double most : {2.0, std::numeric_limits<double>::infinity()}) {
      own.kernel.most = static_cast<Scalar>(most);
      compare_head(own, what + ", form " + std::to_string(f) + ", most " + std::to_string(most));
    }
  }
}

TYPED_TEST(NetworkKernel, HeadIsTheSumOfItsRowsOnRandomShapes) {
  Random random(15);
  std::size_t turn = 0;
  for (const std::size_t lanes : lane_counts) {
    for (const std::size_t slots : slot_counts) {
      for (const std::size_t classes : class_counts) {
        for (const std::size_t rules : {lanes, lanes - 3, lanes - 7}) {
          const std::size_t count = 1 + turn++ % head_rows;
          HeadCase<TypeParam> own(rules, lanes, slots, classes, count, random, Fill::unit);
          compare_forms(own, "lanes " + std::to_string(lanes) + ", rules " + std::to_string(rules) +
                                 ", slots " + std::to_string(slots) + ", classes " +
                                 std::to_string(classes) + ", rows " + std::to_string(count));
        }
      }
    }
  }
}

TYPED_TEST(NetworkKernel, HeadOfAnyNumberOfRows) {
  Random random(16);
  for (std::size_t count = 1; count <= head_rows; ++count) {
    for (const std::size_t lanes : {8, 16, 24}) {
      HeadCase<TypeParam> own(lanes - 1, lanes, 3, 3, count, random, Fill::unit);
      compare_forms(own, "lanes " + std::to_string(lanes) + ", rows " + std::to_string(count));
    }
  }
}

TYPED_TEST(NetworkKernel, HeadOfZeros) {
  Random random(17);
  for (const std::size_t lanes : lane_counts) {
    for (const std::size_t classes : class_counts) {
      HeadCase<TypeParam> own(lanes - 2, lanes, 3, classes, 5, random, Fill::zero);
      compare_forms(own, "zeros, lanes " + std::to_string(lanes));
    }
  }
}

TYPED_TEST(NetworkKernel, HeadGivesThePaddingNoGradient) {
  Random random(18);
  for (const std::size_t lanes : lane_counts) {
    HeadCase<TypeParam> own(lanes - 5, lanes, 3, 3, 8, random, Fill::unit);
    own.kernel.sharpness = 4;
    own.kernel.gamma = static_cast<TypeParam>(0.1);
    head(own.kernel, own.a.data(), own.da.data(), own.target.data(), own.weight.data(), own.count);
    for (const auto* x : {&own.da, &own.dkeep, &own.dcancel, &own.dout}) {
      for (std::size_t i = 0; i < x->size(); ++i) {
        if (i % lanes >= lanes - 5) {
          EXPECT_NEAR((*x)[i], 0, 1e-30);
        }
      }
    }
  }
}

}  // namespace
}  // namespace frr
