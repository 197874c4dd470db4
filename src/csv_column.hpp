// Builds one column of a table from the texts of its cells, in one pass: numbers as long as all
// cells are numbers, categories from the first other text on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "blocks.hpp"
#include "frr/table.hpp"
#include "number.hpp"

namespace frr {

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

  // `text` without the blanks outside its quotes; 8 bytes behind it can be read. Throws
  // Error{data}.
  void add(std::string_view text, std::uint32_t line) {
    double value = 0;
    if (fast_ && parse_padded_number(text, value)) {
      ++numbers_;
      values_.push_back(value);
    } else {
      add_any(text, line);
    }
  }

  [[nodiscard]] bool had_foreign_text() const { return foreign_text_; }  // not UTF-8
  // A sentence if the column was meant to be numeric, as it seems, but is not; else "".
  [[nodiscard]] std::string warning() const;
  Column finish();
  // One for further cells of the same column, as if none had come before.
  [[nodiscard]] ColumnBuilder emptied() const { return {name_, kind_, *rules_}; }

  // Whether the type is known from the start, so that the cells may be taken in parts.
  [[nodiscard]] bool settled() const { return kind_ != Kind::automatic; }
  // The cells since the last call, in place of those in `column`; new categories are added to its
  // old ones.
  void move_to(Column& column);

 private:
  enum class Point { unknown, point, comma };

  void add_any(std::string_view text, std::uint32_t line);
  bool add_number(std::string_view text, std::uint32_t line);
  void add_text(std::string_view text);
  void become_categorical(std::string_view text, std::uint32_t line);
  [[noreturn]] void fail(std::uint32_t line, const std::string& what) const;

  std::string name_;
  Kind kind_;
  const CellRules* rules_;
  bool categorical_;
  bool fast_;  // any plain number is a value
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
