// Where a border between two labels lies best for additive rules. Every pair (start, end) of grid
// points is valued to second order of the loss, by sums over the rows between the grid points; the
// caller refits the best ones.
//
// With m the membership in the label left of the border (1 - m in the one right of it) and the
// truth of every rule taken as linear in m, the score of class c changes by a_c (m' - m), and
//
//     change = sum_i D_i (m' - m) + K_i / 2 (m' - m)^2,
//     D = v (sum_c p_c a_c - a_y),    K = v (sum_c p_c a_c^2 - (sum_c p_c a_c)^2).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "labels/partition.hpp"

namespace frr::internal {

// One row as seen from a border.
struct BorderRow {
  double value = 0;       // of the feature, not NaN
  double membership = 0;  // m, with the border where it is now
  double slope = 0;       // D
  double curvature = 0;   // K
};

struct BorderChange {
  Border border;
  double change = 0;  // of the loss, in nats, to second order
};

// The `count` places for the border that lower the loss most, best first. `grid`: ascending points;
// borders lie between `from` and `to`. `crisp`: only borders without a slope.
std::vector<BorderChange> best_borders(std::span<const BorderRow> rows,
                                       std::span<const double> grid, double from, double to,
                                       std::size_t count, bool crisp = false);

}  // namespace frr::internal
