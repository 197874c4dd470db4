// Why a row got its class: typed, so that a terminal, a page or a program can tell it its own way.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "frr/rulebase.hpp"

namespace frr {

struct ConditionTruth {
  Condition condition;
  double membership = 0;  // [0, 1]
  std::string value;      // what the row holds, as in the table; "" if missing
};

struct RuleTruth {
  int rule = 0;
  double truth = 0;  // T(memberships)^(1/root)
  double score = 0;  // weight * truth
  std::vector<ConditionTruth> conditions;
};

// A change of one feature, all else equal, after which the row gets another class.
struct Change {
  int feature = 0;
  std::string from;  // present value, as in the table
  // New value: a category (the first that changes the class), or a decimal as short as still
  // changes the class, at most 0.1% of the feature's spread beyond the nearest number that does.
  std::string to;
  double distance = 0;  // numeric: |to - from| / spread of the feature; category: 1
  int predicted = 0;    // class after the change
  int rule = 0;         // rule that decides then (Decision::otherwise for ELSE)
};

struct Explanation {
  Decision decision;
  std::vector<double> probabilities;   // one a class
  std::optional<RuleTruth> winner;     // none if ELSE decides
  std::optional<RuleTruth> runner_up;  // strongest rule of another class with a positive score
  std::vector<RuleTruth> rules;        // every rule, in their order
  double margin = 0;  // winner's score - runner-up's (0 for absent); additive: of class sums
  // The smallest one of each feature that has one, nearest first. Features that no rule reads and
  // those that are missing on this row have none.
  std::vector<Change> changes;
  // False for a model so large (thousands of rules) that the search for changes was cut short:
  // there may be changes that are missing here or smaller ones than those listed.
  bool changes_complete = true;
};

// `row` is counted from 0. Throws Error{data} if a column that the rules read is absent or of the
// wrong type, Error{usage} if the table has no such row.
Explanation explain(const RuleBase& base, const Table& table, std::size_t row);

}  // namespace frr
