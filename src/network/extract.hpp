// Converts the network to a rule base. The rules follow the network's hard choices (network.hpp):
// one for each rule of the network that keeps a slot, in the same order.
#pragma once

#include <span>
#include <vector>

#include "labels/label_rule.hpp"
#include "labels/membership.hpp"
#include "model/column_map.hpp"
#include "network/network.hpp"

namespace frr::internal {

std::vector<LabelRule> extract_rules(std::span<const HardRule> hard);

// The rule base of these rules, with conditions instead of columns. Its statistics are empty.
RuleBase make_rulebase(const Partition& partition, const Memberships& memberships,
                       std::span<const LabelRule> rules, int otherwise, const Settings& settings);

// The percentage of rows on which the network's hard inference and `base` give the same class. If
// no rule of the network has a positive score, the network's class is the ELSE class of `base`.
double agreement(const NetworkRule& network, std::span<const HardRule> hard, const RuleBase& base,
                 const Memberships& memberships, const ColumnMap& map,
                 std::span<const std::uint32_t> rows, int threads = 1);

}  // namespace frr::internal
