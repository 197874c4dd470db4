#!/usr/bin/env python3
"""Writes data/breast_cancer.csv from the copy that scikit-learn carries.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install scikit-learn
    /tmp/venv/bin/python tools/make_data.py
"""

import csv
from pathlib import Path

from sklearn.datasets import load_breast_cancer


def main() -> None:
    data = load_breast_cancer()
    path = Path(__file__).resolve().parent.parent / "data" / "breast_cancer.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*data.feature_names, "diagnosis"])
        for row, target in zip(data.data, data.target, strict=True):
            # repr of a Python float is the shortest text that reads back as the same number.
            writer.writerow([*(repr(float(x)) for x in row), data.target_names[target]])
    print(f"{path}: {len(data.target)} rows")


if __name__ == "__main__":
    main()
