"""The page decides every row as the program does."""

import json

import cases
import pytest
from inference import is_missing, rule_scores
from program import Case, Decision, frr, rounded

EVERY = (*cases.BUILT_IN, *cases.BENCHMARKS, *cases.INFERENCES, *cases.POLICIES, *cases.MADE_UP)


def same(page: list[Decision], program: list[Decision]) -> None:
    assert [(one.name, one.rule) for one in page] == [(one.name, one.rule) for one in program]
    assert [one.probability for one in page] == pytest.approx(
        [one.probability for one in program], rel=0, abs=1e-9)


@pytest.mark.parametrize("name", EVERY)
def test_every_row_has_the_programs_class_rule_and_probability(case, sheet_of, name):
    own, sheet = case(name), sheet_of(name)
    same(sheet.open_rows(list(range(1, len(own.rows) + 1))), own.decisions)


ALL_PROBABILITIES = """numbers => {
  const decision = document.getElementById('decision');
  return numbers.map(number => {
    document.getElementById('row-number').value = number;
    document.getElementById('take-row').click();
    return [decision.dataset.probabilities.split(' ').map(Number), decision.dataset.referred === 'true'];
  });
}"""


@pytest.mark.parametrize("name", [*cases.POLICIES, "additive", "additive_mixed", "root_additive", "scorecard",
                                  "breast_cancer", "mixed", "unknown", "no_rules", "odd_numbers"])
def test_every_row_has_all_probabilities_and_is_referred_as_by_the_program(case, sheet_of, name):
    own, sheet = case(name), sheet_of(name)
    found = sheet.page.evaluate(ALL_PROBABILITIES, list(range(1, len(own.rows) + 1)))
    rows = json.loads(frr("predict", own.model, own.data, "--json", "--quiet", "--proba").ok().out)["rows"]
    refer = own.rules.get("decisions", {}).get("refer", 0)
    count = 0
    for (shares, referred), expected, row in zip(found, rows, own.rows, strict=True):
        actual = [expected["probabilities"][one] for one in own.classes]
        assert shares == pytest.approx(actual, rel=0, abs=1e-12)
        assert sum(shares) == pytest.approx(1)
        unclear = max(actual) < refer or not any(score > 0 for score in rule_scores(own.rules, row))
        assert referred == (refer > 0 and unclear)
        count += referred
    assert sheet.data()["data"].get("referred", {"rows": 0})["rows"] == count
    assert (count > 0) == (refer > 0)


def expected_row(own: Case, index: int) -> list[str]:
    """The cells of a row, without those of features."""
    decision, truth = own.decisions[index], own.rows[index][own.target]
    known = truth in own.classes
    return [f"{index + 1:,}", decision.name, truth if known else "unknown",
            ("right" if truth == decision.name else "wrong") if known else "–",
            str(decision.rule or "ELSE"), f"{rounded(100 * decision.probability, 1)} %"]


def same_cell(own: Case, feature: str, text: str, cell: str) -> bool:
    if is_missing(text):
        return cell == "–"
    return float(text) == float(cell) if own.is_numeric(feature) else text == cell


@pytest.mark.parametrize("name", ["breast_cancer", "loans", "mixed", "unknown", "odd_names",
                                  "odd_numbers", "no_rules", "additive_mixed", "titanic"])
def test_the_table_shows_every_row_as_it_is_and_as_it_is_decided(case, sheet_of, name):
    own, sheet = case(name), sheet_of(name)
    rule = "strongest rule" if own.is_additive else "rule"
    assert sheet.head() == ["row", "decided as", own.target, "right", rule, "probability",
                            *own.features]
    table = sheet.table()
    assert [index for index, *_ in table] == list(range(len(own.rows)))
    for index, *cells in table:
        assert cells[:6] == expected_row(own, index)
        for feature, cell in zip(own.features, cells[6:], strict=True):
            assert same_cell(own, feature, own.rows[index][feature], cell), (index, feature, cell)


def test_the_cases_cover_what_they_are_meant_to(case):
    """Ensures that a change of the learner does not make these tests vacuous."""
    for name, (_, options) in cases.INFERENCES.items():
        how = case(name).rules["inference"]
        for option, value in zip(options[::2], options[1::2], strict=True):
            if option[2:] in how:
                assert str(how[option[2:]]) == value
        assert any(len(rule["if"]) > 1 for rule in case(name).rules["rules"]), name
    unknown = case("unknown")
    assert "ward" in unknown.features
    assert any("missing" in feature for feature in unknown.rules["features"].values())
    assert {decision.rule for decision in case("no_rules").decisions} == {0}
    assert {"1", "__proto__", "constructor"} <= set(case("odd_names").features)
