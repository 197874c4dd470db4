"""Models and rows that every export must decide as the program does."""

import csv
import json
import math
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BINARY = Path(os.environ.get("FRR_BINARY", ROOT / "build" / "frr")).resolve()

sys.path.insert(0, str(ROOT / "bench"))
import datasets  # noqa: E402

DATASETS = datasets.find_directory()

Value = float | str | None  # None: missing
Row = dict[str, Value]  # by the names of the features that rules read


@dataclass(frozen=True)
class Decision:
    name: str  # of the class
    rule: int  # 0: ELSE, or with additive semantics that no rule of the class applies
    probability: float
    points: int | None = None  # of a scorecard
    referred: bool | None = None  # None: the model refers no cases

    @property
    def result(self) -> tuple:
        """What every engine must give exactly."""
        return self.name, self.rule, self.points, self.referred


@dataclass
class Case:
    """A model, rows, and the decisions of the program on them."""

    name: str
    path: Path  # of the model file
    rows: list[Row]
    expected: list[Decision]

    @property
    def more(self) -> list[str]:
        """Names of the outputs that only some models have, in the order of the exports."""
        refers = self.model.get("decisions", {}).get("refer", 0) > 0
        return ["points"] * ("nats_per_point" in self.model) + ["referred"] * refers

    def decision(self, name: str, rule: int, probability: float, *more: object) -> Decision:
        """The outputs of an engine; `more`: those of self.more."""
        given = dict(zip(self.more, more, strict=True))
        return Decision(name, int(rule), float(probability),
                        None if "points" not in given else int(given["points"]),
                        None if "referred" not in given else bool(int(given["referred"])))

    @cached_property
    def model(self) -> dict:
        return json.loads(self.path.read_text(encoding="utf-8"))

    @cached_property
    def inputs(self) -> dict[str, dict]:
        """The features that rules read, in the order in which rules first read them."""
        used: dict[str, dict] = {}
        for rule in self.model["rules"]:
            for name in rule["if"]:
                used.setdefault(name, self.model["features"][name])
        return used


def frr(*arguments: object, check: bool = True) -> subprocess.CompletedProcess:
    """Runs the program; output as bytes."""
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, check=check, timeout=600)


def export(model: Path, to: str, *options: object) -> bytes:
    return frr("export", model, "--to", to, *options).stdout


# ---- The rules in plain Python -------------------------------------------------------------------


def membership(feature: dict, label: str, value: Value) -> float:
    if value is None or (value == "" and "" not in feature.get("categories", [])):
        return 1.0 if label == feature.get("missing") else 0.0
    if feature["type"] == "categorical":
        return 1.0 if value == label and label in feature["categories"] else 0.0
    if label not in feature["labels"]:
        return 0.0
    a, b, c, d = feature["labels"][label]
    if (a is not None and value < a) or (d is not None and value >= d):
        return 0.0
    if b is not None and value < b:
        return (value - a) / (b - a)
    return (d - value) / (d - c) if c is not None and value > c else 1.0


def conjunction(tnorm: str, degrees: list[float]) -> float:
    if tnorm == "product":
        return math.prod(degrees)
    if tnorm == "minimum" or len(degrees) == 1:
        return min(degrees)
    if tnorm == "lukasiewicz":
        lack = 0.0
        for x in degrees:
            lack += 1 - x
        return 0.0 if lack >= 1 else 1 - lack
    if tnorm == "hamacher":
        if min(degrees) <= 0:
            return 0.0
        total = 0.0  # not sum(), which is more exact in newer versions of Python
        for x in degrees:
            total += (1 - x) / x
        return 1 / (1 + total)
    raise NotImplementedError(tnorm)


def scores(model: dict, row: Row) -> list[float]:
    """Of the rules; root 1."""
    return [rule["weight"] * conjunction(model["inference"]["tnorm"],
                                         [membership(model["features"][f], label, row[f])
                                          for f, label in rule["if"].items()])
            for rule in model["rules"]]


def decide(model: dict, row: Row) -> tuple[str, int]:
    """Class and rule; sufficient semantics, root 1."""
    best, rule_number, then = 0.0, 0, model["else"]["then"]
    for number, (rule, score) in enumerate(zip(model["rules"], scores(model, row), strict=True), 1):
        if score > best:
            best, rule_number, then = score, number, rule["then"]
    return then, rule_number


