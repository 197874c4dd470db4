"""Parameters of frr.spark: those of FRRClassifier, with the same names, and the columns."""

from __future__ import annotations

import inspect
import numbers
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import HasLabelCol, HasPredictionCol, HasProbabilityCol, HasWeightCol

from ._classifier import FRRClassifier
from ._options import BASIC, in_python, with_advanced


def _text_or_mapping(value: Any) -> Any:
    """`value` in the types of JSON, in which Spark saves parameters."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(entry) for name, entry in value.items()}
    raise TypeError(f"must be a string or a dict, got {value!r}")


def _settings(value: Any) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return {name: _scalar(entry) for name, entry in value.items()}
    raise TypeError(f"must be a dict of settings by name, such as {{'kappa': 8}}, got {value!r}")


def _scalar(value: Any) -> Any:
    """A plain Python number for a numpy number, which JSON does not support."""
    return value.item() if isinstance(value, np.generic) else value


def _class(value: Any) -> Any:
    """A class label: a string, a number or a bool."""
    value = _scalar(value)
    if isinstance(value, str | bool | int | float):
        return value
    raise TypeError(f"must be a class, got {value!r}")


def _costs(value: Any) -> dict[str, Any]:
    """Costs in the types of JSON: {"miss": 20.0} or {true: {predicted: cost}}."""
    if not isinstance(value, Mapping):
        raise TypeError(
            f"must be a dict such as {{'miss': 20}} or {{(true, predicted): cost}}, got {value!r}"
        )
    result: dict[str, Any] = {}
    for key, cost in value.items():
        if isinstance(key, tuple) and len(key) == 2:
            result.setdefault(str(_scalar(key[0])), {})[str(_scalar(key[1]))] = _plain(cost)
        else:
            result[str(_scalar(key))] = _plain(cost)
    return result


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return float(value) if isinstance(value, numbers.Real) else value


_CONVERTERS: dict[str, Callable[[Any], Any]] = {
    "int": TypeConverters.toInt,
    "float": TypeConverters.toFloat,
    "bool": TypeConverters.toBoolean,
    "str": TypeConverters.toString,
}
_OTHERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "preset": (
        "values of the parameters that are not set: 'default' or 'paper'",
        TypeConverters.toString,
    ),
    "verbose": (
        "above 0, fit shows a progress bar (on a terminal or in a notebook) and prints its notes",
        TypeConverters.toInt,
    ),
    "categorical_features": (
        "numeric columns whose values are categories; columns of strings and booleans always are",
        TypeConverters.toListString,
    ),
    "class_weight": (
        "'balanced', or a dict of weights by class; other classes have weight 1",
        _text_or_mapping,
    ),
    "partition": (
        "'supervised', 'quantile', 'uniform', or a dict that defines labels by column",
        _text_or_mapping,
    ),
    "advanced": (
        "dict of advanced options, such as {'kappa': 8}; docs/reference/options.md lists them",
        _settings,
    ),
    "positive": ("the class of interest; of two classes, the default is the rarer one", _class),
    "costs": (
        "costs of errors: {'miss': 20} or {(true, predicted): cost}; other errors cost 1",
        _costs,
    ),
    "threshold": (
        "predict the positive class if its probability is at least this number",
        TypeConverters.toFloat,
    ),
    "sensitivity": ("not supported in fit: see SparkFRRModel.decide", TypeConverters.toFloat),
    "specificity": ("not supported in fit: see SparkFRRModel.decide", TypeConverters.toFloat),
    "refer": (
        "refer rows to a person if their most probable class has a probability below this number, "
        "or if no rule applies to them; 0 refers none",
        TypeConverters.toFloat,
    ),
    "n_jobs": (
        "number of threads of the driver; the workers use one per task",
        TypeConverters.toInt,
    ),
}


def _described(name: str) -> tuple[str, Callable[[Any], Any]]:
    if name in _OTHERS:
        return _OTHERS[name]
    option = BASIC[name]
    return f"{in_python(option.help)} (range: {option.range})", _CONVERTERS[option.kind]


# Name and default of each parameter of training; None keeps the value of the preset.
TRAINING: dict[str, Any] = {
    name: None if name == "categorical_features" else parameter.default
    for name, parameter in inspect.signature(FRRClassifier).parameters.items()
}


class FRRParams(HasLabelCol, HasWeightCol, HasPredictionCol, HasProbabilityCol):
    """Parameters that the estimator and the model share."""

    featuresCols: Param[list[str]] = Param(
        Params._dummy(),
        "featuresCols",
        "columns to learn from; if not set, all columns except labelCol and weightCol",
        TypeConverters.toListString,
    )
    ruleCol: Param[str] = Param(
        Params._dummy(),
        "ruleCol",
        "column for the number of the deciding rule (0: ELSE), or '' for none",
        TypeConverters.toString,
    )
    referredCol: Param[str] = Param(
        Params._dummy(),
        "referredCol",
        "column that says whether the row is referred to a person, or '' for none",
        TypeConverters.toString,
    )
    scoring: Param[str] = Param(
        Params._dummy(),
        "scoring",
        "how predictions are computed: 'udf' (vectorised, in Python) or 'sql' (only in Spark)",
        TypeConverters.toString,
    )

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._setDefault(
            labelCol="label",
            predictionCol="prediction",
            probabilityCol="probability",
            ruleCol="rule",
            referredCol="",
            scoring="udf",
            **{name: value for name, value in TRAINING.items() if value is not None},
        )

    def getFeaturesCols(self) -> list[str] | None:
        """Columns to learn from; None means all columns except labels and weights."""
        return self.getOrDefault(self.featuresCols) if self.isDefined(self.featuresCols) else None

    def getRuleCol(self) -> str:
        return self.getOrDefault(self.ruleCol)

    def getReferredCol(self) -> str:
        return self.getOrDefault(self.referredCol)

    def getScoring(self) -> str:
        return self.getOrDefault(self.scoring)

    def training(self) -> dict[str, Any]:
        """The parameters of training that are set or have a default, by name."""
        params = {name: self.getParam(name) for name in TRAINING}
        return {
            name: self.getOrDefault(param)
            for name, param in params.items()
            if self.isDefined(param)
        }

    def weight_column(self) -> str | None:
        """The column of weights; None if all rows have weight 1."""
        return (self.getOrDefault(self.weightCol) or None) if self.isDefined("weightCol") else None

    def assign(self, values: Mapping[str, Any]) -> None:
        """Sets parameters by name, except those that are None."""
        for name, value in values.items():
            if not self.hasParam(name):
                raise TypeError(
                    f"{type(self).__name__} has no parameter {name!r}; its parameters are "
                    f"{', '.join(param.name for param in self.params)}"
                )
            if value is None:
                continue
            try:
                self._set(**{name: value})
            except TypeError as error:
                raise TypeError(f"{name}: {error}") from error


for _name in TRAINING:
    setattr(FRRParams, _name, Param(Params._dummy(), _name, *_described(_name)))


def current_metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    """Metadata of a saved estimator or model. An earlier version stored each advanced option as a
    separate parameter."""
    given = with_advanced(metadata["paramMap"])
    if given["advanced"] is None:
        del given["advanced"]
    return {**metadata, "paramMap": given}


def setter_name(parameter: str) -> str:
    """setMaxRules for max_rules, setLabelCol for labelCol."""
    return "set" + "".join(word[:1].upper() + word[1:] for word in parameter.split("_"))


def add_setters(cls: type, names: list[str]) -> None:
    """Adds setMaxRules(value) for max_rules, and so on."""
    for name in names:

        def assign(self: Any, value: Any, _name: str = name) -> Any:
            self.assign({_name: value})
            return self

        assign.__name__ = setter_name(name)
        assign.__qualname__ = f"{cls.__name__}.{assign.__name__}"
        assign.__doc__ = f"Sets {name}: {getattr(cls, name).doc}."
        if not hasattr(cls, assign.__name__):
            setattr(cls, assign.__name__, assign)
