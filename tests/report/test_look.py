"""Light and dark, paper, wide and narrow windows."""

import dataclasses
import re

import pytest
from program import ROOT, frr

PICTURES = ROOT / "build" / "report"
LUMINANCE = """selector => {
  const [r, g, b] = getComputedStyle(document.querySelector(selector)).backgroundColor.match(/[\\d.]+/g);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}"""


def is_dark(sheet, selector: str = "body") -> bool:
    # A change of the system reaches the page with the next frame.
    sheet.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return sheet.page.evaluate(LUMINANCE, selector) < 0.5


def test_the_button_switches_to_dark_and_back(cancer, open_page):
    sheet = open_page(cancer, color_scheme="light")  # with separate storage
    assert not is_dark(sheet)
    for pressed in (True, False):
        sheet.page.click("#theme")
        assert is_dark(sheet) == pressed
        assert is_dark(sheet, ".card") == pressed
        assert sheet.page.get_attribute("#theme", "aria-pressed") == str(pressed).lower()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_starts_with_the_theme_of_the_system(cancer, open_page, scheme):
    sheet = open_page(cancer, color_scheme=scheme)
    assert is_dark(sheet) == (scheme == "dark")
    assert sheet.page.get_attribute("#theme", "aria-pressed") == str(scheme == "dark").lower()


def test_it_follows_the_system_until_the_reader_chooses(cancer, open_page):
    sheet = open_page(cancer, color_scheme="light")
    sheet.page.emulate_media(color_scheme="dark")
    assert is_dark(sheet)
    sheet.page.click("#theme")
    assert not is_dark(sheet)
    sheet.page.emulate_media(color_scheme="light")
    sheet.page.emulate_media(color_scheme="dark")
    assert not is_dark(sheet)
    sheet.page.reload()
    assert not is_dark(sheet)  # remembered


CONTROLS = ("#theme", "#print", "nav", "#typical", "#take-row", "#filter-rule", "#page-next",
            "button.apply", "button.select", "#input-0-slider")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paper_is_light_and_without_controls(cancer, open_page, scheme):
    sheet = open_page(cancer, color_scheme=scheme)
    sheet.take(14)
    for selector in CONTROLS:
        assert sheet.page.locator(selector).first.is_visible(), selector
    sheet.page.emulate_media(media="print")
    for selector in CONTROLS:
        assert not sheet.page.locator(selector).first.is_visible(), selector
    assert not is_dark(sheet)
    assert not is_dark(sheet, ".card")
    ink = sheet.page.evaluate("() => getComputedStyle(document.body).color.match(/\\d+/g).map(Number)")
    assert max(ink) < 100
    for selector in ("h1", "#rule-1", "#decision", "#strengths li", "#rows-body tr", "svg.chart"):
        assert sheet.page.locator(selector).first.is_visible(), selector


def test_it_prints_on_several_pages_with_all_details_open(cancer, open_page):
    sheet = open_page(cancer)
    sheet.page.evaluate("""() => {
      window.opened = [];
      window.addEventListener('beforeprint', () => window.opened.push(
        [...document.querySelectorAll('details')].map(details => details.open)));
    }""")
    paper = sheet.page.pdf()
    assert paper.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) > 1
    assert all(sum(sheet.page.evaluate("() => window.opened"), []))
    assert sheet.page.locator("details[open]").count() == 0  # as it was


def test_the_print_button_prints(cancer, open_page):
    sheet = open_page(cancer)
    sheet.page.evaluate("() => { window.print = () => { window.printed = true; }; }")
    sheet.page.click("#print")
    assert sheet.page.evaluate("() => window.printed")


# Elements that extend beyond the window, unless they are inside one that scrolls or clips.
BEYOND = """() => [...document.querySelectorAll('body *')].filter(element => {
  const {left, right, width} = element.getBoundingClientRect();
  if (!width || (right <= innerWidth + 1 && left >= -1)) return false;
  if (element.closest('.skip, svg')) return false;
  for (let e = element.parentElement; e; e = e.parentElement) {
    if (getComputedStyle(e).overflowX !== 'visible') return false;
  }
  return true;
}).map(element => element.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("width", [320, 360, 768, 1280])
@pytest.mark.parametrize("name", ["breast_cancer", "unknown", "scorecard", "costs", "no_rules"])
def test_nothing_is_wider_than_the_window(sheet_of, name, width):
    sheet = sheet_of(name, width)
    sheet.page.eval_on_selector_all("details", "all => all.forEach(e => { e.open = true; })")
    sheet.take(4)
    assert sheet.overflow() <= 0
    assert sheet.page.evaluate(BEYOND) == []


def test_on_a_phone_the_decision_stays_in_sight(cancer, sheet_of):
    sheet = sheet_of("breast_cancer", 360)
    last = len(cancer.features) - 1
    sheet.page.locator(f"#input-{last}-slider").scroll_into_view_if_needed()
    top, bottom = sheet.page.eval_on_selector(
        "#decision", "e => { const {top, bottom} = e.getBoundingClientRect(); return [top, bottom]; }")
    assert 0 <= top < bottom <= 800 / 3


def test_controls_are_large_enough_for_fingers(sheet_of):
    """Targets are 24 pixels high, as WCAG 2.2 requires."""
    sheet = sheet_of("breast_cancer", 360)
    small = sheet.page.eval_on_selector_all("button, select, input:not([type=checkbox]):not([type=range])", """
      all => all.filter(e => e.offsetParent && e.getBoundingClientRect().height < 24).map(e => e.outerHTML)""")
    assert small == []


# Texts that the picture around them clips.
CUT = """() => [...document.querySelectorAll('svg.chart text')].filter(text => {
  const inner = text.getBoundingClientRect(), outer = text.ownerSVGElement.getBoundingClientRect();
  return inner.left < outer.left - 0.5 || inner.right > outer.right + 0.5;
}).map(text => text.textContent)"""


@pytest.mark.parametrize("name", ["breast_cancer", "wine", "unknown", "odd_numbers", "corners"])
def test_no_text_in_a_picture_is_cut(sheet_of, name):
    sheet = sheet_of(name)
    assert sheet.page.locator("svg.chart text").count() > 4
    assert sheet.page.evaluate(CUT) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_pictures_are_kept(sheet_of, width, scheme):
    sheet = sheet_of("breast_cancer", width, scheme)
    sheet.take(14)
    PICTURES.mkdir(parents=True, exist_ok=True)
    picture = PICTURES / f"breast-cancer-{width}-{scheme}.png"
    sheet.page.screenshot(path=picture, full_page=True)
    assert picture.stat().st_size > 50_000


def test_pictures_of_the_readme_are_kept(cancer, open_page, sheet_of, tmp_path):
    """docs/images/report-1280.png and docs/images/report-360.png are copies of these."""
    page = tmp_path / "report.html"
    frr("report", cancer.model, cancer.data, "-o", page).ok()  # with its cross-validation
    wide = open_page(dataclasses.replace(cancer, page=page))
    wide.page.set_viewport_size({"width": 1280, "height": 1180})
    wide.page.screenshot(path=PICTURES / "report-1280.png")
    phone = sheet_of("breast_cancer", 360)
    phone.page.set_viewport_size({"width": 360, "height": 780})
    phone.take(14)
    phone.page.evaluate("() => document.getElementById('origin').scrollIntoView({behavior: 'instant'})")
    phone.page.screenshot(path=PICTURES / "report-360.png")
    for width in (1280, 360):
        assert (PICTURES / f"report-{width}.png").stat().st_size > 20_000
