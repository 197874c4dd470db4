#include "kernels/tnorm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "frr/error.hpp"

namespace frr::internal {
namespace {

const std::vector<TNorm> archimedean = {
    {TNormKind::product},         {TNormKind::aczel_alsina, 1.0}, {TNormKind::aczel_alsina, 2.0},
    {TNormKind::aczel_alsina, 7}, {TNormKind::lukasiewicz},       {TNormKind::hamacher},
};
std::vector<TNorm> all_tnorms() {
  std::vector<TNorm> all = archimedean;
  all.push_back({TNormKind::minimum});
  return all;
}

double value(const TNorm& tnorm, const std::vector<double>& x) {
  return tnorm_value<double>(tnorm, x);
}
std::vector<double> gradient(const TNorm& tnorm, const std::vector<double>& x) {
  std::vector<double> result(x.size(), -99);
  const double v = tnorm_gradient<double>(tnorm, x, result);
  EXPECT_EQ(v, value(tnorm, x)) << to_string(tnorm);
  return result;
}
std::vector<double> random_degrees(Random& random, std::size_t n) {
  std::vector<double> x(n);
  for (double& degree : x) degree = 0.02 + 0.97 * random.uniform();
  return x;
}

// The closed forms of the header, written without generators.
double closed_form(const TNorm& tnorm, const std::vector<double>& x) {
  switch (tnorm.kind) {
    case TNormKind::product: {
      double p = 1;
      for (const double v : x) p *= v;
      return p;
    }
    case TNormKind::minimum: {
      double m = 1;
      for (const double v : x) m = v < m ? v : m;
      return m;
    }
    case TNormKind::lukasiewicz: {
      double s = 1 - static_cast<double>(x.size());
      for (const double v : x) s += v;
      return s > 0 ? s : 0;
    }
    case TNormKind::hamacher: {
      double t = 1;  // pairwise, from the left
      for (const double v : x) t = t + v - t * v > 0 ? t * v / (t + v - t * v) : 0;
      return t;
    }
    case TNormKind::aczel_alsina: {
      double s = 0;
      for (const double v : x) s += std::pow(-std::log(v), tnorm.lambda);
      return std::exp(-std::pow(s, 1 / tnorm.lambda));
    }
  }
  return -1;
}

TEST(TNormValue, MatchesHandComputedValues) {
  EXPECT_DOUBLE_EQ(value({TNormKind::product}, {0.5, 0.4, 0.1}), 0.02);
  EXPECT_EQ(value({TNormKind::minimum}, {0.5, 0.4, 0.6}), 0.4);
  EXPECT_NEAR(value({TNormKind::lukasiewicz}, {0.9, 0.8, 0.7}), 0.4, 1e-15);
  EXPECT_EQ(value({TNormKind::lukasiewicz}, {0.4, 0.5}), 0.0);
  // 0.25 / (0.5 + 0.5 - 0.25) = 1/3
  EXPECT_NEAR(value({TNormKind::hamacher}, {0.5, 0.5}), 1.0 / 3, 1e-15);
  // -log = 3 and 4, and sqrt(9 + 16) = 5
  EXPECT_NEAR(value({TNormKind::aczel_alsina, 2}, {std::exp(-3.0), std::exp(-4.0)}), std::exp(-5.0),
              1e-15);
}

TEST(TNormValue, MatchesClosedFormsOnRandomDegrees) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const std::vector<double> x = random_degrees(random, 1 + random.below(6));
    for (const TNorm& tnorm : all_tnorms())
      EXPECT_NEAR(value(tnorm, x), closed_form(tnorm, x), 1e-13) << to_string(tnorm);
  }
}

TEST(TNormValue, IsTheInverseOfTheSumOfGenerators) {
  Random random(2);
  for (int i = 0; i < 500; ++i) {
    const std::vector<double> x = random_degrees(random, 1 + random.below(4));
    for (const TNorm& tnorm : archimedean) {
      double sum = 0;
      for (const double degree : x) sum += generator(tnorm, degree);
      EXPECT_NEAR(value(tnorm, x), generator_inverse(tnorm, sum), 1e-13) << to_string(tnorm);
    }
  }
}

