// The smallest change of one numeric feature, all else equal, that changes the decision.
#pragma once

#include <optional>
#include <span>

#include "frr/rulebase.hpp"

namespace frr {

struct NumericChange {
  double to = 0;        // a short decimal
  double distance = 0;  // |to - from| / scale of the feature
  Decision decision;    // of the row with the new value
};

// `row` holds the values of all features that occur in rules; `feature` is numeric there and not
// missing. Every decision reported was made by decide().
//
// As a function of one feature the class can only change at a knot of its labels and where two
// scores cross. With the product (root 1) scores are linear between knots, so all crossings are
// found; otherwise each stretch between knots is sampled at 64 points, and two changes closer than
// that may be missed. `to` is the shortest decimal within 0.1% of the scale beyond the change. The
// scale is the feature's spread; where that is 0 the width of its range, else 1.
std::optional<NumericChange> nearest_change(const RuleBase& base,
                                            std::span<const Binding::Value> row, int feature);

}  // namespace frr
