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
};

// Of the thresholds whose sensitivity is at least `wanted`, one with the best specificity; and the
// other way round. It lies between two neighbouring probabilities, near the middle, and has few
// digits. `wanted`: above 0; if it is above 1, all rows are predicted positive for a sensitivity,
// and none for a specificity. Throws Error{data} if no threshold above 0 and below 1 reaches it, or
// if all rows are of one class.
ChosenThreshold choose_threshold(const PositiveProbabilities& rows, TargetMeasure measure,
                                 double wanted);

// A model sees its training rows with better probabilities than new ones, so a threshold that
// reaches a target on them does not reach it on new rows. And probabilities of different models
// need not mean the same, above all if there are few distinct ones. Out-of-fold predictions
// therefore choose the level that a threshold must reach on the rows that the model has seen.
struct FoldProbabilities {
  PositiveProbabilities seen, unseen;  // by the same model
};
struct TargetLevel {
  double level = 0;    // for choose_threshold; above 1 if no level up to 1 is enough
  double reached = 0;  // on the unseen rows of all folds
};
// The lowest level for which the thresholds of the folds reach `wanted` on the unseen rows of all
// folds together.
TargetLevel choose_level(std::span<const FoldProbabilities> folds, TargetMeasure measure,
                         double wanted);

}  // namespace frr::internal
