#include "evaluate/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "evaluate/fold_training.hpp"
#include "model/decider.hpp"
#include "train/training_rows.hpp"

namespace frr {
using namespace internal;
namespace {

void score(Evaluation& result) {
  std::size_t right = 0, all = 0, present = 0;
  double recall = 0;
  for (std::size_t c = 0; c < result.confusion.size(); ++c) {
    std::size_t of_class = 0;
    for (const std::size_t count : result.confusion[c]) of_class += count;
    if (of_class == 0) continue;
    ++present;
    right += result.confusion[c][c];
    all += of_class;
    recall += static_cast<double>(result.confusion[c][c]) / static_cast<double>(of_class);
  }
  if (all == 0) return;
  result.accuracy = 100 * static_cast<double>(right) / static_cast<double>(all);
  result.balanced_accuracy = 100 * recall / static_cast<double>(present);
}

constexpr double FoldResult::*figures[] = {
    &FoldResult::accuracy,   &FoldResult::balanced_accuracy, &FoldResult::train_accuracy,
    &FoldResult::rules,      &FoldResult::conditions,        &FoldResult::unique_conditions,
    &FoldResult::fit_seconds};

// Mean and sample standard deviation over folds.
void average(std::span<const FoldResult> folds, FoldResult& mean, FoldResult& deviation) {
  const auto n = static_cast<double>(folds.size());
  for (const auto figure : figures) {
    double sum = 0, squares = 0;
    for (const FoldResult& fold : folds) sum += fold.*figure;
    mean.*figure = sum / n;
    for (const FoldResult& fold : folds) {
      squares += (fold.*figure - mean.*figure) * (fold.*figure - mean.*figure);
    }
    deviation.*figure = n > 1 ? std::sqrt(squares / (n - 1)) : 0;
  }
}

std::vector<Fold> split(const Table& table, const Dataset& data, const TrainRequest& request,
                        std::span<const int> folds) {
  if (folds.size() != table.rows) {
    fail_usage("there are " + std::to_string(folds.size()) + " fold numbers for " +
               std::to_string(table.rows) + " rows; give one per row");
  }
  const std::vector<std::uint32_t> rows = training_rows(table, data, request);
  std::vector<int> numbers;
  for (const std::uint32_t row : rows) numbers.push_back(folds[row]);
  return make_folds(rows, numbers);
}

// Adds what a user should know about the trainings. `chosen`: those of one budget.
void add_notes(std::span<const std::vector<TestedFold>> all, std::span<const TestedFold> chosen,
               std::vector<std::string>& notes) {
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
    notes.push_back("in " + std::to_string(empty) + " of " + std::to_string(chosen.size()) +
                    " folds no rule was worth its conditions: the model always gives one class. "
                    "Try --class-weight balanced if a class is rare, or a lower --price");
  }
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

// Mean accuracies that differ by less are equal: the difference comes from the order of addition.
constexpr double rounding = 1e-9;

// The first point whose mean accuracy is not below `accuracy`.
std::size_t first_point(std::span<const PathPoint> points, double accuracy) {
  const auto found = std::find_if(points.begin(), points.end(), [&](const PathPoint& point) {
    return point.mean.accuracy >= accuracy - rounding;
  });
  return static_cast<std::size_t>(found - points.begin());
}

}  // namespace

Evaluation internal::evaluate(const RuleBase& base, const ColumnMap& map,
                              std::span<const int> classes, std::span<const std::uint32_t> rows) {
  Evaluation result;
  const std::size_t count = base.classes.size();
  result.confusion.assign(count, std::vector<std::size_t>(count, 0));
  Decider decider(base, map);
  for_each_decision(decider, classes, rows, [&](std::size_t row, const Decision& decision) {
    ++result.confusion[static_cast<std::size_t>(classes[row])]
                      [static_cast<std::size_t>(decision.predicted)];
  });
  score(result);
  return result;
}

Evaluation evaluate(const RuleBase& base, const Table& table) {
  return internal::evaluate(base, ColumnMap(base, table),
                            class_indices(table, base.target, base.classes));
}

CrossValidation cross_validate(const Table& table, const TrainRequest& request,
                               std::span<const int> folds) {
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
  average(result.folds, result.mean, result.deviation);
  add_notes(tested, tested.front(), result.notes);
  return result;
}

CrossValidation cross_validate(const Table& table, const TrainRequest& request, int folds) {
  const Dataset data = make_dataset(table, request.target);
  return cross_validate(table, request,
                        stratified_folds(data.labels, folds, request.settings.seed));
}

std::size_t best_point(std::span<const PathPoint> points) {
  const auto highest = std::max_element(
      points.begin(), points.end(),
      [](const PathPoint& x, const PathPoint& y) { return x.mean.accuracy < y.mean.accuracy; });
  return first_point(points, highest->mean.accuracy);
}

std::size_t recommended_point(std::span<const PathPoint> points) {
  const PathPoint& best = points[best_point(points)];
  return first_point(points, best.mean.accuracy - best.accuracy_error);
}

AccuracyPath accuracy_path(const Table& table, const TrainRequest& request,
                           std::span<const int> folds) {
  validate(request.settings);
  const Dataset data = make_dataset(table, request.target);
  const std::vector<Fold> parts = split(table, data, request, folds);
  std::vector<int> budgets(static_cast<std::size_t>(request.settings.rules));
  std::iota(budgets.begin(), budgets.end(), 1);
  const auto results = test_folds(table, data, parts, request, budgets);

  auto path = about<AccuracyPath>(table, data);
  path.points.resize(budgets.size());
  for (std::size_t b = 0; b < budgets.size(); ++b) {
    PathPoint& point = path.points[b];
    point.budget = budgets[b];
    for (const TestedFold& fold : results[b]) point.folds.push_back(fold.figures);
    average(point.folds, point.mean, point.deviation);
    point.accuracy_error =
        point.deviation.accuracy / std::sqrt(static_cast<double>(point.folds.size()));
  }
  path.best = best_point(path.points);
  path.recommended = recommended_point(path.points);
  add_notes(results, results[path.recommended], path.notes);
  return path;
}

AccuracyPath accuracy_path(const Table& table, const TrainRequest& request, int folds) {
  const Dataset data = make_dataset(table, request.target);
  return accuracy_path(table, request, stratified_folds(data.labels, folds, request.settings.seed));
}

}  // namespace frr
