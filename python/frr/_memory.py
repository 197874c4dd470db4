"""Memory that training on files needs, and how to stay within a limit."""

from __future__ import annotations

import contextlib
import ctypes
import math
import numbers
import re
from dataclasses import dataclass
from pathlib import Path

from . import _core
from ._arrow import pa

_UNITS = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
_BINARY_UNITS = {"k": 2.0**10, "m": 2.0**20, "g": 2.0**30, "t": 2.0**40}

# Where the system does not say how much a process has in memory: enough for the interpreter and the
# libraries.
_USUAL_RESIDENT = 220_000_000


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
    """Bytes of this process in memory now; a typical value if the system does not report it."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return _USUAL_RESIDENT
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


def plan_memory(memory: int, costs: Costs, rows: int, search_rows: int, threads: int) -> Plan:
    """Shards, readers and sample of training on `rows` rows; ValueError if nothing fits."""
    return Plan(
        *_core.plan_memory(
            memory,
            costs.columns,
            costs.row,
            costs.stream,
            costs.whole_rows,
            _resident(),
            rows,
            search_rows,
            threads,
        )
    )


def plan_prediction(memory: int, costs: Costs, result_row: int) -> int:
    """Rows to predict at once, each with `result_row` bytes of result; one part is read ahead."""
    return _core.plan_prediction(
        memory,
        costs.columns,
        costs.row,
        costs.stream,
        costs.whole_rows,
        _resident(),
        result_row,
    )
