"""One self-contained file that shows the model and the data correctly."""

import re

import cases
import pytest
from inference import rule_scores
from program import frr, rounded


@pytest.mark.parametrize("name", ["breast_cancer", "loans", "unknown", "no_rules", "odd_numbers"])
def test_it_opens_from_a_file_and_asks_for_nothing_else(case, open_page, name):
    sheet = open_page(case(name))
    sheet.page.wait_for_load_state("networkidle")
    assert [url for url in sheet.requests if not url.startswith("data:")] == [sheet.address]
    assert sheet.complaints == []
    assert sheet.page.title() == f"{case(name).target}: the rules that decide"
    assert sheet.decision().name in case(name).classes


def test_only_the_script_and_style_of_the_page_may_run(cancer, open_page):
    html = cancer.page.read_text()
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', html).group(1)
    assert "default-src 'none'" in policy
    assert re.search(r"script-src 'sha256-[\w+/]{43}='(;|$)", policy)
    assert "unsafe" not in policy
    assert "http" not in re.sub(r'http-equiv|http://www\.w3\.org/2000/svg', "", html.split("frr-data")[0])
    # The policy is in force: a script that slipped in does not run.
    sheet = open_page(cancer)
    sheet.page.evaluate("""() => {
      const script = document.createElement('script');
      script.textContent = 'window.slipped = 1';
      document.body.append(script);
      document.body.setAttribute('onclick', 'window.slipped = 2');
      document.body.click();
    }""")
    assert sheet.page.evaluate("() => window.slipped") is None
    assert len(sheet.complaints) == 2  # the browser reports that it refused both
    sheet.complaints.clear()


def test_without_scripts_the_rules_can_be_read(loans, open_page):
    sheet = open_page(loans, java_script_enabled=False)
    assert sheet.page.locator("h1").inner_text() == "decision"
    assert sheet.page.locator("noscript pre").inner_text().strip() == frr(
        "rules", loans.model).ok().out.strip()


def test_the_summary_says_what_is_predicted_from_what(cancer, sheet_of):
    sheet = sheet_of("breast_cancer")
    summary = sheet.page.locator("#summary").inner_text()
    right = sum(row["diagnosis"] == decision.name
                for row, decision in zip(cancer.rows, cancer.decisions, strict=True))
    assert sheet.texts("h1") == ["diagnosis"]
    assert f"by {len(cancer.rules['rules'])} rules that read {len(cancer.features)} of 30 columns" in summary
    assert f"{rounded(100 * right / 569, 1)} %" in summary
    assert "569" in summary
    assert "breast_cancer.csv" in summary
    assert "benign or malignant" in summary


def test_the_confusion_matrix_counts_what_the_program_predicts(case, sheet_of):
    for name in ("wine", "unknown"):
        own = case(name)
        counts = {(truth, decided): 0 for truth in own.classes for decided in own.classes}
        for row, decision in zip(own.rows, own.decisions, strict=True):
            if row[own.target] in own.classes:
                counts[row[own.target], decision.name] += 1
        expected = []
        for truth in own.classes:
            line = [counts[truth, decided] for decided in own.classes]
            share = 100 * counts[truth, truth] / sum(line)
            expected += [*(str(count or "·") for count in line), f"{rounded(share)} %"]
        sheet = sheet_of(name)
        assert sheet.texts("#summary .confusion thead th") == ["class ↓ decided as →", *own.classes, "right"]
        assert sheet.texts("#summary .confusion tbody th") == own.classes
        assert sheet.texts("#summary .confusion td") == expected


def test_rows_without_a_known_class_are_mentioned_but_not_counted(sheet_of):
    sheet = sheet_of("unknown")
    summary = sheet.page.locator("#summary").inner_text()
    assert "2 rows without a class that the model knows" in summary
    assert "never seen (1 row)" in summary
    assert "of 158 rows whose class the model knows" in summary



@pytest.mark.parametrize("name", ["breast_cancer", "loans", "unknown", "additive_mixed"])
def test_each_rule_is_a_card_with_its_counts_on_this_data(case, sheet_of, name):
    own, sheet = case(name), sheet_of(name)
    for number, rule in enumerate([own.rules["else"], *own.rules["rules"]]):
        card = sheet.page.locator(f"#rule-{number}")
        text = re.sub(r"\s+", " ", card.text_content())
        decided = [row for row, decision in zip(own.rows, own.decisions, strict=True)
                   if decision.rule == number]
        known = [row for row in decided if row[own.target] in own.classes]
        right = sum(row[own.target] == rule["then"] for row in known)
        for feature, label in rule.get("if", {}).items():
            assert f"{feature} is {label}" in text
        assert f"then {rule['then']}" in text
        rows = "1 row" if len(decided) == 1 else f"{len(decided)} rows"
        verb = "decides"
        if own.is_additive:
            verb = "strongest in" if number else "no rule for the class in"
        assert f"{verb} {rows} ({rounded(100 * (len(decided) / len(own.rows)))} %)" in text
        if known:
            assert f"right on {right} of {len(known)} ({rounded(100 * (right / len(known)))} %)" in text
        if number:
            true = [row for row in own.rows if rule_scores(own.rules, row)[number - 1] > 0]
            assert f"true of {len(true)} row" in text
            own_class = sum(row[own.target] == rule["then"] for row in true)
            assert f", {own_class} of them {rule['then']}" in text
        assert card.locator("button.select").is_disabled() == (not decided)


def test_cards_are_grouped_by_class(loans, sheet_of):
    groups = sheet_of("loans").page.eval_on_selector_all("#rules .group", """all => all.map(group =>
      [group.querySelector('h3').textContent, [...group.querySelectorAll('.card')].map(e => e.id)])""")
    expected = [[name, [f"rule-{r + 1}" for r, rule in enumerate(loans.rules["rules"])
                        if rule["then"] == name]] for name in loans.classes]
    assert groups == [*(one for one in expected if one[1]), ["All other cases", ["rule-0"]]]


@pytest.mark.parametrize("name", ["loans", "mixed"])
def test_histograms_count_every_row_by_class(case, sheet_of, name):
    own, sheet = case(name), sheet_of(name)
    for feature, given in zip(own.features, sheet.data()["features"], strict=True):
        assert given["name"] == feature
        for c, group in enumerate(own.classes):
            values = [row[feature] for row in own.rows if row[own.target] == group and row[feature]]
            counts = given["histogram"]["counts"] if own.is_numeric(feature) else given["counts"]
            assert sum(counts[c]) == len(values), (feature, group)
        assert given["missing"] == sum(not row[feature] for row in own.rows)
    drawn = sheet.page.eval_on_selector_all(".feature", """all => all.map(e =>
      [e.querySelector('h3').textContent, e.querySelectorAll('rect.bar, .categories li').length])""")
    assert [name for name, _ in drawn] == own.features
    assert all(count > 1 for _, count in drawn)


def test_every_label_that_a_rule_uses_is_explained(case, sheet_of):
    for name in cases.BUILT_IN:
        own = case(name)
        text = sheet_of(name).page.locator("#vocabulary").text_content()
        for rule in own.rules["rules"]:
            for feature, label in rule["if"].items():
                assert feature in text
                assert label in text
