// Python: one file that needs only the standard library. It decides cases, and CSV files.
#include <unordered_set>
#include <vector>

#include "names.hpp"
#include "script.hpp"
#include "source.hpp"
#include "writer.hpp"

namespace frr::internal {
namespace {

// Keywords, and the names that the code below uses.
std::unordered_set<std::string> reserved_names() {
  return {"False",    "None",      "True",          "and",          "as",       "assert",
          "async",    "await",     "break",         "case",         "class",    "continue",
          "def",      "del",       "elif",          "else",         "except",   "finally",
          "for",      "from",      "global",        "if",           "import",   "in",
          "is",       "lambda",    "match",         "nonlocal",     "not",      "or",
          "pass",     "raise",     "return",        "try",          "type",     "while",
          "with",     "yield",     "csv",           "math",         "re",       "sys",
          "chain",    "Any",       "Dict",          "List",         "Mapping",  "NamedTuple",
          "Sequence", "Optional",  "Tuple",         "TARGET",       "CLASSES",  "NUMBERS",
          "TEXTS",    "MISSING",   "CODES",         "CODE_NUMBERS", "OUTCOMES", "Decision",
          "main",     "row",       "strengths",     "rule",         "best",     "number",
          "strength", "then",      "sums",          "tops",         "rules",    "winner",
          "shares",   "total",     "probabilities", "float",        "min",      "max",
          "dict",     "zip",       "enumerate",     "len",          "range",    "str",
          "print",    "c",         "scores",        "most",         "values",   "points",
          "referred", "BIASES",    "THENS",         "POINTS",       "ORDER",    "OFFSETS",
          "COSTS",    "REFERRALS", "costs",         "cost",         "value",    "share",
          "score",    "offset",    "own",           "sum",          "bool"};
}

constexpr std::string_view head = R"(#
# Python 3.8 or later; needs nothing else. Decides as FRR does: NAME(row) takes what a case
# holds by the names of the columns, None where it is missing. As a program it reads CSV with a
# header line from standard input and writes a line with the decision for each line.
import csv
import math
import re
import sys
from itertools import chain
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

)";

constexpr std::string_view decision_class = R"(

class Decision(NamedTuple):
    prediction: str  # the class
    probability: float  # of it
RULE    probabilities: Dict[str, float]  # of every class


def _value(row: Mapping[str, Any], name: str) -> Any:
    if name not in row:
        raise KeyError(f"no value for {name!r}; give None where it is missing")
    value = row[name]
    return None if type(value).__name__ == "NAType" else value  # of pandas


def _is_missing(text: str) -> bool:
    text = text.strip(" \t")
    return text.lower() in MISSING or text in CODES


def _number(row: Mapping[str, Any], name: str) -> float:
    value = _value(row, name)
    if value is None or (isinstance(value, str) and _is_missing(value)):
        return math.nan
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name!r} is a number, got {value!r}; give None where it is missing")
    return math.nan if float(value) in CODE_NUMBERS else float(value)


def _text(
    row: Mapping[str, Any],
    name: str,
    booleans: Sequence[str] = ("False", "True"),
    kept: Sequence[str] = (),
) -> Optional[str]:
    value = _value(row, name)
    if value is None or value != value:
        return None
    text = str(value)
    if not isinstance(value, str) and text in ("False", "True"):
        return booleans[text == "True"]
    return None if _is_missing(text) and text not in kept else text


def _clamp(t: float) -> float:
    """0 below 0 and for what is no number, 1 above 1."""
    return t if 0.0 < t < 1.0 else float(t >= 1.0)

)";

constexpr std::string_view lukasiewicz = R"(
def _all(*degrees: float) -> float:
    lack = 0.0
    for degree in degrees:
        lack += 1.0 - degree
    return 0.0 if lack >= 1.0 else 1.0 - lack

)";

constexpr std::string_view hamacher = R"(
def _all(*degrees: float) -> float:
    if min(degrees) <= 0.0:
        return 0.0
    total = 0.0
    for degree in degrees:
        total += (1.0 - degree) / degree
    return 1.0 / (1.0 + total)

)";

constexpr std::string_view aczel_alsina = R"(
def _all(*degrees: float) -> float:
    if min(degrees) <= 0.0:
        return 0.0
    lacks = [-math.log(degree) for degree in degrees]
    # Powers of numbers up to 1 neither overflow nor vanish together.
    scale = max(lacks)
    if scale <= 0.0:
        return 1.0
    total = 0.0
    for lack in lacks:
        total += math.pow(lack / scale, LAMBDA)
    return math.exp(-scale * math.pow(total, 1.0 / LAMBDA))

)";

