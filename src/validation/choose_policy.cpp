#include "validation/choose_policy.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/float_mode.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "data/row_order.hpp"
#include "evaluate/predictions.hpp"
#include "evaluate/same_training.hpp"
#include "model/column_map.hpp"
#include "rows/large_training.hpp"
#include "validation/fold_training.hpp"
#include "validation/joint_progress.hpp"
#include "validation/threshold.hpp"

namespace frr {
using namespace internal;
namespace {

// Rows with the probability of the positive class.
struct PositiveRows {
  std::vector<double> probabilities;
  std::vector<char> positive;
  std::vector<double> weights;  // none: all 1

  // `classes`: of each row of the table; `positive_class`: one of them.
  PositiveRows(const RuleBase& base, const ColumnMap& map, std::span<const int> classes,
               std::span<const std::uint32_t> rows, std::span<const double> row_weights,
               int positive_class) {
    const Predictions predictions = model_predictions(base, map, rows);
    const auto of_class = static_cast<std::size_t>(positive_class);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      probabilities.push_back(predictions.probability(predictions.of_row[i], of_class));
      positive.push_back(classes[rows[i]] == positive_class ? 1 : 0);
      if (!row_weights.empty()) weights.push_back(row_weights[rows[i]]);
    }
  }
  [[nodiscard]] PositiveProbabilities view() const { return {probabilities, positive, weights}; }
};

std::string percent(double fraction) { return shortest(std::round(fraction * 1e4) / 100) + " %"; }

struct Target {
  TargetMeasure measure = TargetMeasure::sensitivity;
  double wanted = 0;

  explicit Target(const PolicyRequest& request)
      : measure(request.sensitivity ? TargetMeasure::sensitivity : TargetMeasure::specificity),
        wanted(request.sensitivity ? *request.sensitivity : *request.specificity) {}
  [[nodiscard]] std::string name() const {
    return measure == TargetMeasure::sensitivity ? "sensitivity" : "specificity";
  }
};

// The policy with a threshold that has been chosen.
PolicyChoice with_threshold(DecisionPolicy policy, const Target& target,
                            const ChosenThreshold& chosen, double reached,
                            const std::vector<std::string>& classes) {
  PolicyChoice choice{.policy = std::move(policy)};
  choice.policy.threshold = chosen.threshold;
  choice.policy.target = DecisionPolicy::Target{target.name(), target.wanted, reached};
  const bool sensitivity = target.measure == TargetMeasure::sensitivity;
  const double other = sensitivity ? chosen.specificity : chosen.sensitivity;
  constexpr double useless = 0.05;
  if (other >= useless) return choice;
  const std::string name = "'" + classes[static_cast<std::size_t>(choice.policy.positive)] + "'";
  choice.notes.push_back("to reach a " + target.name() + " of " + percent(target.wanted) + ", " +
                         name + " is predicted for " +
                         (sensitivity ? percent(1 - other) + " of the rows of other classes"
                                      : "only " + percent(other) + " of its rows") +
                         ": the rules do not separate the classes well enough. Ask for less, or "
                         "allow more rules");
  return choice;
}

// The rows in an order that does not depend on that in the table. A row whose weight is a number of
// repetitions is repeated, and the request then has no weights.
std::vector<std::uint32_t> rows_to_fold(const Table& table, const Dataset& data,
                                        std::span<const std::uint32_t> rows,
                                        TrainRequest& request) {
  const auto most = static_cast<std::size_t>(request.settings.search_rows);
  if (rows.size() > most) return {rows.begin(), rows.end()};
  const std::span<const double> weights = request.row_weights, none;
  const bool repeated = !weights.empty() && are_repetitions(weights, rows, most);
  std::vector<std::uint32_t> result =
      ordered_rows(table, data, rows, repeated ? weights : none, repeated ? none : weights,
                   thread_count(request.settings.threads));
  if (repeated) request.row_weights.clear();
  return result;
}

std::vector<Fold> stratified(const Dataset& data, std::span<const std::uint32_t> rows,
                             std::uint64_t seed) {
  std::vector<int> classes;
  for (const std::uint32_t row : rows) classes.push_back(data.labels[row]);
  const auto folds = std::min<std::size_t>(threshold_folds, rows.size());
  return make_folds(rows, stratified_folds(classes, static_cast<int>(folds), seed));
}

// The level that reaches the target on rows that a model has not seen. `positive`: of data.classes.
TargetLevel out_of_fold_level(const Table& table, const Dataset& data,
                              std::span<const std::uint32_t> rows, TrainRequest request,
                              int positive) {
  const Target target(request.policy);
  const std::vector<std::uint32_t> ordered = rows_to_fold(table, data, rows, request);
  const auto positives = static_cast<std::size_t>(std::ranges::count_if(
      ordered, [&](std::uint32_t row) { return data.labels[row] == positive; }));
  if (std::min(positives, ordered.size() - positives) < 2) {
    fail_data("a threshold for a " + target.name() + " needs at least 2 rows of '" +
              data.classes[static_cast<std::size_t>(positive)] +
              "' and 2 of other classes. Give more data, or a --threshold");
  }
  const std::vector<Fold> folds = stratified(data, ordered, request.settings.seed);
  JointProgress progress(request.progress, std::vector<double>(folds.size(), 1.0));
  std::vector<std::optional<PositiveRows>> seen(folds.size()), unseen(folds.size());
  const int threads = thread_count(request.settings.threads);
  const int outer = std::min(threads, static_cast<int>(folds.size()));
  request.settings.threads = std::max(1, threads / outer);
  parallel_for(outer, folds.size(), [&](std::size_t f) {
    Control control(progress.of(f), request.settings.time_limit);
    const RuleBase base = learn(table, data, folds[f].train, request, control);
    const ColumnMap map(base, table);
    const auto probabilities = [&](std::span<const std::uint32_t> part) {
      return PositiveRows(base, map, data.labels, part, request.row_weights, positive);
    };
    seen[f] = probabilities(folds[f].train);
    unseen[f] = probabilities(folds[f].test);
  });
  std::vector<FoldProbabilities> of_folds;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    of_folds.push_back({seen[f]->view(), unseen[f]->view()});
  }
  return choose_level(of_folds, target.measure, target.wanted);
}

