"""What users hand over (arrays, lists, pandas and polars frames) as columns for the library."""

from __future__ import annotations

import json
import math
import numbers
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array
from sklearn.utils.validation import _num_samples, assert_all_finite, validate_data

if TYPE_CHECKING:
    from ._core import Column

_MISSING = -1
_FLOATS = (np.dtype(np.float64), np.dtype(np.float32))


def _module(name: str) -> Any:
    """A library that the caller's data come from, so it is loaded already; else None."""
    return sys.modules.get(name)


def is_pandas(X: Any) -> bool:
    pandas = _module("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


def is_polars(X: Any) -> bool:
    polars = _module("polars")
    return polars is not None and isinstance(X, polars.DataFrame)


def is_missing(value: Any) -> bool:
    if value is None:
        return True
    if isinstance(value, numbers.Real):
        return bool(value != value)
    pandas = _module("pandas")
    return pandas is not None and (value is pandas.NA or value is pandas.NaT)


# ---- Numbers -------------------------------------------------------------------------------------


def _number(value: Any, name: str) -> float:
    if is_missing(value):
        return math.nan
    if isinstance(value, numbers.Real):
        try:
            return float(value)
        except OverflowError:
            raise ValueError(f"column {name!r} holds a number too large for float64") from None
    if isinstance(value, str):
        raise ValueError(
            f"column {name!r} holds the text {value[:60]!r} where numbers are needed; correct it, "
            "or name the column in categorical_features before fitting"
        )
    raise _not_a_value(value, name)


def _not_a_value(value: Any, name: str) -> TypeError:
    return TypeError(
        f"column {name!r} holds a {type(value).__name__}; each argument must be a string or a "
        "number (dates: turn them into numbers such as days first)"
    )


def _numbers(values: Any, name: str) -> NDArray[Any]:
    """float64 or float32, where possible without a copy."""
    array = np.asarray(values)
    if array.dtype in _FLOATS:
        whole = array.strides[0] % array.itemsize == 0 and array.flags.aligned
        return array if whole else np.ascontiguousarray(array)
    if array.dtype.kind in "fiub":
        return array.astype(np.float64)
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: column {name!r}")
    if array.dtype.kind in "mM":
        raise _not_a_value(array[0] if len(array) else array, name)
    return np.fromiter((_number(value, name) for value in array.tolist()), np.float64, len(array))


# ---- Categories ----------------------------------------------------------------------------------


def category_name(value: Any, name: str) -> str | None:
    """How a rule spells a value; None if it is missing."""
    if isinstance(value, str):
        return str(value) or None
    if is_missing(value):
        return None
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace") or None
    raise _not_a_value(value, name)


def _coded(values: Iterable[Any], count: int, name: str) -> tuple[NDArray[np.int32], list[str]]:
    """Codes in order of first appearance."""
    code_of_value: dict[Any, int] = {}
    code_of_name: dict[str, int] = {}
    codes = np.empty(count, np.int32)
    for i, value in enumerate(values):
        try:
            code = code_of_value.get((type(value), value))
        except TypeError:  # not hashable, so no value that could be a category
            raise _not_a_value(value, name) from None
        if code is None:
            text = category_name(value, name)
            code = _MISSING if text is None else code_of_name.setdefault(text, len(code_of_name))
            if not is_missing(value):  # a NaN is found again by no dictionary
                code_of_value[(type(value), value)] = code
        codes[i] = code
    return codes, readable(code_of_name, name)


def readable(texts: Iterable[str], name: str) -> list[str]:
    """The texts, if they can be written as UTF-8."""
    result = list(texts)
    try:
        "".join(result).encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name!r} holds text that is no valid Unicode: {error}") from error
    return result


def _from_codes(
    codes: NDArray[Any], values: Sequence[Any], name: str
) -> tuple[NDArray[np.int32], list[str]]:
    """Codes into `values`, -1 being missing, by the names of those that occur."""
    first: dict[int, int] = {}
    present, at = np.unique(codes, return_index=True)
    for code in present[np.argsort(at)].tolist():
        first[code] = len(first)
    names: dict[str, int] = {}
    table = np.full(len(values) + 1, _MISSING, np.int32)  # the last one is that of -1
    for code in first:
        text = None if code < 0 else category_name(values[code], name)
        if text is not None:
            table[code] = names.setdefault(text, len(names))
    return table[codes], readable(names, name)


