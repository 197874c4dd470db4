"""The Python file: as a module and as a program it decides as FRR does."""

import ast
import csv
import importlib.util
import math
import py_compile
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import odd_models
import pytest
import sources
from cases import Case, export, frr
from policy_cases import policy_cases


def load(case: Case, folder: Path, *options: str) -> ModuleType:
    path = folder / f"exported_{case.name.replace('-', '_')}.py"
    path.write_bytes(export(case.path, "python", *options))
    ast.parse(path.read_bytes(), feature_version=(3, 8))
    py_compile.compile(str(path), doraise=True)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # typing looks there for the names of annotations
    spec.loader.exec_module(module)
    return module


def check(case: Case, folder: Path) -> None:
    module = load(case, folder)
    assert list(module.CLASSES) == case.model["classes"]
    assert module.TARGET == case.model["target"]
    assert sorted(module.NUMBERS + module.TEXTS) == sorted(case.inputs)
    for row, expected in zip(case.rows, case.expected, strict=True):
        actual = module.decide(row)
        assert actual._fields == ("prediction", "probability", "rule", *case.more, "probabilities")
        assert case.decision(*actual[:1], actual.rule, *actual[1:2], *actual[3:-1]).result == expected.result, (
            case.name, row)
        assert math.isnan(expected.probability) or abs(actual.probability - expected.probability) <= 1e-12
        assert list(actual.probabilities) == case.model["classes"]
        assert actual.probabilities[actual.prediction] == actual.probability
        if "decisions" not in case.model:
            assert actual.probability == max(actual.probabilities.values())
        assert math.isclose(sum(actual.probabilities.values()), 1)


def test_decides_as_the_program_does(built_in, tmp_path):
    for case in built_in:
        check(case, tmp_path)


def test_decides_as_the_program_does_on_the_benchmark(benchmark, tmp_path):
    for case in benchmark:
        check(case, tmp_path)


def test_ties(tmp_path):
    for case in odd_models.random_cases(tmp_path, 8):
        check(case, tmp_path)


def test_additive_models(tmp_path):
    for case in [*sources.additive_cases(tmp_path), sources.named_case(tmp_path)]:
        check(case, tmp_path)


def test_powers(tmp_path):
    for case in sources.power_cases(tmp_path):
        check(case, tmp_path)


def test_tiny_degrees(tmp_path):
    for case in sources.empty_cases(tmp_path):
        check(case, tmp_path)


def test_hostile_names(tmp_path):
    case = sources.hostile_case(tmp_path)
    check(case, tmp_path)
    text = (tmp_path / "exported_hostile.py").read_text(encoding="utf-8")
    assert 'a_b_2 = _number(row, "a-b")' in text
    assert all("\\u202e" not in line for line in text.splitlines() if line.startswith("#"))


def test_texts_that_c_cannot_hold(tmp_path):
    features = {"x\0": {"type": "categorical", "categories": ["a\0b", "a"]}}
    model = sources.model_of(features, [{"if": {"x\0": "a\0b"}, "then": "y\0", "weight": 1}], ["y\0", "no"])
    module = load(Case("nul", sources.write(model, tmp_path), [], []), tmp_path)
    assert [module.decide({"x\0": text}).prediction for text in ("a\0b", "a", None)] == ["y\0", "no", "no"]


def test_values_that_a_row_may_hold(built_in, tmp_path):
    case = next(case for case in built_in if case.name == "missing")
    decide = load(case, tmp_path, "--name", "def").def_2
    row = {"amount": 20, "kind": "new", "age": 30}
    assert decide(row).prediction == decide({**row, "more": 1}).prediction == "yes"
    assert decide({**row, "amount": math.nan}) == decide({**row, "amount": None})
    assert decide({**row, "kind": math.nan}) == decide({**row, "kind": None})
    with pytest.raises(TypeError, match="'amount' is a number, got '20'"):
        decide({**row, "amount": "20"})
    with pytest.raises(KeyError, match="no value for 'amount'"):
        decide({"kind": "new", "age": 30})


@pytest.mark.parametrize("spelled", odd_models.BOOLEANS, ids="-".join)
def test_booleans_become_the_texts_of_the_rules(tmp_path, spelled):
    no, yes = spelled
    case = Case("booleans", odd_models.boolean_model(tmp_path, no, yes), [], [])
    decide = load(case, tmp_path).decide
    values = [True, False, None, math.nan, yes, no, "1", 1]
    actual = [decide({"smoker": value}).prediction for value in values]
    assert actual == ["ill", "well", "other", "other", "ill", "well", "other", "other"]
    numpy = pytest.importorskip("numpy")
    assert decide({"smoker": pytest.importorskip("pandas").NA}).prediction == "other"
    assert [decide({"smoker": numpy.bool_(value)}).prediction for value in (True, False)] == ["ill", "well"]


