"""Models for the exports to program code: hostile names, other semantics, tiny models."""

import csv
import json
import math
import random
from pathlib import Path

import odd_models
from cases import ROOT, Case, Decision, Row, decide, edge_rows, expected_of, frr, read_rows, reference
from policy_cases import policy_cases, without_rules

# What ends a text, a comment, a line or a file in some language, and code that would then run; keywords
# and names that the exported code uses; names that become equal when cleaned.
HOSTILE = (
    'quote " and \' and `', "back\\slash", "end\\", "two\nlines\r\nand\rmore", "*/ #error ended /*", "// ?",
    '"""', "'''", "??/", "</script><script>", "<!-- -->", "${process.exit(3)}", '"+process.exit(3)+"',
    '"); __import__("os")._exit(3) #', "%s%n", "# // -- ;", "\u2028throw 1", "\u2029", "\x85", "\x01\x1b[31m",
    "\u202eevil\u2066", "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET}", "\U0001F600\U0010FFFD", "\u00e9", "e\u0301",
    "x" * 300, "int", "class", "linux", "NULL", "main", "def", "None", "lambda", "function", "eval", "arguments",
    "await", "__proto__", "constructor", "hasOwnProperty", "toString", "row", "d1", "x1", "zero", "best", "rule",
    "strengths", "decide", "NAME", "LAMBDA", "LEAD", "a b", "a-b", "a_b", "a b ", "1", "2 two", "_", "-",
)


