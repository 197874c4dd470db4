"""Numeric and categorical columns of tables of numpy, pandas, polars and pyarrow."""

from __future__ import annotations

import math
import numbers
import sys
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ._core import Column

_MISSING = -1
FLOATS = (np.dtype(np.float64), np.dtype(np.float32))


def module(name: str) -> Any:
    """The module, if it is loaded: the caller's data can only come from a loaded library."""
    return sys.modules.get(name)


def is_pandas(X: Any) -> bool:
    pandas = module("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


def is_polars(X: Any) -> bool:
    polars = module("polars")
    return polars is not None and isinstance(X, polars.DataFrame)


def is_arrow(X: Any) -> bool:
    arrow = module("pyarrow")
    return arrow is not None and isinstance(X, arrow.Table | arrow.RecordBatch)


def is_missing(value: Any) -> bool:
    if value is None:
        return True
    if isinstance(value, numbers.Real):
        return bool(value != value)
    pandas = module("pandas")
    return pandas is not None and (value is pandas.NA or value is pandas.NaT)


# ---- Numbers -------------------------------------------------------------------------------------


def _number(value: Any, name: str) -> float:
    if is_missing(value):
        return math.nan
    if isinstance(value, numbers.Real):
        try:
            return float(value)
        except OverflowError:
            raise ValueError(f"column {name!r} contains a number too large for float64") from None
    if isinstance(value, str):
        raise ValueError(
            f"column {name!r} contains the text {value[:60]!r} instead of a number; correct it, "
            "or name the column in categorical_features before fitting"
        )
    raise _not_a_value(value, name)


def _not_a_value(value: Any, name: str) -> TypeError:
    return TypeError(
        f"column {name!r} contains a {type(value).__name__}; each argument must be a string or a "
        "number (convert dates to numbers such as days first)"
    )


def _numbers(values: Any, name: str) -> NDArray[Any]:
    """float64 or float32, without a copy if possible."""
    array = np.asarray(values)
    if array.dtype in FLOATS:
        whole = array.strides[0] % array.itemsize == 0 and array.flags.aligned
        return array if whole else np.ascontiguousarray(array)
    if array.dtype.kind in "fiub":
        return array.astype(np.float64)
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: column {name!r}")
    if array.dtype.kind in "mM":
        raise _not_a_value(array[0] if len(array) else array, name)
    return np.fromiter((_number(value, name) for value in array.tolist()), np.float64, len(array))


def whole_numbers(values: Sequence[int]) -> NDArray[Any]:
    """An array of exactly these numbers: int64, otherwise uint64, otherwise Python ints. numpy
    would round to floats if some numbers are below 2**63 and others above."""
    for dtype in (np.int64, np.uint64):
        limits = np.iinfo(dtype)
        if all(limits.min <= value <= limits.max for value in values):
            return np.array(values, dtype=dtype)
    return np.array(values, dtype=object)


def label_array(labels: Sequence[Any]) -> NDArray[Any]:
    """Like `np.array`, but whole numbers stay exact."""
    if labels and all(type(label) is int for label in labels):
        return whole_numbers(labels)
    return np.array(labels)


def nullable_whole_numbers(series: Any) -> NDArray[Any]:
    """The numbers of a pandas Series of a nullable integer type without missing values."""
    values = series.to_numpy(dtype=getattr(series.dtype, "numpy_dtype", np.int64))
    if values.dtype == np.uint64 and np.any(values > np.iinfo(np.int64).max):
        return np.asarray(values)
    return np.asarray(values.astype(np.int64))


# ---- Categories ----------------------------------------------------------------------------------


Booleans = tuple[str, str]  # the names of false and true
_BOOLEANS: Booleans = ("False", "True")
_NO, _YES = {"false", "f", "no", "n"}, {"true", "t", "yes", "y"}


def booleans_of(categories: Iterable[str]) -> Booleans | None:
    """The categories that spell false and true, if there are no others. FRR reads them from CSV
    files as strings, other programs as booleans."""
    found = {False: _BOOLEANS[False], True: _BOOLEANS[True]}
    seen: set[bool] = set()
    for category in categories:
        means = category.lower() in _YES
        if means in seen or not (means or category.lower() in _NO):
            return None
        seen.add(means)
        found[means] = category
    return (found[False], found[True]) if seen else None


def category_name(value: Any, name: str, booleans: Booleans = _BOOLEANS) -> str | None:
    """The value as rules write it; None if it is missing."""
    if isinstance(value, str):
        return str(value) or None
    if is_missing(value):
        return None
    if isinstance(value, bool | np.bool_):
        return booleans[bool(value)]
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace") or None
    raise _not_a_value(value, name)


def _coded(
    values: Iterable[Any], count: int, name: str, booleans: Booleans
) -> tuple[NDArray[np.int32], list[str]]:
    """Codes in order of first appearance."""
    code_of_value: dict[Any, int] = {}
    code_of_name: dict[str, int] = {}
    codes = np.empty(count, np.int32)
    for i, value in enumerate(values):
        try:
            code = code_of_value.get((type(value), value))
        except TypeError:  # not hashable, so it cannot be a category
            raise _not_a_value(value, name) from None
        if code is None:
            text = category_name(value, name, booleans)
            code = _MISSING if text is None else code_of_name.setdefault(text, len(code_of_name))
            if not is_missing(value):  # a dictionary cannot find NaN again
                code_of_value[(type(value), value)] = code
        codes[i] = code
    return codes, readable(code_of_name, name)


def readable(texts: Iterable[str], name: str) -> list[str]:
    """The texts, if UTF-8 can encode them; otherwise ValueError."""
    result = list(texts)
    try:
        "".join(result).encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name!r} contains text that is not valid Unicode: {error}") from error
    return result