def shares_of_rule(model: dict, number: int) -> list[float]:
    """Sufficient semantics: the rows that a rule decides, and one row divided as all rows are."""
    classes, parts = model["classes"], [model["else"], *model["rules"]]
    decided = [[part.get("decides", {}).get(name, 0) for name in classes] for part in parts]
    rows = [model["class_rows"].get(name, 0) for name in classes] if "class_rows" in model else \
        [sum(counts) for counts in zip(*decided, strict=True)]
    base = [count / sum(rows) if sum(rows) else 1 / len(classes) for count in rows]
    return [(count + b) / (sum(decided[number]) + 1) for count, b in zip(decided[number], base, strict=True)]


def softmax(sums: list[float]) -> list[float]:
    powers = [math.exp(x - max(sums)) for x in sums]
    return [power / math.fsum(powers) for power in powers]


def predicted(model: dict, sums: list[float], shares: list[float]) -> int:
    """The class of additive rules by the policy of the model."""
    names, policy = model["classes"], model.get("decisions", {})
    classes, threshold = range(len(names)), policy.get("threshold")
    costs = [[0 if c == d else policy["costs"][c][d] for d in names] for c in names] if "costs" in policy else None
    if threshold is not None:
        positive = names.index(policy["positive"])
        # Of two classes, log-odds are compared; the positive class wins a tie.
        certain = sums[positive] + math.log((1 - threshold) / threshold) >= sums[1 - positive] \
            if len(names) == 2 else shares[positive] >= threshold
        if certain:
            return positive
        classes = [c for c in classes if c != positive]
    elif costs and all(len({row[d] for d in range(len(names)) if d != c}) == 1 for c, row in enumerate(costs)):
        sums = [x + math.log(max(row)) for x, row in zip(sums, costs, strict=True)]
        costs = None
    if costs is None:
        return max(classes, key=lambda c: sums[c])
    return min(classes, key=lambda d: math.fsum(shares[c] * costs[c][d] for c in range(len(names))))


def reference(model: dict, row: Row) -> Decision:
    """The decision of the program, by the formulas of the documentation; root 1."""
    names, rules = model["classes"], model["rules"]
    refer = model.get("decisions", {}).get("refer", 0)
    own = scores(model, row)
    points = None
    if model["inference"]["semantics"] == "sufficient":
        name, rule = decide(model, row)
        shares = shares_of_rule(model, rule)
    else:
        sums = [model["biases"].get(name, 0.0) for name in names]
        for score, rule in zip(own, rules, strict=True):
            sums[names.index(rule["then"])] += score
        shares = softmax(sums)
        name = names[predicted(model, sums, shares)]
        strongest = max([score for score, rule in zip(own, rules, strict=True) if rule["then"] == name], default=0.0)
        rule = next(i for i, (score, rule) in enumerate(zip(own, rules, strict=True), 1)
                    if rule["then"] == name and score == strongest) if strongest > 0 else 0
        if "nats_per_point" in model:
            points = sum(rule["points"] for score, rule in zip(own, rules, strict=True) if score > 0)
    referred = (max(own, default=0.0) <= 0 or max(shares) < refer) if refer > 0 else None
    return Decision(name, rule, shares[names.index(name)], points, referred)


# ---- Rows at the edges ---------------------------------------------------------------------------


def edge_values(feature: dict) -> list[Value]:
    """Missing and extreme values, corners of labels and their neighbours; or an empty text and an unknown category."""
    if feature["type"] == "categorical":
        return [None, "", "unseen \N{CHECK MARK}", *feature["categories"]]
    values: list[Value] = [None, math.inf, -math.inf, 0.0, -0.0, 1e308, -1e308]
    for shape in feature["labels"].values():
        for corner in shape:
            if corner is not None:
                values += [corner, math.nextafter(corner, -math.inf), math.nextafter(corner, math.inf)]
    return values


