"""Parameters of frr.spark: those of FRRClassifier, by the same names, and the columns."""

from __future__ import annotations

import inspect
import numbers
from collections.abc import Callable, Mapping
from typing import Any

from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import HasLabelCol, HasPredictionCol, HasProbabilityCol, HasWeightCol

from ._classifier import FRRClassifier
from ._options import OPTIONS


def _text_or_mapping(value: Any) -> Any:
    """As JSON can hold it, since that is how parameters are saved."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(entry) for name, entry in value.items()}
    raise TypeError(f"a text or a dict is needed, got {value!r}")


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
_BY_PARAMETER = {option.parameter: option for option in OPTIONS}
_OTHERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "preset": (
        "where the parameters that are not set start from: 'default' or 'paper'",
        TypeConverters.toString,
    ),
    "verbose": (
        "above 0 a progress bar is shown, on a terminal or in a notebook, and notes are printed",
        TypeConverters.toInt,
    ),
    "categorical_features": (
        "columns of numbers that are names; columns of texts and booleans always are",
        TypeConverters.toListString,
    ),
    "class_weight": (
        "'balanced', or a dict of weights by class, in which others count 1",
        _text_or_mapping,
    ),
    "partition": (
        "'supervised', 'quantile', 'uniform', or a dict of your own labels by column",
        _text_or_mapping,
    ),
    "n_jobs": (
        "threads of the driver between the questions; the workers use one a task",
        TypeConverters.toInt,
    ),
}


def _described(name: str) -> tuple[str, Callable[[Any], Any]]:
    if name in _OTHERS:
        return _OTHERS[name]
    option = _BY_PARAMETER[name]
    return f"{option.help} (range: {option.range})", _CONVERTERS[option.kind]


# Name and default of each parameter of training; None is left to the preset.
TRAINING: dict[str, Any] = {
    name: None if name == "categorical_features" else parameter.default
    for name, parameter in inspect.signature(FRRClassifier).parameters.items()
}


class FRRParams(HasLabelCol, HasWeightCol, HasPredictionCol, HasProbabilityCol):
    """What the estimator and the model have in common."""

    featuresCols: Param[list[str]] = Param(
        Params._dummy(),
        "featuresCols",
        "columns to learn from; not set: all but labelCol and weightCol",
        TypeConverters.toListString,
    )
    ruleCol: Param[str] = Param(
        Params._dummy(),
        "ruleCol",
        "column for the number of the rule that decides, 0 being ELSE; '' for none",
        TypeConverters.toString,
    )
    scoring: Param[str] = Param(
        Params._dummy(),
        "scoring",
        "how the model is computed: 'udf' (vectorised, in Python) or 'sql' (in Spark alone)",
        TypeConverters.toString,
    )

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._setDefault(
            labelCol="label",
            predictionCol="prediction",
            probabilityCol="probability",
            ruleCol="rule",
            scoring="udf",
            **{name: value for name, value in TRAINING.items() if value is not None},
        )

    def getFeaturesCols(self) -> list[str] | None:
        """Columns to learn from, or None: all but those of labels and weights."""
        return self.getOrDefault(self.featuresCols) if self.isDefined(self.featuresCols) else None

    def getRuleCol(self) -> str:
        return self.getOrDefault(self.ruleCol)

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
        """None or "": every row counts 1."""
        return (self.getOrDefault(self.weightCol) or None) if self.isDefined("weightCol") else None

    def assign(self, values: Mapping[str, Any]) -> None:
        """Sets the parameters of these names; None leaves one as it is."""
        for name, value in values.items():
            if not self.hasParam(name):
                raise TypeError(
                    f"{type(self).__name__} has no parameter {name!r}; it has "
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


def setter_name(parameter: str) -> str:
    """setMaxRules for max_rules, setLabelCol for labelCol."""
    return "set" + "".join(word[:1].upper() + word[1:] for word in parameter.split("_"))


def add_setters(cls: type, names: list[str]) -> None:
    """Gives the class setMaxRules(value) for max_rules, and so on."""
    for name in names:

        def assign(self: Any, value: Any, _name: str = name) -> Any:
            self.assign({_name: value})
            return self

        assign.__name__ = setter_name(name)
        assign.__qualname__ = f"{cls.__name__}.{assign.__name__}"
        assign.__doc__ = f"Sets {name}: {getattr(cls, name).doc}."
        if not hasattr(cls, assign.__name__):
            setattr(cls, assign.__name__, assign)
