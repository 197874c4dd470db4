"""Changes of the decision: valid, the nearest, and the same as those of the program."""

import json
import re

import numpy as np
import pytest
from inference import category_changes, grid, is_missing, nearest_change, scale
from program import Case, Decision, frr

# Datasets, and the step between the rows tested.
SETS = {"iris": 8, "loans": 16, "breast_cancer": 40, "wine": 15, "mixed": 17, "unknown": 14,
        "odd_names": 19, "additive": 20, "additive_mixed": 21, "minimum": 20, "minimum_mixed": 23,
        "aczel_alsina": 20, "hamacher_mixed": 23, "lukasiewicz": 20, "lukasiewicz_mixed": 23,
        "root": 20, "root_additive": 23, "paper": 15, "zoo": 9, "vehicle": 90, "australian": 80,
        "corners": 3, "costs": 40, "threshold": 25, "additive_two": 40, "additive_costs": 40,
        "additive_threshold": 40, "additive_costs_of_three": 21, "additive_mixed_costs": 21,
        "additive_threshold_of_three": 21, "scorecard": 25}

# The changes listed for each row, each with the decision after applying it, and the decision after
# undoing it.
OFFERS = """numbers => {
  const byId = id => document.getElementById(id);
  const decision = () => {
    const {class: name, rule, probability} = byId('decision').dataset;
    return [name, Number(rule), Number(probability)];
  };
  return numbers.map(number => {
    byId('row-number').value = number;
    byId('take-row').click();
    const before = decision();
    const count = document.querySelectorAll('button.apply').length;
    const offers = Array.from({length: count}, (_, k) => {
      const button = document.querySelectorAll('button.apply')[k];
      const {feature, to, class: name} = button.dataset;
      const text = button.closest('li').firstChild.textContent;
      button.click();
      const after = decision();
      byId('undo').click();
      return {feature: Number(feature), to: Number(to), name, text, after, back: decision()};
    });
    return {before, offers};
  });
}"""


def target_text(own: Case, offer: dict) -> str:
    """The new value of a change, as a table would hold it."""
    feature = own.rules["features"][own.features[offer["feature"]]]
    return repr(offer["to"]) if feature["type"] == "numeric" else feature["categories"][int(offer["to"])]


def agrees_with_explain(own: Case, number: int, offers: list[dict]) -> None:
    actual = json.loads(frr("explain", own.model, own.data, "--row", number, "--json", "--quiet").ok().out)
    assert [own.features[offer["feature"]] for offer in offers] == [one["feature"] for one in actual["changes"]]
    for offer, one in zip(offers, actual["changes"], strict=True):
        feature = one["feature"]
        if own.is_numeric(feature):
            # The last digit may differ if the border has many digits.
            assert offer["to"] == pytest.approx(float(one["to"]), rel=1e-12, abs=1e-300), (number, one)
        else:
            assert target_text(own, offer) == one["to"]
        assert offer["name"] == one["prediction"]
        if not own.is_additive:
            rule = f"rule {one['rule']}" if one["rule"] else "ELSE"
            assert offer["text"].endswith(f"({rule})"), (offer, one)


def none_is_nearer(own: Case, row: dict, before: str, offers: list[dict], grids: dict) -> None:
    """No change on a fine grid is nearer by more than a thousandth of the spread."""
    offered = {own.features[offer["feature"]]: offer for offer in offers}
    for feature in own.features:
        if is_missing(row[feature]):
            assert feature not in offered
        elif not own.is_numeric(feature):
            # All categories are equally distant.
            assert feature in offered or not category_changes(own.rules, row, feature, before)
        else:
            found = nearest_change(own.rules, row, feature, before, grids[feature])
            if found is None:
                continue
            assert feature in offered, (row, feature, found)
            distance = abs(offered[feature]["to"] - float(row[feature]))
            slack = 0.001 * scale(own.rules["features"][feature])
            assert distance <= found + slack * (1 + 1e-9), (row, feature, found)


