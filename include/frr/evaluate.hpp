// How good and how large a rule base is, and cross-validation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "frr/rulebase.hpp"

namespace frr {

struct Evaluation {
  double accuracy = 0;           // percent
  double balanced_accuracy = 0;  // percent: mean recall of the classes that occur
  std::vector<std::vector<std::size_t>> confusion;  // [true class][predicted class]
};

// On the rows of `table` whose class is known: its column base.target names one of base.classes.
Evaluation evaluate(const RuleBase& base, const Table& table);

struct FoldResult {
  double accuracy = 0, balanced_accuracy = 0, train_accuracy = 0;  // percent
  double rules = 0, conditions = 0, unique_conditions = 0;
  double fit_seconds = 0;  // wall time of training
};

struct CrossValidation {
  std::string dataset;
  std::size_t rows = 0, features = 0, classes = 0;
  std::vector<FoldResult> folds;
  FoldResult mean, deviation;  // over folds; deviation: of the sample, 0 for one fold
  std::vector<std::string> class_names;
  std::vector<std::vector<std::size_t>> confusion;  // summed over folds
  std::vector<std::string> notes;  // sentences: columns left out, trainings cut short, ...
};

// One budget of a path: the rule bases of at most `budget` rules, cross-validated.
struct PathPoint {
  int budget = 0;
  std::vector<FoldResult> folds;
  FoldResult mean, deviation;  // over folds, as in CrossValidation
  double accuracy_error = 0;   // standard error of mean.accuracy: deviation / sqrt(folds)
};

// Accuracy against size. `best` and `recommended` are indices of `points`.
struct AccuracyPath {
  std::string dataset;
  std::size_t rows = 0, features = 0, classes = 0;
  std::vector<PathPoint> points;  // budgets 1, 2, ..., all with the same folds
  std::size_t best = 0, recommended = 0;
  std::vector<std::string> notes;  // sentences: columns left out, trainings cut short, ...
};

// The first point of the largest mean accuracy. `points`: ascending budgets, at least one. Means
// that differ by less than 1e-9 percent are equal.
std::size_t best_point(std::span<const PathPoint> points);
// The one-standard-error rule: the first point whose mean accuracy is at least
// best.mean.accuracy - best.accuracy_error. What is left of the difference may well be chance.
std::size_t recommended_point(std::span<const PathPoint> points);

// One fold number a row: K folds of near-equal size that keep the shares of the classes, shuffled
// by `seed`. Rows of class -1 get fold -1.
std::vector<int> stratified_folds(std::span<const int> classes, int folds, std::uint64_t seed);

// Reads a file that holds one whole number (>= 0) a line, one line a row of the table. Throws
// Error{data} if there are not `rows` of them or fewer than two distinct ones.
std::vector<int> read_folds(const std::string& path, std::size_t rows);

}  // namespace frr
