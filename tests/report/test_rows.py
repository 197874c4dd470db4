"""The table of rows: filters, order, pages, and the way from a row to What if."""

import pytest
from program import Case
from test_same_decisions import same


def indices(sheet) -> list[int]:
    """The rows that the table shows now, on all its pages."""
    return [index for index, *_ in sheet.table()]


def with_truth(own: Case) -> list[tuple]:
    return [(i, decision, row[own.target]) for i, (row, decision) in
            enumerate(zip(own.rows, own.decisions, strict=True))]


@pytest.mark.parametrize("name", ["breast_cancer", "unknown"])
def test_filters_by_right_and_wrong(case, sheet_of, name):
    own, sheet = case(name), sheet_of(name)
    known = [(i, d.name == truth) for i, d, truth in with_truth(own) if truth in own.classes]
    sheet.page.select_option("#filter-right", label="wrong ones")
    assert indices(sheet) == [i for i, right in known if not right] != []
    sheet.page.select_option("#filter-right", label="right ones")
    assert indices(sheet) == [i for i, right in known if right]
    sheet.page.select_option("#filter-right", label="all rows")
    assert indices(sheet) == list(range(len(own.rows)))


@pytest.mark.parametrize("name", ["breast_cancer", "additive_mixed"])
def test_by_rule(case, sheet_of, name):
    own, sheet = case(name), sheet_of(name)
    options = sheet.page.eval_on_selector_all("#filter-rule option", "all => all.map(e => e.value)")
    assert options == ["", *map(str, range(len(own.rules["rules"]))), "-1"]
    for value in options[1:]:
        sheet.page.select_option("#filter-rule", value)
        expected = [i for i, d in enumerate(own.decisions) if d.rule == int(value) + 1]
        assert indices(sheet) == expected
        if not expected:
            assert sheet.page.inner_text("#page-text") == "No such row."


def test_by_class_and_all_filters_together(loans, sheet_of):
    sheet = sheet_of("loans")
    for c, name in enumerate(loans.classes):
        sheet.page.select_option("#filter-class", label=name)
        assert indices(sheet) == [i for i, d in enumerate(loans.decisions) if d.name == name]
        rule = next(r for r, rule in enumerate(loans.rules["rules"]) if rule["then"] == name)
        sheet.page.select_option("#filter-rule", str(rule))
        sheet.page.select_option("#filter-right", "0")
        assert indices(sheet) == [i for i, d, truth in with_truth(loans)
                                  if d.rule == rule + 1 and truth != name]
        other = loans.classes[(c + 1) % len(loans.classes)]
        sheet.page.select_option("#filter-class", label=other)  # which no row of this rule has
        assert indices(sheet) == []
        sheet.page.click("#filter-none")
        assert [sheet.value(f"#filter-{what}") for what in ("right", "rule", "class")] == [""] * 3
        assert len(indices(sheet)) == 400


def cells(sheet, column: int) -> list[str]:
    return [row[column + 1] for row in sheet.table()]


def to_number(text: str) -> float:
    return float(text.removesuffix(" %").replace(",", "").replace("ELSE", "0"))


def first_page(sheet) -> None:
    sheet.page.evaluate("""() => {
      const previous = document.getElementById('page-previous');
      while (!previous.disabled) previous.click();
    }""")


def press_title(sheet, column: int) -> None:
    sheet.page.evaluate("k => document.querySelectorAll('#rows-head button')[k].click()", column)


def test_order_by_every_column(case, sheet_of):
    own, sheet = case("unknown"), sheet_of("unknown")
    sheet.page.select_option("#filter-class", "0")  # fewer rows, still on several pages
    start = [row[1:] for row in sheet.table()]
    assert len(start) > 25
    first_page(sheet)
    numeric = {"row", "rule", "probability", *filter(own.is_numeric, own.features)}
    for column, title in enumerate(sheet.head()):
        missing = [row for row in start if row[column] == "–" or row[column] == "unknown"]
        present = [row for row in start if row not in missing]
        key = (lambda row, c=column: to_number(row[c])) if title in numeric else None
        for sign, word in ((1, "ascending"), (-1, "descending")):
            press_title(sheet, column)
            # The header is rebuilt, but its button keeps the focus.
            assert sheet.page.evaluate("() => document.activeElement.closest('th').cellIndex") == column
            head = sheet.page.locator(f"#rows-head th:nth-child({column + 1})")
            assert head.get_attribute("aria-sort") == word
            rows = [row[1:] for row in sheet.table()]
            first_page(sheet)
            assert sorted(rows) == sorted(start)
            assert rows[len(present):] == missing  # those without a value come last, in the order of the table
            if key:
                values = [key(row) for row in rows[:len(present)]]
                assert values == sorted(values, reverse=sign < 0)
            if title in ("row", own.target, "decided as", *own.features):
                # Equal ones stay in the order of the table.
                expected = sorted(present, key=key or (lambda row, c=column: row[c].casefold()),
                                  reverse=sign < 0)
                if title != "ward":  # whose names a language may sort differently from their bytes
                    assert rows[:len(present)] == expected
        press_title(sheet, column)
        assert [row[1:] for row in sheet.table()] == start
        first_page(sheet)
        assert sheet.page.locator("#rows-head th[aria-sort=none]").count() == len(sheet.head())


