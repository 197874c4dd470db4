"""Membership degrees as features for other learners."""

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
from ._options import check_advanced, option_texts, thread_count
from ._rules import Partition, read_partition

_ADVANCED = frozenset({"slope", "min_share", "bins", "max_categories"})  # settings of partitions


class FuzzyTransformer(TransformerMixin, FuzzyEstimator):  # type: ignore[misc]
    """Transforms each column into its membership degrees in labels such as low, medium and high.

    Each label becomes a column with values between 0 and 1. A missing value belongs to the label
    "missing" of its column if `fit` saw missing values there, otherwise to no label; a category
    that `fit` did not see belongs to no label. Constant columns have no labels and are dropped.

    Parameters
    ----------
    n_labels : int, default=3
        Labels per numeric column. Range: a whole number from 2 to 7, or 0: 3, or up to 7 for
        many rows and few columns.
    partition : {"quantile", "uniform", "supervised"} or dict, default="quantile"
        How the labels of numeric columns are placed: at quantiles, at equal widths, or where they
        separate the classes in y best. A dict defines the labels of some columns as trapezoids, in
        which None is an open end: {"bmi": {"low": [None, None, 18, 19], "high": [18, 19, None,
        None]}}; the labels of other columns are placed at quantiles.
    categorical_features : "from_dtype", array-like or None, default="from_dtype"
        Columns whose values are categories although they are numbers: by name, index or mask.
        Columns of type str, category or bool are always categorical.
    advanced : dict or None, default=None
        Advanced options, by name, such as ``{"slope": 0.1}``: slope, min_share, bins and
        max_categories. ``frr train --help-all`` and docs/reference/options.md explain them.
    n_jobs : int or None, default=None
        Number of threads. None is 1 unless a joblib context says otherwise; -1 uses all cores.

    Attributes
    ----------
    partition_ : Partition
        The labels of each column and their definitions, by position or name.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of str
        Their names, if X has names.

    Examples
    --------
    >>> from frr import FuzzyTransformer
    >>> transformer = FuzzyTransformer(n_labels=2, partition="uniform", advanced={"slope": 0})
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
        *,
        n_labels: int = 3,
        partition: str | Mapping[str, Mapping[str, Sequence[float | None]]] = "quantile",
        categorical_features: Any = "from_dtype",
        advanced: Mapping[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_labels = n_labels
        self.partition = partition
        self.categorical_features = categorical_features
        self.advanced = advanced
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.partition == "supervised"
        return tags

    def fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Place the labels. Only partition="supervised" needs the classes, `y`.

        Examples
        --------
        >>> from frr import FuzzyTransformer
        >>> FuzzyTransformer().fit([[1.0], [2.0], [8.0], [9.0]])
        FuzzyTransformer()
        """
        fitted = self._unfitted_copy()
        check_advanced(self.advanced, _ADVANCED)
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
        """Membership degrees, a column for each label.

        Examples
        --------
        >>> from frr import FuzzyTransformer
        >>> transformer = FuzzyTransformer(n_labels=2, partition="uniform", advanced={"slope": 0.5})
        >>> transformer.fit([[0.0], [10.0]]).transform([[5.0]]).tolist()
        [[0.5, 0.5]]
        """
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
        """Names of the columns that `transform` returns, such as "glucose IS high".

        Examples
        --------
        >>> from frr import FuzzyTransformer
        >>> transformer = FuzzyTransformer(n_labels=2).fit([[0.0], [10.0]])
        >>> transformer.get_feature_names_out().tolist()
        ['x0 IS low', 'x0 IS high']
        """
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