# ---- As a program --------------------------------------------------------------------------------


def run(case: Case, folder: Path, table: bytes) -> subprocess.CompletedProcess:
    script = folder / "decide.py"
    script.write_bytes(export(case.path, "python"))
    return subprocess.run([sys.executable, "-I", script], input=table, capture_output=True)


def entries(text: bytes) -> list[tuple[str, float, str]]:
    lines = list(csv.reader(text.decode().splitlines()))
    assert lines[0] == ["prediction", "probability", "rule"]
    return [(name, round(float(probability), 12), rule) for name, probability, rule in lines[1:]]


def test_writes_the_output_of_predict(built_in, tmp_path):
    table = tmp_path / "table.csv"
    for case in [case for case in built_in if case.name in ("iris", "loans", "missing")]:
        rows = [row for row in case.rows if not any(isinstance(v, float) and math.isinf(v) for v in row.values())]
        for delimiter in ",;\t":
            sources.write_csv(table, rows, delimiter)
            actual = run(case, tmp_path, table.read_bytes())
            assert actual.returncode == 0, actual.stderr
            assert entries(actual.stdout) == entries(frr("predict", case.path, table, "--quiet").stdout), case.name


def test_writes_points_and_referred_cases(tmp_path):
    for case in policy_cases(tmp_path / "models", rows=30):
        finite = [(row, expected) for row, expected in zip(case.rows, case.expected, strict=True)
                  if not any(isinstance(v, float) and math.isinf(v) for v in row.values())]
        sources.write_csv(tmp_path / "table.csv", [row for row, _ in finite])
        done = run(case, tmp_path, (tmp_path / "table.csv").read_bytes())
        assert done.returncode == 0, done.stderr
        lines = list(csv.reader(done.stdout.decode().splitlines()))
        assert lines[0] == ["prediction", "probability", "rule", *case.more]
        actual = [case.decision(name, rule, probability, *[{"no": 0, "yes": 1}.get(text, text) for text in more])
                  for name, probability, rule, *more in lines[1:]]
        assert [decision.result for decision in actual] == [expected.result for _, expected in finite], case.name


TABLE = ' age , "kind",amount,more\r\n30, new ,20,\r\n\r\n,,,\r\n30,"it\'s ""odd""","20.5",x\r\n30,NA,n/a,\r\n30,,?,\r\n'


@pytest.mark.parametrize("table", [
    TABLE, "\ufeff" + TABLE, TABLE.replace("\r\n", "\n"), TABLE.replace("\r\n", "\r"), TABLE[:-2],
    TABLE.replace(",", ";").replace("20.5", "20,5"), TABLE.replace("20.5", "+2.05e1"), TABLE.replace("20.5", "-.5")])
def test_forms_of_tables(built_in, tmp_path, table):
    case = next(case for case in built_in if case.name == "missing")
    (tmp_path / "table.csv").write_text(table, encoding="utf-8", newline="")
    actual = run(case, tmp_path, table.encode())
    assert actual.returncode == 0, actual.stderr
    assert entries(actual.stdout) == entries(frr("predict", case.path, tmp_path / "table.csv", "--quiet").stdout)


@pytest.mark.parametrize(("table", "message"), [
    ("age,kind\n1,new\n", b"line 1: there is no column 'amount'"),
    ("", b"there is no column 'amount'"),
    ("amount,kind,age\n1,new,2\n1_0,new,3\n", b"line 3: '1_0' is no finite number"),
    ("amount,kind,age\ninf,new,2\n", b"line 2: 'inf' is no finite number"),
    ("amount,kind,age\n1e999,new,2\n", b"line 2: '1e999' is no finite number"),
    ("kind,age,amount\nnew,2\n", b"line 2: there is no field for the column 'amount'"),
])
def test_invalid_tables(built_in, tmp_path, table, message):
    case = next(case for case in built_in if case.name == "missing")
    actual = run(case, tmp_path, table.encode())
    assert actual.returncode == 1 and message in actual.stderr and b"Traceback" not in actual.stderr


def test_ruff_and_mypy_report_nothing(built_in, tmp_path):
    cases = [*built_in, *sources.additive_cases(tmp_path / "additive")]
    paths = [tmp_path / f"{case.name}.py" for case in cases]
    for case, path in zip(cases, paths, strict=True):
        path.write_bytes(export(case.path, "python"))
    tools = Path(sys.executable).parent
    for command in (["ruff", "check", "--isolated", "--select", "E,F,W,B,UP,I", "--ignore", "E501,UP,B905",
                     "--target-version", "py38"],
                    ["mypy", "--strict"]):
        if not (tools / command[0]).exists():
            pytest.skip(f"no {command[0]}")
        done = subprocess.run([tools / command[0], *command[1:], *paths], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stdout
