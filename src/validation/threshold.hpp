// The threshold on the probability of the positive class that reaches a sensitivity or specificity.
#pragma once

#include <span>

namespace frr::internal {

// Rows with a probability of the positive class. Those of weight 0 do not count.
struct PositiveProbabilities {
  std::span<const double> probabilities;
  std::span<const char> positive;   // whether the row is of the positive class
  std::span<const double> weights;  // none: all 1
};

enum class TargetMeasure { sensitivity, specificity };

struct ChosenThreshold {
  double threshold = 0;  // above 0, below 1
  double sensitivity = 0, specificity = 0;
  bool all = false;   // every row is predicted positive
  bool none = false;  // no row is
};

// Of the thresholds whose sensitivity is at least `wanted`, one with the best specificity; and the
// other way round. It lies between two neighbouring probabilities, near the middle, and has few
// digits. `wanted`: above 0, below 1. Throws Error{data} if no threshold reaches it.
ChosenThreshold choose_threshold(const PositiveProbabilities& rows, TargetMeasure measure,
                                 double wanted);

}  // namespace frr::internal
