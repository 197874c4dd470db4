// One attempt at rules: gradient descent, extraction, polish and tuning; and the best of several.
//
// Where rows are many, gradient descent and search first run in heats, each on a part of the rows
// of its own and from a start of its own. What each has found is valued on all rows, and the best
// goes on there: which of several starts does best matters more than how many rows the first rules
// have seen.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/control.hpp"
#include "frr/rulebase.hpp"
#include "labels/membership.hpp"
#include "search/search.hpp"

namespace frr::internal {

// What all attempts of one training share.
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

struct Attempt {
  Partition partition;
  std::vector<LabelRule> rules;
  int otherwise = 0;
  double objective = 0;
  int epochs = 0;
  bool cut_short = false;
  double agreement = 100;
};

// Of settings.restarts attempts the one with the largest objective.
Attempt best_attempt(const Task& task, int threads, Control& control);

}  // namespace frr::internal
