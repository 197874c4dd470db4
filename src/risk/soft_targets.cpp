#include "risk/soft_targets.hpp"

#include <algorithm>
#include <numeric>

#include "additive/truth.hpp"
#include "data/forest.hpp"

namespace frr::internal {
namespace {

constexpr float of_class = 0.15F;        // the part of a target that is the row's class
constexpr std::size_t fewest_rows = 20;  // in a leaf of the forest

// By class, for each row.
std::vector<std::vector<float>> additive_shares(const AdditiveTask& task,
                                                const Memberships& memberships,
                                                const AdditiveRules& additive) {
  const Conjunction conjunction(task.settings.tnorm, task.settings.root);
  AdditiveFit fit;
  fit.biases = additive.biases;
  std::vector<std::vector<float>> truths;
  for (const LabelRule& rule : additive.rules) {
    truths.push_back(conjunction.truth(memberships, rule.labels));
    fit.weights.push_back(rule.weight);
  }
  std::vector<RuleTruth> rules;
  for (std::size_t r = 0; r < truths.size(); ++r) {
    rules.push_back({additive.rules[r].then, truths[r]});
  }
  std::vector<int> classes(task.examples.class_count);
  std::iota(classes.begin(), classes.end(), 0);
  return additive_probabilities(task.examples, rules, fit, classes, task.threads);
}

// [row][class]; all 0 for a row that every tree has seen.
std::vector<float> forest_shares(const AdditiveTask& task, const Partition& partition) {
  std::vector<std::size_t> columns;
  for (const Feature& feature : partition.features) {
    const Column* column = task.table.find(feature.name);
    columns.push_back(static_cast<std::size_t>(column - task.table.columns.data()));
  }
  const Binning binning(task.table, columns, task.rows, task.threads);
  const std::vector<std::uint8_t> bins = binning.apply(task.table, task.rows, task.threads);
  const ForestRows rows{bins, task.examples.classes, task.examples.weights,
                        task.examples.class_count};
  const ForestShape shape{.trees = static_cast<std::size_t>(task.settings.trees),
                          .smallest_leaf = fewest_rows,
                          .seed = task.settings.seed ^ 0x7eac4e5ULL};
  return Forest(binning, rows, shape, task.threads).unseen_probabilities(rows, task.threads);
}

}  // namespace

std::vector<float> soft_targets(const AdditiveTask& task, const Partition& partition,
                                const Memberships& memberships, const AdditiveRules& additive) {
  const std::vector<std::vector<float>> of_additive = additive_shares(task, memberships, additive);
  const std::vector<float> of_forest = forest_shares(task, partition);
  const std::size_t classes = task.examples.class_count;
  std::vector<float> targets(task.rows.size() * classes);
  for (std::size_t i = 0; i < task.rows.size(); ++i) {
    const float* forest = of_forest.data() + i * classes;
    const bool unseen = std::any_of(forest, forest + classes, [](float p) { return p > 0; });
    for (std::size_t c = 0; c < classes; ++c) {
      const float p = unseen ? (of_additive[c][i] + forest[c]) / 2 : of_additive[c][i];
      const float truth = task.examples.classes[i] == static_cast<int>(c) ? 1 : 0;
      targets[i * classes + c] = task.examples.weights[i] * (of_class * truth + (1 - of_class) * p);
    }
  }
  return targets;
}

}  // namespace frr::internal
