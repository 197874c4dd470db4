"""Tables for documents: Markdown, LaTeX, HTML."""

import html.parser
import itertools
import json
import math
import re
import shutil
from pathlib import Path

import pytest
from cases import Case, export, frr, reference, shares_of_rule
from policy_cases import policy_cases

FORMATS = ("markdown", "latex", "html")
# Texts with a meaning in one of the three formats, names with characters that a paper's font lacks, and long ones.
HOSTILE = ["<script>alert(1)</script>", "a|b_c*d`e", "50% & more #1 $x$ {y} ~ ^ \\end{tabularx}", "[log] x", "*p",
           "a--b---c", "it's ``quoted''", "<<x>> ,,low'' ?` !`", "&lt;b&gt; &amp;", "~~gone~~ **bold** __u__",
           "https://example.org/a_b", "![image](x.png)", "# head", "-", "\\", "\\input{x}", "\u00e4\u00f6\u00df \u00e9",
           "two\nlines", "w" * 300]
FOREIGN = ["\N{HEBREW LETTER ALEF}\N{GREEK SMALL LETTER MU} \"quoted\"", "\U0001f600", "\u202eevil"]


def model_of(folder: Path, names: list[str]) -> tuple[Path, dict]:
    """A model whose names of columns, labels and classes are all hostile."""
    others = names[1:] + names[:1]
    model = {
        "format": "frr-model", "version": 1, "target": names[0] + "!", "classes": names,
        "features": {name: {"type": "numeric", "labels": {other: [None, None, 1, 2]}}
                     for name, other in zip(names, others, strict=True)},
        "rules": [{"if": {name: other}, "then": name, "weight": 1} for name, other in zip(names, others, strict=True)],
        "else": {"then": names[1]},
    }
    path = folder / "model.json"
    path.write_text(json.dumps(model), encoding="utf-8")
    return path, model


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    return model_of(tmp_path_factory.mktemp("hostile"), HOSTILE + FOREIGN)


def in_sight(text: str) -> str:
    """As a reader sees it: the number of blanks does not matter."""
    return " ".join(text.split())


def visible(name: str) -> str:
    return name.replace("\n", "\\n").replace("\u202e", "\\u202e")


def rows_of(model: dict) -> list[list[str]]:
    """The expected first cells of the table of rules, then those of the table of labels."""
    rules = [[str(i), *(f"{name} IS {label}" for name, label in rule["if"].items()), rule["then"]]
             for i, rule in enumerate(model["rules"], 1)]
    labels = [[name, label] for name, feature in model["features"].items() for label in feature["labels"]]
    return [[in_sight(visible(cell)) for cell in row] for row in [*rules, *labels]]


class Cells(html.parser.HTMLParser):
    """The texts of the cells, and every tag that occurs."""

    def __init__(self, text: str):
        super().__init__()
        self.rows, self.tags, self.in_cell = [], set(), False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.in_cell = True

    def handle_endtag(self, tag):
        self.in_cell = self.in_cell and tag not in ("td", "th")

    def handle_data(self, data):
        if self.in_cell:
            self.rows[-1][-1] += data


def test_a_browser_shows_html_correctly(hostile):
    sync_api = pytest.importorskip("playwright.sync_api")
    if shutil.which("chromium") is None:
        pytest.skip("chromium is not installed")
    path, model = hostile
    text = export(path, "html").decode()
    assert Cells(text).tags <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "bdi", "em"}
    with sync_api.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.on("dialog", lambda _: pytest.fail("a name was executed"))
        page.set_content(text)
        shown = page.evaluate("""[...document.querySelectorAll('tbody tr')]
                                 .map(row => [...row.cells].map(cell => cell.innerText))""")
        browser.close()
    check_rows(shown, model)


def check_rows(shown: list[list[str]], model: dict) -> None:
    found = [[in_sight(cell) for cell in row] for row in shown]
    rules = len(model["rules"])
    assert [row[0] for row in found[: rules + 1]] == [*map(str, range(1, rules + 1)), "0"]
    del found[rules]  # ELSE
    expected = rows_of(model)
    assert len(found) == len(expected)
    for row, own in zip(found, expected, strict=True):
        assert row[: len(own)] == own


