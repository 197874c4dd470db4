#include "sql_dialect.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/text.hpp"
#include "base/visible_text.hpp"
#include "frr/error.hpp"
#include "writer.hpp"

namespace frr::internal {
namespace {

// The text between two of `mark`, which is doubled where the text contains it.
std::string quoted(const std::string& text, char mark) {
  std::string result(1, mark);
  for (const char c : text) result += c == mark ? std::string(2, c) : std::string(1, c);
  return result + mark;
}

// Concatenates calls of the function that returns a character by its number, for hidden characters.
std::string text_by(std::string_view function, const std::string& value) {
  bool hidden = false;
  const std::string text = replace_hidden(quoted(value, '\''), [&](std::uint32_t code) {
    hidden = true;
    return "' || " + std::string(function) + "(" + std::to_string(code) + ") || '";
  });
  return hidden ? "(" + text + ")" : text;
}

std::string duckdb_text(const std::string& value) { return text_by("chr", value); }
std::string sqlite_text(const std::string& value) { return text_by("char", value); }

std::string escape(std::uint32_t code) {
  constexpr std::string_view signs = "0123456789abcdef";
  std::string text = "\\u";
  for (int shift = 12; shift >= 0; shift -= 4)
    text += signs[(code >> static_cast<unsigned>(shift)) & 15U];
  return text;
}

// Hidden characters as \u202e and the like.
std::string escaped(const std::string& value) { return replace_hidden(value, escape); }

// The meaning of a backslash depends on standard_conforming_strings, except after an E.
std::string postgresql_text(const std::string& value) {
  std::string doubled;
  for (const char c : value) doubled += c == '\\' ? "\\\\" : std::string(1, c);
  const std::string text = escaped(doubled);
  return (text == value ? "" : "E") + quoted(text, '\'');
}

// Spark treats a backslash as the start of an escape, and replaces ${name} before it parses a text.
std::string spark_text(const std::string& value) {
  std::string text = "'";
  for (const char c : value) {
    if (c == '$') {
      text += "\\u0024";
      continue;
    }
    if (c == '\'' || c == '\\') text += '\\';
    text += c;
  }
  return escaped(text + "'");
}

std::string in_brackets(double value, std::string text) {
  return std::signbit(value) ? "(" + std::move(text) + ")" : std::move(text);
}

// Without an exponent it would be a DECIMAL.
std::string duckdb_number(double value) {
  const std::string text = shortest(value);
  return in_brackets(value, text + (text.find('e') == std::string::npos ? "e0" : ""));
}

std::string postgresql_number(double value) { return "float8 '" + shortest(value) + "'"; }

std::string spark_number(double value) { return in_brackets(value, shortest(value) + "D"); }

// SQLite reads decimals with an error of up to one unit in the last place. It reads whole numbers
// exactly, so a quotient of two is exact: 1.234 = 1234 / 1000.0, or, for more than 15 digits, a
// division by a power of two. Up to two decimals need no quotient: however a version of SQLite
// multiplies s by 10^-e, its error is below 2^-61 of the result, and for e <= 2 the result is
// either a double or more than 2^-59 away from the middle of two.
std::string sqlite_number(double value) {
  const std::string text = shortest(value);
  const std::size_t point = text.find('.');
  const std::size_t decimals = point == std::string::npos ? 0 : text.size() - point - 1;
  if (text.find('e') == std::string::npos && text.size() <= 16) {
    if (decimals <= 2) return in_brackets(value, double_text(value));
    const std::string digits = text.substr(0, point) + text.substr(point + 1);
    return "(" + std::to_string(std::stoll(digits)) + " / 1" + std::string(decimals, '0') + ".0)";
  }
  constexpr int digits = std::numeric_limits<double>::digits, most = 62;
  int exponent = 0;
  auto whole = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), digits));
  exponent -= digits;
  for (; whole % 2 == 0 && exponent < 0; ++exponent) whole /= 2;
  std::string result = "(CAST(" + std::to_string(whole) + " AS REAL)";
  for (int left = std::abs(exponent); left > 0; left -= most) {
    result += std::string(exponent < 0 ? " / " : " * ") + "CAST(" +
              std::to_string(std::int64_t{1} << std::min(left, most)) + " AS REAL)";
  }
  return result + " /* " + text + " */)";
}

// The last cast fails on a text that is not a number. If `is_number` holds, which a database knows
// before it reads a row, the text of the column is not needed.
std::string tried_input(const std::string& column, const std::string& missing,
                        const std::string& is_text_missing, const std::string& is_number) {
  const std::string tried = "TRY_CAST(" + column + " AS DOUBLE)";
  return "CASE WHEN " + tried + " NOT IN (" + missing + ") THEN " + tried + " WHEN " + is_number +
         " OR " + column + " IS NULL OR " + tried + " IS NOT NULL THEN NULL WHEN " +
         is_text_missing + " THEN NULL ELSE CAST(" + column + " AS DOUBLE) END";
}

std::string duckdb_input(const std::string& column, const std::string& missing,
                         const std::string& is_text_missing) {
  return tried_input(
      column, missing, is_text_missing,
      "typeof(" + column + ") IN ('DOUBLE', 'FLOAT', 'BIGINT', 'INTEGER', 'SMALLINT', 'TINYINT')");
}

std::string spark_input(const std::string& column, const std::string& missing,
                        const std::string& is_text_missing) {
  return tried_input(
      column, missing, is_text_missing,
      "typeof(" + column + ") IN ('double', 'float', 'bigint', 'int', 'smallint', 'tinyint')");
}

