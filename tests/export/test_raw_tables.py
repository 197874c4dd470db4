"""Every export reads the cells of a raw table as `frr predict` does."""

import csv
import importlib.util
import json
import math
import random
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from cases import Decision, export, frr
from databases import Database, decisions

SEEDS = range(6)
NUMBERS = ("1", "01", "+1", "1.0", "1e0", " 1", "1 ", "\t2.5", "2.5", "7", "-9", "-9.0", "-90e-1", ".5", "3.")
# In a column of categories all of these are texts; each seed draws some, so that rules name them.
CATEGORIES = ("01", "1", "+1", "1.0", "1e0", " 1", "1,5", "1.5", " a", "a", "true", "False", "-9", "-9.0", "b", "nanx",
              "inf", "-Infinity", "1e400", "0x1", 'say "no"', "it's", "\u00e9", "e\u0301", "\u4e2d", "\U0001f600",
              "N / A", "--")
MISSING = ("", " ", "\t", "?", "NA", "na", "N/A", "n/a", " NaN", "nan", "NULL", "null", "Null ")
CODES = ("unknown", " unknown", "-9")
COLUMNS = ("size", "kind", "flag")


@dataclass
class Raw:
    """A model, a table of texts and the decisions of `frr predict` on it."""

    model: Path
    table: Path
    codes: bool
    rows: list[dict[str, str]]
    expected: list[Decision]

    def is_missing(self, text: str, numeric: bool) -> bool:
        core = text.strip(" \t")
        if core.lower() in ("", "?", "na", "n/a", "nan", "null"):
            return True
        if not self.codes:
            return False
        return core in ("unknown", "-9") or (numeric and float(core) == -9)

    def number(self, text: str) -> float | None:
        """As a table of numbers would hold it: numeric codes are kept."""
        core = text.strip(" \t")
        return float(core) if re.fullmatch(r"[-+.0-9e]+", core) else None


def write(table: Path, lines: list[list[str]]) -> None:
    with table.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows([[*COLUMNS, "answer"], *lines])


def make(seed: int, folder: Path) -> Raw:
    chance = random.Random(seed)
    codes = seed % 2 == 0
    more = CODES if codes else ()
    raw = Raw(folder / "model.json", folder / "table.csv", codes, [], [])
    lines = []
    categories = chance.sample(CATEGORIES, 8)
    for _ in range(600):
        row = {
            "size": chance.choice((*NUMBERS, *MISSING, *more)),
            "kind": chance.choice((*categories, *categories, *MISSING, *more)),
            "flag": chance.choice(("true", "False", "", *more)),
        }
        size, kind = raw.is_missing(row["size"], True), raw.is_missing(row["kind"], False)
        answer = "none" if size and kind else "size" if size else "kind" if kind else \
            f"is {row['kind']}" if chance.random() < 0.9 else "other"
        raw.rows.append(row)
        lines.append([*row.values(), answer])
    write(raw.table, lines)
    options = ["--missing=-9,unknown"] if codes else []
    frr("train", raw.table, "-o", raw.model, "--quiet", "--categorical", "kind,flag", "--rules", "20", *options)
    # Now also categories that are new since training, some as another spelling of a number.
    raw.rows += [{"size": chance.choice(NUMBERS), "kind": kind, "flag": "true"} for kind in CATEGORIES for _ in range(3)]
    write(raw.table, [[*row.values(), ""] for row in raw.rows])
    actual = frr("predict", raw.model, raw.table, "--quiet").stdout.decode().splitlines()
    raw.expected = [Decision(e["prediction"], int(e["rule"]), float(e["probability"])) for e in csv.DictReader(actual)]
    assert len(raw.expected) == len(raw.rows)
    return raw


@pytest.fixture(scope="module")
def raws(tmp_path_factory) -> list[Raw]:
    raws = [make(seed, tmp_path_factory.mktemp("raw")) for seed in SEEDS]
    read = [set(rule["if"].items()) for raw in raws for rule in json.loads(raw.model.read_text())["rules"]]
    for column in ("size", "kind"):  # otherwise the tests below would show nothing
        assert any((column, "missing") in conditions for conditions in read)
    return raws


def test_a_rule_on_a_category_decides_on_its_exact_text(raws):
    """In predict itself: otherwise all exports below could share an error."""
    found = 0
    for raw in raws:
        model = json.loads(raw.model.read_text())
        for row, decision in zip(raw.rows, raw.expected, strict=True):
            label = model["rules"][decision.rule - 1]["if"].get("kind") if decision.rule else None
            if label in model["features"]["kind"]["categories"]:
                found += 1
                assert row["kind"] == label
    assert found > 500


def agree(got: list[tuple[str, int]], raw: Raw, what: str = "") -> None:
    for own, expected, row in zip(got, raw.expected, raw.rows, strict=True):
        assert tuple(own) == (expected.name, expected.rule), (what, row)


