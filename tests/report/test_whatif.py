"""A case that is changed by hand is decided as the program decides the changed row."""

import random
import re
from collections import Counter

import pytest
from inference import is_missing, membership, rule_scores
from program import Case, Decision, rounded
from test_same_decisions import same

# Each story: [row, [[feature, kind, value], ...]]. Returns the decision at its end and the contents
# of the number fields.
PLAY = """stories => stories.map(([row, edits]) => {
  const byId = id => document.getElementById(id);
  const dispatch = (element, ...events) => events.forEach(
    event => element.dispatchEvent(new Event(event, {bubbles: true})));
  byId('row-number').value = row;
  byId('take-row').click();
  for (const [feature, kind, value] of edits) {
    const slider = byId(`input-${feature}-slider`);
    const own = kind === 'slider' ? slider : byId(`input-${feature}`);
    if (kind === 'missing') {
      byId(`input-${feature}-missing`).click();
      continue;
    }
    own.value = kind === 'slider' ? Number(slider.min) + value * (slider.max - slider.min) : value;
    dispatch(own, 'input', 'change');
  }
  const {class: name, rule, probability} = byId('decision').dataset;
  return [[name, Number(rule), Number(probability)], edits.map(edit => byId(`input-${edit[0]}`).value)];
})"""

NEVER_SEEN = "a value that no rule knows"


def random_edit(own: Case, rng: random.Random, f: int, present: str) -> tuple[str, object]:
    feature = own.rules["features"][own.features[f]]
    if rng.random() < 0.2 and not is_missing(present):
        return "missing", None
    if feature["type"] == "numeric":
        low, high = feature["range"]
        if rng.random() < 0.5:
            return "slider", rng.random()
        return "number", repr(rng.uniform(low - (high - low) / 5, high + (high - low) / 5))
    if rng.random() < 0.2:
        return "category", "other"
    return "category", str(rng.randrange(len(feature["categories"])))


def new_value(own: Case, f: int, kind: str, value, shown: str) -> str:
    """The changed row, computed from the changes."""
    if kind == "missing":
        assert shown == ""
        return ""
    if kind == "slider":
        low, high = own.rules["features"][own.features[f]]["range"]
        assert min(low, float(shown)) <= float(shown) <= max(high, float(shown))
        return shown
    if kind == "number":
        assert float(shown) == float(value)
        return value
    assert shown == value
    return NEVER_SEEN if value == "other" else own.rules["features"][own.features[f]]["categories"][int(value)]


@pytest.mark.parametrize("name", ["loans", "breast_cancer", "mixed", "unknown", "odd_names",
                                  "additive_mixed", "hamacher_mixed"])
def test_changed_values_are_decided_as_by_the_program(case, sheet_of, name):
    own = case(name)
    rng = random.Random(name)
    stories = []
    for _ in range(80):
        row = rng.randrange(len(own.rows))
        chosen = rng.sample(range(len(own.features)), min(3, len(own.features)))
        stories.append([row + 1, [[f, *random_edit(own, rng, f, own.rows[row][own.features[f]])]
                                  for f in chosen]])
    answers = sheet_of(name).page.evaluate(PLAY, stories)
    rows = []
    for (number, edits), (_, shown) in zip(stories, answers, strict=True):
        row = dict(own.rows[number - 1])
        for (f, kind, value), text in zip(edits, shown, strict=True):
            row[own.features[f]] = new_value(own, f, kind, value, text)
        rows.append(row)
    same([Decision(*decision) for decision, _ in answers], own.predict_rows(rows))
    changed = [a.name != own.decisions[number - 1].name for (number, _), a in
               zip(stories, own.predict_rows(rows), strict=True)]
    assert any(changed)  # otherwise the test would show nothing


def shows_what_the_program_says(sheet, own: Case) -> dict[str, str]:
    row = sheet.present_row()
    same([sheet.decision()], own.predict_rows([row]))
    return row


def test_keys_move_a_slider(cancer, sheet_of):
    sheet = sheet_of("breast_cancer")
    rows, decisions = [], []
    for f in range(0, len(cancer.features), 3):
        sheet.take(14)
        slider = sheet.page.locator(f"#input-{f}-slider")
        values = [sheet.value(f"#input-{f}")]
        for key in ("ArrowRight", "ArrowRight", "PageUp", "End", "ArrowLeft", "Home"):
            slider.press(key)
            values.append(sheet.value(f"#input-{f}"))
            assert float(values[-1]) == float(slider.input_value())
            assert values[-1] != values[-2], key
            rows.append(sheet.present_row())
            decisions.append(sheet.decision())
    same(decisions, cancer.predict_rows(rows))
    assert len({decision.name for decision in decisions}) == 2


