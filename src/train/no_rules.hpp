// What to try if no rule was worth its price.
#pragma once

#include <string>
#include <vector>

#include "frr/rulebase.hpp"
#include "frr/settings.hpp"

namespace frr::internal {

// Options of another training that may find rules where one with these settings found none, best
// first: "--objective risk". `objective`: the one that was used, never `automatic`.
std::vector<std::string> options_for_rules(const Settings& settings, Objective objective);
// The same for a model, from the settings that it records. A setting that it does not record is
// taken to be the default.
std::vector<std::string> options_for_rules(const RuleBase& base);

// "--objective risk, --semantics additive or --price 0"
std::string to_try(const std::vector<std::string>& options);

}  // namespace frr::internal
