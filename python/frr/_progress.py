"""A progress bar for terminals and notebooks."""

from __future__ import annotations

import importlib
import os
import sys
import time
from typing import Any

_WIDTH = 30
USUAL_STEPS = 12  # of a fit on more than search_rows rows


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return type(shell).__name__ == "ZMQInteractiveShell"


def _columns() -> int:
    """Columns of the terminal on standard error."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


class ProgressBar:
    """A bar that is updated by calls with (stage, fraction, epoch, epochs, loss), until `close`."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._notebook = _in_notebook()
        self._display: Any = importlib.import_module("IPython.display") if self._notebook else None
        self._terminal = not self._notebook and sys.stderr is not None and sys.stderr.isatty()
        self._length = 0

    def __call__(self, stage: str, fraction: float, epoch: int, epochs: int, loss: float) -> None:
        text = stage + (f", epoch {epoch} of {epochs}, loss {loss:.3f}" if epochs else "")
        if self._notebook:
            self._show_html(text, fraction)
        elif self._terminal:
            full = round(_WIDTH * fraction)
            line = f"frr [{'#' * full}{'.' * (_WIDTH - full)}] {text}"
            line = line[: _columns() - 1]  # a longer text would remain visible
            sys.stderr.write("\r" + line.ljust(self._length))
            sys.stderr.flush()
            self._length = len(line)

    def _show_html(self, text: str, fraction: float) -> None:
        bar = self._display.HTML(f'<progress value="{fraction:.3f}" max="1"></progress> {text}')
        if self._handle is None:
            self._handle = self._display.display(bar, display_id=True)
        else:
            self._handle.update(bar)

    def close(self) -> None:
        if self._terminal and self._length:
            sys.stderr.write("\r" + " " * self._length + "\r")
            sys.stderr.flush()
            self._length = 0
        if self._handle is not None:
            self._handle.update(self._display.HTML(""))


class Pace:
    """Measures the speed of distributed training step by step, and estimates the time left.

    most_searched : with at most this number of rows, the sample contains all of them, and there
        are only two steps.
    """

    def __init__(self, most_searched: int) -> None:
        self._most_searched = most_searched
        self._start = self._step_start = time.monotonic()
        self._asking = 0.0  # seconds of the completed steps
        self._over = self._rows = 0
        self.steps = 0
        self.rate = 0.0  # rows per second; 0 while it is unknown
        self.fraction = 0.0  # seconds of learning between the steps

    def begin(self) -> None:
        self.steps += 1
        self._step_start = time.monotonic()

    def end(self, rows: int) -> None:
        seconds = time.monotonic() - self._step_start
        self._asking += seconds
        self._over += 1
        self._rows = rows
        self.rate = rows / max(seconds, 1e-9)

    def seconds_left(self, of_step: float | None = None) -> float:
        """`of_step`: seconds left of the current step, if the caller knows them."""
        now = time.monotonic()
        spent = now - self._step_start if self.steps > self._over else 0.0
        if self._over:
            usual = self._asking / self._over
        elif of_step is not None:
            usual = spent + of_step
        else:
            return float("nan")
        if of_step is None:
            of_step = max(usual - spent, 0.0) if self.steps > self._over else 0.0
        steps = 2 if 0 < self._rows <= self._most_searched else USUAL_STEPS
        learning = now - self._start - self._asking - spent
        share = self.fraction
        return (
            of_step
            + max(steps - self.steps, 0) * usual
            + (learning * (1 - share) / share if share > 0 else 0.0)
        )


class StepProgress:
    """The progress of distributed training: steps, rows per second and the time left, in the
    progress bar of FRRClassifier."""

    def __init__(self, most_searched: int) -> None:
        self._bar = ProgressBar()
        self._open = True
        self._pace = Pace(most_searched)
        self._latest: tuple[str, float, int, int, float] = ("placing labels", 0.0, 0, 0, 0.0)

    def __call__(self, stage: str, fraction: float, epoch: int, epochs: int, loss: float) -> None:
        self._latest = (stage, fraction, epoch, epochs, loss)
        self._pace.fraction = fraction
        self.show()

    def begin_step(self) -> None:
        self._pace.begin()
        self.show()

    def end_step(self, rows: int) -> None:
        self._pace.end(rows)
        self.show()

    def show(self) -> None:
        stage, fraction, epoch, epochs, loss = self._latest
        text = f"{stage}, step {self._pace.steps}"
        if self._pace.rate:
            text += f", {self._pace.rate:,.0f} rows/s, {self._pace.seconds_left():.0f} s left"
        self._bar(text, fraction, epoch, epochs, loss)

    def close(self) -> None:
        if self._open:
            self._open = False
            self._bar.close()