def edge_rows(inputs: dict[str, dict], rows: list[Row], bases: int) -> list[Row]:
    result: list[Row] = [dict.fromkeys(inputs)]
    for row in rows[:: max(1, len(rows) // bases)][:bases]:
        for name, feature in inputs.items():
            result += [{**row, name: value} for value in edge_values(feature)]
    return result


# ---- Cases ---------------------------------------------------------------------------------------


def read_rows(path: Path, inputs: dict[str, dict]) -> list[Row]:
    missing = {"", "?", "na", "n/a", "nan", "null"}

    def value(text: str, feature: dict) -> Value:
        if text.strip().lower() in missing:
            return None
        return float(text) if feature["type"] == "numeric" else text.strip()

    with path.open(newline="", encoding="utf-8") as file:
        return [{name: value(row[name], feature) for name, feature in inputs.items()}
                for row in csv.DictReader(file)]


def expected_of(model_path: Path, model: dict, rows: list[Row], folder: Path) -> list[Decision]:
    """Decisions by the rules. They are those of the program, except on infinities, which a CSV file cannot hold."""
    finite = [not any(isinstance(v, float) and math.isinf(v) for v in row.values()) for row in rows]
    table = folder / "rows.csv"
    with table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        names = list(rows[0]) or ["none"]
        writer.writerow(names)
        for row, plain in zip(rows, finite, strict=True):
            if plain:
                writer.writerow(["?" if row.get(name) is None else
                                 repr(row[name]) if isinstance(row[name], float) else row[name]
                                 for name in names])
    lines = frr("predict", model_path, table, "--quiet").stdout.decode().splitlines()
    program = iter([(entry["prediction"], int(entry["rule"]), float(entry["probability"]), entry.get("referred"))
                    for entry in csv.DictReader(lines)])
    result = [reference(model, row) for row in rows]
    for row, decision, plain in zip(rows, result, finite, strict=True):
        if plain:
            name, rule, probability, referred = next(program)
            assert (name, rule) == (decision.name, decision.rule), row
            assert referred == {None: None, True: "yes", False: "no"}[decision.referred], row
            assert abs(probability - decision.probability) <= 1e-12, row
    return result


def make_case(name: str, data: Path, folder: Path, *options: str, bases: int = 3) -> Case:
    """Trains, and lets the program decide all rows and the edges."""
    folder.mkdir(parents=True, exist_ok=True)
    model = folder / "model.json"
    frr("train", data, "-o", model, "--quiet", *options)
    case = Case(name, model, [], [])
    rows = read_rows(data, case.inputs)
    case.rows = rows + edge_rows(case.inputs, rows, bases)
    case.expected = expected_of(model, case.model, case.rows, folder)
    return case


def built_in(folder: Path) -> list[Case]:
    data = ROOT / "data"
    cases = [make_case(name, data / f"{name}.csv", folder / name)
             for name in ("breast_cancer", "iris", "wine", "loans")]
    for tnorm in ("minimum", "lukasiewicz", "hamacher"):
        cases.append(make_case(f"loans_{tnorm}", data / "loans.csv", folder / tnorm, "--tnorm", tnorm))
    cases.append(with_missing(folder))
    return cases


def with_missing(folder: Path) -> Case:
    """Missing values have labels, in a numeric and in a categorical column."""
    folder = folder / "missing"
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["amount,kind,age,answer"]
    for i in range(300):
        amount = "?" if i % 7 == 0 else str((i * 37) % 100 / 4)
        kind = "?" if i % 5 == 0 else ("new", "old", "it's \"odd\"")[i % 3]
        answer = "ask" if amount == "?" else "no" if kind == "?" else \
            "yes" if float(amount) > 12 and kind != "old" else "no"
        lines.append(",".join([amount, '"' + kind.replace('"', '""') + '"', str(20 + i % 50), answer]))
    data = folder / "data.csv"
    data.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return make_case("missing", data, folder)


def benchmark(folder: Path) -> list[Case]:
    """All benchmark datasets; none if they are absent."""
    if DATASETS is None:
        return []
    cases = []
    for entry in datasets.load_index(DATASETS):
        options = ["--categorical", ",".join(entry["categorical"])] if entry["categorical"] else []
        cases.append(make_case(entry["name"], DATASETS / f"{entry['name']}.csv", folder / entry["name"],
                               *options, bases=1))
    return cases
