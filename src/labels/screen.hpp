// Which features to learn from where there are very many: those whose labels tell most about the
// class, each by itself.
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

// Leaves the `limit` features with the most information in `partition`, in their order; of equals
// the first ones. Returns how many were left out.
std::size_t screen_features(Partition& partition, const Table& table, const Dataset& data,
                            std::span<const std::uint32_t> rows, std::size_t limit, int threads);

}  // namespace frr::internal
