// Builds one column of a table from the texts of its cells, in one pass: numbers as long as all
// cells are numbers, categories from the first other text on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frr/table.hpp"

namespace frr {

// A sequence that grows by blocks: unlike a vector it never holds more than one block that is not
// in use, and never copies while it grows.
template <typename T>
class Blocks {
 public:
  void push_back(T value) {
    if (used_ == capacity_) add_block();
    last_[used_++] = value;
  }
  // Calls visit(value) for all in order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const Block& block : blocks_) {
      const std::size_t count = &block == &blocks_.back() ? used_ : block.size;
      for (std::size_t i = 0; i < count; ++i) visit(block.items[i]);
    }
  }
  // All values; each block is freed as soon as it is copied. Leaves this empty.
  std::vector<T> take() {
    std::vector<T> all;
    std::size_t total = 0;
    for (const Block& block : blocks_) total += block.size;
    all.reserve(total - (capacity_ - used_));
    for (Block& block : blocks_) {
      const std::size_t count = &block == &blocks_.back() ? used_ : block.size;
      all.insert(all.end(), block.items.get(), block.items.get() + count);
      block.items.reset();
    }
    *this = Blocks();
    return all;
  }

 private:
  static constexpr std::size_t first_size = 64, largest_size = std::size_t{1} << 16;
  struct Block {
    std::unique_ptr<T[]> items;
    std::size_t size;
  };
  void add_block() {
    const std::size_t size = capacity_ == 0 ? first_size : std::min(2 * capacity_, largest_size);
    blocks_.push_back({std::make_unique_for_overwrite<T[]>(size), size});
    last_ = blocks_.back().items.get();
    capacity_ = size;
    used_ = 0;
  }

  std::vector<Block> blocks_;
  T* last_ = nullptr;
  std::size_t capacity_ = 0, used_ = 0;  // of the last block
};

// Distinct texts and their codes, in order of first appearance. A hash table of codes alone: the
// texts are stored once, and looking one up allocates nothing.
class Dictionary {
 public:
  static constexpr std::int32_t absent = -1;
  [[nodiscard]] std::int32_t find(std::string_view text) const;
  std::int32_t find_or_add(std::string_view text);
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
  std::vector<std::string> take();  // leaves this empty

 private:
  [[nodiscard]] std::size_t slot(std::string_view text) const;
  void grow();
  std::vector<std::string> texts_;
  std::vector<std::int32_t> slots_;  // power of two, at most half full
};

// What the columns of one reading share.
struct CellRules {
  std::string source;
  std::vector<std::string> missing;  // besides the built-in ones
  bool decimal_comma = false;        // "3,14" is a number where no number has a point
  [[nodiscard]] bool is_missing(std::string_view text) const;
};

class ColumnBuilder {
 public:
  enum class Kind { automatic, numeric, categorical };

  // `rules` must outlive it.
  ColumnBuilder(std::string name, Kind kind, const CellRules& rules);

  // `text` without the blanks outside its quotes. Throws Error{data}.
  void add(std::string_view text, std::uint32_t line);

  [[nodiscard]] bool had_foreign_text() const { return foreign_text_; }  // not UTF-8
  // A sentence if the column was meant to be numeric, as it seems, but is not; else "".
  [[nodiscard]] std::string warning() const;
  Column finish();

 private:
  enum class Point { unknown, point, comma };

  bool add_number(std::string_view text, std::uint32_t line);
  void add_text(std::string_view text);
  void become_categorical(std::string_view text, std::uint32_t line);
  [[noreturn]] void fail(std::uint32_t line, const std::string& what) const;

  std::string name_;
  Kind kind_;
  const CellRules* rules_;
  bool categorical_;
  bool foreign_text_ = false;
  Point point_ = Point::unknown;
  Blocks<double> values_;
  Blocks<std::int32_t> codes_;
  Dictionary dictionary_;
  std::size_t numbers_ = 0, texts_ = 0;  // automatic columns: cells that are / are not numbers
  std::string first_text_;
  std::uint32_t first_text_line_ = 0;
};

}  // namespace frr
