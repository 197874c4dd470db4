// Learning from more rows than are searched: a sample gives the rules, all rows settle them.
#pragma once

#include <cstdint>
#include <span>

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "frr/frr.hpp"
#include "frr/shards.hpp"

namespace frr::internal {

// The work behind train(), on rows as training_rows gives them.
RuleBase learn(const Table& table, const Dataset& data, std::span<const std::uint32_t> rows,
               const TrainRequest& request, Control& control);

RuleBase learn_from_shards(Shards& shards, const ShardedTraining& training, Control& control);

// The same for the rows `chosen` of a table.
RuleBase learn_sampled(const Table& table, const Dataset& data,
                       std::span<const std::uint32_t> chosen, const TrainRequest& request,
                       Control& control);

}  // namespace frr::internal
