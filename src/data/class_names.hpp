// The classes of a target column, by name.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "frr/view.hpp"

namespace frr::internal {

// A name for each distinct value of the column, in order of first appearance, and the index of
// each row's name (-1: missing). Stops at the row that makes them more than `most`.
struct DistinctValues {
  std::vector<std::string> names;
  std::vector<int> of_row;
};
DistinctValues distinct_values(const ColumnView& column, std::size_t rows,
                               std::size_t most = static_cast<std::size_t>(-1));

// Class index of every row by the names of `classes` (-1: missing or another name).
std::vector<int> class_indices(const ColumnView& column, std::size_t rows,
                               const std::vector<std::string>& classes);

}  // namespace frr::internal
