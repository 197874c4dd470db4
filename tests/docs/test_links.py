"""Every relative link in the pages points to a file and, after #, to one of its headings."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from pages import PAGES, ROOT, name_of, prose, read

LINK = re.compile(r"\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#+ +(.*?) *#*$", re.MULTILINE)
EXTERNAL = ("http://", "https://", "mailto:")


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives the headings of a page."""
    text = re.sub(r"^( *)```.*?^\1```", "", read(page), flags=re.MULTILINE | re.DOTALL)
    found: set[str] = set()
    for heading in HEADING.findall(text):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        number = 0
        while (unique := f"{slug}-{number}" if number else slug) in found:
            number += 1
        found.add(unique)
    return found


def broken_links(page: Path) -> list[str]:
    broken = []
    for link in LINK.findall(prose(read(page))):
        if link.startswith(EXTERNAL):
            continue
        path, _, anchor = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    return broken


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_have_targets(page):
    assert broken_links(page) == []


def test_a_broken_link_is_found(tmp_path):
    (tmp_path / "other.md").write_text("# One two: `three`\n")
    page = tmp_path / "page.md"
    page.write_text("[a](other.md) [b](other.md#one-two-three) [c](#no) [d](no.md) [e](other.md#no)\n"
                    "`[f](code.md)` [g](https://example.org/no)\n")
    assert broken_links(page) == ["#no", "no.md", "other.md#no"]


def test_paths_in_sources_exist():
    """Paths of pages in sources and scripts exist."""
    suffixes = {".cpp", ".hpp", ".py", ".txt", ".toml", ".yml", ".cmake"}
    folders = ("bench", "cli", "export", "include", "python", "src", "tests", "tools")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*")
             if path.suffix in suffixes and path.name != "test_links.py"]
    assert len(files) > 100
    named = {(name_of(path), found) for path in [*files, ROOT / "Makefile", ROOT / "mkdocs.yml"]
             for found in re.findall(r"\bdocs/[\w./-]+\.(?:md|cpp|png|svg|ipynb|json|txt)\b", read(path))}
    assert len(named) > 10
    assert [one for one in sorted(named) if not (ROOT / one[1]).exists()] == []


def test_sources_named_by_the_pages_exist():
    """File names such as `network.hpp` exist in some folder."""
    folders = ("bench", "cli", "cmake", "docs", "export", "include", "report", "src", "tests")
    known = {path.name.removesuffix(".in") for folder in folders for path in (ROOT / folder).rglob("*.*")}
    named = {(name_of(page), found) for page in PAGES if page.is_relative_to(ROOT / "docs")
             for found in re.findall(r"\b(\w+\.(?:hpp|cpp|inc|py))\b`", read(page))}
    assert len(named) > 10
    assert [one for one in sorted(named) if one[1] not in known] == []
