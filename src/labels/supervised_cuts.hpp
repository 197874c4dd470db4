// The cuts of a supervised partition (partition.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace frr::internal {

// Cuts `sorted` into at most `labels` ranges of at least min_share * rows each, so that the sum
// over ranges of n * entropy(classes) is smallest, by dynamic programming over `bins` quantile
// bins. If not even two such ranges exist, a single cut leaves at least a few rows on each side.
// `classes` are the classes of the sorted rows; there must be two distinct values. Returns the
// first rank of each range but the first, increasing.
std::vector<std::size_t> supervised_cuts(std::span<const double> sorted,
                                         std::span<const int> classes, int class_count, int labels,
                                         int bins, double min_share);

}  // namespace frr::internal
