"""Curves, thresholds and groups equal those computed from the program's probabilities."""

import itertools
import json
import re

import numpy as np
import pytest
from inference import is_missing, membership
from program import Case, frr, report, rounded, write_rows

# Cases with two and three classes; the index of the class in the second column.
CLASSES = [("costs", 1), ("additive_two", 1), ("additive_threshold", 1), ("scorecard", 1),
           ("loans", 0), ("loans", 1), ("loans", 2), ("unknown", 2), ("additive_mixed", 1)]
THRESHOLDS = (0.01, 0.0825, 0.2, 0.5, 0.77, 0.999)


def known_rows(own: Case, c: int) -> tuple[np.ndarray, np.ndarray, list[dict]]:
    """The probability of a class, whether it is true, and the row; only rows of known class."""
    answers = json.loads(frr("predict", own.model, own.data, "--json", "--quiet", "--proba").ok().out)["rows"]
    pairs = [(one["probabilities"][own.classes[c]], row) for one, row in zip(answers, own.rows, strict=True)
             if row[own.target] in own.classes]
    rows = [row for _, row in pairs]
    events = np.array([row[own.target] == own.classes[c] for row in rows])
    return np.array([p for p, _ in pairs]), events, rows


def choose(sheet, own: Case, c: int) -> None:
    if len(own.classes) > 2:
        sheet.page.select_option("#evidence-class", str(c))
    else:
        assert sheet.page.locator("#evidence-class").count() == 0


def set_threshold(sheet, threshold: float) -> None:
    sheet.page.fill("#threshold-number", repr(round(100 * threshold, 6)))


def matrix(sheet) -> list[int]:
    return [int(sheet.page.inner_text(f"#live-{name}").replace(",", ""))
            for name in ("hits", "misses", "alarms", "rest")]


def expected_matrix(p: np.ndarray, events: np.ndarray, threshold: float) -> list[int]:
    called = p >= threshold
    return [int(np.sum(a & b)) for a, b in ((called, events), (~called, events), (called, ~events), (~called, ~events))]


def area(p: np.ndarray, events: np.ndarray) -> float:
    """The share of pairs of an event and another row in which the event has the larger probability."""
    difference = p[events][:, None] - p[~events][None, :]
    return float(np.where(difference > 0, 1, np.where(difference == 0, 0.5, 0)).mean())


def average_precision(p: np.ndarray, events: np.ndarray) -> float:
    """The mean over the events of the precision at their probability."""
    return float(np.mean([events[p >= one].mean() for one in p[events]]))


def corners(p: np.ndarray, events: np.ndarray) -> np.ndarray:
    """False-positive rate and sensitivity at every threshold."""
    return np.array([(0, 0), *(((p[~events] >= t).mean(), (p[events] >= t).mean()) for t in sorted(set(p)))])


@pytest.mark.parametrize(("name", "c"), CLASSES)
def test_areas_equal_those_of_the_definitions(case, sheet_of, name, c):
    own, sheet = case(name), sheet_of(name)
    choose(sheet, own, c)
    p, events, _ = known_rows(own, c)
    assert sheet.texts(".curve-box h3") == ["ROC curve", "Precision and recall", "Calibration", "Net benefit"]
    roc, precision, calibration, _ = sheet.texts(".curve-box figcaption")
    assert f"Area under the curve: {rounded(area(p, events), 3)};" in roc
    assert f"Average precision: {rounded(average_precision(p, events), 3)};" in precision
    bins = np.minimum(9, np.floor(10 * p))
    error = sum(abs(p[bins == b].sum() - events[bins == b].sum()) for b in range(10)) / len(p)
    assert f"Mean distance: {rounded(error, 3)}." in calibration
    assert sheet.page.locator(".curve-box .dot").count() == len(set(bins))


# The corners of the curve of a picture, in shares of its axes.
CORNERS = """k => {
  const picture = document.querySelectorAll('.curve-box')[k];
  const lines = [...picture.querySelectorAll('.grid')];
  const [left, right] = ['x1', 'x2'].map(name => Number(lines[0].getAttribute(name)));
  const [bottom, top] = [lines[0], lines[4]].map(line => Number(line.getAttribute('y1')));
  return picture.querySelector('.result').getAttribute('points').split(' ').map(point => {
    const [x, y] = point.split(',').map(Number);
    return [(x - left) / (right - left), (y - bottom) / (top - bottom)];
  });
}"""


