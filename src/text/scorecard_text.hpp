// A scorecard as a card that people fill in by hand. All functions need a scorecard: a model with
// nats_per_point.
#pragma once

#include <string>
#include <vector>

#include "frr/rulebase.hpp"

namespace frr::internal {

// "+3", "-1"
std::string points_text(int points);

// The card: a line with a box for each rule, and the table from the total to the risk. Hidden
// characters appear as escapes.
std::string scorecard_text(const RuleBase& base);

// How the points give a probability, in one or two sentences.
std::string scorecard_method(const RuleBase& base);

// The table from the total to the risk: the cells of each line.
struct RiskLine {
  std::string points, risk, predicted;  // "2 to 3", "4.8 to 9.1 %", "ill"
};
std::vector<RiskLine> risk_lines(const RuleBase& base);

}  // namespace frr::internal
