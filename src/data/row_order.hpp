// The rows that learning sees: each repeated as often as it counts, in an order that depends on
// their content alone. A rule base therefore depends neither on the order of the table's rows nor
// on whether a row is repeated or has a weight.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "frr/table.hpp"

namespace frr::internal {

// Whether the weights (one per row of the table) are all whole numbers and those of `rows` sum to
// at most `most`.
bool are_repetitions(std::span<const double> weights, std::span<const std::uint32_t> rows,
                     std::size_t most);

// `rows` in order of a hash of their features and class, then by weight. Both `repetitions` (how
// often each row is in the result) and `weights` have one number per row of the table, or none.
// Rows that are equal in all of this are interchangeable.
std::vector<std::uint32_t> ordered_rows(const Table& table, const Dataset& data,
                                        std::span<const std::uint32_t> rows,
                                        std::span<const double> repetitions,
                                        std::span<const double> weights, int threads);

}  // namespace frr::internal