@pytest.mark.parametrize("name", SETS)
def test_changes_are_valid_nearest_and_those_of_the_program(case, sheet_of, name):
    own, sheet = case(name), sheet_of(name)
    numbers = list(range(1, len(own.rows) + 1, SETS[name]))
    answers = sheet.page.evaluate(OFFERS, numbers)
    grids = {feature: grid(own.rules, feature, 2000) for feature in own.features
             if own.is_numeric(feature)}
    changed, promised = [], []
    for number, answer in zip(numbers, answers, strict=True):
        row = own.rows[number - 1]
        before = Decision(*answer["before"])
        for offer in answer["offers"]:
            after = Decision(*offer["after"])
            assert after.name == offer["name"] != before.name
            assert Decision(*offer["back"]) == before
            changed.append({**row, own.features[offer["feature"]]: target_text(own, offer)})
            promised.append(after)
        none_is_nearer(own, row, before.name, answer["offers"], grids)
        agrees_with_explain(own, number, answer["offers"])
    assert len(promised) >= len(numbers) / 4
    actual = own.predict_rows(changed)
    assert [(one.name, one.rule) for one in promised] == [(one.name, one.rule) for one in actual]


def test_a_narrow_interval_is_found(case, sheet_of):
    """By hand: from x = 2 the nearest value of another class is 5.5, where b begins to win."""
    own, sheet = case("corners"), sheet_of("corners")
    number = 1 + next(i for i, row in enumerate(own.rows) if row["x"] == "2" and row["y"] == "yes"
                      and row["z"] == "2")
    offers = sheet.page.evaluate(OFFERS, [number])[0]["offers"]
    x = next(offer for offer in offers if own.features[offer["feature"]] == "x")
    assert x["name"] == "b"
    assert 5.5 < x["to"] <= 5.5 + 0.001 * 20


def test_changes_are_ordered_by_distance(cancer, sheet_of):
    sheet = sheet_of("breast_cancer")
    for number in (4, 14, 42, 100):
        row = cancer.rows[number - 1]
        offers = sheet.page.evaluate(OFFERS, [number])[0]["offers"]
        names = [cancer.features[offer["feature"]] for offer in offers]
        distances = [abs(offer["to"] - float(row[name])) / scale(cancer.rules["features"][name])
                     for offer, name in zip(offers, names, strict=True)]
        assert distances == sorted(distances)


def test_the_page_says_if_nothing_changes_the_decision(case, sheet_of):
    sheet = sheet_of("no_rules")
    sheet.take(1)
    assert sheet.texts("button.apply") == []
    assert ("No change of a single known value would give another class than yes."
            in sheet.page.inner_text("#changes"))


def test_missing_values_are_mentioned(case, sheet_of):
    """No change is offered for them, although supplying them might change the class."""
    own, sheet = case("mixed"), sheet_of("mixed")
    for number, row in enumerate(own.rows[:40], 1):
        sheet.take(number)
        gone = [name for name in own.features if not row[name]]
        text = sheet.page.inner_text("#changes")
        assert ("missing; supplying" in text) == bool(gone)
        if len(gone) == 1:
            assert f"{gone[0]} is missing" in text
        if len(gone) == 2:
            assert f"{gone[0]} and {gone[1]} are missing" in text


def test_a_change_at_the_precision_of_the_data(loans, sheet_of):
    """If the data has fewer decimals, the next value with as many is shown, and it is valid."""
    sheet = sheet_of("loans")
    rows, expected = [], []
    for number in range(1, 200, 4):
        sheet.take(number)
        for text in sheet.texts("#changes li > span"):
            found = re.match(r"(\w+) from \S+ to \S+ \(at the precision of the data: (\S+)\) gives (\w+)", text)
            if found:
                name, value, group = found.groups()
                assert len(value.partition(".")[2]) <= 1
                rows.append({**loans.rows[number - 1], name: value})
                expected.append(group)
    assert len(rows) > 5
    assert [one.name for one in loans.predict_rows(rows)] == expected


def test_the_grid_finds_narrow_changes():
    """The brute-force search itself, on a case computed by hand."""
    model = {"classes": ["a", "b"], "inference": {"semantics": "sufficient", "tnorm": "product", "root": 1},
             "features": {"x": {"type": "numeric", "range": [0, 10], "spread": 10, "labels": {
                 "low": [None, None, 2, 6], "high": [2, 6, None, None]}}},
             "rules": [{"if": {"x": "low"}, "then": "a", "weight": 1},
                       {"if": {"x": "high"}, "then": "b", "weight": 0.5}], "else": {"then": "a"}}
    # (6 - x) / 4 = (x - 2) / 8 at x = 14 / 3.
    values = grid(model, "x", 2000)
    assert nearest_change(model, {"x": "1"}, "x", "a", values) == pytest.approx(14 / 3 - 1, abs=0.02)
    assert nearest_change(model, {"x": "9"}, "x", "b", values) == pytest.approx(9 - 14 / 3, abs=0.02)
    assert np.diff(values).max() < 0.02
