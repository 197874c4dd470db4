// A vector of numbers that starts on a cache line (64 bytes). Aligned groups of 8 floats or doubles
// therefore never straddle two lines.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace frr::internal {

template <typename T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  CacheLineAllocator() = default;
  template <typename Other>
  CacheLineAllocator(const CacheLineAllocator<Other>&) {}  // NOLINT(google-explicit-constructor)
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), line));
  }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, line); }
  bool operator==(const CacheLineAllocator&) const { return true; }
};

template <typename T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace frr::internal
