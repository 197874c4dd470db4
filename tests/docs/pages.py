"""The documentation pages under test, and the samples in them."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("FRR_BINARY", ROOT / "build" / "frr")).resolve()
DOCS = ROOT / "docs"
SITE_PAGES = sorted(DOCS.rglob("*.md"))
PAGES = [*sorted(ROOT.glob("*.md")), *SITE_PAGES]
GUIDES = [ROOT / "README.md", *SITE_PAGES]  # the pages for users

FENCE = re.compile(r"^( *)(```+|~~~+)(.*?)\n(.*?)^\1\2 *$", re.MULTILINE | re.DOTALL)


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def prose(text: str) -> str:
    """The text without code, which may look like links or headings."""
    return re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))


def blocks(text: str, language: str) -> list[str]:
    return [block[4] for block in FENCE.finditer(text) if block[3].strip() == language]


@dataclass(frozen=True)
class Command:
    """A command of a ```console block, which begins with "$ ", and its output below."""

    text: str
    output: str


def commands(block: str) -> list[Command]:
    found = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        start = re.search(r"<<'(\w+)'\n", part)  # a here-document: the input of the command, up to this word
        end = re.search(rf"\n{start[1]}\n" if start else r"(?<!\\)\n", part)
        assert end, part
        found.append(Command(part[: end.end() - 1], part[end.end() :]))
    return found
