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
#include <unordered_set>
#include <vector>

#include "frr/error.hpp"
#include "names.hpp"
#include "source.hpp"
#include "sql_degrees.hpp"
#include "sql_dialect.hpp"
#include "sql_names.hpp"
#include "sql_strength.hpp"
#include "sql_sums.hpp"
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

// The plan, if the database can hold it.
const Plan& checked(const Plan& plan, const Dialect& sql) {
  check_texts(plan);
  check_size(plan, sql);
  return plan;
}

class SqlWriter {
 public:
  SqlWriter(const RuleBase& base, const Plan& plan, const ExportRequest& request)
      : plan_(plan),
        request_(request),
        sql_(find_dialect(request.dialect)),
        degrees_(checked(plan, sql_), sql_),
        strength_(plan, sql_) {
    table_ = qualified("table", request.table.empty() ? "data" : request.table, sql_);
    if (is_view(request)) {
      view_ = qualified("name", request.name.empty() ? "decisions" : request.name, sql_);
    }
    std::unordered_set<std::string> taken = {folded(base.target)};
    for (const Feature& feature : base.partition.features) taken.insert(folded(feature.name));
    std::vector<std::string> names = {"prediction", "probability", "rule"};
    if (plan.scorecard) names.emplace_back("points");
    if (plan.refer > 0) names.emplace_back("referred");
    for (const std::string& name : names) {
      std::string own = request.prefix + name;
      while (taken.count(folded(own)) > 0) own += '_';
      check_output_name(own, sql_);
      outputs_.push_back({name, own});
    }
  }

  std::string text() {
    write_head();
    if (!view_.empty()) out_ += "CREATE VIEW " + view_ + " AS\n";
    const std::string from = "\nFROM " + table_ + " AS t\n" + own_names();
    if (plan_.strengths.empty()) {
      out_ += "SELECT\n  t.*,\n" + otherwise() + from;
    } else if (sql_.before.empty()) {
      out_ +=
          with(from) + ",\nw AS (SELECT\n" + row_of(last()) + winner() + "\nFROM " + last() + ")\n";
      out_ += "SELECT\n  original.*,\n" + outcomes() + "\nFROM w";
    } else {
      out_ += "SELECT\n  t.*,\n" + outcomes() + from + "\nCROSS JOIN " + std::string(sql_.before) +
              with("") + "\nSELECT\n" + winner() + "\nFROM " + last() + std::string(sql_.fence) +
              std::string(sql_.after) + " AS w";
    }
    return std::move(out_) + ";\n";
  }

