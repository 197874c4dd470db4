"""Shows the progress of a run: a bar on a terminal, otherwise one line for each unit."""

import sys

from study.units import Unit

WIDTH = 24


def duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def describe(unit: Unit, outcome: dict) -> str:
    name = f"{unit.dataset}, {unit.learner}, seed {unit.seed}"
    if "result" not in outcome:
        return f"{name}: {outcome.get('skipped') or outcome.get('failed')}"
    if unit.kind == "loss":
        return name
    return f"{name}: {outcome['result']['mean']['accuracy']:.2f} %"


class Watch:
    def __init__(self, total: int):
        self.total = total
        self.done = 0
        self.terminal = sys.stderr.isatty()

    def start(self, kept: int) -> None:
        self.done = kept
        if kept:
            print(f"{kept} of {self.total} results exist already", file=sys.stderr, flush=True)

    def report(self, unit: Unit, outcome: dict, left: float) -> None:
        self.done += 1
        text = describe(unit, outcome)
        if not self.terminal:
            print(f"{self.done}/{self.total} {text}; about {duration(left)} left",
                  file=sys.stderr, flush=True)
            return
        full = WIDTH * self.done // max(self.total, 1)
        line = (f"[{'#' * full}{'.' * (WIDTH - full)}] {self.done}/{self.total}, "
                f"about {duration(left)} left  {text}")
        print(f"\r\033[K{line[:100]}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
