// Nearby places to try for the borders between labels that rules read.
#pragma once

#include <span>
#include <vector>

#include "frr/rulebase.hpp"
#include "search/border_scores.hpp"

namespace frr::internal {

// Per feature: the sorted values of randomly drawn rows; empty if its borders must not move.
using SampledValues = std::vector<std::vector<double>>;

// The trials of every border that rules read, if its feature has values. They move the start, the
// end, both in the same direction, or both towards or away from each other, by 1/100 and by 1/400
// of the rows. The new places are short numbers between the neighbouring borders. Trials of the
// same border are adjacent.
std::vector<BorderTrial> border_trials(const RuleBase& base, const SampledValues& values);

// Moves the border, unless it would now cross a neighbouring border.
void move_border(RuleBase& base, const BorderTrial& trial);

}  // namespace frr::internal
