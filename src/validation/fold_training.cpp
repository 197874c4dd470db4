#include "validation/fold_training.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "base/parallel.hpp"
#include "evaluate/evaluate.hpp"
#include "evaluate/metrics.hpp"
#include "frr/error.hpp"
#include "model/column_map.hpp"
#include "validation/joint_progress.hpp"
#include "validation/train.hpp"

namespace frr::internal {
namespace {

Metrics metrics_of(const Predictions& predictions, const Dataset& data,
                   std::span<const std::uint32_t> rows, std::span<const double> row_weights) {
  std::vector<int> truth;
  std::vector<double> weights;
  for (const std::uint32_t row : rows) {
    truth.push_back(data.labels[row]);
    if (!row_weights.empty()) weights.push_back(row_weights[row]);
  }
  // AUC and log-loss do not depend on which of two classes is positive.
  return Scorer(predictions, truth, weights, 1).metrics();
}

TestedFold test_fold(const Table& table, const Dataset& data, const Fold& fold,
                     const TrainRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  const RuleBase base = train_rows(table, data, fold.train, request);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  const ColumnMap map(base, table);
  const Evaluation test = evaluate(base, map, data.labels, fold.test);
  TestedFold result;
  result.predictions = model_predictions(base, map, fold.test);
  const Metrics metrics = metrics_of(result.predictions, data, fold.test, request.row_weights);
  result.figures = {.accuracy = test.accuracy,
                    .balanced_accuracy = test.balanced_accuracy,
                    .train_accuracy = base.summary.train_accuracy,
                    .rules = static_cast<double>(base.rules.size()),
                    .conditions = static_cast<double>(base.size()),
                    .unique_conditions = static_cast<double>(base.unique_conditions()),
                    .fit_seconds = time.count(),
                    .auc = metrics.auc,
                    .log_loss = metrics.log_loss};
  result.cut_short = base.summary.stopped_early;
  return result;
}

}  // namespace

std::vector<Fold> make_folds(std::span<const std::uint32_t> rows, std::span<const int> numbers) {
  std::map<int, std::size_t> index;
  for (const int number : numbers) index.emplace(number, 0);
  std::size_t next = 0;
  for (auto& [number, position] : index) position = next++;
  if (index.size() < 2) fail_data("cross-validation needs at least two folds with rows");
  std::vector<Fold> result(index.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t tested_in = index.at(numbers[i]);
    for (std::size_t f = 0; f < result.size(); ++f) {
      (f == tested_in ? result[f].test : result[f].train).push_back(rows[i]);
    }
  }
  return result;
}

// The largest budgets, which take longest, come first, so that none is left for the end.
std::vector<std::vector<TestedFold>> test_folds(const Table& table, const Dataset& data,
                                                std::span<const Fold> folds,
                                                const TrainRequest& request,
                                                std::span<const int> budgets) {
  const std::size_t tasks = budgets.size() * folds.size();
  const auto budget_of = [&](std::size_t task) { return budgets.size() - 1 - task / folds.size(); };
  std::vector<double> durations;
  durations.reserve(tasks);
  for (std::size_t task = 0; task < tasks; ++task) durations.push_back(budgets[budget_of(task)]);
  JointProgress progress(request.progress, std::move(durations));

  std::vector<std::vector<TestedFold>> results(budgets.size(),
                                               std::vector<TestedFold>(folds.size()));
  const int threads = thread_count(request.settings.threads);
  const auto outer =
      static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), tasks));
  parallel_for(outer, tasks, [&](std::size_t task) {
    const std::size_t b = budget_of(task), f = task % folds.size();
    TrainRequest fold_request = request;
    fold_request.settings.rules = budgets[b];
    fold_request.settings.threads = std::max(1, threads / outer);
    fold_request.progress = progress.of(task);
    results[b][f] = test_fold(table, data, folds[f], fold_request);
  });
  return results;
}

}  // namespace frr::internal
