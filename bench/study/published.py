"""Reads accuracies that were measured elsewhere from Markdown, CSV or JSON.

    | dataset | jrip | furia |          dataset,jrip,furia         [{"dataset": "iris",
    |---|---|---|                       iris,95.3,94.0               "jrip": 95.3, "furia": 94.0}]
    | iris | 95.3 | 94.0 |

Markdown may also contain a table of means with `learner` as its first column. It is shown in the figure, but
not used for comparisons.
"""

import csv
import io
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

AS_PRINTED = "paper"  # columns with this prefix were printed in a paper, with other splits
MEANS = {"accuracy": "accuracy", "rules": "rules", "conditions": "size",
         "unique_conditions": "unique", "fit_seconds": "fit", "sets": "sets"}


@dataclass
class Published:
    accuracy: dict[str, dict[str, float]] = field(default_factory=dict)  # by learner and dataset
    means: dict[str, dict[str, float | None]] = field(default_factory=dict)  # by learner


def number(text: str) -> float | None:
    """The number at the beginning of a cell, ignoring emphasis marks."""
    found = re.match(r"[*_ ]*(-?\d+(?:\.\d+)?)", text)
    return float(found[1]) if found else None


def markdown_tables(text: str) -> list[list[dict[str, str]]]:
    tables: list[list[dict[str, str]]] = []
    header: list[str] = []
    for line in text.splitlines():
        if not line.lstrip().startswith("|"):
            header = []
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not header:
            header = cells
            tables.append([])
        elif not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            tables[-1].append(dict(zip(header, cells, strict=False)))
    return [table for table in tables if table]


def by_dataset(rows: list[dict]) -> dict[str, dict[str, float]]:
    result: dict[str, dict[str, float]] = {}
    for row in rows:
        for learner, value in row.items():
            known = number(str(value)) if learner != "dataset" else None
            if known is not None:
                result.setdefault(learner, {})[str(row["dataset"]).strip()] = known
    return result


def means_of(rows: list[dict[str, str]]) -> dict[str, dict[str, float | None]]:
    """The means of each learner. A column belongs to a key if its title contains the word: "mean accuracy %"."""
    result = {}
    for row in rows:
        values = {key: next((number(cell) for title, cell in row.items() if word in title.split()),
                            None) for key, word in MEANS.items()}
        if values["accuracy"] is not None:
            result[row["learner"].strip("*_ ")] = values
    return result


def read_published(path: Path) -> Published:
    """Raises ValueError if there is no table of accuracies by dataset."""
    text = path.read_text()
    published = Published()
    if path.suffix == ".json":
        published.accuracy = by_dataset(json.loads(text))
    elif path.suffix == ".csv":
        published.accuracy = by_dataset(list(csv.DictReader(io.StringIO(text))))
    else:
        for table in markdown_tables(text):
            if "dataset" in table[0]:
                published.accuracy.update(by_dataset(table))
            elif "learner" in table[0]:
                published.means.update(means_of(table))
    if not published.accuracy:
        raise ValueError(f"{path}: there is no table with `dataset` as its first column")
    return published


def find_published(root: Path) -> Path | None:
    """The first ../*/peers.md next to the checkout."""
    return next(iter(sorted(root.parent.glob("*/peers.md"))), None)
