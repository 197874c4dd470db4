// Learning from more rows than are searched: a sample gives the rules, all rows settle them.
#pragma once

#include <cstdint>
#include <span>

#include "control.hpp"
#include "dataset.hpp"
#include "frr/frr.hpp"

namespace frr {

// The same as train() of frr/shards.hpp for the rows `chosen` of a table.
RuleBase learn_sampled(const Table& table, const Dataset& data,
                       std::span<const std::uint32_t> chosen, const TrainRequest& request,
                       Control& control);

}  // namespace frr
