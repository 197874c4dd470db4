// A nonzero entry of a sparse matrix.
#pragma once

#include <cstdint>
#include <span>

namespace frr::internal {

template <typename Scalar>
struct Entry {
  std::uint32_t column = 0;
  Scalar value = 0;
};
// The entries of one row.
template <typename Scalar>
using Entries = std::span<const Entry<Scalar>>;

}  // namespace frr::internal
