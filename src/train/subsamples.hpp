// Gradient descent and search on subsamples of many rows, each from its own start. The candidates
// are scored on all rows, and the best one is searched further there: the choice among several
// starts matters more than the number of rows that the first rules have seen.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/control.hpp"
#include "train/candidate.hpp"

namespace frr::internal {

// 1: descent and search see all rows from the start.
std::size_t subsample_count(const Task& task);

Candidate best_of_subsamples(const Task& task, std::size_t subsamples, std::uint64_t seed,
                             int threads, Control& control);

}  // namespace frr::internal
