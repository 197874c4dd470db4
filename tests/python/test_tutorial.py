"""The tutorial runs and says what it shows; so do the Python examples of the pages.

An example is a block that begins with ```python. The blocks of a page run in order and share their
names. What a block prints must be what a block that begins with ```output says right after it.

    .venv/bin/python tests/python/test_tutorial.py     # rewrites these outputs
    .venv/bin/python tools/make_tutorial.py            # the same for the tutorial
"""

import contextlib
import importlib.util
import io
import os
import re
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
GUIDE = ROOT / "docs" / "reference" / "python.md"
HOW_TO = ROOT / "docs" / "how-to"
PAGES = [ROOT / "README.md", GUIDE, HOW_TO / "evaluate.md", HOW_TO / "large-data.md"]
NOTEBOOK = ROOT / "docs" / "tutorial.ipynb"

EXAMPLE = re.compile(
    r"^```python\n(?P<code>.*?)^```\n(?:\n*^```output\n(?P<output>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)


# ---- Pages ---------------------------------------------------------------------------------------


def printed(page: Path) -> list[tuple[re.Match[str], str]]:
    """Each example of a page, and what it prints, run in an empty directory."""
    text = page.read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": "example"}
    results = []
    with tempfile.TemporaryDirectory() as directory, contextlib.chdir(directory):
        for example in EXAMPLE.finditer(text):
            line = text.count("\n", 0, example.start("code"))
            out = io.StringIO()
            # Empty lines before the code, so that an error names the line of the page.
            code = compile("\n" * line + example["code"], str(page), "exec")
            with contextlib.redirect_stdout(out):
                exec(code, names)
            results.append((example, out.getvalue()))
    return results


@pytest.fixture(autouse=True)
def _no_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "Agg")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_of_a_page(page: Path) -> None:
    if page.name == "scale.md":
        pytest.importorskip("pyarrow")
    for example, output in printed(page):
        if example["output"] is None:
            assert output == "", f"shown nowhere: {example['code']}"
        else:
            assert output == example["output"], example["code"]


def test_the_guide_has_examples() -> None:
    found = list(EXAMPLE.finditer(GUIDE.read_text(encoding="utf-8")))
    assert len(found) >= 10
    assert any(example["output"] for example in found)


# ---- The tutorial --------------------------------------------------------------------------------


def tutorial_maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_tutorial", ROOT / "tools/make_tutorial.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def stored() -> Any:
    nbformat = pytest.importorskip("nbformat")
    return nbformat.read(NOTEBOOK, as_version=4)


@pytest.fixture(scope="module")
def fresh(stored: Any) -> Any:
    """The stored cells, run again; an error in one is raised here."""
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    import copy

    notebook = copy.deepcopy(stored)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return tutorial_maker().run(notebook)


def texts(cell: Any) -> list[str]:
    """What a cell prints or shows as text."""
    return [
        output["text"] if "text" in output else output["data"].get("text/plain", "")
        for output in cell.get("outputs", ())
    ]


def test_the_tutorial_is_that_of_the_script(stored: Any) -> None:
    made = tutorial_maker().build()
    assert [(c.cell_type, c.source) for c in made.cells] == [
        (c.cell_type, c.source) for c in stored.cells
    ], "run tools/make_tutorial.py"


def test_the_tutorial_runs(fresh: Any) -> None:
    code = [cell for cell in fresh.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    streams = {out["name"] for cell in code for out in cell.outputs if "name" in out}
    assert "stderr" not in streams, "no warnings in a tutorial"


def test_the_tutorial_shows_the_rules_that_are_learned(fresh: Any, stored: Any) -> None:
    tables = 0
    for new, old in zip(fresh.cells, stored.cells, strict=True):
        if any(" THEN " in text for text in texts(old)):
            tables += 1
            assert "".join(texts(new)) == "".join(texts(old)), old.source
    assert tables >= 5


def test_the_tutorial_is_small_and_names_no_directory() -> None:
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert len(text) < 600_000
    assert str(ROOT) not in text
    assert tempfile.gettempdir() + "/" not in text


def renew() -> None:
    """Writes what the examples print now into the pages."""
    os.environ["MPLBACKEND"] = "Agg"
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for example, output in reversed(printed(page)):
            if example["output"] is not None:
                text = text[: example.start("output")] + output + text[example.end("output") :]
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    renew()
