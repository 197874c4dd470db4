#!/usr/bin/env python3
"""Writes a table of any number of rows, the same every time, with little memory.

    bench/scale/make_table.py 20000000 table.parquet

There are 20 columns of numbers, x0 to x19, and the class y, "no" or "yes". The class follows from
some rules on x0 to x7 and is turned round in a tenth of the rows. Block number b of 65536 rows is
made by Philox with the counter b, so every part can be made by itself: `rows(first, count)`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

COLUMNS = 20
BLOCK = 65536
GROUP = 16 * BLOCK  # rows of a row group: 1,048,576
NOISE = 0.1
NAMES = [f"x{j}" for j in range(COLUMNS)]
CLASSES = ("no", "yes")


def block(number: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of a block of rows, column by column, and its classes 0 and 1."""
    random = np.random.Generator(np.random.Philox(key=seed, counter=[0, 0, 0, number]))
    x = random.random((COLUMNS, BLOCK))
    x = np.floor(x * 1e6) / 1e6
    x[1] *= 100
    x[2] = -np.log1p(-x[2])
    yes = ((x[0] > 0.6) & (x[1] > 30)) | ((x[2] > 1.2) & (x[3] < 0.4))
    yes |= (x[4] > 0.8) & (x[5] < 0.5) & (x[6] + x[7] > 0.7)
    return x, yes ^ (random.random(BLOCK) < NOISE)


def rows(first: int, count: int, seed: int = 0) -> pa.Table:
    """Rows `first` to `first + count` of the table without end."""
    parts = []
    for number in range(first // BLOCK, -(-(first + count) // BLOCK)):
        x, yes = block(number, seed)
        low = max(0, first - number * BLOCK)
        high = min(BLOCK, first + count - number * BLOCK)
        classes = pa.DictionaryArray.from_arrays(
            pa.array(yes[low:high].astype(np.int8)), pa.array(CLASSES)
        )
        parts.append(
            pa.table(
                [pa.array(column[low:high]) for column in x] + [classes.cast(pa.string())],
                names=[*NAMES, "y"],
            )
        )
    return pa.concat_tables(parts)


def write(path: Path, count: int, *, seed: int = 0, group: int = GROUP) -> None:
    """A Parquet file of the first `count` rows, in row groups of `group` rows."""
    with pq.ParquetWriter(
        path, rows(0, 1, seed).schema, compression="snappy", use_dictionary=["y"]
    ) as writer:
        for first in range(0, count, group):
            writer.write_table(rows(first, min(group, count - first), seed), row_group_size=group)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rows", type=int)
    parser.add_argument("path", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--group", type=int, default=GROUP, help="rows of a row group")
    given = parser.parse_args()
    if given.rows < 1 or not 1 <= given.group <= GROUP:
        parser.error(f"give at least 1 row, and row groups of 1 to {GROUP} rows")
    write(given.path, given.rows, seed=given.seed, group=given.group)


if __name__ == "__main__":
    main()
