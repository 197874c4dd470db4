// The task of learning by log-loss on all rows of a problem.
#pragma once

#include <utility>
#include <vector>

#include "additive/learn_additive.hpp"
#include "support/random_table.hpp"

namespace frr::internal {

struct LogLossProblem : random_table::Problem {
  std::vector<bool> fixed;

  LogLossProblem(Table source, Settings problem_settings)
      : Problem(std::move(source), std::move(problem_settings)),
        fixed(partition.features.size(), false) {}

  [[nodiscard]] AdditiveTask task(int threads = 1) const {
    return {.table = table,
            .rows = rows,
            .examples = {classes, weights, data.classes.size()},
            .settings = settings,
            .fixed = fixed,
            .threads = threads};
  }
};

}  // namespace frr::internal
