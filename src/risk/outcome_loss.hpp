// The log-loss of the rows that one rule (or ELSE) decides, and the exact valuation of a rule for
// all its weights at once.
//
// With n_c the weight of its rows of class c, n their sum, b the base rates and m = prior_rows, the
// rows of a rule lose
//     H(n) = - sum_c n_c log p_c,    p_c = (n_c + m b_c) / (n + m).
//
// Let o_i be the best score of the other rules on row i, and l_i the loss of the row under the rule
// that decides it without the new one. A rule with truth t_i and weight w takes the rows with
// w t_i > o_i, so its gain is
//     gain(w) = sum of l_i over these rows - H(the sums of their classes).
// A histogram over the lead log t_i - log o_i, in steps (search/objective.hpp), gives it for every
// weight 1.25^-k. As in the search for accuracy, a rule takes a row to the degree ramp(lead - k).
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "search/valuation.hpp"

namespace frr::internal {

// The probabilities p_c of an outcome with these sums by class.
std::vector<double> outcome_shares(std::span<const double> sums,
                                   std::span<const double> base_rates);

// H(n), for n = sums.
double outcome_loss(std::span<const double> sums, std::span<const double> base_rates);

// The best weight of a rule.
struct RiskValuation {
  double gain = -HUGE_VAL;  // in nats
  int step = 0;             // the weight is step_factor^-step
};

// Histograms over leads. A bin holds the sums of the classes and then the sum of l_i:
// sums[bin * width() + c], padded to a multiple of four.
class RiskScale {
 public:
  RiskScale(std::vector<double> base_rates, double margin);

  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t bins() const { return bins_; }
  [[nodiscard]] std::size_t size() const { return bins_ * width_; }
  // A row is counted in bin lead + offset(), rounded down, at most bins() - 1. No weight reaches
  // the rows of bin 0.
  [[nodiscard]] float offset() const { return offset_; }

  [[nodiscard]] RiskValuation best(const float* sums) const;
  [[nodiscard]] double gain(const float* sums, int step) const;
  // An upper bound of the gain of any rule that takes a part of these rows: it cannot gain more
  // than the rows lose now.
  [[nodiscard]] double bound(const float* sums) const;

 private:
  std::vector<double> base_rates_;
  std::size_t classes_, width_;
  int reach_;
  std::size_t bins_;
  float offset_;
  std::vector<double> ramp_;
};

}  // namespace frr::internal
