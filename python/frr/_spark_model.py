"""A model in Spark workers."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from . import _core
from ._classifier import FRRClassifier
from ._frames import ArrowFrame, label_array
from ._options import parameters_of
from ._policy import decisions_of


def label_kind(classes: NDArray[Any]) -> str:
    """The Spark type of predictions; "double" for all numbers, as Spark's evaluators require."""
    return {"b": "boolean", "i": "double", "u": "double", "f": "double"}.get(
        classes.dtype.kind, "string"
    )


def _classes(names: list[str], kind: str) -> NDArray[Any]:
    if kind == "string":
        return np.array(sorted(names), dtype=object)
    if kind == "boolean":
        return np.array(sorted(name == "True" for name in names), dtype=bool)
    whole = all(name.lstrip("-").isdigit() for name in names)
    return label_array(sorted(int(x) if whole else float(x) for x in names))


@functools.lru_cache(maxsize=16)
def local_model(text: str, kind: str) -> FRRClassifier:
    """The classifier of a model file, cached because every batch needs it."""
    model = _core.from_json(text, "<model>")
    content = json.loads(text)
    estimator = FRRClassifier(**parameters_of(dict(content["training"]["settings"])))
    classes = _classes(model.classes, kind)
    label_of = {str(label): label for label in classes.tolist()}
    estimator.set_params(**decisions_of(content, label_of))
    estimator._set_model(model, classes, None)
    names = [feature.name for feature in estimator.partition_]
    estimator.n_features_in_ = len(names)
    estimator.feature_names_in_ = np.array(names, dtype=object)
    return estimator


def inputs(estimator: FRRClassifier) -> dict[str, bool]:
    """The columns that the rules read, and whether they are categorical."""
    used = set(estimator._model.used_features)
    return {f.name: f.categorical for f in estimator.partition_ if f.name in used}


def decide(columns: Sequence[Any], text: str, kind: str) -> Any:
    """A struct of prediction, probability, rule and referral for each row. `columns`: those of
    `inputs`, or any column if the rules read none."""
    estimator = local_model(text, kind)
    model, read = estimator._model, inputs(estimator)
    rows = len(columns[0])
    given: list[_core.Column] = []
    if read:
        frame = ArrowFrame(pa.Table.from_arrays(list(columns), names=list(read)), list(read))
        frame.booleans = estimator._booleans
        given = [frame.column(index, named) for index, named in enumerate(read.values())]
    classes = np.empty(rows, np.int64)
    model.predict(given, estimator._positions, classes, 1)
    rules = np.empty(rows, np.int64)
    model.apply(given, rules, 1)
    shares = np.empty((rows, len(estimator.classes_)))
    model.predict_proba(given, estimator._positions, shares, 1)
    referred = np.zeros(rows, np.bool_)
    if model.refers:
        model.referred(given, referred, 1)
    labels = pa.array(prediction_values(estimator, kind)).take(pa.array(classes))
    offsets = np.arange(rows + 1, dtype=np.int32) * np.int32(shares.shape[1])
    values = pa.array(shares.ravel())
    return pa.StructArray.from_arrays(
        [
            labels,
            pa.ListArray.from_arrays(pa.array(offsets), values),
            pa.array(rules.astype(np.int32)),
            pa.array(referred),
        ],
        names=["prediction", "probability", "rule", "referred"],
    )


def shares_by_rule(estimator: FRRClassifier) -> list[list[float]]:
    """The probabilities of the classes for each rule of a sufficient model, ELSE first."""
    shares = np.empty((len(estimator.rules_) + 1, len(estimator.classes_)))
    estimator._model.rule_probabilities(estimator._positions, shares)
    return list(shares.tolist())


def refers_by_rule(estimator: FRRClassifier) -> list[bool]:
    """Whether rows that a rule of a sufficient model decides are referred, ELSE first."""
    limit = json.loads(estimator.to_json()).get("decisions", {}).get("refer", 0)
    sure = [max(shares) >= limit for shares in shares_by_rule(estimator)]
    return [limit > 0 and (rule == 0 or not sure[rule]) for rule in range(len(sure))]


def prediction_values(estimator: FRRClassifier, kind: str) -> list[Any]:
    """The prediction for each class, in the type of Spark."""
    of_kind: dict[str, Any] = {"string": str, "double": float, "boolean": bool}
    return [of_kind[kind](label) for label in estimator.classes_.tolist()]
