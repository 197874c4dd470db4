"""What both estimators have in common."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator


class FuzzyEstimator(BaseEstimator):  # type: ignore[misc]
    """Takes names and missing values; is fitted once it has a model."""

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _forget(self) -> None:
        """Makes it unfitted, so that a fit that fails or is interrupted leaves nothing half new."""
        parameters = self.get_params(deep=False)
        for name in list(vars(self)):
            learned = name.endswith("_") and not name.endswith("__")
            if name not in parameters and (learned or name == "_model"):
                delattr(self, name)
