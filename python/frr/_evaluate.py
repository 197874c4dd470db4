"""How well a classifier predicts rows whose class is known."""

from __future__ import annotations

import json
import numbers
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._classifier import FRRClassifier, _class_names, _row_weights
from ._frames import (
    DictFrame,
    Frame,
    PandasFrame,
    PolarsFrame,
    is_missing,
    is_pandas,
    is_polars,
    readable,
)
from ._input import target_name
from ._options import thread_count


def evaluate(
    model: Any,
    X: Any,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
    positive: Any = None,
    by: Any = None,
    *,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> dict[str, Any]:
    """Measure how well a fitted classifier predicts: classification, ranking, calibration, and
    differences between groups, each with a 95 % bootstrap interval.

    The figures are those of ``frr evaluate --json``, and equal those of scikit-learn where it has
    them. Undefined figures are None, such as the AUC of a class that does not occur in `y`.

    Parameters
    ----------
    model : FRRClassifier or any fitted classifier with `predict_proba` and `classes_`
        The classifier to evaluate.
    X : array-like, pandas or polars DataFrame of shape (n_samples, n_features)
        Rows that the model has not learned from.
    y : array-like of shape (n_samples,)
        Their true classes. Rows without one, or of a class that the model does not know, are left
        out.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each row.
    positive : label, default=None
        The class that is the event to detect. The default is that of the FRRClassifier; for other
        classifiers with two classes, the rarer one in `y`.
    by : str, list of str, DataFrame or dict of array-likes, default=None
        Columns that divide the rows into groups, at most 50 each: names of columns of `X`, or the
        columns themselves.
    random_state : int, default=0
        Seed of the bootstrap.
    n_jobs : int, default=None
        Number of threads, as in scikit-learn; -1: all processors. It does not affect the result.

    Returns
    -------
    dict
        Keys as in the JSON output of ``frr evaluate``, without `dataset`.

    Examples
    --------
    >>> from frr import FRRClassifier, evaluate
    >>> X = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]] * 4
    >>> y = ["low", "low", "low", "high", "high", "high"] * 4
    >>> result = evaluate(FRRClassifier().fit(X, y), X, y, positive="high")
    >>> result["accuracy"], result["by_class"]["high"]["sensitivity"]
    (1.0, 1.0)
    """
    classes = np.asarray(model.classes_)
    names = _class_names(classes)
    shares = np.ascontiguousarray(model.predict_proba(X), dtype=np.float64)
    rows = len(shares)
    code_of = {label: code for code, label in enumerate(classes.tolist())}
    predicted = np.array(
        [code_of[label] for label in np.asarray(model.predict(X)).tolist()], dtype=np.int32
    )
    truth, notes = _truth(y, rows, code_of)
    weights = None
    if sample_weight is not None:
        weights = _row_weights(sample_weight, rows)
    text = _core.evaluate(
        truth,
        predicted,
        shares,
        names,
        _training_rows(model),
        _referred(model, X),
        weights,
        _positive_name(positive, code_of, names) or _positive_of(model, names),
        _group_columns(by, X, rows),
        model._model.target if isinstance(model, FRRClassifier) else target_name(y, []),
        _seed(random_state),
        thread_count(n_jobs),
    )
    result: dict[str, Any] = json.loads(text)
    del result["dataset"]
    result["notes"] = notes + result["notes"]
    for note in notes:
        warnings.warn(note, UserWarning, stacklevel=2)
    return result


def _truth(y: Any, rows: int, code_of: Mapping[Any, int]) -> tuple[NDArray[np.int32], list[str]]:
    labels = np.asarray(y, dtype=object)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.shape != (rows,):
        raise ValueError(f"y has shape {labels.shape}, but X has {rows} rows")
    known = [None if is_missing(label) else label for label in labels.tolist()]
    codes = np.array([-1 if v is None else code_of.get(v, -1) for v in known], dtype=np.int32)
    missing = sum(label is None for label in known)
    unknown = [label for label in known if label is not None and label not in code_of]
    notes = []
    if missing:
        notes.append(f"{missing} of {rows} rows have no class in y: left out")
    if unknown:
        notes.append(
            f"{len(unknown)} of {rows} rows have a class that the model does not know, such as "
            f"{unknown[0]!r}: left out"
        )
    return codes, notes


def _referred(model: Any, X: Any) -> NDArray[np.bool_] | None:
    """Whether each row is referred to a person; None if the model refers none."""
    if not isinstance(model, FRRClassifier) or not model._model.refers:
        return None
    return np.ascontiguousarray(model.referred(X))


def _training_rows(model: Any) -> list[float]:
    """The proportions of the classes in training, where the model knows them."""
    if not isinstance(model, FRRClassifier):
        return []
    rates = np.empty(len(model.classes_))
    rates[model._positions] = model._model.base_rates
    return list(rates.tolist())


def _positive_name(positive: Any, code_of: Mapping[Any, int], names: list[str]) -> str:
    if positive is None:
        return ""
    if isinstance(positive, np.generic):
        positive = positive.item()
    if positive not in code_of:
        raise ValueError(
            f"positive={positive!r} is not a class of the model; they are {list(code_of)[:20]}"
        )
    return names[code_of[positive]]


def _positive_of(model: Any, names: list[str]) -> str:
    """The class of interest that the model records, if it is among `names`."""
    recorded = model._model.positive if isinstance(model, FRRClassifier) else ""
    return recorded if recorded in names else ""


def _group_columns(by: Any, X: Any, rows: int) -> list[_core.Column]:
    if by is None:
        return []
    if isinstance(by, str):
        by = [by]
    if is_pandas(by) or is_polars(by) or isinstance(by, Mapping):
        frame, chosen = _frame(by), None
    elif isinstance(by, Sequence) and all(isinstance(name, str) for name in by):
        if not (is_pandas(X) or is_polars(X)):
            raise ValueError(
                "by names columns, but X is not a DataFrame; give the columns in a dict"
            )
        frame, chosen = _frame(X), list(by)
    else:
        raise TypeError(
            f"by must be a column name, a list of them, a DataFrame or a dict, got "
            f"{type(by).__name__}"
        )
    absent = [name for name in chosen or [] if name not in frame.names]
    if absent:
        raise ValueError(
            f"X has no column {absent[0]!r}; its columns are "
            f"{', '.join(map(repr, frame.names[:20]))}"
        )
    if frame.names and frame.rows != rows:
        raise ValueError(f"by has {frame.rows} rows, but X has {rows}")
    indices = range(len(frame.names)) if chosen is None else map(frame.names.index, chosen)
    return [frame.column(index, frame.is_categorical(index)) for index in indices]


def _frame(columns: Any) -> Frame:
    if is_pandas(columns) or is_polars(columns):
        names = readable([str(name) for name in columns.columns], "names")
        return PandasFrame(columns, names) if is_pandas(columns) else PolarsFrame(columns, names)
    return DictFrame(columns, readable([str(name) for name in columns], "by"))


def _seed(random_state: Any) -> int:
    if not isinstance(random_state, numbers.Integral) or not 0 <= int(random_state) < 2**64:
        raise ValueError(f"random_state must be a whole number from 0 up, got {random_state!r}")
    return int(random_state)
