"""Plots of rules and training. They need matplotlib, draw on `ax` (or new axes) and return it."""

from __future__ import annotations

import math
import textwrap
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
        for candidate in features:
            if candidate.name == feature:
                return candidate
    elif isinstance(feature, int | np.integer) and 0 <= feature < len(features):
        return features[feature]
    raise ValueError(
        f"there is no feature {feature!r} with labels; the features are "
        + ", ".join(repr(known.name) for known in features[:20])
    )


def plot_partition(
    estimator: FRRClassifier | Any, feature: str | int = 0, *, ax: Axes | None = None
) -> Axes:
    """Plot the labels of a feature: membership degree by value.

    Parameters
    ----------
    estimator : fitted FRRClassifier or FuzzyTransformer
    feature : str or int, default=0
        Name of the feature, or its index in `partition_`.
    ax : matplotlib Axes, default=None
    """
    shown = _feature(estimator, feature)
    if shown.categorical or shown.range is None:
        return _plot_categories(estimator, shown, ax)
    ax = _axes(ax, 6, 3)
    low, high = shown.range
    for number, label in enumerate(shown.labels):
        if label.shape is None:
            continue
        a, b, c, d = label.shape
        open_left, open_right = math.isinf(b), math.isinf(c)
        if open_left:
            a = b = min(low, c)
        if open_right:
            c = d = max(high, b)
        y = [float(open_left), 1.0, 1.0, float(open_right)]
        ax.plot([a, b, c, d], y, color=f"C{number}")
        ax.fill_between([a, b, c, d], y, alpha=0.15, color=f"C{number}")
        middle = (min(max(b, low), high) + min(max(c, low), high)) / 2
        ax.text(middle, 1.03, label.name, ha="center", color=f"C{number}")
    if any(label.kind == "missing" for label in shown.labels):
        ax.set_title("missing values have a separate label", fontsize="small", loc="right")
    ax.set_xlim(low, high)
    ax.set_ylim(0, 1.15)
    ax.set_xlabel(shown.name)
    ax.set_ylabel("membership")
    return ax


def _plot_categories(estimator: Any, feature: Feature, ax: Axes | None) -> Axes:
    """Categories have no shape, so this plots which ones the rules use."""
    names = [label.name for label in feature.labels]
    rows = dict.fromkeys(names, 0)
    for rule in getattr(estimator, "rules_", ()):
        for condition in rule.conditions:
            if condition.feature == feature.name:
                rows[condition.label] += rule.support
    ax = _axes(ax, 6, 1 + 0.3 * len(names))
    ax.barh(names, list(rows.values()))
    ax.invert_yaxis()
    ax.set_xlabel("training rows decided by rules that use it")
    ax.set_ylabel(feature.name)
    return ax


def plot_rules(estimator: FRRClassifier, *, ax: Axes | None = None) -> Axes:
    """Plot the support of each rule, divided into rows of its class (in colour) and of other
    classes, with its weight or points and its lift."""
    check_is_fitted(estimator)
    rules: list[Rule] = [*estimator.rules_, estimator.rules_.otherwise]
    ax = _axes(ax, 8, 0.8 + 0.55 * len(rules))
    support = np.array([rule.support for rule in rules], dtype=float)
    right = np.array([rule.class_support.get(rule.prediction, 0) for rule in rules], dtype=float)
    classes = estimator.classes_.tolist()
    colours = [f"C{classes.index(rule.prediction) % 10}" for rule in rules]
    places = np.arange(len(rules))
    ax.barh(places, right, color=colours)
    ax.barh(places, support - right, left=right, color="lightgray", label="of other classes")
    for place, rule in enumerate(rules):
        ax.text(rule.support, place, f" {_figures(rule)}", va="center", fontsize="small")
    texts = [textwrap.fill(str(rule), 50) for rule in rules]
    ax.set_yticks(places, texts, fontsize="small")
    ax.invert_yaxis()
    ax.margins(x=0.2)
    additive = bool(estimator.rules_.biases)
    rows = "on which the rule is true" if additive else "that the rule decides"
    ax.set_xlabel(f"training rows {rows} (gray: other classes)")
    return ax


def _figures(rule: Rule) -> str:
    parts = []
    if not rule.is_else:
        points = f"{rule.points:+d} points" if rule.points is not None else ""
        parts.append(points or f"weight {rule.weight:.2g}")
    if not math.isnan(rule.lift):
        parts.append(f"lift {rule.lift:.1f}")
    return ", ".join(parts)


def plot_training(estimator: FRRClassifier, *, ax: Axes | None = None) -> Axes:
    """Plot the mean loss of each epoch of gradient descent.

    During training, the choices of the network become gradually harder. The loss may therefore
    rise towards the end although the rules improve; only their accuracy matters.
    """
    check_is_fitted(estimator)
    if not estimator.loss_curve_:
        raise ValueError("there is no loss to plot, because fit did not run gradient descent")
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
    """Plot the cross-validated score with at most 1, 2, ... `max_rules` rules.

    The band is the standard error. The dotted line is one standard error below the best budget
    (star). The smallest budget above the line (triangle) is not measurably worse.

    Parameters
    ----------
    estimator : FRRClassifier
        Provides the parameters; it is not fitted.
    X, y : data for the cross-validation
    budgets : sequence of int, default=None
        Values of max_rules; None: 1, 2, ... up to the value of the estimator.
    cv, scoring, n_jobs : see cross_val_score
    ax : matplotlib Axes, default=None
    """
    from sklearn.model_selection import cross_val_score

    counts = list(budgets) if budgets is not None else list(range(1, estimator.max_rules + 1))
    if not counts:
        raise ValueError("budgets must not be empty: give values of max_rules")
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
    limit = means[best] - errors[best]
    recommended = int(np.argmax(means >= limit))
    ax.axhline(limit, linestyle=":", color="gray")
    ax.plot(counts[best], means[best], "*", markersize=14, color="C1", label="best")
    ax.plot(counts[recommended], means[recommended], ">", markersize=9, color="C2",
            label="smallest within one standard error")  # fmt: skip
    ax.legend()
    ax.set_xlabel("maximum number of rules")
    ax.set_ylabel("accuracy" if scoring is None else str(scoring))
    return ax
