// cross_validate() and accuracy_path().
#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/dataset.hpp"
#include "evaluate/metrics_report.hpp"
#include "train/training_rows.hpp"
#include "train/training_summary.hpp"
#include "validation/fold_training.hpp"
#include "validation/path_choice.hpp"

namespace frr {
using namespace internal;
namespace {

std::vector<Fold> split(const Table& table, const Dataset& data, const TrainRequest& request,
                        std::span<const int> folds) {
  if (folds.size() != table.rows) {
    fail_usage("there are " + std::to_string(folds.size()) + " fold numbers for " +
               std::to_string(table.rows) + " rows; give one per row");
  }
  const std::vector<std::uint32_t> rows = training_rows(table, data, request);
  std::vector<int> numbers;
  numbers.reserve(rows.size());
  for (const std::uint32_t row : rows) numbers.push_back(folds[row]);
  return make_folds(rows, numbers);
}

constexpr double FoldResult::*figures[] = {
    &FoldResult::accuracy, &FoldResult::balanced_accuracy, &FoldResult::train_accuracy,
    &FoldResult::rules,    &FoldResult::conditions,        &FoldResult::unique_conditions,
    &FoldResult::auc,      &FoldResult::log_loss,          &FoldResult::fit_seconds};

struct Averages {
  FoldResult mean, deviation, error;
};

// Over the folds where a figure is defined.
Averages average(std::span<const FoldResult> folds) {
  Averages result;
  for (const auto figure : figures) {
    double n = 0, sum = 0, squares = 0;
    for (const FoldResult& fold : folds) {
      if (std::isnan(fold.*figure)) continue;
      sum += fold.*figure;
      ++n;
    }
    const double mean = n > 0 ? sum / n : undefined;
    for (const FoldResult& fold : folds) {
      if (!std::isnan(fold.*figure)) squares += (fold.*figure - mean) * (fold.*figure - mean);
    }
    result.mean.*figure = mean;
    result.deviation.*figure = n > 1 ? std::sqrt(squares / (n - 1)) : 0;
    result.error.*figure = n > 0 ? result.deviation.*figure / std::sqrt(n) : undefined;
  }
  return result;
}

// Adds what a user should know about the trainings. `chosen`: those of one budget. `advice`: what
// to try if they found no rules.
void add_notes(std::span<const std::vector<TestedFold>> all, std::span<const TestedFold> chosen,
               const std::string& advice, std::vector<std::string>& notes) {
  std::size_t trainings = 0, cut_short = 0, empty = 0;
  for (const std::vector<TestedFold>& budget : all) {
    trainings += budget.size();
    for (const TestedFold& fold : budget) cut_short += fold.cut_short ? 1 : 0;
  }
  for (const TestedFold& fold : chosen) empty += fold.figures.rules == 0 ? 1 : 0;
  if (cut_short > 0) {
    notes.push_back(std::to_string(cut_short) + " of " + std::to_string(trainings) +
                    " trainings were stopped by --time-limit, which applies to each of them: "
                    "their figures are of unfinished models");
  }
  if (empty > 0) {
    notes.push_back(
        "in " + std::to_string(empty) + " of " + std::to_string(chosen.size()) +
        " folds no rule was worth its conditions: the model always predicts one class. Try " +
        advice);
  }
}

// Options that may give rules, for a sentence.
std::string advice(const Table& table, const Dataset& data, const TrainRequest& request) {
  const Objective objective = resolve_objective(
      request.settings,
      weights_by_class(data, training_rows(table, data, request), request.row_weights));
  return to_try(options_for_rules(request.settings, objective));
}

// A CrossValidation or an AccuracyPath that describes the data, without results.
template <typename Result>
Result about(const Table& table, const Dataset& data) {
  Result result;
  result.dataset = table.source;
  result.rows = table.rows;
  result.features = data.features.size();
  result.classes = data.classes.size();
  result.notes = data.notes;
  return result;
}

// The rows of all folds, one fold after another.
struct TestRows {
  std::vector<int> truth;
  std::vector<double> weights;  // none: all 1

