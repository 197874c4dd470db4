// The rule base for a paper or a policy document: tables in Markdown, LaTeX and HTML.
#include <algorithm>

#include "base/text.hpp"
#include "base/visible_text.hpp"
#include "frr/frr.hpp"
#include "model/rule_table.hpp"
#include "names.hpp"
#include "writer.hpp"

namespace frr::internal {
namespace {

std::string joined(const std::vector<std::string>& texts, const std::string& between) {
  std::string result;
  for (const std::string& text : texts) result += (result.empty() ? "" : between) + text;
  return result;
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

std::string write_latex(const RuleBase& base, const Plan& plan, const ExportRequest& request) {
  const RuleTable table = make_rule_table(base);
  std::string out = "% " + comment_text(origin_text(plan, request)) +
                    "\n% Needs \\usepackage{booktabs,tabularx} and \\usepackage[T1]{fontenc}.\n"
                    "\\begin{tabularx}{\\linewidth}{rXlrrr}\n\\toprule\n"
                    "Rule & If & Then & Weight & Decides & Right \\\\\n\\midrule\n";
  for (const RuleTable::Row& row : table.rows) {
    out += row.number + " & " +
           (row.conditions.empty() ? "\\emph{else}" : latex_conditions(row.conditions)) + " & " +
           latex_text(row.then) + " & " + row.weight + " & " + row.decides + " & " +
           latex_text(row.right) + " \\\\\n";
  }
  out += "\\bottomrule\n\\end{tabularx}\n\n\\medskip\\noindent " + latex_text(table.method) + "\n";
  if (table.meanings.empty()) return out;
  out +=
      "\n\\medskip\n\\begin{tabularx}{\\linewidth}{llX}\n\\toprule\nFeature & Label & Meaning "
      "\\\\\n"
      "\\midrule\n";
  for (const RuleTable::Meaning& m : table.meanings) {
    out += latex_text(m.feature) + " & " + latex_text(m.label) + " & " + latex_text(m.text) +
           " \\\\\n";
  }
  return out + "\\bottomrule\n\\end{tabularx}\n";
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

// A fragment to be put into a page: no head, no style.
std::string write_html(const RuleBase& base, const Plan& plan, const ExportRequest& request) {
  const RuleTable table = make_rule_table(base);
  const auto name = [](const std::string& text) { return "<bdi>" + html_text(text) + "</bdi>"; };
  std::string out = "<!-- " + comment_text(origin_text(plan, request)) +
                    " -->\n<table class=\"frr-rules\">\n  <caption>" + html_text(table.method) +
                    "</caption>\n  <thead>\n" +
                    html_cells("th", {"Rule", "If", "Then", "Weight", "Decides", "Right"}) +
                    "  </thead>\n  <tbody>\n";
  for (const RuleTable::Row& row : table.rows) {
    out += html_cells(
        "td",
        {row.number, row.conditions.empty() ? "<em>else</em>" : html_conditions(row.conditions),
         name(row.then), row.weight, row.decides, row.right});
  }
  out += "  </tbody>\n</table>\n";
  if (table.meanings.empty()) return out;
  out += "<table class=\"frr-labels\">\n  <caption>What the labels mean</caption>\n  <thead>\n" +
         html_cells("th", {"Feature", "Label", "Meaning"}) + "  </thead>\n  <tbody>\n";
  for (const RuleTable::Meaning& m : table.meanings) {
    out += html_cells("td", {name(m.feature), name(m.label), html_text(m.text)});
  }
  return out + "  </tbody>\n</table>\n";
}

std::string write_markdown(const RuleBase& base, const Plan&, const ExportRequest&) {
  return to_markdown(base);
}

}  // namespace

const Writer& markdown_writer() {
  static const Writer writer = {.format = {"markdown", "tables of rules and labels for a document"},
                                .powers = true,
                                .additive = true,
                                .document = true,
                                .write = write_markdown};
  return writer;
}

const Writer& latex_writer() {
  static const Writer writer = {.format = {"latex", "the same tables for a paper (booktabs)"},
                                .powers = true,
                                .additive = true,
                                .document = true,
                                .write = write_latex};
  return writer;
}

const Writer& html_writer() {
  static const Writer writer = {.format = {"html", "the same tables for a web page"},
                                .powers = true,
                                .additive = true,
                                .document = true,
                                .write = write_html};
  return writer;
}

}  // namespace frr::internal
