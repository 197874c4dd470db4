// Rules that were found on a sample, brought up to all rows: each gets the class and the weight,
// and loses the conditions, that all rows tell; a rule that is not worth its conditions there goes;
// borders that rules read move to where more rows are right.
//
// Rows enter by the sums of worth.hpp alone, so they may be anywhere. All changes that gain are
// made at once; where the objective then turns out to be lower, because they do not go together,
// only the better half of them, and so on.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "frr/settings.hpp"
#include "search/border_moves.hpp"
#include "search/rule_scores.hpp"

namespace frr::internal {

struct SettleInput {
  // The sums for these rules and trials, over all rows.
  std::function<std::vector<std::int64_t>(const RuleBase& base,
                                          std::span<const BorderTrial> trials)>
      sums;
  std::vector<double> class_weights;  // one a class
  std::vector<double> class_rows;     // rows of each class, unweighted
  SampledValues values = {};
};
void settle(RuleBase& base, const SettleInput& input, const Settings& settings, Control& control);

}  // namespace frr::internal