  TestRows(const Dataset& data, std::span<const Fold> folds, std::span<const double> row_weights) {
    for (const Fold& fold : folds) {
      for (const std::uint32_t row : fold.test) {
        truth.push_back(data.labels[row]);
        if (!row_weights.empty()) weights.push_back(row_weights[row]);
      }
    }
  }
};

MetricsReport measure_folds(std::span<const TestedFold> tested, const TestRows& rows,
                            const Dataset& data, const TrainRequest& request,
                            std::optional<int> replicates) {
  std::vector<Predictions> parts;
  for (const TestedFold& fold : tested) parts.push_back(fold.predictions);
  const Predictions predictions = joined(parts);
  MetricsRequest metrics;
  metrics.positive = request.policy.positive;
  metrics.row_weights = rows.weights;
  metrics.replicates = replicates;
  metrics.seed = request.settings.seed;
  metrics.threads = request.settings.threads;
  if (request.progress) {
    metrics.progress = [&](double) {
      return request.progress({.stage = Progress::Stage::done, .fraction = 1});
    };
  }
  MetricsReport report =
      measure(Evaluated{predictions, rows.truth, data.classes, {}, "the data"}, {}, metrics);
  report.target = data.target;
  return report;
}

}  // namespace

CrossValidation cross_validate(const Table& table, const TrainRequest& request,
                               std::span<const int> folds, std::optional<int> replicates) {
  validate(request.settings);
  const Dataset data = make_dataset(table, request.target);
  const std::vector<Fold> parts = split(table, data, request, folds);

  auto result = about<CrossValidation>(table, data);
  result.class_names = data.classes;
  result.confusion.assign(data.classes.size(), std::vector<std::size_t>(data.classes.size(), 0));
  const std::vector<int> budget = {request.settings.rules};
  const auto tested = test_folds(table, data, parts, request, budget);
  for (std::size_t f = 0; f < parts.size(); ++f) {
    const TestedFold& fold = tested.front()[f];
    result.folds.push_back(fold.figures);
    for (std::size_t i = 0; i < parts[f].test.size(); ++i) {
      const auto truth = static_cast<std::size_t>(data.labels[parts[f].test[i]]);
      const int predicted = fold.predictions.predicted[fold.predictions.of_row[i]];
      ++result.confusion[truth][static_cast<std::size_t>(predicted)];
    }
  }
  const Averages averages = average(result.folds);
  result.mean = averages.mean;
  result.deviation = averages.deviation;
  const TestRows rows(data, parts, request.row_weights);
  result.metrics = measure_folds(tested.front(), rows, data, request, replicates);
  add_notes(tested, tested.front(), advice(table, data, request), result.notes);
  return result;
}

CrossValidation cross_validate(const Table& table, const TrainRequest& request, int folds,
                               std::optional<int> replicates) {
  const Dataset data = make_dataset(table, request.target);
  return cross_validate(table, request, stratified_folds(data.labels, folds, request.settings.seed),
                        replicates);
}

AccuracyPath accuracy_path(const Table& table, const TrainRequest& request,
                           std::span<const int> folds, std::optional<PathMetric> by,
                           std::optional<int> replicates) {
  validate(request.settings);
  const Dataset data = make_dataset(table, request.target);
  const std::vector<Fold> parts = split(table, data, request, folds);
  std::vector<int> budgets(static_cast<std::size_t>(request.settings.rules));
  std::iota(budgets.begin(), budgets.end(), 1);
  const auto results = test_folds(table, data, parts, request, budgets);

  auto path = about<AccuracyPath>(table, data);
  path.by = by.value_or(default_path_metric(data, training_rows(table, data, request), request));
  path.points.resize(budgets.size());
  for (std::size_t b = 0; b < budgets.size(); ++b) {
    PathPoint& point = path.points[b];
    point.budget = budgets[b];
    for (const TestedFold& fold : results[b]) point.folds.push_back(fold.figures);
    const Averages averages = average(point.folds);
    point.mean = averages.mean;
    point.deviation = averages.deviation;
    point.error = averages.error;
  }
  check_path_metric(path);
  path.best = best_point(path.points, path.by);
  path.recommended = recommended_point(path.points, path.by);
  const TestRows rows(data, parts, request.row_weights);
  for (std::size_t b = 0; b < budgets.size(); ++b) {
    path.points[b].metrics =
        measure_folds(results[b], rows, data, request, b == path.recommended ? replicates : 0);
  }
  add_notes(results, results[path.recommended], advice(table, data, request), path.notes);
  return path;
}

AccuracyPath accuracy_path(const Table& table, const TrainRequest& request, int folds,
                           std::optional<PathMetric> by, std::optional<int> replicates) {
  const Dataset data = make_dataset(table, request.target);
  return accuracy_path(table, request, stratified_folds(data.labels, folds, request.settings.seed),
                       by, replicates);
}

}  // namespace frr
