// The rule base as the cells of two tables, for documents of any format.
#pragma once

#include <string>
#include <vector>

#include "frr/rulebase.hpp"

namespace frr::internal {

struct RuleTable {
  struct Row {
    std::string number;                   // "1", ...; "0" for ELSE, which is last
    std::vector<std::string> conditions;  // "glucose IS high"; none for ELSE
    // May be empty. Weight: with additive semantics, "+1.20", or the points of a scorecard.
    // Decides: with additive semantics, the rows on which the rule is at least half true. Right:
    // fraction of these rows of the class.
    std::string then, weight, decides, right;
    std::string probability, lift;  // "86 %"; "2.5" for 2.5 times the base rate
    std::string reason;             // why `then` is not the most probable class: see why_then
  };
  struct Meaning {
    std::string feature, label, text;
  };
  std::vector<Row> rows;
  std::string method;             // one or two sentences: how rules decide
  std::vector<Meaning> meanings;  // of the labels of numeric features that rules read
};

// Text is as in the data: the caller escapes it.
RuleTable make_rule_table(const RuleBase& base);

}  // namespace frr::internal
