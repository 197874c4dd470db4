// A sequence that grows by blocks and becomes a vector at the end.
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

// Unlike a growing vector it never copies while it grows, and hands its memory back block by block
// when it becomes one: large blocks are pages of the system's own, so that neither their unused
// end nor what is freed between the blocks of other columns counts as memory in use.
template <typename T>
class Blocks {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  void push_back(T value) {
    if (used_ == capacity_) add_block();
    last_[used_++] = value;
  }

  [[nodiscard]] std::size_t size() const { return before_ + used_; }

  // Calls visit(value) for all in order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const Block& block : blocks_) {
      for (std::size_t i = 0; i < count(block); ++i) visit(block.items[i]);
    }
  }

  // All values. Leaves this empty.
  std::vector<T> take() {
    std::vector<T> all;
    reserve_large_pages(all, size());
    for (Block& block : blocks_) {
      all.insert(all.end(), block.items.get(), block.items.get() + count(block));
      block.items.reset();
    }
    *this = Blocks();
    return all;
  }

  // All values, in place of what `all` held. Leaves this empty, with room for as many.
  void move_to(std::vector<T>& all) {
    all.clear();
    for (const Block& block : blocks_) {
      all.insert(all.end(), block.items.get(), block.items.get() + count(block));
    }
    if (blocks_.size() > 1) blocks_.erase(blocks_.begin(), blocks_.end() - 1);
    before_ = used_ = 0;
  }

 private:
  static constexpr std::size_t first_size = 64;
  static constexpr std::size_t page_bytes = std::size_t{1} << 18;  // from here on by mmap
  static constexpr std::size_t largest_bytes = std::size_t{1} << 22;

  struct Release {
    std::size_t mapped = 0;  // bytes; 0: from new[]
    void operator()(T* items) const {
      if (mapped > 0) {
        ::munmap(items, mapped);
      } else {
        delete[] items;
      }
    }
  };
  struct Block {
    std::unique_ptr<T[], Release> items;
    std::size_t size;
  };

  [[nodiscard]] std::size_t count(const Block& block) const {
    return &block == &blocks_.back() ? used_ : block.size;
  }

  void add_block() {
    const bool grow = capacity_ * sizeof(T) < largest_bytes;
    const std::size_t size = capacity_ == 0 ? first_size : grow ? 2 * capacity_ : capacity_;
    before_ += used_;
    blocks_.push_back({allocate(size), size});
    last_ = blocks_.back().items.get();
    capacity_ = size;
    used_ = 0;
  }

  static std::unique_ptr<T[], Release> allocate(std::size_t size) {
    const std::size_t bytes = size * sizeof(T);
    if (bytes < page_bytes) return {new T[size], Release{}};
    void* const pages =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    return {static_cast<T*>(pages), Release{bytes}};
  }

  std::vector<Block> blocks_;
  T* last_ = nullptr;
  std::size_t before_ = 0;               // values in the blocks before the last
  std::size_t capacity_ = 0, used_ = 0;  // of the last block
};

}  // namespace frr::internal
