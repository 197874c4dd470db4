"""The decision parameters: how a class follows from the probabilities."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from ._frames import is_pandas, is_polars

# The parameters, with their defaults.
DECISIONS: dict[str, Any] = {
    "positive": None,
    "costs": None,
    "threshold": None,
    "sensitivity": None,
    "specificity": None,
    "refer": 0,
}
# At most one of these can be given.
CHOICES = ("costs", "threshold", "sensitivity", "specificity")
_MOST = 1e9
_FORMS = (
    "costs must be a dict such as {'miss': 20} or {(true, predicted): cost}, or a matrix with one "
    "row per true class and one column per predicted class"
)

NameOf = Callable[[Any, str], str]


def check_decisions(parameters: Mapping[str, Any]) -> None:
    """Checks what does not depend on the classes."""
    for name in ("threshold", "sensitivity", "specificity"):
        value = parameters.get(name)
        if value is not None and not 0 < _number(value, name) < 1:
            raise ValueError(f"{name} must be a number above 0 and below 1, got {value!r}")
    refer = parameters.get("refer", 0)
    if not 0 <= _number(refer, "refer") < 1:
        raise ValueError(f"refer must be a number from 0 to below 1, got {refer!r}")
    given = [name for name in CHOICES if parameters.get(name) is not None]
    if len(given) > 1:
        raise ValueError(f"{given[0]} and {given[1]} both say when to predict a class; give one")


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number, got {value!r} of type {type(value).__name__}")
    return float(value)


def policy_parts(
    parameters: Mapping[str, Any], classes: Sequence[Any] | None, names: Sequence[str]
) -> _core.Policy:
    """The decision parameters for the library. `names`: those of `classes` in the model. Without
    `classes`, which shards do not know, labels have the names that their text gives."""
    check_decisions(parameters)
    name_of = _named_by_text if classes is None else _among(classes, names)
    positive = parameters.get("positive")
    count = None if classes is None else len(classes)
    given = next((name for name in CHOICES if parameters.get(name) is not None), None)
    costs = parameters.get("costs")
    miss = _miss(costs)
    needs_positive = given is not None and (given != "costs" or miss is not None)
    if needs_positive and positive is None and count is not None and count > 2:
        what = "costs={'miss': ...}" if miss is not None else given
        raise ValueError(
            f"{what} needs the class of interest, because there are {count} classes; name it with "
            "positive"
        )
    pairs = [] if costs is None or miss is not None else list(_pairs(costs, classes))
    return (
        "" if positive is None else name_of(positive, "positive"),
        [
            (name_of(true, "costs"), name_of(other, "costs"), _cost(cost, (true, other)))
            for true, other, cost in pairs
        ],
        miss,
        _optional(parameters.get("threshold")),
        _optional(parameters.get("sensitivity")),
        _optional(parameters.get("specificity")),
        float(parameters.get("refer", 0)),
    )


def shard_policy(parameters: Mapping[str, Any]) -> _core.Policy:
    """The decision parameters for training on shards, whose classes are not known yet."""
    check_decisions(parameters)
    for name in ("sensitivity", "specificity"):
        value = parameters.get(name)
        if value is not None:
            raise ValueError(
                f"training on shards cannot choose a threshold for {name}, which needs predictions "
                f"of rows in memory; train without {name}, then call "
                f"decide(X, y, {name}={value!r}) on the model"
            )
    return policy_parts(parameters, None, ())


def check_names(policy: _core.Policy, classes: Sequence[Any], names: Sequence[str]) -> None:
    """The same for shards, once their classes are known."""
    positive, pairs = policy[0], policy[1]
    wanted = [("positive", positive)] if positive else []
    wanted += [("costs", name) for true, other, _ in pairs for name in (true, other)]
    for parameter, name in wanted:
        if name not in names:
            raise _unknown(parameter, name, classes)
    given = next((name for name, value in zip(CHOICES, policy[2:6], strict=True) if value), None)
    if given is not None and not positive and len(names) > 2:
        raise ValueError(
            f"{given} needs the class of interest, because there are {len(names)} classes; name it "
            "with positive"
        )


def _unknown(parameter: str, label: Any, classes: Sequence[Any]) -> ValueError:
    return ValueError(
        f"{parameter} names the class {label!r}, which does not occur; the classes are "
        f"{list(classes)[:20]}"
    )


def _among(classes: Sequence[Any], names: Sequence[str]) -> NameOf:
    known: dict[Any, str] = dict(zip(classes, names, strict=True))

    def name_of(label: Any, parameter: str) -> str:
        plain: Any = label.item() if isinstance(label, np.generic) else label
        try:
            return known[plain]
        except (KeyError, TypeError):
            raise _unknown(parameter, plain, classes) from None

    return name_of


def _named_by_text(label: Any, _: str) -> str:
    return str(label.item() if isinstance(label, np.generic) else label)


def _optional(value: Any) -> float | None:
    return None if value is None else float(value)


def _cost(value: Any, pair: tuple[Any, Any]) -> float:
    what = f"the cost of predicting {pair[1]!r} where {pair[0]!r} is true"
    number = _number(value, what)
    if not 0 < number <= _MOST:
        raise ValueError(f"{what} must be above 0 and at most 1e9, got {value!r}")
    return number


def _miss(costs: Any) -> float | None:
    if not isinstance(costs, Mapping) or "miss" not in costs or _is_nested(costs):
        return None
    if len(costs) > 1:
        raise ValueError(
            "costs has the key 'miss' and others; give the cost of a miss, or costs of pairs of "
            "classes"
        )
    number = _number(costs["miss"], "costs['miss']")
    if not 0 < number <= _MOST:
        raise ValueError(f"costs['miss'] must be above 0 and at most 1e9, got {costs['miss']!r}")
    return number


def _is_nested(costs: Mapping[Any, Any]) -> bool:
    return any(isinstance(row, Mapping) for row in costs.values())


def _pairs(costs: Any, classes: Sequence[Any] | None) -> Iterator[tuple[Any, Any, Any]]:
    """(true class, predicted class, cost) of different classes."""
    if isinstance(costs, Mapping):
        entries = _entries(costs)
    elif is_pandas(costs):
        entries = [
            (true, predicted, costs.loc[true, predicted])
            for true in costs.index
            for predicted in costs.columns
        ]
        if classes is not None and {*costs.index} != {*classes}.union(costs.columns):
            raise ValueError(
                f"the rows and columns of costs must be the classes {list(classes)[:20]}, got "
                f"{list(costs.index)[:20]} and {list(costs.columns)[:20]}"
            )
    else:
        entries = _matrix_entries(costs, classes)
    for true, predicted, cost in entries:
        if true != predicted:
            yield true, predicted, cost
        elif cost != 0 and cost == cost:
            raise ValueError(
                f"the cost of predicting {true!r} where it is true must be 0, got {cost!r}"
            )


def _entries(costs: Mapping[Any, Any]) -> list[tuple[Any, Any, Any]]:
    entries = []
    for key, value in costs.items():
        if isinstance(value, Mapping):
            entries += [(key, predicted, cost) for predicted, cost in value.items()]
        elif isinstance(key, tuple) and len(key) == 2:
            entries.append((*key, value))
        else:
            raise ValueError(f"{_FORMS}; got a dict with the key {key!r}")
    return entries


def _matrix_entries(costs: Any, classes: Sequence[Any] | None) -> list[tuple[Any, Any, Any]]:
    if classes is None:
        raise ValueError(
            "for shards, costs must name the classes: give a dict {(true, predicted): cost}"
        )
    try:
        matrix = np.asarray(costs.to_numpy() if is_polars(costs) else costs, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{_FORMS}; got {costs!r}") from None
    if matrix.ndim == 0:
        raise TypeError(f"{_FORMS}; got {costs!r}")
    if matrix.shape != (len(classes), len(classes)):
        raise ValueError(
            f"costs must have one row and one column for each of the {len(classes)} classes, got "
            f"the shape {matrix.shape}"
        )
    return [
        (true, predicted, float(matrix[row, column]))
        for row, true in enumerate(classes)
        for column, predicted in enumerate(classes)
    ]


# ---- The policy of a model -----------------------------------------------------------------------


def decisions_of(content: Mapping[str, Any], label_of: Mapping[str, Any]) -> dict[str, Any]:
    """The decision parameters that a model.json records. The default positive class is None, and
    so are costs that follow from ``class_weight="balanced"``."""
    policy = content.get("decisions", {})
    parameters: dict[str, Any] = {}
    positive = policy.get("positive")
    if positive is not None and positive != _rarer(content):
        parameters["positive"] = label_of[positive]
    target = policy.get("target")
    if target is not None:
        parameters[target["measure"]] = target["wanted"]
    elif "threshold" in policy:
        parameters["threshold"] = policy["threshold"]
    costs = policy.get("costs")
    if costs is not None and not _balances(content, costs):
        parameters["costs"] = {
            (label_of[true], label_of[predicted]): cost
            for true, row in costs.items()
            for predicted, cost in row.items()
        }
    if policy.get("refer", 0) > 0:
        parameters["refer"] = policy["refer"]
    return parameters


def _rarer(content: Mapping[str, Any]) -> str | None:
    classes, rows = content["classes"], content.get("class_rows", {})
    if len(classes) != 2:
        return None
    first, second = (rows.get(name, 0) for name in classes)
    return str(classes[0] if first < second else classes[1])


def _balances(content: Mapping[str, Any], costs: Mapping[str, Mapping[str, float]]) -> bool:
    settings, rows = content["training"]["settings"], content.get("class_rows", {})
    if settings.get("class-weight") != "balanced" or not rows:
        return False
    most = max(rows.values())
    return all(
        rows.get(true, 0) > 0 and math.isclose(cost, most / rows[true], rel_tol=1e-6)
        for true, row in costs.items()
        for cost in row.values()
    )
