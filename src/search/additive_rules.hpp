// Fits additive rules, whose scores are added by class. For one rule at a time, every class and
// every weight 1.25^-k is tried, and the removal of the rule. The objective, which is the weight of
// the rows that are right minus the price of all conditions, never falls.
#pragma once

#include "base/control.hpp"
#include "search/search.hpp"

namespace frr::internal {

// Changes weights and classes of the rules and drops those that are not worth their price; all of
// them if ELSE alone has a higher objective. Returns the objective.
double fit_additive_rules(Search& search, const Settings& settings, Control& control);

}  // namespace frr::internal
