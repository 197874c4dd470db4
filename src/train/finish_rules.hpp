// The last step of a training: the order, weights, classes and statistics of the rules as people
// read them.
#pragma once

#include <functional>
#include <span>

#include "base/control.hpp"
#include "frr/frr.hpp"

namespace frr::internal {

// Puts the rules in order, drops idle ones, sets the policy, and records the accuracy on the
// training rows. `count` sets the statistics of a rule base and returns the weight of the rows that
// it predicts correctly. `class_weights`: one per class.
void finish_rules(RuleBase& base, const std::function<double(RuleBase&)>& count,
                  const TrainRequest& request, std::span<const double> class_weights,
                  Control& control);

}  // namespace frr::internal
