// From labelled rows to a rule base: partition, gradient descent, extraction, polish and tuning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "frr/frr.hpp"

namespace frr::internal {

// The rule base of rows that training_rows gives, at most settings.search_rows of them.
RuleBase learn_rows(const Table& table, const Dataset& data, std::span<const std::uint32_t> chosen,
                    const TrainRequest& request, Control& control);

// What is known of all rows, of which those to learn from may be a sample.
struct WholeData {
  std::size_t rows = 0;
  Objective objective = Objective::accuracy;  // resolve_objective
};

// The rules without statistics; polished weights are whole steps (valuation.hpp). `rows` are in the
// order of ordered_rows; `weights`: one per row of the table, or none.
RuleBase learn_rules(const Table& table, const Dataset& data, std::span<const std::uint32_t> rows,
                     std::span<const double> weights, const TrainRequest& request,
                     const WholeData& whole, Control& control);

}  // namespace frr::internal