@pytest.mark.parametrize(("name", "c"), [("costs", 1), ("additive_two", 1), ("loans", 0)])
def test_the_drawn_roc_curve_has_the_corners_of_all_thresholds(case, sheet_of, name, c):
    own, sheet = case(name), sheet_of(name)
    choose(sheet, own, c)
    p, events, _ = known_rows(own, c)
    drawn = np.array(sheet.page.evaluate(CORNERS, 0))
    expected = corners(p, events)
    for one in drawn:
        assert np.abs(expected - one).max(axis=1).min() < 0.002
    for one in expected:  # those less than half a pixel apart are left out
        assert np.abs(drawn - one).sum(axis=1).min() < 0.01


@pytest.mark.parametrize(("name", "c"), CLASSES)
def test_a_threshold_gives_the_matrix_the_rates_and_the_net_benefit(case, sheet_of, name, c):
    own, sheet = case(name), sheet_of(name)
    choose(sheet, own, c)
    p, events, _ = known_rows(own, c)
    for t in THRESHOLDS:
        set_threshold(sheet, t)
        hits, misses, alarms, rest = expected_matrix(p, events, t)
        assert matrix(sheet) == [hits, misses, alarms, rest]
        texts = dict(sheet.page.eval_on_selector_all(
            ".rates strong", "all => all.map(e => [e.dataset.measure, e.textContent])"))
        for measure, part, whole in (("sensitivity", hits, hits + misses), ("specificity", rest, rest + alarms),
                                     ("PPV", hits, hits + alarms), ("NPV", rest, rest + misses)):
            assert texts[measure] == (fine(part / whole) if whole else "–")
        benefit = hits / len(p) - alarms / len(p) * t / (1 - t)
        assert float(texts["net benefit"].replace("−", "-")) == pytest.approx(benefit, abs=0.00005001)
        everyone = events.mean() - (1 - events.mean()) * t / (1 - t)
        note = sheet.page.inner_text(".rates div:last-child .note").replace("−", "-")
        assert float(re.match(r"calling all: (\S+), calling none: 0", note).group(1)) == pytest.approx(
            everyone, abs=0.00005001)


def fine(share: float) -> str:
    if 0 < share < 0.0005:
        return "below 0.1 %"
    return "above 99.9 %" if 0.9995 < share < 1 else f"{rounded(100 * share, 1)} %"


@pytest.mark.parametrize("name", ["costs", "additive_costs", "additive_threshold", "scorecard", "breast_cancer"])
def test_at_the_threshold_of_the_model_the_matrix_is_that_of_its_decisions(case, sheet_of, name):
    own, sheet = case(name), sheet_of(name)
    set_threshold(sheet, 0.9)
    sheet.page.click("#threshold-reset")
    positive = own.rules["decisions"]["positive"]
    found = [(row[own.target] == positive, decision.name == positive)
             for row, decision in zip(own.rows, own.decisions, strict=True)]
    assert matrix(sheet) == [found.count(one) for one in itertools.product((True, False), repeat=2)]


def test_the_slider_moves_with_keys_and_a_bad_text_changes_nothing(sheet_of):
    sheet = sheet_of("additive_two")
    set_threshold(sheet, 0.5)
    slider = sheet.page.locator("#threshold")
    before = matrix(sheet)
    slider.press("End")
    assert sheet.value("#threshold-number") == "99.5"
    assert matrix(sheet) != before
    slider.press("ArrowLeft")
    assert sheet.value("#threshold-number") == "99"
    present = matrix(sheet)
    for text in ("", "0", "100", "many", "-3"):
        sheet.page.fill("#threshold-number", text)
        assert sheet.page.get_attribute("#threshold-number", "aria-invalid") == "true"
        assert matrix(sheet) == present
    sheet.page.locator("#threshold-number").press("Tab")
    assert sheet.value("#threshold-number") == "99"
    sheet.page.fill("#threshold-number", "8,25")
    assert sheet.page.get_attribute("#threshold", "aria-valuetext") == "8.25 %"


def group_of(own: Case, row: dict, feature: str) -> str:
    """The category, or the label with the largest degree."""
    text, how = row[feature], own.rules["features"][feature]
    if how["type"] == "categorical":
        return text if not is_missing(text) else how.get("missing", "missing")
    labels = [*how["labels"], *([how["missing"]] if "missing" in how else [])]
    degrees = [membership(how, label, text) for label in labels]
    return labels[int(np.argmax(degrees))] if max(degrees) > 0 else "missing"


def expected_groups(own: Case, feature: str, p, events, rows, t: float) -> dict[str, list[str]]:
    names = np.array([group_of(own, row, feature) for row in rows], dtype=object)
    result = {}
    for name in set(names):
        chosen = names == name
        hits, misses, alarms, rest = expected_matrix(p[chosen], events[chosen], t)
        count = hits + misses + alarms + rest
        shares = [((hits + alarms), count), (hits, hits + misses), (alarms, alarms + rest), (hits, hits + alarms),
                  (p[chosen].sum(), count), (hits + misses, count)]
        result[name] = [str(count), *(fine(a / b) if b else "–" for a, b in shares)]
    return result