TEST(TNormGenerator, DecreasesFromItsValueAtZeroToZeroAtOne) {
  for (const TNorm& tnorm : archimedean) {
    EXPECT_EQ(generator(tnorm, 1), 0) << to_string(tnorm);
    const double at_zero = generator(tnorm, 0);
    if (tnorm.kind == TNormKind::lukasiewicz)
      EXPECT_EQ(at_zero, 1);
    else
      EXPECT_TRUE(std::isinf(at_zero)) << to_string(tnorm);
    EXPECT_EQ(generator_inverse(tnorm, at_zero), 0) << to_string(tnorm);
    for (double x = 0.05; x < 1; x += 0.05) {
      EXPECT_GT(generator(tnorm, x - 0.04), generator(tnorm, x)) << to_string(tnorm);
      EXPECT_NEAR(generator_inverse(tnorm, generator(tnorm, x)), x, 1e-14) << to_string(tnorm);
    }
  }
}

TEST(TNormValue, SatisfiesTheLawsOfAConjunction) {
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const std::vector<double> x = random_degrees(random, 3);
    for (const TNorm& tnorm : all_tnorms()) {
      const double v = value(tnorm, x);
      EXPECT_LE(v, std::min({x[0], x[1], x[2]}) + 1e-15) << to_string(tnorm);
      EXPECT_NEAR(v, value(tnorm, {x[2], x[0], x[1]}), 1e-15) << to_string(tnorm);
      EXPECT_NEAR(v, value(tnorm, {value(tnorm, {x[0], x[1]}), x[2]}), 1e-13) << to_string(tnorm);
      EXPECT_NEAR(v, value(tnorm, {x[0], 1, x[1], x[2]}), 1e-15) << to_string(tnorm);
      EXPECT_GE(value(tnorm, {x[0] + 0.01, x[1], x[2]}), v) << to_string(tnorm);
    }
  }
}

TEST(TNormValue, AczelAlsinaRangesFromProductToMinimum) {
  EXPECT_NEAR(value({TNormKind::aczel_alsina, 1}, {0.3, 0.7}), 0.21, 1e-15);
  EXPECT_NEAR(value({TNormKind::aczel_alsina, 1e6}, {0.3, 0.7}), 0.3, 1e-6);
}

TEST(TNormValue, IsOneForNoDegreesAndTheDegreeItselfForOne) {
  for (const TNorm& tnorm : all_tnorms()) {
    EXPECT_EQ(value(tnorm, {}), 1.0);
    for (const double x : {0.0, 1e-300, 0.1, 0.7, 1.0}) {
      EXPECT_EQ(value(tnorm, {x}), x) << to_string(tnorm);
      EXPECT_EQ(gradient(tnorm, {x}), std::vector<double>{1}) << to_string(tnorm);
    }
  }
}

TEST(TNormGradient, MatchesCentralDifferences) {
  Random random(4);
  constexpr double h = 1e-6;
  int compared = 0;
  for (int i = 0; i < 1000; ++i) {
    std::vector<double> x = random_degrees(random, 2 + random.below(3));
    for (const TNorm& tnorm : all_tnorms()) {
      const std::vector<double> g = gradient(tnorm, x);
      for (std::size_t k = 0; k < x.size(); ++k) {
        std::vector<double> up = x, down = x;
        up[k] += h;
        down[k] -= h;
        const double left = (value(tnorm, x) - value(tnorm, down)) / h;
        const double right = (value(tnorm, up) - value(tnorm, x)) / h;
        // A kink: where lukasiewicz becomes 0, or between two smallest degrees of minimum.
        if (std::fabs(left - right) > 1e-2) continue;
        ++compared;
        EXPECT_NEAR(g[k], (left + right) / 2, 1e-5) << to_string(tnorm);
      }
    }
  }
  EXPECT_GT(compared, 20000);
}

