"""A progress bar for terminals and notebooks."""

from __future__ import annotations

import importlib
import sys
from typing import Any

_WIDTH = 30


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return type(shell).__name__ == "ZMQInteractiveShell"


class ProgressBar:
    """Call it with (stage, fraction, epoch, epochs, loss); close it at the end."""

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
        if self._handle is not None:
            self._handle.update(self._display.HTML(""))