 private:
  void write_head() {
    out_ += "-- " + origin_text(plan_, request_) + "\n";
    out_ += "-- For " + std::string(sql_.title) +
            ": gives the columns of each row of the table, and after them\n";
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      out_ += "--   " + exact_text(outputs_[i].shown) + ": " +
              std::string(meaning(outputs_[i].name)) + (i + 1 < outputs_.size() ? ",\n" : ".\n");
    }
    for (const std::string& note : plan_.notes) out_ += "-- " + comment_text(note, 600) + "\n";
    out_ += "-- If the table has a column of such a name already, the database says that it is\n";
    out_ += "-- ambiguous: export with another --prefix then.\n";
    out_ += "-- Missing is " + std::string(sql_.missing) +
            "; and, as a text, the empty one, ?, NA, N/A, NaN and null" +
            (plan_.missing.codes.empty() ? "" : ", and the codes of the model") +
            ".\n-- A category is compared as text, byte by byte.\n";
    if (plan_.strengths.empty()) return;
    out_ += "-- x: the columns that rules read; d: how true their labels are, from 0 to 1;\n";
    out_ +=
        plan_.additive()
            ? "-- s: how strong the rules are; c: the scores of the classes; v: the largest; e, "
              "p: their\n-- probabilities, by EXP; z: the class; w: the results.\n"
            : "-- s: how strong the rules are; b: the largest strength; w: the first rule that "
              "has it.\n";
    if (sql_.fence.empty()) return;
    out_ += "--" + std::string(sql_.fence) +
            " is there so that each layer is computed once a row, not once a use.\n";
  }

  [[nodiscard]] std::string_view meaning(std::string_view output) const {
    if (output == "prediction") return "the class";
    if (output == "probability") return "of this class";
    if (output == "points") return "the sum of those of the rules that apply";
    if (output == "referred") return "1 if a person must decide, otherwise 0";
    return plan_.additive() ? "the number of the strongest rule for this class, 0 if none applies"
                            : "the number of the rule that decides, 0 for ELSE";
  }

  // A column of the table must not be taken for one of ours. They are therefore listed together
  // here, where an ambiguous name without its table is an error.
  [[nodiscard]] std::string own_names() const {
    const auto each = [&](std::string_view before, std::string_view after,
                          std::string_view between) {
      std::string text;
      for (const Output& output : outputs_) {
        text += (text.empty() ? "" : std::string(between)) + std::string(before) +
                sql_.identifier(output.shown) + std::string(after);
      }
      return text;
    };
    return "JOIN (SELECT " + each("0 AS ", "", ", ") + ") AS own\n  ON " +
           each("", " = 0", " AND ");
  }

  // "  EXPRESSION AS name", one per output.
  template <typename Expression>
  [[nodiscard]] std::string selected(const Expression& expression) const {
    return listed(outputs_.size(), ",\n", [&](std::size_t i) {
      return "  " + expression(outputs_[i].name) + " AS " + sql_.identifier(outputs_[i].shown);
    });
  }

  // An output if `outcome` is the result; of rules, the caller knows the number.
  [[nodiscard]] std::string constant(const std::string& output,
                                     const Plan::Outcome& outcome) const {
    if (output == "prediction") return sql_.text(plan_.classes[outcome.then]);
    if (output == "probability") return sql_.number(outcome.probabilities[outcome.then]);
    return output == "referred" && outcome.referred ? "1" : "0";
  }

  [[nodiscard]] std::string otherwise() const {
    return selected([&](const std::string& name) { return constant(name, plan_.outcomes[0]); });
  }

  [[nodiscard]] std::string outcomes() const {
    return selected([&](const std::string& name) {
      return plan_.additive() ? result(name) : outcome_of_rule(name);
    });
  }

  [[nodiscard]] std::string outcome_of_rule(const std::string& name) const {
    if (name == "rule") return std::string(sql_.rule);
    std::string text = "CASE " + std::string(sql_.rule) + "\n";
    for (std::size_t i = 0; i < plan_.outcomes.size(); ++i) {
      text += "    WHEN " + std::to_string(i) + " THEN " + constant(name, plan_.outcomes[i]) + "\n";
    }
    return text + "  END";
  }

  // Additive semantics.
  [[nodiscard]] std::string result(const std::string& name) const {
    if (name != "prediction") return filled(sql_.result, "NAME", name);
    std::string text = "CASE " + filled(sql_.result, "NAME", "choice") + "\n";
    for (std::size_t c = 0; c < plan_.classes.size(); ++c) {
      text += "    WHEN " + std::to_string(c) + " THEN " + sql_.text(plan_.classes[c]) + "\n";
    }
    return text + "  END";
  }

  // ---- Layers: each reads the one before it, the first reads `from`

  [[nodiscard]] std::string with(std::string from) const {
    std::vector<SqlLayer> layers = {{"x", row_of("t") + degrees_.inputs()},
                                    {"d", row_of("x") + degrees_.degrees()},
                                    {"s", row_of("d") + strengths()}};
    if (plan_.additive()) {
      for (SqlLayer& layer : sum_layers(plan_, sql_)) layers.push_back(std::move(layer));
    } else {
      layers.push_back({"b", best()});
    }
    std::string text;
    for (const auto& [name, columns] : layers) {
      text += (text.empty() ? "WITH\n" : ",\n") + name + " AS (SELECT\n" + columns + from +
              std::string(sql_.fence) + ")";
      from = "\nFROM " + name;
    }
    return text;
  }

  [[nodiscard]] std::string last() const { return plan_.additive() ? "z" : "b"; }

  // The row of the table as a column of each layer, if it passes through them. It is not written as
  // t, because the table may have a column of this name.
  [[nodiscard]] std::string row_of(const std::string& layer) const {
    if (!sql_.before.empty()) return "";
    return "  " + (layer == "t" ? std::string(sql_.row) + " AS " : layer + ".") + "original,\n";
  }

  // ---- Strengths

  [[nodiscard]] std::string strengths() const {
    return sql_columns_of(plan_.strengths, "s", [&](const Plan::Strength& strength) {
      return "  -- " + comment_text(strength.text) + "\n  " + strength_.text(strength);
    });
  }

  // ---- The winner

  [[nodiscard]] std::string best() const {
    std::vector<std::string> all;
    for (std::size_t r = 0; r < plan_.strengths.size(); ++r)
      all.push_back("s." + sql_column("s", r));
    return "  s.*, " + sql_.call(sql_.greatest, std::move(all)) + " AS best";
  }

  [[nodiscard]] std::string winner() const {
    if (plan_.additive()) return results();
    std::string text = "  CASE\n    WHEN b.best <= " + sql_.number(0) + " THEN 0\n";
    for (std::size_t r = 0; r < plan_.strengths.size(); ++r) {
      text += "    WHEN b." + sql_column("s", r) + " = b.best THEN " + std::to_string(r + 1) + "\n";
    }
    return text + "  END AS rule";
  }

  [[nodiscard]] std::string results() const {
    const std::vector<SqlResult> all = sum_results(plan_, sql_);
    const bool json = sql_.rule == "w.value";
    const std::string columns = listed(all.size(), json ? ", " : ",\n  ", [&](std::size_t i) {
      return json ? "'" + all[i].name + "', " + all[i].expression
                  : all[i].expression + " AS " + all[i].name;
    });
    return json ? "  json_array(json_object(" + columns + "))" : "  " + columns;
  }

  struct Output {
    std::string name, shown;  // "rule", and with prefix as it is called in the result
  };

  const Plan& plan_;
  const ExportRequest& request_;
  const Dialect& sql_;
  const SqlDegrees degrees_;
  const SqlStrength strength_;
  std::string table_, view_;  // quoted
  std::vector<Output> outputs_;
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
