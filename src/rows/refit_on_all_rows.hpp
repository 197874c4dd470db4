// Refits rules that were found on a sample to all rows. Each rule gets the class and the weight
// that are best on all rows, and loses conditions that are not worth their price there. Rules that
// are not worth the price of their conditions are dropped. Borders that rules read move to where
// more rows are right.
//
// All changes that gain are made at once. If they do not combine, so that the objective is lower
// afterwards, only the better half of them is made, and so on.
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

struct RefitInput {
  // The sums of rule_score_sums for these rules and trials, over all rows.
  std::function<std::vector<std::int64_t>(const RuleBase& base,
                                          std::span<const BorderTrial> trials)>
      rule_scores;
  std::vector<double> class_weights;  // one per class
  std::vector<double> class_rows;     // rows of each class, unweighted
  SampledValues values = {};
};
void refit_on_all_rows(RuleBase& base, const RefitInput& input, const Settings& settings,
                       Control& control);

}  // namespace frr::internal
