"""The real program (FRR_BINARY, or build/frr of this checkout) and its output."""

import csv
import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BINARY = Path(os.environ.get("FRR_BINARY", ROOT / "build" / "frr")).resolve()
DATA = ROOT / "data"

sys.path.insert(0, str(ROOT / "bench"))
import datasets  # noqa: E402

DATASETS = datasets.find_directory()


def categorical_columns(name: str) -> list[str]:
    """The columns of a benchmark dataset that hold text, even if some look like numbers."""
    return next(one["categorical"] for one in datasets.load_index(DATASETS) if one["name"] == name)


@dataclass
class Result:
    status: int
    out: str
    err: str

    def ok(self) -> "Result":
        assert self.status == 0, (self.status, self.err)
        return self

    def fails(self, status: int, *words: str) -> "Result":
        """Asserts the exit status and that the message is one clear error with these words."""
        assert self.status == status, (self.status, self.err)
        assert self.err.count("frr: error: ") == 1, self.err
        assert "bug" not in self.err
        for word in words:
            assert word in self.err, (word, self.err)
        return self


def frr(*arguments, cwd: Path | None = None, stdin: bytes | None = None, **environment) -> Result:
    finished = subprocess.run([BINARY, *map(str, arguments)], cwd=cwd, input=stdin, timeout=600,
                              stdin=subprocess.DEVNULL if stdin is None else None, check=False,
                              capture_output=True, env={**os.environ, **environment})
    return Result(finished.returncode, finished.stdout.decode(), finished.stderr.decode())


@dataclass(frozen=True)
class Decision:
    name: str  # of the class
    rule: int  # 0: ELSE
    probability: float


def rounded(value: float, digits: int = 0) -> str:
    """As JavaScript rounds: halves up."""
    return str(Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_rows(path: Path, rows: list[dict[str, str]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_table(path: Path, header: list[str], rows: list[list]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def predict(model: Path, data: Path) -> list[Decision]:
    rows = json.loads(frr("predict", model, data, "--json", "--quiet").ok().out)["rows"]
    return [Decision(row["prediction"], row["rule"], row["probability"]) for row in rows]


@dataclass
class Case:
    """A model, a table, and the page about them."""

    name: str
    model: Path
    data: Path
    page: Path
    report: Result = field(repr=False)

    @cached_property
    def rules(self) -> dict:
        return json.loads(self.model.read_text(encoding="utf-8"))

    @cached_property
    def rows(self) -> list[dict[str, str]]:
        return read_rows(self.data)

    @cached_property
    def decisions(self) -> list[Decision]:
        return predict(self.model, self.data)

    @property
    def classes(self) -> list[str]:
        return self.rules["classes"]

    @property
    def target(self) -> str:
        return self.rules["target"]

    @cached_property
    def features(self) -> list[str]:
        """The features that rules read, in the order of the page."""
        used = {name for rule in self.rules["rules"] for name in rule["if"]}
        return [name for name in self.rules["features"] if name in used]

    @property
    def is_additive(self) -> bool:
        return self.rules["inference"]["semantics"] == "additive"

    def is_numeric(self, feature: str) -> bool:
        return self.rules["features"][feature]["type"] == "numeric"

    def predict_rows(self, rows: list[dict[str, str]]) -> list[Decision]:
        """The decisions of the program on other rows."""
        return predict(self.model, write_rows(self.page.with_suffix(".changed.csv"), rows))


def report(name: str, model: Path, data: Path, *options: str) -> Case:
    page = model.with_name(f"{name}.html")
    result = frr("report", model, data, "-o", page, *(options or ("--folds", "0"))).ok()
    return Case(name, model, data, page, result)


def learn(directory: Path, name: str, data: Path, *options: str, on: Path | None = None) -> Case:
    """Trains on `data` and makes the page for it or for another table."""
    model = directory / f"{name}.json"
    frr("train", data, "-o", model, "--quiet", *options).ok()
    return report(name, model, on or data)
