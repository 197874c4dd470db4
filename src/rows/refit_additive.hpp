// Refits the biases and weights of additive rules that were found on a sample to all rows, by
// log-loss with the ridge of additive_fit.hpp. Rules whose weight becomes 0 are dropped. Of a
// scorecard, the points stay, and only the biases and nats_per_point are refitted.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "frr/rulebase.hpp"

namespace frr::internal {

struct AdditiveRefitInput {
  // The sums of loss_sums for these rules at `point`, over all rows.
  std::function<std::vector<std::int64_t>(const RuleBase& base, std::span<const double> point,
                                          int fraction_bits)>
      loss_sums;
  std::uint64_t rows = 0;  // usable ones
};
void refit_additive(RuleBase& base, const AdditiveRefitInput& input, Control& control);

}  // namespace frr::internal