def _from_codes(
    codes: NDArray[Any], values: Sequence[Any], name: str, booleans: Booleans
) -> tuple[NDArray[np.int32], list[str]]:
    """Codes (-1: missing) and names of the `values` that occur."""
    first: dict[int, int] = {}
    present, at = np.unique(codes, return_index=True)
    for code in present[np.argsort(at)].tolist():
        first[code] = len(first)
    names: dict[str, int] = {}
    table = np.full(len(values) + 1, _MISSING, np.int32)  # the last entry belongs to code -1
    for code in first:
        text = None if code < 0 else category_name(values[code], name, booleans)
        if text is not None:
            table[code] = names.setdefault(text, len(names))
    return table[codes], readable(names, name)


# ---- Frames --------------------------------------------------------------------------------------


class Frame:
    """A table whose columns are converted one by one, when they are needed."""

    names: list[str]
    rows: int
    booleans: Mapping[str, Booleans] = MappingProxyType({})  # spellings in the rules, by column

    def _booleans(self, index: int) -> Booleans:
        return self.booleans.get(self.names[index], _BOOLEANS)

    def is_categorical(self, index: int) -> bool:
        """Whether the type of the column, or its values, make it categorical."""
        raise NotImplementedError

    def numbers(self, index: int) -> NDArray[Any]:
        raise NotImplementedError

    def categories(self, index: int) -> tuple[NDArray[np.int32], list[str]]:
        raise NotImplementedError

    def column(self, index: int, categorical: bool) -> Column:
        name = self.names[index]
        if categorical:
            return (name, *self.categories(index))
        return (name, self.numbers(index))


def _holds_names(values: Iterable[Any], name: str) -> bool:
    """Whether values of any type are categories, because some are not numbers."""
    found = False
    for value in values:
        if isinstance(value, str | bool | np.bool_ | bytes):
            found = True
        elif not isinstance(value, numbers.Real) and not is_missing(value):
            raise _not_a_value(value, name)
    return found


