// The number of rules that a path recommends.
#pragma once

#include <cstdint>
#include <span>

#include "data/dataset.hpp"
#include "frr/frr.hpp"

namespace frr::internal {

// That of the objective: log-loss for additive rules and for the objective `risk`, which may be
// chosen automatically for these rows; else accuracy.
PathMetric default_path_metric(const Dataset& data, std::span<const std::uint32_t> rows,
                               const TrainRequest& request);

// Throws Error{data} if path.by is undefined at every point.
void check_path_metric(const AccuracyPath& path);

}  // namespace frr::internal
