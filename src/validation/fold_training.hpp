// Training without the rows of one fold, and testing on them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "evaluate/predictions.hpp"
#include "frr/frr.hpp"

namespace frr::internal {

struct Fold {
  std::vector<std::uint32_t> train, test;
};

// The folds of `rows`, in ascending order of their numbers. `numbers`: the fold of each of `rows`.
// Throws Error{data} if there are fewer than two.
std::vector<Fold> make_folds(std::span<const std::uint32_t> rows, std::span<const int> numbers);

struct TestedFold {
  FoldResult figures;
  Predictions predictions;  // of the test rows, in their order
  bool cut_short = false;   // by the time limit
};

// Trains every fold with every budget of rules: [budget][fold]. All trainings share the threads.
std::vector<std::vector<TestedFold>> test_folds(const Table& table, const Dataset& data,
                                                std::span<const Fold> folds,
                                                const TrainRequest& request,
                                                std::span<const int> budgets);

}  // namespace frr::internal
