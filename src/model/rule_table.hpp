// The rule base as the cells of two tables, for documents of any format.
#pragma once

#include <string>
#include <vector>

#include "frr/rulebase.hpp"

namespace frr::internal {

struct RuleTable {
  struct Row {
    std::string number;                        // "1", ...; "0" for ELSE, which is last
    std::vector<std::string> conditions;       // "glucose IS high"; none for ELSE
    std::string then, weight, decides, right;  // may be empty
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
