"""frr export --to sql: decides as the program does, on real databases, at little cost."""

import contextlib
import itertools
import math
import random
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from cases import Case, Decision, expected_of, export
from databases import Database, check, load, quoted
from odd_models import TNORMS, model_of, random_cases, write
from sources import additive_cases, named_case

# ---- The same decisions --------------------------------------------------------------------------


def test_built_in_models(database, built_in):
    assert check(database, built_in) > 1000


def test_benchmark_models(database, benchmark):
    assert check(database, benchmark) > 1000


def test_models_full_of_ties(database, tmp_path):
    check(database, random_cases(tmp_path, 16, rows=50))


def test_additive_models_and_policies(database, tmp_path):
    assert check(database, [*additive_cases(tmp_path), named_case(tmp_path)]) > 5000


def tiny_case(folder: Path, tnorm: str, weights: tuple[float, ...]) -> Case:
    """Corners at 0 and values next to it: products and quotients underflow, odds overflow."""
    names = ("a", "b", "c", "d")
    features = {
        name: {
            "type": "numeric",
            "labels": {"low": [None, None, -width, 0], "high": [0, width, None, None]},
        }
        for name, width in zip(names, (1, 0.3, 100, 7), strict=True)
    }
    rules = [
        {"if": dict.fromkeys(chosen, label), "then": label, "weight": weight}
        for count in (4, 3, 2, 1)
        for chosen in itertools.combinations(names, count)
        for label, weight in zip(("high", "low"), weights, strict=True)
    ]
    model = model_of(features, rules, ["low", "high", "none"], tnorm)
    case = Case(f"tiny_{tnorm}", write(model, folder), [], [])
    values = [
        5e-324,
        1e-323,
        2e-322,
        1e-310,
        2.3e-308,
        6e-309,
        1e-291,
        1e-200,
        1e-160,
        1e-100,
        0.2,
        50.0,
        0.0,
    ]
    chance = random.Random(tnorm)
    case.rows = [
        {name: chance.choice((-1, 1)) * chance.choice(values) for name in names} for _ in range(400)
    ]
    case.expected = expected_of(case.path, model, case.rows, folder)
    return case


@pytest.mark.parametrize("tnorm", TNORMS)
def test_underflow_is_zero_and_no_error(database, tmp_path, tnorm):
    cases = [
        tiny_case(tmp_path / str(i), tnorm, weights)
        for i, weights in enumerate([(1, 1), (0.3, 0.7), (1e-300, 4e-320)])
    ]
    if tnorm in ("product", "hamacher"):
        assert len({decision.rule for case in cases for decision in case.expected}) > 3
        assert any(decision.rule == 0 for case in cases for decision in case.expected)
    check(database, cases)


def test_overflow_is_no_error(database, tmp_path):
    labels = {"low": [None, None, -9e307, 8e307], "high": [-9e307, 8e307, 1e308, 1.7e308]}
    odd = {"low": [None, None, 0.1, 0.1 + 0.2], "high": [0.1, 0.1 + 0.2, 1e22 / 3, 1e23]}
    small = {"low": [None, None, -5e-324, 1e-320], "high": [-5e-324, 1e-320, 1e-310, 1e-300]}
    features = {
        name: {"type": "numeric", "labels": own}
        for name, own in (("a", labels), ("b", odd), ("c", small))
    }
    rules = [
        {"if": {name: label}, "then": label, "weight": 1 - 0.1 / (i + 1)}
        for i, (name, label) in enumerate(itertools.product(features, ("low", "high")))
    ]
    model = model_of(features, rules, ["low", "high"])
    case = Case("wide", write(model, tmp_path), [], [])
    values = [
        v for own in (labels, odd, small) for shape in own.values() for v in shape if v is not None
    ]
    values += [math.nextafter(v, to) for v in values for to in (-math.inf, math.inf)]
    values += [1.7976931348623157e308, -1.7976931348623157e308, math.inf, -math.inf, 1e-315, 0.15]
    case.rows = [{"a": v, "b": None, "c": None} for v in values]
    case.rows += [{"a": None, "b": v, "c": None} for v in values]
    case.rows += [{"a": None, "b": None, "c": v} for v in values]
    case.expected = expected_of(case.path, model, case.rows, tmp_path)
    check(database, [case])


def test_borders_are_the_same_doubles(database, tmp_path):
    """Decimals of 17 digits, some of which SQLite reads inexactly."""
    memory = sqlite3.connect(":memory:")
    chance = random.Random(1)
    some = [chance.random() * 10 ** chance.randrange(-3, 4) for _ in range(60000)]
    misread = [v for v in some if memory.execute(f"SELECT {v!r}").fetchone() != (v,)]
    borders = sorted(
        {
            *misread,
            *some[:60],
            *(round(v, 1 + i % 9) for i, v in enumerate(some[60:120])),
            5e-324,
            1e-310,
            2.3e-308,
            1e-20,
            1e15,
            2.0**53 + 2,
            1e17 / 3,
            1e22,
            1e23,
            1.7976931348623157e308,
        }
    )
    borders = [-v for v in reversed(borders)] + borders
    labels = {f"l{i}": [v, v, w, w] for i, (v, w) in enumerate(itertools.pairwise(borders))}
    rules = [
        {"if": {"x": label}, "then": "yn"[i % 2], "weight": 1} for i, label in enumerate(labels)
    ]
    model = model_of({"x": {"type": "numeric", "labels": labels}}, rules, ["y", "n"])
    case = Case("borders", write(model, tmp_path), [], [])
    case.rows = [
        {"x": v} for border in borders for v in (border, math.nextafter(border, -math.inf))
    ]
    case.rows = [row for row in case.rows if math.isfinite(row["x"])]
    case.expected = expected_of(case.path, model, case.rows, tmp_path)
    check(database, [case])


