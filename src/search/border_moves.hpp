// Other places for the borders between labels that rules read, near where they are.
#pragma once

#include <span>
#include <vector>

#include "frr/rulebase.hpp"
#include "search/border_scores.hpp"

namespace frr::internal {

// Per feature: values of rows drawn at random, sorted; none where its borders stay.
using SampledValues = std::vector<std::vector<double>>;

// For every border in use whose feature has values: its start, its end, both, and both towards or
// away from each other, moved by a 100th and by a 400th of the rows, as short numbers between
// the neighbouring borders. Trials of one border stand together.
std::vector<BorderTrial> border_trials(const RuleBase& base, const SampledValues& values);

// Moves the border, unless a neighbour has moved into its way.
void move_border(RuleBase& base, const BorderTrial& trial);

}  // namespace frr::internal
