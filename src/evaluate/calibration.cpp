#include "evaluate/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "frr/metrics.hpp"

namespace frr::internal {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinity = std::numeric_limits<double>::infinity();

double logit(double p) {
  const double clipped = std::clamp(p, epsilon, 1 - epsilon);
  return std::log(clipped / (1 - clipped));
}

// Log-likelihood of a + b x, its gradient and its negative second derivatives.
struct Likelihood {
  double value = 0, to_a = 0, to_b = 0, aa = 0, ab = 0, bb = 0;
};

Likelihood likelihood(std::span<const Outcome> outcomes, std::span<const double> x,
                      std::span<const double> weights, double a, double b) {
  Likelihood sum;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double w = weights[i];
    if (w == 0) continue;
    const double score = a + b * x[i];
    const double tail = std::exp(-std::fabs(score));
    const double p = score >= 0 ? 1 / (1 + tail) : tail / (1 + tail);
    const double y = outcomes[i].happened ? 1 : 0;
    sum.value += w * (y * score - std::max(score, 0.0) - std::log1p(tail));
    const double gradient = w * (y - p), curvature = w * p * (1 - p);
    sum.to_a += gradient;
    sum.to_b += gradient * x[i];
    sum.aa += curvature;
    sum.ab += curvature * x[i];
    sum.bb += curvature * x[i] * x[i];
  }
  return sum;
}

// Newton's method. `free_slope`: false keeps b. False if it does not get there.
bool maximise(std::span<const Outcome> outcomes, std::span<const double> x,
              std::span<const double> weights, bool free_slope, double& a, double& b) {
  constexpr int most_steps = 100, most_halvings = 60;
  Likelihood now = likelihood(outcomes, x, weights, a, b);
  for (int step = 0; step < most_steps; ++step) {
    const double determinant = now.aa * now.bb - now.ab * now.ab;
    double by_a =
        free_slope ? (now.bb * now.to_a - now.ab * now.to_b) / determinant : now.to_a / now.aa;
    double by_b = free_slope ? (now.aa * now.to_b - now.ab * now.to_a) / determinant : 0;
    if (!std::isfinite(by_a) || !std::isfinite(by_b)) return false;
    const bool close = std::fabs(by_a) <= 1e-7 * (1 + std::fabs(a)) &&
                       std::fabs(by_b) <= 1e-7 * (1 + std::fabs(b));
    if (close) {  // convergence is quadratic: this step is the last one that changes anything
      a += by_a;
      b += by_b;
      return true;
    }
    const double start_a = a, start_b = b, before = now.value;
    for (int halving = 0;; ++halving) {
      a = start_a + by_a;
      b = start_b + by_b;
      now = likelihood(outcomes, x, weights, a, b);
      if (now.value >= before - 1e-12 * std::fabs(before)) break;
      if (halving == most_halvings) return false;
      by_a /= 2;
      by_b /= 2;
    }
  }
  return false;
}

}  // namespace

Calibration::Calibration(std::span<const Outcome> outcomes)
    : outcomes_(outcomes.begin(), outcomes.end()) {
  for (const Outcome& outcome : outcomes_) {
    logits_.push_back(logit(outcome.probability));
    const double place = std::floor(outcome.probability * static_cast<double>(bins));
    bins_.push_back(std::min(bins - 1, static_cast<std::size_t>(place)));
  }
}

double Calibration::error(std::span<const double> weights) const {
  double expected[bins] = {}, observed[bins] = {}, total = 0, sum = 0;
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    total += weights[i];
    expected[bins_[i]] += weights[i] * outcomes_[i].probability;
    if (outcomes_[i].happened) observed[bins_[i]] += weights[i];
  }
  for (std::size_t bin = 0; bin < bins; ++bin) sum += std::fabs(observed[bin] - expected[bin]);
  return sum / total;
}

// A finite maximum exists exactly if no border on the logits separates events from the others.
bool Calibration::has_slope(std::span<const double> weights) const {
  double low[2] = {infinity, infinity}, high[2] = {-infinity, -infinity};
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    if (weights[i] == 0) continue;
    const int happened = outcomes_[i].happened ? 1 : 0;
    low[happened] = std::min(low[happened], logits_[i]);
    high[happened] = std::max(high[happened], logits_[i]);
  }
  return low[0] < high[1] && low[1] < high[0];
}

CalibrationFit Calibration::fit(std::span<const double> weights,
                                const CalibrationFit& start) const {
  bool happens[2] = {false, false};
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    if (weights[i] > 0) happens[outcomes_[i].happened ? 1 : 0] = true;
  }
  CalibrationFit result{undefined, undefined, undefined};
  if (!happens[0] || !happens[1]) return result;
  double a = std::isfinite(start.intercept) ? start.intercept : 0, b = 1;
  if (maximise(outcomes_, logits_, weights, false, a, b)) result.intercept = a;
  if (!has_slope(weights)) return result;
  const bool known = std::isfinite(start.slope) && std::isfinite(start.slope_intercept);
  a = known ? start.slope_intercept : 0;
  b = known ? start.slope : 1;
  if (!maximise(outcomes_, logits_, weights, true, a, b)) return result;
  result.slope = b;
  result.slope_intercept = a;
  return result;
}

}  // namespace frr::internal
