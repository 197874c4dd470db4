// Network -> rule base. The rules follow the network's hard choices (network.hpp): one rule for
// each of the network's rules that keeps a slot, in its order.
#pragma once

#include <span>
#include <vector>

#include "labels/label_rule.hpp"
#include "labels/membership.hpp"
#include "model/column_map.hpp"
#include "network/network.hpp"

namespace frr::internal {

std::vector<LabelRule> extract_rules(std::span<const HardRule> hard);

// The discrete model of these rules: conditions in place of columns. Statistics are left empty.
RuleBase make_rulebase(const Partition& partition, const Memberships& memberships,
                       std::span<const LabelRule> rules, int otherwise, const Settings& settings);

// Percent of the rows on which the network's hard inference and `base` give the same class; where
// no rule of the network fires, the ELSE class of `base` is its answer.
double agreement(const NetworkRule& network, std::span<const HardRule> hard, const RuleBase& base,
                 const Memberships& memberships, const ColumnMap& map,
                 std::span<const std::uint32_t> rows, int threads = 1);

}  // namespace frr::internal
