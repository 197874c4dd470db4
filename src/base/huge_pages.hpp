// Memory in large pages, where the system has them. With small pages, loops that read many columns
// at once miss the processor's address cache, and the system clears each page separately.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace frr::internal {

template <typename T>
void reserve_large_pages(std::vector<T>& numbers, std::size_t count) {
  numbers.reserve(count);
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t large = std::uintptr_t{1} << 21;
  const auto start = reinterpret_cast<std::uintptr_t>(numbers.data());
  const std::uintptr_t first = (start + large - 1) / large * large;
  const std::uintptr_t last = (start + count * sizeof(T)) / large * large;
  // Advice to the system: a failure affects only the speed.
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace frr::internal
