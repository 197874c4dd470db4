// Moves the borders between labels that rules read, for the log-loss of the rules
// (risk_search.hpp).
#pragma once

#include <span>
#include <vector>

#include "base/control.hpp"
#include "labels/partition.hpp"
#include "risk/risk_search.hpp"
#include "search/tune.hpp"

namespace frr::internal {

// Tries other starts, other ends and other places of each border on a grid of quantiles, and keeps
// the best if it raises the objective. Changes `partition` and `memberships` (those of `search`)
// together. Returns whether a border moved.
bool move_risk_borders(Search& search, const RiskSearch& risk, const RiskTargets& targets,
                       Partition& partition, Memberships& memberships, TuneInput& input,
                       const Settings& settings, int threads, Control& control);

}  // namespace frr::internal
