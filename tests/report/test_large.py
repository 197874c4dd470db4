"""A large table quickly gives a page that is small and responsive."""

import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import cases
import numpy as np
import polars
import pytest
from conftest import open_sheet
from program import BINARY, Case, Result
from test_same_decisions import same

ROWS, COLUMNS, INFORMATIVE = 100_000, 50, 8


def large_table(path: Path) -> Path:
    """Fifty numeric columns and four classes, which depend on eight of the columns."""
    rng = np.random.default_rng(5)
    values = rng.normal(100, 30, (ROWS, COLUMNS)).round(2)
    score = (values[:, :INFORMATIVE] > 110).sum(axis=1) + rng.integers(0, 2, ROWS)
    frame = polars.DataFrame({f"column {j}": values[:, j] for j in range(COLUMNS)})
    frame = frame.with_columns(polars.Series("group", [f"group {min(3, s // 2)}" for s in score]))
    frame.write_csv(path)
    return path


def large_model(directory: Path) -> Path:
    """Twenty rules that read fifteen columns: about as many as people can read."""
    features = {f"column {j}": {"type": "numeric", "range": [-20, 220], "spread": 120, "labels": {
        "low": [None, None, 70, 95], "medium": [70, 95, 105, 130], "high": [105, 130, None, None]}}
        for j in range(COLUMNS)}
    classes = [f"group {k}" for k in range(4)]
    labels = ("low", "medium", "high")
    rules = [{"if": {f"column {(r * step) % 15}": labels[(r + step) % 3] for step in (1, 2, 4)},
              "then": classes[r % 4], "weight": 1 - r / 40, "decides": {classes[r % 4]: 50}, "covers": 90}
             for r in range(1, 21)]
    return cases.model_file(directory, "large", target="group", classes=classes, features=features,
                            rules=rules, **{"else": {"then": classes[0]}})


@dataclass
class Run:
    result: Result
    seconds: float
    megabytes: float  # at its peak


