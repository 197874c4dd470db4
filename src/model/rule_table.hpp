// The rule base as the cells of two tables, for documents of any form.
#pragma once

#include <string>
#include <vector>

#include "frr/rulebase.hpp"

namespace frr::internal {

struct RuleTable {
  struct Row {
    std::string number;                        // "1", ...; "0" for ELSE, which is last
    std::vector<std::string> conditions;       // "glucose IS high"; none for ELSE
    std::string then, weight, decides, right;  // "" where there is nothing to say
  };
  struct Meaning {
    std::string feature, label, text;
  };
  std::vector<Row> rows;
  std::string method;             // a sentence or two: how it is decided
  std::vector<Meaning> meanings;  // of the labels of numeric features that rules read
};

// Texts are as in the data: whoever writes them escapes them.
RuleTable make_rule_table(const RuleBase& base);

}  // namespace frr::internal
