// The network's kernels against their plain forms (support/kernel_reference.hpp) on random shapes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/gate_kernel.hpp"
#include "kernels/network_kernel.hpp"
#include "support/kernel_numbers.hpp"

namespace frr::internal {
namespace {

const std::vector<std::size_t> lane_counts = {8, 16, 24, 56};
const std::vector<std::size_t> slot_counts = {1, 2, 3, 5};
const std::vector<std::size_t> class_counts = {1, 2, 3, 7, 9, 17};

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
            const GateRule rule{.temperature = 0.1,
                                .beta = beta,
                                .normalise = normalise,
                                .straight_through = through};
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
          // Sums of `count` products of up to 16.
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
          // Sums of at most 11 products of up to 16.
          const double tolerance = 16 * rounding<TypeParam>;
          expect_near(e, reference::collapse_gates(shape, g2.data(), g3.data()), tolerance, "e");
          expect_near(dg2, expected.dg2, tolerance, "dg2");
          expect_near(dg3, expected.dg3, tolerance, "dg3");
        }
      }
    }
  }
}

TYPED_TEST(NetworkKernel, AddsElementwise) {
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

// Random rows, gates and everything else that head() needs. The padding lanes contain numbers like
// those of the rules, as in the network.
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
  double result = 0;
  for (const double y : x) result = std::max(result, std::abs(y));
  return result;
}

template <typename Scalar>
void compare_head(HeadCase<Scalar>& head_case, const std::string& what) {
  head_case.clear();
  const double loss = head(head_case.kernel, head_case.a.data(), head_case.da.data(),
                           head_case.target.data(), head_case.weight.data(), head_case.count);
  reference::Head sum{.loss = 0,
                      .da = {},
                      .dkeep = reference::Numbers(head_case.width(), 0),
                      .dcancel = reference::Numbers(head_case.width(), 0),
                      .dout = reference::Numbers(head_case.out.size(), 0)};
  for (std::size_t q = 0; q < head_case.count; ++q) {
    const auto row = reference::head(head_case.kernel, head_case.a.data() + q * head_case.width(),
                                     head_case.target[q], static_cast<double>(head_case.weight[q]));
    sum.loss += row.loss;
    sum.da.insert(sum.da.end(), row.da.begin(), row.da.end());
    for (std::size_t i = 0; i < head_case.width(); ++i) {
      sum.dkeep[i] += row.dkeep[i];
      sum.dcancel[i] += row.dcancel[i];
    }
    for (std::size_t i = 0; i < sum.dout.size(); ++i) sum.dout[i] += row.dout[i];
  }
  // In exponentials, scores have a few rounding errors times the sharpness, outputs times kappa.
  // A score is below 2, but an additive output is as large as a sum of scores (on average 1/4).
  const auto& n = head_case.kernel;
  const double output = n.additive ? 1 + static_cast<double>(n.rules) / 4 : 1;
  const double exponents = n.sharpness + n.kappa * output;
  const double near = rounding<Scalar> * (2 + exponents / 4);
  const auto tolerance = [&](const reference::Numbers& x) {
    return near * std::max(2.0 * n.kappa, largest(x));
  };
  EXPECT_NEAR(loss, sum.loss, near * std::max(2.0 * n.kappa, sum.loss)) << what;
  expect_near(head_case.da, sum.da, tolerance(sum.da), what + ", da");
  expect_near(head_case.dkeep, sum.dkeep, tolerance(sum.dkeep), what + ", dkeep");
  expect_near(head_case.dcancel, sum.dcancel, tolerance(sum.dcancel), what + ", dcancel");
  expect_near(head_case.dout, sum.dout, tolerance(sum.dout), what + ", dout");
}

// The forms in which outputs are computed from rules.
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
void compare_forms(HeadCase<Scalar>& head_case, const std::string& what) {
  for (std::size_t f = 0; f < head_forms.size(); ++f) {
    const HeadForm& form = head_forms[f];
    head_case.kernel.additive = form.additive;
    head_case.kernel.sharpness = static_cast<Scalar>(form.sharpness);
    head_case.kernel.gamma = static_cast<Scalar>(form.gamma);
    head_case.kernel.root = static_cast<Scalar>(form.root);
    head_case.kernel.tnorm = form.tnorm;
    for (const double max_score : {2.0, std::numeric_limits<double>::infinity()}) {
      head_case.kernel.max_score = static_cast<Scalar>(max_score);
      compare_head(head_case, what + ", form " + std::to_string(f) + ", max_score " +
                                  std::to_string(max_score));
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
          HeadCase<TypeParam> head_case(rules, lanes, slots, classes, count, random, Fill::unit);
          compare_forms(head_case, "lanes " + std::to_string(lanes) + ", rules " +
                                       std::to_string(rules) + ", slots " + std::to_string(slots) +
                                       ", classes " + std::to_string(classes) + ", rows " +
                                       std::to_string(count));
        }
      }
    }
  }
}

TYPED_TEST(NetworkKernel, HeadHandlesAnyNumberOfRows) {
  Random random(16);
  for (std::size_t count = 1; count <= head_rows; ++count) {
    for (const std::size_t lanes : {8, 16, 24}) {
      HeadCase<TypeParam> head_case(lanes - 1, lanes, 3, 3, count, random, Fill::unit);
      compare_forms(head_case,
                    "lanes " + std::to_string(lanes) + ", rows " + std::to_string(count));
    }
  }
}

TYPED_TEST(NetworkKernel, HeadHandlesZeros) {
  Random random(17);
  for (const std::size_t lanes : lane_counts) {
    for (const std::size_t classes : class_counts) {
      HeadCase<TypeParam> head_case(lanes - 2, lanes, 3, classes, 5, random, Fill::zero);
      compare_forms(head_case, "zeros, lanes " + std::to_string(lanes));
    }
  }
}

TYPED_TEST(NetworkKernel, HeadGivesThePaddingNoGradient) {
  Random random(18);
  for (const std::size_t lanes : lane_counts) {
    HeadCase<TypeParam> head_case(lanes - 5, lanes, 3, 3, 8, random, Fill::unit);
    head_case.kernel.sharpness = 4;
    head_case.kernel.gamma = static_cast<TypeParam>(0.1);
    head(head_case.kernel, head_case.a.data(), head_case.da.data(), head_case.target.data(),
         head_case.weight.data(), head_case.count);
    for (const auto* x : {&head_case.da, &head_case.dkeep, &head_case.dcancel, &head_case.dout}) {
      for (std::size_t i = 0; i < x->size(); ++i) {
        if (i % lanes >= lanes - 5) {
          EXPECT_NEAR((*x)[i], 0, 1e-30);
        }
      }
    }
  }
}

}  // namespace
}  // namespace frr::internal