def test_pages(case, sheet_of):
    own, sheet = case("wine"), sheet_of("wine")
    assert len(own.rows) == 178
    for page in range(8):
        first, last = 25 * page + 1, min(178, 25 * page + 25)
        assert sheet.page.inner_text("#page-text") == f"{first}–{last} of 178 rows"
        shown = sheet.page.eval_on_selector_all("#rows-body tr", "all => all.map(e => +e.dataset.index)")
        assert shown == list(range(first - 1, last))
        assert sheet.page.is_disabled("#page-previous") == (page == 0)
        assert sheet.page.is_disabled("#page-next") == (page == 7)
        if page < 7:
            sheet.page.click("#page-next")
    sheet.page.click("#page-previous")
    assert sheet.page.inner_text("#page-text") == "151–175 of 178 rows"
    sheet.page.select_option("#filter-class", "0")  # starts at the first page again
    assert sheet.page.inner_text("#page-text").startswith("1–25 of ")


def opened(sheet, own: Case, index: int) -> None:
    assert sheet.value("#row-number") == str(index + 1)
    same([sheet.decision()], [own.decisions[index]])
    assert sheet.page.evaluate("() => document.activeElement.id") == "decision"
    sheet.page.wait_for_function("""() => {
      const {top, bottom} = document.getElementById('decision').getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    }""")


def test_a_click_on_a_row_opens_it_in_what_if(cancer, sheet_of):
    sheet = sheet_of("breast_cancer")
    sheet.page.click("#page-next")
    sheet.page.click("#rows-body tr[data-index='30'] td:nth-child(3)")
    opened(sheet, cancer, 30)
    sheet.page.select_option("#filter-right", "0")
    wrong = [i for i, d, truth in with_truth(cancer) if d.name != truth]
    sheet.page.click(f"#rows-body tr[data-index='{wrong[2]}'] .open")
    opened(sheet, cancer, wrong[2])


def test_the_button_of_a_row_opens_it_by_keyboard(cancer, sheet_of):
    sheet = sheet_of("breast_cancer")
    for index, key in ((7, "Enter"), (8, "Space")):
        sheet.page.focus(f"#rows-body tr[data-index='{index}'] .open")
        sheet.page.keyboard.press(key)
        opened(sheet, cancer, index)


@pytest.mark.parametrize("name", ["breast_cancer", "unknown"])
def test_a_card_chooses_the_rows_of_its_rule(case, sheet_of, name):
    own, sheet = case(name), sheet_of(name)
    sheet.page.select_option("#filter-class", "0")  # the card must reset other filters
    for number in range(len(own.rules["rules"]) + 1):
        button = sheet.page.locator(f"#rule-{number} button.select")
        expected = [i for i, d in enumerate(own.decisions) if d.rule == number]
        if not expected:
            assert button.is_disabled()
            continue
        button.click()
        assert indices(sheet) == expected
        assert sheet.page.evaluate("() => document.activeElement.id") == "rows-title"
        assert sheet.value("#filter-rule") == str(number - 1)
        pressed = sheet.page.eval_on_selector_all(
            "#rules button.select[aria-pressed=true]", "all => all.map(e => +e.dataset.rule)")
        assert pressed == [number - 1]
    sheet.page.click("#filter-none")
    assert sheet.page.locator("#rules button.select[aria-pressed=true]").count() == 0


def test_a_second_press_clears_the_rule(cancer, sheet_of):
    sheet = sheet_of("breast_cancer")
    for count in (1, 0):
        sheet.page.click("#rule-1 button.select")
        assert sheet.page.locator("#rules button.select[aria-pressed=true]").count() == count
        assert (sheet.value("#filter-rule") == "") == (count == 0)
    assert len(indices(sheet)) == 569


def test_back_leads_back(cancer, sheet_of):
    sheet = sheet_of("breast_cancer")
    sheet.page.click("nav a[href='#rules']")
    sheet.page.click("#rule-1 button.select")
    assert sheet.page.evaluate("() => location.hash") == "#rows"
    sheet.page.go_back()
    assert sheet.page.evaluate("() => location.hash") == "#rules"
    assert sheet.value("#filter-rule") == "0"  # the same page, as it was


def test_the_filter_marks_the_card(cancer, sheet_of):
    sheet = sheet_of("breast_cancer")
    sheet.page.select_option("#filter-rule", "2")
    assert sheet.page.locator("#rule-3.chosen").count() == 1
    sheet.page.select_option("#filter-rule", "")
    assert sheet.page.locator(".card.chosen").count() == 0
