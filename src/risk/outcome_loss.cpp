#include "risk/outcome_loss.hpp"

#include <algorithm>
#include <numeric>

#include "frr/rulebase.hpp"
#include "search/objective.hpp"

namespace frr::internal {

std::vector<double> outcome_shares(std::span<const double> sums,
                                   std::span<const double> base_rates) {
  const double rows = std::accumulate(sums.begin(), sums.end(), 0.0);
  std::vector<double> shares;
  shares.reserve(sums.size());
  for (std::size_t c = 0; c < sums.size(); ++c) {
    shares.push_back((sums[c] + prior_rows * base_rates[c]) / (rows + prior_rows));
  }
  return shares;
}

double outcome_loss(std::span<const double> sums, std::span<const double> base_rates) {
  double rows = 0, loss = 0;
  for (std::size_t c = 0; c < sums.size(); ++c) {
    rows += sums[c];
    if (sums[c] > 0) loss -= sums[c] * std::log(sums[c] + prior_rows * base_rates[c]);
  }
  return loss + rows * std::log(rows + prior_rows);
}

RiskScale::RiskScale(std::vector<double> base_rates, double margin)
    : base_rates_(std::move(base_rates)),
      classes_(base_rates_.size()),
      width_((classes_ + 1 + 3) / 4 * 4),
      reach_(static_cast<int>(std::ceil(margin))),
      bins_(static_cast<std::size_t>(weight_steps + 2 * reach_ + 2)),
      offset_(static_cast<float>(reach_) + (reach_ > 0 ? 1.5F : 1.9999F)) {
  for (int x = -reach_ - 1; x <= reach_; ++x) ramp_.push_back(ramp(x, margin));
}

RiskValuation RiskScale::best(const float* sums) const {
  // At weight step k, the first bins count by the ramp, and all from bin k + ramp_.size() on fully.
  std::vector<double> beyond(width_, 0), taken(width_);
  RiskValuation best;
  for (std::size_t k = weight_steps; k-- > 0;) {
    const std::size_t full = k + ramp_.size();
    const std::size_t first_full = k + 1 == weight_steps ? bins_ - 1 : full;
    for (std::size_t b = full; b <= first_full && b < bins_; ++b) {
      for (std::size_t c = 0; c <= classes_; ++c) {
        beyond[c] += static_cast<double>(sums[b * width_ + c]);
      }
    }
    taken = beyond;
    for (std::size_t w = 0; w < ramp_.size(); ++w) {
      const std::size_t b = k + w;
      if (b == 0 || b >= bins_ || ramp_[w] == 0) continue;
      for (std::size_t c = 0; c <= classes_; ++c) {
        taken[c] += ramp_[w] * static_cast<double>(sums[b * width_ + c]);
      }
    }
    const double gain =
        taken[classes_] - outcome_loss(std::span(taken).first(classes_), base_rates_);
    if (gain > best.gain) best = {gain, static_cast<int>(k)};
  }
  return best;
}

double RiskScale::gain(const float* sums, int step) const {
  std::vector<double> taken(classes_ + 1, 0);
  const auto k = static_cast<std::size_t>(step);
  for (std::size_t b = std::max<std::size_t>(k, 1); b < bins_; ++b) {
    const double degree = b - k < ramp_.size() ? ramp_[b - k] : 1;
    for (std::size_t c = 0; c <= classes_; ++c) {
      taken[c] += degree * static_cast<double>(sums[b * width_ + c]);
    }
  }
  return taken[classes_] - outcome_loss(std::span(taken).first(classes_), base_rates_);
}

double RiskScale::bound(const float* sums) const {
  double most = 0;
  for (std::size_t b = 1; b < bins_; ++b) most += static_cast<double>(sums[b * width_ + classes_]);
  return most;
}

}  // namespace frr::internal
