// JavaScript: one ES module that needs nothing else, for browsers and Node.
#include <cmath>
#include <unordered_set>
#include <vector>

#include "names.hpp"
#include "script.hpp"
#include "source.hpp"
#include "writer.hpp"

namespace frr::internal {
namespace {

// Keywords of modules, and the names that the code below uses itself.
std::unordered_set<std::string> reserved_names() {
  return {
      "arguments", "async",       "await",      "break",     "case",    "catch",      "class",
      "const",     "continue",    "debugger",   "default",   "delete",  "do",         "else",
      "enum",      "eval",        "export",     "extends",   "false",   "finally",    "for",
      "function",  "if",          "implements", "import",    "in",      "instanceof", "interface",
      "let",       "new",         "null",       "of",        "package", "private",    "protected",
      "public",    "return",      "static",     "super",     "switch",  "this",       "throw",
      "true",      "try",         "typeof",     "undefined", "var",     "void",       "while",
      "with",      "yield",       "Infinity",   "NaN",       "Map",     "Math",       "Object",
      "String",    "TypeError",   "all",        "best",      "clamp",   "classes",    "inputs",
      "number",    "other",       "outcomes",   "owner",     "raise",   "row",        "rule",
      "rules",     "shares",      "strengths",  "sums",      "target",  "text",       "then",
      "tops",      "total",       "valueOf",    "winner",    "c",       "isMissing",  "missing",
      "codes",     "codeNumbers", "Set",        "Number"};
}

constexpr std::string_view helpers = R"(
function valueOf(row, name) {
  if (row instanceof Map ? row.has(name) : Object.prototype.hasOwnProperty.call(row, name)) {
    return row instanceof Map ? row.get(name) : row[name];
  }
  throw new TypeError(`no value for ${JSON.stringify(name)}; give null where it is missing`);
}

function isMissing(text) {
  const core = text.replace(/^[ \t]+|[ \t]+$/g, "");
  return missing.has(core.toLowerCase()) || codes.has(core);
}

function number(row, name) {
  const value = valueOf(row, name);
  if (value === null || value === undefined) return NaN;
  if (typeof value === "number") return codeNumbers.has(value) ? NaN : value;
  if (typeof value === "string" && isMissing(value)) return NaN;
  throw new TypeError(`${JSON.stringify(name)} is a number; give null where it is missing`);
}

function text(row, name, booleans = ["false", "true"], kept = []) {
  const value = valueOf(row, name);
  if (typeof value === "boolean") return booleans[Number(value)];
  if (value === null || value === undefined || value !== value) return null;
  const own = String(value);
  return isMissing(own) && !kept.includes(own) ? null : own;
}

// 0 below 0 and for what is no number, 1 above 1.
function clamp(t) {
  return t > 0 ? (t < 1 ? t : 1) : 0;
}
)";

constexpr std::string_view lukasiewicz = R"(
function all(...degrees) {
  let lack = 0;
  for (const degree of degrees) lack += 1 - degree;
  return lack >= 1 ? 0 : 1 - lack;
}
)";

constexpr std::string_view hamacher = R"(
function all(...degrees) {
  if (Math.min(...degrees) <= 0) return 0;
  let total = 0;
  for (const degree of degrees) total += (1 - degree) / degree;
  return 1 / (1 + total);
}
)";

constexpr std::string_view aczel_alsina = R"(
function all(...degrees) {
  if (Math.min(...degrees) <= 0) return 0;
  const lacks = degrees.map((degree) => -Math.log(degree));
  // Powers of numbers up to 1 neither overflow nor vanish together.
  const scale = Math.max(...lacks);
  if (scale <= 0) return 1;
  let total = 0;
  for (const lack of lacks) total += Math.pow(lack / scale, LAMBDA);
  return Math.exp(-scale * Math.pow(total, 1 / LAMBDA));
}
)";

constexpr std::string_view decide_sufficient = R"(  let rule = 0, best = 0;
  strengths.forEach((strength, index) => {
    if (strength > best) [rule, best] = [index + 1, strength];
  });
  const [then, shares] = outcomes[rule];
  return { prediction: classes[then], probability: shares[then], rule, probabilities: [...shares] };
}
)";

