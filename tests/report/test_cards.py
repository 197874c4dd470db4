"""Rule cards, scorecards and what the summary says about decisions."""

import itertools
import json
import math

import cases
import numpy as np
import pytest
from inference import base_rates, rule_probabilities, rule_scores, softmax
from program import Case, report, rounded
from test_evidence import fine

SUFFICIENT = ["breast_cancer", "loans", "costs", "threshold", "costs_of_three"]
ADDITIVE = ["additive", "additive_two", "additive_costs", "additive_mixed", "scorecard"]


def rough(share: float) -> str:
    if share < 0.0995:
        return fine(share)
    return "above 99 %" if 0.995 < share < 1 else f"{rounded(100 * share)} %"


def lift(probability: float, rate: float) -> str:
    times = probability / rate
    if 0.95 <= times < 1.05:
        return "about the average"
    return f"{times:.1f} times the average"


@pytest.mark.parametrize("name", SUFFICIENT)
def test_a_card_has_the_honest_probability_and_the_base_rate(case, sheet_of, name):
    own, sheet = case(name), sheet_of(name)
    rates = base_rates(own.rules)
    for number, rule in enumerate([own.rules["else"], *own.rules["rules"]]):
        c = own.classes.index(rule["then"])
        probability = rule_probabilities(own.rules, rule)[c]
        card = sheet.page.locator(f"#rule-{number}")
        text = card.locator(".chance-text").inner_text()
        assert float(card.locator(".chance-text").get_attribute("data-probability")) == pytest.approx(probability, abs=1e-12)
        assert text.startswith(f"{rule['then']}: {rough(probability)} of such cases, {lift(probability, rates[c])} ({rough(rates[c])})")
        left = card.locator(".base-mark").evaluate("e => e.style.left")
        assert float(left.rstrip("%")) == pytest.approx(100 * rates[c], abs=1e-3)


def reasons(own: Case, sheet) -> dict[int, str]:
    """What the cards say about rules whose class is not the most probable one."""
    found = {}
    for number, rule in enumerate([own.rules["else"], *own.rules["rules"]]):
        _, _, reason = sheet.page.locator(f"#rule-{number} .chance-text").inner_text().partition("); ")
        shares = rule_probabilities(own.rules, rule)
        assert bool(reason) == (shares[own.classes.index(rule["then"])] < shares.max())
        if reason:
            found[number] = reason
    return found


@pytest.mark.parametrize(("name", "reason"), [
    ("costs", "a miss counts as 20 false alarms."), ("threshold", "refuse is predicted from a probability of 7 % on."),
    ("costs_of_three", "this class has the lowest expected cost."), ("breast_cancer", None)])
def test_a_card_says_why_a_class_is_not_the_most_probable_one(case, sheet_of, name, reason):
    found = reasons(case(name), sheet_of(name))
    assert set(found.values()) == ({reason} if reason else set())


def test_the_summary_says_how_decisions_are_made(sheet_of):
    expected = {
        "costs": ["A miss counts as 20 false alarms, so malignant is predicted from a probability of 4.762 % on.",
                  "A case is referred to a person if no class has a probability of 90 %, or if no rule applies to it."],
        "additive_threshold": ["malignant is predicted from a probability of 7 % on, chosen for a sensitivity of 95 % "
                               "(reached in cross-validation: 94.7 %)."],
        "costs_of_three": ["The class with the lowest expected cost is predicted."], "loans": []}
    for name, texts in expected.items():
        assert sheet_of(name).texts(".policy") == texts