def write(model: dict, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "model.json"
    path.write_text(json.dumps(model), encoding="utf-8")
    return path


def model_of(features: dict, rules: list, classes: list[str], **inference: object) -> dict:
    return {"format": "frr-model", "version": 1, "target": HOSTILE[4] + "!", "classes": classes,
            "inference": {"semantics": "sufficient", "tnorm": "product", "root": 1, **inference},
            "features": features, "rules": rules, "else": {"then": classes[-1]}}


def hostile_case(folder: Path) -> Case:
    """Each name is that of a column, a label or category, and a class; numeric and categorical columns alternate."""
    features: dict[str, dict] = {}
    for i, name in enumerate(HOSTILE):
        features[name] = {"type": "numeric", "labels": {name: [0, 1, 2, 3]}, "missing": "gone"} if i % 2 == 0 \
            else {"type": "categorical", "categories": ["", *HOSTILE]}
    rules = [{"if": {name: name}, "then": name, "weight": 1} for name in HOSTILE]
    texts = [name for i, name in enumerate(HOSTILE) if i % 2 == 1]
    rules += [{"if": {texts[0]: text}, "then": text, "weight": 1} for text in ("", *HOSTILE) if text != texts[0]]
    model = model_of(features, rules, ["", *HOSTILE, "other"])
    case = Case("hostile", write(model, folder), [], [])
    nothing: Row = dict.fromkeys(features)
    case.rows = [nothing]
    for i, name in enumerate(HOSTILE):
        case.rows += [{**nothing, name: value} for value in ((1.5, 0.25, 3.0) if i % 2 == 0 else (name, name + "x"))]
    case.rows += [{**nothing, texts[0]: text} for text in ("", *HOSTILE)]
    case.expected = [Decision(*decide(model, row), math.nan) for row in case.rows]
    assert len({decision.rule for decision in case.expected}) == len(rules) + 1
    return case


def empty_cases(folder: Path) -> list[Case]:
    """No rules; rules that only test whether a value is missing; one rule with one label."""
    number = {"type": "numeric", "labels": {"any": [None, None, None, None]}, "missing": "gone"}
    text = {"type": "categorical", "categories": ["a"], "missing": "gone"}
    models = {
        "none": model_of({}, [], ["yes", "no"]),
        "unused": model_of({"number": number}, [], ["yes", "no"]),
        "there": model_of({"number": number}, [{"if": {"number": "any"}, "then": "yes", "weight": 1}], ["yes", "no"]),
        "gone": model_of({"number": number, "text": text},
                         [{"if": {"number": "gone", "text": "gone"}, "then": "yes", "weight": 0.5},
                          {"if": {"text": "a"}, "then": "no", "weight": 0.5}], ["yes", "no"]),
    }
    result = []
    for name, model in models.items():
        case = Case(name, write(model, folder / name), [], [])
        values = {"number": [None, math.inf, -math.inf, 0.0], "text": [None, "a", "b", ""]}
        case.rows = [{name: values[name][i] for name in case.inputs} for i in range(4)]
        case.expected = [Decision(*decide(model, row), math.nan) for row in case.rows]
        result.append(case)
    return result


def large_cases(folder: Path) -> list[Case]:
    """More rules or labels than usual; few weights and corners, so that rules often tie."""
    result = []
    for rules, columns, conditions in ((10, 40, 8), (30, 10, 2), (70, 45, 3)):
        chance = random.Random(rules)
        features = {f"c{i}": {"type": "numeric", "labels": {"low": [None, None, -1, 0], "medium": [-1, 0, 0.5, 1],
                                                            "high": [0.5, 1, None, None]}} for i in range(columns)}
        model = model_of(features, [
            {"if": {name: chance.choice(["low", "medium", "high"]) for name in chance.sample(list(features), conditions)},
             "then": chance.choice("abc"), "weight": chance.choice([1, 0.5, 0.25])} for _ in range(rules)], ["a", "b", "c"])
        case = Case(f"large_{rules}", write(model, folder / str(rules)), [], [])
        case.rows = [{name: chance.randrange(-10, 11) / 8 for name in case.inputs} for _ in range(300)]
        case.rows += edge_rows(case.inputs, case.rows, 1)
        case.expected = expected_of(case.path, model, case.rows, folder / str(rules))
        result.append(case)
    return result


def program_case(name: str, data: Path, folder: Path, *options: str) -> Case:
    """Decisions of the program on all rows and at the edges, without infinities, for any t-norm and semantics."""
    folder.mkdir(parents=True, exist_ok=True)
    model = folder / "model.json"
    frr("train", data, "-o", model, "--quiet", *options)
    return ask_program(Case(name, model, [], []), read_rows(data, Case(name, model, [], []).inputs), folder)


def ask_program(case: Case, rows: list[Row], folder: Path) -> Case:
    def is_finite(row: Row) -> bool:
        return not any(isinstance(value, float) and math.isinf(value) for value in row.values())

    case.rows = [row for row in rows + edge_rows(case.inputs, rows, 3) if is_finite(row)]
    table = folder / "rows.csv"
    write_csv(table, case.rows)
    lines = frr("predict", case.path, table, "--quiet").stdout.decode().splitlines()
    case.expected = [Decision(entry["prediction"], int(entry["rule"]), float(entry["probability"]))
                     for entry in csv.DictReader(lines)]
    assert len(case.expected) == len(case.rows)
    return case


def write_csv(path: Path, rows: list[Row], delimiter: str = ",") -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(rows[0])
        for row in rows:
            writer.writerow(["?" if value is None else repr(value) if isinstance(value, float) else value
                             for value in row.values()])


def additive_cases(folder: Path) -> list[Case]:
    data = ROOT / "data"
    cases = [program_case(f"additive_{name}", data / f"{name}.csv", folder / name, "--semantics", "additive", *options)
             for name, *options in (("iris",), ("wine",), ("loans",), ("breast_cancer", "--tnorm", "lukasiewicz"))]
    # Sums that tie, and classes without a rule.
    features = {name: {"type": "numeric", "labels": {"low": [None, None, 0, 1], "high": [0, 1, None, None]}}
                for name in ("p", "q", "r")}
    rules = [{"if": {name: label}, "then": then, "weight": weight} for name, label, then, weight in
             (("p", "high", "a", 0.5), ("q", "high", "b", 0.5), ("r", "low", "a", 0.25), ("r", "high", "b", 0.25))]
    model = {**model_of(features, rules, ["b", "a", "c"], semantics="additive"), "version": 2,
             "biases": {"b": 0.25, "a": 0, "c": 0.25}}
    tied = Case("additive_ties", write(model, folder / "ties"), [], [])
    steps = [None, *(i / 8 - 0.25 for i in range(13))]
    rows: list[Row] = [{"p": p, "q": q, "r": r} for p in steps for q in steps for r in steps]
    return [*cases, ask_program(tied, rows, folder / "ties"), *policy_cases(folder), without_rules(folder)]


def named_case(folder: Path) -> Case:
    """Additive rules with hostile names."""
    hostile = odd_models.hostile_case(folder / "hostile", odd_models.HOSTILE_NAMES, odd_models.HOSTILE_NAMES)
    case = Case("additive_hostile", write(as_additive(hostile.model), folder / "named"), hostile.rows, [])
    case.expected = [reference(case.model, row) for row in case.rows]
    return case


def as_additive(model: dict) -> dict:
    """The same rules with biases, a threshold and cases to refer."""
    first, *others = model["classes"]
    return {**model, "version": 2, "inference": {**model["inference"], "semantics": "additive"},
            "biases": {first: 0.5, others[-1]: 1.0}, "decisions": {"positive": first, "threshold": 0.2, "refer": 0.1}}


def power_cases(folder: Path) -> list[Case]:
    data = ROOT / "data"
    return [program_case(f"power_{name}_{i}", data / f"{name}.csv", folder / f"{name}_{i}", *options)
            for i, (name, *options) in enumerate((
                ("wine", "--tnorm", "aczel-alsina"), ("loans", "--tnorm", "aczel-alsina:3.5"),
                ("wine", "--root", "2.5"), ("iris", "--tnorm", "aczel-alsina:1.5", "--root", "3"),
                ("loans", "--tnorm", "hamacher", "--root", "2"),
                ("wine", "--tnorm", "aczel-alsina", "--root", "2", "--semantics", "additive")))]
