// What each sum of points of a scorecard means.
#pragma once

#include <cstddef>
#include <vector>

#include "frr/rulebase.hpp"

namespace frr::internal {

// The probability of the positive class at a sum of points:
//     1 / (1 + exp(-(bias_positive - bias_other + nats_per_point * points)))
double points_probability(const RuleBase& base, int points);

// The class that is predicted at a sum of points.
int points_class(const RuleBase& base, int points);

// One line of the table from points to risk: the sums from `least` to `most`, which are both
// reachable, and the probability of the positive class at these two.
struct PointsRange {
  int least = 0, most = 0;
  double low = 0, high = 0;
  int predicted = 0;  // the class for all these sums
};

// The sums that a case can reach, in ascending order: a value belongs to one interval of crisp
// labels, or is missing. Each sum has one line. If there are more than `max_lines` (>= 2), a line
// is a group of them: the sums between multiples of a round width (2, 5, 10, 20, 50, ...) for which
// the same class is predicted. Empty if `base` is not a scorecard.
std::vector<PointsRange> points_table(const RuleBase& base, std::size_t max_lines = 40);

}  // namespace frr::internal
