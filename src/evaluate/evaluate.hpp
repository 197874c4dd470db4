// evaluate() of frr/evaluate.hpp for columns that are mapped once.
#pragma once

#include <cstdint>
#include <span>

#include "frr/evaluate.hpp"
#include "model/column_map.hpp"

namespace frr::internal {

// `classes`: true class index of each row, -1 if unknown (skipped); `rows` empty: all rows.
Evaluation evaluate(const RuleBase& base, const ColumnMap& map, std::span<const int> classes,
                    std::span<const std::uint32_t> rows = {});

}  // namespace frr::internal
