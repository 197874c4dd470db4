// SQL: one SELECT that decides every row of a table, for SQLite, DuckDB and PostgreSQL.
//
// It computes in the layers of a WITH: x, the columns that rules read; d, the degrees of the
// labels; s, the strengths of the rules; b, the largest one; w, the rule that decides. The columns
// of the table, most of which the model does not know, must not be mistaken for those of a layer,
// so they never stand beside them: in PostgreSQL the WITH is a LATERAL subquery and in SQLite,
// which has none, an argument of a function that gives rows, json_each; so a WHERE on the view
// reaches the table. DuckDB has LATERAL, but plans it in a time that grows faster than the square
// of the columns; there the row goes through the layers as one value, a STRUCT.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frr/error.hpp"
#include "names.hpp"
#include "text.hpp"
#include "writer.hpp"

namespace frr {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// ---- What the databases differ in
// ---------------------------------------------------------------

struct Dialect {
  std::string_view name, title;
  std::string_view text_type, collation;  // compares texts byte by byte
  std::string_view least, greatest;
  // Ends a layer, so that it is computed once a row and not once a use.
  std::string_view fence;
  std::string_view missing;             // what counts as missing, for people
  std::string (*number)(double value);  // a constant that is this double, to the last bit
  std::string (*input)(const std::string& column);  // as a double, NULL where it is missing
  std::string (*text)(const std::string& value);    // a constant
  // Between them a WITH gives w, which holds the number of the rule as `rule`. Empty: the WITH
  // comes first, and the row of the table goes through its layers.
  std::string_view before, after, rule;
  bool folds_case;                                         // "A" and "a" are the same column
  bool traps;                                              // overflow and underflow are errors
  std::size_t longest_name, most_columns, most_arguments;  // 0: no limit that matters
};

// `mark` around the text, and twice where it occurs in it.
std::string quoted(const std::string& text, char mark) {
  std::string result(1, mark);
  for (const char c : text) result += c == mark ? std::string(2, c) : std::string(1, c);
  return result + mark;
}

std::string identifier(const std::string& name) { return quoted(name, '"'); }
std::string plain_text(const std::string& value) { return quoted(value, '\''); }

// A backslash means another thing where standard_conforming_strings is off, but not after an E.
std::string postgresql_text(const std::string& value) {
  if (value.find('\\') == std::string::npos) return plain_text(value);
  std::string doubled;
  for (const char c : value) doubled += c == '\\' ? "\\\\" : std::string(1, c);
  return "E" + plain_text(doubled);
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

// SQLite reads decimals with an error of up to one unit in the last place. Whole numbers it reads
// well, so that a quotient of two is right: of those in 1.234 = 1234 / 1000.0, or, for more than 15
// digits, by a power of two. Up to two decimals need none of it: however its versions multiply s by
// 10^-e, their error is below 2^-61 of the result, and for e <= 2 that is either a double or
// farther than 2^-59 from the middle of two.
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

std::string duckdb_input(const std::string& column) {
  return "NULLIF(CAST(" + column + " AS DOUBLE), DOUBLE 'nan')";
}

std::string postgresql_input(const std::string& column) {
  return "NULLIF(CAST(" + column + " AS float8), float8 'NaN')";
}

// A cast makes 0 of a text that is no number. Such a text is greater than every number, and one
// that is a number is compared as such.
std::string sqlite_input(const std::string& column) {
  return "CASE WHEN " + column + " <= CAST(9e999 AS REAL) THEN CAST(" + column + " AS REAL) END";
}

constexpr Dialect dialects[] = {
    {.name = "duckdb",
     .title = "DuckDB",
     .text_type = "VARCHAR",
     .collation = "\"C\"",
     .least = "LEAST",
     .greatest = "GREATEST",
     .fence = "",
     .missing = "NULL, and NaN among numbers",
     .number = duckdb_number,
     .input = duckdb_input,
     .text = plain_text,
     .before = "",
     .after = "",
     .rule = "w.rule",
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
     .missing = "NULL, and NaN among numbers",
     .number = postgresql_number,
     .input = postgresql_input,
     .text = postgresql_text,
     .before = "LATERAL (",
     .after = ")",
     .rule = "w.rule",
     .folds_case = false,
     .traps = true,
     .longest_name = 63,
     .most_columns = 1600,
     .most_arguments = 0},
    {.name = "sqlite",
     .title = "SQLite 3.38 and later",
     .text_type = "TEXT",
     .collation = "BINARY",
     .least = "MIN",
     .greatest = "MAX",
     .fence = " LIMIT 1",
     .missing = "NULL, and among numbers a text that is none",
     .number = sqlite_number,
     .input = sqlite_input,
     .text = plain_text,
     .before = "json_each((",
     .after = "))",
     .rule = "w.value",
     .folds_case = true,
     .traps = false,
     .longest_name = 0,
     .most_columns = 1900,
     .most_arguments = 100},
};

const Dialect& find_dialect(const std::string& name) {
  if (name.empty()) return dialects[0];
  std::string known;
  for (const Dialect& dialect : dialects) {
    if (dialect.name == name) return dialect;
    known += (known.empty() ? "" : ", ") + std::string(dialect.name);
  }
  fail_usage("there is no SQL dialect '" + name + "'; there are " + known);
}

// ---- Names
// --------------------------------------------------------------------------------------

// Databases compare the names of columns so, leaving all but ASCII as it is.
std::string folded(std::string name) {
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

// a.b is the table b of the schema a; a part in double quotes may hold points.
std::string qualified(const std::string& option, const std::string& name, const Dialect& dialect) {
  std::string result;
  std::size_t at = 0;
  const auto refuse = [&](const std::string& why) {
    fail_usage("--" + option + " " + comment_text(name) + ": " + why +
               ". Write NAME or SCHEMA.NAME, with double quotes around a part that holds a point");
  };
  do {
    std::string part;
    if (at < name.size() && name[at] == '"') {
      for (++at; at < name.size() && (name[at] != '"' || name.substr(at, 2) == "\"\""); ++at) {
        if (name[at] == '"') ++at;
        part += name[at];
      }
      if (at++ >= name.size()) refuse("a double quote has no partner");
      if (at < name.size() && name[at] != '.') refuse("a point is missing after a double quote");
    } else {
      const std::size_t end = std::min(name.find('.', at), name.size());
      part = name.substr(at, end - at);
      at = end;
    }
    if (part.empty()) refuse("a part of the name is empty");
    if (dialect.longest_name > 0 && part.size() > dialect.longest_name)
      refuse("PostgreSQL has no names of more than " + std::to_string(dialect.longest_name) +
             " bytes");
    result += (result.empty() ? "" : ".") + identifier(part);
  } while (at++ < name.size());
  return result;
}

void check_names(const Plan& plan, const Dialect& dialect) {
  const auto check_text = [&](const std::string& text) {
    if (text.find('\0') == std::string::npos) return;
    fail_data("SQL cannot hold a text with a NUL character: '" + comment_text(text) +
              "'. Rename it in the data and train again");
  };
  std::unordered_map<std::string, std::string> seen;
  for (const Plan::Input& input : plan.inputs) {
    check_text(input.name);
    for (const std::string& category : input.categories) check_text(category);
    if (dialect.longest_name > 0 && input.name.size() > dialect.longest_name) {
      fail_data("PostgreSQL has no columns of names longer than " +
                std::to_string(dialect.longest_name) + " bytes, but a rule asks for '" +
                comment_text(input.name) + "'. Rename the column in the data and train again");
    }
    if (!dialect.folds_case) continue;
    const auto [other, is_new] = seen.emplace(folded(input.name), input.name);
    if (is_new) continue;
    fail_data(std::string(dialect.title) + " takes the columns '" + comment_text(other->second) +
              "' and '" + comment_text(input.name) +
              "' for the same one. Rename one in the data and train again, or export for "
              "postgresql, which tells them apart");
  }
  for (const std::string& own : plan.classes) check_text(own);
}

void check_size(const Plan& plan, const Dialect& dialect) {
  const std::size_t columns = std::max(plan.degrees.size(), plan.strengths.size());
  if (dialect.most_columns == 0 || columns <= dialect.most_columns) return;
  fail_data(std::string(dialect.title) + " holds a model of at most " +
            std::to_string(dialect.most_columns) + " rules and labels, and this one has " +
            std::to_string(columns) + ". Train with a smaller --rules, or export for duckdb");
}

// ---- Sides of trapezoids
// ------------------------------------------------------------------------

// A place in the order of the doubles.
std::int64_t place_of(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value);
  return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}
double at_place(std::int64_t place) {
  return std::bit_cast<double>(place >= 0 ? place
                                          : std::numeric_limits<std::int64_t>::min() - place);
}

// The first double above `low` for which `is` holds; it holds for infinity, and above any for which
// it holds.
template <typename Predicate>
double first_above(double low, const Predicate& is) {
  std::int64_t no = place_of(low), yes = place_of(infinity);
  while (yes - 1 > no) {
    const std::int64_t middle = std::midpoint(no, yes);
    (is(at_place(middle)) ? yes : no) = middle;
  }
  return at_place(yes);
}

double below(double value) { return std::nextafter(value, -infinity); }

// Where clamp((x - corner) / width) is 0, up to `zero`, and 1, from `one` on. Between them the
// quotient needs no clamp, and neither the difference overflows nor the quotient underflows, which
// PostgreSQL refuses to compute. `zero` is the corner itself, or above it where the corner is so
// near to 0 that doubles right of it are too close for a degree above 0.
struct Slope {
  double zero, one;
  double first_one;  // the lowest that `one` can be: `one` is chosen for having few digits
  double least;      // of the degrees above 0
};

Slope rise_of(const Plan::Edge& edge) {
  if (!edge.there) return {-infinity, -infinity, -infinity, 1};
  if (edge.width == 0) return {below(edge.corner), edge.corner, edge.corner, 1};
  const auto degree = [&](double x) { return (x - edge.corner) / edge.width; };
  const double positive = first_above(edge.corner, [&](double x) { return degree(x) > 0; });
  const double first = first_above(edge.corner, [&](double x) { return degree(x) >= 1; });
  const double last = below(first_above(edge.corner, [&](double x) { return degree(x) > 1; }));
  double one = short_between(below(first), last);
  const double sum = edge.corner + edge.width;
  if (sum >= first && sum <= last && shortest(sum).size() <= shortest(one).size()) one = sum;
  return {below(positive), one, first, std::min(1.0, degree(positive))};
}

// The same seen from the right: a fall is a rise in the mirror.
Slope fall_of(const Plan::Edge& edge) {
  const Slope mirrored = rise_of({edge.there, -edge.corner, edge.width});
  return {-mirrored.zero, -mirrored.one, -mirrored.first_one, mirrored.least};
}

struct Slopes {
  Slope rise, fall;
};

Slopes slopes_of(const Plan::Degree& degree) {
  Slopes result{rise_of(degree.rise), fall_of(degree.fall)};
  // What was chosen for few digits must not reach over to the other side.
  if (result.rise.one > result.fall.one) {
    result.rise.one = result.rise.first_one;
    result.fall.one = result.fall.first_one;
  }
  return result;
}

// ---- The statement
// ------------------------------------------------------------------------------

class SqlWriter {
 public:
  SqlWriter(const RuleBase& base, const Plan& plan, const ExportRequest& request)
      : plan_(plan), request_(request), sql_(find_dialect(request.dialect)) {
    check_names(plan, sql_);
    check_size(plan, sql_);
    table_ = qualified("table", request.table.empty() ? "data" : request.table, sql_);
    if (!request.view.empty()) view_ = qualified("view", request.view, sql_);
    std::unordered_set<std::string> taken = {folded(base.target)};
    for (const Feature& feature : base.partition.features) taken.insert(folded(feature.name));
    for (std::string* name : {&prediction_, &probability_, &rule_}) {
      while (taken.count(*name) > 0) *name += '_';
    }
    for (const Plan::Degree& degree : plan.degrees) leasts_.push_back(least_of(degree));
  }

  std::string text() {
    write_head();
    if (!view_.empty()) out_ += "CREATE VIEW " + view_ + " AS\n";
    const std::string from = "\nFROM " + table_ + " AS t";
    if (plan_.strengths.empty()) {
      out_ += "SELECT\n  t.*,\n" + otherwise() + from;
    } else if (sql_.before.empty()) {
      out_ += with(from) + ",\nw AS (SELECT\n" + row_of("b") + winner() + "\nFROM b)\n";
      out_ += "SELECT\n  original.*,\n" + outcomes() + "\nFROM w";
    } else {
      out_ += "SELECT\n  t.*,\n" + outcomes() + from + "\nCROSS JOIN " + std::string(sql_.before) +
              with("") + "\nSELECT\n" + winner() + "\nFROM b" + std::string(sql_.fence) +
              std::string(sql_.after) + " AS w";
    }
    return std::move(out_) + ";\n";
  }

 private:
  void write_head() {
    out_ += "-- " + origin_text(plan_, request_) + "\n";
    out_ += "-- For " + std::string(sql_.title) +
            ": gives the columns of each row of the table, and after them\n";
    out_ += "--   " + prediction_ + ": the class,\n--   " + probability_ + ": of this class,\n";
    out_ += "--   " + rule_ + ": the number of the rule that decides, 0 for ELSE.\n";
    out_ += "-- Missing is " + std::string(sql_.missing) +
            ". A category is compared as text, byte by byte.\n";
    if (plan_.strengths.empty()) return;
    out_ += "-- x: the columns that rules read; d: how true their labels are, from 0 to 1;\n";
    out_ +=
        "-- s: how strong the rules are; b: the largest strength; w: the first rule that has it.\n";
    if (sql_.fence.empty()) return;
    out_ += "--" + std::string(sql_.fence) +
            " is there so that each layer is computed once a row, not once a use.\n";
  }

  [[nodiscard]] std::string otherwise() const {
    const Plan::Outcome& only = plan_.outcomes[0];
    return "  " + sql_.text(plan_.classes[only.then]) + " AS " + identifier(prediction_) + ",\n  " +
           sql_.number(only.probabilities[only.then]) + " AS " + identifier(probability_) +
           ",\n  0 AS " + identifier(rule_);
  }

  [[nodiscard]] std::string outcomes() const {
    const auto choose = [&](const std::string& name, const auto& result) {
      std::string text = "  CASE " + std::string(sql_.rule) + "\n";
      for (std::size_t i = 0; i < plan_.outcomes.size(); ++i) {
        text += "    WHEN " + std::to_string(i) + " THEN " + result(plan_.outcomes[i]) + "\n";
      }
      return text + "  END AS " + identifier(name) + ",\n";
    };
    const auto name = [&](const Plan::Outcome& o) { return sql_.text(plan_.classes[o.then]); };
    const auto share = [&](const Plan::Outcome& o) { return sql_.number(o.probabilities[o.then]); };
    return choose(prediction_, name) + choose(probability_, share) + "  " + std::string(sql_.rule) +
           " AS " + identifier(rule_);
  }

  // ---- Layers: each reads the one before it, the first `from`

  [[nodiscard]] std::string with(std::string from) const {
    const std::pair<std::string, std::string> layers[] = {{"x", row_of("t") + inputs()},
                                                          {"d", row_of("x") + degrees()},
                                                          {"s", row_of("d") + strengths()},
                                                          {"b", best()}};
    std::string text;
    for (const auto& [name, columns] : layers) {
      text += (text.empty() ? "WITH\n" : ",\n") + name + " AS (SELECT\n" + columns + from +
              std::string(sql_.fence) + ")";
      from = "\nFROM " + name;
    }
    return text;
  }

  // The row of the table as a column of each layer, where it goes through them. It is not written
  // as t, since the table may have a column of this name.
  [[nodiscard]] std::string row_of(const std::string& layer) const {
    if (!sql_.before.empty()) return "";
    return layer == "t" ? "  struct_pack(*COLUMNS(t.*)) AS original,\n"
                        : "  " + layer + ".original,\n";
  }

  // "  EXPRESSION AS s1", one an item.
  template <typename Items, typename Expression>
  static std::string columns(const Items& items, const std::string& layer,
                             const Expression& expression) {
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i) {
      text += (i == 0 ? "" : ",\n") + expression(items[i]) + " AS " + layer + std::to_string(i + 1);
    }
    return text;
  }
  static std::string column(const std::string& layer, std::size_t index) {
    return layer + std::to_string(index + 1);
  }

  [[nodiscard]] std::string inputs() const {
    return columns(plan_.inputs, "x", [&](const Plan::Input& input) {
      const std::string name = "t." + identifier(input.name);
      if (input.type == ColumnType::numeric) return "  " + sql_.input(name);
      return "  CAST(" + name + " AS " + std::string(sql_.text_type) + ")";
    });
  }

  [[nodiscard]] std::string degrees() const {
    return columns(plan_.degrees, "d", [&](const Plan::Degree& degree) {
      const std::vector<std::string> cases = degree_cases(degree);
      const std::string blank = cases.size() == 1 ? " " : "\n    ";
      std::string text = "  -- " + comment_text(degree.text) + "\n  CASE";
      for (const std::string& own : cases) text += blank + "WHEN " + own;
      return text + blank + "ELSE " + sql_.number(0) + " END";
    });
  }

  // "CONDITION THEN RESULT", the first that holds counts; 0 where none does.
  [[nodiscard]] std::vector<std::string> degree_cases(const Plan::Degree& degree) const {
    const std::string x = "x." + column("x", degree.input), one = " THEN " + sql_.number(1);
    switch (degree.kind) {
      case LabelKind::missing:
        return {x + " IS NULL" + one};
      case LabelKind::category:
        return {x + " COLLATE " + std::string(sql_.collation) + " = " + sql_.text(degree.category) +
                one};
      case LabelKind::range:
        return range_cases(degree, x);
    }
    return {};
  }

  // A missing x fulfils no condition.
  [[nodiscard]] std::vector<std::string> range_cases(const Plan::Degree& degree,
                                                     const std::string& x) const {
    const Slopes at = slopes_of(degree);
    const std::string one = " THEN " + sql_.number(1), zero = " THEN " + sql_.number(0);
    const auto is = [&](std::string_view relation, double border) {
      return x + std::string(relation) + sql_.number(border);
    };
    const bool soft_rise = degree.rise.width != 0, soft_fall = degree.fall.width != 0;
    if (!degree.rise.there && !degree.fall.there) return {x + " IS NOT NULL" + one};
    std::vector<std::string> cases;
    if (!degree.fall.there) {
      cases = {is(" >= ", at.rise.one) + one};
      if (soft_rise) cases.push_back(is(" > ", at.rise.zero) + rising(degree.rise, at.rise, x));
      return cases;
    }
    if (degree.rise.there && soft_rise) {
      cases = {is(" <= ", at.rise.zero) + zero,
               is(" < ", at.rise.one) + rising(degree.rise, at.rise, x)};
    } else if (degree.rise.there) {
      cases = {is(" < ", at.rise.one) + zero};
    }
    if (soft_fall) {
      cases.push_back(is(" <= ", at.fall.one) + one);
      cases.push_back(is(" < ", at.fall.zero) + falling(degree.fall, at.fall, x));
    } else {
      cases.push_back(is(" < ", degree.fall.corner) + one);
    }
    return cases;
  }

  // The width is written as a difference, as people think of it, where that is the same double.
  [[nodiscard]] std::string rising(const Plan::Edge& edge, const Slope& slope,
                                   const std::string& x) const {
    const std::string from = sql_.number(edge.corner), to = sql_.number(slope.one);
    const bool same = slope.one - edge.corner == edge.width;
    return " THEN (" + x + " - " + from + ") / " +
           (same ? "(" + to + " - " + from + ")" : sql_.number(edge.width));
  }
  [[nodiscard]] std::string falling(const Plan::Edge& edge, const Slope& slope,
                                    const std::string& x) const {
    const std::string from = sql_.number(slope.one), to = sql_.number(edge.corner);
    const bool same = edge.corner - slope.one == edge.width;
    return " THEN (" + to + " - " + x + ") / " +
           (same ? "(" + to + " - " + from + ")" : sql_.number(edge.width));
  }

  // The least degree above 0.
  static double least_of(const Plan::Degree& degree) {
    if (degree.kind != LabelKind::range) return 1;
    const Slopes at = slopes_of(degree);
    return std::min(at.rise.least, at.fall.least);
  }

  // ---- Strengths

  [[nodiscard]] std::string strengths() const {
    return columns(plan_.strengths, "s", [&](const Plan::Strength& strength) {
      return "  -- " + comment_text(strength.text) + "\n  " + strength_text(strength);
    });
  }

  // A factor or term, and the least that it can be above 0.
  struct Part {
    std::string text;
    double least;
  };

  [[nodiscard]] std::string strength_text(const Plan::Strength& strength) const {
    std::vector<Part> parts;
    for (const std::size_t i : strength.degrees)
      parts.push_back({"d." + column("d", i), leasts_[i]});
    if (parts.size() > 1) {
      double least = 1;
      for (const Part& part : parts) least = std::min(least, part.least);
      switch (plan_.tnorm.kind) {
        case TNormKind::minimum:
          parts = {{call(sql_.least, texts(parts)), least}};
          break;
        case TNormKind::lukasiewicz:
          parts = {{lukasiewicz(parts), std::numeric_limits<double>::epsilon() / 4}};
          break;
        case TNormKind::hamacher:
          parts = {{hamacher(parts, least), least / static_cast<double>(2 * parts.size() + 2)}};
          break;
        default:
          break;
      }
    }
    if (strength.weight != 1) parts.push_back({sql_.number(strength.weight), strength.weight});
    return product(parts);
  }

  static std::vector<std::string> texts(const std::vector<Part>& parts) {
    std::vector<std::string> result;
    result.reserve(parts.size());
    for (const Part& part : parts) result.push_back(part.text);
    return result;
  }

  // Where the product cannot underflow it stands there as it is.
  [[nodiscard]] std::string product(const std::vector<Part>& factors) const {
    double least = 1;
    for (const Part& factor : factors) least *= factor.least;
    const bool safe = !sql_.traps || least >= std::numeric_limits<double>::min();
    std::string text = factors[0].text;
    for (std::size_t k = 1; k < factors.size(); ++k) {
      if (safe) {
        text += " * " + factors[k].text;
      } else if (k == 1) {
        text = guarded(text, factors[1].text);
      } else {
        // A subquery, since the guard reads what is before it more than once.
        text = "(SELECT " + guarded("p.p", factors[k].text) + " FROM (SELECT " + text + " AS p" +
               std::string(sql_.fence) + ") AS p)";
      }
    }
    return text;
  }

  // a * b, and 0 where it is at most 2^-1075, half of the least double above 0. A product that is
  // above it by less than 2^-53 of itself counts as equal.
  [[nodiscard]] std::string guarded(const std::string& a, const std::string& b) const {
    const std::string plain = " THEN " + a + " * " + b;
    return "CASE WHEN LEAST(" + a + ", " + b + ") > " + sql_.number(1e-150) + plain + " WHEN (" +
           a + " * " + sql_.number(std::ldexp(1.0, 537)) + ") * (" + b + " * " +
           sql_.number(std::ldexp(1.0, 538)) + ") > " + sql_.number(1) + plain + " ELSE " +
           sql_.number(0) + " END";
  }

  template <typename Term>
  static std::string sum(const std::vector<Part>& parts, const Term& term) {
    std::string text;
    for (const Part& part : parts) text += (text.empty() ? "" : " + ") + term(part.text);
    return "(" + text + ")";
  }

  [[nodiscard]] std::string lukasiewicz(const std::vector<Part>& parts) const {
    const std::string one = sql_.number(1);
    const std::string lack =
        sum(parts, [&](const std::string& d) { return "(" + one + " - " + d + ")"; });
    return "CASE WHEN " + lack + " >= " + one + " THEN " + sql_.number(0) + " ELSE " + one + " - " +
           lack + " END";
  }

  // 1 / (1 + the sum of (1 - d) / d). Where the sum can overflow and that is an error, a sum above
  // 1e290, to which 1 adds nothing, is computed 2^-60 times as large, with the same digits.
  [[nodiscard]] std::string hamacher(const std::vector<Part>& parts, double least) const {
    const std::string one = sql_.number(1), zero = sql_.number(0), small = sql_.number(1e-290);
    const std::string odds =
        sum(parts, [&](const std::string& d) { return "(" + one + " - " + d + ") / " + d; });
    const std::string plain = " THEN " + one + " / (" + one + " + " + odds + ")";
    const std::string lowest = call(sql_.least, texts(parts));
    if (!sql_.traps || least > 1e-290)
      return "CASE WHEN " + lowest + " > " + zero + plain + " ELSE " + zero + " END";
    const std::string scale = sql_.number(std::ldexp(1.0, 60));
    const std::string scaled = sum(parts, [&](const std::string& d) {
      return "(" + one + " - " + d + ") / (" + d + " * " + scale + ")";
    });
    return "CASE WHEN " + lowest + " > " + small + plain + " WHEN " + lowest + " <= " + zero +
           " THEN " + zero + " WHEN " + scaled + " < " + sql_.number(std::ldexp(1.0, 964)) +
           " THEN " + one + " / (" + scaled + " * " + scale + ") ELSE " + zero + " END";
  }

  // ---- The winner

  [[nodiscard]] std::string best() const {
    std::vector<std::string> all;
    for (std::size_t r = 0; r < plan_.strengths.size(); ++r) all.push_back("s." + column("s", r));
    return "  s.*, " + call(sql_.greatest, std::move(all)) + " AS best";
  }

  // A function of any number of arguments, taken in groups where a call holds only so many. The MAX
  // of one argument, which in SQLite is that of a column, is the argument itself.
  [[nodiscard]] std::string call(std::string_view function,
                                 std::vector<std::string> arguments) const {
    const std::size_t most = sql_.most_arguments == 0 ? arguments.size() : sql_.most_arguments;
    while (arguments.size() > 1) {
      std::vector<std::string> groups;
      for (std::size_t from = 0; from < arguments.size(); from += most) {
        const std::size_t end = std::min(from + most, arguments.size());
        std::string text = arguments[from];
        for (std::size_t i = from + 1; i < end; ++i) text += ", " + arguments[i];
        groups.push_back(end == from + 1 ? text : std::string(function) + "(" + text + ")");
      }
      arguments = std::move(groups);
    }
    return arguments[0];
  }

  [[nodiscard]] std::string winner() const {
    std::string text = "  CASE\n    WHEN b.best <= " + sql_.number(0) + " THEN 0\n";
    for (std::size_t r = 0; r < plan_.strengths.size(); ++r) {
      text += "    WHEN b." + column("s", r) + " = b.best THEN " + std::to_string(r + 1) + "\n";
    }
    return text + "  END AS rule";
  }

  const Plan& plan_;
  const ExportRequest& request_;
  const Dialect& sql_;
  std::string table_, view_;  // quoted
  std::string prediction_ = "prediction", probability_ = "probability", rule_ = "rule";
  std::vector<double> leasts_;  // per degree: the least above 0
  std::string out_;
};

std::string write_sql(const RuleBase& base, const Plan& plan, const ExportRequest& request) {
  return SqlWriter(base, plan, request).text();
}

}  // namespace

const Writer& sql_writer() {
  static const Writer writer = {
      .format = {"sql", "one SELECT, or a view, for DuckDB, PostgreSQL or SQLite"},
      .has_dialect = true,
      .has_table = true,
      .write = write_sql};
  return writer;
}

}  // namespace frr
