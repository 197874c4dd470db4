// Training on rows wherever they are: on all of them if they are few, else on a sample, with the
// rules refitted to all rows.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "frr/frr.hpp"
#include "rows/row_source.hpp"

namespace frr::internal {

// The work behind train(): rows as training_rows gives them.
RuleBase learn(const Table& table, const Dataset& data, std::span<const std::uint32_t> rows,
               const TrainRequest& request, Control& control);

// `request` has a target, but neither `rows` nor `row_weights`; `name`: of the data.
RuleBase learn_from_source(RowSource& source, TrainRequest request, const std::string& name,
                           Control& control);
// The same after checking the request.
RuleBase train(RowSource& source, const TrainRequest& request, const std::string& name);

}  // namespace frr::internal
