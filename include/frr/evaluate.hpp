// Accuracy and size of rule bases, and cross-validation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frr/api.hpp"
#include "frr/metrics.hpp"
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
  double fit_seconds = 0;                        // wall time of training
  double auc = undefined, log_loss = undefined;  // as in Metrics
};

struct CrossValidation {
  std::string dataset;
  std::size_t rows = 0, features = 0, classes = 0;
  std::vector<FoldResult> folds;
  // Over the folds where a figure is defined; sample standard deviation, 0 for one fold.
  FoldResult mean, deviation;
  std::vector<std::string> class_names;
  std::vector<std::vector<std::size_t>> confusion;  // summed over folds
  // As measure() on all rows together, each predicted by the model that has not seen it. Rows count
  // with their weights, while in `folds` and `confusion` each counts once.
  MetricsReport metrics;
  std::vector<std::string> notes;  // sentences: columns left out, trainings cut short, ...
};

// What the recommended number of rules depends on.
enum class PathMetric { accuracy, balanced_accuracy, auc, log_loss };

// One point of a path: the cross-validation with at most `budget` rules.
struct PathPoint {
  int budget = 0;
  std::vector<FoldResult> folds;
  FoldResult mean, deviation;  // over folds, as in CrossValidation
  FoldResult error;            // standard error of `mean`: deviation / sqrt(folds)
  MetricsReport metrics;       // as in CrossValidation; with intervals if recommended
};

// Metrics by number of rules. `best` and `recommended` are indices of `points`.
struct AccuracyPath {
  std::string dataset;
  std::size_t rows = 0, features = 0, classes = 0;
  std::vector<PathPoint> points;  // budgets 1, 2, ..., with the same folds
  PathMetric by = PathMetric::accuracy;
  std::size_t best = 0, recommended = 0;
  std::vector<std::string> notes;  // sentences: columns left out, trainings cut short, ...
};

// "accuracy", "balanced", "auc" or "log-loss"; Error{usage}
FRR_API PathMetric parse_path_metric(std::string_view text);
FRR_API std::string_view to_string(PathMetric metric);
// The figure of a fold, or of a mean over folds, that is meant.
FRR_API double figure_of(const FoldResult& result, PathMetric metric);

// The first point with the best mean: the lowest log-loss, or the largest of the other metrics.
// `points`: at least one, by ascending budget. Means that differ by less than 1e-9 count as equal.
FRR_API std::size_t best_point(std::span<const PathPoint> points,
                               PathMetric by = PathMetric::accuracy);
// The one-standard-error rule: the first point whose mean differs from that of the best point by at
// most the standard error of the best. A smaller difference may well be due to chance.
FRR_API std::size_t recommended_point(std::span<const PathPoint> points,
                                      PathMetric by = PathMetric::accuracy);

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
