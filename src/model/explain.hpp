// explain() of frr/explain.hpp for columns that are mapped once for many rows.
#pragma once

#include <cstddef>

#include "frr/explain.hpp"
#include "model/column_map.hpp"

namespace frr::internal {

// `row` must be < map.rows().
Explanation explain(const RuleBase& base, const ColumnMap& map, std::size_t row);

}  // namespace frr::internal
