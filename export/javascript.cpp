// JavaScript: one self-contained ES module, for browsers and Node.
#include <unordered_set>
#include <vector>

#include "names.hpp"
#include "script.hpp"
#include "source.hpp"
#include "writer.hpp"

namespace frr::internal {
namespace {

// Keywords of modules, and the names that the code below uses.
std::unordered_set<std::string> reserved_names() {
  return {"arguments", "async",       "await",      "break",     "case",         "catch",
          "class",     "const",       "continue",   "debugger",  "default",      "delete",
          "do",        "else",        "enum",       "eval",      "export",       "extends",
          "false",     "finally",     "for",        "function",  "if",           "implements",
          "import",    "in",          "instanceof", "interface", "let",          "new",
          "null",      "of",          "package",    "private",   "protected",    "public",
          "return",    "static",      "super",      "switch",    "this",         "throw",
          "true",      "try",         "typeof",     "undefined", "var",          "void",
          "while",     "with",        "yield",      "Infinity",  "NaN",          "Map",
          "Math",      "Object",      "String",     "TypeError", "all",          "best",
          "clamp",     "classes",     "inputs",     "number",    "other",        "outcomes",
          "owner",     "raise",       "row",        "rule",      "rules",        "shares",
          "strengths", "sums",        "target",     "text",      "then",         "tops",
          "total",     "valueOf",     "winner",     "c",         "isMissing",    "missing",
          "codes",     "codeNumbers", "Set",        "Number",    "scores",       "most",
          "values",    "points",      "referred",   "biases",    "thens",        "order",
          "offsets",   "costs",       "rulePoints", "referrals", "exponentials", "probabilities",
          "index",     "d",           "own",        "sum"};
}

constexpr std::string_view head = R"(//
// An ES module that needs nothing else. Decides as FRR does: NAME(row) takes what a case holds by
// the names of the columns, as an object or a Map, null where it is missing, and gives
// { prediction, probability, rule, probabilities }, and for some models `points` (their sum) and
// `referred` (whether a person must decide). Rule 0 is ELSE; probabilities go with `classes`.

)";

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
  return { prediction: classes[then], probability: shares[then], rule,MORE
           probabilities: [...shares] };
}
)";

constexpr std::string_view sums =
    R"(  const scores = [...biases], tops = classes.map(() => 0), rules = classes.map(() => 0);
  strengths.forEach((strength, index) => {
    const own = thens[index];
    scores[own] += strength;
    if (strength > tops[own]) [tops[own], rules[own]] = [strength, index + 1];
  });
  const most = Math.max(...scores);
  const exponentials = scores.map((score) => Math.exp(score - most));
  const total = exponentials.reduce((sum, own) => sum + own, 0);
  const probabilities = exponentials.map((own) => own / total);
)";

constexpr std::string_view by_offsets =
    R"(  const values = scores.map((score, c) => score + offsets[c]);
  let then = order.reduce((best, c) => (values[c] > values[best] ? c : best));
)";

constexpr std::string_view by_costs =
    R"(  const values = classes.map((name, d) =>
    probabilities.reduce((sum, own, c) => sum + own * costs[c][d], 0));
  let then = order.reduce((best, c) => (values[c] < values[best] ? c : best));
)";

constexpr std::string_view preferred =
    R"(  if (probabilities[PREFERRED] >= THRESHOLD) then = PREFERRED;
)";

constexpr std::string_view add_points =
    R"(  const points = rulePoints.reduce((sum, own, index) =>
    (strengths[index] > 0 ? sum + own : sum), 0);
)";

constexpr std::string_view refer =
    R"(  const referred = !strengths.some((strength) => strength > 0) ||
    Math.max(...probabilities) < REFER;
)";

constexpr std::string_view decide_additive =
    R"(  return { prediction: classes[then], probability: probabilities[then], rule: rules[then],MORE
           probabilities };
}
)";