@pytest.mark.parametrize("count", [0, 1, 2, 300])
def test_any_number_of_rules(database, tmp_path, count):
    features = {
        f"f{i}": {"type": "numeric", "labels": {"high": [i, i + 0.7, None, None]}}
        for i in range(max(1, count))
    }
    rules = [{"if": {f"f{i}": "high"}, "then": "yn"[i % 2], "weight": 1} for i in range(count)]
    model = model_of(features, rules, ["y", "n"])
    case = Case("many", write(model, tmp_path), [], [])
    chance = random.Random(count)
    case.rows = [{f"f{i}": chance.random() * 1000 for i in range(count)} for _ in range(5)]
    case.expected = expected_of(case.path, model, case.rows, tmp_path)
    check(database, [case])


# ---- Cost ----------------------------------------------------------------------------------------


def by_hand(case: Case) -> str:
    """What a person would write who knows the rules and that no number is NaN."""
    degrees: dict[tuple[str, str], str] = {}
    strengths = []
    for rule in case.model["rules"]:
        used = [degrees.setdefault(pair, f"d{len(degrees)}") for pair in rule["if"].items()]
        strengths.append(" * ".join([*used, number(rule["weight"])]))

    def choice(results: list[str]) -> str:
        whens = (f"WHEN {i} THEN {own}" for i, own in enumerate(results))
        return f"CASE rule {' '.join(whens)} END"

    def listed(texts: Iterable[str]) -> str:
        return ", ".join(texts)

    known = {decision.rule: decision for decision in case.expected}
    outcomes = [known.get(i, Decision("?", i, 0.0)) for i in range(len(strengths) + 1)]
    rules = range(1, len(strengths) + 1)
    d = listed(f"{degree_by_hand(case, *pair)} AS {own}" for pair, own in degrees.items())
    s = listed(f"{own} AS s{i}" for i, own in enumerate(strengths, 1))
    return f"""
        WITH degrees AS (SELECT *, {d} FROM data),
        strengths AS (SELECT *, {s} FROM degrees),
        largest AS (SELECT *, GREATEST({listed(f"s{i}" for i in rules)}) AS best FROM strengths),
        decided AS (SELECT *, CASE WHEN best <= 0 THEN 0
            {" ".join(f"WHEN s{i} = best THEN {i}" for i in rules)} END AS rule FROM largest)
        SELECT "#", {listed(map(quoted, case.inputs))},
            {choice([f"'{o.name}'" for o in outcomes])} AS prediction,
            {choice([number(o.probability) for o in outcomes])} AS probability, rule FROM decided"""


def number(value: float) -> str:
    return repr(value) if "e" in repr(value) else f"{value!r}e0"


def degree_by_hand(case: Case, name: str, label: str) -> str:
    feature, x = case.inputs[name], quoted(name)
    if label == feature.get("missing"):
        return f"CASE WHEN {x} IS NULL THEN 1e0 ELSE 0e0 END"
    if feature["type"] == "categorical":
        return f"CASE WHEN {x} = '{label.replace(chr(39), chr(39) * 2)}' THEN 1e0 ELSE 0e0 END"
    a, b, c, d = (v if v is None else number(v) for v in feature["labels"][label])
    text = "CASE"
    if a is not None:
        text += f" WHEN {x} < {a} THEN 0e0"
        text += f" WHEN {x} < {b} THEN ({x} - {a}) / ({b} - {a})" if a != b else ""
    if d is not None:
        text += f" WHEN {x} >= {d} THEN 0e0"
        text += f" WHEN {x} > {c} THEN ({d} - {x}) / ({d} - {c})" if c != d else ""
    return text + f" WHEN {x} IS NULL THEN 0e0 ELSE 1e0 END"


@pytest.mark.parametrize("name", ["breast_cancer", "loans", "missing"])
def test_a_million_rows_take_little_longer_than_hand_written_sql(built_in, name):
    duckdb = pytest.importorskip("duckdb")
    case = next(case for case in built_in if case.name == name)
    count = 1_000_000
    with contextlib.closing(duckdb.connect()) as connection:
        database = Database("duckdb", connection)
        load(database, case, "few")
        numbers = [
            quoted(own) for own, feature in case.inputs.items() if feature["type"] == "numeric"
        ]
        no_nan = ", ".join(f"{own} = CASE WHEN NOT isnan({own}) THEN {own} END" for own in numbers)
        database.run(f"UPDATE few SET {no_nan}")
        times = f"range(1 + {count} // (SELECT count(*) FROM few))"
        database.run(f"CREATE TABLE data AS SELECT few.* FROM {times}, few LIMIT {count}")
        ours = export(case.path, "sql", "--dialect", "duckdb").decode().rstrip().rstrip(";")

        def measure(sql: str) -> tuple[float, float, list[tuple]]:
            """Seconds for only the classes, and for all columns into a table."""
            start = time.perf_counter()
            result = database.fetch(f"""SELECT rule, prediction, count(*), max(probability)
                                        FROM ({sql}) GROUP BY ALL ORDER BY ALL""")
            middle = time.perf_counter()
            database.run(f"CREATE OR REPLACE TEMP TABLE result AS {sql}")
            return middle - start, time.perf_counter() - middle, result

        both = [(measure(ours), measure(by_hand(case))) for _ in range(3)]
    assert both[0][0][2] == both[0][1][2]
    for i, what in enumerate(("classes", "table")):
        own, hand = (min(pair[side][i] for pair in both) for side in (0, 1))
        print(f"{name}, {what}: {own:.3f} s, by hand {hand:.3f} s, ratio {own / hand:.2f}")
        assert own < 2 * hand
