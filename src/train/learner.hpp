// From labelled rows to a rule base: partition, gradient descent, extraction, polish and tuning.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "frr/frr.hpp"
#include "train/candidate_search.hpp"

namespace frr::internal {

// Everything but what all rows tell: rules without statistics, whose weights are whole steps
// (valuation.hpp) where they were polished. `rows` come as ordered_rows gives them, `weights` one a
// row of the table, or none; `all`: the number of rows of which these are a sample, or all.
RuleBase learn_rules(const Table& table, const Dataset& data, std::span<const std::uint32_t> rows,
                     std::span<const double> weights, const TrainRequest& request, std::size_t all,
                     Control& control);

// Puts the rules in order and drops idle ones. `count` sets the statistics of a rule base.
void finish(RuleBase& base, const std::function<void(RuleBase&)>& count, const Settings& settings,
            Control& control);

// One a class, as the request gives them.
std::vector<double> class_weights(const Dataset& data, const TrainRequest& request);

// Rows of the request (all if it names none) whose target is known and whose weight is positive.
// Throws Error{usage} or Error{data} where they cannot be trained on.
std::vector<std::uint32_t> training_rows(const Table& table, const Dataset& data,
                                         const TrainRequest& request);

}  // namespace frr::internal
