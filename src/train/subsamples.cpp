#include "train/subsamples.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "model/column_map.hpp"
#include "model/statistics.hpp"
#include "network/extract.hpp"
#include "network/trainer.hpp"
#include "search/rule_scores.hpp"
#include "train/descent_rows.hpp"
#include "train/refinement.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t most_subsamples = 4;
constexpr std::size_t subsample_rows = 16384;

// The objective of a candidate on all rows of the task, as its search computes it.
double objective_on_all(const Task& task, const Candidate& candidate, int threads) {
  RuleBase base = make_rulebase(candidate.partition, task.labels, candidate.rules,
                                candidate.otherwise, task.settings);
  base.classes = task.class_names;
  std::vector<int> classes(task.table.rows, -1);
  std::vector<std::int64_t> units(task.table.rows, 0);
  const float most = *std::max_element(task.weights.begin(), task.weights.end());
  double weight = 0, unit = 0;
  for (std::size_t i = 0; i < task.rows.size(); ++i) {
    const auto row_units =
        weight_units(static_cast<double>(task.weights[i]), static_cast<double>(most));
    classes[task.rows[i]] = task.classes[i];
    units[task.rows[i]] += row_units;  // a row may occur several times
    weight += static_cast<double>(task.weights[i]);
    unit += static_cast<double>(row_units);
  }
  const double margin = task.settings.margin;
  const std::vector<std::int64_t> sums =
      rule_score_sums(base, {}, margin, ColumnMap(base, task.table), classes, units, threads);
  const RuleScoreLayout places(base, margin, 0);
  double right = 0;
  for (std::size_t c = 0; c < base.classes.size(); ++c) {
    right += static_cast<double>(sums[places.right() + c]);
  }
  const double price = condition_price(task.settings, weight);
  return right / degree_units * weight / unit - price * static_cast<double>(base.size());
}

// The task on the rows from `first` on, with descent on `learned` of them.
Task subsample(const Task& task, std::size_t first, std::size_t learned) {
  return {.table = task.table,
          .real = task.real.subspan(first, subsample_rows),
          .source = task.source,
          .rows = task.rows.subspan(first, subsample_rows),
          .class_names = task.class_names,
          .settings = task.settings,
          .partition = task.partition,
          .labels = task.labels,
          .learned = std::min(subsample_rows, learned),
          .classes = task.classes.subspan(first, subsample_rows),
          .weights = task.weights.subspan(first, subsample_rows),
          .fixed = task.fixed};
}

}  // namespace

std::size_t subsample_count(const Task& task) {
  const Settings& settings = task.settings;
  const bool searched = settings.gradient && settings.polish && !by_log_loss(settings);
  const bool synthetic = &task.source != &task.table;
  if (!searched || synthetic) return 1;
  return std::clamp<std::size_t>(task.rows.size() / subsample_rows, 1, most_subsamples);
}

Candidate best_of_subsamples(const Task& task, std::size_t subsamples, std::uint64_t seed,
                             int threads, Control& control) {
  std::vector<std::optional<Candidate>> candidates(subsamples);
  const std::size_t apart = task.rows.size() / subsamples;
  Control beside = Control::beside(control);
  parallel_for(threads, subsamples, [&](std::size_t i) {
    if (i > 0 && control.out_of_time()) return;
    Control& progress = i == 0 ? control : beside;
    const Task part = subsample(task, i * apart, task.learned / subsamples);
    const std::uint64_t part_seed = seed + 0xd1b54a32d192ed03ULL * i;
    Memberships memberships(part.partition, part.source, part.rows, 1);
    const std::vector<int> classes = descent_classes(part);
    Training training;
    {
      const DescentRows rows(part, classes, memberships, 1);
      training = train_network(rows.shape, rows.inputs, rows.classes, rows.weights, part.settings,
                               part_seed, 1, progress);
    }
    candidates[i] =
        extract_and_refine(part, training, classes, std::move(memberships), part_seed, 1, progress);
  });
  Candidate* best = nullptr;
  for (auto& candidate : candidates) {
    if (!candidate) continue;
    candidate->objective = objective_on_all(task, *candidate, threads);
    if (best == nullptr || candidate->objective > best->objective) best = &*candidate;
  }
  Memberships memberships(best->partition, task.source, task.rows, threads);
  Refinement refinement(task, std::move(*best), std::move(memberships), seed, threads);
  // The rules are polished already, on fewer rows: one more round is enough.
  refinement.tune_borders(control);
  refinement.polish_rules(control);
  return refinement.finish(control);
}

}  // namespace frr::internal