def agree_in(database: Database, raw: Raw, what: str) -> None:
    sql = export(raw.model, "sql", "--dialect", database.name).decode()
    agree([(d.name, d.rule) for d in decisions(database, sql)], raw, what)


def test_databases_read_columns_of_text(database, raws):
    for raw in raws:
        rows = [(i, *row.values()) for i, row in enumerate(raw.rows)]
        database.create("data", {"#": "id", **dict.fromkeys(COLUMNS, "text")}, rows)
        agree_in(database, raw, "text")


def test_databases_read_columns_of_numbers(database, raws):
    for raw in raws:
        rows = [(i, raw.number(row["size"]), row["kind"], row["flag"]) for i, row in enumerate(raw.rows)]
        database.create("data", {"#": "id", "size": "number", "kind": "text", "flag": "text"}, rows)
        agree_in(database, raw, "number")


def test_a_text_that_is_not_a_number_is_an_error(database, raws):
    database.create("data", {"#": "id", **dict.fromkeys(COLUMNS, "text")}, [(0, "much", "a", "true")])
    sql = export(raws[0].model, "sql", "--dialect", database.name).decode()
    if database.name == "sqlite":  # SQLite reports no error: the text is missing
        assert len(database.fetch(sql)) == 1
    else:
        with pytest.raises(Exception, match=r"(?i)convert|invalid input"):
            database.fetch(sql)


