// Additive rules: class and weight of every rule, chosen together with the others. One rule at a
// time, every class and every weight 1.25^-k, or no rule at all, is tried; the sum over rows of
// right decisions minus the price of all conditions never falls.
#pragma once

#include "base/control.hpp"
#include "search/search.hpp"

namespace frr::internal {

// Changes weights and classes of the rules and drops those that are not worth their price, all of
// them if ELSE alone is worth more. Returns what the rules are worth.
double fit_votes(Search& search, const Settings& settings, Control& control);

}  // namespace frr::internal
