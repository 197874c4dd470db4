"""Hostile names and cells are escaped on the terminal and in the markup of exports."""

import os
import pty
import random
import subprocess

from program import BAD_DATA, DEADLINE, OK, QUICK, UNSAFE, Program, require
from tables import to_csv

PARTS = ["\x1b[31m", "\x07", "\x9b1m", "\u202e", "\u2066", "\u200f", "\x7f", "</script><b>", "--", "*/",
         '"', "'", "\\", "`", "${x}", "%n", "=1+1", "\u2028", "é", "a", " ", "{", "$"]


def name(rng: random.Random) -> str:
    return "n" + "".join(rng.choice(PARTS) for _ in range(rng.randint(1, 4))) + str(rng.randint(0, 9))


def on_a_terminal(frr: Program, *arguments) -> str:
    """The results and messages that the program prints to a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(frr.command(*arguments), cwd=frr.directory, stdin=subprocess.DEVNULL,
                               stdout=theirs, stderr=theirs,
                               env={**os.environ, "NO_COLOR": "1", "TERM": "dumb"})
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    process.wait(timeout=DEADLINE)
    return shown.decode("utf-8", "replace")


def check(frr: Program, rng: random.Random) -> None:
    header = [f"{name(rng)}{i}" for i in range(3)]
    cells = [name(rng) for _ in range(3)]
    classes = [f"{name(rng)}p", f"{name(rng)}q"]
    rows = [[str(x := rng.randint(0, 99)), rng.choice(cells), classes[x > 50]] for _ in range(80)]
    frr.write("data.csv", to_csv(header, rows))
    frr("train", "data.csv", "-o", "model.json", *QUICK).ends_with(OK)
    for command in (["rules", "model.json"], ["predict", "model.json", "data.csv"],
                    ["explain", "model.json", "data.csv", "--row", "3"],
                    ["cv", "data.csv", "--folds", "2", "--quiet", *QUICK],
                    ["train", "data.csv", "--target", header[0] + "\x1b[2J", *QUICK],
                    ["rules", "no such\x1b[31m\u202efile"]):
        shown = on_a_terminal(frr, *command)
        # A progress bar returns to the start of its line and clears it.
        unsafe = UNSAFE.intersection(shown.replace("\r\x1b[K", "").replace("\r", ""))
        require(not unsafe, f"{command[0]}: {unsafe} on the terminal: {shown[:300]!r}")
    for form in ("markdown", "latex", "html", "pmml", "c", "python", "javascript", "sql"):
        exported = frr("export", "model.json", "--to", form).ends_with(OK, BAD_DATA)
        unsafe = UNSAFE.intersection(exported.out.decode("utf-8")) - {"\t", "\r"}
        require(not unsafe, f"export --to {form}: {unsafe}")
