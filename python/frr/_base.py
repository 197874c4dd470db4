"""The base class of both estimators."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from sklearn.base import BaseEstimator

from ._options import with_advanced

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")
_Estimator = TypeVar("_Estimator", bound="FuzzyEstimator")

# Learned attributes whose names do not end in "_".
_LEARNED = frozenset({"_model", "_positions", "_categorical", "_booleans", "_stopped_early"})


class FuzzyEstimator(BaseEstimator):  # type: ignore[misc]
    """An estimator that accepts names and missing values, and is fitted once it has a model."""

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(with_advanced(state))

    def _split_state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The attributes that `fit` does not set, and those that it does."""
        parameters = self.get_params(deep=False)
        given: dict[str, Any] = {}
        learned: dict[str, Any] = {}
        for name, value in vars(self).copy().items():
            ends = name.endswith("_") and not name.endswith("__")
            is_learned = name not in parameters and (ends or name in _LEARNED)
            (learned if is_learned else given)[name] = value
        return given, learned

    def _unfitted_copy(self) -> Self:
        """A copy in which `fit` stores what it learns until it succeeds."""
        copy = object.__new__(type(self))
        copy.__dict__ = self._split_state()[0]
        return copy

    def _adopt(self, fitted: FuzzyEstimator) -> None:
        """Replaces everything learned earlier in one assignment, so that other threads see the
        earlier model or the new one, never a mixture."""
        self.__dict__ = {**self._split_state()[0], **fitted._split_state()[1]}


def of_one_fit(
    method: Callable[Concatenate[_Estimator, _Parameters], _Result],
) -> Callable[Concatenate[_Estimator, _Parameters], _Result]:
    """Makes a method work on a snapshot of the estimator, so that a fit in another thread cannot
    change it halfway."""

    @functools.wraps(method)
    def run(self: _Estimator, /, *args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        snapshot = object.__new__(type(self))
        snapshot.__dict__ = vars(self).copy()
        return method(snapshot, *args, **kwargs)

    return run
