"""Degrees of membership as features for other learners."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import FuzzyEstimator, of_one_fit
from ._input import categorical_mask, given_labels, read_X, read_y
from ._options import option_texts, thread_count
from ._rules import Partition, read_partition


class FuzzyTransformer(TransformerMixin, FuzzyEstimator):  # type: ignore[misc]
    """Turns each column into its degrees of membership in labels such as low, medium, high.

    Every label is a column of the result, between 0 and 1. A missing value belongs to the label
    "missing" of its column, if fit has seen missing values there, else to none; so does a category
    that fit has not seen. Columns with a single value have no label and are left out.

    Parameters
    ----------
    n_labels : int, default=3
        Labels of a numeric column. Range: a whole number from 2 to 7, or 0: 3, or up to 7 where
        rows are many and columns few.
    partition : {"quantile", "uniform", "supervised"} or dict, default="quantile"
        How the labels of numeric columns are placed: by quantiles, in equal widths, or where they
        tell most about y. A dict gives your own labels of some columns as trapezoids, None being
        an open end: {"bmi": {"low": [None, None, 18, 19], "high": [18, 19, None, None]}}; the
        others are placed by quantiles.
    slope : float or None, default=None
        Share of the rows on each side of a border between labels that its slope reaches. Range:
        a number from 0 to 0.5. None: 0.2.
    min_share : float or None, default=None
        Supervised: every label holds at least this share of the rows. Range: a number from 0 to
        0.5. None: 0.05.
    bins : int or None, default=None
        Supervised: quantile bins among which the borders are chosen. Range: a whole number from 4
        to 1000. None: 40.
    max_categories : int or None, default=None
        Most frequent values of a categorical column that get a label. Range: a whole number from
        2 to 1000. None: 64.
    categorical_features : "from_dtype", array-like or None, default="from_dtype"
        Columns whose values are names, even if they look like numbers: by name, index or mask.
        Columns of names (str, category, bool) always are.
    n_jobs : int or None, default=None
        Threads. None is 1 unless a joblib context says otherwise, -1 all cores.

    Attributes
    ----------
    partition_ : Partition
        The labels of each column and what they mean, by position or name.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of str
        Their names, where X has names.

    Examples
    --------
    >>> from frr import FuzzyTransformer
    >>> transformer = FuzzyTransformer(n_labels=2, partition="uniform", slope=0)
    >>> transformer.fit_transform([[0.0], [1.0], [9.0], [10.0]]).tolist()
    [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]
    >>> transformer.get_feature_names_out().tolist()
    ['x0 IS low', 'x0 IS high']
    """

    partition_: Partition
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    def __init__(
        self,
        n_labels: int = 3,
        partition: str | Mapping[str, Mapping[str, Sequence[float | None]]] = "quantile",
        slope: float | None = None,
        min_share: float | None = None,
        bins: int | None = None,
        max_categories: int | None = None,
        categorical_features: Any = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        self.n_labels = n_labels
        self.partition = partition
        self.slope = slope
        self.min_share = min_share
        self.bins = bins
        self.max_categories = max_categories
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.partition == "supervised"
        return tags

    def fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Place the labels. `y`, the classes, is needed by partition="supervised" alone."""
        fitted = self._unfitted_copy()
        parameters = self.get_params(deep=False)
        if isinstance(self.partition, Mapping):
            parameters["partition"] = "quantile"
        options = option_texts(parameters, "default")
        threads = thread_count(self.n_jobs)
        frame = read_X(fitted, X, reset=True)
        if frame.rows < 2:
            raise ValueError("placing labels needs at least 2 samples, got 1 sample")
        codes, count = None, 0
        if self.partition == "supervised":
            classes, codes = read_y(self, X, y)
            count = len(classes)
        mask = categorical_mask(self.categorical_features, frame)
        columns = [frame.column(i, named) for i, named in enumerate(mask)]
        fitted._categorical = mask
        fitted._model = _core.fit_partition(
            columns,
            frame.rows,
            codes,
            count,
            options,
            given_labels(self.partition, frame.names, mask),
            threads,
        )
        fitted.partition_ = read_partition(json.loads(fitted._model.to_json()))
        self._adopt(fitted)
        return self

    @of_one_fit
    def transform(self, X: Any) -> NDArray[np.float64]:
        """Degrees of membership, one column a label."""
        check_is_fitted(self)
        frame = read_X(self, X, reset=False)
        names = {feature.name for feature in self.partition_}
        columns = [
            frame.column(index, self._categorical[index])
            for index, name in enumerate(frame.names)
            if name in names
        ]
        out = np.empty((frame.rows, sum(len(feature.labels) for feature in self.partition_)))
        self._model.memberships(columns, out, thread_count(self.n_jobs))
        return out

    @of_one_fit
    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[Any]:
        """Names of the columns of the result: "glucose IS high"."""
        from sklearn.utils.validation import _check_feature_names_in

        check_is_fitted(self)
        _check_feature_names_in(self, input_features, generate_names=False)
        return np.array(
            [
                f"{feature.name} IS {label.name}"
                for feature in self.partition_
                for label in feature.labels
            ],
            dtype=object,
        )
