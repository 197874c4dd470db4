#include "frr/evaluate.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>

#include "learner.hpp"
#include "parallel.hpp"

namespace frr {
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

void average(CrossValidation& result) {
  const auto n = static_cast<double>(result.folds.size());
  for (const auto figure : figures) {
    double sum = 0, squares = 0;
    for (const FoldResult& fold : result.folds) sum += fold.*figure;
    const double mean = sum / n;
    for (const FoldResult& fold : result.folds)
      squares += (fold.*figure - mean) * (fold.*figure - mean);
    result.mean.*figure = mean;
    result.deviation.*figure = n > 1 ? std::sqrt(squares / (n - 1)) : 0;
  }
}

// One progress of all folds: the mean of theirs.
class FoldProgress {
 public:
  FoldProgress(const ProgressCallback& callback, std::size_t folds)
      : callback_(callback), fractions_(folds, 0) {}
  bool operator()(std::size_t fold, const Progress& progress) {
    const std::lock_guard lock(mutex_);
    fractions_[fold] = progress.fraction;
    Progress all = progress;
    all.fraction = 0;
    for (const double fraction : fractions_) all.fraction += fraction;
    all.fraction /= static_cast<double>(fractions_.size());
    return callback_(all);
  }

 private:
  const ProgressCallback& callback_;
  std::vector<double> fractions_;
  std::mutex mutex_;
};

struct Fold {
  std::vector<std::uint32_t> train, test;
};

std::vector<Fold> split(const Table& table, const Dataset& data, const TrainRequest& request,
                        std::span<const int> folds) {
  if (folds.size() != table.rows) {
    fail_usage("there are " + std::to_string(folds.size()) + " fold numbers for " +
               std::to_string(table.rows) + " rows; give one a row");
  }
  const std::vector<std::uint32_t> rows = training_rows(table, data, request);
  std::map<int, std::size_t> index;
  for (const std::uint32_t row : rows) index.emplace(folds[row], 0);
  std::size_t next = 0;
  for (auto& [number, position] : index) position = next++;
  if (index.size() < 2) fail_data("cross-validation needs at least two folds with rows");
  std::vector<Fold> result(index.size());
  for (const std::uint32_t row : rows) {
    const std::size_t own = index.at(folds[row]);
    for (std::size_t f = 0; f < result.size(); ++f) {
      (f == own ? result[f].test : result[f].train).push_back(row);
    }
  }
  return result;
}

FoldResult run_fold(const Table& table, const Dataset& data, const Fold& fold,
                    const TrainRequest& request, Evaluation& test) {
  const auto start = std::chrono::steady_clock::now();
  Control control(request.progress, request.settings.time_limit);
  const RuleBase base = learn(table, data, fold.train, request, control);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  const Binding binding(base, table);
  test = evaluate(base, binding, data.labels, fold.test);
  return {test.accuracy,
          test.balanced_accuracy,
          base.summary.train_accuracy,
          static_cast<double>(base.rules.size()),
          static_cast<double>(base.size()),
          static_cast<double>(base.unique_conditions()),
          time.count()};
}

}  // namespace

Evaluation evaluate(const RuleBase& base, const Binding& binding, std::span<const int> classes,
                    std::span<const std::uint32_t> rows) {
  Evaluation result;
  const std::size_t count = base.classes.size();
  result.confusion.assign(count, std::vector<std::size_t>(count, 0));
  const std::size_t n = rows.empty() ? binding.rows() : rows.size();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t row = rows.empty() ? i : rows[i];
    if (classes[row] < 0) continue;
    const auto predicted = static_cast<std::size_t>(decide(base, binding, row).predicted);
    ++result.confusion[static_cast<std::size_t>(classes[row])][predicted];
  }
  score(result);
  return result;
}

CrossValidation cross_validate(const Table& table, const TrainRequest& request,
                               std::span<const int> folds) {
  validate(request.settings);
  const Dataset data = make_dataset(table, request.target);
  const std::vector<Fold> parts = split(table, data, request, folds);
  FoldProgress progress(request.progress, parts.size());

  CrossValidation result;
  result.dataset = table.source;
  result.rows = table.rows;
  result.features = data.features.size();
  result.classes = data.classes.size();
  result.class_names = data.classes;
  result.notes = data.notes;
  result.folds.resize(parts.size());
  std::vector<Evaluation> tests(parts.size());
  const int threads = thread_count(request.settings.threads);
  const int outer = std::min(threads, static_cast<int>(parts.size()));
  parallel_for(outer, parts.size(), [&](std::size_t f) {
    TrainRequest own = request;
    own.settings.threads = std::max(1, threads / outer);
    if (request.progress) {
      own.progress = [&progress, f](const Progress& p) { return progress(f, p); };
    }
    result.folds[f] = run_fold(table, data, parts[f], own, tests[f]);
  });
  result.confusion.assign(data.classes.size(), std::vector<std::size_t>(data.classes.size(), 0));
  for (const Evaluation& test : tests) {
    for (std::size_t c = 0; c < test.confusion.size(); ++c) {
      for (std::size_t k = 0; k < test.confusion.size(); ++k) {
        result.confusion[c][k] += test.confusion[c][k];
      }
    }
  }
  average(result);
  return result;
}

CrossValidation cross_validate(const Table& table, const TrainRequest& request, int folds) {
  const Dataset data = make_dataset(table, request.target);
  return cross_validate(table, request,
                        stratified_folds(data.labels, folds, request.settings.seed));
}

}  // namespace frr