@pytest.mark.parametrize(("name", "c", "feature"), [
    ("loans", 0, "work"), ("loans", 2, "income"), ("additive_mixed", 0, "ward"), ("unknown", 1, "ward"),
    ("unknown", 0, "age"), ("scorecard", 1, "age"), ("scorecard", 1, "sport")])
def test_groups_equal_those_counted_here(case, sheet_of, name, c, feature):
    own, sheet = case(name), sheet_of(name)
    choose(sheet, own, c)
    p, events, rows = known_rows(own, c)
    sheet.page.select_option("#group-column", label=feature)
    for t in (0.15, 0.4):
        set_threshold(sheet, t)
        shown = sheet.page.eval_on_selector_all(
            "#group-body tr", "all => all.map(e => [...e.cells].map(cell => cell.textContent))")
        expected = expected_groups(own, feature, p, events, rows, t)
        assert {name: cells for name, *cells in shown} == expected


def test_the_largest_gaps_between_groups(case, sheet_of):
    own, sheet = case("scorecard"), sheet_of("scorecard")
    p, events, rows = known_rows(own, 1)
    sheet.page.select_option("#group-column", label="sport")
    set_threshold(sheet, 0.2)
    parts = {name: np.array([row["sport"] == name for row in rows]) for name in ("much", "little")}
    called = {name: (p[chosen] >= 0.2).mean() for name, chosen in parts.items()}
    true = {name: (p[chosen & events] >= 0.2).mean() for name, chosen in parts.items()}
    off = {name: p[chosen].mean() - events[chosen].mean() for name, chosen in parts.items()}
    text = sheet.page.inner_text("#group-gaps")
    gap = rounded(100 * abs(called["little"] - called["much"]), 1)
    assert f"called positive {gap} points (little above much)" in text
    assert f"sensitivity (TPR) {rounded(100 * (true['little'] - true['much']), 1)} points (little above much)" in text
    worst = max(off, key=lambda name: abs(off[name]))
    side = "above" if off[worst] > 0 else "below"
    assert f"probability {side} the observed share {rounded(100 * abs(off[worst]), 1)} points ({worst})" in text


def test_many_groups_are_merged_and_shown_columns_are_groups(case, open_page, tmp_path):
    own = case("scorecard")
    rows = [{"town": f"town {i % 30}", "sex": "fm"[i % 2], **row} for i, row in enumerate(own.rows)]
    model = tmp_path / "model.json"
    model.write_text(own.model.read_text())
    made = report("groups", model, write_rows(tmp_path / "rows.csv", rows), "--folds", "0", "--show", "town,sex")
    sheet = open_page(made)
    sheet.page.select_option("#group-column", label="town")
    names = sheet.texts("#group-body th")
    assert len(names) == 12
    assert names[-1] == "19 others"
    sheet.page.select_option("#group-column", label="sex")
    assert sorted(sheet.texts("#group-body th")) == ["f", "m"]
    assert sheet.texts("#group-body td:nth-child(2)") == ["200", "200"]


def test_the_page_says_whether_the_data_is_a_fair_test(sheet_of):
    sheet = sheet_of("unknown")
    news = "These rows were not used for training: the figures below are a fair test."
    assert news in sheet.page.inner_text("#summary")
    assert news in sheet.page.inner_text("#evidence")
    for name in ("breast_cancer", "additive_two"):
        sheet = sheet_of(name)
        assert "fair test" not in sheet.page.inner_text("main")
        assert "These are the training rows" in sheet.page.inner_text("#evidence")


def test_one_class_alone_has_no_curves(case, open_page, tmp_path):
    own = case("scorecard")
    model = tmp_path / "model.json"
    model.write_text(own.model.read_text())
    rows = [row for row in own.rows if row["outcome"] == "none"]
    sheet = open_page(report("one", model, write_rows(tmp_path / "rows.csv", rows)))
    assert "none of these rows are stroke" in sheet.page.inner_text("#evidence")
    assert sheet.page.locator(".curve-box").count() == 0


def test_without_known_classes_or_rules_there_is_no_evidence(case, open_page, tmp_path):
    own = case("scorecard")
    model = tmp_path / "model.json"
    model.write_text(own.model.read_text())
    rows = [{name: value for name, value in row.items() if name != "outcome"} for row in own.rows]
    for what in (report("none", model, write_rows(tmp_path / "rows.csv", rows)), case("no_rules")):
        sheet = open_page(what)
        assert not sheet.page.is_visible("#evidence")
        assert "Evidence" not in sheet.texts("nav a")
