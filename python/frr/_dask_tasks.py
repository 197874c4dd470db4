"""The tasks that frr.dask runs on the workers."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite

from . import shards
from ._classifier import FRRClassifier
from ._frames import is_missing
from ._input import _plain_y


class Part(NamedTuple):
    """The rows of one shard, which remain on a worker during a fit."""

    x: Any  # pandas DataFrame or two-dimensional numpy array
    y: pd.Series[Any]
    weight: NDArray[np.float64] | None
    checksum: int


class Table(NamedTuple):
    """The names of the columns of a shard."""

    features: list[str]
    target: str
    weight: str  # "": no weights


@contextmanager
def in_shard(number: int) -> Iterator[None]:
    """Adds the number of the shard to error messages."""
    try:
        yield
    except Exception as error:
        text = str(error)
        if not isinstance(error, TypeError | ValueError):
            text = f"{type(error).__name__}: {text}"
        if not text.startswith("shard "):
            text = f"shard {number}: {text}"
        kind = TypeError if isinstance(error, TypeError) else ValueError
        if not isinstance(error, TypeError | ValueError):
            raise RuntimeError(text) from error
        raise kind(text) from error


# ---- Learning ------------------------------------------------------------------------------------


def make_part(x: Any, y: Any, weight: Any, number: int, columns: list[Any] | int) -> Part:
    """Checks one partition and prepares it for many requests. `columns`: the names that a frame
    must have, or the number of columns that an array must have."""
    with in_shard(number):
        x = _checked_frame(x, columns) if isinstance(columns, list) else _checked_array(x, columns)
        _check_lengths(x, y, weight)
        if weight is not None:
            weight = np.asarray(weight, dtype=np.float64).reshape(-1)
        y = _coded_target(y)
        return Part(x, y, weight, _checksum(x, y, weight, number))


def _checksum(x: Any, y: pd.Series[Any], weight: Any, number: int) -> int:
    """A checksum that shows whether the rows differ when the partition is computed again. Sums of
    checksums show it as well."""
    columns = [x] if isinstance(x, np.ndarray) else [x.iloc[:, i] for i in range(x.shape[1])]
    total = zlib.crc32(str((number, len(y))).encode())
    for column in (*columns, y, *([] if weight is None else [weight])):
        values = _plain_values(column)
        ordered = values.T if values.flags.f_contiguous else np.ascontiguousarray(values)
        total = zlib.crc32(ordered.view(np.uint8).data, total)
    return total


def _plain_values(column: Any) -> NDArray[Any]:
    """Numbers unchanged; for other values, a number that represents them."""
    values: NDArray[Any]
    if isinstance(column.dtype, pd.CategoricalDtype):
        of_code = [_number_of(value) for value in column.cat.categories.tolist()]
        numbers = np.array([*of_code, 0], np.uint32)  # the last entry belongs to code -1
        values = numbers[column.cat.codes.to_numpy()]
        return values
    values = column if isinstance(column, np.ndarray) else column.to_numpy()
    if values.dtype.kind in "biuf":
        return values
    return np.fromiter(map(_number_of, values.ravel().tolist()), np.uint32, values.size)


def _number_of(value: Any) -> int:
    return zlib.crc32(repr(value).encode("utf-8", "replace"))


def _checked_frame(x: Any, columns: list[Any]) -> Any:
    if not isinstance(x, pd.DataFrame):
        raise TypeError(f"the partitions of X must be pandas DataFrames, got a {type(x).__name__}")
    found = x.columns.tolist()
    if found != columns:
        for name in columns:
            if name not in found:
                raise ValueError(
                    f"this partition of X has no column {name!r}, which its meta lists; its "
                    f"columns are {', '.join(map(repr, found[:20]))}"
                )
        if len(found) != len(columns):
            extra = next(name for name in found if name not in columns)
            raise ValueError(f"this partition of X has a column {extra!r} that its meta lacks")
        x = x[columns]
    x = x.reset_index(drop=True)
    # Strings are encoded once, not at each request.
    texts = [index for index in range(x.shape[1]) if _holds_texts(x.iloc[:, index])]
    if not texts:
        return x
    data = {index: x.iloc[:, index] for index in range(x.shape[1])}
    for index in texts:
        data[index] = data[index].astype("category")
    return pd.DataFrame(data).set_axis(x.columns, axis=1)


def _holds_texts(column: pd.Series[Any]) -> bool:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return False
    if column.dtype == object:
        return pd.api.types.infer_dtype(column, skipna=True) == "string"
    return pd.api.types.is_string_dtype(column.dtype)


def _checked_array(x: Any, columns: int) -> NDArray[Any]:
    if not isinstance(x, np.ndarray):
        raise TypeError(f"the blocks of X must be numpy arrays, got a {type(x).__name__}")
    if x.ndim != 2 or x.shape[1] != columns:
        raise ValueError(f"this block of X has the shape {x.shape}, not (rows, {columns})")
    if x.dtype.kind == "f":
        assert_all_finite(x, allow_nan=True, input_name="X")
    return x


def _check_lengths(x: Any, y: Any, weight: Any) -> None:
    for name, other in (("y", y), ("sample_weight", weight)):
        if other is not None and len(other) != len(x):
            raise ValueError(
                f"X has {len(x)} rows, but {name} has {len(other)}; divide both into the same "
                "partitions, best by taking them from one collection"
            )


def _coded_target(y: Any) -> pd.Series[Any]:
    """The classes, as categories if that cannot change their values."""
    if isinstance(y, pd.DataFrame) and y.shape[1] == 1:
        y = y.iloc[:, 0]
    values = column_or_1d(_plain_y(y))
    if values.dtype.kind == "O" and any(is_missing(value) for value in values.tolist()):
        raise ValueError("Input y contains NaN.")
    if values.dtype.kind == "f" and len(values):
        assert_all_finite(values, input_name="y")
        check_classification_targets(values)
    series = pd.Series(values)
    plain = values.dtype.kind in "iufbU"
    return series.astype("category") if plain or _holds_texts(series) else series


class Answer(NamedTuple):
    """The answer of one shard or several."""

    rows: int
    checksum: int  # of the rows
    answer: bytes


def answer_part(request: bytes, part: Part, number: int, table: Table) -> Answer:
    """The answer of a shard to a request."""
    with in_shard(number):
        wanted = set(shards.columns(request)) or {*table.features, table.target, table.weight}
        frame: dict[str, Any] = {
            name: part.x[:, index] if isinstance(part.x, np.ndarray) else part.x.iloc[:, index]
            for index, name in enumerate(table.features)
            if name in wanted
        }
        frame[table.target] = part.y
        if part.weight is not None:
            frame[table.weight] = part.weight
        return Answer(len(part.y), part.checksum, shards.answer(request, frame, number))


def add_answers(answers: list[Answer]) -> Answer:
    return Answer(
        sum(answer.rows for answer in answers),
        sum(answer.checksum for answer in answers),
        shards.add(answer.answer for answer in answers),
    )


def same(request: bytes) -> bytes:
    """A request as a task, which the scheduler sends once; workers then copy it from each other.
    A scattered value would be lost with its worker, but a task is computed again."""
    return request


# ---- Deciding ------------------------------------------------------------------------------------


def decide(x: Any, model: FRRClassifier, method: str, empty: NDArray[Any]) -> NDArray[Any]:
    """The result of a method of the model; `empty` if there are no rows."""
    result: NDArray[Any] = getattr(model, method)(x) if len(x) else empty
    return result


def hits(model: FRRClassifier, x: Any, y: Any, weight: Any, number: int) -> tuple[float, float]:
    """The weight of the correctly predicted rows, and of all rows."""
    with in_shard(number):
        _check_lengths(x, y, weight)
        if len(x) == 0:
            return 0.0, 0.0
        check_consistent_length(x, y)
        right = model.predict(x) == column_or_1d(_plain_y(y))
        weights = np.ones(len(right)) if weight is None else np.asarray(weight, dtype=np.float64)
        return float(weights.ravel() @ right), float(weights.sum())
