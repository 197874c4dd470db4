// The rows and classes that gradient descent sees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "labels/membership.hpp"
#include "network/trainer.hpp"
#include "train/candidate.hpp"

namespace frr::internal {

// All classes or, if there are very many, those of the largest weight (the first of equals).
// Ascending.
std::vector<int> descent_classes(const Task& task);

NetworkShape network_shape(const Task& task, std::size_t classes);

// The first task.learned rows, those of the given classes.
struct DescentRows {
  DescentRows(const Task& task, const std::vector<int>& descended, const Memberships& memberships,
              int threads);

  NetworkShape shape;
  SparseRows<float> inputs;
  std::vector<int> classes;  // indices in `descended`
  std::vector<float> weights;
};

}  // namespace frr::internal