constexpr std::string_view decide_sufficient = R"(    rule, best = 0, 0.0
    for number, strength in enumerate(strengths, 1):
        if strength > best:
            rule, best = number, strength
    then, shares = OUTCOMES[rule]
    return Decision(CLASSES[then], shares[then], rule,MORE dict(zip(CLASSES, shares)))
)";

constexpr std::string_view sums =
    R"(    scores, tops, rules = list(BIASES), [0.0] * len(CLASSES), [0] * len(CLASSES)
    for rule, (then, strength) in enumerate(zip(THENS, strengths), 1):
        scores[then] += strength
        if strength > tops[then]:
            tops[then], rules[then] = strength, rule
    most = max(scores)
    shares = [math.exp(score - most) for score in scores]
    total = 0.0
    for share in shares:
        total += share
    shares = [share / total for share in shares]
)";

constexpr std::string_view by_offsets =
    R"(    values = [score + offset for score, offset in zip(scores, OFFSETS)]
    then = max(ORDER, key=lambda c: values[c])
)";

constexpr std::string_view by_costs = R"(    values = [0.0] * len(CLASSES)
    for share, costs in zip(shares, COSTS):
        values = [value + share * cost for value, cost in zip(values, costs)]
    then = min(ORDER, key=lambda c: values[c])
)";

constexpr std::string_view preferred = R"(    if shares[PREFERRED] >= THRESHOLD:
        then = PREFERRED
)";

constexpr std::string_view add_points =
    R"(    points = sum(own for own, strength in zip(POINTS, strengths) if strength > 0.0)
)";

constexpr std::string_view refer =
    R"(    referred = max(strengths, default=0.0) <= 0.0 or max(shares) < REFER
)";

constexpr std::string_view decide_additive =
    R"(    probabilities = dict(zip(CLASSES, shares))
    return Decision(CLASSES[then], shares[then], rules[then],MORE probabilities)
)";

std::string more(const Plan& plan) {
  std::string text;
  if (plan.scorecard) text += " points,";
  if (plan.refer > 0) text += plan.additive() ? " referred," : " REFERRALS[rule],";
  return text;
}

constexpr std::string_view main_function = R"(

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def _read_number(text: str, comma: bool) -> float:
    if comma and "." not in text:
        text = text.replace(",", ".", 1)
    number = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(number):
        raise ValueError(f"{text!r} is no finite number")
    return number


def _places(names: List[str]) -> Dict[str, int]:
    """Where each column stands; blanks around its name and ends of lines in it do not count."""
    found: Dict[str, int] = {}
    for place, name in reversed(list(enumerate(names))):
        found[re.sub(r"\r\n|\r|\n", " ", name.strip(" \t"))] = place
    found.update({name: place for place, name in reversed(list(enumerate(names)))})
    for name in (*NUMBERS, *TEXTS):
        if name not in found:
            raise ValueError(f"there is no column {name!r}")
    return found


def main() -> None:
    """Reads CSV with a header line from standard input; writes what `frr predict` does."""
    sys.stdin.reconfigure(encoding="utf-8-sig", newline="")  # type: ignore[union-attr]
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    head = sys.stdin.readline()
    delimiter = max(",;\t", key=head.count)
    reader = csv.reader(chain([head], sys.stdin), delimiter=delimiter, skipinitialspace=True)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("prediction", "probability", "rule"COLUMNS))
    try:
        places = _places(next(reader, []))
        for cells in reader:
            cells = [cell.strip(" \t") for cell in cells]
            if len(places) > 1 and cells in ([], [""]):
                continue  # an empty line
            cells = cells or [""]
            row: Dict[str, Any] = {}
            for name in (*NUMBERS, *TEXTS):
                if places[name] >= len(cells):
                    raise ValueError(f"there is no field for the column {name!r}")
                cell = cells[places[name]]
                row[name] = cell
            for name in NUMBERS:
                if not _is_missing(row[name]):
                    row[name] = _read_number(row[name], delimiter == ";")
            decision = NAME(row)
            writer.writerow((*decision[:3],VALUES))
    except (ValueError, csv.Error) as error:
        sys.exit(f"{sys.argv[0]}: line {reader.line_num}: {error}")


if __name__ == "__main__":
    main()
)";

