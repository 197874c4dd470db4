// Why a row got its class, as data that a terminal, a page or another program can present.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "frr/api.hpp"
#include "frr/rulebase.hpp"

namespace frr {

struct ConditionTruth {
  Condition condition;
  double membership = 0;  // [0, 1]
  std::string value;      // of the row, as in the table; "" if missing
};

struct RuleTruth {
  int rule = 0;
  double truth = 0;  // T(memberships)^(1/root)
  double score = 0;  // weight * truth
  std::vector<ConditionTruth> conditions;
};

// A change of one feature that gives the row another class, all else being equal.
struct Change {
  int feature = 0;
  std::string from;  // current value, as in the table
  // New value. A category: the first that changes the class. A number: the shortest decimal that
  // changes it and is at most 0.1 % of the feature's spread beyond the nearest number that does.
  std::string to;
  double distance = 0;  // numeric: |to - from| / spread of the feature; category: 1
  int predicted = 0;    // class after the change
  int rule = 0;         // rule that then decides (Decision::otherwise for ELSE)
};

struct Explanation {
  Decision decision;
  std::vector<double> probabilities;  // one per class
  bool referred = false;              // to a person, by base.policy
  // Additive semantics: the score of each class, which is its bias plus the scores of its rules.
  std::vector<double> scores;
  std::optional<RuleTruth> winner;     // absent if ELSE decides
  std::optional<RuleTruth> runner_up;  // strongest rule of another class with a positive score
  std::vector<RuleTruth> rules;        // every rule, in the order of the model
  // Winner's score minus the runner-up's (0 if absent). Additive semantics: the score of the
  // predicted class minus the largest of the others; below 0 if costs or a threshold decided.
  double margin = 0;
  // The smallest change of each feature, nearest first. Features that no rule reads, features whose
  // value is missing in this row, and features that cannot change the class have none.
  std::vector<Change> changes;
  // False if the search for changes was cut short because the model is large (thousands of rules):
  // then `changes` may lack some, or list some that are not the smallest.
  bool changes_complete = true;
};

// `row` counts from 0. Throws Error{data} if a column that the rules read is absent or of the wrong
// type, Error{usage} if the table has no such row.
FRR_API Explanation explain(const RuleBase& base, const Table& table, std::size_t row);

}  // namespace frr