class ArrayFrame(Frame):
    def __init__(self, X: NDArray[Any], names: list[str]) -> None:
        self.X, self.names, self.rows = X, names, X.shape[0]

    def is_categorical(self, index: int) -> bool:
        kind = self.X.dtype.kind
        if kind == "O":
            return _holds_names(self.X[:, index].tolist(), self.names[index])
        if kind in "US":  # numpy has converted a mixture of both to strings
            try:
                self.X[:, index].astype(np.float64)
            except ValueError:
                return True
            return False
        return bool(kind == "b")

    def numbers(self, index: int) -> NDArray[Any]:
        column = self.X[:, index]
        if column.dtype.kind in "US":
            try:
                column = column.astype(np.float64)
            except ValueError:
                column = column.astype(object)  # the error message quotes the text
        return _numbers(column, self.names[index])

    def categories(self, index: int) -> tuple[NDArray[np.int32], list[str]]:
        return _coded(
            self.X[:, index].tolist(), self.rows, self.names[index], self._booleans(index)
        )


class PandasFrame(Frame):
    def __init__(self, X: Any, names: list[str]) -> None:
        self.X, self.names, self.rows = X, names, X.shape[0]

    def is_categorical(self, index: int) -> bool:
        types = module("pandas").api.types
        dtype = self.X.dtypes.iloc[index]
        if types.is_bool_dtype(dtype) or isinstance(dtype, module("pandas").CategoricalDtype):
            return True
        if types.is_numeric_dtype(dtype):
            return False
        if types.is_object_dtype(dtype):
            return _holds_names(self.X.iloc[:, index].tolist(), self.names[index])
        if types.is_string_dtype(dtype):
            return True
        raise TypeError(
            f"column {self.names[index]!r} is of type {dtype}; give numbers or names (convert "
            "dates to numbers such as days first)"
        )

    def numbers(self, index: int) -> NDArray[Any]:
        column = self.X.iloc[:, index]
        if isinstance(column.dtype, np.dtype):
            return _numbers(column.to_numpy(), self.names[index])
        if module("pandas").api.types.is_numeric_dtype(column.dtype):
            return _numbers(column.to_numpy(dtype=np.float64, na_value=np.nan), self.names[index])
        return _numbers(column.to_numpy(dtype=object), self.names[index])

    def categories(self, index: int) -> tuple[NDArray[np.int32], list[str]]:
        pandas, column = module("pandas"), self.X.iloc[:, index]
        name, booleans = self.names[index], self._booleans(index)
        if isinstance(column.dtype, pandas.CategoricalDtype):
            values = column.cat.categories.tolist()
            return _from_codes(column.cat.codes.to_numpy(), values, name, booleans)
        if pandas.api.types.is_object_dtype(column.dtype):
            return _coded(column.tolist(), self.rows, name, booleans)
        codes, values = pandas.factorize(column)
        return _from_codes(codes, values.tolist(), name, booleans)


class PolarsFrame(Frame):
    def __init__(self, X: Any, names: list[str]) -> None:
        self.X, self.names, self.rows = X, names, X.height

    def is_categorical(self, index: int) -> bool:
        polars = module("polars")
        dtype = self.X.dtypes[index]
        if dtype.is_numeric() or dtype == polars.Null:
            return False
        if dtype in (polars.String, polars.Categorical, polars.Enum, polars.Boolean):
            return True
        if dtype == polars.Object:
            return _holds_names(self.X.to_series(index).to_list(), self.names[index])
        raise TypeError(
            f"column {self.names[index]!r} is of type {dtype}; give numbers or names (convert "
            "dates to numbers such as days first)"
        )

    def numbers(self, index: int) -> NDArray[Any]:
        column = self.X.to_series(index)
        if column.dtype == module("polars").Null:
            return np.full(self.rows, np.nan)
        if column.dtype.is_numeric() and not column.dtype.is_float():
            column = column.cast(module("polars").Float64)
        if not column.dtype.is_numeric():
            return _numbers(np.array(column.to_list(), dtype=object), self.names[index])
        return _numbers(column.to_numpy(), self.names[index])

    def categories(self, index: int) -> tuple[NDArray[np.int32], list[str]]:
        values = self.X.to_series(index).to_list()
        return _coded(values, self.rows, self.names[index], self._booleans(index))


