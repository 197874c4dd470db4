"""Parameters of the estimators, and the options of the program that they set.

Both come from one table, in src/train/options.cpp.
"""

from __future__ import annotations

import difflib
import numbers
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from . import _core

# Options whose parameters follow the naming of scikit-learn; for the others, underscores replace
# dashes.
_RENAMED = {
    "rules": "max_rules",
    "conditions": "max_conditions",
    "labels": "n_labels",
    "tnorm": "t_norm",
    "seed": "random_state",
    "threads": "n_jobs",
}


@dataclass(frozen=True)
class Option:
    """A row of the table."""

    name: str
    kind: str  # "int", "float", "bool" or "str"
    range: str
    help: str
    default: str
    paper: str
    advanced: bool

    @property
    def parameter(self) -> str:
        return _RENAMED.get(self.name, self.name.replace("-", "_"))

    def text(self, value: Any) -> str:
        """`value` as the program reads it; TypeError if it has the wrong type."""
        whole = isinstance(value, numbers.Integral) and not isinstance(value, bool | np.bool_)
        if self.kind == "bool" and isinstance(value, bool | np.bool_):
            return "true" if value else "false"
        if self.kind == "int" and whole:
            return str(int(value))
        if self.kind == "float" and (whole or isinstance(value, numbers.Real)):
            return repr(float(value))
        if self.kind == "str" and isinstance(value, str):
            return value
        raise TypeError(
            f"{self.label} must be {self.allowed}, got {value!r} of type {type(value).__name__}"
        )

    def value(self, text: str) -> Any:
        """The value that `text` represents."""
        if self.kind == "bool":
            return text == "true"
        if self.kind == "int":
            return int(text)
        return float(text) if self.kind == "float" else text

    @property
    def label(self) -> str:
        """The parameter in messages: "max_rules", "advanced['kappa']"."""
        return f"advanced[{self.parameter!r}]" if self.advanced else self.parameter

    @property
    def allowed(self) -> str:
        """The values that the parameter accepts, in messages."""
        if self.kind == "bool":
            return "True or False"
        return _RANGES.get(self.parameter, self.range)


OPTIONS = tuple(Option(*row) for row in _core.option_table())
BY_NAME = {option.name: option for option in OPTIONS}
BASIC = {option.parameter: option for option in OPTIONS if not option.advanced}
ADVANCED = {option.parameter: option for option in OPTIONS if option.advanced}


# Options of the program that are not in the table, and the parameters that they set.
_DECISIONS = {
    "cost": "costs",
    **dict.fromkeys(("positive", "costs", "threshold", "sensitivity", "specificity", "refer")),
}


def in_python(text: str) -> str:
    """A sentence of the library with parameters instead of options."""

    def parameter(found: re.Match[str]) -> str:
        if found[1] in BY_NAME:
            return BY_NAME[found[1]].label
        return (_DECISIONS[found[1]] or found[1]) if found[1] in _DECISIONS else found[0]

    return re.sub(r"--([a-z-]+)", parameter, text)


_RANGES = {
    "class_weight": "None, 'balanced' or a dict of weights by class",
    "partition": "None, 'supervised', 'quantile', 'uniform' or a dict of labels by column",
}


def _special(parameter: str, value: Any) -> Any:
    """Translates values that scikit-learn spells differently."""
    if parameter == "random_state":
        if value is None or isinstance(value, numbers.Integral):
            return value
        return int(check_random_state(value).randint(np.iinfo(np.int32).max))
    if parameter in ("class_weight", "partition") and isinstance(value, Mapping):
        return None  # passed separately
    return value


def check_advanced(advanced: Any, keys: Container[str] = ADVANCED) -> dict[str, Any]:
    """The settings in the parameter `advanced`, whose keys must be among `keys`."""
    if advanced is None:
        return {}
    if not isinstance(advanced, Mapping):
        raise TypeError(
            "advanced must be None or a dict of settings by name, such as {'kappa': 8}, "
            f"got {advanced!r}"
        )
    for key in advanced:
        if not isinstance(key, str):
            raise TypeError(f"the keys of advanced must be strings, got {key!r}")
        if key not in keys:
            raise ValueError(_unknown_setting(key, keys))
    return dict(advanced)


