"""The folders of src/ form layers: a folder includes only from itself and from layers above it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
# From the top down, as in HACKING.md.
LAYERS = ("base", "kernels", "io", "csv", "data", "labels", "model", "network", "search", "additive", "train",
          "rows", "shards", "evaluate", "validation", "report")
SOURCE_SUFFIXES = {".cpp", ".hpp", ".inc"}
MOST_FILES = 22


def sources(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in SOURCE_SUFFIXES)


def includes(path: Path) -> list[str]:
    return re.findall(r'^\s*#include "([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)


def faults(path: str, included: list[str]) -> list[str]:
    """The forbidden includes of a file of src/; `path` is relative to src/."""
    folder = path.split("/")[0]
    allowed = LAYERS[:LAYERS.index(folder) + 1]
    return [f"src/{path} includes {name}" for name in included
            if not name.startswith("frr/") and name.split("/")[0] not in allowed]


def test_no_folder_includes_from_a_layer_below_it():
    found = []
    for path in sources(ROOT / "src"):
        found += faults(path.relative_to(ROOT / "src").as_posix(), includes(path))
    assert not found, "\n".join(found)


def test_a_wrong_include_is_found():
    assert faults("labels/partition.hpp", ["search/search.hpp"])
    assert faults("labels/partition.hpp", ["partition.hpp"])  # without its folder
    assert not faults("labels/partition.hpp", ["base/text.hpp", "labels/screen.hpp", "frr/rulebase.hpp"])


def test_every_folder_is_a_layer_of_few_files():
    folders = {path.name: len(sources(path)) for path in (ROOT / "src").iterdir() if path.is_dir()}
    assert set(folders) == set(LAYERS)
    assert not sources(ROOT / "src")[0:0] and not list((ROOT / "src").glob("*.[ch]pp"))
    assert max(folders.values()) <= MOST_FILES, folders


@pytest.mark.parametrize("place", ["include/frr", "cli", "export"])
def test_the_public_headers_include_only_each_other(place):
    for path in sources(ROOT / place):
        for name in includes(path):
            assert place != "include/frr" or name.startswith("frr/"), f"{path.name} includes {name}"


def test_includes_form_no_cycle():
    graph = {}
    for root in ("src", "include"):
        for path in sources(ROOT / root):
            graph[path.relative_to(ROOT / root).as_posix()] = includes(path)
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> None:
        assert name not in above, " -> ".join((*above, name))
        if name in done or name not in graph:
            return
        for other in graph[name]:
            visit(other, (*above, name))
        done.add(name)

    for name in graph:
        visit(name, ())


def test_the_tests_mirror_the_sources():
    tests = {path.name for path in (ROOT / "tests" / "cpp").iterdir() if path.is_dir()}
    assert set(LAYERS) - tests <= set(), f"no unit tests for {set(LAYERS) - tests}"
    assert tests <= {*LAYERS, "cli", "export", "support"}
