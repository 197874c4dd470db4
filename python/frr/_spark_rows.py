"""The rows of a fit on Spark, which answer the learner's requests.

A partition is read batch by batch and divided into blocks of a few dozen megabytes; a block is a
shard. A worker therefore needs memory for only one block, however large the partition is. It
returns one answer, the sum over its blocks. Empty partitions have no shards.

All requests must find the same rows in the same order. The rows are therefore persisted, and each
has a hash. A checksum, the sum of the hashes multiplied by odd numbers that grow from row to row,
is computed before the first request and compared at every one.
"""

from __future__ import annotations

import contextlib
import functools
import math
import re
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark import StorageLevel, TaskContext
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.utils import is_remote

from . import shards
from ._progress import StepProgress

_FAN_IN = 64  # answers that the driver adds up
_MOST_ANSWERS = 16  # answers that a worker keeps before it adds them up
_HASH = "hash"  # column of the row hashes; the others are c0, c1, ...
_COUNTS = "partition long, rows long, checksum long"
_ANSWERS = "partition long, answer binary, error string, message string"


def quoted(name: str) -> str:
    """The name of a column, quoted for Spark."""
    return "`" + name.replace("`", "``") + "`"


def block_rows(columns: int) -> int:
    """Rows per block: up to 2^18, and fewer for many columns, at most 2^23 values."""
    return max(4096, min(2**18, 2**23 // max(1, columns)))


# ---- On the workers ------------------------------------------------------------------------------


class RowsChanged(RuntimeError):
    """A partition has other rows than before, or the same in another order."""


@dataclass(frozen=True)
class Cut:
    """The division of partitions into shards, and their checksums."""

    rows: NDArray[np.int64]  # of each partition
    checksums: NDArray[np.int64]
    first: NDArray[np.int64]  # number of the first shard of each
    block: int  # rows of a shard


def _partition() -> int:
    context = TaskContext.get()
    if context is None:
        raise RuntimeError("this only runs in a Spark task")
    return int(context.partitionId())


def _checksum(hashes: Any, first: int) -> int:
    """The checksum of rows from number `first` on; checksums are added modulo 2^64."""
    values = np.asarray(hashes.to_numpy(zero_copy_only=False)).view(np.uint64)
    odd = 2 * np.arange(first, first + len(values), dtype=np.uint64) + np.uint64(1)
    return int((values * odd).sum(dtype=np.uint64))


def _signed(checksum: int) -> int:
    return (checksum + 2**63) % 2**64 - 2**63


def _blocks(batches: Iterable[Any], rows: int) -> Iterator[Any]:
    """The batches as tables of `rows` rows; the last may have fewer."""
    waiting: list[Any] = []
    count = 0
    for batch in batches:
        rest = batch
        while count + rest.num_rows >= rows:
            waiting.append(rest.slice(0, rows - count))
            rest = rest.slice(rows - count)
            yield pa.Table.from_batches(waiting)
            waiting, count = [], 0
        if rest.num_rows:
            waiting.append(rest)
            count += rest.num_rows
    if waiting:
        yield pa.Table.from_batches(waiting)


def count_rows(batches: Iterable[Any]) -> Iterator[Any]:
    """The number of rows of a partition and their checksum, as one row."""
    rows, checksum = 0, 0
    for batch in batches:
        checksum += _checksum(batch.column(0), rows)
        rows += batch.num_rows
    yield pa.RecordBatch.from_pydict(
        {
            "partition": pa.array([_partition()], pa.int64()),
            "rows": pa.array([rows], pa.int64()),
            "checksum": pa.array([_signed(checksum)], pa.int64()),
        }
    )


def _result_row(partition: int, answer: bytes | None, error: BaseException | None) -> Any:
    """A row of the result. It also reports errors in the data: an exception would make Spark repeat
    the task in vain, and hide the message in stack traces."""
    return pa.RecordBatch.from_pydict(
        {
            "partition": pa.array([partition], pa.int64()),
            "answer": pa.array([answer], pa.binary()),
            "error": pa.array([None if error is None else type(error).__name__], pa.string()),
            "message": pa.array([None if error is None else str(error)], pa.string()),
        }
    )


def answer_partition(
    batches: Iterable[Any], request: bytes, names: list[str], cut: Cut
) -> Iterator[Any]:
    """The sum of the answers of the blocks of a partition. `names`: those of their columns."""
    partition = _partition()
    error: Exception | None = None
    answers: list[bytes] = []
    shard, rows, checksum = 0, 0, 0
    for block in _blocks(batches, cut.block):
        if error is not None:
            continue  # Spark expects all rows to be consumed
        checksum += _checksum(block.column(_HASH), rows)
        rows += block.num_rows
        try:
            if partition >= len(cut.rows) or rows > cut.rows[partition]:
                raise RowsChanged(f"it has {rows} rows or more")
            number = int(cut.first[partition]) + shard
            table = block.drop_columns([_HASH]).rename_columns(names)
            answers.append(shards.answer(request, table, number))
            if len(answers) == _MOST_ANSWERS:
                answers = [shards.add(answers)]
        except MemoryError:
            raise  # another worker may have more
        except Exception as failure:
            error = failure
        shard += 1
    expected = int(cut.rows[partition]) if partition < len(cut.rows) else 0
    if error is None and rows != expected:
        error = RowsChanged(f"it has {rows} rows")
    if error is None and rows and _signed(checksum) != cut.checksums[partition]:
        error = RowsChanged("its rows, or their order, have changed")
    if error is not None:
        yield _result_row(partition, None, error)
    elif answers:
        yield _result_row(partition, shards.add(answers), None)


def add_answers(batches: Iterable[Any]) -> Iterator[Any]:
    """The sum of the answers of some partitions; failures are passed on."""
    answers: list[bytes] = []
    for batch in batches:
        for row in batch.to_pylist():
            if row["error"] is None:
                answers.append(row["answer"])
            else:
                yield pa.RecordBatch.from_pylist([row], batch.schema)
        if len(answers) >= _MOST_ANSWERS:
            answers = [shards.add(answers)]
    if answers:
        yield _result_row(-1, shards.add(answers), None)


# ---- On the driver -------------------------------------------------------------------------------


def _reason(error: BaseException) -> str:
    """The sentence in an error message of Spark that states the cause."""
    text = str(error).split("JVM stacktrace:")[0]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    named = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Changed)\b", line)]
    reason = (named or lines or [type(error).__name__])[-1][:500]
    if "No module named 'frr" in reason:
        reason += ". Install the same version of frr on the Spark workers"
    return reason


def _surely(*calls: Callable[[], object]) -> None:
    """Calls Spark while an exception is being raised, which no other exception must hide. After
    Ctrl-C, the connection of pyspark may be broken for a moment."""
    for call in calls:
        for pause in (0.0, 0.1, 1.0):
            time.sleep(pause)
            with contextlib.suppress(Exception):
                call()
                break


def _was_interrupted(error: BaseException | None) -> bool:
    """Whether `error` was raised during the handling of a KeyboardInterrupt, as pyspark does."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


class Jobs:
    """Cancels the Spark jobs of the `with` block if an error or Ctrl-C ends it."""

    def __init__(self, spark: SparkSession) -> None:
        tag = f"frr-{uuid.uuid4().hex}"
        add: Callable[[str], object]
        end: Callable[[str], object]
        remove: Callable[[str], object]
        # Tags of a session belong to a JVM thread, which pyspark loses after Ctrl-C.
        if is_remote():
            add, end, remove = spark.addTag, spark.interruptTag, spark.removeTag
        else:
            context = spark.sparkContext
            add, remove = context.addJobTag, context.removeJobTag
            end = context.cancelJobsWithTag
        self._add, self._end, self._remove = (
            functools.partial(call, tag) for call in (add, end, remove)
        )

    def __enter__(self) -> None:
        self._add()

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if error is None:
            self._remove()
            return
        _surely(self._end, self._remove)
        if not isinstance(error, KeyboardInterrupt) and _was_interrupted(error):
            raise KeyboardInterrupt from error


class Rows:
    """Asks all rows; a context manager."""

    def __init__(
        self,
        data: DataFrame,
        progress: StepProgress | None = None,
    ) -> None:
        """`progress` is notified of each request."""
        self._names = data.columns
        self._persisted = False
        # Columns get numbers for names, since mapInArrow misreads dots and backticks. The hash is
        # persisted with the rows, so that a request for two columns reads only two.
        columns = [F.col(quoted(name)) for name in self._names]
        self._data = data.select(
            *[column.alias(f"c{index}") for index, column in enumerate(columns)],
            F.xxhash64(*columns).alias(_HASH),
        )
        self._cut: Cut | None = None
        self._progress = progress
        self.requests = 0
        self.bytes = 0  # of all answers
        self.seconds = 0.0

    def persist(self) -> None:
        self._data = self._data.persist(StorageLevel.MEMORY_AND_DISK)
        self._persisted = True

    def __enter__(self) -> Rows:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._persisted and kind is not None:
            _surely(self._data.unpersist)
        elif self._persisted:
            self._data.unpersist()

    def ask(self, request: bytes) -> bytes:
        """The sum of the answers of all shards."""
        begin = time.monotonic()
        if self._cut is None:
            self._cut = self._count()
        self.requests += 1
        if self._progress is not None:
            self._progress.begin_step()
        answers = self._answers(request, self._cut)
        if self._progress is not None:
            self._progress.end_step(int(self._cut.rows.sum()))
        total = shards.add(answers)
        self.bytes += sum(map(len, answers))
        self.seconds += time.monotonic() - begin
        return total

    def _count(self) -> Cut:
        found = self._collect(
            self._data.select(_HASH).mapInArrow(count_rows, _COUNTS), "counting rows"
        )
        counts = {row["partition"]: (row["rows"], row["checksum"]) for row in found}
        size = max(counts, default=-1) + 1
        rows = np.array([counts.get(i, (0, 0))[0] for i in range(size)], np.int64)
        if not rows.any():
            raise ValueError("the DataFrame has no rows; fitting needs rows of different classes")
        block = block_rows(len(self._names))
        blocks = -(-rows // block)
        return Cut(
            rows,
            np.array([counts.get(i, (0, 0))[1] for i in range(size)], np.int64),
            np.cumsum(blocks) - blocks,
            block,
        )

    def _answers(self, request: bytes, cut: Cut) -> list[bytes]:
        wanted = set(shards.columns(request)) or set(self._names)
        chosen = {f"c{i}": name for i, name in enumerate(self._names) if name in wanted}
        names = list(chosen.values())

        def answer(batches: Iterable[Any]) -> Iterator[Any]:
            return answer_partition(batches, request, names, cut)

        data = self._data.select(*chosen, _HASH)
        answers = data.mapInArrow(answer, _ANSWERS)
        if len(cut.rows) > _FAN_IN:
            groups = math.isqrt(len(cut.rows))
            answers = answers.repartition(groups).mapInArrow(add_answers, _ANSWERS)
        collected = self._collect(answers, f"request {self.requests}")
        for row in sorted(collected, key=lambda row: int(row["partition"])):
            if row["error"] is not None:
                raise self._failure(row["partition"], row["error"], row["message"])
        return [bytes(row["answer"]) for row in collected]

    @staticmethod
    def _failure(partition: int, error: str, message: str) -> Exception:
        where = f"partition {partition} of the DataFrame"
        if error == RowsChanged.__name__:
            return RuntimeError(
                f"{where} no longer contains the rows of the first request: {message}. Spark "
                "computed it again, perhaps because a worker was lost, and the result differs, as "
                "can happen after a shuffle or with random numbers. Fit on data.checkpoint(), or "
                "write the data to files and read them back"
            )
        kinds: dict[str, type[Exception]] = {"ValueError": ValueError, "TypeError": TypeError}
        kind = kinds.get(error)
        if kind is not None:
            return kind(f"{where}: {message}")
        return RuntimeError(f"{where}: {error}: {message}")

    @staticmethod
    def _collect(frame: DataFrame, what: str) -> list[Any]:
        try:
            return frame.collect()
        except PySparkException as error:
            raise RuntimeError(f"Spark failed at {what}: {_reason(error)}") from error