def _unknown_setting(key: str, keys: Container[str]) -> str:
    parameters = {*BASIC, *_DECISIONS, "preset", "verbose", "categorical_features"} - {"cost"}
    parameter = _RENAMED.get(key, key)
    if parameter in parameters:
        return f"{key!r} is not an advanced setting; pass the parameter {parameter} instead"
    if key in ADVANCED:
        return f"advanced[{key!r}] has no effect here; remove it"
    names = [name for name in ADVANCED if name in keys]
    close = difflib.get_close_matches(key, [*names, *parameters], n=1)
    if not close:
        return f"advanced has no setting {key!r}; it has {', '.join(names)}"
    if close[0] in parameters:
        return f"advanced has no setting {key!r}; did you mean the parameter {close[0]}?"
    return f"advanced has no setting {key!r}; did you mean {close[0]!r}?"


def option_texts(parameters: Mapping[str, Any], preset: str) -> list[tuple[str, str]]:
    """The options that `parameters` set; a parameter that is None keeps the value of the preset.

    Options come in the order of the table.
    """
    if not isinstance(preset, str):
        raise TypeError(f"preset must be 'default' or 'paper', got {preset!r}")
    if preset not in ("default", "paper"):
        raise ValueError(f"preset must be 'default' or 'paper', got {preset!r}")
    values = {name: parameters.get(name) for name in BASIC}
    values |= check_advanced(parameters.get("advanced"))
    texts: list[tuple[str, str]] = []
    for option in OPTIONS:
        value = _special(option.parameter, values.get(option.parameter))
        if value is None or option.parameter == "n_jobs":
            continue
        text = (option.name, option.text(value))
        try:
            _core.check_options(preset, [text])
        except ValueError as error:
            why = f" ({in_python(str(error))})" if option.kind == "str" else ""
            raise ValueError(
                f"{option.label} must be {option.allowed}, got {value!r}{why}"
            ) from error
        texts.append(text)
    try:
        _core.check_options(preset, texts)
    except ValueError as error:  # settings that contradict each other
        raise ValueError(in_python(str(error))) from error
    return texts


def parameters_of(settings: Mapping[str, str]) -> dict[str, Any]:
    """The parameters that give the `settings` recorded in a model, except those whose value is
    that of the preset."""
    preset = settings.get("preset", "default")
    parameters: dict[str, Any] = {"preset": preset}
    advanced: dict[str, Any] = {}
    if "categorical" in settings:
        parameters["categorical_features"] = settings["categorical"].split(",")
    for name, text in settings.items():
        option = BY_NAME.get(name)
        if option is None or text == (option.paper if preset == "paper" else option.default):
            continue
        (advanced if option.advanced else parameters)[option.parameter] = option.value(text)
    return {**parameters, "advanced": advanced} if advanced else parameters


def with_advanced(state: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes of an estimator. An earlier version stored each advanced option as a separate
    parameter."""
    if "advanced" in state:
        return dict(state)
    settings = {name: state[name] for name in ADVANCED if state.get(name) is not None}
    others = {name: value for name, value in state.items() if name not in ADVANCED}
    return {**others, "advanced": settings or None}


def most_searched(search_rows: int | None, preset: str) -> int:
    """The maximum number of rows that are searched."""
    option = BY_NAME["search-rows"]
    default = option.paper if preset == "paper" else option.default
    return int(default) if search_rows is None else int(search_rows)


def thread_count(n_jobs: Any) -> int:
    """The number that joblib derives: None is 1 unless its context says otherwise, -1 all cores."""
    if n_jobs is not None and (
        not isinstance(n_jobs, numbers.Integral) or isinstance(n_jobs, bool) or n_jobs == 0
    ):
        raise ValueError(f"n_jobs must be None or a whole number other than 0, got {n_jobs!r}")
    from joblib import effective_n_jobs

    return min(int(effective_n_jobs(n_jobs)), 1024)
