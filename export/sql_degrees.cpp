#include "sql_degrees.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "names.hpp"
#include "source.hpp"
#include "sql_names.hpp"

namespace frr::internal {

SqlDegrees::SqlDegrees(const Plan& plan, const Dialect& dialect)
    : plan_(plan), sql_(dialect), columns_(sql_columns(plan.inputs, dialect)) {}

std::string SqlDegrees::inputs() const {
  return sql_columns_of(plan_.inputs, "x", [&](const Plan::Input& input) {
    const std::string& column = columns_[static_cast<std::size_t>(&input - plan_.inputs.data())];
    const std::string name = "t." + sql_.identifier(column);
    const std::string note = column == input.name ? ""
                                                  : "  -- " + exact_text(input.name) +
                                                        ", cut as PostgreSQL cuts names\n";
    if (input.type == ColumnType::numeric) return note + "  " + number_of(name);
    return note + "  " + known_text(input, text_of(input, name));
  });
}

std::string SqlDegrees::degrees() const {
  return sql_columns_of(plan_.degrees, "d", [&](const Plan::Degree& degree) {
    const std::vector<std::string> cases = degree_cases(degree);
    const std::string blank = cases.size() == 1 ? " " : "\n    ";
    std::string text = "  -- " + comment_text(degree.text) + "\n  CASE";
    for (const std::string& branch : cases) text += blank + "WHEN " + branch;
    return text + blank + "ELSE " + sql_.number(0) + " END";
  });
}

std::string SqlDegrees::number_of(const std::string& name) const {
  std::string missing(sql_.nan);
  for (const double code : plan_.missing.numbers) {
    missing +=
        (missing.empty() ? "" : ", ") +
        (std::isinf(code) ? (code < 0 ? "-" : "") + std::string(sql_.infinity) : sql_.number(code));
  }
  return sql_.input(name, missing,
                    is_missing("CAST(" + name + " AS " + std::string(sql_.text_type) + ")"));
}

// NULL if the text means a missing value. Only rules that test for missing values distinguish
// such a text from one that is not a category of a rule. Categories that rules know are tested
// first, because most values are among them.
std::string SqlDegrees::known_text(const Plan::Input& input, const std::string& text) const {
  if (!input.asks_missing) return text;
  std::vector<std::string> known = input.categories;
  for (const std::string& category : input.kept) {
    if (std::find(known.begin(), known.end(), category) == known.end()) known.push_back(category);
  }
  const std::string first = known.empty() ? "" : " WHEN " + one_of(text, known) + " THEN " + text;
  return "CASE" + first + " WHEN " + is_missing(text) + " THEN NULL ELSE " + text + " END";
}

std::string SqlDegrees::is_missing(const std::string& text) const {
  const std::string core = filled(sql_.trim, "TEXT", text);
  const std::vector<std::string> words(Plan::Missing::built_in.begin(),
                                       Plan::Missing::built_in.end());
  const std::string built_in = one_of("LOWER(" + core + ")", words);
  const std::vector<std::string>& codes = plan_.missing.codes;
  return codes.empty() ? built_in : built_in + " OR " + one_of(core, codes);
}

std::string SqlDegrees::one_of(const std::string& text,
                               const std::vector<std::string>& texts) const {
  return text + " COLLATE " + std::string(sql_.collation) + " IN (" +
         listed(texts.size(), ", ", [&](std::size_t i) { return sql_.text(texts[i]); }) + ")";
}

// A boolean column gives the texts that FRR read for it.
std::string SqlDegrees::text_of(const Plan::Input& input, const std::string& name) const {
  const std::string text = "CAST(" + name + " AS " + std::string(sql_.text_type) + ")";
  const std::array<std::string_view, 2> spelled = {sql_.no_text, sql_.yes_text};
  std::string cases;
  for (std::size_t value = 0; value < 2; ++value) {
    const std::string& category = input.booleans[value];
    if (category.empty() || category == spelled[value]) continue;
    cases += " WHEN " + filled(sql_.is_boolean, "COLUMN", name) + " AND " + text + " = " +
             sql_.text(std::string(spelled[value])) + " THEN " + sql_.text(category);
  }
  return cases.empty() ? text : "CASE" + cases + " ELSE " + text + " END";
}

// "CONDITION THEN RESULT"; the first that holds decides, 0 if none does.
std::vector<std::string> SqlDegrees::degree_cases(const Plan::Degree& degree) const {
  const std::string x = "x." + sql_column("x", degree.input), one = " THEN " + sql_.number(1);
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

// A missing x satisfies no condition.
std::vector<std::string> SqlDegrees::range_cases(const Plan::Degree& degree,
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

// The width is written as a difference if that is the same double: this is easier to read.
std::string SqlDegrees::rising(const Plan::Edge& edge, const Slope& slope,
                               const std::string& x) const {
  const std::string from = sql_.number(edge.corner), to = sql_.number(slope.one);
  const bool same = slope.one - edge.corner == edge.width;
  return " THEN (" + x + " - " + from + ") / " +
         (same ? "(" + to + " - " + from + ")" : sql_.number(edge.width));
}
std::string SqlDegrees::falling(const Plan::Edge& edge, const Slope& slope,
                                const std::string& x) const {
  const std::string from = sql_.number(slope.one), to = sql_.number(edge.corner);
  const bool same = edge.corner - slope.one == edge.width;
  return " THEN (" + to + " - " + x + ") / " +
         (same ? "(" + to + " - " + from + ")" : sql_.number(edge.width));
}

}  // namespace frr::internal
