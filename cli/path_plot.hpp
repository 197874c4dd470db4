// The path of accuracy over budgets as a table with a plot, in plain characters.
#pragma once

#include <cstddef>
#include <string>

#include "frr/frr.hpp"

namespace frr::cli {

// One line a budget: figures, then a strip on which o is the mean accuracy, --- reaches one
// standard error to both sides and : is where a budget is as good as the best one. The plot is as
// wide as `columns` allows; where it does not fit beside the table it follows below. Header and
// recommended line are bold().
std::string path_table(const AccuracyPath& path, std::size_t columns);

}  // namespace frr::cli
