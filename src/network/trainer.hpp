// Gradient descent on the network in epochs of shuffled mini-batches. Schedules depend on the
// fraction of completed steps: beta and gamma fall linearly, the sharpness of the smooth maximum
// rises geometrically, and the learning rate follows a cosine.
//
// If there are enough batches, they are divided among up to 4 replicas of the parameters, each with
// a separate optimiser, which are averaged every few steps. Threads therefore need not wait for
// each other in every step. The number of replicas depends only on the number of batches, so the
// result is the same with any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "network/network.hpp"

namespace frr::internal {

struct Training {
  std::vector<float> parameters;
  int epochs = 0;          // completed
  double loss = 0;         // mean of the last epoch
  bool cut_short = false;  // stopped by the time limit
};

// The number of replicas for this number of batches per epoch.
std::size_t replica_count(std::size_t batches);

// The number of epochs for this number of rows if settings.epochs is 0.
int automatic_epochs(std::size_t rows);

// `weights` has a weight for each row; they are divided by their mean.
Training train_network(const NetworkShape& shape, const SparseRows<float>& inputs,
                       std::span<const int> classes, std::span<const float> weights,
                       const Settings& settings, std::uint64_t seed, int threads, Control& control);

// The values of the schedules after the fraction `done`, in [0, 1], of all steps.
NetworkPoint schedule(const Settings& settings, double done);
double learning_rate(const Settings& settings, double done);

}  // namespace frr::internal
