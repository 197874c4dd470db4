"""The JavaScript module: in Node it decides as FRR does."""

import json
import math
import shutil
import subprocess
from pathlib import Path

import odd_models
import pytest
import sources
from cases import Case, Value, export

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="no Node (Debian: nodejs)")

# Rows as lists, an infinity as text in a column of numbers; every other row comes as a Map.
RUNNER = """
import { readFileSync, writeFileSync } from "node:fs";
for (const folder of process.argv.slice(2)) {
  const module = await import(`${folder}/decide.mjs`);
  const { names, numeric, rows } = JSON.parse(readFileSync(`${folder}/rows.json`, "utf8"));
  const results = rows.map((cells, index) => {
    const entries = names.map((name, i) =>
      [name, numeric[i] && typeof cells[i] === "string" ? Number(cells[i]) : cells[i]]);
    return module.decide(index % 2 ? new Map(entries) : Object.fromEntries(entries));
  });
  const { classes, target, inputs } = module;
  writeFileSync(`${folder}/results.json`, JSON.stringify({ classes, target, inputs, results }));
}
"""


def run(text: str, folder: Path, *arguments: object) -> subprocess.CompletedProcess:
    (folder / "runner.mjs").write_text(text, encoding="utf-8")
    return subprocess.run([NODE, folder / "runner.mjs", *map(str, arguments)], capture_output=True, text=True)


def prepare(case: Case, folder: Path) -> Path:
    folder = folder / case.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "decide.mjs").write_bytes(export(case.path, "javascript"))

    def cell(value: Value) -> Value:
        infinite = isinstance(value, float) and math.isinf(value)
        return ("Infinity" if value > 0 else "-Infinity") if infinite else value

    (folder / "rows.json").write_text(json.dumps({
        "names": list(case.inputs), "numeric": [feature["type"] == "numeric" for feature in case.inputs.values()],
        "rows": [[cell(row[name]) for name in case.inputs] for row in case.rows]}), encoding="utf-8")
    return folder


def check_all(cases: list[Case], folder: Path) -> None:
    folders = [prepare(case, folder / "exported") for case in cases]
    done = run(RUNNER, folder, *folders)
    assert done.returncode == 0, done.stderr
    for case, own in zip(cases, folders, strict=True):
        actual = json.loads((own / "results.json").read_text(encoding="utf-8"))
        assert actual["classes"] == case.model["classes"]
        assert actual["target"] == case.model["target"]
        assert actual["inputs"] == list(case.inputs)
        for row, expected, result in zip(case.rows, case.expected, actual["results"], strict=True):
            decision = case.decision(*(result[key] for key in ("prediction", "rule", "probability", *case.more)))
            assert decision.result == expected.result, (case.name, row)
            assert set(result) == {"prediction", "probability", "rule", "probabilities", *case.more}
            assert math.isnan(expected.probability) or abs(result["probability"] - expected.probability) <= 1e-12
            own_share = result["probabilities"][actual["classes"].index(result["prediction"])]
            assert own_share == result["probability"]
            assert "decisions" in case.model or own_share == max(result["probabilities"])
            assert math.isclose(sum(result["probabilities"]), 1)
    print(f"{sum(len(case.rows) for case in cases):,} rows of {len(cases)} models")


def test_decides_as_the_program_does(built_in, tmp_path):
    check_all(built_in, tmp_path)


def test_decides_as_the_program_does_on_the_benchmark(benchmark, tmp_path):
    check_all(benchmark, tmp_path)


def test_ties(tmp_path):
    check_all(odd_models.random_cases(tmp_path, 8), tmp_path)


def test_additive_models(tmp_path):
    check_all([*sources.additive_cases(tmp_path), sources.named_case(tmp_path)], tmp_path)


def test_powers(tmp_path):
    check_all(sources.power_cases(tmp_path), tmp_path)


def test_tiny_degrees(tmp_path):
    check_all(sources.empty_cases(tmp_path), tmp_path)


def test_hostile_names(tmp_path):
    case = sources.hostile_case(tmp_path)
    check_all([case], tmp_path)
    text = (tmp_path / "exported" / case.name / "decide.mjs").read_text(encoding="utf-8")
    assert 'const a_b_2 = number(row, "a-b");' in text
    assert "</script" not in text and "<!--" not in text and "\u2028" not in text


def test_values_that_a_row_may_hold(built_in, tmp_path):
    case = next(case for case in built_in if case.name == "missing")
    folder = prepare(case, tmp_path)
    (folder / "named.mjs").write_bytes(export(case.path, "javascript", "--name", "function"))
    done = run("""
import assert from "node:assert/strict";
const { decide } = await import(`${process.argv[2]}/decide.mjs`);
const { function_2: named } = await import(`${process.argv[2]}/named.mjs`);
const row = { amount: 20, kind: "new", age: 30 };
assert.equal(decide(row).prediction, "yes");
assert.deepEqual(named({ ...row, more: 1 }), decide(row));
for (const missing of [null, undefined, NaN]) {
  assert.deepEqual(decide({ ...row, amount: missing }), decide({ ...row, amount: null }));
  assert.deepEqual(decide({ ...row, kind: missing }), decide({ ...row, kind: null }));
}
assert.throws(() => decide({ ...row, amount: "20" }), /"amount" is a number/);
assert.throws(() => decide({ kind: "new", age: 30 }), /no value for "amount"/);
decide(row).probabilities[0] = 7;
assert.notEqual(decide(row).probabilities[0], 7);
""", tmp_path, folder)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("spelled", odd_models.BOOLEANS, ids="-".join)
def test_booleans_become_the_texts_of_the_rules(tmp_path, spelled):
    no, yes = spelled
    (tmp_path / "decide.mjs").write_bytes(export(odd_models.boolean_model(tmp_path, no, yes), "javascript"))
    done = run("""
import assert from "node:assert/strict";
const [, , folder, no, yes] = process.argv;
const { decide } = await import(`${folder}/decide.mjs`);
const actual = [true, false, null, yes, no, "1", 1].map((smoker) => decide({ smoker }).prediction);
assert.deepEqual(actual, ["ill", "well", "other", "ill", "well", "other", "other"]);
""", tmp_path, tmp_path, no, yes)
    assert done.returncode == 0, done.stderr