# ---- Frames --------------------------------------------------------------------------------------


class Frame:
    """A table whose columns are looked at one by one, when they are needed."""

    names: list[str]
    rows: int

    def is_categorical(self, index: int) -> bool:
        """As the type of the column, or what it holds, tells."""
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
    """Whether values of any type are to be categories: some are no numbers."""
    found = False
    for value in values:
        if isinstance(value, str | bool | np.bool_ | bytes):
            found = True
        elif not isinstance(value, numbers.Real) and not is_missing(value):
            raise _not_a_value(value, name)
    return found


class _ArrayFrame(Frame):
    def __init__(self, X: NDArray[Any], names: list[str]) -> None:
        self.X, self.names, self.rows = X, names, X.shape[0]

    def is_categorical(self, index: int) -> bool:
        kind = self.X.dtype.kind
        if kind == "O":
            return _holds_names(self.X[:, index].tolist(), self.names[index])
        if kind in "US":  # numbers beside names have become texts, too
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
                column = column.astype(object)  # the error names the text
        return _numbers(column, self.names[index])

    def categories(self, index: int) -> tuple[NDArray[np.int32], list[str]]:
        return _coded(self.X[:, index].tolist(), self.rows, self.names[index])


class _PandasFrame(Frame):
    def __init__(self, X: Any, names: list[str]) -> None:
        self.X, self.names, self.rows = X, names, X.shape[0]

    def is_categorical(self, index: int) -> bool:
        types = _module("pandas").api.types
        dtype = self.X.dtypes.iloc[index]
        if types.is_bool_dtype(dtype) or isinstance(dtype, _module("pandas").CategoricalDtype):
            return True
        if types.is_numeric_dtype(dtype):
            return False
        if types.is_object_dtype(dtype):
            return _holds_names(self.X.iloc[:, index].tolist(), self.names[index])
        if types.is_string_dtype(dtype):
            return True
        raise TypeError(
            f"column {self.names[index]!r} is of type {dtype}; give numbers or names (dates: turn "
            "them into numbers such as days first)"
        )

    def numbers(self, index: int) -> NDArray[Any]:
        column = self.X.iloc[:, index]
        if isinstance(column.dtype, np.dtype):
            return _numbers(column.to_numpy(), self.names[index])
        if _module("pandas").api.types.is_numeric_dtype(column.dtype):
            return _numbers(column.to_numpy(dtype=np.float64, na_value=np.nan), self.names[index])
        return _numbers(column.to_numpy(dtype=object), self.names[index])

    def categories(self, index: int) -> tuple[NDArray[np.int32], list[str]]:
        pandas, column, name = _module("pandas"), self.X.iloc[:, index], self.names[index]
        if isinstance(column.dtype, pandas.CategoricalDtype):
            return _from_codes(column.cat.codes.to_numpy(), column.cat.categories.tolist(), name)
        if pandas.api.types.is_object_dtype(column.dtype):
            return _coded(column.tolist(), self.rows, name)
        codes, values = pandas.factorize(column)
        return _from_codes(codes, values.tolist(), name)


class _PolarsFrame(Frame):
    def __init__(self, X: Any, names: list[str]) -> None:
        self.X, self.names, self.rows = X, names, X.height

    def is_categorical(self, index: int) -> bool:
        polars = _module("polars")
        dtype = self.X.dtypes[index]
        if dtype.is_numeric() or dtype == polars.Null:
            return False
        if dtype in (polars.String, polars.Categorical, polars.Enum, polars.Boolean):
            return True
        if dtype == polars.Object:
            return _holds_names(self.X.to_series(index).to_list(), self.names[index])
        raise TypeError(
            f"column {self.names[index]!r} is of type {dtype}; give numbers or names (dates: turn "
            "them into numbers such as days first)"
        )

    def numbers(self, index: int) -> NDArray[Any]:
        column = self.X.to_series(index)
        if column.dtype == _module("polars").Null:
            return np.full(self.rows, np.nan)
        if column.dtype.is_numeric() and not column.dtype.is_float():
            column = column.cast(_module("polars").Float64)
        if not column.dtype.is_numeric():
            return _numbers(np.array(column.to_list(), dtype=object), self.names[index])
        return _numbers(column.to_numpy(), self.names[index])

    def categories(self, index: int) -> tuple[NDArray[np.int32], list[str]]:
        return _coded(self.X.to_series(index).to_list(), self.rows, self.names[index])


