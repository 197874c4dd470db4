// The accuracy for each budget, as a table with a plot in plain characters.
#pragma once

#include <cstddef>
#include <string>

#include "frr/frr.hpp"

namespace frr::cli {

// One line for each budget: figures, then a strip on which o marks the mean accuracy, --- extends
// one standard error to both sides, and : marks the accuracy of the best budget minus its standard
// error. The plot is as wide as `columns` allows; if it does not fit next to the table, it follows
// below. The header and the recommended line are bold().
std::string path_table(const AccuracyPath& path, std::size_t columns);

}  // namespace frr::cli
