#include "validation/choose_policy.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/float_mode.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "data/row_order.hpp"
#include "evaluate/predictions.hpp"
#include "evaluate/same_training.hpp"
#include "model/column_map.hpp"
#include "validation/fold_training.hpp"
#include "validation/threshold.hpp"

namespace frr {
using namespace internal;
namespace {

// Rows with a known class, and their predictions.
struct PredictedRows {
  Predictions predictions;
  std::vector<int> truth;
  std::vector<double> weights;  // none: all 1
};

std::string percent(double fraction) { return shortest(std::round(fraction * 1e4) / 100) + " %"; }

// Chooses the threshold for the target of the request and adds it to the policy.
void set_threshold(const PolicyRequest& request, const std::vector<std::string>& classes,
                   const PredictedRows& rows, PolicyChoice& choice) {
  DecisionPolicy& policy = choice.policy;
  std::vector<double> probabilities;
  std::vector<char> positive;
  for (std::size_t i = 0; i < rows.truth.size(); ++i) {
    probabilities.push_back(rows.predictions.probability(
        rows.predictions.of_row[i], static_cast<std::size_t>(policy.positive)));
    positive.push_back(rows.truth[i] == policy.positive ? 1 : 0);
  }
  const bool sensitivity = request.sensitivity.has_value();
  const double wanted = sensitivity ? *request.sensitivity : *request.specificity;
  const ChosenThreshold chosen = choose_threshold(
      {probabilities, positive, rows.weights},
      sensitivity ? TargetMeasure::sensitivity : TargetMeasure::specificity, wanted);
  const std::string measure = sensitivity ? "sensitivity" : "specificity";
  policy.threshold = chosen.threshold;
  policy.target = DecisionPolicy::Target{measure, wanted,
                                         sensitivity ? chosen.sensitivity : chosen.specificity};
  const std::string name = "'" + classes[static_cast<std::size_t>(policy.positive)] + "'";
  if (chosen.all || chosen.none) {
    choice.notes.push_back(
        "a " + measure + " of " + percent(wanted) + " is reached only by " +
        (chosen.all ? "predicting " + name + " for all rows" : "never predicting " + name) +
        ": the model does not separate the classes well enough. Ask for less");
  }
}

// Enough of a model to choose the positive class.
RuleBase counted_classes(const Dataset& data, std::span<const std::uint32_t> rows,
                         std::span<const double> weights) {
  RuleBase base;
  base.classes = data.classes;
  base.class_rows.assign(data.classes.size(), 0);
  for (const std::uint32_t row : rows) {
    base.class_rows[static_cast<std::size_t>(data.labels[row])] +=
        weights.empty() ? 1 : weights[row];
  }
  return base;
}

PredictedRows predict_out_of_fold(const Table& table, const Dataset& data,
                                  std::span<const std::uint32_t> rows, TrainRequest request) {
  const Settings& settings = request.settings;
  const int threads = thread_count(settings.threads);
  const auto most = static_cast<std::size_t>(settings.search_rows);
  const std::span<const double> weights = request.row_weights, none;
  const bool repeated = !weights.empty() && are_repetitions(weights, rows, most);
  const std::vector<std::uint32_t> ordered =
      rows.size() > most ? std::vector<std::uint32_t>(rows.begin(), rows.end())
                         : ordered_rows(table, data, rows, repeated ? weights : none,
                                        repeated ? none : weights, threads);
  if (repeated) request.row_weights.clear();
  std::vector<int> classes;
  for (const std::uint32_t row : ordered) classes.push_back(data.labels[row]);
  const int count = static_cast<int>(std::min<std::size_t>(threshold_folds, ordered.size()));
  const std::vector<Fold> folds =
      make_folds(ordered, stratified_folds(classes, count, settings.seed));
  const std::vector<int> budget = {settings.rules};
  std::vector<Predictions> parts;
  PredictedRows result;
  std::vector<TestedFold> tested = std::move(test_folds(table, data, folds, request, budget)[0]);
  for (std::size_t f = 0; f < folds.size(); ++f) {
    parts.push_back(std::move(tested[f].predictions));
    for (const std::uint32_t row : folds[f].test) {
      result.truth.push_back(data.labels[row]);
      if (!request.row_weights.empty()) result.weights.push_back(request.row_weights[row]);
    }
  }
  result.predictions = joined(parts);
  return result;
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

std::vector<std::uint32_t> usable_rows(std::span<const int> classes,
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
  const std::vector<std::uint32_t> known = usable_rows(classes, weights);
  if (known.empty()) {
    fail_data("no row of " + table.source + " has a class of the model in the column '" +
              base.target + "': a threshold cannot be chosen on it");
  }
  PredictedRows rows;
  rows.predictions = model_predictions(base, ColumnMap(base, table), known);
  for (const std::uint32_t row : known) {
    rows.truth.push_back(classes[row]);
    if (!weights.empty()) rows.weights.push_back(weights[row]);
  }
  PolicyChoice choice{.policy = make_policy(base, request)};
  set_threshold(request, base.classes, rows, choice);
  return choice;
}

}  // namespace

PolicyChoice internal::choose_out_of_fold(const Table& table, const Dataset& data,
                                          std::span<const std::uint32_t> rows,
                                          const TrainRequest& request) {
  const RuleBase counted = counted_classes(data, rows, request.row_weights);
  PolicyChoice choice{.policy = make_policy(counted, request.policy)};
  TrainRequest without_target = request;
  without_target.policy.sensitivity.reset();
  without_target.policy.specificity.reset();
  const PredictedRows predicted = predict_out_of_fold(table, data, rows, std::move(without_target));
  set_threshold(request.policy, data.classes, predicted, choice);
  return choice;
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
  TrainingTable rows = training_table(base, table);
  if (!rows.complete) return optimistic("the table lacks columns of the training data");
  checked_cost(base, table.rows, "Choose the threshold on data that the model has not seen.");
  TrainRequest training = same_training(base);
  training.settings.threads = threads;
  training.row_weights = weights;
  training.progress = progress;
  training.policy = request;
  if (request.positive.empty()) {
    training.policy.positive =
        base.classes[static_cast<std::size_t>(make_policy(base, request).positive)];
  }
  const Dataset data = make_dataset(rows.table, base.target);
  PolicyChoice choice =
      choose_out_of_fold(rows.table, data, usable_rows(data.labels, weights), training);
  // The same class by its index in the model.
  choice.policy.positive = make_policy(base, training.policy).positive;
  return choice;
}

DecisionPolicy choose_policy(const RuleBase& base, const Table& table, const PolicyRequest& request,
                             int threads) {
  return internal::choose_policy(base, table, request, threads, {}).policy;
}

}  // namespace frr
