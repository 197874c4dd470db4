// The gradient of the network's loss over rows that may be anywhere (frr/shards.hpp), by sums over
// the rows that do not depend on the order of adding.
//
// What a row adds (network.hpp: `slots` and `rest`) is cut off at +-4 kappa, which the default
// settings do not reach, and rounded to 2^-20 of that; memberships are rounded to 2^-16. Products
// of such numbers are whole, and doubles hold the sum of 2^16 rows exactly. Each sum is handed on
// in two numbers, its multiples of 2^32 and what is left, so that any number of rows can be added.
//
// The rows themselves go through single precision: on processors of different kinds (with and
// without FMA) a row may be rounded to a neighbouring unit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "frr/rulebase.hpp"
#include "model/column_map.hpp"
#include "network/network.hpp"

namespace frr::internal {

// One step: where the gradient is wanted.
struct GradientPoint {
  std::uint32_t rules = 0, slots = 0;  // of the network
  NetworkRule rule;                    // without cancel_price, which is no matter of rows
  NetworkPoint point;
  std::vector<float> parameters;     // packed
  std::vector<float> class_weights;  // in [0, 1], one a class: a row's weight is that of its class
                                     // times its own share of the largest
};

// The network over the labels of a partition.
NetworkShape network_shape(const Partition& partition, std::size_t classes, std::size_t rules,
                           std::size_t slots);

// How many parameters and how many sums there are, given the partition and the classes of `base`.
std::size_t packed_size(const RuleBase& base, const GradientPoint& point);
std::size_t gradient_sums_size(const RuleBase& base, const GradientPoint& point);

// The sums over the rows of `map`, which must bind all features. classes: -1 for a row that
// does not count; units: the weight of each row in 2^-16 of the largest, none: all are the largest.
std::vector<std::int64_t> gradient_sums(const RuleBase& base, const GradientPoint& point,
                                        const ColumnMap& map, std::span<const int> classes,
                                        std::span<const std::int64_t> units, int threads);

// Loss and gradient (replacing `gradient`, packed) of all rows, from the sums of all.
double gradient_of_sums(Network<float>& network, const GradientPoint& point,
                        std::span<const std::int64_t> sums, std::span<float> gradient);

}  // namespace frr::internal
