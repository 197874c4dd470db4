// The rule base for a paper or a policy document: tables in Markdown, LaTeX and HTML.
#include <algorithm>

#include "base/text.hpp"
#include "base/visible_text.hpp"
#include "frr/frr.hpp"
#include "names.hpp"
#include "text/decision_text.hpp"
#include "text/rule_table.hpp"
#include "text/scorecard_text.hpp"
#include "writer.hpp"

namespace frr::internal {
namespace {

std::string joined(const std::vector<std::string>& texts, const std::string& between) {
  std::string result;
  for (std::size_t i = 0; i < texts.size(); ++i) result += (i == 0 ? "" : between) + texts[i];
  return result;
}

// The heads of the table of rules, as to_markdown has them.
std::vector<std::string> heads(const RuleBase& base) {
  const bool additive = base.semantics == Semantics::additive;
  return {"Rule",
          "If",
          "Then",
          base.nats_per_point ? "Points"
          : additive          ? "Score"
                              : "Weight",
          additive ? "True for rows" : "Decides rows",
          "Probability",
          "Times the average"};
}

// How rules decide, and why rules predict another class than the most probable one.
std::string method(const RuleTable& table) {
  std::string text = table.method;
  for (const RuleTable::Row& row : table.rows)
    if (!row.reason.empty()) text += " Rule " + row.number + ", " + row.reason + ".";
  return text;
}

// Of a scorecard: the heads and the lines of the table from points to risk.
std::vector<std::string> risk_heads(const RuleBase& base) {
  return {"Total points", "Probability of " + class_text(base, base.policy.positive), "Prediction"};
}
std::vector<RiskLine> risks(const RuleBase& base) {
  return base.nats_per_point ? risk_lines(base) : std::vector<RiskLine>{};
}

// ---- LaTeX --------------------------------------------------------------------------------------

std::string latex_text(const std::string& text) {
  std::string result;
  for (const char c : visible_text(text)) {
    switch (c) {
      case '\\':
        result += "\\textbackslash{}";
        break;
      case '~':
        result += "\\textasciitilde{}";
        break;
      case '^':
        result += "\\textasciicircum{}";
        break;
      case '<':
        result += "\\textless{}";
        break;
      case '>':
        result += "\\textgreater{}";
        break;
      case '"':
        result += "\\textquotedbl{}";
        break;
      case '|':
        result += "\\textbar{}";
        break;
      case '`':
        result += "\\textasciigrave{}";
        break;
      case '\'':
        result += "\\textquotesingle{}";
        break;
      // Two of the first would be a dash or a low quote. A row that begins with one of the others
      // would be taken for an argument of the end of the previous row.
      case '-':
      case ',':
      case '[':
      case '*':
        result += "{" + std::string(1, c) + "}";
        break;
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        result += '\\';
        result += c;
        break;
      default:
        result += c;
    }
  }
  return result;
}

// "a IS low" is not formatted further: that is left to the author.
std::string latex_conditions(const std::vector<std::string>& conditions) {
  std::vector<std::string> texts(conditions.size());
  std::transform(conditions.begin(), conditions.end(), texts.begin(), latex_text);
  return joined(texts, " \\textsc{and} ");
}

std::string latex_row(const std::vector<std::string>& cells) {
  return joined(cells, " & ") + " \\\\\n";
}

std::string latex_table(const std::string& columns, const std::vector<std::string>& names,
                        const std::string& rows) {
  return "\\begin{tabularx}{\\linewidth}{" + columns + "}\n\\toprule\n" + latex_row(names) +
         "\\midrule\n" + rows + "\\bottomrule\n\\end{tabularx}\n";
}

std::string write_latex(const RuleBase& base, const Plan& plan, const ExportRequest& request) {
  const RuleTable table = make_rule_table(base);
  std::string rules, lines, meanings;
  for (const RuleTable::Row& row : table.rows) {
    rules += latex_row({row.number,
                        row.conditions.empty() ? "\\emph{else}" : latex_conditions(row.conditions),
                        latex_text(row.then), latex_text(row.weight), row.decides,
                        latex_text(row.probability), row.lift});
  }
  for (const RiskLine& line : risks(base))
    lines +=
        latex_row({latex_text(line.points), latex_text(line.risk), latex_text(line.predicted)});
  for (const RuleTable::Meaning& m : table.meanings)
    meanings += latex_row({latex_text(m.feature), latex_text(m.label), latex_text(m.text)});

  std::string out = "% " + comment_text(origin_text(plan, request)) +
                    "\n% Needs \\usepackage{booktabs,tabularx} and \\usepackage[T1]{fontenc}.\n" +
                    latex_table("rXlrrrr", heads(base), rules) + "\n\\medskip\\noindent " +
                    latex_text(method(table)) + "\n";
  if (!lines.empty()) {
    std::vector<std::string> names = risk_heads(base);
    for (std::string& name : names) name = latex_text(name);
    out += "\n\\medskip\n" + latex_table("rrX", names, lines);
  }
  if (!meanings.empty())
    out += "\n\\medskip\n" + latex_table("llX", {"Feature", "Label", "Meaning"}, meanings);
  return out;
}

// ---- HTML ---------------------------------------------------------------------------------------

std::string html_text(const std::string& text) { return escape_markup(visible_text(text)); }

std::string html_cells(std::string_view tag, const std::vector<std::string>& texts) {
  std::string result = "    <tr>";
  for (const std::string& text : texts) {
    result += "<" + std::string(tag) + ">" + text + "</" + std::string(tag) + ">";
  }
  return result + "</tr>\n";
}

std::string html_conditions(const std::vector<std::string>& conditions) {
  std::vector<std::string> texts(conditions.size());
  std::transform(conditions.begin(), conditions.end(), texts.begin(),
                 [](const std::string& c) { return "<bdi>" + html_text(c) + "</bdi>"; });
  return joined(texts, " AND ");
}

std::string html_name(const std::string& text) { return "<bdi>" + html_text(text) + "</bdi>"; }

std::string html_table(const std::string& kind, const std::string& caption,
                       const std::vector<std::string>& names, const std::string& rows) {
  return "<table class=\"" + kind + "\">\n  <caption>" + html_text(caption) +
         "</caption>\n  <thead>\n" + html_cells("th", names) + "  </thead>\n  <tbody>\n" + rows +
         "  </tbody>\n</table>\n";
}

// A fragment to be put into a page: no head, no style.
std::string write_html(const RuleBase& base, const Plan& plan, const ExportRequest& request) {
  const RuleTable table = make_rule_table(base);
  std::string rules, lines, meanings;
  for (const RuleTable::Row& row : table.rows) {
    rules += html_cells(
        "td",
        {row.number, row.conditions.empty() ? "<em>else</em>" : html_conditions(row.conditions),
         html_name(row.then), row.weight, row.decides, row.probability, row.lift});
  }
  for (const RiskLine& line : risks(base))
    lines += html_cells("td", {line.points, line.risk, html_name(line.predicted)});
  for (const RuleTable::Meaning& m : table.meanings)
    meanings += html_cells("td", {html_name(m.feature), html_name(m.label), html_text(m.text)});

  std::string out = "<!-- " + comment_text(origin_text(plan, request)) + " -->\n" +
                    html_table("frr-rules", method(table), heads(base), rules);
  if (!lines.empty()) {
    std::vector<std::string> names = risk_heads(base);
    for (std::string& name : names) name = html_text(name);
    out += html_table("frr-risk", "From points to risk", names, lines);
  }
  if (!meanings.empty()) {
    out +=
        html_table("frr-labels", "What the labels mean", {"Feature", "Label", "Meaning"}, meanings);
  }
  return out;
}

std::string write_markdown(const RuleBase& base, const Plan&, const ExportRequest&) {
  return to_markdown(base);
}

}  // namespace

const Writer& markdown_writer() {
  static const Writer writer = {.format = {"markdown", "tables of rules and labels for a document"},
                                .powers = true,
                                .document = true,
                                .write = write_markdown};
  return writer;
}

const Writer& latex_writer() {
  static const Writer writer = {.format = {"latex", "the same tables for a paper (booktabs)"},
                                .powers = true,
                                .document = true,
                                .write = write_latex};
  return writer;
}

const Writer& html_writer() {
  static const Writer writer = {.format = {"html", "the same tables for a web page"},
                                .powers = true,
                                .document = true,
                                .write = write_html};
  return writer;
}

}  // namespace frr::internal
