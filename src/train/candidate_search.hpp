// Gradient descent, extraction, polish and tuning from one or several starts.
#pragma once

#include "base/control.hpp"
#include "train/candidate.hpp"

namespace frr::internal {

// The candidate with the largest objective of settings.restarts starts.
Candidate best_candidate(const Task& task, int threads, Control& control);

}  // namespace frr::internal
