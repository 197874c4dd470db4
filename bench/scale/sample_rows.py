#!/usr/bin/env python3
"""Measures the accuracy lost by learning from a sample of a large table, by the size of the sample.

    bench/scale/sample_rows.py                         16 concepts, 400,000 rows
    bench/scale/sample_rows.py --concepts 2 --rows 200000

Every concept is a list of random rules over 20 numeric columns, with a tenth of the classes
flipped. FRR learns it from the same rows with growing --gradient-rows and --search-rows, up to all
rows, and predicts new rows. Needs the Python package.
"""

import argparse
import sys
import time
from statistics import fmean, stdev

import numpy as np
from frr import FRRClassifier

COLUMNS = 20
# gradient_rows, search_rows
DEFAULT = (32768, 131072)
SIZES = ((8192, 16384), DEFAULT, (None, None))


def concept(seed: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows and classes of a decision list of 12 rules of two or three conditions each."""
    rules = np.random.default_rng(seed)
    conditions = [
        [
            (int(rules.integers(8)), float(rules.normal(0, 0.8)), bool(rules.integers(2)))
            for _ in range(int(rules.integers(2, 4)))
        ]
        for _ in range(12)
    ]
    rng = np.random.default_rng([seed, 1])
    x = rng.standard_normal((rows, COLUMNS)).astype(np.float32)
    y = np.zeros(rows, dtype=bool)
    open_rows = np.ones(rows, dtype=bool)
    for number, rule in enumerate(conditions):
        true = open_rows.copy()
        for column, at, above in rule:
            true &= (x[:, column] > at) == above
        y[true] = number % 2 == 0
        open_rows &= ~true
    return x, y ^ (rng.random(rows) < 0.1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--concepts", type=int, default=16)
    arguments = parser.parse_args()
    fresh = 200_000
    names = [f"{g or 'all'} / {s or 'all'}" for g, s in SIZES]
    print("gradient rows / search rows: accuracy on new rows in percent, seconds")
    print("concept  " + "  ".join(f"{name:>19}" for name in names))
    found: list[list[float]] = [[] for _ in SIZES]
    for seed in range(arguments.concepts):
        x, y = concept(seed, arguments.rows + fresh)
        line = []
        for i, (gradient, search) in enumerate(SIZES):
            model = FRRClassifier(
                search_rows=search or arguments.rows,
                advanced={"gradient_rows": gradient or arguments.rows},
            )
            start = time.perf_counter()
            model.fit(x[fresh:], y[fresh:])
            seconds = time.perf_counter() - start
            found[i].append(100 * model.score(x[:fresh], y[:fresh]))
            line.append(f"{found[i][-1]:9.2f} {seconds:8.1f}s")
        print(f"{seed:7}  " + "  ".join(line), flush=True)
    print("   mean  " + "  ".join(f"{fmean(accuracies):9.2f}          " for accuracies in found))
    if arguments.concepts > 1:
        default = found[SIZES.index(DEFAULT)]
        for name, accuracies in zip(names, found, strict=True):
            gaps = [a - b for a, b in zip(accuracies, default, strict=True)]
            print(
                f"{name:>19} minus default: {fmean(gaps):+.2f} "
                f"(standard error {stdev(gaps) / len(gaps) ** 0.5:.2f})"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
