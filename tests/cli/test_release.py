"""The files that repeat the version agree with CMakeLists.txt. RELEASING.md lists them."""

import re

import pytest
from conftest import ROOT

STATED = re.search(r"project\(frr VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
MINOR = STATED.rpartition(".")[0]


@pytest.mark.parametrize(("name", "pattern", "expected"), [
    ("CHANGELOG.md", r"^## (\S+) - \d{4}-\d\d-\d\d$", STATED),
    ("CITATION.cff", r"^version: (\S+)$", STATED),
    ("README.md", r"find_package\(frr (\S+) REQUIRED\)", MINOR),
    ("docs/reference/model.md", r'^    "version": "(\S+)",$', STATED),
    ("SECURITY.md", r"^\| (\S+) \| yes \|$", MINOR),
])
def test_repeated_versions_agree(name, pattern, expected):
    found = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    assert found, f"{name} states no version"
    assert found[1] == expected


def test_citation_and_changelog_agree_on_the_date():
    released = re.search(r"^date-released: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)[1]
    assert f"\n## {STATED} - {released}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
