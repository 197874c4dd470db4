"""Parameters of the estimators as options of the program: one table, in src/options.cpp."""

from __future__ import annotations

import numbers
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from . import _core

# Options whose names follow scikit-learn's habits; the others only change dashes to underscores.
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
    """A row of the table, with the name that the parameter has in Python."""

    name: str
    parameter: str
    kind: str  # "int", "float", "bool" or "str"
    range: str
    help: str
    default: str
    paper: str

    def text(self, value: Any) -> str:
        """As the program reads it; TypeError for a value of another kind."""
        whole = isinstance(value, numbers.Integral) and not isinstance(value, bool | np.bool_)
        if self.kind == "bool" and isinstance(value, bool | np.bool_):
            return "true" if value else "false"
        if self.kind == "int" and whole:
            return str(int(value))
        if self.kind == "float" and (whole or isinstance(value, numbers.Real)):
            return repr(float(value))
        if self.kind == "str" and isinstance(value, str):
            return value
        allowed = _RANGES.get(self.parameter, self.range)
        raise TypeError(
            f"{self.parameter} must be {allowed}, got {value!r} of type {type(value).__name__}"
        )

    def value(self, text: str) -> Any:
        """What `text` stands for."""
        if self.kind == "bool":
            return text == "true"
        if self.kind == "int":
            return int(text)
        return float(text) if self.kind == "float" else text


OPTIONS = tuple(
    Option(name, _RENAMED.get(name, name.replace("-", "_")), *rest)
    for name, *rest in _core.option_table()
)
BY_NAME = {option.name: option for option in OPTIONS}


def in_python(text: str) -> str:
    """A sentence of the library with parameters instead of options."""
    return re.sub(
        r"--([a-z-]+)",
        lambda found: BY_NAME[found[1]].parameter if found[1] in BY_NAME else found[0],
        text,
    )


_RANGES = {
    "class_weight": "None, 'balanced' or a dict of weights by class",
    "partition": "None, 'supervised', 'quantile', 'uniform' or a dict of labels by column",
}


def _special(parameter: str, value: Any) -> Any:
    """Values that scikit-learn spells in its own way."""
    if parameter == "random_state":
        if value is None or isinstance(value, numbers.Integral):
            return value
        return int(check_random_state(value).randint(np.iinfo(np.int32).max))
    if parameter == "class_weight" and isinstance(value, Mapping):
        return None  # handed over apart
    return value


def option_texts(parameters: Mapping[str, Any], preset: str) -> list[tuple[str, str]]:
    """The options that `parameters` set; None leaves one as the preset has it."""
    if not isinstance(preset, str):
        raise TypeError(f"preset must be 'default' or 'paper', got {preset!r}")
    if preset not in ("default", "paper"):
        raise ValueError(f"preset must be 'default' or 'paper', got {preset!r}")
    texts: list[tuple[str, str]] = []
    for option in OPTIONS:
        value = _special(option.parameter, parameters.get(option.parameter))
        if value is None or option.parameter == "n_jobs":
            continue
        text = (option.name, option.text(value))
        try:
            _core.check_options(preset, [text])
        except ValueError as error:
            allowed = _RANGES.get(option.parameter, option.range)
            why = f" ({in_python(str(error))})" if option.kind == "str" else ""
            raise ValueError(f"{option.parameter} must be {allowed}, got {value!r}{why}") from error
        texts.append(text)
    try:
        _core.check_options(preset, texts)
    except ValueError as error:  # settings that do not go together
        raise ValueError(in_python(str(error))) from error
    return texts


def most_searched(search_rows: int | None, preset: str) -> int:
    """The rows that are searched of a larger table."""
    option = BY_NAME["search-rows"]
    default = option.paper if preset == "paper" else option.default
    return int(default) if search_rows is None else int(search_rows)


def thread_count(n_jobs: Any) -> int:
    """As joblib counts: None is 1 unless its context says otherwise, -1 all cores."""
    if n_jobs is not None and (
        not isinstance(n_jobs, numbers.Integral) or isinstance(n_jobs, bool) or n_jobs == 0
    ):
        raise ValueError(f"n_jobs must be None or a whole number other than 0, got {n_jobs!r}")
    from joblib import effective_n_jobs

    return min(int(effective_n_jobs(n_jobs)), 1024)