@pytest.mark.parametrize("name", ["costs", "additive_refer"])
def test_the_share_of_referred_cases_and_the_error_on_the_rest(case, sheet_of, name):
    own, sheet = case(name), sheet_of(name)
    limit = own.rules["decisions"]["refer"]
    shares = sheet.page.evaluate("""count => Array.from({length: count}, (_, i) => {
      document.getElementById('row-number').value = i + 1;
      document.getElementById('take-row').click();
      return document.getElementById('decision').dataset.probabilities.split(' ').map(Number);
    })""", len(own.rows))
    rest = [i for i, row in enumerate(own.rows)
            if max(shares[i]) >= limit and any(score > 0 for score in rule_scores(own.rules, row))]
    wrong = sum(own.decisions[i].name != own.rows[i][own.target] for i in rest)
    text = sheet.page.inner_text("#summary")
    assert f"{rounded(100 * (1 - len(rest) / len(own.rows)), 1)} %\nreferred to a person" in text
    assert f"error on the rest: {rounded(100 * wrong / len(rest), 1)} %" in text
    sheet.page.select_option("#filter-referred", "0")
    assert [index for index, *_ in sheet.table()] == rest
    sheet.page.select_option("#filter-referred", "1")
    assert all("to a person" in cells for cells in sheet.table())


def test_the_class_of_interest_has_the_stronger_colour(case, sheet_of):
    sheet = sheet_of("costs")
    colours = sheet.page.eval_on_selector_all("#rules .group h3", """all => all.map(e =>
      [e.textContent, e.querySelector('.swatch')?.classList[1]])""")
    assert colours[:2] == [["malignant", "k1"], ["benign", "k-pale"]]


@pytest.mark.parametrize("name", ADDITIVE)
def test_additive_cards_have_signed_effects(case, sheet_of, name):
    own, sheet = case(name), sheet_of(name)
    positive = own.rules.get("decisions", {}).get("positive")
    for number, rule in enumerate(own.rules["rules"], 1):
        down = len(own.classes) == 2 and rule["then"] != positive
        effect = sheet.page.locator(f"#rule-{number} .effect")
        value = -rule["weight"] if down else rule["weight"]
        assert float(effect.get_attribute("data-effect")) == value
        text = effect.inner_text()
        assert f"{'−' if down else '+'}{rule['weight']:.1f}" in text
        assert f"for {positive if len(own.classes) == 2 else rule['then']}" in text
        assert f"odds times {float(f'{math.exp(value):.2g}'):g})" in text


def effects(sheet) -> list[float]:
    return [float(text) for text in sheet.page.eval_on_selector_all(
        ".effects li", "all => all.map(e => e.dataset.effect)")]


@pytest.mark.parametrize("name", ["additive_two", "additive_costs", "scorecard"])
def test_effects_of_a_case_add_up_to_its_probability(case, sheet_of, name):
    own, sheet = case(name), sheet_of(name)
    positive = own.rules["decisions"]["positive"]
    biases = [own.rules["biases"].get(one, 0) for one in own.classes]
    c = own.classes.index(positive)
    for number in range(1, len(own.rows), 37):
        sheet.take(number)
        start, *parts, total = effects(sheet)
        scores = rule_scores(own.rules, own.rows[number - 1])
        signed = [score if rule["then"] == positive else -score
                  for score, rule in zip(scores, own.rules["rules"], strict=True) if score > 0]
        assert start == pytest.approx(biases[c] - biases[1 - c])
        assert sorted(parts) == pytest.approx(sorted(signed))
        assert total == pytest.approx(start + sum(signed))
        probability = 1 / (1 + math.exp(-total))
        assert f"This sum is a probability of {fine(probability)} for {positive}." in sheet.page.inner_text("#details")


def test_sums_of_three_classes_are_listed(case, sheet_of):
    own, sheet = case("additive"), sheet_of("additive")
    for number in range(1, len(own.rows), 20):
        sheet.take(number)
        sums = np.array([own.rules["biases"].get(one, 0) for one in own.classes], dtype=float)
        for rule, score in zip(own.rules["rules"], rule_scores(own.rules, own.rows[number - 1]), strict=True):
            sums[own.classes.index(rule["then"])] += score
        assert effects(sheet) == pytest.approx(sorted(sums, reverse=True))
        texts = sheet.texts(".effects .number")
        for text, share in zip(texts, sorted(softmax(sums), reverse=True), strict=True):
            assert text.endswith(f" → {fine(share)}")


