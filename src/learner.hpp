// From labelled rows to a rule base: partition, gradient descent, extraction, polish and tuning.
#pragma once

#include <cstdint>
#include <span>

#include "control.hpp"
#include "dataset.hpp"
#include "frr/frr.hpp"

namespace frr {

// The work behind train(), on rows as training_rows gives them.
RuleBase learn(const Table& table, const Dataset& data, std::span<const std::uint32_t> rows,
               const TrainRequest& request, Control& control);

// Rows of the request (all if it names none) whose target is known and whose weight is positive.
// Throws Error{usage} or Error{data} where they cannot be trained on.
std::vector<std::uint32_t> training_rows(const Table& table, const Dataset& data,
                                         const TrainRequest& request);

}  // namespace frr
