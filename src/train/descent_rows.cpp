#include "train/descent_rows.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace frr::internal {
namespace {

// The cost of a step is rules x classes per row, and rules can name only few of very many classes.
constexpr std::size_t most_descent_classes = 128;

}  // namespace

std::vector<int> descent_classes(const Task& task) {
  std::vector<int> classes(task.class_names.size());
  std::iota(classes.begin(), classes.end(), 0);
  const std::size_t most =
      std::max(most_descent_classes, static_cast<std::size_t>(task.settings.rules) + 1);
  if (classes.size() <= most) return classes;
  std::vector<double> weight(classes.size(), 0);
  for (std::size_t i = 0; i < task.learned; ++i) {
    weight[static_cast<std::size_t>(task.classes[i])] += static_cast<double>(task.weights[i]);
  }
  std::stable_sort(classes.begin(), classes.end(), [&](int x, int y) {
    return weight[static_cast<std::size_t>(x)] > weight[static_cast<std::size_t>(y)];
  });
  classes.resize(most);
  std::sort(classes.begin(), classes.end());
  return classes;
}

NetworkShape network_shape(const Task& task, std::size_t classes) {
  NetworkShape shape;
  shape.rules = static_cast<std::size_t>(task.settings.rules);
  shape.slots = static_cast<std::size_t>(task.settings.conditions);
  shape.classes = classes;
  for (const Feature& feature : task.partition.features) {
    shape.first.push_back(shape.first.back() + feature.labels.size());
  }
  return shape;
}

DescentRows::DescentRows(const Task& task, const std::vector<int>& descended,
                         const Memberships& memberships, int threads)
    : shape(network_shape(task, descended.size())),
      inputs(sparse_rows<float>(memberships, task.learned, threads)) {
  std::vector<int> index(task.class_names.size(), -1);
  for (std::size_t k = 0; k < descended.size(); ++k) {
    index[static_cast<std::size_t>(descended[k])] = static_cast<int>(k);
  }
  SparseRows<float> kept;
  const bool some = descended.size() < index.size();
  for (std::size_t i = 0; i < task.learned; ++i) {
    const int its_class = index[static_cast<std::size_t>(task.classes[i])];
    if (its_class < 0) continue;
    classes.push_back(its_class);
    weights.push_back(task.weights[i]);
    if (!some) continue;
    const auto row = inputs.of_row(i);
    kept.entries.insert(kept.entries.end(), row.begin(), row.end());
    kept.start.push_back(kept.entries.size());
  }
  if (some) inputs = std::move(kept);
}

}  // namespace frr::internal
