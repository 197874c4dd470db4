"""Validation of the arguments of estimators, as in scikit-learn."""

from __future__ import annotations

import json
import math
import numbers
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array
from sklearn.utils.validation import _num_samples, assert_all_finite, validate_data

from ._frames import (
    FLOATS,
    ArrayFrame,
    Frame,
    PandasFrame,
    PolarsFrame,
    is_missing,
    is_pandas,
    is_polars,
    label_array,
    module,
    nullable_whole_numbers,
    readable,
)


def _check_size(estimator: Any, X: Any) -> None:
    """Checks the shape of a frame, with the messages of scikit-learn."""
    if X.shape[0] < 1 or X.shape[1] < 1:
        what = "sample(s)" if X.shape[0] < 1 else "feature(s)"
        raise ValueError(
            f"Found array with 0 {what} (shape={X.shape}) while a minimum of 1 is required"
            f" by {type(estimator).__name__}."
        )


def _is_plain(X: Any) -> bool:
    """A table of floats, in which only the columns need checking."""
    return type(X) is np.ndarray and X.ndim == 2 and len(X) > 0 and X.dtype in FLOATS


def read_X(estimator: Any, X: Any, *, reset: bool) -> Frame:
    """X, checked as scikit-learn does: 2-d, dense, with the columns of fit. The library itself
    rejects infinite numbers."""
    if is_pandas(X) or is_polars(X):
        _check_size(estimator, X)
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        names = _fitted_names(estimator, X)
        readable(names, "names")
        return PandasFrame(X, names) if is_pandas(X) else PolarsFrame(X, names)
    if isinstance(X, list | tuple) and np.asarray(X).dtype.kind in "US":
        X = np.asarray(X, dtype=object)  # keeps numbers that are mixed with strings
    if not reset and _is_plain(X):
        validate_data(estimator, X, reset=False, skip_check_array=True)
    else:
        finite = "allow-nan" if reset else False
        X = validate_data(estimator, X, reset=reset, dtype=None, ensure_all_finite=finite)
    return ArrayFrame(X, _fitted_names(estimator, X))


def _fitted_names(estimator: Any, X: Any) -> list[str]:
    names = getattr(estimator, "feature_names_in_", None)
    return list(names) if names is not None else positional_names(X.shape[1])


def read_frame(estimator: Any, X: Any, names: list[str]) -> Frame:
    """X for a model from a file, whose features are `names`: frames are matched by name, arrays by
    position."""
    if is_pandas(X) or is_polars(X):
        _check_size(estimator, X)
        columns = readable([str(name) for name in X.columns], "names")
        return PandasFrame(X, columns) if is_pandas(X) else PolarsFrame(X, columns)
    if isinstance(X, list | tuple) and np.asarray(X).dtype.kind in "US":
        X = np.asarray(X, dtype=object)
    if not _is_plain(X):
        X = check_array(X, dtype=None, ensure_all_finite=False)
    numbered = [int(name[1:]) for name in names if re.fullmatch("x[0-9]{1,9}", name)]
    if len(numbered) == len(names) and names and X.shape[1] > max(numbered):
        return ArrayFrame(X, positional_names(X.shape[1]))
    if X.shape[1] != len(names):
        raise ValueError(
            f"X has {X.shape[1]} features, but {type(estimator).__name__} is expecting "
            f"{len(names)} features as input: {', '.join(map(repr, names[:20]))}"
        )
    return ArrayFrame(X, names)


def positional_names(count: int) -> list[str]:
    """Names of unnamed columns: x0, x1, ..., as in scikit-learn."""
    return [f"x{i}" for i in range(count)]


def _plain_y(y: Any) -> Any:
    """Replaces nullable types of pandas, which numpy would convert to objects or floats."""
    pandas = module("pandas")
    if pandas is None or not isinstance(y, pandas.Series) or isinstance(y.dtype, np.dtype):
        return y
    if y.isna().any():
        raise ValueError("Input y contains NaN.")
    if pandas.api.types.is_integer_dtype(y.dtype):
        return nullable_whole_numbers(y)
    if pandas.api.types.is_bool_dtype(y.dtype):
        return y.to_numpy(dtype=bool)
    return label_array(y.tolist())


def read_y(estimator: Any, X: Any, y: Any) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """The classes in order, and the class of each row."""
    from sklearn.utils import check_consistent_length, column_or_1d
    from sklearn.utils.multiclass import check_classification_targets

    if y is None:
        raise ValueError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None."
        )
    y = column_or_1d(_plain_y(y), warn=True)
    assert_all_finite(y, input_name="y", estimator_name=type(estimator).__name__)
    check_consistent_length(X, y)
    if _num_samples(y) < 2:
        raise ValueError("fitting needs at least 2 samples of different classes, got 1 sample")
    if y.dtype.kind == "O":
        values = y.tolist()
        if set(map(type, values)) == {str}:  # a dictionary is faster than sorting texts
            classes = np.array(sorted(set(values)), dtype=object)
            check_classification_targets(classes)
            code_of = {label: code for code, label in enumerate(classes.tolist())}
            return classes, np.fromiter(map(code_of.__getitem__, values), np.int32, len(values))
        if any(is_missing(value) for value in values):
            raise ValueError("Input y contains NaN.")
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes.astype(np.int32)


def target_name(y: Any, names: list[str]) -> str:
    """The name of `y` if it is a Series or a DataFrame with one column; otherwise "class"."""
    name = getattr(y, "name", None)
    if name is None and (is_pandas(y) or is_polars(y)) and y.shape[1] == 1:
        name = y.columns[0]
    target = str(name) if isinstance(name, str) and name else "class"
    readable([target], "name of y")
    while target in names:
        target += "_"
    return target


def given_labels(partition: Any, names: list[str] | None, categorical: list[bool] | None) -> str:
    """The dict `partition` as a label file; "" if it is not a dict. `names` of the features
    and whether they are `categorical`, if known."""
    if not isinstance(partition, Mapping):
        return ""
    features: dict[str, dict[str, list[float | None]]] = {}
    for name, labels in partition.items():
        if names is not None and name not in names:
            raise ValueError(
                f"partition names the column {name!r}, but the features are "
                f"{', '.join(map(repr, names[:20]))}"
            )
        if names is not None and categorical is not None and categorical[names.index(name)]:
            raise ValueError(f"partition defines ranges for {name!r}, which is categorical")
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
            f"partition[{column!r}][{label!r}] must be four numbers, or None for an open end, "
            f"got {value!r}"
        )
    return None if math.isinf(value) else float(value)


def categorical_mask(given: Any, frame: Frame) -> list[bool]:
    """Whether each column is categorical: by its type, or because `given` lists it by name, index
    or mask."""
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
                f"categorical_features is a mask of length {len(entries)} for {count} features"
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
                f"categorical_features contains {entry!r}; give names, indices from 0 to "
                f"{count - 1}, or a mask of length {count}"
            )
    return [index in chosen or frame.is_categorical(index) for index in range(count)]
