// Whether probabilities of an event agree with how often it happens; formulas in frr/metrics.hpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace frr::internal {

// Some rows of equal probability, with or without the event.
struct Outcome {
  double probability = 0;
  bool happened = false;
};

struct CalibrationFit {
  double slope = 0;
  double slope_intercept = 0;  // the a that belongs to `slope`
  double intercept = 0;        // with the slope fixed at 1
};

// Prepared once for any number of weights of the same outcomes.
class Calibration {
 public:
  explicit Calibration(std::span<const Outcome> outcomes);

  // `weights`: one for each outcome, >= 0.
  [[nodiscard]] double error(std::span<const double> weights) const;
  // NaN where there is no finite fit. `start`: what a similar weighting gave; it saves time and
  // changes the result only within the accuracy of the fit, about 1e-13.
  [[nodiscard]] CalibrationFit fit(std::span<const double> weights,
                                   const CalibrationFit& start) const;

 private:
  static constexpr std::size_t bins = 10;
  [[nodiscard]] bool has_slope(std::span<const double> weights) const;

  std::vector<Outcome> outcomes_;
  std::vector<double> logits_;
  std::vector<std::size_t> bins_;
};

}  // namespace frr::internal
