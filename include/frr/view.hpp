// Columns for reading, in a Table or in the caller's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frr/table.hpp"

namespace frr {

// Numbers `stride` bytes apart: double, or float if `single`. NaN is a missing value.
struct NumberView {
  const void* data = nullptr;
  std::ptrdiff_t stride = sizeof(double);
  bool single = false;

  [[nodiscard]] double operator[](std::size_t row) const {
    return single ? number<float>(row) : number<double>(row);
  }
  // to[i] = the number of row row_of(i), for i < count.
  template <typename RowOf>
  void copy(std::size_t count, const RowOf& row_of, double* to) const {
    if (single) {
      for (std::size_t i = 0; i < count; ++i) to[i] = number<float>(row_of(i));
    } else {
      for (std::size_t i = 0; i < count; ++i) to[i] = number<double>(row_of(i));
    }
  }
  // to[i] = the number of row first + i, for i < count. Prefetches the rows after these, whose
  // distance the processor does not predict.
  void copy_block(std::size_t first, std::size_t count, double* to) const {
    if (single && stride == sizeof(float) && is_aligned(alignof(float))) {
      const float* from = static_cast<const float*>(data) + first;
      for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<double>(from[i]);
      return;
    }
    const char* ahead =
        static_cast<const char*>(data) + static_cast<std::ptrdiff_t>(first + count) * stride;
    copy(
        count,
        [&](std::size_t i) {
          __builtin_prefetch(ahead + static_cast<std::ptrdiff_t>(i) * stride);
          return first + i;
        },
        to);
  }
  // The numbers as an array of doubles; nullptr if they are not stored like that.
  [[nodiscard]] const double* plain() const {
    const bool close = !single && stride == sizeof(double);
    return close && is_aligned(alignof(double)) ? static_cast<const double*>(data) : nullptr;
  }

 private:
  [[nodiscard]] bool is_aligned(std::size_t to) const {
    return reinterpret_cast<std::uintptr_t>(data) % to == 0;
  }
  template <typename Number>
  [[nodiscard]] double number(std::size_t row) const {
    Number number;
    std::memcpy(&number,  // may be unaligned
                static_cast<const char*>(data) + static_cast<std::ptrdiff_t>(row) * stride,
                sizeof number);
    return static_cast<double>(number);
  }
};

// Like Column: a numeric one has `numbers`, a categorical one `codes` and `categories`.
struct ColumnView {
  std::string_view name;
  ColumnType type = ColumnType::numeric;
  NumberView numbers;
  const std::int32_t* codes = nullptr;
  std::span<const std::string> categories;

  ColumnView() = default;
  ColumnView(std::string_view name_of_column, const NumberView& view)
      : name(name_of_column), numbers(view) {}
  explicit ColumnView(const Column& column)
      : name(column.name),
        type(column.type),
        numbers{.data = column.values.data()},
        codes(column.codes.data()),
        categories(column.categories) {}

  [[nodiscard]] bool is_missing(std::size_t row) const {
    if (type == ColumnType::categorical) return codes[row] == Column::missing_code;
    const double number = numbers[row];
    return number != number;
  }
};

// Columns of `rows` values each, with distinct names. The data must outlive the view.
struct TableView {
  std::string source;  // for messages
  std::size_t rows = 0;
  std::vector<ColumnView> columns;

  TableView() = default;
  explicit TableView(const Table& table) : source(table.source), rows(table.rows) {
    for (const Column& column : table.columns) columns.emplace_back(column);
  }
};

}  // namespace frr