// ---- For a model that exists --------------------------------------------------------------------

// The columns that a training sees again. `complete`: the table has them all.
struct TrainingTable {
  Table table;
  bool complete = true;
};

TrainingTable training_table(const RuleBase& base, const Table& table) {
  TrainingTable result;
  result.table.source = table.source;
  result.table.rows = table.rows;
  for (const Feature& feature : base.partition.features) {
    const Column* column = table.find(feature.name);
    result.complete = result.complete && column != nullptr && column->type == feature.type;
  }
  for (const Column& column : table.columns) {
    const bool read = column.name == base.target ||
                      std::ranges::any_of(base.partition.features, [&](const Feature& feature) {
                        return feature.name == column.name;
                      });
    if (read) result.table.columns.push_back(column);
  }
  return result;
}

// Of the recorded weight column; none if there is none.
std::vector<double> recorded_row_weights(const RuleBase& base, const Table& table) {
  const std::string name = recorded_setting(base, "weight-column");
  const Column* column = name.empty() ? nullptr : table.find(name);
  if (column == nullptr || column->type != ColumnType::numeric) return {};
  const bool usable =
      std::ranges::all_of(column->values, [](double w) { return w >= 0 && w <= 1e100; });
  return usable ? column->values : std::vector<double>();
}

std::vector<std::uint32_t> known_rows(std::span<const int> classes,
                                      std::span<const double> weights) {
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row < classes.size(); ++row) {
    if (classes[row] >= 0 && (weights.empty() || weights[row] > 0)) {
      rows.push_back(static_cast<std::uint32_t>(row));
    }
  }
  return rows;
}

PolicyChoice choose_on_predictions(const RuleBase& base, const Table& table,
                                   const PolicyRequest& request, std::span<const int> classes,
                                   std::span<const double> weights) {
  const std::vector<std::uint32_t> known = known_rows(classes, weights);
  if (known.empty()) {
    fail_data("no row of " + table.source + " has a class of the model in the column '" +
              base.target + "': a threshold cannot be chosen on it");
  }
  DecisionPolicy policy = make_policy(base, request);
  const PositiveRows rows(base, ColumnMap(base, table), classes, known, weights, policy.positive);
  const Target target(request);
  const ChosenThreshold chosen = choose_threshold(rows.view(), target.measure, target.wanted);
  const double reached =
      target.measure == TargetMeasure::sensitivity ? chosen.sensitivity : chosen.specificity;
  return with_threshold(std::move(policy), target, chosen, reached, base.classes);
}

}  // namespace

PolicyChoice internal::choose_out_of_fold(const RuleBase& base, const Table& table,
                                          const Dataset& data, std::span<const std::uint32_t> rows,
                                          const TrainRequest& request) {
  DecisionPolicy policy = make_policy(base, request.policy);
  const std::string& name = base.classes[static_cast<std::size_t>(policy.positive)];
  const auto found = std::ranges::find(data.classes, name);
  const TargetLevel level =
      out_of_fold_level(table, data, rows, request, static_cast<int>(found - data.classes.begin()));
  const std::vector<int> classes = class_indices(table, base.target, base.classes);
  const PositiveRows seen(base, ColumnMap(base, table), classes, rows, request.row_weights,
                          policy.positive);
  const Target target(request.policy);
  const ChosenThreshold chosen = choose_threshold(seen.view(), target.measure, level.level);
  return with_threshold(std::move(policy), target, chosen, level.reached, base.classes);
}

PolicyChoice internal::choose_policy(const RuleBase& base, const Table& table,
                                     const PolicyRequest& request, int threads,
                                     const ProgressCallback& progress) {
  const FloatMode mode(Denormals::keep);
  if (!has_target(request)) return {.policy = make_policy(base, request)};
  require_column(table, base.target, "the true classes");
  const std::vector<int> classes = class_indices(table, base.target, base.classes);
  const std::vector<double> weights = recorded_row_weights(base, table);
  const auto on_predictions = [&] {
    return choose_on_predictions(base, table, request, classes, weights);
  };
  if (!was_trained_on(base, table, classes, weights, threads)) return on_predictions();
  // From here on, the model has seen the rows.
  const auto optimistic = [&](const std::string& reason) {
    PolicyChoice choice = on_predictions();
    choice.notes.push_back(reason + ", so the threshold is chosen on the model's predictions of " +
                           "its training rows: on new rows, the " + choice.policy.target->measure +
                           " may be lower");
    return choice;
  };
  if (!recorded_setting(base, "partition-file").empty()) {
    return optimistic("the model was trained with labels from a file");
  }
  const TrainingTable rows = training_table(base, table);
  if (!rows.complete) return optimistic("the table lacks columns of the training data");
  checked_cost(base, table.rows, "Choose the threshold on data that the model has not seen.");
  TrainRequest training = same_training(base);
  training.settings.threads = threads;
  training.row_weights = weights;
  training.progress = progress;
  training.policy = request;
  const Dataset data = make_dataset(rows.table, base.target);
  return choose_out_of_fold(base, rows.table, data, known_rows(data.labels, weights), training);
}

DecisionPolicy choose_policy(const RuleBase& base, const Table& table, const PolicyRequest& request,
                             int threads) {
  return internal::choose_policy(base, table, request, threads, {}).policy;
}

}  // namespace frr
