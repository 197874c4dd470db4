// SQL: one SELECT that decides every row of a table, for SQLite, DuckDB, PostgreSQL and Spark.
//
// A WITH computes it in layers: x, the columns that rules read; d, the degrees of the labels; s,
// the strengths of the rules; b, the largest one; w, the rule that decides. The model does not know
// most columns of the table, and these must not be confused with the columns of a layer. They
// therefore never appear together. In PostgreSQL, the WITH is a LATERAL subquery. SQLite has no
// LATERAL; there, the WITH is an argument of the table-valued function json_each, so that a WHERE
// on the view reaches the table. DuckDB has LATERAL, but the time to plan it grows faster than the
// square of the number of columns; there, and in Spark, the row passes through the layers as one
// value, a STRUCT.
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>
#include <vector>

#include "frr/error.hpp"
#include "names.hpp"
#include "slopes.hpp"
#include "source.hpp"
#include "sql_dialect.hpp"
#include "sql_names.hpp"
#include "sql_strength.hpp"
#include "writer.hpp"

namespace frr::internal {
namespace {

// Otherwise a SELECT, which has no name.
bool is_view(const ExportRequest& request) {
  if (request.as == "view") return true;
  if (!request.as.empty() && request.as != "select")
    fail_usage("--as " + comment_text(request.as) + ": it is either select or view");
  if (!request.name.empty())
    fail_usage("a SELECT has no name: with --name say --as view, too; --table names what is read");
  return false;
}

class SqlWriter {
 public:
  SqlWriter(const RuleBase& base, const Plan& plan, const ExportRequest& request)
      : plan_(plan), request_(request), sql_(find_dialect(request.dialect)), strength_(plan, sql_) {
    check_texts(plan);
    check_size(plan, sql_);
    table_ = qualified("table", request.table.empty() ? "data" : request.table, sql_);
    if (is_view(request)) {
      view_ = qualified("name", request.name.empty() ? "decisions" : request.name, sql_);
    }
    columns_ = sql_columns(plan.inputs, sql_);
    std::unordered_set<std::string> taken = {folded(base.target)};
    for (const Feature& feature : base.partition.features) taken.insert(folded(feature.name));
    for (std::string* name : {&prediction_, &probability_, &rule_}) {
      *name = request.prefix + *name;
      while (taken.count(folded(*name)) > 0) *name += '_';
      check_output_name(*name, sql_);
    }
  }

  std::string text() {
    write_head();
    if (!view_.empty()) out_ += "CREATE VIEW " + view_ + " AS\n";
    const std::string from = "\nFROM " + table_ + " AS t\n" + own_names();
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
    out_ += "--   " + exact_text(prediction_) + ": the class,\n--   " + exact_text(probability_) +
            ": of this class,\n";
    out_ += "--   " + exact_text(rule_) + ": the number of the rule that decides, 0 for ELSE.\n";
    out_ += "-- If the table has a column of such a name already, the database says that it is\n";
    out_ += "-- ambiguous: export with another --prefix then.\n";
    out_ += "-- Missing is " + std::string(sql_.missing) +
            "; and, as a text, the empty one, ?, NA, N/A, NaN and null" +
            (plan_.missing.codes.empty() ? "" : ", and the codes of the model") +
            ".\n-- A category is compared as text, byte by byte.\n";
    if (plan_.strengths.empty()) return;
    out_ += "-- x: the columns that rules read; d: how true their labels are, from 0 to 1;\n";
    out_ +=
        "-- s: how strong the rules are; b: the largest strength; w: the first rule that has it.\n";
    if (sql_.fence.empty()) return;
    out_ += "--" + std::string(sql_.fence) +
            " is there so that each layer is computed once a row, not once a use.\n";
  }

  // A column of the table must not be taken for one of ours. They are therefore listed together
  // here, where an ambiguous name without its table is an error.
  [[nodiscard]] std::string own_names() const {
    const auto each = [&](std::string_view before, std::string_view after,
                          std::string_view between) {
      std::string text;
      for (const std::string* name : {&prediction_, &probability_, &rule_}) {
        text += (text.empty() ? "" : std::string(between)) + std::string(before) +
                sql_.identifier(*name) + std::string(after);
      }
      return text;
    };
    return "JOIN (SELECT " + each("0 AS ", "", ", ") + ") AS own\n  ON " +
           each("", " = 0", " AND ");
  }

  [[nodiscard]] std::string otherwise() const {
    const Plan::Outcome& only = plan_.outcomes[0];
    return "  " + sql_.text(plan_.classes[only.then]) + " AS " + sql_.identifier(prediction_) +
           ",\n  " + sql_.number(only.probabilities[only.then]) + " AS " +
           sql_.identifier(probability_) + ",\n  0 AS " + sql_.identifier(rule_);
  }

  [[nodiscard]] std::string outcomes() const {
    const auto choose = [&](const std::string& name, const auto& result) {
      std::string text = "  CASE " + std::string(sql_.rule) + "\n";
      for (std::size_t i = 0; i < plan_.outcomes.size(); ++i) {
        text += "    WHEN " + std::to_string(i) + " THEN " + result(plan_.outcomes[i]) + "\n";
      }
      return text + "  END AS " + sql_.identifier(name) + ",\n";
    };
    const auto name = [&](const Plan::Outcome& o) { return sql_.text(plan_.classes[o.then]); };
    const auto share = [&](const Plan::Outcome& o) { return sql_.number(o.probabilities[o.then]); };
    return choose(prediction_, name) + choose(probability_, share) + "  " + std::string(sql_.rule) +
           " AS " + sql_.identifier(rule_);
  }