def test_typing_a_number(loans, sheet_of):
    sheet = sheet_of("loans")
    sheet.take(2)
    income = loans.features.index("income")
    field = sheet.page.locator(f"#input-{income}")
    for text in ("40.2", "19.22", "1e2", "-5", "0", "00039.7"):
        type_into(sheet, f"#input-{income}", text)
        assert sheet.value(f"#input-{income}") == text  # the field does not change while it is edited
        shows_what_the_program_says(sheet, loans)
    field.press("Tab")
    assert sheet.value(f"#input-{income}") == "39.7"
    assert float(sheet.value(f"#input-{income}-slider")) == pytest.approx(39.7, abs=0.1)


def type_into(sheet, selector: str, text: str) -> None:
    """Types as a user does, over the old text."""
    sheet.page.click(selector)
    sheet.page.keyboard.press("Control+a")
    sheet.page.keyboard.press("Delete")
    sheet.page.keyboard.type(text)


def test_a_comma_is_a_point(loans, sheet_of):
    sheet = sheet_of("loans")
    sheet.take(2)
    income = loans.features.index("income")
    type_into(sheet, f"#input-{income}", "40,2")
    same([sheet.decision()], loans.predict_rows([{**loans.rows[1], "income": "40.2"}]))
    sheet.page.keyboard.press("Tab")
    assert sheet.value(f"#input-{income}") == "40.2"


@pytest.mark.parametrize("text", ["", "-", "many", "1.234,5", "1 000", "1e999", "Infinity", "NaN"])
def test_a_text_that_is_not_a_number_changes_nothing_and_gives_a_hint(loans, sheet_of, text):
    sheet = sheet_of("loans")
    before = sheet.take(2)
    income = loans.features.index("income")
    field = f"#input-{income}"
    sheet.page.fill(field, text)
    assert sheet.decision() == before
    assert sheet.page.get_attribute(field, "aria-invalid") == "true"
    assert sheet.page.inner_text(f"{field}-hint") == "Not a number: 23.2 is used."
    sheet.page.locator(field).press("Tab")
    assert sheet.value(field) == "23.2"
    assert sheet.page.get_attribute(field, "aria-invalid") is None
    assert sheet.page.inner_text(f"{field}-hint") == ""
    assert sheet.page.is_disabled("#undo")


def test_a_number_outside_the_data_gives_a_hint(loans, sheet_of):
    sheet = sheet_of("loans")
    sheet.take(2)
    income = loans.features.index("income")
    values = [float(row["income"]) for row in loans.rows]
    for text, outside in (("1000", True), ("-3", True), ("23.2", False), (str(max(values)), False)):
        sheet.page.fill(f"#input-{income}", text)
        hint = sheet.page.inner_text(f"#input-{income}-hint")
        assert (hint == f"Outside the data, which ranges from {min(values):g} to {max(values):g}.") == outside
        shows_what_the_program_says(sheet, loans)


def test_choosing_a_category(loans, sheet_of):
    sheet = sheet_of("loans")
    work = loans.features.index("work")
    for name in ("none", "own", "salary"):
        sheet.take(2)
        sheet.page.select_option(f"#input-{work}", label=name)
        assert shows_what_the_program_says(sheet, loans)["work"] == name
    sheet.page.select_option(f"#input-{work}", "other")
    assert shows_what_the_program_says(sheet, loans)["work"] not in ("none", "own", "salary")


def test_a_category_without_label_is_shown_and_kept(case, sheet_of):
    own, sheet = case("unknown"), sheet_of("unknown")
    ward = own.features.index("ward")
    known = own.rules["features"]["ward"]["categories"]
    number = next(i + 1 for i, row in enumerate(own.rows) if row["ward"] not in (*known, ""))
    sheet.take(number)
    assert shows_what_the_program_says(sheet, own)["ward"] == own.rows[number - 1]["ward"]
    sheet.page.select_option(f"#input-{ward}", label="south")
    assert shows_what_the_program_says(sheet, own)["ward"] == "south"
    sheet.page.select_option(f"#input-{ward}", "other")
    assert shows_what_the_program_says(sheet, own)["ward"] == own.rows[number - 1]["ward"]