# ---- Estimators ----------------------------------------------------------------------------------


def forget(estimator: Any) -> None:
    """Makes an estimator unfitted."""
    parameters = estimator.get_params(deep=False)
    for name in list(vars(estimator)):
        learned = name.endswith("_") and not name.endswith("__")
        if name not in parameters and (learned or name == "_model"):
            delattr(estimator, name)


def _check_size(estimator: Any, X: Any) -> None:
    """Of a frame, in the words of scikit-learn."""
    if X.shape[0] < 1 or X.shape[1] < 1:
        what = "sample(s)" if X.shape[0] < 1 else "feature(s)"
        raise ValueError(
            f"Found array with 0 {what} (shape={X.shape}) while a minimum of 1 is required"
            f" by {type(estimator).__name__}."
        )


def _is_plain(X: Any) -> bool:
    """A table of floats, which needs no check but for its columns."""
    return type(X) is np.ndarray and X.ndim == 2 and len(X) > 0 and X.dtype in _FLOATS


def read_X(estimator: Any, X: Any, *, reset: bool) -> Frame:
    """X as scikit-learn checks it: 2-d, dense, the columns of fit. Infinite numbers are left to
    the library, which meets them anyway."""
    if is_pandas(X) or is_polars(X):
        _check_size(estimator, X)
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        own = getattr(estimator, "feature_names_in_", None)
        names = list(own) if own is not None else positional_names(X.shape[1])
        readable(names, "names")
        return _PandasFrame(X, names) if is_pandas(X) else _PolarsFrame(X, names)
    if isinstance(X, list | tuple) and np.asarray(X).dtype.kind in "US":
        X = np.asarray(X, dtype=object)  # numbers beside names stay numbers
    if not reset and _is_plain(X):
        validate_data(estimator, X, reset=False, skip_check_array=True)
    else:
        finite = "allow-nan" if reset else False
        X = validate_data(estimator, X, reset=reset, dtype=None, ensure_all_finite=finite)
    own = getattr(estimator, "feature_names_in_", None)
    return _ArrayFrame(X, list(own) if own is not None else positional_names(X.shape[1]))


def read_frame(estimator: Any, X: Any, names: list[str]) -> Frame:
    """X for a model from a file, whose features are `names`: frames are matched by name, arrays by
    position."""
    if is_pandas(X) or is_polars(X):
        _check_size(estimator, X)
        own = readable([str(name) for name in X.columns], "names")
        return _PandasFrame(X, own) if is_pandas(X) else _PolarsFrame(X, own)
    if isinstance(X, list | tuple) and np.asarray(X).dtype.kind in "US":
        X = np.asarray(X, dtype=object)
    if not _is_plain(X):
        X = check_array(X, dtype=None, ensure_all_finite=False)
    numbered = [int(name[1:]) for name in names if re.fullmatch("x[0-9]{1,9}", name)]
    if len(numbered) == len(names) and names and X.shape[1] > max(numbered):
        return _ArrayFrame(X, positional_names(X.shape[1]))
    if X.shape[1] != len(names):
        raise ValueError(
            f"X has {X.shape[1]} features, but {type(estimator).__name__} is expecting "
            f"{len(names)} features as input: {', '.join(map(repr, names[:20]))}"
        )
    return _ArrayFrame(X, names)


def positional_names(count: int) -> list[str]:
    """Names of columns without names, as scikit-learn gives them."""
    return [f"x{i}" for i in range(count)]


def _plain_y(y: Any) -> Any:
    """Without the nullable types of pandas, of which numpy makes objects or floats."""
    pandas = _module("pandas")
    if pandas is None or not isinstance(y, pandas.Series) or isinstance(y.dtype, np.dtype):
        return y
    if y.isna().any():
        raise ValueError("Input y contains NaN.")
    if pandas.api.types.is_integer_dtype(y.dtype):
        return y.to_numpy(dtype=np.int64)
    if pandas.api.types.is_bool_dtype(y.dtype):
        return y.to_numpy(dtype=bool)
    return np.array(y.tolist())