def test_a_renderer_shows_markdown_correctly(hostile):
    markdown_it = pytest.importorskip("markdown_it")
    path, model = hostile
    renderer = markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"])
    cells = Cells(renderer.render(export(path, "markdown").decode()))
    assert cells.tags <= {"table", "thead", "tbody", "tr", "th", "td", "p"}
    check_rows([row for row in cells.rows if row[0].strip() not in ("Rule", "Feature")], model)


# What LaTeX with T1 fonts prints for these macros; no others occur in the tables.
SIGNS = {"textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textless": "<", "textgreater": ">",
         "textquotedbl": '"', "textbar": "|", "textasciigrave": "`", "textquotesingle": "'",
         **{sign: sign for sign in "&%$#_{}"}}
RULERS = {"toprule", "midrule", "bottomrule"}
# Characters that the fonts join or replace, or that have another meaning in running text.
TURNED = re.compile("--|,,|[`'\"<>|^_#$%]")


class LatexTables:
    """The cells of all tables as LaTeX prints them. Refuses everything it does not know for certain."""

    def __init__(self, text: str):
        walker = pytest.importorskip("pylatexenc.latexwalker")
        macros = pytest.importorskip("pylatexenc.macrospec")
        context = walker.get_default_latex_context_db()
        context.add_context_category("tables", prepend=True,
                                     environments=[macros.std_environment("tabularx", "{{")])
        assert not re.search(r"\\\\\s*[\[*]", text), "a cell is taken for an argument of the line's end"
        parser = walker.LatexWalker(text, latex_context=context, tolerant_parsing=False)
        self.rows: list[list[str]] = []
        for node in parser.get_latex_nodes()[0]:
            if node.isNodeType(walker.LatexEnvironmentNode):
                assert node.environmentname == "tabularx"
                self.rows += self.table(node.nodelist)
            elif node.isNodeType(walker.LatexMacroNode) and node.macroname in ("medskip", "noindent"):
                pass
            elif not node.isNodeType(walker.LatexCommentNode):
                self.printed(node)

    def table(self, nodes) -> list[list[str]]:
        rows, row = [], [""]
        for node in nodes:
            name = getattr(node, "macroname", None)
            if name == "\\":
                rows.append(row)
                row = [""]
            elif getattr(node, "specials_chars", None) == "&":
                row.append("")
            elif name not in RULERS:
                row[-1] += self.printed(node)
        assert row == [""] or not "".join(row).strip(), row
        return rows

    def printed(self, node) -> str:
        kind = type(node).__name__
        if kind == "LatexCharsNode":
            assert not TURNED.search(node.chars), node.chars
            return node.chars
        if kind == "LatexGroupNode":
            return "".join(map(self.printed, node.nodelist))
        assert kind == "LatexMacroNode", node
        if node.macroname in ("emph", "textsc"):
            return "".join(map(self.printed, node.nodeargd.argnlist))
        assert node.macroname in SIGNS, node.macroname
        return SIGNS[node.macroname]


def test_latex_prints_names_unchanged(hostile):
    path, model = hostile
    rows = LatexTables(export(path, "latex").decode()).rows
    assert [row[0].strip() for row in rows if row[0].strip() in ("Rule", "Feature")] == ["Rule", "Feature"]
    assert {len(row) for row in rows} == {3, 7}
    check_rows([row for row in rows if row[0].strip() not in ("Rule", "Feature")], model)


def one_row(cell: str) -> list[list[str]]:
    return LatexTables("\\begin{tabularx}{\\linewidth}{lX}\n\\toprule\n" + cell + " & b \\\\\n"
                       "\\bottomrule\n\\end{tabularx}\n").rows


def test_the_latex_checker_accepts_correct_tables():
    assert one_row("50\\% a{-}{-}b \\textless{}x \\emph{else}") == [["\n50% a--b <x else ", " b "]]


@pytest.mark.parametrize("cell", [
    "a -- b", "``a''", "<a>", "a,,b", "a $x$", "a_b", "a^b", "a~b", "\\unknown{}", "{a", "a}", "#1", "a \\\\\n[log] c",
    "a \\\\\n*c", "\\begin{x}\\end{x}", "a | b", "50% a & b",
])
def test_the_latex_checker_refuses_wrong_tables(cell):
    walker = pytest.importorskip("pylatexenc.latexwalker")
    with pytest.raises((AssertionError, walker.LatexWalkerParseError)):
        one_row(cell)


