// The differences between databases that matter to a SELECT that decides.
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
  // Ends a layer so that it is computed once per row, not once per use.
  std::string_view fence;
  std::string_view missing;             // description of missing values, for users
  std::string (*number)(double value);  // a constant with exactly this value
  // The column as a double, NULL if missing. `missing` is a list of doubles that mean missing
  // values (NaN first, if there is such a constant), `is_text_missing` a condition on the text of
  // the column.
  std::string (*input)(const std::string& column, const std::string& missing,
                       const std::string& is_text_missing);
  std::string_view infinity;                      // a constant
  std::string_view nan;                           // a constant; empty if there is none
  std::string_view trim;                          // TEXT without surrounding spaces and tabs
  std::string (*text)(const std::string& value);  // a constant
  std::string_view is_boolean;                    // a condition, of the type of COLUMN
  std::string_view no_text, yes_text;             // texts to which booleans are cast
  // Between them, a WITH defines w, whose column `rule` holds the number of the rule; or, if it is
  // `value`, the only one: then several results are the members of a JSON object. If empty, the
  // WITH comes first, and each row of the table t passes through its layers as one value, `row`.
  std::string_view before, after, rule, row;
  // A column NAME of w if it has several: additive semantics.
  std::string_view result;
  char quote;                                              // around names
  bool folds_case;                                         // "A" and "a" are the same column
  bool traps;                                              // overflow and underflow are errors
  std::size_t longest_name, most_columns, most_arguments;  // 0: no relevant limit

  [[nodiscard]] std::string identifier(const std::string& word) const;

  // A function of any number of arguments, in groups if a call can hold only a limited number. MAX
  // of a single argument is the argument itself, because SQLite treats MAX(x) as an aggregate.
  [[nodiscard]] std::string call(std::string_view function,
                                 std::vector<std::string> arguments) const;
};

// The dialect of this name, or the first if the name is empty. Throws Error{usage} if it is
// unknown.
const Dialect& find_dialect(const std::string& name);

}  // namespace frr::internal
