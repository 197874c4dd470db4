// What a rule would gain, read for every class and weight from one histogram (polish.hpp).
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace frr::internal {

// Weights are 1.25^-k for k = 0 .. weight_steps - 1.
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
  // A row goes to bin h + offset(), rounded down: bins are centred on whole steps, where h lies
  // whenever truths are 1, because weights are whole steps too. Without a margin a row is taken at
  // step k if h > k, so h is rounded up. Bin 0 holds the rows that no weight reaches.
  [[nodiscard]] float offset() const { return offset_; }

  // The best class and weight; its gain is the largest. None that gains more than `least`: that.
  [[nodiscard]] Valuation best(const float* counts, double least = -HUGE_VAL) const;
  // The gain of one class and weight.
  [[nodiscard]] double gain(const float* counts, int then, int step) const;
  // No rule with further conditions can gain more: what the best class gains at the largest weight
  // where it does no harm.
  [[nodiscard]] double bound(const float* counts) const;

 private:
  void consider(const float* own, std::span<const double> harm, int then, Valuation& best) const;

  std::size_t classes_;
  int reach_;
  std::size_t bins_;
  float offset_;
  std::vector<double> ramp_;
};

// Values one candidate from h_i (-infinity where the rule does not cover row i). Slow and plain:
// the reference for the histogram, exact for every real h.
Valuation value_plainly(std::span<const float> lead, std::span<const int> classes,
                        std::span<const unsigned char> others_right, std::span<const float> weights,
                        std::size_t class_count, double margin);

}  // namespace frr::internal
