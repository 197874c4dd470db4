"""Random tables as CSV."""

import csv
import io
import random

NUMBERS = ["1", "1.0", "01", "+1", "1e0", "-9", "-9.0", "0.5", ".5", "1e300", "5e-324", "-0"]
TEXTS = ["a", "b", "yes", "No", "1,5", "1 kg", "x;y", 'say "x"', "line\nbreak", "ü", "=1+1", "@a"]
MISSING = ["", "?", "NA", "n/a", "NaN", "NULL", " "]


def to_csv(header: list[str], rows: list[list[str]], delimiter: str = ",") -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def random_rows(rng: random.Random, rows: int, columns: int) -> list[list[str]]:
    """Cells of all kinds, and a class that depends partly on the first column."""
    shares = [rng.choice((0, 0, 0.3, 1)) for _ in range(columns)]
    table = []
    for _ in range(rows):
        cells = []
        for share in shares:
            pool = TEXTS if rng.random() < share else NUMBERS
            if share == 0 and rng.random() < 0.7:
                cells.append(str(rng.randint(-50, 50)))
            else:
                cells.append(rng.choice(MISSING if rng.random() < 0.1 else pool))
        table.append([*cells, rng.choice(("p", "q")) if rng.random() < 0.3 else
                      ("p" if len(cells[0]) % 2 else "q")])
    return table


def ordinary(rng: random.Random, rows: int = 60) -> str:
    table = [[str(x := rng.randint(0, 99)), rng.choice(("red", "blue")), "pq"[x > 50]]
             for _ in range(rows)]
    return to_csv(["x", "colour", "class"], table)
