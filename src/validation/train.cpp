// train() of a table, with a threshold for a target.
#include "validation/train.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/float_mode.hpp"
#include "base/parallel.hpp"
#include "rows/large_training.hpp"
#include "train/training_rows.hpp"
#include "validation/choose_policy.hpp"
#include "validation/joint_progress.hpp"

namespace frr {
using namespace internal;
namespace {

// The fraction of the time limit for each training: the folds share the threads, and there are two
// trainings on all rows.
double share_of_time(const Settings& settings) {
  const int at_once = std::min(thread_count(settings.threads), threshold_folds);
  const int rounds = (threshold_folds + at_once - 1) / at_once;
  return 1.0 / (2 + rounds);
}

// Without epochs, which would be those of several trainings.
ProgressCallback without_epochs(ProgressCallback callback) {
  if (!callback) return callback;
  return [callback = std::move(callback)](Progress progress) {
    progress.epoch = progress.epochs = 0;
    return callback(progress);
  };
}

// Trains again with the threshold, because the classes of the rules, and therefore their order,
// depend on it.
RuleBase train_with_target(const Table& table, const Dataset& data,
                           std::span<const std::uint32_t> rows, const TrainRequest& request) {
  const double limit = request.settings.time_limit * share_of_time(request.settings);
  JointProgress progress(request.progress, {1.0, threshold_folds - 1.0, 1.0});
  Control first(without_epochs(progress.of(0)), limit);
  const RuleBase without_threshold = learn(table, data, rows, request, first);
  TrainRequest of_folds = request;
  of_folds.settings.time_limit = limit;
  of_folds.progress = without_epochs(progress.of(1));
  const PolicyChoice choice = choose_out_of_fold(without_threshold, table, data, rows, of_folds);

  TrainRequest with_threshold = request;
  PolicyRequest& policy = with_threshold.policy;
  policy.positive = data.classes[static_cast<std::size_t>(choice.policy.positive)];
  policy.threshold = choice.policy.threshold;
  policy.sensitivity.reset();
  policy.specificity.reset();
  Control last(progress.of(2), limit);
  RuleBase base = learn(table, data, rows, with_threshold, last);
  base.policy.target = choice.policy.target;
  base.summary.notes.insert(base.summary.notes.end(), choice.notes.begin(), choice.notes.end());
  return base;
}

}  // namespace

RuleBase internal::train_rows(const Table& table, const Dataset& data,
                              std::span<const std::uint32_t> rows, const TrainRequest& request) {
  if (has_target(request.policy)) return train_with_target(table, data, rows, request);
  Control control(request.progress, request.settings.time_limit);
  return learn(table, data, rows, request, control);
}

RuleBase train(const Table& table, const TrainRequest& request) {
  const FloatMode mode(Denormals::keep);
  validate(request.settings);
  const Dataset data = make_dataset(table, request.target);
  return train_rows(table, data, training_rows(table, data, request), request);
}

}  // namespace frr
