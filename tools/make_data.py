#!/usr/bin/env python3
"""Writes data/: three datasets of scikit-learn, a synthetic one, and their folds.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install -r tests/requirements.txt
    /tmp/venv/bin/python tools/make_data.py
"""

import csv
import json
import random
from pathlib import Path

from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import StratifiedKFold

DATA = Path(__file__).resolve().parent.parent / "data"
FOLDS = 3


def bundled(load, target: str) -> tuple[list[str], list[list[str]]]:
    data = load()
    # The repr of a Python float is the shortest text that reads back as the same number.
    rows = [[*(repr(float(x)) for x in row), str(data.target_names[label])]
            for row, label in zip(data.data, data.target, strict=True)]
    return [*data.feature_names, target], rows


def loans() -> tuple[list[str], list[list[str]]]:
    """Synthetic data: numbers and categories; three rules give three classes; every tenth class is random."""
    rng = random.Random(0)
    rows = []
    for _ in range(400):
        income, age, debt = rng.gauss(40, 12), rng.uniform(18, 80), rng.expovariate(1 / 10)
        work, home = rng.choice(("salary", "own", "none")), rng.choice(("rent", "owner"))
        label = "ask"
        if work == "none" or debt > 20:
            label = "refuse"
        elif income > 40 and home == "owner":
            label = "grant"
        if rng.random() < 0.1:
            label = rng.choice(("ask", "refuse", "grant"))
        rows.append([f"{income:.1f}", f"{age:.0f}", f"{debt:.1f}", work, home, label])
    return ["income", "age", "debt", "work", "home", "decision"], rows


def write_set(name: str, header: list[str], rows: list[list[str]]) -> dict:
    with (DATA / f"{name}.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])
    labels = [row[-1] for row in rows]
    folds = [0] * len(rows)
    splitter = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    for fold, (_, test) in enumerate(splitter.split(rows, labels)):
        for row in test:
            folds[row] = fold
    (DATA / "folds" / f"{name}.txt").write_text("".join(f"{fold}\n" for fold in folds))
    return {"name": name, "samples": len(rows), "features": len(header) - 1,
            "classes": len(set(labels)), "categorical": []}


def main() -> None:
    (DATA / "folds").mkdir(exist_ok=True)
    sets = {"breast_cancer": bundled(load_breast_cancer, "diagnosis"),
            "iris": bundled(load_iris, "species"),
            "wine": bundled(load_wine, "cultivar"),
            "loans": loans()}
    index = [write_set(name, header, rows) for name, (header, rows) in sets.items()]
    (DATA / "datasets.json").write_text(json.dumps(index, indent=1) + "\n")
    for entry in index:
        print(f"data/{entry['name']}.csv: {entry['samples']} rows")


if __name__ == "__main__":
    main()
