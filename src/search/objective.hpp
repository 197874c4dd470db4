// The objective of every search over rules: the scale of scores, the degree to which a row is
// right, the price of conditions, the ELSE class and class balance.
//
// Scores are compared on a logarithmic scale whose unit is a factor of 1.25 (a "step"). A row is
// right to the degree
//     ramp(x) = clamp((x + margin) / (2 margin), 0, 1),
// where x is the number of steps by which the best score of its true class exceeds the best score
// of other classes. Clear decisions therefore count more than narrow ones; with margin 0 the
// degrees count the right rows. If no rule has a positive score, the degree is 1 if the ELSE class
// is right, else 0. The objective is the sum of the degrees of all rows minus the price of all
// conditions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "frr/settings.hpp"

namespace frr::internal {

inline constexpr double step_factor = 1.25;

// The score in steps of a rule that does not cover the row is -never.
inline constexpr float never = std::numeric_limits<float>::infinity();

// step_factor^steps, and its inverse for a weight in (0, 1].
double score_of_steps(double steps);
float steps_of_weight(double weight);

inline double ramp(double lead, double margin) {
  if (margin <= 0) return lead > 0 ? 1 : 0;
  return std::clamp((lead + margin) / (2 * margin), 0.0, 1.0);
}

// The degree to which a row is right, given the best scores in steps of rules of its true class
// (`right`) and of other classes (`wrong`); -never if there are none. `otherwise_right`: the ELSE
// class is the true class.
inline double degree_right(float right, float wrong, bool otherwise_right, double margin) {
  if (right == -never && wrong == -never) return otherwise_right ? 1 : 0;
  if (right == -never) return 0;
  if (wrong == -never) return 1;
  return ramp(right - wrong, margin);
}

// The price of a condition, in rows; `rows` is the total weight of the rows.
inline double condition_price(const Settings& settings, double rows) {
  return settings.price + settings.price_rate * rows;
}

// The most frequent class (by weight) of the rows that no rule covers; if all are covered, of all
// rows.
int choose_otherwise_class(std::span<const double> uncovered, std::span<const double> all);

// Class weights that give all classes that occur the same total weight and keep the sum.
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
