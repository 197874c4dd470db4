// What a rule base is worth on rows: the scale of scores, the degree to which a row is right, the
// price of conditions, the ELSE class and balanced classes. Everything that searches uses these.
//
// Scores are compared on a logarithmic scale whose unit is a factor of 1.25 (a "step"). A row
// belongs to its true class to the degree
//     ramp(x) = clamp((x + margin) / (2 margin), 0, 1),   x = steps by which the best score of the
//                                                         true class exceeds the best of others,
// so that clear decisions count more than narrow ones (margin 0: the number of right rows). Where
// no rule has a positive score, the ELSE class decides alone. The objective is the sum of the
// degrees of all rows minus the price of all conditions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "frr/settings.hpp"

namespace frr::internal {

inline constexpr double step_factor = 1.25;

// A score in steps of a rule that is not true of the row is -never.
inline constexpr float never = std::numeric_limits<float>::infinity();

// The score (or weight) of this many steps: step_factor^steps. Of a weight in (0, 1], its steps.
double score_of_steps(double steps);
float steps_of_weight(double weight);

inline double ramp(double lead, double margin) {
  if (margin <= 0) return lead > 0 ? 1 : 0;
  return std::clamp((lead + margin) / (2 * margin), 0.0, 1.0);
}

// ramp() of a row whose true class scores `right` steps at best and other classes `wrong`; -never
// where no rule of that side covers it. `otherwise_right`: ELSE gives the true class.
inline double degree_right(float right, float wrong, bool otherwise_right, double margin) {
  if (right == -never && wrong == -never) return otherwise_right ? 1 : 0;
  if (right == -never) return 0;
  if (wrong == -never) return 1;
  return ramp(right - wrong, margin);
}

// What a condition must gain, in rows; `rows` is their weight.
inline double condition_price(const Settings& settings, double rows) {
  return settings.price + settings.price_rate * rows;
}

// The class of most rows that no rule covers (by weight) or, if all are covered, of most rows.
int choose_otherwise_class(std::span<const double> uncovered, std::span<const double> all);

// Class weights that make all classes that occur weigh the same and leave the sum as it is.
class ClassBalance {
 public:
  explicit ClassBalance(std::span<const double> weight_by_class);
  // The new weight of a row (or class) of class c.
  [[nodiscard]] double balanced(double weight, std::size_t c) const {
    return by_class_[c] > 0 ? weight * all_ / (present_ * by_class_[c]) : weight;
  }

 private:
  std::vector<double> by_class_;
  double all_, present_;
};

}  // namespace frr::internal
