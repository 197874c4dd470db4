// The metric of a path for each budget, as a table with a plot in plain characters.
#pragma once

#include <cstddef>
#include <string>

#include "frr/frr.hpp"

namespace frr::cli {

// One line for each budget: figures, then a strip on which o marks the mean, --- extends one
// standard error to both sides, and : marks what is still within one standard error of the best.
// The plot is as wide as `columns` allows; if it does not fit next to the table, it follows below.
// The header and the recommended line are bold().
std::string path_table(const AccuracyPath& path, std::size_t columns);

// "accuracy", "AUC"
std::string path_title(PathMetric metric);
// "93.12 %", or "0.846" for a metric that is not a percentage.
std::string path_figure(const FoldResult& result, PathMetric metric, bool unit = true);

}  // namespace frr::cli
