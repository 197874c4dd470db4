"""Memory that training on files needs, and how to stay within a limit."""

from __future__ import annotations

import contextlib
import ctypes
import math
import numbers
import re
from dataclasses import dataclass
from pathlib import Path

from ._arrow import pa

_UNITS = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
_BINARY_UNITS = {"k": 2.0**10, "m": 2.0**20, "g": 2.0**30, "t": 2.0**40}

# Measured: training takes 890 bytes a row of the sample with 11 columns, 1340 with 20 and 5500 with
# 100.
_LEARNING_CELL, _LEARNING_ROW = 56, 480
# What the interpreter and the libraries hold once they are loaded, where this cannot be asked. More
# than that is the caller's own.
_INTERPRETER = 220_000_000
# What does not depend on the data: stacks, message buffers, what allocators keep for the next time.
_WORKING = 24_000_000
_WORKER = 8_000_000

LEAST_SAMPLE = 1000
_MOST_ROWS, _LEAST_ROWS = 65536, 1024


def parse_memory(memory: str | int) -> int:
    """The number of bytes that "500MB", "1GB", "1.5GiB" or a number of bytes means."""
    wrong = "memory must be an amount such as '500MB' or '1GB', or a number of bytes"
    if isinstance(memory, numbers.Integral) and not isinstance(memory, bool):
        amount = float(memory)
    elif isinstance(memory, str):
        found = re.fullmatch(r"([0-9]*\.?[0-9]+(?:e[0-9]+)?) *([kmgt]?)(i?)b?", memory.lower())
        if found is None or (found[3] and not found[2]):
            raise ValueError(f"{wrong}, got {memory!r}")
        units = _BINARY_UNITS if found[3] else _UNITS
        amount = float(found[1]) * units[found[2]]
    else:
        raise TypeError(f"{wrong}, got {memory!r}")
    if not 1 <= amount <= 1e18:
        raise ValueError(f"{wrong}, got {memory!r}")
    return int(amount)


def size_text(size: float) -> str:
    """`size` rounded up, in the format of `parse_memory`."""
    return f"{math.ceil(size / 1e6)}MB" if size < 1e10 else f"{math.ceil(size / 1e9)}GB"


def _resident() -> int:
    """Bytes of this process in memory now; what it usually is where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return _INTERPRETER
    return pages * 4096


def give_back() -> None:
    """Returns free memory to the system; otherwise the allocator of each reader would keep it."""
    pa.default_memory_pool().release_unused()
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)  # only in glibc


@dataclass(frozen=True)
class Costs:
    """Bytes that reading a source takes."""

    columns: int  # features and the target
    row: int  # per row of a shard: decoded by pyarrow and converted for the learner
    stream: int  # additional memory of a reader
    whole_rows: int  # most rows that can only be decoded together


@dataclass(frozen=True)
class Plan:
    """The maximum number of rows of a shard, of parallel readers, and of rows in the sample."""

    rows: int
    readers: int
    search_rows: int


def _reading(costs: Costs, rows: int, readers: int) -> int:
    # Besides those of a shard, as many rows again wait in the batches it is cut from.
    together = max(2 * rows, rows + costs.whole_rows)
    return readers * (together * costs.row + costs.stream + _WORKER)


def _learning(costs: Costs, rows: int, search_rows: int) -> int:
    sample = min(rows, search_rows)
    # Of up to four times as many rows, those without a class may come along.
    besides = max(0, rows - sample) if rows <= 4 * sample else 0
    row = _LEARNING_CELL * costs.columns + _LEARNING_ROW
    return row * sample + 4 * 8 * costs.columns * besides


def plan_memory(memory: int, costs: Costs, rows: int, search_rows: int, threads: int) -> Plan:
    """Shards, readers and sample of training on `rows` rows; ValueError where nothing will do."""
    fixed = min(_resident(), _INTERPRETER) + _WORKING
    room = memory - fixed
    sizes = [_MOST_ROWS >> k for k in range(7)]
    choices = [(size, t) for t in range(threads, 0, -1) for size in sizes]
    choices.sort(key=lambda choice: (choice[0] < 8192, -choice[1], -choice[0]))
    wanted = _learning(costs, rows, search_rows)
    for size, readers in choices:
        if _reading(costs, size, readers) + wanted <= room:
            return Plan(size, readers, search_rows)
    # A smaller sample, then. Very small shards are slow, so others come first if there is room.
    least = _reading(costs, _LEAST_ROWS, 1)
    share = max(room / 4, min(room / 2, _reading(costs, 8192, 1)))
    for size, readers in [*choices, (_LEAST_ROWS, 1)]:
        reading = _reading(costs, size, readers)
        if reading > share and reading > least:
            continue
        sample = _sample_within(room - reading, costs, rows, search_rows)
        if sample >= LEAST_SAMPLE:
            return Plan(size, readers, sample)
    needed = fixed + least + _learning(costs, rows, LEAST_SAMPLE)
    raise ValueError(
        f"memory={size_text(memory)} is too little to learn from {costs.columns} columns of "
        f"these files; give {size_text(1.02 * needed)} or more"
    )


def _sample_within(room: float, costs: Costs, rows: int, most: int) -> int:
    """The largest sample that can be learned from in so much memory; 0 if there is none."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if _learning(costs, rows, middle) <= room:
            low = middle
        else:
            high = middle - 1
    return low


def plan_prediction(memory: int, costs: Costs, result_row: int) -> int:
    """Rows to decide at once, each giving `result_row` bytes; one part is read ahead."""
    fixed = min(_resident(), _INTERPRETER) + _WORKING
    for size in [_MOST_ROWS >> k for k in range(7)]:
        needed = fixed + 2 * _reading(costs, size, 1) + 3 * size * result_row
        if needed <= memory:
            return size
    raise ValueError(
        f"memory={size_text(memory)} is too little to read these files; give "
        f"{size_text(1.02 * needed)} or more"
    )
