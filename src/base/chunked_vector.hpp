// A sequence that grows chunk by chunk and becomes a vector at the end.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/huge_pages.hpp"

namespace frr::internal {

// Unlike std::vector it never copies while it grows, and it frees its chunks one at a time while
// the final vector is filled. Large chunks are mapped pages: their unused end takes no memory, and
// freeing them returns memory to the system even between the chunks of other columns.
template <typename T>
class ChunkedVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  void push_back(T value) {
    if (used_ == capacity_) add_chunk();
    last_[used_++] = value;
  }

  [[nodiscard]] std::size_t size() const { return before_ + used_; }

  // Calls visit(value) for each value in order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const Chunk& chunk : chunks_) {
      for (std::size_t i = 0; i < count(chunk); ++i) visit(chunk.items[i]);
    }
  }

  // Returns all values and leaves this empty.
  std::vector<T> take() {
    std::vector<T> all;
    reserve_large_pages(all, size());
    for (Chunk& chunk : chunks_) {
      all.insert(all.end(), chunk.items.get(), chunk.items.get() + count(chunk));
      chunk.items.reset();
    }
    *this = ChunkedVector();
    return all;
  }

  // Replaces the contents of `all` by all values. Leaves this empty but keeps its last chunk.
  void move_to(std::vector<T>& all) {
    all.clear();
    for (const Chunk& chunk : chunks_) {
      all.insert(all.end(), chunk.items.get(), chunk.items.get() + count(chunk));
    }
    if (chunks_.size() > 1) chunks_.erase(chunks_.begin(), chunks_.end() - 1);
    before_ = used_ = 0;
  }

 private:
  static constexpr std::size_t first_size = 64;
  static constexpr std::size_t map_bytes = std::size_t{1} << 18;  // chunks of this size are mapped
  static constexpr std::size_t max_bytes = std::size_t{1} << 22;

  struct Release {
    std::size_t mapped = 0;  // bytes; 0: allocated by new[]
    void operator()(T* items) const {
      if (mapped > 0) {
        ::munmap(items, mapped);
      } else {
        delete[] items;
      }
    }
  };
  struct Chunk {
    std::unique_ptr<T[], Release> items;
    std::size_t size;
  };

  [[nodiscard]] std::size_t count(const Chunk& chunk) const {
    return &chunk == &chunks_.back() ? used_ : chunk.size;
  }

  void add_chunk() {
    const bool grow = capacity_ * sizeof(T) < max_bytes;
    const std::size_t size = capacity_ == 0 ? first_size : grow ? 2 * capacity_ : capacity_;
    before_ += used_;
    chunks_.push_back({allocate(size), size});
    last_ = chunks_.back().items.get();
    capacity_ = size;
    used_ = 0;
  }

  static std::unique_ptr<T[], Release> allocate(std::size_t size) {
    const std::size_t bytes = size * sizeof(T);
    if (bytes < map_bytes) return {new T[size], Release{}};
    void* const pages =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    return {static_cast<T*>(pages), Release{bytes}};
  }

  std::vector<Chunk> chunks_;
  T* last_ = nullptr;
  std::size_t before_ = 0;               // values in the chunks before the last
  std::size_t capacity_ = 0, used_ = 0;  // of the last chunk
};

}  // namespace frr::internal
