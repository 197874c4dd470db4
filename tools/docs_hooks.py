"""Hooks of the documentation site (mkdocs.yml) that convert the tutorial notebook to a page."""

import json
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

NOTEBOOK = "tutorial.ipynb"
PAGE = "tutorial.md"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    text = (Path(config.docs_dir) / NOTEBOOK).read_text(encoding="utf-8")
    files.append(File.generated(config, PAGE, content=notebook_page(json.loads(text))))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Changes links to the notebook to links to its page."""
    return markdown.replace(f"{NOTEBOOK})", f"{PAGE})")


def notebook_page(notebook: dict[str, Any]) -> str:
    parts = [part for cell in notebook["cells"] for part in cell_parts(cell)]
    return "\n\n".join(parts) + "\n"


def cell_parts(cell: dict[str, Any]) -> list[str]:
    source = joined(cell["source"])
    if cell["cell_type"] == "markdown":
        return [source]
    return [fenced(source, "python"), *map(output_part, cell["outputs"])]


def output_part(output: dict[str, Any]) -> str:
    if "text" in output:
        return fenced(joined(output["text"]), "text")
    data = output["data"]
    if "image/png" in data:
        encoded = joined(data["image/png"]).replace("\n", "")
        return f"![What the cell draws](data:image/png;base64,{encoded})"
    if "text/html" in data:
        # In Markdown, an empty line would end the table.
        table = re.sub(r"<style.*?</style>|\n\s*(?=\n)", "", joined(data["text/html"]), flags=re.S)
        return f"<div>\n{table.strip()}\n</div>"
    return fenced(joined(data["text/plain"]), "text")


def fenced(text: str, language: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"


def joined(text: str | list[str]) -> str:
    """A text of a notebook, which is a string or a list of lines."""
    return text if isinstance(text, str) else "".join(text)
