#include "search/valuation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "search/search.hpp"

namespace frr::internal {
namespace {

// Leads in whole steps, for which bins are exact, including some beyond all weights and some of
// rows that the rule does not cover. Weights are quarters, so that counts are exact, too.
struct Rows {
  std::vector<float> lead, weights;
  std::vector<int> classes;
  std::vector<unsigned char> others_right;

  Rows(std::size_t count, std::size_t class_count, Random& random) {
    for (std::size_t i = 0; i < count; ++i) {
      const double kind = random.uniform();
      const auto steps = static_cast<float>(static_cast<int>(random.below(50)) - 12);
      lead.push_back(kind < 0.1 ? -never : kind < 0.2 ? 1000.0F : steps);
      weights.push_back(static_cast<float>(1 + random.below(20)) / 4);
      classes.push_back(static_cast<int>(random.below(class_count)));
      others_right.push_back(random.uniform() < 0.4 ? 1 : 0);
    }
  }
  [[nodiscard]] std::size_t count() const { return lead.size(); }
};

// The bin as the header of GainScale defines it; the last one includes all larger leads.
std::size_t bin_of(const GainScale& scale, float lead) {
  const double bin = std::floor(static_cast<double>(lead) + static_cast<double>(scale.offset()));
  return static_cast<std::size_t>(std::clamp(bin, 0.0, static_cast<double>(scale.bins() - 1)));
}
std::size_t key_of(const Rows& rows, std::size_t i) {
  return 2 * static_cast<std::size_t>(rows.classes[i]) + rows.others_right[i];
}
std::vector<float> histogram(const GainScale& scale, const Rows& rows) {
  std::vector<float> counts(scale.size(), 0);
  for (std::size_t i = 0; i < rows.count(); ++i) {
    counts[key_of(rows, i) * scale.bins() + bin_of(scale, rows.lead[i])] += rows.weights[i];
  }
  return counts;
}

double gain_of(const Rows& rows, int then, int step, double margin) {
  double gain = 0;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    if (rows.lead[i] == -never) continue;
    const double x = static_cast<double>(rows.lead[i]) - step;
    const double whole = x > 0 ? 1 : 0;
    const double taken = margin > 0 ? std::clamp((x + margin) / (2 * margin), 0.0, 1.0) : whole;
    gain += static_cast<double>(rows.weights[i]) * taken *
            ((rows.classes[i] == then ? 1 : 0) - rows.others_right[i]);
  }
  return gain;
}

const std::vector<double> margins = {0, 1, 2.5, 3};  // not only whole steps
const std::vector<std::size_t> class_counts = {1, 2, 3, 7, 17, 101};
const std::vector<std::size_t> row_counts = {0, 1, 2, 31, 500};
// Steps whose gains differ by less than 1e-6 form one plateau.
constexpr double plateau = 2e-6;

template <typename Check>
void for_each_sample(Check check) {
  Random random(1);
  for (const double margin : margins) {
    for (const std::size_t classes : class_counts) {
      for (const std::size_t count : row_counts) {
        for (int round = 0; round < 5; ++round) {
          check(GainScale(classes, margin), Rows(count, classes, random), margin, random);
        }
      }
    }
  }
}

TEST(GainScale, EqualsThePlainFormOnWholeSteps) {
  for_each_sample([](const GainScale& scale, const Rows& rows, double margin, Random&) {
    const std::size_t classes = scale.size() / scale.bins() / 2;
    const Valuation expected =
        value_plainly(rows.lead, rows.classes, rows.others_right, rows.weights, classes, margin);
    const Valuation found = scale.best(histogram(scale, rows).data());
    EXPECT_NEAR(found.gain, expected.gain, plateau) << margin << " " << classes;
    // Class and step may be others with the same gain.
    EXPECT_GE(found.step, 0);
    EXPECT_LT(found.step, weight_steps);
    EXPECT_NEAR(gain_of(rows, found.then, found.step, margin), expected.gain, plateau);
  });
}

TEST(GainScale, StepIsInTheMiddleOfThePlateau) {
  // One row with lead 10 is taken wholly at k <= 9 without a margin, at k <= 7 with one of 3.
  for (const auto& [margin, middle] : {std::pair{0.0, 4}, std::pair{3.0, 3}}) {
    const GainScale scale(2, margin);
    std::vector<float> counts(scale.size(), 0);
    counts[bin_of(scale, 10)] = 1;
    const Valuation found = scale.best(counts.data());
    EXPECT_EQ(found.gain, 1);
    EXPECT_EQ(found.then, 0);
    EXPECT_EQ(found.step, middle);
  }
}

TEST(GainScale, IgnoresRowsThatNoWeightReaches) {
  for (const double margin : margins) {
    const GainScale scale(2, margin);
    EXPECT_EQ(bin_of(scale, static_cast<float>(-std::ceil(margin) - 1)), 0U);
    EXPECT_EQ(bin_of(scale, -never), 0U);
    std::vector<float> counts(scale.size(), 0);
    for (std::size_t key = 0; key < 4; ++key) counts[key * scale.bins()] = 7;
    EXPECT_EQ(scale.best(counts.data()).gain, 0);
    EXPECT_EQ(scale.bound(counts.data()), 0);
  }
}

TEST(GainScale, NoFurtherConditionGainsMoreThanTheBound) {
  for_each_sample([](const GainScale& scale, Rows rows, double margin, Random& random) {
    const double bound = scale.bound(histogram(scale, rows).data());
    EXPECT_GE(bound + 1e-9, scale.best(histogram(scale, rows).data()).gain) << margin;
    // Further conditions only reduce truth, so leads fall.
    for (int round = 0; round < 5; ++round) {
      for (float& lead : rows.lead) {
        const double kind = random.uniform();
        if (kind < 0.2) lead = -never;
        if (kind > 0.6) lead -= static_cast<float>(random.below(10));
      }
      const std::vector<float> counts = histogram(scale, rows);
      EXPECT_GE(bound + 1e-9, scale.best(counts.data()).gain) << margin;
      EXPECT_GE(bound + 1e-9, scale.bound(counts.data())) << margin;
    }
  });
}

TEST(GainScale, BoundIsReachedIfAConditionRemovesAllHarm) {
  Random random(2);
  for (const double margin : margins) {
    Rows rows(200, 3, random);
    const GainScale scale(3, margin);
    const double bound = scale.bound(histogram(scale, rows).data());
    // Without the rows on which the others are right, the best class gains the bound at weight 1.
    for (std::size_t i = 0; i < rows.count(); ++i) {
      if (rows.others_right[i] != 0) rows.lead[i] = -never;
    }
    EXPECT_NEAR(scale.best(histogram(scale, rows).data()).gain, bound, plateau) << margin;
  }
}

}  // namespace
}  // namespace frr::internal