def test_ticking_missing_and_back(case, sheet_of):
    own, sheet = case("mixed"), sheet_of("mixed")
    number = next(i + 1 for i, row in enumerate(own.rows) if all(row.values()))
    before = sheet.take(number)
    for f, feature in enumerate(own.features):
        sheet.page.check(f"#input-{f}-missing")
        assert shows_what_the_program_says(sheet, own)[feature] == ""
        sheet.page.uncheck(f"#input-{f}-missing")
        row = shows_what_the_program_says(sheet, own)
        assert [row[name] for name in own.features if not own.is_numeric(name)] == [
            own.rows[number - 1][name] for name in own.features if not own.is_numeric(name)]
        assert sheet.decision() == before


def test_typing_or_choosing_replaces_a_missing_value(case, sheet_of):
    own, sheet = case("mixed"), sheet_of("mixed")
    for f, feature in enumerate(own.features):
        sheet.take(next(i + 1 for i, row in enumerate(own.rows) if row[feature] == ""))
        assert sheet.page.is_checked(f"#input-{f}-missing")
        if own.is_numeric(feature):
            sheet.page.fill(f"#input-{f}", "3")
        else:
            sheet.page.select_option(f"#input-{f}", "0")
        assert not sheet.page.is_checked(f"#input-{f}-missing")
        shows_what_the_program_says(sheet, own)


@pytest.mark.parametrize("name", ["loans", "mixed", "breast_cancer"])
def test_the_typical_case(case, sheet_of, name):
    own, sheet = case(name), sheet_of(name)
    first = sheet.present_row()  # the page begins with it
    sheet.take(3)
    sheet.page.click("#typical")
    row = shows_what_the_program_says(sheet, own)
    assert row == first
    for feature in own.features:
        values = [one[feature] for one in own.rows if one[feature]]
        if own.is_numeric(feature):
            middle = float(row[feature])
            assert sum(float(v) < middle for v in values) <= len(values) / 2
            assert sum(float(v) > middle for v in values) <= len(values) / 2
        else:
            counts = Counter(values)
            assert counts[row[feature]] == max(counts.values())


def test_undo_reverts_one_applied_change_at_a_time(loans, sheet_of):
    sheet = sheet_of("loans")
    start = sheet.take(2)
    assert sheet.page.is_disabled("#undo")
    cases = [sheet.present_row()]
    for _ in range(3):
        sheet.page.locator("button.apply").first.click()
        cases.append(shows_what_the_program_says(sheet, loans))
        assert sheet.page.evaluate("() => document.activeElement.id") == "decision"
    assert cases[1] != cases[0]
    for expected in reversed(cases[:-1]):
        sheet.page.click("#undo")
        assert sheet.present_row() == expected
    assert sheet.page.is_disabled("#undo")
    assert sheet.page.evaluate("() => document.activeElement.id") == "decision"
    assert sheet.decision() == start


def test_undo_reverts_every_kind_of_change(loans, sheet_of):
    sheet = sheet_of("loans")
    start = sheet.take(2)
    income, debt, work = map(loans.features.index, ("income", "debt", "work"))
    cases = [sheet.present_row()]

    def then(action) -> None:
        action()
        sheet.page.evaluate("() => document.activeElement.blur()")
        cases.append(shows_what_the_program_says(sheet, loans))

    then(lambda: sheet.page.locator("button.apply").first.click())
    then(lambda: type_into(sheet, f"#input-{income}", "45"))
    then(lambda: sheet.page.select_option(f"#input-{work}", label="none"))
    then(lambda: sheet.page.locator(f"#input-{debt}-slider").press("End"))
    then(lambda: sheet.page.check(f"#input-{income}-missing"))
    assert len({tuple(one.items()) for one in cases}) == 6
    for expected in reversed(cases[:-1]):
        sheet.page.click("#undo")
        assert sheet.present_row() == expected
    assert sheet.page.is_disabled("#undo")
    assert sheet.decision() == start


def test_reset_goes_back_to_the_start(loans, sheet_of):
    sheet = sheet_of("loans")
    start = sheet.take(2)
    row, origin = sheet.present_row(), sheet.page.inner_text("#origin")
    sheet.page.locator("button.apply").first.click()
    sheet.page.fill(f"#input-{loans.features.index('debt')}", "50")
    sheet.page.check(f"#input-{loans.features.index('work')}-missing")
    assert sheet.present_row() != row
    assert "Changed: " in sheet.page.inner_text("#origin")
    sheet.page.click("#reset")
    assert sheet.present_row() == row
    assert sheet.decision() == start
    assert sheet.page.is_disabled("#undo")
    assert sheet.page.inner_text("#origin") == origin


