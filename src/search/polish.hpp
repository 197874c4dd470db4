// Exact coordinate search on the rules. From the best score o_i of all other rules on every row i,
// and the class of that rule, it computes the gain of every replacement, addition and removal of
// one condition of a rule, for all classes and weights at once.
//
// With truth t_i the rule takes row i if w t_i > o_i. Let h_i = log t_i - log o_i, in steps
// (objective.hpp). At weight 1.25^-k the rule takes the row to the degree ramp(h_i - k), so the
// gain of class c is
//     gain(c, k) = sum_i omega_i ramp(h_i - k) ([y_i = c] - [others are right on i]).
// One histogram of h_i by class gives it for all c and k (valuation.hpp). The net gain of a rule is
// its gain minus the price of its conditions. Rules without a net gain are removed, and new rules
// are added up to the maximum.
//
// One pass fills the histograms of 16 labels, over the rows that the other conditions leave within
// reach of some weight; it is skipped if these rows could not gain enough. If there are many
// labels, the gains of all are computed on a quarter of the rows, and only those of the best on all
// rows.
#pragma once

#include "base/control.hpp"
#include "base/random.hpp"
#include "search/search.hpp"
#include "search/valuation.hpp"

namespace frr::internal {

// Improves the rules in place, in at most settings.sweeps sweeps over all rules in random order,
// until a sweep changes nothing. Keeps to settings.rules rules of settings.conditions conditions.
// Returns whether anything changed.
bool polish(Search& search, const Settings& settings, Random& random, int threads,
            Control& control);

}  // namespace frr::internal