std::string postgresql_input(const std::string& column, const std::string& missing,
                             const std::string& is_text_missing) {
  const std::string number = "CAST(" + column + " AS float8)";
  return "CASE WHEN " + is_text_missing + " THEN NULL WHEN " + number + " NOT IN (" + missing +
         ") THEN " + number + " END";
}

// A cast turns a text that is not a number into 0. Such a text compares greater than every number,
// and a text that is a number compares as one.
std::string sqlite_input(const std::string& column, const std::string& missing,
                         const std::string& /*is_text_missing*/) {
  const std::string number = "CAST(" + column + " AS REAL)";
  return "CASE WHEN " + column + " <= CAST(9e999 AS REAL)" +
         (missing.empty() ? "" : " AND " + number + " NOT IN (" + missing + ")") + " THEN " +
         number + " END";
}

constexpr Dialect dialects[] = {
    {.name = "duckdb",
     .title = "DuckDB",
     .text_type = "VARCHAR",
     .collation = "\"C\"",
     .least = "LEAST",
     .greatest = "GREATEST",
     .fence = "",
     .missing = "NULL and NaN",
     .number = duckdb_number,
     .input = duckdb_input,
     .infinity = "DOUBLE 'inf'",
     .nan = "DOUBLE 'nan'",
     .trim = "TRIM(TEXT, ' ' || chr(9))",
     .text = duckdb_text,
     .is_boolean = "typeof(COLUMN) = 'BOOLEAN'",
     .no_text = "false",
     .yes_text = "true",
     .before = "",
     .after = "",
     .rule = "w.rule",
     .row = "struct_pack(*COLUMNS(t.*))",
     .result = "w.NAME",
     .quote = '"',
     .folds_case = true,
     .traps = false,
     .longest_name = 0,
     .most_columns = 0,
     .most_arguments = 0},
    {.name = "postgresql",
     .title = "PostgreSQL",
     .text_type = "text",
     .collation = "\"C\"",
     .least = "LEAST",
     .greatest = "GREATEST",
     .fence = " OFFSET 0",
     .missing = "NULL and NaN",
     .number = postgresql_number,
     .input = postgresql_input,
     .infinity = "float8 'inf'",
     .nan = "float8 'NaN'",
     .trim = "BTRIM(TEXT, ' ' || chr(9))",
     .text = postgresql_text,
     .is_boolean = "pg_typeof(COLUMN) = 'boolean'::regtype",
     .no_text = "false",
     .yes_text = "true",
     .before = "LATERAL (",
     .after = ")",
     .rule = "w.rule",
     .row = "",
     .result = "w.NAME",
     .quote = '"',
     .folds_case = false,
     .traps = true,
     .longest_name = 63,
     .most_columns = 1600,
     .most_arguments = 0},
    {.name = "spark",
     .title = "Spark 4.0 and later",
     .text_type = "STRING",
     .collation = "UTF8_BINARY",
     .least = "LEAST",
     .greatest = "GREATEST",
     .fence = "",
     .missing = "NULL and NaN",
     .number = spark_number,
     .input = spark_input,
     .infinity = "DOUBLE('inf')",
     .nan = "DOUBLE('NaN')",
     .trim = "TRIM(BOTH ' \\t' FROM TEXT)",
     .text = spark_text,
     .is_boolean = "typeof(COLUMN) = 'boolean'",
     .no_text = "false",
     .yes_text = "true",
     .before = "",
     .after = "",
     .rule = "w.rule",
     .row = "struct(t.*)",
     .result = "w.NAME",
     .quote = '`',
     .folds_case = true,
     .traps = false,
     .longest_name = 0,
     .most_columns = 0,
     .most_arguments = 0},
    {.name = "sqlite",
     .title = "SQLite 3.38 and later",
     .text_type = "TEXT",
     .collation = "BINARY",
     .least = "MIN",
     .greatest = "MAX",
     .fence = " LIMIT 1",
     .missing = "NULL, and among numbers any text that is none",
     .number = sqlite_number,
     .input = sqlite_input,
     .infinity = "CAST(9e999 AS REAL)",
     .nan = "",
     .trim = "TRIM(TEXT, ' ' || char(9))",
     .text = sqlite_text,
     .is_boolean = "typeof(COLUMN) = 'integer'",
     .no_text = "0",
     .yes_text = "1",
     .before = "json_each((",
     .after = "))",
     .rule = "w.value",
     .row = "",
     .result = "json_extract(w.value, '$.NAME')",
     .quote = '"',
     .folds_case = true,
     .traps = false,
     .longest_name = 0,
     .most_columns = 1900,
     .most_arguments = 100},
};

}  // namespace

std::string Dialect::identifier(const std::string& word) const { return quoted(word, quote); }

std::string Dialect::call(std::string_view function, std::vector<std::string> arguments) const {
  const std::size_t most = most_arguments == 0 ? arguments.size() : most_arguments;
  while (arguments.size() > 1) {
    std::vector<std::string> groups;
    for (std::size_t from = 0; from < arguments.size(); from += most) {
      const std::size_t end = std::min(from + most, arguments.size());
      std::string group = arguments[from];
      for (std::size_t i = from + 1; i < end; ++i) group += ", " + arguments[i];
      groups.push_back(end == from + 1 ? group : std::string(function) + "(" + group + ")");
    }
    arguments = std::move(groups);
  }
  return arguments[0];
}

const Dialect& find_dialect(const std::string& name) {
  if (name.empty()) return dialects[0];
  std::string known;
  for (const Dialect& dialect : dialects) {
    if (dialect.name == name) return dialect;
    known += (known.empty() ? "" : ", ") + std::string(dialect.name);
  }
  fail_usage("there is no SQL dialect '" + name + "'; there are " + known);
}

}  // namespace frr::internal
