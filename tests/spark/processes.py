"""Processes that a process has started, from /proc."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def descendants(root: int) -> dict[int, tuple[int, str]]:
    """Parent and command line of every process below `root`."""
    all_of: dict[int, tuple[int, str]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            status = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (
                (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            )
        except OSError:  # it has ended
            continue
        all_of[int(folder.name)] = (int(status[1]), command)
    below: dict[int, tuple[int, str]] = {}
    grown = True
    while grown:
        grown = False
        for pid, (parent, command) in all_of.items():
            if pid not in below and (parent == root or parent in below):
                below[pid] = (parent, command)
                grown = True
    return below


def tasks_run(spark: Any) -> bool:
    tracker = spark.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
    return any(stage is not None and stage.numActiveTasks > 0 for stage in stages)


class Killer(threading.Thread):
    """Kills the processes that `victims` names, once, as soon as tasks of Spark run."""

    def __init__(self, spark: Any, victims: Callable[[], list[int]]) -> None:
        super().__init__(daemon=True)
        self.spark, self.victims = spark, victims
        self.killed: list[int] = []

    def run(self) -> None:
        deadline = time.monotonic() + 600
        while not self.killed and time.monotonic() < deadline:
            if tasks_run(self.spark):
                for pid in self.victims():
                    os.kill(pid, signal.SIGKILL)
                    self.killed.append(pid)
            time.sleep(0.002)
