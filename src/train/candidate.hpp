// Task: what all candidates of one training share. Candidate: the rules from one start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frr/frr.hpp"
#include "labels/membership.hpp"
#include "search/search.hpp"

namespace frr::internal {

struct Task {
  const Table& table;                   // the user's
  std::span<const std::uint32_t> real;  // rows of it
  const Table& source;                  // of the examples
  std::span<const std::uint32_t> rows;  // of `source`
  const std::vector<std::string>& class_names;
  const Settings& settings;
  const Partition& partition;
  const Memberships& labels;       // without rows: which column is which label
  std::size_t learned;             // rows, the first ones, that gradient descent sees
  std::span<const int> classes;    // of `rows`
  std::span<const float> weights;  // of `rows`
  std::vector<bool> fixed;         // features whose labels the user gave
};

// Whether rules are learned by log-loss: on real rows alone, without class weights, because their
// probabilities are to be those of real rows.
inline bool by_log_loss(const Settings& settings) {
  return settings.semantics == Semantics::additive || settings.objective == Objective::risk;
}

// Whether gradient descent gives the first rules. The search for additive rules does better without
// (docs/explanation/method.md).
inline bool descends(const Settings& settings) {
  return settings.gradient && (settings.semantics == Semantics::sufficient || !settings.polish);
}

struct Candidate {
  Partition partition;
  std::vector<LabelRule> rules;
  int otherwise = 0;
  std::vector<double> biases;                 // additive semantics: one per class
  std::optional<double> nats_per_point = {};  // of a scorecard
  double objective = 0;
  int epochs = 0;
  bool cut_short = false;
  double agreement = 100;
};

}  // namespace frr::internal
