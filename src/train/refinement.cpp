#include "train/refinement.hpp"

#include <algorithm>
#include <utility>

#include "additive/learn_additive.hpp"
#include "model/column_map.hpp"
#include "network/extract.hpp"
#include "risk/learn_risk.hpp"
#include "search/polish.hpp"
#include "train/descent_rows.hpp"

namespace frr::internal {
namespace {

// The agreement of network and rules is a check of the program; more rows would add nothing.
constexpr std::size_t rows_to_compare = 16384;

}  // namespace

Refinement::Refinement(const Task& task, Candidate from, Memberships memberships,
                       std::uint64_t seed, int threads)
    : task_(task),
      result_(std::move(from)),
      memberships_(std::move(memberships)),
      search_({&memberships_, task.classes, task.weights, task.class_names.size()}, task.settings,
              std::move(result_.rules), threads),
      random_(seed ^ 0x5ea2c4ULL),
      input_{&task.source, task.rows, task.fixed},
      threads_(threads) {}

void Refinement::compare_with_network(std::span<const HardRule> hard) {
  RuleBase extracted = make_rulebase(task_.partition, task_.labels, search_.rules(),
                                     search_.otherwise(), task_.settings);
  extracted.classes = task_.class_names;
  const ColumnMap map(extracted, task_.table);
  result_.agreement =
      agreement(network_rule(task_.settings), hard, extracted, task_.labels, map,
                task_.real.first(std::min(task_.real.size(), rows_to_compare)), threads_);
}

bool Refinement::polish_rules(Control& control) {
  return task_.settings.polish && polish(search_, task_.settings, random_, threads_, control);
}

bool Refinement::tune_borders(Control& control) {
  const bool moved = task_.settings.tune && tune(search_, result_.partition, memberships_, input_,
                                                 task_.settings, threads_, control);
  search_.choose_otherwise();
  return moved;
}

void Refinement::alternate(Control& control) {
  const int rounds = task_.settings.tune ? 3 : 1;
  for (int round = 0; round < rounds; ++round) {
    const bool polished = polish_rules(control);
    if (!tune_borders(control) && (round > 0 || !polished)) break;
  }
  if (task_.settings.tune) polish_rules(control);
}

Candidate Refinement::finish(Control& control) {
  result_.cut_short = result_.cut_short || control.out_of_time();
  result_.objective = search_.objective();
  result_.rules = search_.rules();
  result_.otherwise = search_.otherwise();
  return std::move(result_);
}

namespace {

// More rows make the search slower, but its rules hardly better. All rows count for the result.
constexpr std::size_t most_risk_rows = 16384;

AdditiveTask log_loss_task(const Task& task, std::span<const LabelRule> start, std::size_t rows,
                           int threads) {
  return {.table = task.source,
          .rows = task.rows.first(rows),
          .examples = {task.classes.first(rows), task.weights.first(rows), task.class_names.size()},
          .settings = task.settings,
          .fixed = task.fixed,
          .start = start,
          .threads = threads};
}

Candidate additive_candidate(const Task& task, Candidate start, Memberships memberships,
                             int threads, Control& control) {
  const AdditiveTask rows = log_loss_task(task, start.rules, task.rows.size(), threads);
  AdditiveRules learned = learn_additive(rows, start.partition, memberships, control);
  start.rules = std::move(learned.rules);
  start.biases = std::move(learned.biases);
  start.nats_per_point = learned.nats_per_point;
  start.objective = learned.objective;
  start.cut_short = start.cut_short || control.out_of_time();
  return start;
}

Candidate risk_candidate(const Task& task, Candidate start, std::uint64_t seed, int threads,
                         Control& control) {
  const AdditiveTask rows =
      log_loss_task(task, start.rules, std::min(task.rows.size(), most_risk_rows), threads);
  Memberships memberships(start.partition, task.source, rows.rows, threads);
  RiskRules learned = learn_risk(rows, start.partition, std::move(memberships), seed, control);
  start.rules = std::move(learned.rules);
  start.otherwise = learned.otherwise;
  start.objective = learned.objective;
  start.cut_short = start.cut_short || control.out_of_time();
  return start;
}

}  // namespace

Candidate extract_and_refine(const Task& task, const Training& training,
                             std::span<const int> classes, Memberships memberships,
                             std::uint64_t seed, int threads, Control& control) {
  Candidate start;
  start.partition = task.partition;
  start.epochs = training.epochs;
  start.cut_short = training.cut_short;
  std::vector<HardRule> hard;
  if (descends(task.settings)) {
    const Network<float> network(network_shape(task, classes.size()), network_rule(task.settings));
    hard = network.hard_rules(training.parameters);
    for (HardRule& rule : hard) rule.then = static_cast<std::size_t>(classes[rule.then]);
    start.rules = extract_rules(hard);
  }
  if (task.settings.semantics == Semantics::additive) {
    return additive_candidate(task, std::move(start), std::move(memberships), threads, control);
  }
  if (task.settings.objective == Objective::risk && (task.settings.polish || task.settings.tune)) {
    return risk_candidate(task, std::move(start), seed, threads, control);
  }
  Refinement refinement(task, std::move(start), std::move(memberships), seed, threads);
  if (task.settings.gradient) refinement.compare_with_network(hard);
  refinement.alternate(control);
  return refinement.finish(control);
}

}  // namespace frr::internal
