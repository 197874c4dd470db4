"""Plots of rules and trainings. They need matplotlib, draw on `ax` (or a new one) and return it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from ._rules import Feature, Rule

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._classifier import FRRClassifier


def _axes(ax: Axes | None, width: float, height: float) -> Axes:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install matplotlib") from error
    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def _feature(estimator: Any, feature: str | int) -> Feature:
    check_is_fitted(estimator)
    features: Sequence[Feature] = estimator.partition_
    if isinstance(feature, str):
        for own in features:
            if own.name == feature:
                return own
    elif 0 <= feature < len(features):
        return features[feature]
    raise ValueError(
        f"there is no feature {feature!r} with labels; there are "
        + ", ".join(repr(own.name) for own in features[:20])
    )


def plot_partition(
    estimator: FRRClassifier | Any, feature: str | int = 0, *, ax: Axes | None = None
) -> Axes:
    """The labels of a feature: membership against its values.

    Parameters
    ----------
    estimator : fitted FRRClassifier or FuzzyTransformer
    feature : str or int, default=0
        Its name, or its index in `partition_`.
    ax : matplotlib Axes, default=None
    """
    own = _feature(estimator, feature)
    ax = _axes(ax, 6, 3)
    if own.categorical or own.range is None:
        names = [label.name for label in own.labels]
        ax.bar(names, [1.0] * len(names))
    else:
        low, high = own.range
        room = 0.05 * (high - low) or 1.0
        for label in own.labels:
            if label.shape is None:
                continue
            a, b, c, d = label.shape
            left, right = low - room, high + room
            x = [max(a, left), max(b, left), min(c, right), min(d, right)]
            y = [1.0 if math.isinf(b) else 0.0, 1.0, 1.0, 1.0 if math.isinf(c) else 0.0]
            ax.plot(x, y, label=label.name)
            ax.fill_between(x, y, alpha=0.15)
        ax.legend()
    ax.set_xlabel(own.name)
    ax.set_ylabel("membership")
    ax.set_ylim(0, 1.05)
    return ax


def plot_rules(estimator: FRRClassifier, *, ax: Axes | None = None) -> Axes:
    """Support of each rule, split in rows of its class and of others, and its weight."""
    check_is_fitted(estimator)
    rules: list[Rule] = [*estimator.rules_, estimator.rules_.otherwise]
    ax = _axes(ax, 8, 0.6 + 0.4 * len(rules))
    support = np.array([rule.support for rule in rules], dtype=float)
    right = np.array([rule.class_support.get(rule.prediction, 0) for rule in rules], dtype=float)
    places = np.arange(len(rules))
    ax.barh(places, right, label="of its class")
    ax.barh(places, support - right, left=right, label="of other classes")
    for place, rule in enumerate(rules):
        note = "" if rule.is_else else f" weight {rule.weight:.2g}"
        ax.text(rule.support, place, note, va="center", fontsize="small")
    ax.set_yticks(places, [str(rule) for rule in rules], fontsize="small")
    ax.invert_yaxis()
    ax.set_xlabel("training rows that the rule decides")
    ax.legend()
    return ax


def plot_training(estimator: FRRClassifier, *, ax: Axes | None = None) -> Axes:
    """Mean loss of each epoch of gradient descent."""
    check_is_fitted(estimator)
    if not estimator.loss_curve_:
        raise ValueError("there is no loss to plot: fit has run no gradient descent here")
    ax = _axes(ax, 6, 3)
    ax.plot(range(1, len(estimator.loss_curve_) + 1), estimator.loss_curve_)
    ax.set_xlabel("epoch")
    ax.set_ylabel("mean loss")
    return ax


def plot_path(
    estimator: FRRClassifier,
    X: Any,
    y: Any,
    *,
    budgets: Sequence[int] | None = None,
    cv: Any = 5,
    scoring: Any = None,
    n_jobs: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Score against the budget: cross-validated with at most 1, 2, ... `max_rules` rules.

    The band is the standard error. The dotted line is the one-standard-error rule: the smallest
    budget above it is as good as the best, as far as can be told.

    Parameters
    ----------
    estimator : FRRClassifier
        Its parameters are used; it is not fitted here.
    X, y : data to cross-validate on
    budgets : sequence of int, default=None
        Values of max_rules; None: 1, 2, ... up to that of the estimator.
    cv, scoring, n_jobs : as in cross_val_score
    ax : matplotlib Axes, default=None
    """
    from sklearn.model_selection import cross_val_score

    counts = list(budgets) if budgets is not None else list(range(1, estimator.max_rules + 1))
    scores = np.array(
        [
            cross_val_score(
                clone(estimator).set_params(max_rules=count),
                X,
                y,
                cv=cv,
                scoring=scoring,
                n_jobs=n_jobs,
            )
            for count in counts
        ]
    )
    means = scores.mean(axis=1)
    errors = scores.std(axis=1, ddof=1) / math.sqrt(scores.shape[1])
    ax = _axes(ax, 6, 4)
    ax.plot(counts, means, marker="o")
    ax.fill_between(counts, means - errors, means + errors, alpha=0.2)
    best = int(means.argmax())
    ax.axhline(means[best] - errors[best], linestyle=":", color="gray")
    ax.set_xlabel("at most so many rules")
    ax.set_ylabel("score" if scoring is None else str(scoring))
    return ax
