// The objective of the search (objective.hpp) for one border at several places, which tuning
// compares.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "labels/label_rule.hpp"
#include "labels/partition.hpp"
#include "search/search.hpp"

namespace frr::internal {

// The border between label `left` and the next one.
struct TunedBorder {
  std::size_t left;  // column of the label left of the border
  const Trapezoid &left_shape, &right_shape;
};

// Whether the rule reads a label next to the border right of label `left`.
bool reads_border(const LabelRule& rule, std::size_t left);

// The objective without prices, which do not depend on the border, with the border at each of
// `places`. places[0] is its present place; the ends of the others are points of `grid`. `values`
// are those of the search's rows. Rows without a value are left out, because no border changes
// them.
std::vector<double> border_objectives(const Search& search, const TunedBorder& border,
                                      std::span<const double> values,
                                      std::span<const Border> places, std::span<const double> grid,
                                      int threads);

}  // namespace frr::internal