class ArrowFrame(Frame):
    """A pyarrow Table or RecordBatch."""

    def __init__(self, X: Any, names: list[str]) -> None:
        self.X, self.names, self.rows = X, names, X.num_rows

    def is_categorical(self, index: int) -> bool:
        types = module("pyarrow").types
        kind = self.X.schema.types[index]
        if is_arrow_number(kind) or types.is_null(kind):
            return False
        if is_arrow_name(kind):
            return True
        raise TypeError(
            f"column {self.names[index]!r} is of type {kind}; give numbers or names (convert "
            "dates to numbers such as days first)"
        )

    def numbers(self, index: int) -> NDArray[Any]:
        arrow = module("pyarrow")
        column, kind = self.X.column(index), self.X.schema.types[index]
        if arrow.types.is_null(kind):
            return np.full(self.rows, np.nan)
        if not is_arrow_number(kind):
            return _numbers(np.array(column.to_pylist(), dtype=object), self.names[index])
        return _numbers(arrow_floats(column), self.names[index])

    def categories(self, index: int) -> tuple[NDArray[np.int32], list[str]]:
        codes, values = arrow_codes(self.X.column(index))
        return _from_codes(codes, values, self.names[index], self._booleans(index))


def is_arrow_number(kind: Any) -> bool:
    types = module("pyarrow").types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))


def arrow_floats(column: Any) -> NDArray[Any]:
    """Numbers of a pyarrow column; NaN is missing."""
    arrow = module("pyarrow")
    types, kind = arrow.types, column.type
    if types.is_decimal(kind):  # through strings, which rounds only once
        column = column.cast(arrow.string())
    if not (types.is_float32(kind) or types.is_float64(kind)):
        column = column.cast(arrow.float64(), safe=False)
    values: NDArray[Any] = column.to_numpy(zero_copy_only=False)
    return values


def is_arrow_name(kind: Any) -> bool:
    types = module("pyarrow").types
    view = getattr(types, "is_string_view", None)
    return bool(
        types.is_dictionary(kind)
        or types.is_boolean(kind)
        or types.is_string(kind)
        or types.is_large_string(kind)
        or (view is not None and view(kind))
    )


def arrow_codes(column: Any) -> tuple[NDArray[Any], list[Any]]:
    """Codes (-1: missing) and distinct values of a pyarrow column."""
    arrow = module("pyarrow")
    if isinstance(column, arrow.ChunkedArray):
        column = column.combine_chunks()
    if isinstance(column, arrow.ChunkedArray):  # older versions give no chunk at all
        column = arrow.concat_arrays(column.chunks) if column.num_chunks else column.type
    if isinstance(column, arrow.DataType):
        return np.empty(0, np.int64), []
    if not arrow.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    codes = column.indices.cast(arrow.int64()).fill_null(_MISSING).to_numpy(zero_copy_only=False)
    return codes, column.dictionary.to_pylist()


class DictFrame(Frame):
    """A dict of arrays or lists by name."""

    def __init__(self, X: Mapping[Any, Any], names: list[str]) -> None:
        self.names = names
        self.columns = [_one_column(values, names[i]) for i, values in enumerate(X.values())]
        self.rows = self.columns[0].rows if self.columns else 0

    def is_categorical(self, index: int) -> bool:
        return self.columns[index].is_categorical(0)

    def numbers(self, index: int) -> NDArray[Any]:
        return self.columns[index].numbers(0)

    def categories(self, index: int) -> tuple[NDArray[np.int32], list[str]]:
        column = self.columns[index]
        column.booleans = self.booleans
        return column.categories(0)


def _one_column(values: Any, name: str) -> Frame:
    if hasattr(values, "to_frame"):  # a pandas or polars Series
        frame = values.to_frame()
        return PandasFrame(frame, [name]) if is_pandas(frame) else PolarsFrame(frame, [name])
    array = np.asarray(values)
    if array.dtype.kind in "US" and isinstance(values, list | tuple):
        array = np.asarray(values, dtype=object)  # keeps numbers that are mixed with strings
    if array.ndim != 1:
        raise ValueError(f"column {name!r} has {array.ndim} dimensions; give one value per row")
    return ArrayFrame(array.reshape(-1, 1), [name])