constexpr std::string_view decide_additive =
    R"(  const sums = classes.map(() => 0), tops = classes.map(() => 0), rules = classes.map(() => 0);
  strengths.forEach((strength, index) => {
    const then = outcomes[index + 1][0];
    sums[then] += strength;
    if (strength > tops[then]) [tops[then], rules[then]] = [strength, index + 1];
  });
  const best = Math.max(...sums);
  if (best <= 0) {
    const [then, otherwise] = outcomes[0];
    return { prediction: classes[then], probability: otherwise[then], rule: 0,
             probabilities: [...otherwise] };
  }
  const winner = sums.indexOf(best);
  let total = sums.reduce((sum, own) => sum + own, 0);
  const shares = sums.map((own) => own / total);
  // The class that is predicted is the most probable one, even of equals.
  const other = Math.max(...shares.filter((share, c) => c !== winner));
  shares[winner] = Math.max(shares[winner], other * (1 + LEAD + ORDER * shares[winner]));
  total = shares.reduce((sum, own) => sum + own, 0);
  const probabilities = shares.map((share) => share / total);
  return { prediction: classes[winner], probability: probabilities[winner], rule: rules[winner],
           probabilities };
}
)";

const Script script = {
    .truth = [](const std::string& condition) { return "(" + condition + " ? 1 : 0)"; },
    .quoted = quoted_javascript,
    .same = " === ",
    .different = " !== ",
    .no_text = " === null",
    .smaller = "Math.min",
    .conjunction = "all",
    .clamp = "clamp",
    .power = "Math.pow",
    .one = "1"};

class JavaScriptWriter {
 public:
  JavaScriptWriter(const Plan& plan, const ExportRequest& request)
      : plan_(plan), request_(request) {
    std::unordered_set<std::string> reserved = reserved_names();
    for (std::size_t i = 0; i < plan.degrees.size(); ++i) reserved.insert(degree_name(i));
    Names names(std::move(reserved));
    name_ = names.give(request.name.empty() ? "decide" : request.name, "decide");
    for (const Plan::Input& input : plan.inputs) {
      variables_.push_back(names.give(input.name, "x"));
    }
  }

  std::string text() {
    write_head();
    write_tables();
    out_ += helpers;
    write_tnorm();
    write_decide();
    return std::move(out_);
  }