def test_latex_escapes_special_characters(hostile):
    text = export(hostile[0], "latex").decode()
    body = [line for line in text.splitlines() if line.endswith(" \\\\")]
    assert body
    for line in body:
        bare = re.sub(r"\\[&%$#_{}]|\\text[a-z]+\{\}|\\textsc\{and\}|\\emph\{else\}|\{[-,*[]\}", "", line)
        assert not set("%$#_{}~^<>\"|") & set(bare), bare
        assert bare.count("&") in (2, 6), bare
        assert bare.count("\\") == 2, bare  # only the end of the line


@pytest.mark.parametrize("format", FORMATS)
def test_every_model_has_tables(built_in, tmp_path, format):
    for case in built_in:
        text = export(case.path, format).decode()
        for rule in case.model["rules"]:
            for label in rule["if"].values():
                for word in re.findall(r"\w+", label):  # between characters that may be escaped
                    assert word in text
    additive = tmp_path / "model.json"
    data = case.path.parent / "data.csv"
    frr("train", data, "-o", additive, "--semantics", "additive", "--tnorm", "aczel-alsina:2", "--quiet")
    assert "largest sum" not in export(additive, format).decode()


def cells_of(path: Path, format: str) -> list[list[str]]:
    text = export(path, format).decode()
    if format == "markdown":
        lines = [line[1:-1].split("|") for line in text.replace("\\", "").splitlines() if line[:1] == "|"]
        return [[in_sight(cell) for cell in line] for line in lines if not line[0].startswith((":", "-"))]
    rows = Cells(text).rows if format == "html" else LatexTables(text).rows
    return [[in_sight(cell) for cell in row] for row in rows]


def sums_of(case: Case) -> set[int]:
    """All sums of points that a case can reach, by trying all values next to each other."""
    def values(feature: dict) -> list:
        if feature["type"] == "categorical":
            return [None, "none of them", *feature["categories"]]
        corners = {corner for shape in feature["labels"].values() for corner in shape if corner is not None}
        return [None, -1e9, *corners]

    names = list(case.inputs)
    rows = itertools.product(*(values(case.inputs[name]) for name in names))
    return {reference(case.model, dict(zip(names, row, strict=True))).points for row in rows}


@pytest.mark.parametrize("format", FORMATS)
def test_scorecards_have_a_table_from_points_to_risk(tmp_path, format):
    for case in [case for case in policy_cases(tmp_path, rows=40) if case.name.startswith("card")]:
        rows = cells_of(case.path, format)
        rules = [row for row in rows if row[0].isdigit() and len(row) == 7][:-1]
        assert [int(row[3]) for row in rules] == [rule["points"] for rule in case.model["rules"]]
        head = next(i for i, row in enumerate(rows) if row[0] == "Total points")
        positive = case.model["decisions"]["positive"]
        assert rows[head] == ["Total points", f"Probability of {positive}", "Prediction"]
        end = next((i for i, row in enumerate(rows) if row[0] == "Feature"), len(rows))
        table = {int(row[0]): row[1:] for row in rows[head + 1 : end]}
        assert list(table) == sorted(sums_of(case))
        model = case.model
        bias = model["biases"][positive] - model["biases"]["xy".replace(positive, "")]
        for points, (risk, _) in table.items():
            probability = 1 / (1 + math.exp(-bias - model["nats_per_point"] * points))
            assert float(risk.removesuffix(" %")) == pytest.approx(100 * probability, abs=0.51), risk
        for decision in case.expected:
            assert table[decision.points][1] == decision.name


@pytest.mark.parametrize("format", FORMATS)
def test_rules_show_honest_probabilities(tmp_path, format):
    case = next(case for case in policy_cases(tmp_path, rows=40) if case.name == "sufficient_refer")
    rows = [row for row in cells_of(case.path, format) if len(row) == 7 and row[0].isdigit()]
    model = case.model
    parts = [*model["rules"], model["else"]]
    rows_of_class = [sum(part["decides"][name] for part in parts) for name in model["classes"]]
    base = [count / sum(rows_of_class) for count in rows_of_class]
    for number, row in enumerate([rows[-1], *rows[:-1]]):
        then = model["classes"].index(row[2])
        share = shares_of_rule(model, number)[then]
        assert float(row[5].removesuffix(" %")) == pytest.approx(100 * share, abs=0.51)
        assert float(row[6]) == pytest.approx(share / base[then], abs=0.051)
