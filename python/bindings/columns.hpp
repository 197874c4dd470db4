// Columns from Python: a list of (name, numbers) and (name, codes, categories).
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "frr/view.hpp"

namespace frr::python {

namespace nb = nanobind;

// Refers to the arrays without copying and keeps them alive. Numbers are float64 or float32 at any
// stride (NaN: missing); codes are int32 (-1: missing) and index into the categories. Throws
// Error{usage} if lengths, codes or names are wrong. Constructed and destroyed with the GIL.
class Columns {
 public:
  Columns(const nb::list& columns, std::size_t rows);
  Columns(const Columns&) = delete;
  Columns& operator=(const Columns&) = delete;

  [[nodiscard]] const TableView& view() const { return view_; }
  // Throws Error{data} for an infinite number.
  [[nodiscard]] Table copy(const std::string& source) const;

 private:
  using Numbers = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
  using Codes = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

  void add_numbers(const Numbers& numbers);
  void add_codes(const Codes& codes, std::vector<std::string> categories);

  std::vector<Numbers> numbers_;
  std::vector<Codes> codes_;
  std::deque<std::string> names_;  // the view refers to them, so they must not move
  std::deque<std::vector<std::string>> categories_;
  TableView view_;
};

}  // namespace frr::python
