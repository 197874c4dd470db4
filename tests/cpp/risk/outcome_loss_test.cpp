#include "risk/outcome_loss.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "search/search.hpp"

namespace frr::internal {
namespace {

// H(n) as the header defines it, term by term.
double plain_loss(const std::vector<double>& sums, const std::vector<double>& rates) {
  double rows = 0, loss = 0;
  for (const double n : sums) rows += n;
  for (std::size_t c = 0; c < sums.size(); ++c) {
    if (sums[c] > 0) loss -= sums[c] * std::log((sums[c] + rates[c]) / (rows + 1));
  }
  return loss;
}

std::vector<double> random_rates(Random& random, std::size_t classes) {
  std::vector<double> rates;
  double all = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    rates.push_back(0.05 + random.uniform());
    all += rates.back();
  }
  for (double& rate : rates) rate /= all;
  return rates;
}

TEST(OutcomeLoss, MatchesHandComputedValues) {
  // (3 + 1/2) / (4 + 1) and (1 + 1/2) / (4 + 1).
  const std::vector<double> even = {0.5, 0.5}, sums = {3, 1};
  const std::vector<double> shares = outcome_shares(sums, even);
  EXPECT_NEAR(shares[0], 0.7, 1e-15);
  EXPECT_NEAR(shares[1], 0.3, 1e-15);
  EXPECT_NEAR(outcome_loss(sums, even), -3 * std::log(0.7) - std::log(0.3), 1e-12);
  // Two rows of a rare class alone: (2 + 1/10) / (2 + 1).
  EXPECT_NEAR(outcome_loss(std::vector<double>{0, 2}, std::vector<double>{0.9, 0.1}),
              -2 * std::log(0.7), 1e-12);
}

TEST(OutcomeLoss, WithoutRowsIsZeroAndTheSharesAreTheBaseRates) {
  const std::vector<double> rates = {0.25, 0.75}, none = {0, 0};
  EXPECT_EQ(outcome_loss(none, rates), 0);
  EXPECT_EQ(outcome_shares(none, rates), rates);
}

TEST(OutcomeLoss, EqualsItsDefinition) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t classes = 2 + random.below(8);
    const std::vector<double> rates = random_rates(random, classes);
    std::vector<double> sums;
    for (std::size_t c = 0; c < classes; ++c) {
      sums.push_back(random.below(4) == 0 ? 0 : std::exp(4 * random.normal()));
    }
    const double expected = plain_loss(sums, rates);
    EXPECT_NEAR(outcome_loss(sums, rates), expected, 1e-10 * (1 + expected));
    double all = 0;
    for (const double share : outcome_shares(sums, rates)) all += share;
    EXPECT_NEAR(all, 1, 1e-12);
  }
}

// ---- Valuation ----------------------------------------------------------------------------------

// Leads, what the others lose, and distributions over the classes; quarters, so that sums are
// exact.
struct Rows {
  std::vector<double> leads, losses;
  std::vector<std::vector<double>> shares;

  Rows(Random& random, std::size_t count, std::size_t classes) {
    for (std::size_t i = 0; i < count; ++i) {
      const double kind = random.uniform();
      const double steps = static_cast<double>(random.below(50)) - 12;
      leads.push_back(kind < 0.1 ? -HUGE_VAL : kind < 0.2 ? 1000 : steps);
      losses.push_back(static_cast<double>(random.below(16)) / 4);
      shares.emplace_back();
      for (std::size_t c = 0; c < classes; ++c) {
        shares.back().push_back(static_cast<double>(random.below(6)) / 4);
      }
    }
  }
};

// The bin that the header names; the last one includes all larger leads.
std::size_t bin_of(const RiskScale& scale, double lead) {
  const double bin = std::floor(lead + static_cast<double>(scale.offset()));
  return static_cast<std::size_t>(std::clamp(bin, 0.0, static_cast<double>(scale.bins() - 1)));
}

std::vector<float> histogram(const RiskScale& scale, const Rows& rows) {
  std::vector<float> sums(scale.size(), 0.0F);
  for (std::size_t i = 0; i < rows.leads.size(); ++i) {
    float* bin = sums.data() + bin_of(scale, rows.leads[i]) * scale.width();
    const std::size_t classes = rows.shares[i].size();
    for (std::size_t c = 0; c < classes; ++c) bin[c] += static_cast<float>(rows.shares[i][c]);
    bin[classes] += static_cast<float>(rows.losses[i]);
  }
  return sums;
}

// The gain as the header defines it, row by row.
double plain_gain(const Rows& rows, const std::vector<double>& rates, int step, double margin) {
  std::vector<double> taken(rates.size(), 0);
  double saved = 0;
  for (std::size_t i = 0; i < rows.leads.size(); ++i) {
    const double x = rows.leads[i] - step;
    const double whole = x > 0 ? 1 : 0;
    const double degree = margin > 0 ? std::clamp((x + margin) / (2 * margin), 0.0, 1.0) : whole;
    saved += degree * rows.losses[i];
    for (std::size_t c = 0; c < rates.size(); ++c) taken[c] += degree * rows.shares[i][c];
  }
  return saved - plain_loss(taken, rates);
}

