// The last step of a training: the order, weights and statistics of the rules as people read them.
#pragma once

#include <functional>

#include "base/control.hpp"
#include "frr/rulebase.hpp"
#include "frr/settings.hpp"

namespace frr::internal {

// Puts the rules in order, drops idle ones and records the accuracy on the training rows. `count`
// sets the statistics of a rule base.
void finish_rules(RuleBase& base, const std::function<void(RuleBase&)>& count,
                  const Settings& settings, Control& control);

}  // namespace frr::internal