  // ---- Layers: each reads the one before it, the first reads `from`

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

  // The row of the table as a column of each layer, if it passes through them. It is not written as
  // t, because the table may have a column of this name.
  [[nodiscard]] std::string row_of(const std::string& layer) const {
    if (!sql_.before.empty()) return "";
    return "  " + (layer == "t" ? std::string(sql_.row) + " AS " : layer + ".") + "original,\n";
  }

  // "  EXPRESSION AS s1", one per item.
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
      const std::string& column = columns_[static_cast<std::size_t>(&input - plan_.inputs.data())];
      const std::string name = "t." + sql_.identifier(column);
      const std::string note = column == input.name ? ""
                                                    : "  -- " + exact_text(input.name) +
                                                          ", cut as PostgreSQL cuts names\n";
      if (input.type == ColumnType::numeric) return note + "  " + number_of(name);
      return note + "  " + known_text(input, text_of(input, name));
    });
  }

  [[nodiscard]] std::string number_of(const std::string& name) const {
    std::string missing(sql_.nan);
    for (const double code : plan_.missing.numbers) {
      missing += (missing.empty() ? "" : ", ") +
                 (std::isinf(code) ? (code < 0 ? "-" : "") + std::string(sql_.infinity)
                                   : sql_.number(code));
    }
    return sql_.input(name, missing,
                      is_missing("CAST(" + name + " AS " + std::string(sql_.text_type) + ")"));
  }

  // NULL if the text means a missing value. Only rules that test for missing values distinguish
  // such a text from one that is not a category of a rule. Categories that rules know are tested
  // first, because most values are among them.
  [[nodiscard]] std::string known_text(const Plan::Input& input, const std::string& text) const {
    if (!input.asks_missing) return text;
    std::vector<std::string> known = input.categories;
    for (const std::string& category : input.kept) {
      if (std::find(known.begin(), known.end(), category) == known.end()) known.push_back(category);
    }
    const std::string first = known.empty() ? "" : " WHEN " + one_of(text, known) + " THEN " + text;
    return "CASE" + first + " WHEN " + is_missing(text) + " THEN NULL ELSE " + text + " END";
  }

  [[nodiscard]] std::string is_missing(const std::string& text) const {
    const std::string core = filled(sql_.trim, "TEXT", text);
    const std::vector<std::string> words(Plan::Missing::built_in.begin(),
                                         Plan::Missing::built_in.end());
    const std::string built_in = one_of("LOWER(" + core + ")", words);
    const std::vector<std::string>& codes = plan_.missing.codes;
    return codes.empty() ? built_in : built_in + " OR " + one_of(core, codes);
  }

  [[nodiscard]] std::string one_of(const std::string& text,
                                   const std::vector<std::string>& texts) const {
    return text + " COLLATE " + std::string(sql_.collation) + " IN (" +
           listed(texts.size(), ", ", [&](std::size_t i) { return sql_.text(texts[i]); }) + ")";
  }

  // A boolean column gives the texts that FRR read for it.
  [[nodiscard]] std::string text_of(const Plan::Input& input, const std::string& name) const {
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

  [[nodiscard]] std::string degrees() const {
    return columns(plan_.degrees, "d", [&](const Plan::Degree& degree) {
      const std::vector<std::string> cases = degree_cases(degree);
      const std::string blank = cases.size() == 1 ? " " : "\n    ";
      std::string text = "  -- " + comment_text(degree.text) + "\n  CASE";
      for (const std::string& branch : cases) text += blank + "WHEN " + branch;
      return text + blank + "ELSE " + sql_.number(0) + " END";
    });
  }

  // "CONDITION THEN RESULT"; the first that holds decides, 0 if none does.
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

  // A missing x satisfies no condition.
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

  // The width is written as a difference if that is the same double: this is easier to read.
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

  // ---- Strengths

  [[nodiscard]] std::string strengths() const {
    return columns(plan_.strengths, "s", [&](const Plan::Strength& strength) {
      return "  -- " + comment_text(strength.text) + "\n  " + strength_.text(strength);
    });
  }

  // ---- The winner

  [[nodiscard]] std::string best() const {
    std::vector<std::string> all;
    for (std::size_t r = 0; r < plan_.strengths.size(); ++r) all.push_back("s." + column("s", r));
    return "  s.*, " + sql_.call(sql_.greatest, std::move(all)) + " AS best";
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
  const SqlStrength strength_;
  std::string table_, view_;          // quoted
  std::vector<std::string> columns_;  // of the table, one an input
  std::string prediction_ = "prediction", probability_ = "probability", rule_ = "rule";
  std::string out_;
};

std::string write_sql(const RuleBase& base, const Plan& plan, const ExportRequest& request) {
  return SqlWriter(base, plan, request).text();
}

}  // namespace

const Writer& sql_writer() {
  static const Writer writer = {
      .format = {"sql", "one SELECT, or a view, for DuckDB, PostgreSQL, Spark or SQLite"},
      .has_name = true,
      .has_dialect = true,
      .has_table = true,
      .write = write_sql};
  return writer;
}

}  // namespace frr::internal