 private:
  void write_head() {
    out_ += "// " + origin_text(plan_, request_) + "\n//\n" + rules_comment(plan_, "//   ");
    out_ += filled(R"(//
// An ES module that needs nothing else. Decides as FRR does: NAME(row) takes what a case holds by
// the names of the columns, as an object or a Map, null where it is missing, and gives
// { prediction, probability, rule, probabilities }. Rule 0 is ELSE; probabilities go with `classes`.

)",
                   "NAME", name_);
  }

  void write_tables() {
    out_ += "export const target = " + quoted_javascript(plan_.target) + ";\n";
    out_ += "export const classes = [\n";
    for (const std::string& own : plan_.classes) out_ += "  " + quoted_javascript(own) + ",\n";
    out_ += "];\n\n// The columns that rules read.\nexport const inputs = [\n";
    for (const Plan::Input& input : plan_.inputs) {
      out_ += "  " + quoted_javascript(input.name) + ",\n";
    }
    out_ += "];\n";
    write_missing();
    out_ += plan_.semantics == Semantics::additive
                ? "\n// The class that ELSE and each rule give; of ELSE the probabilities, too.\n"
                : "\n// What ELSE and each rule give: a class, and the probability of each.\n";
    out_ += "const outcomes = [\n";
    for (const Plan::Outcome& outcome : plan_.outcomes) {
      const bool none = plan_.semantics == Semantics::additive && &outcome != &plan_.outcomes[0];
      const auto& own = outcome.probabilities;
      const auto share = [&](std::size_t c) { return double_text(own[c]); };
      out_ += "  [" + std::to_string(outcome.then) +
              (none ? "" : ", [" + listed(own.size(), ", ", share) + "]") + "],\n";
    }
    out_ += "];\n";
  }

  void write_missing() {
    const auto set = [](std::size_t count, const auto& item) {
      return "new Set([" + listed(count, ", ", item) + "]);\n";
    };
    const std::vector<std::string>& codes = plan_.missing.codes;
    const std::vector<double>& numbers = plan_.missing.numbers;
    out_ += "\n// Texts that mean a missing value, in any case; and the codes for it.\n";
    out_ += "const missing = " + set(Plan::Missing::built_in.size(), [](std::size_t i) {
              return quoted_javascript(Plan::Missing::built_in[i]);
            });
    out_ += "const codes = " +
            set(codes.size(), [&](std::size_t i) { return quoted_javascript(codes[i]); });
    out_ += "const codeNumbers = " + set(numbers.size(), [&](std::size_t i) {
              return std::isinf(numbers[i]) ? std::string(numbers[i] < 0 ? "-Infinity" : "Infinity")
                                            : double_text(numbers[i]);
            });
  }

  void write_tnorm() {
    switch (plan_.tnorm.kind) {
      case TNormKind::lukasiewicz:
        out_ += lukasiewicz;
        break;
      case TNormKind::hamacher:
        out_ += hamacher;
        break;
      case TNormKind::aczel_alsina:
        out_ += filled(aczel_alsina, "LAMBDA", double_text(plan_.tnorm.lambda));
        break;
      default:
        break;
    }
  }

  // What stands for false and true, where that is told.
  static std::string booleans(const Plan::Input& input) {
    const auto& [no, yes] = input.booleans;
    if (no.empty() && yes.empty()) return input.kept.empty() ? "" : ", undefined";
    return ", [" + quoted_javascript(no.empty() ? "false" : no) + ", " +
           quoted_javascript(yes.empty() ? "true" : yes) + "]";
  }

  static std::string kept(const Plan::Input& input) {
    if (input.kept.empty()) return "";
    const auto each = [&](std::size_t i) { return quoted_javascript(input.kept[i]); };
    return ", [" + listed(input.kept.size(), ", ", each) + "]";
  }

  void write_decide() {
    out_ += "\nexport function " + name_ + "(row) {\n";
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const bool numeric = plan_.inputs[i].type == ColumnType::numeric;
      out_ += "  const " + variables_[i] + (numeric ? " = number(row, " : " = text(row, ") +
              quoted_javascript(plan_.inputs[i].name) + booleans(plan_.inputs[i]) +
              kept(plan_.inputs[i]) + ");\n";
    }
    for (std::size_t i = 0; i < plan_.degrees.size(); ++i) {
      const Plan::Degree& degree = plan_.degrees[i];
      out_ += "  const " + degree_name(i) + " = " +
              degree_text(script, plan_, degree, variables_[degree.input]) + "; // " +
              comment_text(degree.text) + "\n";
    }
    out_ += "  const strengths = [\n";
    for (std::size_t r = 0; r < plan_.strengths.size(); ++r) {
      out_ += "    " + strength_text(script, plan_, plan_.strengths[r]) + ", // rule " +
              std::to_string(r + 1) + "\n";
    }
    out_ += "  ];\n";
    out_ += plan_.semantics == Semantics::sufficient
                ? std::string(decide_sufficient)
                : filled(filled(decide_additive, "LEAD", share_lead), "ORDER", share_order);
  }

  const Plan& plan_;
  const ExportRequest& request_;
  std::string name_;
  std::vector<std::string> variables_;  // one an input
  std::string out_;
};

std::string write_javascript(const RuleBase&, const Plan& plan, const ExportRequest& request) {
  return JavaScriptWriter(plan, request).text();
}

}  // namespace

const Writer& javascript_writer() {
  static const Writer writer = {
      .format = {"javascript", "JavaScript module without dependencies, for browsers and Node"},
      .has_name = true,
      .powers = true,
      .additive = true,
      .write = write_javascript};
  return writer;
}

}  // namespace frr::internal
