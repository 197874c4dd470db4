"""The classifier, a scikit-learn estimator."""

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
from ._options import in_python, option_texts, parameters_of, thread_count
from ._policy import CHOICES, DECISIONS, check_decisions, decisions_of, policy_parts
from ._progress import ProgressBar
from ._report import report_page, target_column
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


class _Unchanged:
    """The default of arguments of `decide`."""

    def __repr__(self) -> str:
        return "unchanged"


UNCHANGED = _Unchanged()


class FRRClassifier(ClassifierMixin, FuzzyEstimator):  # type: ignore[misc]
    """Classifier that learns at most `max_rules` readable IF-THEN rules.

    Gradient descent and exact search find the rules. One rule decides each row: the one with the
    highest score. With ``semantics="additive"``, the scores of all rules are added by class and
    give the probabilities.

    `predict` returns the most probable class, unless `costs`, `threshold`, `sensitivity` or
    `specificity` say otherwise. They affect only decisions: the probabilities stay the same.

    Columns may be numeric or categorical: DataFrame columns of type str, category or bool are
    categorical. Missing values (NaN, None, pd.NA) need no imputation.

    Parameters
    ----------
    max_rules : int, default=15
        Maximum number of rules. Range: a whole number from 1 to 1000.
    max_conditions : int, default=3
        Maximum number of conditions per rule. Range: a whole number from 1 to 20.
    n_labels : int or None, default=None
        Labels per numeric column. Range: a whole number from 2 to 7, or 0. None or 0: 3, or more
        for ``objective="risk"``, for scorecards, and for many rows and few columns (preset
        "paper": 3).
    partition : {"supervised", "quantile", "uniform"}, dict or None, default=None
        How the labels of numeric columns are placed. None: "supervised" (preset "paper":
        "quantile"). A dict defines the labels of some columns as trapezoids, in which None is an
        open end: {"bmi": {"low": [None, None, 18, 19], "normal": [18, 19, 24, 25], "high": [24,
        25, None, None]}}.
    semantics : {"sufficient", "additive"}, default="sufficient"
        The strongest rule alone decides (sufficient), or the scores of all rules are added by
        class (additive).
    objective : {"auto", "accuracy", "risk"}, default="auto"
        Learn sufficient rules for the most correct decisions ("accuracy") or for the best
        probabilities ("risk"). "auto" chooses "risk" if one of two classes has less than 10 % of
        the rows. Additive rules are always learned for the best probabilities.
    points : int, default=0
        With ``semantics="additive"`` and two classes: make a scorecard, whose rules give whole
        points up to this number. Range: a whole number from 0 to 100. 0 makes none.
    t_norm : str, default="product"
        T-norm that combines the membership degrees of a rule's conditions: product, minimum,
        aczel-alsina:LAMBDA, lukasiewicz or hamacher.
    class_weight : None, "balanced" or dict, default=None
        None gives all rows the same weight, "balanced" gives all classes the same total weight. A
        dict gives weights by class; classes that it does not name have weight 1. Class weights
        change decisions, never probabilities: an error costs the weight of its true class, unless
        `costs`, `threshold`, `sensitivity` or `specificity` is given.
    augment : int or None, default=None
        Add synthetic rows to smaller tables up to this number of rows; a random forest predicts
        their classes; 0 adds none. Range: a whole number from 0 to 1000000. None: 4000 (preset
        "paper": 0).
    restarts : int or None, default=None
        Number of random starts; the rules that fit the training rows best are kept. Range: a
        whole number from 1 to 1000. None: 1.
    price : float or None, default=None
        Price per condition: the number of rows that it must gain, in addition to
        ``advanced["price_rate"]``. In learning by log-loss, the price is in nats: 10 times this
        number (additive rules), or 2 times this number times ln(number of labels)
        (``objective="risk"``). Range: a number from 0 to 1000000000. None: 0.1.
    search_rows : int or None, default=None
        Maximum number of rows for choosing labels, conditions and borders; larger tables are
        sampled at random. Range: a whole number from 1000 to 2000000000. None: 131072.
    time_limit : float or None, default=None
        Seconds after which training stops with the best rules so far, and a ConvergenceWarning.
        Range: a number from 0 to 1000000000. None or 0: no limit.
    positive : class label or None, default=None
        The class of interest. None: of two classes, the rarer one.
    costs : dict, DataFrame, array-like or None, default=None
        Costs of errors; `predict` returns the class with the lowest expected cost. ``{"miss": 20}``
        is the cost of predicting another class than the positive one. ``{(true, predicted): cost}``
        gives costs of pairs of classes. A matrix has a row for each true class and a column for
        each predicted class, in the order of `classes_`. Other errors cost 1.
    threshold : float or None, default=None
        Predict the positive class if its probability is at least this number, between 0 and 1.
    sensitivity : float or None, default=None
        Choose the threshold that finds this fraction of the positive class, on out-of-fold
        predictions of the training rows.
    specificity : float or None, default=None
        The same for the fraction of the other rows that are not predicted to be positive.
    refer : float, default=0
        Refer rows to a person if their most probable class has a probability below this number, or
        if no rule applies to them; see `referred`. 0 refers none.
    preset : {"default", "paper"}, default="default"
        Values of the parameters that are None: the recommended ones, or those of the published
        method.
    categorical_features : "from_dtype", array-like or None, default="from_dtype"
        Columns whose values are categories although they are numbers: by name, index or mask.
        Columns of type str, category or bool are always categorical; "from_dtype" and None add no
        others.
    advanced : dict or None, default=None
        Advanced options, by name, such as ``{"kappa": 8, "polish": False}``: trees, leaf,
        slope, min_share, bins, max_features, max_categories, root, gradient, epochs, gradient_rows,
        batch, learning_rate, cosine, temperature, beta_start, beta_end, gamma_start, gamma_end,
        max_start, max_end, kappa, cancel_price, normalise, patience, polish, tune, price_rate,
        margin, grid and sweeps. ``frr train --help-all`` and docs/reference/options.md explain
        them. Options that are absent or None have the value of the preset.
    random_state : int, RandomState instance or None, default=None
        Seed of the random numbers; the same seed gives the same model. None is 0, as in the
        program: two fits give the same rules.
    n_jobs : int or None, default=None
        Number of threads for fit and predict. None is 1 unless a joblib context says otherwise;
        -1 uses all cores. Never changes the result.
    verbose : int, default=0
        Above 0, fit shows a progress bar (on a terminal or in a notebook) and prints its notes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of str
        Their names, if X has names.
    rules_ : RuleList
        The rules: conditions, class, weight, support and confidence of each.
    partition_ : Partition
        The labels of each column and their definitions, by position or name.
    complexity_ : Complexity
        Numbers of rules, of conditions in all rules, and of distinct conditions.
    n_iter_ : int
        Number of epochs of gradient descent.
    loss_curve_ : list of float
        Mean loss of each epoch.
    notes_ : list of str
        Notes about the training, such as dropped columns, rare classes or a time limit.

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
        *,
        max_rules: int = 15,
        max_conditions: int = 3,
        n_labels: int | None = None,
        partition: str | Mapping[str, Mapping[str, Sequence[float | None]]] | None = None,
        semantics: str = "sufficient",
        objective: str = "auto",
        points: int = 0,
        t_norm: str = "product",
        class_weight: str | Mapping[Any, float] | None = None,
        augment: int | None = None,
        restarts: int | None = None,
        price: float | None = None,
        search_rows: int | None = None,
        time_limit: float | None = None,
        positive: Any = None,
        costs: Any = None,
        threshold: float | None = None,
        sensitivity: float | None = None,
        specificity: float | None = None,
        refer: float = 0,
        preset: str = "default",
        categorical_features: Any = "from_dtype",
        advanced: Mapping[str, Any] | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.max_rules = max_rules
        self.max_conditions = max_conditions
        self.n_labels = n_labels
        self.partition = partition
        self.semantics = semantics
        self.objective = objective
        self.points = points
        self.t_norm = t_norm
        self.class_weight = class_weight
        self.augment = augment
        self.restarts = restarts
        self.price = price
        self.search_rows = search_rows
        self.time_limit = time_limit
        self.positive = positive
        self.costs = costs
        self.threshold = threshold
        self.sensitivity = sensitivity
        self.specificity = specificity
        self.refer = refer
        self.preset = preset
        self.categorical_features = categorical_features
        self.advanced = advanced
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

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
            Numbers and categories; NaN, None and pd.NA are missing values.
        y : array-like of shape (n_samples,)
            Classes. The name of a Series becomes the name of the target in the rules.
        sample_weight : array-like of shape (n_samples,), default=None
            A row with weight 3 counts as three rows; fractions count in proportion. Rows with
            weight 0 are ignored.
        source : str, default=None
            Name of the data, which the model records.

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
        options = option_texts(self.get_params(deep=False), self.preset)
        check_decisions(self.get_params(deep=False))
        threads = thread_count(self.n_jobs)
        frame = read_X(fitted, X, reset=True)
        classes, codes = read_y(self, X, y)
        class_names = _class_names(classes)
        policy = policy_parts(self.get_params(deep=False), classes.tolist(), class_names)
        weights = None
        if sample_weight is not None:
            weights = _row_weights(sample_weight, frame.rows)
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
                policy,
                given_labels(self.partition, frame.names, mask),
                progress,
            )
        except ValueError as error:
            raise ValueError(in_python(str(error))) from error
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
                f"class_weight names the classes {unknown}, which y does not contain; it contains "
                f"{classes[:20].tolist()}"
            )
        for label, weight in self.class_weight.items():
            if not isinstance(weight, numbers.Real) or not 0 < weight < math.inf:
                raise ValueError(
                    f"class_weight of {label!r} must be a finite number above 0, got {weight!r}"
                )
        return [(name_of[label], float(weight)) for label, weight in self.class_weight.items()]

    def _recorded(self, frame: Frame, mask: list[bool]) -> list[tuple[str, str]]:
        """The columns that are categorical only because of `categorical_features`, as the program
        records them."""
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
        """Stores what was learned. `names`: those of `classes` in the model, if `fit` would use
        others."""
        content = json.loads(model.to_json())
        label_of = dict(zip(names or _class_names(classes), classes.tolist(), strict=True))
        self._stopped_early = bool(content["training"]["stopped_early"])
        self.classes_ = classes
        self.partition_ = read_partition(content)
        rates = dict(zip(model.classes, model.base_rates, strict=True))
        self.rules_ = read_rules(content, self.partition_, label_of, rates)
        conditions = [condition for rule in self.rules_ for condition in rule.conditions]
        self.complexity_ = Complexity(len(self.rules_), len(conditions), len(set(conditions)))
        self.n_iter_ = int(content["training"]["epochs"])
        self.loss_curve_ = model.losses
        self.notes_ = [in_python(note) for note in content["training"]["notes"]]
        if content["training"]["stopped_early"]:
            self.notes_.append("training stopped at the time limit with the best rules so far")
        self._model = model
        # Position in classes_ of each class of the model, which sorts them differently.
        position = {name: index for index, name in enumerate(label_of)}
        self._positions = np.array([position[name] for name in model.classes], dtype=np.int64)
        self._categorical = mask
        spelled = {
            feature.name: booleans_of(
                label.name for label in feature.labels if label.kind == "category"
            )
            for feature in self.partition_
            if feature.categorical
        }
        self._booleans = {name: pair for name, pair in spelled.items() if pair is not None}

    # ---- Prediction ------------------------------------------------------------------------------

    def _columns(self, X: Any, names: set[str] | None = None) -> tuple[list[_core.Column], int]:
        """The columns of these names (None: those that the rules read), and the number of rows."""
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
        """The same for a model from a file, which knows only the features and finds them by
        name."""
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
        if labels.dtype in (np.int64, np.float64):  # the library writes them directly
            self._model.predict(columns, labels.view(np.int64), out, thread_count(self.n_jobs))
            return out.view(labels.dtype)
        numbers = np.arange(len(labels), dtype=np.int64)
        self._model.predict(columns, numbers, out, thread_count(self.n_jobs))
        return np.take(labels, out)  # faster than labels[out]

    @of_one_fit
    def apply(self, X: Any) -> NDArray[np.int64]:
        """Index in `rules_` of the rule that decides each row; -1 is ELSE.

        Examples
        --------
        >>> from frr import FRRClassifier
        >>> X = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]] * 4
        >>> y = ["low", "low", "low", "high", "high", "high"] * 4
        >>> model = FRRClassifier().fit(X, y)
        >>> for index in model.apply([[0.0], [10.0]]):
        ...     print("ELSE" if index < 0 else model.rules_[index].prediction)
        low
        high
        """
        columns, rows = self._columns(X)
        numbers = np.empty(rows, np.int64)
        self._model.apply(columns, numbers, thread_count(self.n_jobs))
        numbers -= 1
        return numbers

    @of_one_fit
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probability of each class, an array of shape (n_samples, n_classes).

        It is the fraction of the class among the training rows that the deciding rule decides,
        after one row with the class proportions of all training rows is added. With additive
        semantics, the probabilities are the softmax of the scores.

        `predict` returns the class with the highest probability, the first of equals, unless there
        are costs or a threshold. These, and class weights, do not affect the probabilities.

        Examples
        --------
        >>> from frr import FRRClassifier
        >>> X = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]] * 4
        >>> y = ["low", "low", "low", "high", "high", "high"] * 4
        >>> model = FRRClassifier().fit(X, y)
        >>> model.classes_.tolist()
        ['high', 'low']
        >>> high, low = model.predict_proba([[1.0]])[0]
        >>> bool(low > high)
        True
        """
        columns, rows = self._columns(X)
        shares = np.empty((rows, len(self.classes_)))
        self._model.predict_proba(columns, self._positions, shares, thread_count(self.n_jobs))
        return shares

    @of_one_fit
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Score of each class: the logarithm of its probability, up to a constant.

        With two classes, the score of the second minus that of the first, which is the log-odds.
        The predicted class always has the highest score: costs and thresholds shift the scores, and
        of equal scores, that of the predicted class is raised by the smallest possible step.

        Examples
        --------
        >>> from frr import FRRClassifier
        >>> X = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]] * 4
        >>> y = ["low", "low", "low", "high", "high", "high"] * 4
        >>> model = FRRClassifier().fit(X, y)  # the second class is "low"
        >>> (model.decision_function([[0.0], [10.0]]) > 0).tolist()
        [True, False]
        """
        columns, rows = self._columns(X)
        scores = np.empty((rows, len(self.classes_)))
        self._model.decision_scores(columns, scores, thread_count(self.n_jobs))
        ordered = np.empty_like(scores)
        ordered[:, self._positions] = scores
        return ordered if len(self.classes_) > 2 else ordered[:, 1] - ordered[:, 0]

    @of_one_fit
    def referred(self, X: Any) -> NDArray[np.bool_]:
        """Whether each row is referred to a person; see the parameter `refer`.

        Examples
        --------
        >>> from frr import FRRClassifier
        >>> X = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]] * 4
        >>> y = ["low", "low", "low", "high", "high", "high"] * 4
        >>> model = FRRClassifier(refer=0.9).fit(X, y)
        >>> model.referred([[1.0], [9.0]]).shape
        (2,)
        >>> bool(model.decide(refer=0).referred(X).any())
        False
        """
        columns, rows = self._columns(X)
        referred = np.empty(rows, np.bool_)
        self._model.referred(columns, referred, thread_count(self.n_jobs))
        return referred

    @of_one_fit
    def decide(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        *,
        positive: Any = UNCHANGED,
        costs: Any = UNCHANGED,
        threshold: Any = UNCHANGED,
        sensitivity: Any = UNCHANGED,
        specificity: Any = UNCHANGED,
        refer: Any = UNCHANGED,
    ) -> Self:
        """A fitted copy with the same rules and probabilities, and other decisions.

        This estimator does not change. Parameters that are not given are those of this estimator,
        except that `costs`, `threshold`, `sensitivity` and `specificity` replace each other; None
        removes them. `get_params` of the copy returns the new parameters, so that fitting it again
        keeps them.

        Parameters
        ----------
        X, y, sample_weight : array-like, default=None
            For `sensitivity` and `specificity`: the rows on which the threshold is chosen. With the
            training rows, predictions are made out of fold, by training again.
        positive, costs, threshold, sensitivity, specificity, refer
            As in the constructor.

        Returns
        -------
        FRRClassifier
            The copy.

        Examples
        --------
        >>> from frr import FRRClassifier
        >>> X = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]] * 4
        >>> y = ["well", "well", "ill", "ill", "ill", "ill"] * 4
        >>> model = FRRClassifier(max_rules=1).fit(X, y)
        >>> careful = model.decide(positive="ill", costs={"miss": 1000})
        >>> careful.predict(X).tolist().count("ill")
        24
        >>> bool((careful.predict_proba(X) == model.predict_proba(X)).all())
        True
        """
        check_is_fitted(self)
        given = {
            "positive": positive,
            "costs": costs,
            "threshold": threshold,
            "sensitivity": sensitivity,
            "specificity": specificity,
            "refer": refer,
        }
        given = {name: value for name, value in given.items() if value is not UNCHANGED}
        chosen = any(name in given for name in CHOICES)
        parameters = {name: getattr(self, name) for name in DECISIONS if name not in CHOICES}
        parameters |= dict.fromkeys(CHOICES)
        parameters |= given
        names = np.empty(len(self.classes_), dtype=object)
        names[self._positions] = self._model.classes
        policy = policy_parts(parameters, self.classes_.tolist(), names.tolist())
        model = self._changed_model(policy, not chosen, X, y, sample_weight)
        changed = object.__new__(type(self))
        changed.__dict__ = vars(self).copy()
        changed.__dict__.update(parameters if chosen else given)
        changed._set_model(model, self.classes_, self._categorical, names.tolist())
        changed.notes_ = self.notes_ + [note for note in changed.notes_ if note not in self.notes_]
        return changed

    def _changed_model(
        self, policy: _core.Policy, keep: bool, X: Any, y: Any, sample_weight: Any
    ) -> _core.Model:
        sensitivity, specificity = policy[4:6]
        try:
            if sensitivity is None and specificity is None:
                return self._model.decide(policy, keep)
            if X is None or y is None:
                name = "specificity" if sensitivity is None else "sensitivity"
                raise ValueError(
                    f"decide needs X and y to choose a threshold for {name}; pass rows that the "
                    "model has not learned from"
                )
            columns, rows = self._columns(X, self._feature_names(X))
            columns.append(target_column(self, self._model, y, rows))
            weights = None
            if sample_weight is not None:
                weights = _row_weights(sample_weight, rows)
            return self._model.choose(columns, rows, weights, policy, thread_count(self.n_jobs))
        except ValueError as error:
            raise ValueError(in_python(str(error))) from error

    def _feature_names(self, X: Any) -> set[str]:
        """The features that X has; a model from a file does not need those that no rule reads."""
        names = [feature.name for feature in self.partition_]
        if self._categorical is not None:
            return set(names)
        return {
            *self._model.used_features,
            *set(names).intersection(read_frame(self, X, names).names),
        }

    @of_one_fit
    def explain(self, X: Any) -> list[Explanation]:
        """Explain each prediction: the deciding rule, the runner-up, and changes to the row that
        would change the class.

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
        predicted, rule, _, shares, winner, runner_up, margin, changes, complete = why[:9]
        referred, scores, applied = why[9:]
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
            referred=referred,
            scores=dict(zip(labels, scores, strict=True)) if scores else {},
            rules=tuple(entry for entry in map(truth, applied) if entry is not None),
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
        """Write a page that explains the rules: one HTML file, as `frr report` writes it.

        It shows the rules, the meaning of their labels, the rows of X, and a case whose values can
        be changed to see the prediction. It needs no network.

        Parameters
        ----------
        X : array-like, pandas or polars DataFrame of shape (n_samples, n_features)
            Rows that the page shows.
        y : array-like of shape (n_samples,), default=None
            Their classes, if known; the page then states the accuracy of the rules.
        path : str or path-like, default=None
            File to write; an existing one is replaced atomically. If None, the page is returned.
        name : str, default=""
            Name of the data, which the page shows.
        show : DataFrame or dict of array-likes, default=None
            Additional columns to show with the rows, such as names or case numbers.
        cv : int, None or "auto", default="auto"
            Number of folds of the cross-validation whose accuracy the page shows; None for none.
            "auto" is 5 if X and y are the training data and have at most 1,000,000 values.

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
        """The rules and the meaning of their labels, as the program prints them.

        Examples
        --------
        >>> from frr import FRRClassifier
        >>> X = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]] * 4
        >>> y = ["low", "low", "low", "high", "high", "high"] * 4
        >>> "ELSE" in FRRClassifier().fit(X, y).to_text()
        True
        """
        check_is_fitted(self)
        return self._model.to_text()

    def to_markdown(self) -> str:
        """The rules as Markdown.

        Examples
        --------
        >>> from frr import FRRClassifier
        >>> X = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]] * 4
        >>> y = ["low", "low", "low", "high", "high", "high"] * 4
        >>> "| IF |" in FRRClassifier().fit(X, y).to_markdown()
        True
        """
        check_is_fitted(self)
        return self._model.to_markdown()

    @of_one_fit
    def to_frame(self) -> pandas.DataFrame:
        """The rules as a pandas DataFrame, one rule per row; the last row is ELSE. A scorecard has
        the additional column points.

        Examples
        --------
        >>> from frr import FRRClassifier
        >>> X = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]] * 4
        >>> y = ["low", "low", "low", "high", "high", "high"] * 4
        >>> table = FRRClassifier().fit(X, y).to_frame()
        >>> str(table["rule"].iloc[-1]).startswith("ELSE")
        True
        """
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
                    "lift": rule.lift,
                    **({"points": rule.points} if self.rules_.nats_per_point else {}),
                    "conditions": len(rule.conditions),
                    "rule": str(rule),
                }
                for rule in (*self.rules_, self.rules_.otherwise)
            ]
        )

    def to_json(self) -> str:
        """The model in the format of `save`.

        Examples
        --------
        >>> from frr import FRRClassifier
        >>> X = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]] * 4
        >>> y = ["low", "low", "low", "high", "high", "high"] * 4
        >>> import json
        >>> json.loads(FRRClassifier().fit(X, y).to_json())["classes"]
        ['high', 'low']
        """
        check_is_fitted(self)
        return self._model.to_json()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, which `load` and the program read.

        Examples
        --------
        >>> import os, tempfile
        >>> from frr import FRRClassifier
        >>> X = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]] * 4
        >>> y = ["low", "low", "low", "high", "high", "high"] * 4
        >>> path = os.path.join(tempfile.mkdtemp(), "model.json")
        >>> FRRClassifier().fit(X, y).save(path)
        >>> FRRClassifier.load(path).predict([[1.0]]).tolist()
        ['low']
        """
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
        """Export the model to another engine, in which it makes the same predictions.

        Parameters
        ----------
        format : str
            "sql", "pmml", "onnx", "c", "python" or "javascript"; or, as a table for documents,
            "markdown", "latex" or "html".
        path : str or path-like, default=None
            File to write; an existing one is replaced atomically. If None, the content is returned.
        name : str, default=""
            c, python, javascript: name of the function, "decide" by default; sql: name of the view,
            "decisions" by default.
        dialect : str, default=""
            sql: "duckdb" (the default), "postgresql", "spark" or "sqlite".
        table : str, default=""
            sql: name of the table to read, "data" by default.
        as_ : str, default=""
            sql: "select" (the default), or "view" to create a view.
        prefix : str, default=""
            sql: prefix of the names of the columns that are added, such as prediction.
        float32 : bool, default=False
            onnx: inputs are 32-bit floats.
        rule_set : bool, default=False
            pmml: write a RuleSetModel instead of a TreeModel.

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
        """Read a fitted estimator from a file that `save` or the program wrote.

        The model finds its columns by name: a DataFrame must contain them and may contain others.
        An array needs as many columns as the model has features, in their order; if the features
        are called x0, x1, ..., it needs the columns of these numbers. Class names that are whole
        numbers become numbers, as pandas would read them. `save` shows an example.
        """
        model = _core.from_json(Path(path).read_text(encoding="utf-8"), os.fspath(path))
        content = json.loads(model.to_json())
        estimator = cls(**parameters_of(dict(content["training"]["settings"])))
        classes = _classes_of(model.classes)
        label_of = dict(zip(_class_names(classes), classes.tolist(), strict=True))
        estimator.set_params(**decisions_of(content, label_of))
        estimator._set_model(model, classes, None)
        names = [feature.name for feature in estimator.partition_]
        estimator.n_features_in_ = len(names)
        estimator.feature_names_in_ = np.array(names, dtype=object)
        return estimator


def _row_weights(sample_weight: ArrayLike, rows: int) -> NDArray[np.float64]:
    weights: NDArray[np.float64] = _check_sample_weight(
        sample_weight,
        np.empty((rows, 1)),
        dtype=np.float64,
        ensure_non_negative=True,
        copy=True,
    )
    return weights


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
        raise ValueError("a class label in y is an empty string; give it a name")
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
