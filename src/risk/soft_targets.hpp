// What the search by log-loss aims at (outcome_loss.hpp): for each row, a distribution over the
// classes.
//
// A rule that is true for few rows fits their classes by chance. The targets are therefore soft:
// mostly the mean of the probabilities that additive rules and a random forest give the row, the
// forest by the trees that have not seen it.
#pragma once

#include <vector>

#include "additive/learn_additive.hpp"

namespace frr::internal {

// [row][class], times the weight of the row. `additive` has been learned on the rows of the task,
// with these memberships.
std::vector<float> soft_targets(const AdditiveTask& task, const Partition& partition,
                                const Memberships& memberships, const AdditiveRules& additive);

}  // namespace frr::internal