def read_y(estimator: Any, X: Any, y: Any) -> NDArray[Any]:
    from sklearn.utils import check_consistent_length, column_or_1d
    from sklearn.utils.multiclass import check_classification_targets

    if y is None:
        raise ValueError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None."
        )
    y = column_or_1d(_plain_y(y), warn=True)
    assert_all_finite(y, input_name="y", estimator_name=type(estimator).__name__)
    if y.dtype.kind == "O" and any(is_missing(value) for value in y.tolist()):
        raise ValueError("Input y contains NaN.")
    check_classification_targets(y)
    check_consistent_length(X, y)
    if _num_samples(y) < 2:
        raise ValueError("fitting needs at least 2 samples of different classes, got 1 sample")
    return y  # type: ignore[no-any-return]


def target_name(y: Any, names: list[str]) -> str:
    """Of the series or the frame of one column that `y` came in; else "class"."""
    name = getattr(y, "name", None)
    if name is None and (is_pandas(y) or is_polars(y)) and y.shape[1] == 1:
        name = y.columns[0]
    own = str(name) if isinstance(name, str) and name else "class"
    readable([own], "name of y")
    while own in names:
        own += "_"
    return own


def own_labels(partition: Any, frame: Frame, categorical: list[bool]) -> str:
    """A dict of labels by column in the form of a partition file; "" if there is none."""
    if not isinstance(partition, Mapping):
        return ""
    features: dict[str, dict[str, list[float | None]]] = {}
    for name, labels in partition.items():
        if name not in frame.names:
            raise ValueError(
                f"partition names the column {name!r}, but the features are "
                f"{', '.join(map(repr, frame.names[:20]))}"
            )
        if categorical[frame.names.index(name)]:
            raise ValueError(f"partition gives ranges for {name!r}, which is categorical")
        if not isinstance(labels, Mapping):
            raise TypeError(f"partition[{name!r}] must be a dict of trapezoids, got {labels!r}")
        features[name] = {
            str(label): [_border(x, name, str(label)) for x in shape]
            for label, shape in labels.items()
        }
    return json.dumps({"features": features})


def _border(value: Any, column: str, label: str) -> float | None:
    if value is None:
        return None
    if not isinstance(value, numbers.Real) or math.isnan(value):
        raise TypeError(
            f"partition[{column!r}][{label!r}] must hold four numbers, or None for an open end, "
            f"got {value!r}"
        )
    return None if math.isinf(value) else float(value)


def categorical_mask(given: Any, frame: Frame) -> list[bool]:
    """Which columns are categorical: those given by name, index or mask besides what the types
    tell."""
    count = len(frame.names)
    if given is None or (isinstance(given, str) and given == "from_dtype"):
        return [frame.is_categorical(index) for index in range(count)]
    if isinstance(given, str):
        raise ValueError(
            f"categorical_features must be 'from_dtype', names, indices or a mask, got {given!r}"
            + (f"; did you mean [{given!r}]?" if given in frame.names else "")
        )
    try:
        entries = list(given)
    except TypeError:
        raise TypeError(
            f"categorical_features must be 'from_dtype', names, indices or a mask, got {given!r}"
        ) from None
    chosen: set[int] = set()
    bools = [isinstance(entry, bool | np.bool_) for entry in entries]
    if any(bools) and not all(bools):
        raise ValueError(f"categorical_features mixes a mask with names or indices: {entries!r}")
    if any(bools):
        if len(entries) != count:
            raise ValueError(
                f"categorical_features is a mask of {len(entries)} for {count} features"
            )
        chosen = {index for index, entry in enumerate(entries) if entry}
    for entry in entries:
        if isinstance(entry, bool | np.bool_):
            continue
        if isinstance(entry, str):
            if entry not in frame.names:
                raise ValueError(
                    f"categorical_features names {entry!r}, but the features are "
                    f"{', '.join(map(repr, frame.names[:20]))}"
                )
            chosen.add(frame.names.index(entry))
        elif isinstance(entry, int | np.integer) and -count <= entry < count:
            chosen.add(int(entry) % count)
        else:
            raise ValueError(
                f"categorical_features holds {entry!r}; give names, indices from 0 to "
                f"{count - 1}, or a mask of {count}"
            )
    return [index in chosen or frame.is_categorical(index) for index in range(count)]
