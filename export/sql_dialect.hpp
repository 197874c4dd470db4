// What the databases differ in, as far as one SELECT that decides sees it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace frr::internal {

struct Dialect {
  std::string_view name, title;
  std::string_view text_type, collation;  // compares texts byte by byte
  std::string_view least, greatest;
  // Ends a layer, so that it is computed once a row and not once a use.
  std::string_view fence;
  std::string_view missing;             // what counts as missing, for people
  std::string (*number)(double value);  // a constant that is this double, to the last bit
  // The column as a double. `missing` is a list of doubles that are missing, NaN first where there
  // is such a constant; `is_text_missing` a condition on the text of the column. NULL where it is
  // missing.
  std::string (*input)(const std::string& column, const std::string& missing,
                       const std::string& is_text_missing);
  std::string_view infinity;                      // a constant
  std::string_view nan;                           // a constant; empty where there is none
  std::string_view trim;                          // TEXT without the spaces and tabs around it
  std::string (*text)(const std::string& value);  // a constant
  std::string_view is_boolean;                    // a condition, of the type of COLUMN
  std::string_view no_text, yes_text;             // what a cast to text makes of booleans
  // Between them a WITH gives w, which holds the number of the rule as `rule`. Empty: the WITH
  // comes first, and the row of the table t goes through its layers as one value, `row`.
  std::string_view before, after, rule, row;
  char quote;                                              // around names
  bool folds_case;                                         // "A" and "a" are the same column
  bool traps;                                              // overflow and underflow are errors
  std::size_t longest_name, most_columns, most_arguments;  // 0: no limit that matters

  [[nodiscard]] std::string identifier(const std::string& word) const;

  // A function of any number of arguments, taken in groups where a call holds only so many. The MAX
  // of one argument, which in SQLite is that of a column, is the argument itself.
  [[nodiscard]] std::string call(std::string_view function,
                                 std::vector<std::string> arguments) const;
};

// The one of this name, the first where it is empty. Throws Error{usage} where there is none.
const Dialect& find_dialect(const std::string& name);

}  // namespace frr::internal
