"""The page that explains a fitted classifier: its columns, classes and cross-validation."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._frames import is_missing, is_pandas, is_polars, readable
from ._input import given_labels
from ._options import thread_count

if TYPE_CHECKING:
    from ._classifier import FRRClassifier


def report_page(
    estimator: FRRClassifier,
    model: _core.Model,
    columns: list[_core.Column],
    rows: int,
    X: Any,
    y: Any,
    name: str,
    show: Any,
    cv: Any,
) -> str:
    """The page as HTML."""
    if cv != "auto" and cv is not None and (not isinstance(cv, int) or cv < 2):
        raise ValueError(f'cv must be "auto", None or a whole number of at least 2, got {cv!r}')
    columns = list(columns)
    if y is not None:
        columns.append(target_column(estimator, model, y, rows))
    extra = _shown_columns(show, rows)
    taken = {column[0] for column in columns}
    for column in extra:
        if column[0] in taken:
            raise ValueError(f"show has a column {column[0]!r}, which the page already has")
    accuracies, why_not = _validate(estimator, model, columns, rows, X, y, cv)
    return model.report(
        [*columns, *extra],
        rows,
        [column[0] for column in extra],
        readable([name], "name")[0] or "X",
        _date(),
        accuracies,
        why_not,
        thread_count(estimator.n_jobs),
    )


def _shown_columns(show: Any, rows: int) -> list[tuple[str, NDArray[np.int32], list[str]]]:
    """Columns as text, whatever their type."""
    if show is None:
        return []
    if not (isinstance(show, Mapping) or is_pandas(show) or is_polars(show)):
        raise TypeError(f"show must be a DataFrame or a dict of columns, got {type(show).__name__}")
    columns = []
    for name in show if isinstance(show, Mapping) else show.columns:
        values = list(show[name])
        if len(values) != rows:
            raise ValueError(f"show[{name!r}] has {len(values)} values, but X has {rows} rows")
        code_of: dict[str, int] = {}
        codes = np.full(rows, -1, np.int32)
        for row, value in enumerate(values):
            if not is_missing(value):
                codes[row] = code_of.setdefault(str(value), len(code_of))
        columns.append((str(name), codes, readable(code_of, str(name))))
    return columns


def target_column(
    estimator: FRRClassifier, model: _core.Model, y: Any, rows: int, new_classes: bool = False
) -> tuple[str, NDArray[np.int32], list[str]]:
    """The target of the model; classes that it does not know are missing, unless `new_classes`."""
    labels = np.asarray(y, dtype=object)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.shape != (rows,):
        raise ValueError(f"y has shape {labels.shape}, but X has {rows} rows")
    # The model sorts its classes differently.
    code_of = {
        label: code for code, label in enumerate(estimator.classes_[estimator._positions].tolist())
    }
    names = list(model.classes)
    codes = np.full(rows, -1, np.int32)
    for row, label in enumerate(labels.tolist()):
        if is_missing(label):
            continue
        if new_classes and label not in code_of:
            code_of[label] = len(names)
            names.append(str(label))
        codes[row] = code_of.get(label, -1)
    return model.target, codes, names


def _validate(
    estimator: FRRClassifier,
    model: _core.Model,
    columns: list[_core.Column],
    rows: int,
    X: Any,
    y: Any,
    cv: Any,
) -> tuple[list[float], str]:
    """Accuracy of each fold in percent, or the reason why there is none."""
    if cv is None:
        return [], "Not cross-validated."
    if y is None:
        return [], "Not cross-validated: the classes are not known."
    try:
        cost = _checked_cost(estimator, model, rows)
    except ValueError as error:
        if cv != "auto":
            raise
        return [], f"Not cross-validated: {error}"
    if cv == "auto":
        if not model.learned_from(columns, rows):
            return [], (
                "Not cross-validated: this is not the table that the rules were learned from."
            )
        if rows * len(estimator.partition_) * cost > _core.most_validated_cells:
            return [], (
                "Not cross-validated, because the table is large or the training costly: give "
                "cv=5 to do it anyway."
            )
    folds = _core.usual_folds if cv == "auto" else cv
    try:
        return _cross_validate(estimator, model, X, y, folds), ""
    except ValueError as error:
        if cv != "auto":
            raise
        return [], f"Not cross-validated: {error}"


def _cross_validate(
    estimator: FRRClassifier, model: _core.Model, X: Any, y: Any, folds: int
) -> list[float]:
    """Accuracy of each fold in percent: the figures that `frr report` gives."""
    features = estimator.partition_
    names = [feature.name for feature in features]
    columns, rows = estimator._columns(X, set(names))
    columns.append(target_column(estimator, model, y, rows, new_classes=True))
    class_names = [str(label) for label in estimator.classes_.tolist()]
    return model.cross_validate(
        columns,
        rows,
        folds,
        estimator._class_weights(estimator.classes_, class_names),
        given_labels(estimator.partition, names, [feature.categorical for feature in features]),
        thread_count(estimator.n_jobs),
    )


def _checked_cost(estimator: FRRClassifier, model: _core.Model, rows: int) -> float:
    """The work that the training requires, as a multiple of the usual. The model may come from a
    file, which is not trusted: ValueError if the work is too much, or if labels are missing."""
    if model.uses_partition_file and not isinstance(estimator.partition, Mapping):
        raise ValueError(
            "the model was learned with labels from a file; pass them as the parameter partition"
        )
    return model.training_cost(rows)


def _date() -> str:
    """The current time, or that of SOURCE_DATE_EPOCH, for reproducible pages."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = time.gmtime(int(given)) if given.isdigit() else time.localtime()
    return time.strftime("%Y-%m-%d %H:%M", moment)
