// Accuracy and size of rule bases, and cross-validation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "frr/api.hpp"
#include "frr/rulebase.hpp"

namespace frr {

struct Evaluation {
  double accuracy = 0;           // percent
  double balanced_accuracy = 0;  // percent: mean recall of the classes that occur
  std::vector<std::vector<std::size_t>> confusion;  // [true class][predicted class]
};

// Evaluates the rows of `table` whose class is known: those where the column base.target holds one
// of base.classes.
FRR_API Evaluation evaluate(const RuleBase& base, const Table& table);

struct FoldResult {
  double accuracy = 0, balanced_accuracy = 0, train_accuracy = 0;  // percent
  double rules = 0, conditions = 0, unique_conditions = 0;
  double fit_seconds = 0;  // wall time of training
};

struct CrossValidation {
  std::string dataset;
  std::size_t rows = 0, features = 0, classes = 0;
  std::vector<FoldResult> folds;
  FoldResult mean, deviation;  // over folds; sample standard deviation, 0 for one fold
  std::vector<std::string> class_names;
  std::vector<std::vector<std::size_t>> confusion;  // summed over folds
  std::vector<std::string> notes;  // sentences: columns left out, trainings cut short, ...
};

// One point of a path: the cross-validation with at most `budget` rules.
struct PathPoint {
  int budget = 0;
  std::vector<FoldResult> folds;
  FoldResult mean, deviation;  // over folds, as in CrossValidation
  double accuracy_error = 0;   // standard error of mean.accuracy: deviation / sqrt(folds)
};

// Accuracy by number of rules. `best` and `recommended` are indices of `points`.
struct AccuracyPath {
  std::string dataset;
  std::size_t rows = 0, features = 0, classes = 0;
  std::vector<PathPoint> points;  // budgets 1, 2, ..., with the same folds
  std::size_t best = 0, recommended = 0;
  std::vector<std::string> notes;  // sentences: columns left out, trainings cut short, ...
};

// The first point with the largest mean accuracy. `points`: at least one, by ascending budget.
// Means that differ by less than 1e-9 percent count as equal.
FRR_API std::size_t best_point(std::span<const PathPoint> points);
// The one-standard-error rule: the first point whose mean accuracy is at least
// best.mean.accuracy - best.accuracy_error. A smaller difference may well be due to chance.
FRR_API std::size_t recommended_point(std::span<const PathPoint> points);

// The policy of `request` for a model, as make_policy. If it asks for a sensitivity or specificity
// of the positive class, chooses the threshold that reaches it on out-of-fold predictions, or if
// `table` does not hold the training rows, on the predictions of the model: of the thresholds that
// reach a sensitivity, one with the best specificity, and the other way round. Out-of-fold
// predictions are those of trainings as the model records them, each without the rows that it
// predicts. Throws Error{usage} as make_policy, and Error{data} if the target cannot be reached or
// the table lacks the target or columns that the rules read. Put the result into base.policy, then
// call apply_policy.
FRR_API DecisionPolicy choose_policy(const RuleBase& base, const Table& table,
                                     const PolicyRequest& request, int threads = 0);

// The fold number of each row: `folds` folds of nearly equal size with nearly equal proportions of
// the classes, shuffled by `seed`. Rows of class -1 get fold -1.
FRR_API std::vector<int> stratified_folds(std::span<const int> classes, int folds,
                                          std::uint64_t seed);

// Reads fold numbers from a file: one whole number (>= 0) per line, one line per row of the table.
// Throws Error{data} unless there are `rows` of them, and at least two distinct ones.
FRR_API std::vector<int> read_folds(const std::string& path, std::size_t rows);

}  // namespace frr
