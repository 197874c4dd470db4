// Exact coordinate search on the rule base: for one rule, with the best score o_i and its class of
// all other rules known for every row, every replacement, addition and removal of one condition is
// valued for every class and weight at once.
//
// With truth t_i, the rule takes row i when w t_i > o_i. On the logarithmic scale of search.hpp let
// h_i = log t_i - log o_i; at weight 1.25^-k the rule takes the row to the degree ramp(h_i - k).
// The gain of class c is
//     gain(c, k) = sum_i omega_i ramp(h_i - k) ([y_i = c] - [others are right on i]),
// read for all c and k from one histogram of h_i by class. A rule is worth its gain minus the price
// of its conditions; one that is worth nothing goes, and unused rules are filled from nothing.
// Histograms of 16 labels are filled in one pass over the rows that the other conditions leave
// within reach of some weight; where those could not gain enough, none is filled. Of many labels
// only those that do best on a quarter of the rows are valued on all.
#pragma once

#include "base/control.hpp"
#include "base/random.hpp"
#include "search/search.hpp"
#include "search/valuation.hpp"

namespace frr::internal {

// Improves the rules in place until a sweep over all of them (in random order) changes nothing, or
// settings.sweeps. Never more than settings.rules rules or settings.conditions conditions. Returns
// whether anything changed.
bool polish(Search& search, const Settings& settings, Random& random, int threads,
            Control& control);

}  // namespace frr::internal