def measure(*arguments) -> Run:
    start = time.perf_counter()
    process = subprocess.Popen([BINARY, *map(str, arguments)], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    errors = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Run(Result(process.returncode, "", errors), time.perf_counter() - start,
               usage.ru_maxrss / 1024)


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> tuple[Case, list[Run]]:
    directory = tmp_path_factory.mktemp("large")
    data, model, page = large_table(directory / "large.csv"), large_model(directory), directory / "large.html"
    found = []
    for _ in range(3):  # other programs may disturb one of them
        found.append(measure("report", model, data, "-o", page))
        if found[-1].seconds < 5:
            break
    return Case("large", model, data, page, found[-1].result), found


@pytest.fixture(scope="module")
def large(runs) -> Case:
    return runs[0]


@pytest.fixture(scope="module")
def sheet(desk, large):
    own = open_sheet(desk, large)
    yield own
    own.page.close()
    own.check()


def test_the_page_is_made_in_little_time_and_memory(runs):
    own, found = runs
    print([(round(run.seconds, 2), round(run.megabytes)) for run in found], own.page.stat().st_size)
    assert own.report.status == 0, own.report.err
    assert min(run.seconds for run in found) < 5
    assert max(run.megabytes for run in found) < 300
    assert own.page.stat().st_size < 1_000_000


def test_it_says_how_many_of_all_rows_it_shows(large, sheet):
    numbers = sheet.data()["rows"]["numbers"]
    assert 1000 < len(numbers) < ROWS
    assert len(set(numbers)) == len(numbers)
    text = sheet.page.inner_text("#rows")
    assert f"{len(numbers):,} of 100,000 rows" in text
    assert "100,000" in sheet.page.inner_text("#summary")


def test_counts_are_of_all_rows(large, sheet):
    decisions = large.decisions
    facts = sheet.data()
    for number, rule in enumerate([facts["else"], *facts["rules"]]):
        assert sum(rule["here"]) == sum(decision.rule == number for decision in decisions)
    assert sum(map(sum, facts["data"]["confusion"])) == ROWS


def test_the_evidence_stands_for_all_rows(large, sheet):
    """The page has only a sample with more wrong decisions than usual; weights correct that."""
    decisions, truth = large.decisions, [row["group"] for row in large.rows]
    answers = {one.rule: one for one in decisions}  # the probabilities depend only on the rule
    number = len(sheet.data()["rows"]["numbers"])
    assert f"Computed from the {number:,} rows on this page, a sample" in sheet.page.inner_text("#evidence")
    for c in range(4):
        sheet.page.select_option("#evidence-class", str(c))
        shares = {0: sheet.data()["baseRates"][c]}
        shares |= {rule: sheet.page.evaluate("""([rule, c]) => {
          const data = JSON.parse(document.getElementById('frr-data').textContent);
          const part = rule ? data.rules[rule - 1] : data.else;
          const rows = part.trainingRows.reduce((a, b) => a + b, 0);
          return (part.trainingRows[c] + data.baseRates[c]) / (rows + 1);
        }""", [rule, c]) for rule in answers}
        p = np.array([shares[decision.rule] for decision in decisions])
        events = np.array([name == f"group {c}" for name in truth])
        called = p >= 0.5
        sheet.page.fill("#threshold-number", "50")
        for name, rows in (("hits", called & events), ("misses", ~called & events),
                           ("alarms", called & ~events), ("rest", ~called & ~events)):
            shown = int(sheet.page.inner_text(f"#live-{name}").replace(",", ""))
            assert abs(shown - rows.sum()) < 0.015 * ROWS, (c, name)


def test_its_rows_are_decided_as_by_the_program(large, sheet):
    decisions = large.decisions
    facts = sheet.data()
    numbers = facts["rows"]["numbers"]
    some = numbers[:: len(numbers) // 200]
    same(sheet.open_rows(some), [decisions[number - 1] for number in some])
    held = {decisions[number - 1].rule for number in numbers}
    assert held == {decision.rule for decision in decisions}  # each rule has some


def test_a_row_that_is_not_on_the_page(large, sheet):
    held = set(sheet.data()["rows"]["numbers"])
    absent = next(number for number in range(1, ROWS) if number not in held)
    before = sheet.decision()
    sheet.page.fill("#row-number", str(absent))
    sheet.page.click("#take-row")
    assert f"Row {absent} is not among the rows" in sheet.page.inner_text("#origin")
    assert sheet.decision() == before
    last = max(held)
    sheet.take(last)
    sheet.page.click("#next-row")
    assert sheet.value("#row-number") == str(min(held))


def test_it_can_be_used_within_two_seconds(large, open_page):
    times = []
    for _ in range(3):
        sheet = open_page(large)  # a first page, so that the browser is ready
        start = time.perf_counter()
        sheet.page.goto(sheet.address)
        before = sheet.page.inner_text("#decision")
        sheet.page.click("#next-row")
        assert sheet.page.inner_text("#decision") and before
        times.append(time.perf_counter() - start)
        if times[-1] < 2:
            break
    print(times)
    assert min(times) < 2


# Times from moving a slider to the answer and to the new layout: medians of fifty.
ANSWER = """() => {
  const slider = document.getElementById('input-0-slider');
  const median = times => times.sort((a, b) => a - b)[25];
  const answered = [], shown = [];
  for (let k = 0; k < 50; ++k) {
    slider.value = Number(slider.min) + (slider.max - slider.min) * (k % 10) / 10;
    const start = performance.now();
    slider.dispatchEvent(new Event('input', {bubbles: true}));
    answered.push(performance.now() - start);
    document.getElementById('decision').getBoundingClientRect();
    shown.push(performance.now() - start);
  }
  return [median(answered), median(shown)];
}"""


THRESHOLD = ANSWER.replace("'input-0-slider'", "'threshold'").replace("'decision'", "'threshold-result'")


def test_a_threshold_is_answered_within_one_frame(sheet):
    times = []
    for _ in range(3):
        times.append(sheet.page.evaluate(THRESHOLD))
        if times[-1][0] < 16 and times[-1][1] < 32:
            break
    print(times)
    assert min(answered for answered, _ in times) < 16
    assert min(shown for _, shown in times) < 32


@pytest.mark.parametrize("name", ["large", "breast_cancer", "aczel_alsina"])
def test_a_change_is_answered_within_one_frame(sheet, sheet_of, name):
    own = sheet if name == "large" else sheet_of(name)
    times = []
    for _ in range(3):
        times.append(own.page.evaluate(ANSWER))
        if times[-1][0] < 16 and times[-1][1] < 32:
            break
    print(times)
    assert min(answered for answered, _ in times) < 16
    assert min(shown for _, shown in times) < 32
