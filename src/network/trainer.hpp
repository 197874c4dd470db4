// Gradient descent on the network: epochs of shuffled mini-batches, with beta and gamma falling
// linearly, the sharpness of the smooth maximum rising geometrically and the learning rate along a
// cosine, all by the share of steps done.
//
// If there are enough batches, up to 4 replicas of the parameters take turns at the batches, each
// with its own optimizer, and are averaged after every few steps. Threads therefore need not wait
// for each other in every step. The number of replicas depends on the batches alone, so the result
// is the same with any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "network/network.hpp"

namespace frr::internal {

struct Training {
  std::vector<float> parameters;
  int epochs = 0;          // done
  double loss = 0;         // mean of the last epoch
  bool cut_short = false;  // by the time limit
};

// Replicas for this many batches an epoch.
std::size_t replicas(std::size_t batches);

// Epochs for this many rows where the settings leave it open.
int automatic_epochs(std::size_t rows);

// `weights` one a row; they count relative to their mean. The schedule position of a step is its
// share of all steps.
Training train_network(const NetworkShape& shape, const SparseRows<float>& inputs,
                       std::span<const int> classes, std::span<const float> weights,
                       const Settings& settings, std::uint64_t seed, int threads, Control& control);

// Values of the schedules when the share `done` in [0, 1] of the steps has been made.
NetworkPoint schedule(const Settings& settings, double done);
double learning_rate(const Settings& settings, double done);

}  // namespace frr::internal
