// The smallest change of one numeric feature that changes the decision, all else being equal.
#pragma once

#include <optional>

#include "model/what_if.hpp"

namespace frr::internal {

struct NumericChange {
  double to = 0;        // a short decimal
  double distance = 0;  // |to - from| / scale of the feature
  Decision decision;    // of the row with the new value
};

// For the feature that `what_if` varies, which is numeric and not missing in the row.
//
// As a function of one feature, the class can change only at a knot of its labels and where two
// scores cross. With the product (root 1), scores are linear between knots, so all crossings are
// found. Otherwise each interval between knots is sampled at 64 points, and two changes that are
// closer than that may be missed. `to` is the shortest decimal within 0.1% of the scale beyond the
// change. The scale is the feature's spread; if that is 0, the width of its range, or else 1.
//
// If the work that `what_if` allows is not enough (if thousands of rules read the feature),
// intervals are sampled at fewer points, and changes far from the value may be missed.
std::optional<NumericChange> nearest_change(WhatIf& what_if);

}  // namespace frr::internal
