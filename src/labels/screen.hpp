// Screening of wide tables: keeps the features whose labels are most informative about the class,
// each considered alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "frr/rulebase.hpp"

namespace frr::internal {

// Mutual information, in nats, between the labels of a feature and the class, with memberships as
// fractional counts: n[v,c] = sum of mu[v] over the rows of class c.
double information(const Feature& feature, const Column& column, std::span<const int> labels,
                   std::size_t class_count, std::span<const std::uint32_t> rows);

// Keeps the `limit` features of `partition` with the most information (the first of equals), in
// their order. Returns the number of features left out.
std::size_t screen_features(Partition& partition, const Table& table, const Dataset& data,
                            std::span<const std::uint32_t> rows, std::size_t limit, int threads);

}  // namespace frr::internal
