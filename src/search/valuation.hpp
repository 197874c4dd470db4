// The gain of a rule for every class and weight, computed from one histogram (polish.hpp).
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace frr::internal {

// Weights are step_factor^-k (objective.hpp) for k = 0 .. weight_steps - 1.
inline constexpr int weight_steps = 32;

struct Valuation {
  double gain = 0;
  int then = 0;
  int step = 0;  // k: the middle of the best plateau
};

// Histograms of h over bins of one step, counted as counts[key * bins() + bin] with
// key = 2 * class + (others are right).
class GainScale {
 public:
  GainScale(std::size_t class_count, double margin);

  [[nodiscard]] std::size_t bins() const { return bins_; }
  [[nodiscard]] std::size_t size() const { return 2 * classes_ * bins_; }
  // A row is counted in bin h + offset(), rounded down. Bins are centred on whole steps: if truths
  // are 1, h is a whole number, because weights are whole steps, too. Without a margin the rule
  // takes a row at step k if h > k, so h is rounded up. Bin 0 has the rows that no weight reaches.
  [[nodiscard]] float offset() const { return offset_; }

  // The class and weight with the largest gain; if none gains more than `least`, the gain is
  // `least`.
  [[nodiscard]] Valuation best(const float* counts, double least = -HUGE_VAL) const;
  // The gain of one class and weight.
  [[nodiscard]] double gain(const float* counts, int then, int step) const;
  // An upper bound of the gain of a rule with further conditions: the gain of the best class at the
  // largest weight if only the rows counted on which the others are wrong.
  [[nodiscard]] double bound(const float* counts) const;

 private:
  void consider(const float* gains, std::span<const double> harm, int then, Valuation& best) const;

  std::size_t classes_;
  int reach_;
  std::size_t bins_;
  float offset_;
  std::vector<double> ramp_;
};

// The valuation of one rule from its leads h_i (-infinity if it does not cover row i). Slow and
// plain: the reference for the histogram, exact for every real h.
Valuation value_plainly(std::span<const float> lead, std::span<const int> classes,
                        std::span<const unsigned char> others_right, std::span<const float> weights,
                        std::size_t class_count, double margin);

}  // namespace frr::internal
