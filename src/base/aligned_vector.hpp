// A vector of numbers that begins with a cache line, so that no eight of them in a row, counted
// from the start, lie in two.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace frr::internal {

template <typename T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  LineAllocator() = default;
  template <typename Other>
  LineAllocator(const LineAllocator<Other>&) {}  // NOLINT(google-explicit-constructor)
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), line));
  }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, line); }
  bool operator==(const LineAllocator&) const { return true; }
};

template <typename T>
using Lines = std::vector<T, LineAllocator<T>>;

}  // namespace frr::internal
