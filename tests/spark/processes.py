"""Processes that a process has started, from /proc."""

from __future__ import annotations

from pathlib import Path


def descendants(root: int) -> dict[int, tuple[int, str]]:
    """Parent and command line of every process below `root`."""
    all_of: dict[int, tuple[int, str]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            status = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
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
