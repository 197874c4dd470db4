"""Synthetic tables as CSV text. The same call returns the same text."""

import csv
import io
import random


def to_csv(header: list[str], rows: list[list], delimiter: str = ",") -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def mixed(seed: int, rows: int = 200, numeric: int = 3, categorical: int = 2, classes: int = 3,
          missing: float = 0.05, noise: float = 0.1) -> str:
    """Numbers, categories and missing values. The class depends on the first column of each type."""
    rng = random.Random(seed)
    header = [f"number {j}" for j in range(numeric)] + [f"name {j}" for j in range(categorical)]
    table = []
    for _ in range(rows):
        numbers = [round(rng.gauss(10 * j, 3), rng.choice((1, 3))) for j in range(numeric)]
        names = [rng.choice(("red", "green", "blue", "a, b", 'say "x"')[:2 + j % 4 + 1])
                 for j in range(categorical)]
        truth = 0
        if numbers:
            truth += (numbers[0] > -1) + (numbers[0] > 2)
        if names:
            truth += names[0] == "red"
        if rng.random() < noise:
            truth = rng.randrange(classes)
        values = [*numbers, *names]
        values = ["" if rng.random() < missing else value for value in values]
        table.append([*values, f"class {truth % classes}"])
    for label in range(classes):  # every class occurs
        table[label][-1] = f"class {label}"
    return to_csv([*header, "outcome"], table)


def two_groups(rows: int = 60) -> str:
    """The class is 'no' for x below 0 and 'yes' above, with a wide gap between them."""
    rng = random.Random(7)
    table = []
    for i in range(rows):
        yes = i % 2 == 1
        table.append([round(rng.uniform(1, 2) * (1 if yes else -1), 3),
                      round(rng.uniform(0, 1), 3), "yes" if yes else "no"])
    return to_csv(["x", "z", "answer"], table)