template <typename Check>
void for_each_sample(Check check) {
  Random random(2);
  for (const double margin : {0.0, 1.0, 2.0, 2.5, 3.0}) {
    for (const std::size_t classes : {2U, 3U, 4U, 7U}) {
      for (const std::size_t count : {0U, 1U, 2U, 30U, 400U}) {
        const std::vector<double> rates = random_rates(random, classes);
        check(RiskScale(rates, margin), Rows(random, count, classes), rates, margin, random);
      }
    }
  }
}

TEST(RiskScale, GainEqualsItsDefinitionForEveryWeight) {
  for_each_sample([](const RiskScale& scale, const Rows& rows, const std::vector<double>& rates,
                     double margin, Random&) {
    const std::vector<float> sums = histogram(scale, rows);
    for (int step = 0; step < weight_steps; ++step) {
      EXPECT_NEAR(scale.gain(sums.data(), step), plain_gain(rows, rates, step, margin), 1e-6)
          << margin << " " << rates.size() << " " << step;
    }
  });
}

TEST(RiskScale, BestIsTheLargestGainOfAllWeights) {
  for_each_sample([](const RiskScale& scale, const Rows& rows, const std::vector<double>& rates,
                     double margin, Random&) {
    double most = -HUGE_VAL;
    for (int step = 0; step < weight_steps; ++step) {
      most = std::max(most, plain_gain(rows, rates, step, margin));
    }
    const RiskValuation best = scale.best(histogram(scale, rows).data());
    EXPECT_NEAR(best.gain, most, 1e-6) << margin << " " << rates.size();
    ASSERT_GE(best.step, 0);
    ASSERT_LT(best.step, weight_steps);
    EXPECT_NEAR(plain_gain(rows, rates, best.step, margin), most, 1e-6);
  });
}

TEST(RiskScale, WithoutAMarginItCountsTheRowsThatTheRuleTakes) {
  Random random(3);
  const std::vector<double> rates = {0.25, 0.75};
  const RiskScale scale(rates, 0);
  Rows rows(random, 300, 2);
  // Between whole steps, too, but not within the rounding of the bins above one.
  for (double& lead : rows.leads) lead += static_cast<double>(random.below(10)) / 10;
  const std::vector<float> sums = histogram(scale, rows);
  for (int step = 0; step < weight_steps; ++step) {
    std::vector<double> taken = {0, 0};
    double saved = 0;
    for (std::size_t i = 0; i < rows.leads.size(); ++i) {
      if (!(rows.leads[i] > step + 1e-6)) continue;
      saved += rows.losses[i];
      for (std::size_t c = 0; c < 2; ++c) taken[c] += rows.shares[i][c];
    }
    EXPECT_NEAR(scale.gain(sums.data(), step), saved - plain_loss(taken, rates), 1e-6) << step;
  }
}

TEST(RiskScale, PadsBinsToAMultipleOfFourThatCountsForNothing) {
  const std::pair<std::size_t, std::size_t> widths[] = {{2, 4}, {3, 4}, {4, 8}, {7, 8}, {8, 12}};
  Random random(4);
  for (const auto& [classes, width] : widths) {
    const RiskScale scale(random_rates(random, classes), 2);
    EXPECT_EQ(scale.width(), width);
    EXPECT_EQ(scale.size(), scale.bins() * width);
    std::vector<float> sums = histogram(scale, Rows(random, 100, classes));
    const RiskValuation best = scale.best(sums.data());
    const double bound = scale.bound(sums.data());
    for (std::size_t b = 0; b < scale.bins(); ++b) {
      for (std::size_t c = classes + 1; c < width; ++c) sums[b * width + c] = 1000;
    }
    EXPECT_EQ(scale.best(sums.data()).gain, best.gain);
    EXPECT_EQ(scale.bound(sums.data()), bound);
  }
}

TEST(RiskScale, IgnoresRowsThatNoWeightReaches) {
  for (const double margin : {0.0, 1.0, 2.5, 3.0}) {
    const RiskScale scale({0.5, 0.5}, margin);
    EXPECT_EQ(bin_of(scale, -std::ceil(margin) - 1), 0U);
    std::vector<float> sums(scale.size(), 0.0F);
    std::fill_n(sums.begin(), scale.width(), 7.0F);
    EXPECT_EQ(scale.best(sums.data()).gain, 0);
    EXPECT_EQ(scale.bound(sums.data()), 0);
  }
}

TEST(RiskScale, NoFurtherConditionGainsMoreThanTheBound) {
  for_each_sample([](const RiskScale& scale, Rows rows, const std::vector<double>& rates, double,
                     Random& random) {
    const double bound = scale.bound(histogram(scale, rows).data());
    for (int round = 0; round < 5; ++round) {
      EXPECT_LE(scale.best(histogram(scale, rows).data()).gain, bound + 1e-6) << rates.size();
      // Further conditions only lower truth, and with it the leads.
      for (double& lead : rows.leads) {
        const double kind = random.uniform();
        if (kind < 0.2) lead = -HUGE_VAL;
        if (kind > 0.6) lead -= static_cast<double>(random.below(10));
      }
    }
  });
}

}  // namespace
}  // namespace frr::internal
