// The smallest change of one numeric feature, all else equal, that changes the decision.
#pragma once

#include <optional>

#include "model/what_if.hpp"

namespace frr::internal {

struct NumericChange {
  double to = 0;        // a short decimal
  double distance = 0;  // |to - from| / scale of the feature
  Decision decision;    // of the row with the new value
};

// Of the feature that `what_if` varies: numeric, and not missing in the row.
//
// As a function of one feature the class can only change at a knot of its labels and where two
// scores cross. With the product (root 1) scores are linear between knots, so all crossings are
// found; otherwise each stretch between knots is sampled at 64 points, and two changes closer than
// that may be missed. `to` is the shortest decimal within 0.1% of the scale beyond the change. The
// scale is the feature's spread; where that is 0 the width of its range, else 1.
//
// Where the work that `what_if` allows is not enough (thousands of rules read the feature),
// stretches are sampled at fewer points, and changes far from the value may be missed.
std::optional<NumericChange> nearest_change(WhatIf& what_if);

}  // namespace frr::internal
