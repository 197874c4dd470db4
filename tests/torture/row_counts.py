"""All commands that work row by row give one output row for each input row."""

import random

from program import OK, QUICK, Program, require
from tables import random_rows, to_csv


def check(frr: Program, rng: random.Random) -> None:
    columns = rng.randint(2, 4)
    header = [f"c{i}" for i in range(columns)] + ["class"]
    rows = random_rows(rng, 40, columns)
    frr.write("data.csv", to_csv(header, rows))
    trained = frr("train", "data.csv", "-o", "model.json", *QUICK)
    if trained.status != OK:  # such as a column of infinite numbers
        return
    more = [[""] * len(header) if rng.random() < 0.3 else rng.choice(rows)
            for _ in range(rng.randint(1, 200))]
    frr.write("new.csv", to_csv(header, more))
    answers = frr("predict", "model.json", "new.csv").ends_with(OK).out.decode().splitlines()[1:]
    in_json = frr("predict", "model.json", "new.csv", "--json").ends_with(OK).json()["rows"]
    require(len(answers) == len(more), f"{len(more)} rows in, {len(answers)} out")
    require(len(in_json) == len(more), f"{len(more)} rows in, {len(in_json)} out as JSON")
    # Each row gets the same prediction alone.
    at = rng.randrange(len(more))
    frr.write("one.csv", to_csv(header, [more[at]]))
    alone = frr("predict", "model.json", "one.csv").ends_with(OK).out.decode().splitlines()[1:]
    require(alone == [answers[at]], f"row {at + 1} alone: {alone}, among others: {answers[at]}")
    last = frr("explain", "model.json", "new.csv", "--row", len(more), "--json").ends_with(OK).json()
    require(last is not None, "the last row has no explanation")