def test_previous_and_next_wrap_around(loans, sheet_of):
    sheet = sheet_of("loans")
    sheet.take(399)
    for number in (400, 1, 2):
        sheet.page.click("#next-row")
        assert sheet.value("#row-number") == str(number)
        assert sheet.page.inner_text("#origin").startswith(f"Row {number} of the data.")
        same([sheet.decision()], [loans.decisions[number - 1]])
    for number in (1, 400):
        sheet.page.click("#previous-row")
        assert sheet.value("#row-number") == str(number)
        same([sheet.decision()], [loans.decisions[number - 1]])


def test_a_row_by_its_number_and_enter(loans, sheet_of):
    sheet = sheet_of("loans")
    sheet.page.click("#row-number")
    sheet.page.keyboard.press("Control+a")
    sheet.page.keyboard.type("17")
    sheet.page.keyboard.press("Enter")
    assert sheet.page.inner_text("#origin").startswith("Row 17 of the data.")
    same([sheet.decision()], [loans.decisions[16]])


def test_the_true_class_of_a_row_and_the_changes_are_shown(loans, sheet_of):
    sheet = sheet_of("loans")
    for number in (1, 2, 3, 4, 5, 6, 7, 8):
        decision = sheet.take(number)
        truth = loans.rows[number - 1]["decision"]
        actual = "rightly" if truth == decision.name else "wrongly"
        assert sheet.page.inner_text("#origin") == (
            f"Row {number} of the data. In the data, decision is {truth}: decided {actual}.")
    sheet.take(2)
    sheet.page.fill(f"#input-{loans.features.index('income')}", "40.5")
    sheet.page.select_option(f"#input-{loans.features.index('work')}", label="none")
    sheet.page.check(f"#input-{loans.features.index('home')}-missing")
    assert sheet.page.inner_text("#origin").endswith(
        " Changed: income from 23.2 to 40.5, work from own to none and home from owner to missing.")


@pytest.mark.parametrize("text", ["0", "401", "-3", "1.5", ""])
def test_a_row_number_outside_the_data(loans, sheet_of, text):
    sheet = sheet_of("loans")
    before = sheet.take(5)
    sheet.page.fill("#row-number", text)
    sheet.page.click("#take-row")
    assert "give a number from 1 to 400" in sheet.page.inner_text("#origin")
    assert sheet.decision() == before


@pytest.mark.parametrize("name", ["breast_cancer", "mixed", "hamacher_mixed", "root_additive"])
def test_the_strength_of_every_rule(case, sheet_of, name):
    own, sheet = case(name), sheet_of(name)
    for number in range(1, len(own.rows), len(own.rows) // 6):
        decision = sheet.take(number)
        shown = sheet.page.eval_on_selector_all("#strengths li", """all => all.map(e =>
          [Number(e.dataset.rule), Number(e.dataset.score), e.textContent, !e.closest('details')])""")
        scores = rule_scores(own.rules, own.rows[number - 1])
        # The strongest first, equal ones in their order; rules that are not true are collapsed.
        values = [score for _, score, _, _ in shown]
        assert values == sorted(values, reverse=True)
        assert sorted(rule for rule, _, _, _ in shown) == list(range(1, len(scores) + 1))
        for rule, score, text, open_ in shown:
            assert score == pytest.approx(scores[rule - 1], rel=1e-12, abs=1e-15)
            assert open_ == (score > 0)
            assert score < 0.01 or f"{rounded(score, 3)}" in text
            if not own.is_additive:
                assert ("decides" in text) == (rule == decision.rule)


def test_the_degrees_of_labels(loans, sheet_of):
    sheet = sheet_of("loans")
    for number in (1, 2, 3, 77):
        sheet.take(number)
        for f, feature in enumerate(loans.features):
            text = sheet.page.inner_text(f"#input-{f}-memberships")
            value = loans.rows[number - 1][feature]
            if not loans.is_numeric(feature):
                assert text == ""  # a category has no degrees
                continue
            for label in loans.rules["features"][feature]["labels"]:
                share = re.search(rf"\b{label} (below |above |)(\d+) %", text)
                degree = 100 * membership(loans.rules["features"][feature], label, value)
                assert abs(float(share.group(2)) - degree) <= (1 if share.group(1) else 0.5)
                assert bool(share.group(1)) == (0 < degree < 0.5 or 99.5 < degree < 100)