std::string more(const Plan& plan) {
  std::string text;
  if (plan.scorecard) text += " points,";
  if (plan.refer > 0) text += plan.additive() ? " referred," : " referred: referrals[rule],";
  return text;
}

std::string list(const std::vector<std::string>& items) {
  return "[" + listed(items.size(), ", ", [&](std::size_t i) { return items[i]; }) + "]";
}

std::string set(const std::vector<std::string>& items) {
  const auto item = [&](std::size_t i) { return items[i]; };
  return "new Set([" + listed(items.size(), ", ", item) + "])";
}

std::string outcome(const std::string& then, const std::string& shares) {
  return "[" + then + (shares.empty() ? "" : ", [" + shares + "]") + "]";
}

std::string text_arguments(const Plan::Input& input) {
  const auto& [no, yes] = input.booleans;
  const bool plain = no.empty() && yes.empty();
  if (plain && input.kept.empty()) return "";
  std::string booleans = plain ? ", undefined"
                               : ", [" + quoted_javascript(no.empty() ? "false" : no) + ", " +
                                     quoted_javascript(yes.empty() ? "true" : yes) + "]";
  if (input.kept.empty()) return booleans;
  const auto kept = [&](std::size_t i) { return quoted_javascript(input.kept[i]); };
  return booleans + ", [" + listed(input.kept.size(), ", ", kept) + "]";
}

constexpr Script::InputList input_lists[] = {{.name = "export const inputs"}};

constexpr Script script = {
    .reserved_names = reserved_names,
    .truth = [](const std::string& condition) { return "(" + condition + " ? 1 : 0)"; },
    .truth_value = [](bool value) { return std::string(value ? "true" : "false"); },
    .quoted = quoted_javascript,
    .same = " === ",
    .different = " !== ",
    .no_text = " === null",
    .infinity = "Infinity",
    .one = "1",
    .smaller = "Math.min",
    .conjunction = "all",
    .clamp = "clamp",
    .power = "Math.pow",
    .comment = "//",
    .remark = " // ",
    .indent = "  ",
    .declare = "const ",
    .end = ";",
    .strengths = "strengths",
    .open = "[",
    .close = "]",
    .empty = "[\n]",
    .list = list,
    .set = set,
    .outcome = outcome,
    .text_arguments = text_arguments,
    .target = "export const target",
    .classes = "export const classes",
    .inputs_remark = "The columns that rules read.",
    .inputs = input_lists,
    .missing = "const missing",
    .codes = "const codes",
    .code_numbers = "const codeNumbers",
    .outcomes_remark = "What ELSE and each rule give: a class, and the probability of each.",
    .outcomes = "const outcomes",
    .referrals = "const referrals",
    .biases = "const biases",
    .thens = "const thens",
    .points = "const rulePoints",
    .order = "const order",
    .offsets = "const offsets",
    .costs = "const costs",
    .head = head,
    .helpers = [](const Plan&) { return std::string(helpers); },
    .lukasiewicz = lukasiewicz,
    .hamacher = hamacher,
    .aczel_alsina = aczel_alsina,
    .function = "\nexport function NAME(row) {\n",
    .read_number = "number",
    .read_text = "text",
    .decide_sufficient = decide_sufficient,
    .sums = sums,
    .by_offsets = by_offsets,
    .by_costs = by_costs,
    .preferred = preferred,
    .add_points = add_points,
    .refer = refer,
    .decide_additive = decide_additive,
    .more = more,
    .program = [](const Plan&) { return std::string(); }};

std::string write_javascript(const RuleBase&, const Plan& plan, const ExportRequest& request) {
  return write_script(script, plan, request);
}

}  // namespace

const Writer& javascript_writer() {
  static const Writer writer = {
      .format = {"javascript", "JavaScript module without dependencies, for browsers and Node"},
      .has_name = true,
      .powers = true,
      .write = write_javascript};
  return writer;
}

}  // namespace frr::internal
