#include "train/learner.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/visible_text.hpp"
#include "data/examples.hpp"
#include "data/row_order.hpp"
#include "labels/partition.hpp"
#include "labels/screen.hpp"
#include "model/statistics.hpp"
#include "network/extract.hpp"
#include "train/candidate_search.hpp"
#include "train/finish_rules.hpp"
#include "train/training_rows.hpp"
#include "train/training_summary.hpp"

namespace frr::internal {
namespace {

// The columns that synthetic rows have: all features, or those that screening kept.
std::vector<std::size_t> enlarged_columns(const Table& table, const Dataset& data,
                                          const Partition& partition, bool screened) {
  std::vector<std::size_t> columns = data.features;
  if (!screened) return columns;
  std::unordered_set<std::string_view> kept;
  for (const Feature& feature : partition.features) kept.insert(feature.name);
  std::erase_if(columns, [&](std::size_t i) { return !kept.contains(table.columns[i].name); });
  return columns;
}

// Per feature: the user gave its labels.
std::vector<bool> given_features(const Partition& partition, const TrainRequest& request) {
  std::vector<bool> result;
  for (const Feature& feature : partition.features) {
    result.push_back(std::any_of(request.given.begin(), request.given.end(),
                                 [&](const Feature& given) { return given.name == feature.name; }));
  }
  return result;
}

// Crisp labels must be finer than sloped ones, and probabilities need finer ones than classes.
int automatic_label_count(const Settings& settings, std::size_t rows, std::size_t columns) {
  constexpr int for_points = 7, for_risk = 4;
  if (settings.points > 0) return for_points;
  const int labels = automatic_labels(rows, columns);
  return settings.objective == Objective::risk ? std::max(labels, for_risk) : labels;
}

// Of each row of the table, for the statistics; none if all rows count the same.
std::vector<std::int64_t> units_of(std::span<const double> weights,
                                   std::span<const std::uint32_t> rows) {
  std::vector<std::int64_t> units;
  if (weights.empty()) return units;
  double most = 0;
  for (const std::uint32_t row : rows) most = std::max(most, weights[row]);
  for (const double weight : weights) units.push_back(weight_units(std::min(weight, most), most));
  return units;
}

}  // namespace

RuleBase learn_rules(const Table& table, const Dataset& data, std::span<const std::uint32_t> rows,
                     std::span<const double> weights, const TrainRequest& request,
                     const WholeData& whole, Control& control) {
  Settings settings = request.settings;
  settings.objective = whole.objective;
  if (settings.labels == 0) {
    settings.labels = automatic_label_count(settings, rows.size(), data.features.size());
  }
  const int threads = thread_count(settings.threads);
  std::vector<std::string> notes = data.notes;
  note_objective(notes, request.settings.objective, settings.objective);
  note_classes(notes, settings, data.classes.size());
  control.report(Progress::Stage::partition, 0);
  Partition partition = make_partition(table, data, rows, settings, request.given, notes, threads);
  const std::size_t columns = partition.features.size();
  const bool screened =
      screen_features(partition, table, data, rows, static_cast<std::size_t>(settings.max_features),
                      threads) > 0;
  if (screened) {
    notes.push_back("of " + std::to_string(columns) + " columns the " +
                    std::to_string(settings.max_features) +
                    " that tell most about the class are used (--max-features)");
  }
  const bool sampled = rows.size() < whole.rows;
  Settings enlarging = settings;
  if (sampled || by_log_loss(settings)) enlarging.augment = 0;
  const Examples examples =
      make_examples(table, data, enlarged_columns(table, data, partition, screened), rows,
                    by_log_loss(settings) ? row_weights(rows, weights)
                                          : training_weights(data, rows, weights, request),
                    enlarging, threads, control);
  const Table& source = examples.enlarged ? *examples.enlarged : table;
  // The examples are in random order: the first ones are a sample.
  const std::size_t searched = examples.rows.size();
  const std::size_t learned = std::min(searched, static_cast<std::size_t>(settings.gradient_rows));
  const Memberships labels(partition, source, {}, 1);
  note_samples(notes, settings, {std::max(whole.rows, searched), searched, learned}, sampled);
  const Task task{.table = table,
                  .real = rows,
                  .source = source,
                  .rows = examples.rows,
                  .class_names = data.classes,
                  .settings = settings,
                  .partition = partition,
                  .labels = labels,
                  .learned = learned,
                  .classes = examples.classes,
                  .weights = examples.weights,
                  .fixed = given_features(partition, request)};
  const Candidate best = best_candidate(task, threads, control);
  RuleBase base = make_rulebase(best.partition, labels, best.rules, best.otherwise, settings);
  base.biases = best.biases;
  base.nats_per_point = best.nats_per_point;
  base.target = data.target;
  base.missing = request.missing;
  base.classes = data.classes;
  base.summary = summarise(table, whole.rows, request, best);
  for (std::string& note : notes) note = visible_text(note);
  base.summary.notes = std::move(notes);
  return base;
}

RuleBase learn_rows(const Table& table, const Dataset& data, std::span<const std::uint32_t> chosen,
                    const TrainRequest& request, Control& control) {
  const Settings& settings = request.settings;
  std::span<const double> repetitions, weights(request.row_weights);
  const bool repeated =
      !weights.empty() &&
      are_repetitions(weights, chosen, static_cast<std::size_t>(settings.search_rows));
  if (repeated) std::swap(repetitions, weights);
  const std::vector<std::uint32_t> rows =
      ordered_rows(table, data, chosen, repetitions, weights, thread_count(settings.threads));
  const WholeData whole{rows.size(),
                        resolve_objective(settings, weights_by_class(data, rows, weights))};
  RuleBase base = learn_rules(table, data, rows, weights, request, whole, control);
  const ColumnMap map(base, table);
  const std::vector<std::int64_t> units = units_of(weights, rows);
  const auto count_rows = [&](RuleBase& rules) {
    const auto counts = decision_counts(rules, map, data.labels, rows, units, settings.threads);
    return set_statistics(rules, counts, static_cast<double>(rows.size()));
  };
  finish_rules(base, count_rows, request, class_weights(data, request), control);
  return base;
}

}  // namespace frr::internal