def risk(total: int) -> float:
    return 1 / (1 + math.exp(-(cases.START + cases.NATS_PER_POINT * total)))


def test_ticking_a_scorecard_adds_points_and_shows_the_risk(sheet_of):
    sheet = sheet_of("scorecard")
    points = list(cases.POINTS.values())
    assert sheet.texts(".ticks .points") == ["+4", "+2", "−3", "+1"]
    for ticked in itertools.product((False, True), repeat=4):
        for r, tick in enumerate(ticked):
            sheet.page.set_checked(f"#tick-{r}", tick)
        total = sum(point for point, tick in zip(points, ticked, strict=True) if tick)
        score = sheet.page.locator("#score")
        assert int(score.get_attribute("data-total")) == total
        assert float(score.get_attribute("data-risk")) == pytest.approx(risk(total), abs=1e-15)
        decision = "stroke" if risk(total) >= 0.25 else "none"
        unit = "point" if abs(total) == 1 else "points"
        assert score.inner_text() == f"{total} {unit}: the risk of stroke is {rough(risk(total))}; decision: {decision}".replace("-", "−")
        assert sheet.texts(".risks [aria-current] th") == [str(total).replace("-", "−")]
    sheet.page.click("#untick")
    assert sheet.page.get_attribute("#score", "data-total") == "0"


def test_the_table_of_a_scorecard_has_every_total(sheet_of):
    rows = sheet_of("scorecard").page.eval_on_selector_all(
        ".risks tbody tr", "all => all.map(e => [...e.cells].map(cell => cell.textContent))")
    expected = [[str(total).replace("-", "−"), rough(risk(total)), "stroke" if risk(total) >= 0.25 else "none"]
                for total in range(-3, 8)]
    assert rows == expected


def test_the_risk_of_a_row_is_that_of_its_points(case, sheet_of):
    own, sheet = case("scorecard"), sheet_of("scorecard")
    for number in range(1, 60, 3):
        sheet.take(number)
        row = own.rows[number - 1]
        true = {"age": row["age"] != "" and int(row["age"]) >= 65, "pressure": int(row["pressure"]) >= 140,
                "sport": row["sport"] == "much", "smoker": row["smoker"] == "yes"}
        total = sum(points for name, points in cases.POINTS.items() if true[name])
        shares = sheet.page.get_attribute("#decision", "data-probabilities").split()
        assert float(shares[1]) == pytest.approx(risk(total), abs=1e-12)
        unit = "point" if abs(total) == 1 else "points"
        assert f"sum, {total} {unit}".replace("-", "−") in sheet.page.inner_text("#details")


def test_a_model_without_rules_says_what_is_missing(sheet_of):
    summary = sheet_of("no_rules").page.inner_text("#summary")
    assert "This model has no rules" in summary
    assert "Classes in the training rows: no 33.3 % and yes 66.7 %." in summary
    for command in ("--objective risk", "--semantics additive", "--price 0 --price-rate 0"):
        assert f"frr train DATA.csv {command}" in summary
    assert "right" not in summary


def test_risks_near_0_and_1_share_a_line(case, open_page, tmp_path):
    """With 2 nats per point and a start of -3, totals below -1 and above 4 are nearly certain."""
    own = case("scorecard")
    model = {**own.rules, "nats_per_point": 2}
    model["rules"] = [{**rule, "weight": 2 * abs(rule["points"])} for rule in model["rules"]]
    path = tmp_path / "model.json"
    path.write_text(json.dumps(model))
    sheet = open_page(report("steep", path, own.data))
    rows = sheet.page.eval_on_selector_all(
        ".risks tbody tr", "all => all.map(e => [...e.cells].map(cell => cell.textContent))")
    assert [row[0] for row in rows] == ["−2 or less", "−1", "0", "1", "2", "3", "4", "5 or more"]
    assert rows[0][1] == fine(1 / (1 + math.exp(7)))
    assert rows[-1][1] == "above 99 %"
    sheet.page.check("#tick-2")  # −3 points
    assert sheet.texts(".risks [aria-current] th") == ["−2 or less"]