// The definition of a decision, and functions that read values.
std::string helpers(const Plan& plan) {
  std::string rule = plan.additive()
                         ? "    rule: int  # the strongest for this class; 0: none applies\n"
                         : "    rule: int  # that decides; 0 is ELSE\n";
  if (plan.scorecard) rule += "    points: int  # the sum of those of the rules that apply\n";
  if (plan.refer > 0) rule += "    referred: bool  # whether a person must decide\n";
  return filled(decision_class, "RULE", rule);
}

std::string program(const Plan& plan) {
  std::string columns, values;
  if (plan.scorecard) columns += ", \"points\"", values += " decision.points,";
  if (plan.refer > 0)
    columns += ", \"referred\"", values += " \"yes\" if decision.referred else \"no\",";
  return filled(filled(main_function, "COLUMNS", columns), "VALUES", values);
}

// A tuple of any length: ("a", "b",).
std::string tuple(const std::vector<std::string>& items) {
  const auto item = [&](std::size_t i) { return items[i] + ","; };
  return "(" + listed(items.size(), " ", item) + ")";
}

std::string outcome(const std::string& then, const std::string& shares) {
  return "(" + then + ", (" + shares + "))";
}

std::string text_arguments(const Plan::Input& input) {
  std::string arguments;
  const auto& [no, yes] = input.booleans;
  if (!no.empty() || !yes.empty()) {
    arguments = ", (" + quoted_python(no.empty() ? "False" : no) + ", " +
                quoted_python(yes.empty() ? "True" : yes) + ")";
  }
  if (input.kept.empty()) return arguments;
  std::vector<std::string> kept;
  for (const std::string& text : input.kept) kept.push_back(quoted_python(text));
  return arguments + ", kept=" + tuple(kept);
}

constexpr Script::InputList input_lists[] = {
    {.name = "NUMBERS: Tuple[str, ...]", .categorical = false},
    {.name = "TEXTS: Tuple[str, ...]", .numeric = false}};

constexpr Script script = {
    .reserved_names = reserved_names,
    .truth = [](const std::string& condition) { return "float(" + condition + ")"; },
    .truth_value = [](bool value) { return std::string(value ? "True" : "False"); },
    .quoted = quoted_python,
    .same = " == ",
    .different = " != ",
    .no_text = " is None",
    .infinity = "math.inf",
    .one = "1.0",
    .smaller = "min",
    .conjunction = "_all",
    .clamp = "_clamp",
    .power = "math.pow",
    .comment = "#",
    .remark = "  # ",
    .indent = "    ",
    .declare = "",
    .end = "",
    .strengths = "strengths: Tuple[float, ...]",
    .open = "(",
    .close = ")",
    .empty = "()",
    .list = tuple,
    .set = tuple,
    .outcome = outcome,
    .text_arguments = text_arguments,
    .target = "TARGET",
    .classes = "CLASSES",
    .inputs_remark = "The columns that rules read: those of numbers, and those of texts.",
    .inputs = input_lists,
    .missing = "MISSING",
    .codes = "CODES: Tuple[str, ...]",
    .code_numbers = "CODE_NUMBERS: Tuple[float, ...]",
    .outcomes_remark = "What ELSE and each rule give: a class, and the probability of every class.",
    .outcomes = "OUTCOMES",
    .referrals = "REFERRALS",
    .biases = "BIASES",
    .thens = "THENS: Tuple[int, ...]",
    .points = "POINTS: Tuple[int, ...]",
    .order = "ORDER",
    .offsets = "OFFSETS",
    .costs = "COSTS",
    .head = head,
    .helpers = helpers,
    .lukasiewicz = lukasiewicz,
    .hamacher = hamacher,
    .aczel_alsina = aczel_alsina,
    .function = "\ndef NAME(row: Mapping[str, Any]) -> Decision:\n",
    .read_number = "_number",
    .read_text = "_text",
    .decide_sufficient = decide_sufficient,
    .sums = sums,
    .by_offsets = by_offsets,
    .by_costs = by_costs,
    .preferred = preferred,
    .add_points = add_points,
    .refer = refer,
    .decide_additive = decide_additive,
    .more = more,
    .program = program};

std::string write_python(const RuleBase&, const Plan& plan, const ExportRequest& request) {
  return write_script(script, plan, request);
}

}  // namespace

const Writer& python_writer() {
  static const Writer writer = {
      .format = {"python", "Python file without dependencies: a function, and a program for CSV"},
      .has_name = true,
      .powers = true,
      .write = write_python};
  return writer;
}

}  // namespace frr::internal
