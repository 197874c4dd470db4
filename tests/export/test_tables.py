"""Tables for documents: Markdown, LaTeX, HTML."""

import html.parser
import json
import re

import pytest
from cases import export, frr

FORMATS = ("markdown", "latex", "html")
HOSTILE = ["<script>alert(1)</script>", "a|b_c*d`e", "50% & more #1 $x$ {y} ~ ^ \\end{tabularx}",
           "\N{HEBREW LETTER ALEF}\N{GREEK SMALL LETTER MU} \"quoted\"", "x" * 300, "two\nlines"]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A model whose every name is hostile."""
    names = [f"{text}{i}" for i, text in enumerate(HOSTILE)]
    model = {
        "format": "frr-model", "version": 1, "target": HOSTILE[0], "classes": HOSTILE[:2],
        "features": {name: {"type": "numeric", "labels": {HOSTILE[(i + 1) % 6]: [None, None, 1, 2]}}
                     for i, name in enumerate(names)},
        "rules": [{"if": {name: HOSTILE[(i + 1) % 6]}, "then": HOSTILE[i % 2], "weight": 1}
                  for i, name in enumerate(names)],
        "else": {"then": HOSTILE[1]},
    }
    path = tmp_path_factory.mktemp("hostile") / "model.json"
    path.write_text(json.dumps(model), encoding="utf-8")
    return path, model


class Cells(html.parser.HTMLParser):
    """The texts of the cells, and every tag that occurs."""

    def __init__(self, text: str):
        super().__init__()
        self.rows, self.tags = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data):
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def test_html_holds_every_rule_and_label_as_text(hostile):
    path, model = hostile
    cells = Cells(export(path, "html").decode())
    assert cells.tags <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "bdi", "em"}
    one_line = lambda text: text.replace("\n", " ")  # noqa: E731
    for number, rule in enumerate(model["rules"], 1):
        ((name, label),) = rule["if"].items()
        row = next(row for row in cells.rows if row[0] == str(number))
        assert row[1] == one_line(f"{name} IS {label}")
        assert row[2] == one_line(rule["then"])


def test_html_is_shown_by_a_browser_as_it_is_meant(hostile):
    sync_api = pytest.importorskip("playwright.sync_api")
    import shutil
    if shutil.which("chromium") is None:
        pytest.skip("chromium is not installed")
    path, model = hostile
    with sync_api.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.on("dialog", lambda _: pytest.fail("a name was executed"))
        page.set_content(export(path, "html").decode())
        assert page.locator("table.frr-rules tbody tr").count() == len(model["rules"]) + 1
        assert page.locator("script").count() == 0
        browser.close()


def test_latex_has_no_bare_special_sign(hostile):
    text = export(hostile[0], "latex").decode()
    body = [line for line in text.splitlines() if line.endswith(" \\\\")]
    assert body
    for line in body:
        bare = re.sub(r"\\[&%$#_{}]|\\text[a-z]+\{\}|\\textsc\{and\}|\\emph\{else\}", "", line)
        assert not set("%$#_{}~^<>\"|") & set(bare), bare
        assert bare.count("&") in (2, 5), bare
        assert bare.count("\\") == 2, bare  # the end of the line alone


def test_markdown_has_as_many_cells_as_its_head(hostile):
    text = export(hostile[0], "markdown").decode()
    widths = {len(re.findall(r"(?<!\\)\|", line)) for line in text.splitlines() if line.startswith("|")}
    assert widths == {7, 4}
    assert "<script>" not in text


@pytest.mark.parametrize("format", FORMATS)
def test_every_model_has_tables(built_in, tmp_path, format):
    for case in built_in:
        text = export(case.path, format).decode()
        for rule in case.model["rules"]:
            for label in rule["if"].values():
                assert label.split('"')[0] in text
    additive = tmp_path / "model.json"
    data = case.path.parent / "data.csv"
    frr("train", data, "-o", additive, "--semantics", "additive", "--tnorm", "aczel-alsina:2", "--quiet")
    assert "votes" in export(additive, format).decode()
