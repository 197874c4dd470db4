"""Any bytes as CSV: a clear error or a model that recognises its training rows."""

import random

from program import BAD_DATA, BAD_USAGE, OK, QUICK, Program, require
from tables import random_rows, to_csv

INSERTS = [b"\0", b'"', b"'", b"\r", b"\r\n", b"\n\n", b",", b";", b"\t", b"\xff", b"\xc3", b"\xef\xbb\xbf",
           b"\x1b[31m", b"\xe2\x80\xae", b"1e400", b"inf", b"-inf", b" ", b"," * 50, b"9" * 400]


def damaged(text: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.randint(0, 4)):
        at = rng.randint(0, len(text))
        cut = at + rng.choice((0, 0, 1, 5, 50))
        text = text[:at] + rng.choice(INSERTS) + text[cut:]
    return text[:rng.randint(0, len(text))] if rng.random() < 0.1 else text


def check(frr: Program, rng: random.Random) -> None:
    columns = rng.randint(1, 5)
    delimiter = rng.choice(",;\t|")
    text = to_csv([f"c{i}" for i in range(columns)] + ["class"],
                  random_rows(rng, rng.randint(1, 60), columns), delimiter)
    frr.write("data.csv", damaged(text.encode(), rng))
    options = [*QUICK, "--seed", rng.randint(0, 9)]
    if rng.random() < 0.5 or delimiter == "|":
        options += ["--delimiter", delimiter]
    if rng.random() < 0.3:
        options += ["--missing=-9,yes"]
    trained = frr("train", "data.csv", "-o", "model.json", *options)
    trained.ends_with(OK, BAD_DATA, BAD_USAGE)
    if trained.status != OK:
        require(frr.names() == {"data.csv"}, "a failed training left a file behind")
        return
    model = frr.read("model.json")
    frr("train", "data.csv", "-o", "again.json", *options, "--threads", 2).ends_with(OK)
    require(frr.read("again.json") == model, "the same training gave another model")
    form = options[options.index("--delimiter"):][:2] if "--delimiter" in options else []
    rows = frr("predict", "model.json", "data.csv", "--json", *form).ends_with(OK).json()["rows"]
    report = frr("train", "data.csv", "-o", "-", *options).ends_with(OK).json()["training"]
    require(len(rows) >= report["rows"], "predict gave fewer rows than training used")
    frr("explain", "model.json", "data.csv", "--row", 1, *form).ends_with(OK)
    frr("rules", "model.json").ends_with(OK)
