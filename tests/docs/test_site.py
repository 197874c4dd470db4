"""The documentation site builds without warnings, and everything to which its pages refer exists."""

import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from pages import ROOT, SITE_PAGES

pytest.importorskip("mkdocs", reason="the documentation site needs docs/requirements.txt")
pytest.importorskip("material")
pytest.importorskip("mkdocstrings")


class Page(HTMLParser):
    """The links, resources and anchors of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []  # followed by a click
        self.resources: list[str] = []  # loaded with the page
        self.anchors: set[str] = set()
        self.text: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        self.anchors.update(given[name] for name in ("id", "name") if name in given)
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and given.get("rel") not in ("prev", "next", "canonical"):
            self.resources.append(given["href"])
        elif given.get("src"):
            self.resources.append(given["src"])

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def build(folder: Path, config: Path = ROOT / "mkdocs.yml") -> subprocess.CompletedProcess:
    # Without --quiet, which would hide the warnings that strict mode turns into errors.
    return subprocess.run([sys.executable, "-m", "mkdocs", "build", "-f", config, "-d", folder],
                          cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> dict[Path, Page]:
    folder = tmp_path_factory.mktemp("site")
    built = build(folder)
    assert built.returncode == 0, built.stdout + built.stderr
    return {path: Page(path) for path in folder.rglob("*.html")}


def test_every_page_is_built(site):
    assert len(site) >= len(SITE_PAGES)
    assert {"index.html", "tutorial.html", "python-api.html"} <= {path.name for path in site}


def is_external(reference: str) -> bool:
    return bool(urlsplit(reference).scheme or urlsplit(reference).netloc)


def broken(path: Path, reference: str, site: dict[Path, Page]) -> bool:
    parts = urlsplit(reference)
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if target not in site:
        return not target.exists()
    return bool(parts.fragment) and unquote(parts.fragment) not in site[target].anchors


def test_links_and_anchors_exist(site):
    found = [(path.name, link) for path, page in site.items() if path.name != "404.html"
             for link in (*page.links, *page.resources)
             if not is_external(link) and broken(path, link, site)]
    assert found == []


def test_nothing_is_loaded_from_another_server(site):
    found = [(path.name, resource) for path, page in site.items() for resource in page.resources
             if is_external(resource) and not resource.startswith("data:")]
    assert found == []


def test_all_samples_are_shown_as_code(site):
    assert [path.name for path, page in site.items() if "```" in "".join(page.text)] == []


def test_the_tutorial_shows_its_tables_and_pictures(site):
    page = next(page for path, page in site.items() if path.name == "tutorial.html")
    assert sum(resource.startswith("data:image/png") for resource in page.resources) >= 3
    assert "THEN malignant" in "".join(page.text)


def test_the_python_reference_has_the_classes(site):
    page = next(page for path, page in site.items() if path.name == "python-api.html")
    assert {"frr.FRRClassifier.fit", "frr.FuzzyTransformer", "frr.plot_path", "frr.shards.train",
            "frr.files.train"} <= page.anchors


def test_a_broken_link_fails_the_build(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Home\n\n[nowhere](nowhere.md)\n")
    text = (ROOT / "mkdocs.yml").read_text()
    nav, plugins = text.index("\nnav:"), text.index("\nmarkdown_extensions:")
    (tmp_path / "mkdocs.yml").write_text(text[:nav] + text[plugins:].replace("[docs]", "[.]"))
    finished = build(tmp_path / "site", tmp_path / "mkdocs.yml")
    assert finished.returncode != 0
    assert "nowhere.md" in finished.stdout + finished.stderr
