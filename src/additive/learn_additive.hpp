// Learns additive rules: greedily, one rule at a time, with all biases and weights refitted after
// every change. A change is kept if it lowers
//
//     loss (additive_fit.hpp) + additive_price * conditions,   both in nats.
//
// Growing takes the best of a few candidates; then the borders of the labels in use are moved, more
// rules are tried, and rules and conditions that do not earn their price are removed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "additive/additive_fit.hpp"
#include "base/control.hpp"
#include "frr/rulebase.hpp"
#include "labels/label_rule.hpp"
#include "labels/membership.hpp"

namespace frr::internal {

// The price of a condition in nats: 1 at the default of settings.price.
inline double additive_price(const Settings& settings) { return 10 * settings.price; }

struct AdditiveTask {
  const Table& table;
  std::span<const std::uint32_t> rows;  // of the table
  AdditiveRows examples;                // the same rows
  const Settings& settings;
  const std::vector<bool>& fixed;         // features whose labels never move
  std::span<const LabelRule> start = {};  // the first rules; without polish, there are no others
  int threads;
};

struct AdditiveRules {
  std::vector<LabelRule> rules;
  std::vector<double> biases;
  // Scorecard, if it has rules: their weights are whole multiples of this number.
  std::optional<double> nats_per_point = {};
  double objective = 0;
};

// Moves borders in `partition` and `memberships` together.
AdditiveRules learn_additive(const AdditiveTask& task, Partition& partition,
                             Memberships& memberships, Control& control);

}  // namespace frr::internal
