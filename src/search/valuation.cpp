#include "search/valuation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/search_kernel.hpp"
#include "search/objective.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t max_bins = 128;

}  // namespace

GainScale::GainScale(std::size_t class_count, double margin)
    : classes_(class_count),
      reach_(static_cast<int>(std::ceil(margin))),
      bins_(static_cast<std::size_t>(weight_steps + 2 * reach_ + 2)),
      offset_(static_cast<float>(reach_) + (reach_ > 0 ? 1.5F : 1.9999F)) {
  for (int x = -reach_ - 1; x <= reach_; ++x) ramp_.push_back(ramp(x, margin));
}

Valuation GainScale::best(const float* counts, double least) const {
  std::array<double, max_bins> harm_of_bin{};
  const std::span<double> harm(harm_of_bin.data(), bins_);
  for (std::size_t c = 0; c < classes_; ++c) {
    add_to(harm, counts + (2 * c + 1) * bins_);
  }
  Valuation best;
  best.gain = least;
  for (std::size_t c = 0; c < classes_; ++c) {
    const float* gains = counts + 2 * c * bins_;
    // Only rows of the class on which the others are wrong can be gained.
    if (sum_of({gains + 1, bins_ - 1}) <= best.gain) continue;
    consider(gains, harm, static_cast<int>(c), best);
  }
  return best;
}

double GainScale::gain(const float* counts, int then, int step) const {
  double sum = 0;
  for (std::size_t b = static_cast<std::size_t>(step) + (step == 0 ? 1 : 0); b < bins_; ++b) {
    const std::size_t w = b - static_cast<std::size_t>(step);
    double value = 0;
    for (std::size_t c = 0; c < classes_; ++c) {
      value -= static_cast<double>(counts[(2 * c + 1) * bins_ + b]);
      if (static_cast<int>(c) != then) continue;
      value += static_cast<double>(counts[2 * c * bins_ + b]) +
               static_cast<double>(counts[(2 * c + 1) * bins_ + b]);
    }
    sum += value * (w < ramp_.size() ? ramp_[w] : 1);
  }
  return sum;
}

double GainScale::bound(const float* counts) const {
  double most = 0;
  for (std::size_t c = 0; c < classes_; ++c) {
    const float* gains = counts + 2 * c * bins_;
    double sum = 0;
    for (std::size_t b = 1; b < bins_; ++b) {
      sum += static_cast<double>(gains[b]) * (b < ramp_.size() ? ramp_[b] : 1);
    }
    most = std::max(most, sum);
  }
  return most;
}

// Sums value * ramp over the bins for each weight, and chooses the middle of the best plateau.
void GainScale::consider(const float* gains, std::span<const double> harm, int then,
                         Valuation& best) const {
  std::array<double, max_bins> value;
  for (std::size_t b = 0; b < bins_; ++b) {
    value[b] = static_cast<double>(gains[b]) + static_cast<double>(gains[bins_ + b]) - harm[b];
  }
  value[0] = 0;
  // At weight step k, bin b has a lead of b - reach - 1 - k steps. The ramp covers a window of
  // bins; bins beyond it count fully.
  std::array<double, weight_steps> gain;
  double beyond = 0;
  for (int k = weight_steps - 1; k >= 0; --k) {
    beyond += value[static_cast<std::size_t>(k) + ramp_.size()];
    gain[static_cast<std::size_t>(k)] = beyond;
  }
  add_windows(ramp_, value.data(), gain);
  if (*std::max_element(gain.begin(), gain.end()) <= best.gain) return;
  int first = 0, last = -1;
  double top = -HUGE_VAL;
  for (int k = 0; k < weight_steps; ++k) {
    const double gain_at_k = gain[static_cast<std::size_t>(k)];
    if (gain_at_k > top + 1e-6)
      top = gain_at_k, first = last = k;
    else if (gain_at_k >= top - 1e-6 && last == k - 1)
      last = k;
  }
  if (top > best.gain) best = {top, then, (first + last) / 2};
}

Valuation value_plainly(std::span<const float> lead, std::span<const int> classes,
                        std::span<const unsigned char> others_right, std::span<const float> weights,
                        std::size_t class_count, double margin) {
  Valuation best;
  best.gain = -HUGE_VAL;
  for (std::size_t c = 0; c < class_count; ++c) {
    for (int k = 0; k < weight_steps; ++k) {
      double gain = 0;
      for (std::size_t i = 0; i < lead.size(); ++i) {
        if (lead[i] == -never) continue;
        gain += weights[i] * ramp(lead[i] - k, margin) *
                ((classes[i] == static_cast<int>(c) ? 1 : 0) - others_right[i]);
      }
      if (gain > best.gain) best = {gain, static_cast<int>(c), k};
    }
  }
  return best;
}

}  // namespace frr::internal
