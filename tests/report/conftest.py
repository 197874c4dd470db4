"""The page in a real browser. No page that a test opens may report an error."""

import shutil
from dataclasses import dataclass, field
from pathlib import Path

import cases
import pytest
from program import DATASETS, Case, Decision

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="session")
def browser():
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        # Containers have no user namespaces for the sandbox, and the pages are trusted.
        own = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield own
        own.close()


OPEN_ROWS = """numbers => {
  const decision = document.getElementById('decision');
  const input = document.getElementById('row-number');
  return numbers.map(number => {
    input.value = number;
    document.getElementById('take-row').click();
    const {class: name, rule, probability} = decision.dataset;
    return [name, Number(rule), Number(probability)];
  });
}"""

PRESENT_ROW = """() => [...document.querySelectorAll('.input')].map((box, f) => {
  const own = document.getElementById(`input-${f}`);
  const missing = document.getElementById(`input-${f}-missing`).checked;
  const text = own.tagName === 'SELECT' ? own.selectedOptions[0]?.textContent : own.value;
  return [box.querySelector('label').textContent, missing ? '' : text];
})"""

TABLE = """() => {
  const next = document.getElementById('page-next');
  const rows = [];
  for (;;) {
    for (const row of document.querySelectorAll('#rows-body tr')) {
      rows.push([Number(row.dataset.index), ...[...row.cells].map(cell => cell.textContent)]);
    }
    if (next.disabled) return rows;
    next.click();
  }
}"""


@dataclass
class Sheet:
    """An open page, with all errors that it reported."""

    page: "sync_api.Page"
    address: str = ""
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def watch(self) -> None:
        def message(entry):
            if entry.type in ("error", "warning"):
                self.complaints.append(f"{entry.type}: {entry.text}")

        self.page.on("console", message)
        self.page.on("pageerror", lambda error: self.complaints.append(f"exception: {error}"))
        self.page.on("dialog", self.refuse)
        self.page.on("request", lambda request: self.requests.append(request.url))

    def go(self, what: Case | Path) -> None:
        self.check()
        self.requests.clear()
        self.address = (what.page if isinstance(what, Case) else what).as_uri()
        self.page.goto(self.address)

    def refuse(self, dialog) -> None:
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def check(self) -> None:
        assert self.complaints == []
        others = [url for url in self.requests if url != self.address and not url.startswith("data:")]
        assert others == []

    def decision(self) -> Decision:
        name, rule, probability = self.page.evaluate(
            "() => { const {class: name, rule, probability} = document.getElementById('decision')"
            ".dataset; return [name, Number(rule), Number(probability)]; }")
        return Decision(name, rule, probability)

    def open_rows(self, numbers: list[int]) -> list[Decision]:
        """The decisions of the page on these rows, each opened in What if."""
        return [Decision(*one) for one in self.page.evaluate(OPEN_ROWS, numbers)]

    def take(self, number: int) -> Decision:
        return self.open_rows([number])[0]

    def table(self) -> list[list]:
        """All rows of the table from the current page on: index, then the texts of the cells."""
        return self.page.evaluate(TABLE)

    def head(self) -> list[str]:
        """The titles of the table's columns, without the arrows next to them."""
        return self.page.eval_on_selector_all("#rows-head .sort", """all => all.map(e =>
          [...e.childNodes].filter(n => n.className !== 'arrow').map(n => n.textContent).join(''))""")

    def texts(self, selector: str) -> list[str]:
        return self.page.eval_on_selector_all(selector, "all => all.map(e => e.textContent)")

    def data(self) -> dict:
        """The data of the page."""
        return self.page.evaluate("() => JSON.parse(document.getElementById('frr-data').textContent)")

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        return self.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")

    def present_row(self) -> dict[str, str]:
        """The case in What if as its fields show it."""
        return dict(self.page.evaluate(PRESENT_ROW))

    def value(self, selector: str) -> str:
        return self.page.eval_on_selector(selector, "e => e.value")


@pytest.fixture(scope="session")
def desk(browser):
    """The browser context of most pages: a separate one costs a second each."""
    # Without smooth scrolling, which would delay every click.
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(100_000)
    yield context
    context.close()


def open_sheet(context, what: Case | Path, width: int = 1280, height: int = 800) -> Sheet:
    sheet = Sheet(context.new_page())
    sheet.page.set_viewport_size({"width": width, "height": height})
    sheet.watch()
    sheet.go(what)
    return sheet


@pytest.fixture
def open_page(browser, desk):
    """open_page(path or case, width=1280, height=800, ...options of a separate context) -> Sheet"""
    sheets = []

    def open_one(what: Case | Path, width: int = 1280, height: int = 800, **options) -> Sheet:
        context = browser.new_context(**options) if options else desk
        context.set_default_timeout(100_000)
        sheets.append(open_sheet(context, what, width, height))
        return sheets[-1]

    yield open_one
    for sheet in sheets:
        sheet.page.close()
        if sheet.page.context is not desk:
            sheet.page.context.close()
        sheet.check()


RESTORE = """() => {
  for (const id of ['typical', 'filter-none']) document.getElementById(id).click();
  for (const details of document.querySelectorAll('details')) details.open = false;
  document.activeElement.blur();
  scrollTo(0, 0);
}"""


@pytest.fixture(scope="session")
def shared(desk) -> Sheet:
    sheet = Sheet(desk.new_page())
    sheet.watch()
    return sheet


@pytest.fixture
def sheet_of(shared, case):
    """sheet_of(name of a case, width, scheme) -> its page, as if just opened; one at a time."""

    def get(name: str, width: int = 1280, scheme: str = "light") -> Sheet:
        shared.page.set_viewport_size({"width": width, "height": 800})
        shared.page.emulate_media(color_scheme=scheme)
        if shared.address == case(name).page.as_uri():
            shared.page.evaluate(RESTORE)
        else:
            shared.go(case(name))
        return shared

    yield get
    shared.check()


@pytest.fixture(scope="session")
def case(tmp_path_factory):
    """case(name) -> Case; made once."""
    directory = tmp_path_factory.mktemp("cases")
    made: dict[str, Case] = {}

    def get(name: str) -> Case:
        if name in cases.BENCHMARKS and DATASETS is None:
            pytest.skip("no benchmark datasets: set FRR_DATASETS to their directory")
        if name not in made:
            made[name] = cases.make(directory, name)
        return made[name]

    return get


@pytest.fixture
def cancer(case) -> Case:
    return case("breast_cancer")


@pytest.fixture
def loans(case) -> Case:
    return case("loans")
