// Rounds the weights of additive rules for two classes to whole points, for a scorecard.
//
// With crisp labels every rule is true or false on a row, so that the total T of the points of the
// true rules is a whole number, and the probability of the second class is
//     p = 1 / (1 + exp(-(b + s T))).
// Points are whole numbers from -most to most. From several roundings of the fitted weights,
// single points are raised or lowered while that lowers
//     log-loss + price * conditions of the rules with points,
// with b and s refitted for every change. The rows enter only by the number of rows of each class
// for each total.
#pragma once

#include <span>
#include <vector>

#include "additive/additive_fit.hpp"
#include "frr/rulebase.hpp"

namespace frr::internal {

struct PointsRule {
  std::span<const float> truth;  // 0 or 1 for each row
  double weight = 0;             // fitted; below 0 if the rule is for the first class
  double price = 0;              // of its conditions, in nats
};

struct Points {
  std::vector<int> of_rule;   // 0: without it, the card is better
  double bias = 0;            // b
  double nats_per_point = 1;  // s > 0; 1 if no rule has points
  double loss = 0;            // in nats, without the price
};

// `rows`: of two classes, both of which occur.
Points fit_points(const AdditiveRows& rows, std::span<const PointsRule> rules, int most);

// Makes the slopes of a label crisp: each becomes a border at a short number near its middle.
void make_crisp(Label& label);

}  // namespace frr::internal