TEST(TNormGradient, MatchesHandComputedValuesAtTheEdges) {
  using V = std::vector<double>;
  EXPECT_EQ(gradient({TNormKind::product}, {0, 0.5, 0.25}), (V{0.125, 0, 0}));
  EXPECT_EQ(gradient({TNormKind::product}, {0, 0.5, 0}), (V{0, 0, 0}));
  EXPECT_EQ(gradient({TNormKind::minimum}, {0.7, 0.2, 0.2}), (V{0, 1, 0}));
  EXPECT_EQ(gradient({TNormKind::minimum}, {1, 1}), (V{1, 0}));
  EXPECT_EQ(gradient({TNormKind::lukasiewicz}, {0.9, 0.8}), (V{1, 1}));
  EXPECT_EQ(gradient({TNormKind::lukasiewicz}, {0.3, 0.2}), (V{0, 0}));
  // T(x, y) = xy / (x + y - xy): dT/dx = y^2 / (x + y - xy)^2, which is 1 at x = 0.
  EXPECT_EQ(gradient({TNormKind::hamacher}, {0, 0.5}), (V{1, 0}));
  EXPECT_EQ(gradient({TNormKind::hamacher}, {0, 0}), (V{0, 0}));
  // lambda = 1 is the product; above, T(x, y) / x -> 1 as x -> 0.
  const V at_zero = gradient({TNormKind::aczel_alsina, 1}, {0, 0.5});
  EXPECT_NEAR(at_zero[0], 0.5, 1e-15);
  EXPECT_EQ(at_zero[1], 0);
  EXPECT_EQ(gradient({TNormKind::aczel_alsina, 3}, {0, 0.5}), (V{1, 0}));
  EXPECT_EQ(gradient({TNormKind::aczel_alsina, 3}, {1, 0.5}), (V{0, 1}));
  EXPECT_EQ(gradient({TNormKind::aczel_alsina, 3}, {1, 1}), (V{1, 1}));
}

template <typename Scalar>
void expect_finite_everywhere() {
  const std::vector<Scalar> corners = {Scalar(0),
                                       std::numeric_limits<Scalar>::denorm_min(),
                                       std::numeric_limits<Scalar>::min(),
                                       Scalar(1e-6),
                                       Scalar(0.5),
                                       Scalar(1) - std::numeric_limits<Scalar>::epsilon() / 2,
                                       Scalar(1),
                                       Scalar(1) + std::numeric_limits<Scalar>::epsilon()};
  std::vector<TNorm> tnorms = all_tnorms();
  for (const double lambda : {1.0000001, 50.0, 1e6, 1e300})
    tnorms.push_back({TNormKind::aczel_alsina, lambda});
  for (const TNorm& tnorm : tnorms)
    for (const Scalar x : corners)
      for (const Scalar y : corners)
        for (const Scalar z : corners) {
          const std::vector<Scalar> degrees = {x, y, z};
          std::vector<Scalar> g(3);
          const Scalar v = tnorm_gradient<Scalar>(tnorm, degrees, g);
          EXPECT_EQ(v, tnorm_value<Scalar>(tnorm, degrees));
          EXPECT_TRUE(v >= 0 && v <= Scalar(1.0001)) << to_string(tnorm) << " " << v;
          for (const Scalar slope : g)
            EXPECT_TRUE(slope >= 0 && slope <= Scalar(1.0001))
                << to_string(tnorm) << " " << x << " " << y << " " << z << ": " << slope;
        }
}

TEST(TNormGradient, IsFiniteAtEveryCornerInDouble) { expect_finite_everywhere<double>(); }
TEST(TNormGradient, IsFiniteAtEveryCornerInFloat) { expect_finite_everywhere<float>(); }

TEST(ParseTNorm, ReadsWhatToStringWrites) {
  for (const TNorm& tnorm : all_tnorms()) EXPECT_EQ(parse_tnorm(to_string(tnorm)), tnorm);
  EXPECT_EQ(parse_tnorm("aczel-alsina"), (TNorm{TNormKind::aczel_alsina, 2}));
  EXPECT_EQ(parse_tnorm("aczel-alsina:2.5"), (TNorm{TNormKind::aczel_alsina, 2.5}));
  EXPECT_EQ(to_string(TNorm{TNormKind::aczel_alsina, 2.5}), "aczel-alsina:2.5");
  EXPECT_EQ(to_string(TNorm{}), "product");
}

TEST(ParseTNorm, RejectsOtherTextsAndListsTheChoices) {
  for (const char* text :
       {"", "prod", "Product", "product:2", "minimum:", "aczel-alsina:", "aczel-alsina:0.9",
        "aczel-alsina:inf", "aczel-alsina:nan", "aczel-alsina:2x", "aczel-alsina: 2", ":2"}) {
    try {
      parse_tnorm(text);
      ADD_FAILURE() << "accepted '" << text << "'";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      for (const char* choice :
           {"product", "minimum", "aczel-alsina", "lukasiewicz", "hamacher", "at least 1"})
        EXPECT_NE(std::string(error.what()).find(choice), std::string::npos) << error.what();
    }
  }
}

TEST(Semantics, HaveNames) {
  EXPECT_EQ(to_string(Semantics::sufficient), "sufficient");
  EXPECT_EQ(to_string(Semantics::additive), "additive");
}

}  // namespace
}  // namespace frr::internal
