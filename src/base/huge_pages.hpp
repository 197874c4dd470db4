// Memory in large pages, where the system gives them: many columns are read side by side, and with
// small pages the processor would look up the place of each time and again, and the system clear
// them one by one.
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
  // It is advice: without it all works the same.
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace frr::internal
