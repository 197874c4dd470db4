// Builds one column of a table from the texts of its cells. This is the one place that decides how
// a cell becomes a value: a number, or a category that is the exact text of the cell.
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
  MissingCodes missing;        // in addition to the built-in ones
  bool decimal_comma = false;  // "3,14" is a number where no number has a point
};

class ColumnBuilder {
 public:
  enum class Kind {
    automatic,    // numbers if all cells are numbers, else categories
    numeric,      // text is an error
    categorical,  // categories, even if they look like numbers
    mixed,        // an automatic column that is known to hold both numbers and other texts
  };

  // `rules` must outlive it.
  ColumnBuilder(std::string name, Kind kind, const CellRules& rules);

  // `text` without the blanks outside its quotes; 8 bytes behind it can be read. Throws
  // Error{data}.
  void add(std::string_view text, std::uint32_t line) {
    double value = 0;
    if (fast_ && parse_padded_number(text, value)) {
      ++facts_.numbers;
      values_.push_back(value);
    } else {
      add_any(text, line);
    }
  }

  // The methods below speak of all cells so far, those already handed over included.

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool had_foreign_text() const { return facts_.foreign_text; }  // not UTF-8
  // A sentence if the column was apparently meant to be numeric but is not; else "".
  [[nodiscard]] std::string warning() const;
  // Whether the spelling of cells was lost: they were read as numbers before the first text came.
  // The column must then be read again as Kind::mixed.
  [[nodiscard]] bool lost_spelling() const {
    return facts_.texts > 0 && facts_.numbers > facts_.exact;
  }
  // Throws Error{data} if a column of numbers holds an infinite one.
  void check_finite() const;

  Column finish();
  // A builder for further cells of the same column.
  [[nodiscard]] ColumnBuilder emptied() const;

  // Whether the type is known from the start, so that the cells may be taken in parts.
  [[nodiscard]] bool settled() const { return kind_ != Kind::automatic; }
  // The cells since the last call, in place of those in `column`; new categories are added to its
  // old ones.
  void move_to(Column& column);

 private:
  enum class Point { unknown, point, comma };
  struct Facts {
    std::size_t numbers = 0, texts = 0;  // cells that are / are not numbers, if both are allowed
    std::size_t exact = 0;               // numbers of which the text was kept
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
  Blocks<double> values_;
  Blocks<std::int32_t> codes_;
  Dictionary dictionary_;
  Facts facts_;
};

}  // namespace frr::internal
