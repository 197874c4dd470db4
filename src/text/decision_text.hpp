// Probabilities, costs and thresholds in words, for everything that shows rules to people.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "frr/rulebase.hpp"

namespace frr::internal {

// "86 %", "1.7 %", "99.6 %": two significant digits below 10 %, and above 99 % of the difference to
// 100 %. Only 0 and 1 are shown as 0 % and 100 %.
std::string percent_text(double probability);

// A ratio or a cost: three significant digits, "20", "0.333".
std::string ratio_text(double value);

// "+1.20", "-0.35": a score or bias, in nats.
std::string signed_text(double nats);

// "2.5": the lift of a probability over the base rate; with lift_text, "2.5 times the average" or
// "as on average". "" if the base rate is 0.
std::string lift_number(double probability, double base_rate);
std::string lift_text(double probability, double base_rate);

// The name of a class within a sentence: in quotes unless it is a word.
std::string class_text(const RuleBase& base, int index);

// "ill 5.2 %, well 94.8 %", from the most probable class; at most `limit` classes.
std::string distribution_text(const RuleBase& base, std::span<const double> probabilities,
                              std::size_t limit = 12);

// Why base.policy predicts `predicted` although another class is more probable: "a miss counts as
// 20 false alarms". "" if no class is more probable.
std::string why_not_most_probable(const RuleBase& base, std::span<const double> probabilities,
                                  int predicted);

// The same for a rule (Decision::otherwise: ELSE) with sufficient semantics: "THEN ill: 14 % of
// these rows are ill, 3 times the average; a miss counts as 20 false alarms". "" if the rule has no
// training rows.
std::string why_then(const RuleBase& base, int rule);

// How classes are chosen, if not simply the most probable one, and which cases are referred to a
// person: one sentence each.
std::vector<std::string> policy_sentences(const RuleBase& base);

}  // namespace frr::internal
