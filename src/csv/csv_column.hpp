// Builds one column of a table from the texts of its cells. Only this file decides how a cell
// becomes a value: a number, or a category that is the exact text of the cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/chunked_vector.hpp"
#include "base/missing_codes.hpp"
#include "base/number.hpp"
#include "frr/table.hpp"

namespace frr::internal {

// Distinct texts and their codes, in order of first appearance. The hash table contains only codes,
// so that texts are stored once, and a lookup allocates nothing.
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
  std::vector<std::int32_t> slots_;  // codes; size a power of two, at most half full
};

// What all columns of a file have in common.
struct CellRules {
  std::string source;
  MissingCodes missing;        // in addition to the built-in ones
  bool decimal_comma = false;  // "3,14" is a number, if no number of the column has a point
};

class ColumnBuilder {
 public:
  enum class Kind {
    automatic,    // numbers if all cells are numbers, otherwise categories
    numeric,      // other text is an error
    categorical,  // categories, even if they look like numbers
    mixed,        // an automatic column that is known to hold both numbers and other text
  };

  // `rules` must outlive it.
  ColumnBuilder(std::string name, Kind kind, const CellRules& rules);

  // `text` has no blanks outside quotes; 8 bytes behind it must be readable. Throws Error{data}.
  void add(std::string_view text, std::uint32_t line) {
    double value = 0;
    if (fast_ && parse_padded_number(text, value)) {
      ++facts_.numbers;
      values_.push_back(value);
    } else {
      add_any(text, line);
    }
  }

  // The following functions refer to all cells so far, including those already taken.

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool had_foreign_text() const { return facts_.foreign_text; }  // not UTF-8
  // A sentence if the column looks as if it was meant to be numeric but is not; else "".
  [[nodiscard]] std::string warning() const;
  // Whether the texts of some cells were lost, because they were read as numbers before the first
  // text. The column must then be read again as Kind::mixed.
  [[nodiscard]] bool lost_spelling() const {
    return facts_.texts > 0 && facts_.numbers > facts_.exact;
  }
  // Throws Error{data} if a column of numbers contains an infinite one.
  void check_finite() const;

  Column finish();
  // A builder for further cells of the same column.
  [[nodiscard]] ColumnBuilder emptied() const;

  // Whether the type is known from the start, so that cells may be taken in parts.
  [[nodiscard]] bool type_known() const { return kind_ != Kind::automatic; }
  // Replaces the cells in `column` by those since the last call, and appends new categories.
  void move_to(Column& column);

 private:
  enum class Point { unknown, point, comma };
  struct Facts {
    std::size_t numbers = 0, texts = 0;  // cells that are and are not numbers, if both are allowed
    std::size_t exact = 0;               // numbers whose text was kept
    std::string first_text, infinite;    // for messages; "" if there is none
    std::uint32_t first_text_line = 0;
    bool foreign_text = false;
    Point point = Point::unknown;
  };

  void add_any(std::string_view text, std::uint32_t line);
  [[nodiscard]] ParsedNumber number_in(std::string_view text);
  bool add_number(std::string_view text, std::uint32_t line);
  void add_text(std::string_view text);
  void add_missing();
  void note_text(std::string_view text, std::uint32_t line);
  void become_categorical(std::string_view text, std::uint32_t line);
  [[nodiscard]] std::string message(std::uint32_t line, const std::string& what) const;

  std::string name_;
  Kind kind_;
  const CellRules* rules_;
  bool categorical_;
  bool fast_;  // any plain number is a value
  ChunkedVector<double> values_;
  ChunkedVector<std::int32_t> codes_;
  Dictionary dictionary_;
  Facts facts_;
};

}  // namespace frr::internal
