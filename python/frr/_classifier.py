"""The classifier, with the manners of scikit-learn."""

from __future__ import annotations

import json
import math
import numbers
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _core
from ._base import FuzzyEstimator, of_one_fit
from ._frames import Frame, booleans_of, readable, whole_numbers
from ._input import (
    categorical_mask,
    given_labels,
    read_frame,
    read_X,
    read_y,
    target_name,
)
from ._options import BY_NAME, in_python, option_texts, thread_count
from ._progress import ProgressBar
from ._report import report_page
from ._rules import (
    Change,
    Complexity,
    ConditionTruth,
    Explanation,
    Partition,
    RuleList,
    RuleTruth,
    read_partition,
    read_rules,
)

if TYPE_CHECKING:
    import pandas


class FRRClassifier(ClassifierMixin, FuzzyEstimator):  # type: ignore[misc]
    """Classifier of at most `max_rules` IF-THEN rules that a person can read.

    Learns by gradient descent and exact search; each case is decided by one rule, the strongest
    (or, with ``semantics="additive"``, by the sum of the rules' scores).

    Numbers and names may stand side by side: columns of a DataFrame that hold names (str, category,
    bool) are categorical, and missing values (NaN, None, pd.NA) are taken as they are. Parameters
    that are None are as the preset says.

    Parameters
    ----------
    max_rules : int, default=15
        At most so many rules. Range: a whole number from 1 to 1000.
    max_conditions : int, default=3
        At most so many conditions in a rule. Range: a whole number from 1 to 20.
    n_labels : int or None, default=None
        Labels of a numeric column. Range: a whole number from 2 to 7, or 0. None or 0: 3, or up
        to 7 where rows are many and columns few (preset "paper": 3).
    partition : {"supervised", "quantile", "uniform"}, dict or None, default=None
        How the labels of numeric columns are placed. None: "supervised" (preset "paper":
        "quantile"). A dict gives your own labels of some columns as trapezoids, None being an
        open end: {"bmi": {"low": [None, None, 18, 19], "normal": [18, 19, 24, 25], "high": [24,
        25, None, None]}}.
    preset : {"default", "paper"}, default="default"
        Where the parameters that are None start from: what measured best, or the method as it
        was published.
    semantics : {"sufficient", "additive"}, default="sufficient"
        One rule decides (sufficient), or the rules' scores are added (additive).
    t_norm : str, default="product"
        How the degrees of a rule's conditions are combined: product, minimum, aczel-
        alsina:LAMBDA, lukasiewicz or hamacher.
    class_weight : None, "balanced" or dict, default=None
        Weigh rows so that all classes count the same ("balanced"), or each class by its weight
        in a dict, in which classes that are not named count 1.
    time_limit : float or None, default=None
        Seconds after which training stops with the best so far, with a ConvergenceWarning.
        Range: a number from 0 to 1e+09. None or 0: none.
    n_jobs : int or None, default=None
        Threads of fit and predict. None is 1 unless a joblib context says otherwise, -1 all
        cores. It never changes the result.
    random_state : int, RandomState instance or None, default=None
        Start of the random numbers; the same seed gives the same model. None is 0, the default
        of the program: two fits give the same rules.
    verbose : int, default=0
        Above 0 a progress bar is shown, on a terminal or in a notebook, and notes are printed.
    categorical_features : "from_dtype", array-like or None, default="from_dtype"
        Columns whose values are names, even if they look like numbers: by name, index or mask.
        Columns of names (str, category, bool) always are; "from_dtype" or None means these
        alone.
    augment : int or None, default=None
        Fill up to so many rows, where there are fewer, with made-up ones whose class a forest
        of trees gives; 0: none. Range: a whole number from 0 to 1e+06. None: 4000 (preset
        "paper": 0).
    trees : int or None, default=None
        Trees of the forest. Range: a whole number from 1 to 10000. None: 100.
    leaf : int or None, default=None
        Rows in a leaf of its trees, at least; 0: 2 or 20, whichever does better on rows that a
        tree has not seen. Range: a whole number from 0 to 1e+06. None: 0.
    slope : float or None, default=None
        Share of the rows on each side of a border between labels that its slope reaches. Range:
        a number from 0 to 0.5. None: 0.2.
    min_share : float or None, default=None
        Supervised: every label holds at least this share of the rows. Range: a number from 0 to
        0.5. None: 0.05.
    bins : int or None, default=None
        Supervised: quantile bins among which the borders are chosen. Range: a whole number from
        4 to 1000. None: 40.
    max_features : int or None, default=None
        Columns to learn from, where there are more: those that tell most about the class.
        Range: a whole number from 1 to 1e+05. None: 256.
    max_categories : int or None, default=None
        Most frequent values of a categorical column that get a label. Range: a whole number
        from 2 to 1000. None: 64.
    root : float or None, default=None
        The truth of a rule is the root of this degree of its conjunction. Range: a number from
        1 to 100. None: 1.
    gradient : bool or None, default=None
        Find the first rules by gradient descent; without it the search starts from none. Range:
        true, false. None: True.
    epochs : int or None, default=None
        Passes over the data; 0 chooses by the number of rows. Range: a whole number from 0 to
        1e+06. None: 0 (preset "paper": 300).
    gradient_rows : int or None, default=None
        Rows that gradient descent sees of a larger table, drawn at random. Range: a whole
        number from 1000 to 2e+09. None: 32768.
    batch : int or None, default=None
        Rows of a gradient step. Range: a whole number from 1 to 1e+06. None: 64 (preset
        "paper": 32).
    learning_rate : float or None, default=None
        Learning rate of Adam. Range: a number from 1e-06 to 10. None: 0.05.
    cosine : bool or None, default=None
        Let the learning rate fall to 0 along a cosine. Range: true, false. None: True.
    temperature : float or None, default=None
        Softmax temperature of the choices of labels, features and classes. Range: a number from
        0.001 to 10. None: 0.1.
    beta_start : float or None, default=None
        Restricted addition at the start: 1 mixes all choices, 0 takes the best alone. Range: a
        number from 0 to 1. None: 1.
    beta_end : float or None, default=None
        Restricted addition at the end. Range: a number from 0 to 1. None: 0.
    gamma_start : float or None, default=None
        Weight of the residual connection at the start. Range: a number from 0 to 10. None: 0.1.
    gamma_end : float or None, default=None
        Weight of the residual connection at the end. Range: a number from 0 to 10. None: 0.
    max_start : float or None, default=None
        Sharpness of the smooth maximum over rules at the start; 0: hard maximum. Range: a
        number from 0 to 10000. None: 4 (preset "paper": 0).
    max_end : float or None, default=None
        Sharpness of the smooth maximum over rules at the end. Range: a number from 0 to 10000.
        None: 40 (preset "paper": 0).
    kappa : float or None, default=None
        Scale of the scores inside the cross-entropy. Range: a number from 0.001 to 10000. None:
        8.
    cancel_price : float or None, default=None
        Weight of the loss term that cancels conditions. Range: a number from 0 to 1000. None: 0
        (preset "paper": 0.01).
    normalise : bool or None, default=None
        Normalise restricted addition so that its weights sum to 1. Range: true, false. None:
        True.
    restarts : int or None, default=None
        Trainings from different random starts; the one that fits the training rows best wins.
        Range: a whole number from 1 to 1000. None: 1.
    patience : int or None, default=None
        Stop after so many epochs without a smaller loss; 0: never. Range: a whole number from 0
        to 1e+06. None: 0.
    polish : bool or None, default=None
        Improve the extracted rules by exact search. Range: true, false. None: True (preset
        "paper": False).
    tune : bool or None, default=None
        Move the borders of labels that the rules use. Range: true, false. None: True (preset
        "paper": False).
    price : float or None, default=None
        Rows that a condition must earn to be kept, plus price-rate. Range: a number from 0 to
        1e+09. None: 0.1.
    price_rate : float or None, default=None
        Share of all rows that a condition must earn besides. Range: a number from 0 to 1. None:
        5e-04.
    margin : float or None, default=None
        How clearly a rule must win a row to get it whole, in steps of a factor 1.25. Range: a
        number from 0 to 20. None: 3.
    grid : int or None, default=None
        Quantiles among which a border is tuned; 0: 20, or up to 60 where rows are many. Range:
        a whole number from 2 to 200, or 0. None: 0.
    search_rows : int or None, default=None
        Rows of a larger table, drawn at random, on which labels, conditions and borders are
        chosen. Range: a whole number from 1000 to 2e+09. None: 131072.
    sweeps : int or None, default=None
        At most so many rounds of polish. Range: a whole number from 1 to 1000. None: 3.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of str
        Their names, where X has names.
    rules_ : RuleList
        The rules: conditions, class, weight, support and confidence of each.
    partition_ : Partition
        The labels of each column and what they mean, by position or name.
    complexity_ : Complexity
        Rules, conditions in all of them, and distinct conditions.
    n_iter_ : int
        Epochs of gradient descent.
    loss_curve_ : list of float
        Mean loss of each epoch.
    notes_ : list of str
        What should be known about the training: columns left out, rare classes, a time limit.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frr import FRRClassifier
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = FRRClassifier(max_rules=4, max_conditions=2, random_state=0).fit(X, y)
    >>> len(model.rules_) <= 4
    True
    >>> model.score(X, y) > 0.9
    True
    """

    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    rules_: RuleList
    partition_: Partition
    complexity_: Complexity
    n_iter_: int
    loss_curve_: list[float]
    notes_: list[str]

    def __init__(
        self,
        max_rules: int = 15,
        max_conditions: int = 3,
        n_labels: int | None = None,
        partition: str | Mapping[str, Mapping[str, Sequence[float | None]]] | None = None,
        preset: str = "default",
        semantics: str = "sufficient",
        t_norm: str = "product",
        class_weight: str | Mapping[Any, float] | None = None,
        time_limit: float | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        categorical_features: Any = "from_dtype",
        augment: int | None = None,
        trees: int | None = None,
        leaf: int | None = None,
        slope: float | None = None,
        min_share: float | None = None,
        bins: int | None = None,
        max_features: int | None = None,
        max_categories: int | None = None,
        root: float | None = None,
        gradient: bool | None = None,
        epochs: int | None = None,
        gradient_rows: int | None = None,
        batch: int | None = None,
        learning_rate: float | None = None,
        cosine: bool | None = None,
        temperature: float | None = None,
        beta_start: float | None = None,
        beta_end: float | None = None,
        gamma_start: float | None = None,
        gamma_end: float | None = None,
        max_start: float | None = None,
        max_end: float | None = None,
        kappa: float | None = None,
        cancel_price: float | None = None,
        normalise: bool | None = None,
        restarts: int | None = None,
        patience: int | None = None,
        polish: bool | None = None,
        tune: bool | None = None,
        price: float | None = None,
        price_rate: float | None = None,
        margin: float | None = None,
        grid: int | None = None,
        search_rows: int | None = None,
        sweeps: int | None = None,
    ) -> None:
        self.max_rules = max_rules
        self.max_conditions = max_conditions
        self.n_labels = n_labels
        self.partition = partition
        self.preset = preset
        self.semantics = semantics
        self.t_norm = t_norm
        self.class_weight = class_weight
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.categorical_features = categorical_features
        self.augment = augment
        self.trees = trees
        self.leaf = leaf
        self.slope = slope
        self.min_share = min_share
        self.bins = bins
        self.max_features = max_features
        self.max_categories = max_categories
        self.root = root
        self.gradient = gradient
        self.epochs = epochs
        self.gradient_rows = gradient_rows
        self.batch = batch
        self.learning_rate = learning_rate
        self.cosine = cosine
        self.temperature = temperature
        self.beta_start = beta_start
        self.beta_end = beta_end
        self.gamma_start = gamma_start
        self.gamma_end = gamma_end
        self.max_start = max_start
        self.max_end = max_end
        self.kappa = kappa
        self.cancel_price = cancel_price
        self.normalise = normalise
        self.restarts = restarts
        self.patience = patience
        self.polish = polish
        self.tune = tune
        self.price = price
        self.price_rate = price_rate
        self.margin = margin
        self.grid = grid
        self.search_rows = search_rows
        self.sweeps = sweeps

    # ---- Learning --------------------------------------------------------------------------------

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: ArrayLike | None = None,
        *,
        source: str | None = None,
    ) -> Self:
        """Learn the rules.

        If fitting fails or is interrupted, the estimator keeps its earlier model. Other threads
        can use that model until the fit ends.

        Parameters
        ----------
        X : array-like, pandas or polars DataFrame of shape (n_samples, n_features)
            Numbers and names; NaN, None and pd.NA are missing values.
        y : array-like of shape (n_samples,)
            Classes. The name of a Series becomes the name of the target in the rules.
        sample_weight : array-like of shape (n_samples,), default=None
            Whole numbers are repetitions of the row; other weights count in the same proportion.
            A row of weight 0 is absent.
        source : str, default=None
            Name of the data, to be kept in the model.

        Returns
        -------
        self

        Examples
        --------
        >>> from frr import FRRClassifier
        >>> FRRClassifier().fit([[1.0], [2.0], [8.0], [9.0]], ["low", "low", "high", "high"])
        FRRClassifier()
        """
        fitted = self._unfitted_copy()
        parameters = self.get_params(deep=False)
        if isinstance(self.partition, Mapping):
            parameters["partition"] = None
        options = option_texts(parameters, self.preset)
        threads = thread_count(self.n_jobs)
        frame = read_X(fitted, X, reset=True)
        classes, codes = read_y(self, X, y)
        class_names = _class_names(classes)
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(
                sample_weight,
                np.empty((frame.rows, 1)),
                dtype=np.float64,
                ensure_non_negative=True,
                copy=True,
            )
        mask = categorical_mask(self.categorical_features, frame)
        columns = [frame.column(index, categorical) for index, categorical in enumerate(mask)]
        progress = ProgressBar() if self.verbose else None
        try:
            model = _core.train(
                columns,
                codes,
                class_names,
                target_name(y, frame.names),
                readable([source or ""], "source")[0],
                self.preset,
                [*options, ("threads", str(threads))],
                self._recorded(frame, mask),
                weights,
                self._class_weights(classes, class_names),
                given_labels(self.partition, frame.names, mask),
                progress,
            )
        finally:
            if progress is not None:
                progress.close()
        fitted._set_model(model, classes, mask)
        self._adopt(fitted)
        if self.verbose:
            for note in self.notes_:
                print(f"frr: {note}")
        if self._stopped_early:
            warnings.warn(
                f"training stopped at time_limit={self.time_limit} s with the best rules so far",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _class_weights(self, classes: NDArray[Any], names: list[str]) -> list[tuple[str, float]]:
        if not isinstance(self.class_weight, Mapping):
            return []
        name_of = dict(zip(classes.tolist(), names, strict=True))
        unknown = [label for label in self.class_weight if label not in name_of]
        if unknown:
            raise ValueError(
                f"class_weight names the classes {unknown}, which y does not hold; it holds "
                f"{classes[:20].tolist()}"
            )
        for label, weight in self.class_weight.items():
            if not isinstance(weight, numbers.Real) or not 0 < weight < math.inf:
                raise ValueError(
                    f"class_weight of {label!r} must be a finite number above 0, got {weight!r}"
                )
        return [(name_of[label], float(weight)) for label, weight in self.class_weight.items()]

    def _recorded(self, frame: Frame, mask: list[bool]) -> list[tuple[str, str]]:
        """Columns that are categorical only because the user says so, as the program notes it."""
        if self.categorical_features is None or isinstance(self.categorical_features, str):
            return []
        names = [
            name
            for index, name in enumerate(frame.names)
            if mask[index] and not frame.is_categorical(index)
        ]
        return [("categorical", ",".join(names))] if names else []

    def _set_model(
        self,
        model: _core.Model,
        classes: NDArray[Any],
        mask: list[bool] | None,
        names: list[str] | None = None,
    ) -> None:
        """`names` of the classes in the model, where they are not what `fit` calls them."""
        content = json.loads(model.to_json())
        label_of = dict(zip(names or _class_names(classes), classes.tolist(), strict=True))
        self.classes_ = classes
        self.partition_ = read_partition(content)
        self.rules_ = read_rules(content, self.partition_, label_of)
        conditions = [condition for rule in self.rules_ for condition in rule.conditions]
        self.complexity_ = Complexity(len(self.rules_), len(conditions), len(set(conditions)))
        self.n_iter_ = int(content["training"]["epochs"])
        self.loss_curve_ = model.losses
        self.notes_ = [in_python(note) for note in content["training"]["notes"]]
        if content["training"]["stopped_early"]:
            self.notes_.append("training stopped at the time limit with the best rules so far")
        self._stopped_early = bool(content["training"]["stopped_early"])
        self._model = model
        # Position in classes_ of each class of the model, which sorts them its own way.
        position = {name: index for index, name in enumerate(label_of)}
        self._positions = np.array([position[name] for name in model.classes], dtype=np.intp)
        self._categorical = mask
        spelled = {
            feature.name: booleans_of(
                label.name for label in feature.labels if label.kind == "category"
            )
            for feature in self.partition_
            if feature.categorical
        }
        self._booleans = {name: pair for name, pair in spelled.items() if pair is not None}

    # ---- Deciding --------------------------------------------------------------------------------

    def _columns(self, X: Any, names: set[str] | None = None) -> tuple[list[_core.Column], int]:
        """The columns of these names; None: those that the rules read."""
        check_is_fitted(self)
        used = set(self._model.used_features) if names is None else names
        if self._categorical is None:
            return self._columns_by_name(X, used)
        frame = read_X(self, X, reset=False)
        frame.booleans = self._booleans
        columns = [
            frame.column(index, self._categorical[index])
            for index, name in enumerate(frame.names)
            if name in used
        ]
        return columns, frame.rows

    def _columns_by_name(self, X: Any, used: set[str]) -> tuple[list[_core.Column], int]:
        """Of a model from a file, which knows the columns that it learned from alone."""
        names = [feature.name for feature in self.partition_]
        categorical = {feature.name: feature.categorical for feature in self.partition_}
        frame = read_frame(self, X, names)
        absent = used.difference(frame.names)
        if absent:
            raise ValueError(
                f"X has no column {sorted(absent)[0]!r}, which the rules need; its columns are "
                f"{', '.join(map(repr, frame.names[:20]))}"
            )
        frame.booleans = self._booleans
        columns = [
            frame.column(index, categorical[name])
            for index, name in enumerate(frame.names)
            if name in used
        ]
        return columns, frame.rows

    @of_one_fit
    def predict(self, X: Any) -> NDArray[Any]:
        """Class of each row.

        Examples
        --------
        >>> from frr import FRRClassifier
        >>> X = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]] * 4
        >>> y = ["low", "low", "low", "high", "high", "high"] * 4
        >>> model = FRRClassifier().fit(X, y)
        >>> model.predict([[0.0], [10.0]]).tolist()
        ['low', 'high']
        """
        columns, rows = self._columns(X)
        labels = self.classes_[self._positions]
        out = np.empty(rows, np.int64)
        if labels.dtype in (np.int64, np.float64):  # written as they are, in one go
            self._model.predict(columns, labels.view(np.int64), out, thread_count(self.n_jobs))
            return out.view(labels.dtype)
        numbers = np.arange(len(labels), dtype=np.int64)
        self._model.predict(columns, numbers, out, thread_count(self.n_jobs))
        return np.take(labels, out)  # faster than by index

    @of_one_fit
    def apply(self, X: Any) -> NDArray[np.int64]:
        """Index in `rules_` of the rule that decides each row; -1 is ELSE."""
        columns, rows = self._columns(X)
        numbers = np.empty(rows, np.int64)
        self._model.apply(columns, numbers, thread_count(self.n_jobs))
        numbers -= 1
        return numbers

    def _by_class(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        if np.array_equal(self._positions, np.arange(len(self._positions))):
            return values
        ordered = np.empty_like(values)
        ordered[:, self._positions] = values
        return ordered

    @of_one_fit
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probability of each class: the shares of the classes, with Laplace's correction, among
        the training rows that the deciding rule decides. The class that is predicted always has
        the largest."""
        columns, rows = self._columns(X)
        shares = np.empty((rows, len(self.classes_)))
        self._model.predict_proba(columns, shares, thread_count(self.n_jobs))
        return self._by_class(shares)

    @of_one_fit
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Score of each class, weight x truth of its strongest rule (additive: the sum over its
        rules); with two classes that of the second less that of the first. The largest is that of
        the class that is predicted: where rules tie, or none applies, by the smallest step."""
        columns, rows = self._columns(X)
        scores = np.empty((rows, len(self.classes_)))
        self._model.decision_scores(columns, scores, thread_count(self.n_jobs))
        scores = self._by_class(scores)
        return scores if len(self.classes_) > 2 else scores[:, 1] - scores[:, 0]

    @of_one_fit
    def explain(self, X: Any) -> list[Explanation]:
        """Why each row gets its class: the rule that decides, what comes close, what would change
        it.

        Examples
        --------
        >>> from frr import FRRClassifier
        >>> X = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]] * 4
        >>> y = ["low", "low", "low", "high", "high", "high"] * 4
        >>> model = FRRClassifier().fit(X, y)
        >>> why = model.explain([[1.5]])[0]
        >>> why.prediction, why.counterfactual.prediction
        ('low', 'high')
        """
        columns, rows = self._columns(X)
        return [self._explanation(why) for why in self._model.explain(columns, rows)]

    def _explanation(self, why: _core.Why) -> Explanation:
        predicted, rule, _, shares, winner, runner_up, margin, changes, complete = why
        labels = self.classes_[self._positions].tolist()
        numeric = {feature.name for feature in self.partition_ if not feature.categorical}

        def value(feature: str, text: str) -> float | str | None:
            if not text:
                return None
            return float(text) if feature in numeric else text

        def truth(entry: _core.Truth | None) -> RuleTruth | None:
            if entry is None:
                return None
            number, degree, score, conditions = entry
            parts = tuple(
                ConditionTruth(feature, label, membership, value(feature, text))
                for feature, label, membership, text in conditions
            )
            return RuleTruth(number - 1, self.rules_[number - 1].prediction, degree, score, parts)

        return Explanation(
            prediction=labels[predicted],
            rule=rule - 1 if rule else None,
            probabilities=dict(zip(labels, shares, strict=True)),
            winner=truth(winner),
            runner_up=truth(runner_up),
            margin=margin,
            changes=tuple(
                Change(
                    feature,
                    value(feature, old),
                    value(feature, new),
                    distance,
                    labels[to],
                    by - 1 if by else None,
                )
                for feature, old, new, distance, to, by in changes
            ),
            changes_complete=complete,
        )

    @of_one_fit
    def report(
        self,
        X: Any,
        y: ArrayLike | None = None,
        path: str | os.PathLike[str] | None = None,
        *,
        name: str = "",
        show: Any = None,
        cv: int | Literal["auto"] | None = "auto",
    ) -> str | None:
        """The page that explains the rules to people: one HTML file, as `frr report` writes it.

        It holds the rules, what their labels mean, a case that can be changed to see what would be
        decided, and the rows of X. It needs no network and opens by a double click.

        Parameters
        ----------
        X : array-like, pandas or polars DataFrame of shape (n_samples, n_features)
            Rows to explain the rules on.
        y : array-like of shape (n_samples,), default=None
            Their classes, if known: the page then says how often the rules are right.
        path : str or path-like, default=None
            File to write, replaced at once. Without it the page is returned as text.
        name : str, default=""
            Name of the data, to be shown.
        show : DataFrame or dict of array-likes, default=None
            Further columns to show with the rows, such as names or numbers of cases.
        cv : int, None or "auto", default="auto"
            Folds of the cross-validation whose accuracy the page shows; None for none. "auto" is 5
            where X and y are what was learned from and have at most 1,000,000 values.

        Returns
        -------
        str or None
            The page, if `path` is None.

        Examples
        --------
        >>> from frr import FRRClassifier
        >>> X = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]] * 4
        >>> y = ["low", "low", "low", "high", "high", "high"] * 4
        >>> page = FRRClassifier().fit(X, y).report(X, y)
        >>> page.startswith("<!doctype html>")
        True
        """
        columns, rows = self._columns(X)
        page = report_page(self, self._model, columns, rows, X, y, name, show, cv)
        if path is None:
            return page
        _write(path, lambda text: _core.write_file(text, page.encode()))
        return None

    # ---- The rule base ---------------------------------------------------------------------------

    def to_text(self) -> str:
        """The rules and what their labels mean, as the program prints them."""
        check_is_fitted(self)
        return self._model.to_text()

    def to_markdown(self) -> str:
        """The rules as Markdown."""
        check_is_fitted(self)
        return self._model.to_markdown()

    @of_one_fit
    def to_frame(self) -> pandas.DataFrame:
        """The rules as a pandas DataFrame, one a row, the last being ELSE."""
        check_is_fitted(self)
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "prediction": rule.prediction,
                    "weight": rule.weight,
                    "support": rule.support,
                    "coverage": rule.coverage,
                    "confidence": rule.confidence,
                    "conditions": len(rule.conditions),
                    "rule": str(rule),
                }
                for rule in (*self.rules_, self.rules_.otherwise)
            ]
        )

    def to_json(self) -> str:
        """The model in the program's own form, as `save` writes it."""
        check_is_fitted(self)
        return self._model.to_json()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model.json that the program reads, too."""
        check_is_fitted(self)
        _write(path, self._model.save)

    def export(
        self,
        format: str,
        path: str | os.PathLike[str] | None = None,
        *,
        name: str = "",
        dialect: str = "",
        table: str = "",
        as_: str = "",
        prefix: str = "",
        float32: bool = False,
        rule_set: bool = False,
    ) -> str | bytes | None:
        """The model for another engine, which then decides as this one does.

        Parameters
        ----------
        format : str
            "sql", "pmml", "onnx", "c", "python", "javascript"; "markdown", "latex" and "html" are
            tables for documents.
        path : str or path-like, default=None
            File to write, replaced at once. Without it the content is returned.
        name : str, default=""
            c, python, javascript: name of the function, "decide" by default; sql: of the view,
            "decisions" by default.
        dialect : str, default=""
            sql: "duckdb" (the default), "postgresql", "spark" or "sqlite".
        table : str, default=""
            sql: what to read, "data" by default.
        as_ : str, default=""
            sql: "select" (the default), or "view" to create one.
        prefix : str, default=""
            sql: before the names of the columns prediction, probability and rule.
        float32 : bool, default=False
            onnx: numbers come in as 32 bit floats.
        rule_set : bool, default=False
            pmml: a RuleSetModel instead of a TreeModel.

        Returns
        -------
        str, bytes or None
            The content, if `path` is None; bytes for "onnx".

        Examples
        --------
        >>> from frr import FRRClassifier
        >>> X = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]] * 4
        >>> y = ["low", "low", "low", "high", "high", "high"] * 4
        >>> header = FRRClassifier().fit(X, y).export("c", name="triage")
        >>> "triage_result triage(" in header
        True
        """
        check_is_fitted(self)
        content = self._model.export_to(
            format, name, dialect, table, as_, prefix, float32, rule_set
        )
        if path is not None:
            _write(path, lambda text: _core.write_file(text, content))
            return None
        return content if format == "onnx" else content.decode()

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """A fitted estimator from a model.json, of Python or of the program.

        The file knows the columns that the rules may speak of, by name: a DataFrame needs these
        and may have others; an array needs as many columns as the model has features, in their
        order (or, where they are called x0, x1, ..., the columns of these numbers). Class names
        that are whole numbers become numbers, as pandas would read them.
        """
        model = _core.from_json(Path(path).read_text(encoding="utf-8"), os.fspath(path))
        content = json.loads(model.to_json())
        settings = dict(content["training"]["settings"])
        estimator = cls(**_parameters_of(settings))
        estimator._set_model(model, _classes_of(model.classes), None)
        names = [feature.name for feature in estimator.partition_]
        estimator.n_features_in_ = len(names)
        estimator.feature_names_in_ = np.array(names, dtype=object)
        return estimator


def _write(path: str | os.PathLike[str], write: Callable[[str], None]) -> None:
    try:
        write(os.fspath(path))
    except ValueError as error:
        here = Path(path).parent.is_dir()
        raise (OSError if here else FileNotFoundError)(str(error)) from error


def _class_names(classes: NDArray[Any]) -> list[str]:
    names = [str(label) for label in classes.tolist()]
    readable(names, "y")
    if "" in names:
        raise ValueError("a class label in y is an empty text; give it a name")
    if len(set(names)) < len(names):
        raise ValueError(f"different class labels in y have the same name: {names[:20]}")
    return names


def _classes_of(names: list[str]) -> NDArray[Any]:
    try:
        numbers = [int(name) for name in names]
    except ValueError:
        numbers = []
    if [str(number) for number in numbers] == names:
        return whole_numbers(sorted(numbers))
    return np.sort(np.array(names))


def _parameters_of(settings: dict[str, str]) -> dict[str, Any]:
    """The parameters that gave a model, as far as they differ from the preset's."""
    preset = settings.get("preset", "default")
    parameters: dict[str, Any] = {"preset": preset}
    if "categorical" in settings:
        parameters["categorical_features"] = settings["categorical"].split(",")
    for name, text in settings.items():
        option = BY_NAME.get(name)
        if option is None or text == (option.paper if preset == "paper" else option.default):
            continue
        parameters[option.parameter] = option.value(text)
    return parameters
