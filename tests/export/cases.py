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
    rule: int  # 0: ELSE
    probability: float


@dataclass
class Case:
    """A model, rows, and the decisions of the program on them."""

    name: str
    path: Path  # of the model file
    rows: list[Row]
    expected: list[Decision]

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


def decide(model: dict, row: Row) -> tuple[str, int]:
    """Class and rule; sufficient semantics, root 1."""
    best, rule_number, then = 0.0, 0, model["else"]["then"]
    for number, rule in enumerate(model["rules"], 1):
        degrees = [membership(model["features"][f], label, row[f]) for f, label in rule["if"].items()]
        score = rule["weight"] * conjunction(model["inference"]["tnorm"], degrees)
        if score > best:
            best, rule_number, then = score, number, rule["then"]
    return then, rule_number


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
    """Decisions of the program; those on infinities, which a CSV file cannot hold, from the rules."""
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
    actual = iter([Decision(entry["prediction"], int(entry["rule"]), float(entry["probability"]))
                 for entry in csv.DictReader(lines)])
    program = [next(actual) if plain else None for plain in finite]
    probability = {d.rule: d.probability for d in program if d is not None}
    result = []
    for row, decision in zip(rows, program, strict=True):
        name, rule = decide(model, row)
        if decision is None:
            decision = Decision(name, rule, probability.get(rule, math.nan))
        assert (decision.name, decision.rule) == (name, rule), row
        result.append(decision)
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
