"""Accessibility: by keyboard only, and according to axe-core."""

import pytest

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")

# One example per passed check is enough: that is twice as fast.
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
         "resultTypes": ["violations"]}


def is_in_order(sheet) -> None:
    results = axe.Axe().run(sheet.page, options=RULES).response
    assert len(results["passes"]) > 40  # it has checked something
    assert [(one["id"], one["nodes"][0]["html"], one["nodes"][0]["failureSummary"])
            for one in results["violations"]] == []


@pytest.mark.parametrize(("name", "width", "scheme"), [
    ("breast_cancer", 1280, "light"), ("breast_cancer", 1280, "dark"),
    ("breast_cancer", 360, "light"), ("breast_cancer", 360, "dark"), ("unknown", 360, "dark"),
    ("scorecard", 360, "dark")])
def test_axe_finds_nothing(sheet_of, name, width, scheme):
    sheet = sheet_of(name, width, scheme)
    sheet.page.locator("button.select:enabled").first.click()
    sheet.page.select_option("#filter-right", "0")  # rows in the colour of mistakes
    sheet.take(4)
    sheet.page.eval_on_selector_all("details", "all => all.forEach(e => { e.open = true; })")
    is_in_order(sheet)


@pytest.mark.parametrize("name", ["no_rules", "scorecard", "additive_threshold"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_pages_of_other_kinds(sheet_of, name, scheme):
    is_in_order(sheet_of(name, 1280, scheme))


# The focused element: its index among all elements, whether the focus is visible, and whether any
# part of the element is in view once the window has scrolled.
FOCUSED = """async () => {
  const element = document.activeElement;
  const shares = [0.05, 0.5, 0.95];
  const covered = () => {
    const {left, top, width, height} = element.getBoundingClientRect();
    return !shares.some(x => shares.some(y => {
      const seen = document.elementFromPoint(left + x * width, top + y * height);
      return seen && (element.contains(seen) || element.labels?.[0]?.contains(seen));
    }));
  };
  for (let frame = 0; frame < 20 && covered(); ++frame) await new Promise(requestAnimationFrame);
  const {outlineStyle, outlineWidth} = getComputedStyle(element);
  return {
    place: [...document.querySelectorAll('*')].indexOf(element), html: element.outerHTML.slice(0, 120),
    outline: outlineStyle === 'none' ? 0 : parseFloat(outlineWidth), covered: covered(),
  };
}"""

REACHABLE = """() => [...document.querySelectorAll('*')].map((element, place) => [element, place])
  .filter(([element]) => element.matches('a[href], button, input, select, summary, [tabindex="0"]')
    && !element.disabled && element.checkVisibility({contentVisibilityAuto: true}))
  .map(([, place]) => place)"""


def walk(sheet, key: str, count: int) -> list[dict]:
    found = []
    for _ in range(count):
        sheet.page.keyboard.press(key)
        found.append(sheet.page.evaluate(FOCUSED))
    return found


@pytest.mark.parametrize("width", [1280, 360])
def test_the_tab_key_reaches_everything_in_order_with_visible_focus(loans, open_page, width):
    sheet = open_page(loans, width)
    sheet.page.select_option("#filter-rule", "-1")  # few rows, because they are all alike
    reachable = sheet.page.evaluate(REACHABLE)
    assert len(reachable) > 40
    there = walk(sheet, "Tab", len(reachable))
    assert [one["place"] for one in there] == reachable
    # Backwards the window scrolls the other way: what sticks to its top must not hide the focus.
    back = walk(sheet, "Shift+Tab", len(reachable) - 1)
    assert [one["place"] for one in back] == reachable[-2::-1]
    for one in [*there, *back]:
        assert one["outline"] >= 2, one["html"]
        assert not one["covered"], one["html"]


def test_the_first_stop_skips_to_the_content(loans, open_page):
    sheet = open_page(loans)
    sheet.page.keyboard.press("Tab")
    box = sheet.page.locator(".skip").bounding_box()
    assert box["x"] >= 0
    sheet.page.keyboard.press("Enter")
    assert sheet.page.evaluate("() => document.activeElement.id") == "main"


def test_links_lead_to_their_sections(sheet_of):
    sheet = sheet_of("loans")
    for name in ("summary", "rules", "evidence", "vocabulary", "whatif", "rows"):
        sheet.page.click(f"nav a[href='#{name}']")
        sheet.page.wait_for_function("""name => {
          const bar = document.querySelector('.top').getBoundingClientRect().bottom;
          const {top} = document.querySelector(`#${name} :is(h1, h2)`).getBoundingClientRect();
          return top >= bottom(bar) && top < innerHeight;
          function bottom(y) { return Math.max(0, y); }
        }""", arg=name)


def test_every_field_has_a_distinct_name(case, sheet_of):
    sheet = sheet_of("unknown")
    for f, feature in enumerate(case("unknown").features):
        named = sheet.page.get_by_label(feature, exact=True)
        assert named.count() >= 1, (f, feature)
    names = sheet.page.eval_on_selector_all("svg[role=img]", "all => all.map(e => e.getAttribute('aria-label'))")
    assert all(names)
    assert len(set(names)) == len(names)


def test_a_change_is_announced(sheet_of):
    sheet = sheet_of("loans")
    assert sheet.page.get_attribute("#decision", "aria-live") == "polite"
    sheet.take(2)
    sheet.page.locator("button.apply").first.click()
    assert sheet.page.locator("#decision").inner_text().startswith(sheet.decision().name)
