// Learns sufficient rules by log-loss: polishes rules from several starts, moves borders, and keeps
// the rules with the best objective (risk_search.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "additive/learn_additive.hpp"

namespace frr::internal {

struct RiskRules {
  std::vector<LabelRule> rules;
  int otherwise = 0;
  double objective = 0;
};

// The starts are `task.start`, no rules, and additive rules. Returns rules whose classes are the
// most probable ones. Moves borders in `partition`; `memberships` are those before.
RiskRules learn_risk(const AdditiveTask& task, Partition& partition, Memberships memberships,
                     std::uint64_t seed, Control& control);

}  // namespace frr::internal