def load_python(raw: Raw, folder: Path):
    path = folder / "exported_raw.py"
    path.write_bytes(export(raw.model, "python"))
    spec = importlib.util.spec_from_file_location("exported_raw", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["exported_raw"] = module
    spec.loader.exec_module(module)
    return module


def values(raw: Raw, row: dict[str, str]) -> dict:
    """Numbers become numbers; other texts are kept."""
    number = raw.number(row["size"])
    return {**row, "size": row["size"] if number is None else number}


def test_python_function(raws, tmp_path):
    for raw in raws:
        decide = load_python(raw, tmp_path).decide
        agree([(d.prediction, d.rule) for d in (decide(values(raw, row)) for row in raw.rows)], raw)
    with pytest.raises(TypeError, match="'size' is a number, got 'much'"):
        decide({**raws[-1].rows[0], "size": "much"})


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_python_program_gives_a_row_for_each_row(raws, tmp_path, delimiter):
    """With semicolons between cells, numbers have decimal commas."""
    table, script = tmp_path / "table.csv", tmp_path / "decide.py"
    for raw in raws:
        # This program does not count blanks inside quotes as part of a cell.
        kinds = [row for row in raw.rows if row["kind"] == row["kind"].strip(" \t")]
        rows = [dict.fromkeys(COLUMNS, ""), *kinds, dict.fromkeys(COLUMNS, "")]
        with table.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, delimiter=delimiter)
            writer.writerow(COLUMNS)
            for row in rows:
                size = row["size"].replace(".", ",") if delimiter == ";" else row["size"]
                writer.writerow({**row, "size": size}.values())
            file.write("\n\n")
        script.write_bytes(export(raw.model, "python"))
        actual = subprocess.run([sys.executable, "-I", script], input=table.read_bytes(), capture_output=True)
        assert actual.returncode == 0, actual.stderr
        expected = frr("predict", raw.model, table, "--quiet").stdout
        own, other = (list(csv.reader(text.decode().splitlines())) for text in (actual.stdout, expected))
        assert len(own) == len(rows) + 1
        assert [(r[0], r[2]) for r in own] == [(r[0], r[2]) for r in other]


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node (Debian: nodejs)")
def test_javascript(raws, tmp_path):
    (tmp_path / "run.mjs").write_text("""
import { readFileSync } from "node:fs";
const { decide } = await import("./decide.mjs");
const rows = JSON.parse(readFileSync(new URL("rows.json", import.meta.url), "utf8"));
console.log(JSON.stringify(rows.map((row) => { const d = decide(row); return [d.prediction, d.rule]; })));
""")
    for raw in raws:
        (tmp_path / "decide.mjs").write_bytes(export(raw.model, "javascript"))
        (tmp_path / "rows.json").write_text(json.dumps([values(raw, row) for row in raw.rows]))
        done = subprocess.run(["node", tmp_path / "run.mjs"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        agree(json.loads(done.stdout), raw)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")
def test_c(raws, tmp_path):
    for raw in raws:
        header = export(raw.model, "c").decode()
        (tmp_path / "decide.h").write_text(header)
        lines = []
        for row in raw.rows:
            number = raw.number(row["size"])
            fields = {"size": "NAN" if number is None else repr(number)}
            fields |= {name: f"decide_{name}_code({json.dumps(row[name], ensure_ascii=False)})" for name in ("kind", "flag")}
            used = "".join(f"one.{n} = {v}; " for n, v in fields.items() if re.search(rf"\b(int|double) {n};", header))
            lines.append(f"  {used}show(&one);")
        (tmp_path / "use.c").write_text(
            '#include <math.h>\n#include <stdio.h>\n#include "decide.h"\n'
            "static void show(const decide_case *one) {\n  const decide_result r = decide(one);\n"
            '  printf("%s\\t%d\\n", decide_classes[r.class_index], r.rule);\n}\n'
            "int main(void) {\n  decide_case one = {0};\n" + "\n".join(lines) + "\n  return 0;\n}\n")
        subprocess.run(["gcc", "-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wno-unused-function",
                        "use.c", "-o", "use"], cwd=tmp_path, check=True)
        actual = subprocess.run([tmp_path / "use"], capture_output=True, text=True, check=True).stdout
        agree([(line.split("\t")[0], int(line.split("\t")[1])) for line in actual.splitlines()], raw)


def listed(raw: Raw, row: dict[str, str]) -> dict:
    """For engines that compare texts exactly: no blanks around missing-value codes."""
    clean = {name: text.strip(" \t") if raw.is_missing(text, False) else text for name, text in row.items()}
    return {**clean, "size": raw.number(row["size"])}


def test_onnx(raws):
    np = pytest.importorskip("numpy")
    runtime = pytest.importorskip("onnxruntime")
    for raw in raws:
        graph = runtime.InferenceSession(export(raw.model, "onnx"), providers=["CPUExecutionProvider"])
        rows = [listed(raw, row) for row in raw.rows]
        given = {}
        for entry in graph.get_inputs():
            column = [row[entry.name] for row in rows]
            array = np.array([np.nan if v is None else v for v in column], float) if entry.name == "size" \
                else np.array(column, dtype=object)
            given[entry.name] = array.reshape(-1, 1)
        names, rules = graph.run(["class", "rule"], given)
        agree(list(zip(names, rules.tolist(), strict=True)), raw)


def test_pmml(raws):
    pandas = pytest.importorskip("pandas")
    evaluator = pytest.importorskip("jpmml_evaluator")
    if shutil.which("java") is None:
        pytest.skip("java is not installed")
    from jpmml_evaluator.jpype import JPypeBackend

    backend = JPypeBackend()
    for raw in raws:
        model = evaluator.make_evaluator(export(raw.model, "pmml"), backend=backend)
        frame = pandas.DataFrame([listed(raw, row) for row in raw.rows], dtype=object)
        frame = frame.astype(object).where(frame.notna(), None)
        actual = model.evaluateAll(frame)
        assert "errors" not in actual, actual["errors"].dropna().iloc[0]
        agree(list(zip(actual["class"], map(int, actual["rule"]), strict=True)), raw)


def test_spark(raws):
    sql = pytest.importorskip("pyspark.sql")
    spark = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false") \
        .config("spark.sql.shuffle.partitions", "1").getOrCreate()
    try:
        for raw in raws:
            text = export(raw.model, "sql", "--dialect", "spark").decode().rstrip().rstrip(";")
            for kind, size in (("STRING", str), ("DOUBLE", raw.number)):
                rows = [(i, size(row["size"]), row["kind"], row["flag"]) for i, row in enumerate(raw.rows)]
                frame = spark.createDataFrame(rows, f"id INT, size {kind}, kind STRING, flag STRING")
                frame.createOrReplaceTempView("data")
                actual = sorted(spark.sql(text).collect())
                agree([(row[-3], row[-1]) for row in actual], raw, kind)
    finally:
        spark.stop()


def test_a_category_named_like_a_missing_value_is_a_category(database, tmp_path):
    """As Python may train it; another spelling, or blanks around it, is missing."""
    features = {"kind": {"type": "categorical", "categories": ["NA", "-9", "b"], "missing": "gone"}}
    rules = [{"if": {"kind": label}, "then": label, "weight": 1} for label in ("NA", "gone", "b")]
    model = {"format": "frr-model", "version": 1, "target": "t", "classes": ["NA", "gone", "b", "other"],
             "missing": ["-9", "-8"], "inference": {"semantics": "sufficient", "tnorm": "product", "root": 1},
             "features": features, "rules": rules, "else": {"then": "other"}}
    path = tmp_path / "model.json"
    path.write_text(json.dumps(model))
    texts = {"NA": "NA", "na": "gone", " NA": "gone", "-9": "other", " -9": "gone", "-8": "gone", "b": "b", "": "gone"}
    database.create("data", {"#": "id", "kind": "text"}, list(enumerate(texts)))
    sql = export(path, "sql", "--dialect", database.name).decode()
    assert [d.name for d in decisions(database, sql)] == list(texts.values())
    decide = load_python(Raw(path, path, True, [], []), tmp_path).decide
    assert [decide({"kind": text}).prediction for text in texts] == list(texts.values())
    assert decide({"kind": math.nan}).prediction == "gone"
