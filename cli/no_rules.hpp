// What to say about a model that has no rule.
#pragma once

#include <string>

#include "frr/rulebase.hpp"
#include "terminal.hpp"

namespace frr::cli {

// Warns if `base` has no rule: then it gives every row the same class.
void warn_of_no_rules(const RuleBase& base, Terminal& terminal);

}  // namespace frr::cli
