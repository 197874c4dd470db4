// train() of frr/frr.hpp for rows that are checked.
#pragma once

#include <cstdint>
#include <span>

#include "data/dataset.hpp"
#include "frr/frr.hpp"

namespace frr::internal {

// `rows` as training_rows gives them. If the policy has a target, its threshold is chosen on
// out-of-fold predictions; all trainings together keep to the time limit.
RuleBase train_rows(const Table& table, const Dataset& data, std::span<const std::uint32_t> rows,
                    const TrainRequest& request);

}  // namespace frr::internal
