"""Classes of shards: names in messages, values of the original type in the result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._frames import (
    arrow_codes,
    arrow_floats,
    is_arrow,
    is_missing,
    is_pandas,
    is_polars,
    label_array,
    module,
    nullable_whole_numbers,
    whole_numbers,
)


def target_codes(frame: Any, index: int, name: str) -> tuple[NDArray[np.int32], list[str], str]:
    """Codes (-1: missing), the names that `FRRClassifier.fit` uses, and the type."""
    if is_arrow(frame):
        return _arrow(frame.column(index))
    if is_pandas(frame):
        return _pandas(frame.iloc[:, index])
    if is_polars(frame):
        return _polars(frame.to_series(index))
    values = list(frame.values())[index] if isinstance(frame, Mapping) else frame
    if hasattr(values, "to_frame"):
        series = values.to_frame()
        return target_codes(series, 0, name)
    return _array(np.asarray(values), None)


def _array(
    values: NDArray[Any], missing: NDArray[Any] | None
) -> tuple[NDArray[np.int32], list[str], str]:
    """`missing`: a mask, or None if the values show it."""
    if values.dtype.kind == "O" and missing is None:
        missing = np.fromiter((is_missing(x) for x in values.tolist()), bool, len(values))
    if values.dtype.kind == "f":
        nan = np.isnan(values)
        missing = nan if missing is None else missing | nan
    present = values if missing is None else values[~missing]
    kind = present.dtype.name
    if present.dtype.kind == "O":
        plain = label_array(present.tolist())
        kind = "object" if plain.dtype.kind not in "iufb" else plain.dtype.name
        code_of: dict[Any, int] = {}
        for value in present.tolist():
            code_of.setdefault(value, len(code_of))
        labels: list[Any] = list(code_of)
        codes = np.fromiter(map(code_of.__getitem__, present.tolist()), np.int32, len(present))
    else:
        if present.dtype.kind == "U":
            kind = "str"
        distinct, inverse = np.unique(present, return_inverse=True)
        labels, codes = distinct.tolist(), inverse.astype(np.int32)
    names = [str(label) for label in labels]
    if len(set(names)) < len(names):
        raise ValueError(f"different class labels have the same name: {names[:20]}")
    if "" in names:
        raise ValueError("a class label is an empty string; give it a name, or make it missing")
    if missing is None:
        return codes, names, kind
    all_codes = np.full(len(values), -1, np.int32)
    all_codes[~missing] = codes
    return all_codes, names, kind


def _pandas(series: Any) -> tuple[NDArray[np.int32], list[str], str]:
    pandas = module("pandas")
    dtype = series.dtype
    if isinstance(dtype, np.dtype):
        return _array(series.to_numpy(), None)
    missing = series.isna().to_numpy()
    types = pandas.api.types
    if isinstance(dtype, pandas.CategoricalDtype):
        labels = label_array(dtype.categories.tolist())
        values = (
            labels[np.where(missing, 0, series.cat.codes.to_numpy())] if len(labels) else labels
        )
        return _array(values if len(labels) else np.zeros(len(series)), missing)
    if types.is_integer_dtype(dtype):
        return _array(nullable_whole_numbers(series.fillna(0)), missing)
    if types.is_bool_dtype(dtype):
        return _array(series.fillna(False).to_numpy(dtype=bool), missing)
    if types.is_float_dtype(dtype):
        return _array(series.to_numpy(dtype=np.float64, na_value=np.nan), missing)
    codes, names, _ = _array(series.to_numpy(dtype=object), missing)
    return codes, names, "str"


def _polars(series: Any) -> tuple[NDArray[np.int32], list[str], str]:
    polars = module("polars")
    missing = series.is_null().to_numpy()
    if series.dtype.is_integer():
        return _array(series.fill_null(0).to_numpy(), missing)
    if series.dtype == polars.Boolean:
        return _array(series.fill_null(False).to_numpy(), missing)
    if series.dtype.is_numeric():
        return _array(series.cast(polars.Float64).to_numpy(), missing)
    return _array(np.array([*series.to_list(), None], dtype=object)[:-1], missing)


def _arrow(column: Any) -> tuple[NDArray[np.int32], list[str], str]:
    arrow = module("pyarrow")
    types = arrow.types
    kind = column.type
    if types.is_null(kind):
        return np.full(len(column), -1, np.int32), [], ""
    if types.is_floating(kind) or types.is_decimal(kind):
        return _array(arrow_floats(column), None)
    codes, values = arrow_codes(column)
    value_type = kind.value_type if types.is_dictionary(kind) else kind
    missing = codes < 0
    labels = label_array(values if values else [0])
    if types.is_integer(value_type):
        labels = labels.astype(value_type.to_pandas_dtype())
    return _array(labels[np.where(missing, 0, codes)], missing)


def classes_of(names: list[str], types: list[str], target: str) -> tuple[NDArray[Any], list[str]]:
    """The classes in order, in the type that they have in the shards, and their names."""
    if {_kind(name) for name in types} <= {"text"}:
        texts = sorted(names)
        return np.array(texts, dtype=object if "object" in types else None), texts
    if len({_kind(name) for name in types}) > 1:
        raise ValueError(
            f"the target {target!r} is of type {types[0]} in one shard and of type {types[1]} in "
            "another; convert it to the same type in all shards"
        )
    dtype = np.result_type(*types)
    # numpy has no integer type for both int64 and uint64.
    mixed = dtype.kind == "f" and _kind(types[0]) == "whole"
    try:
        pairs = sorted((_label(name, "i" if mixed else dtype.kind), name) for name in names)
    except ValueError:
        raise ValueError(
            f"the target {target!r} contains {names[:20]}, which are not all of type {dtype}"
        ) from None
    if mixed:
        return whole_numbers([label for label, _ in pairs]), [name for _, name in pairs]
    if dtype.kind == "f" and not all(label.is_integer() for label, _ in pairs):
        raise ValueError(
            "Unknown label type: continuous. Maybe you are trying to fit a classifier, which "
            f"expects discrete classes, on a regression target: {target!r} contains {names[:5]}"
        )
    return np.array([label for label, _ in pairs], dtype=dtype), [name for _, name in pairs]


def _label(name: str, kind: str) -> Any:
    if kind == "b":
        if name not in ("True", "False"):
            raise ValueError
        return name == "True"
    if kind not in "iu":
        return float(name)
    if name.lstrip("-").isdigit():
        return int(name)
    if not float(name).is_integer():
        raise ValueError
    return int(float(name))


def _kind(name: str) -> str:
    if name in ("", "object", "str") or name.startswith("str"):
        return "text"
    kind = np.dtype(name).kind
    return {"b": "bool", "i": "whole", "u": "whole"}.get(kind, "number")
