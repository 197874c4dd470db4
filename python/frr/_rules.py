"""A rule base and its explanations as typed objects."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, overload

Kind = Literal["range", "category", "missing"]


@dataclass(frozen=True)
class Label:
    """A label that conditions use, such as "high".

    Attributes
    ----------
    name : str
    kind : {"range", "category", "missing"}
    shape : tuple of 4 floats or None
        The trapezoid (a, b, c, d) of a range: membership is 0 up to a, rises to 1 at b, is 1 up to
        c, and falls to 0 at d. An open end is infinite.
    """

    name: str
    kind: Kind
    shape: tuple[float, float, float, float] | None = None


@dataclass(frozen=True)
class Feature:
    """A column with its labels.

    Attributes
    ----------
    name : str
    categorical : bool
    labels : tuple of Label
    range : tuple of 2 floats or None
        Minimum and maximum of a numeric feature in the training rows.
    """

    name: str
    categorical: bool
    labels: tuple[Label, ...]
    range: tuple[float, float] | None = None


class Partition(Sequence[Feature]):
    """The features that have labels, by position or by name."""

    def __init__(self, features: Sequence[Feature]) -> None:
        self._features = tuple(features)
        self._index = {feature.name: index for index, feature in enumerate(self._features)}

    @overload
    def __getitem__(self, index: int | str) -> Feature: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Feature, ...]: ...
    def __getitem__(self, index: int | str | slice) -> Feature | tuple[Feature, ...]:
        if isinstance(index, str):
            if index not in self._index:
                names = ", ".join(map(repr, list(self._index)[:20]))
                raise KeyError(f"no feature {index!r} has labels; the features are {names}")
            return self._features[self._index[index]]
        return self._features[index]

    def __len__(self) -> int:
        return len(self._features)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partition) and self._features == other._features

    def __hash__(self) -> int:
        return hash(self._features)

    def __repr__(self) -> str:
        lines = []
        for feature in self._features:
            names = ", ".join(label.name for label in feature.labels)
            lines.append(f"{feature.name}: {names}")
        return "\n".join(lines)


@dataclass(frozen=True, repr=False)
class Condition:
    """A condition of a rule, such as "glucose IS high"."""

    feature: str
    label: str
    kind: Kind
    shape: tuple[float, float, float, float] | None = None

    def __str__(self) -> str:
        return f"{self.feature} IS {self.label}"

    def __repr__(self) -> str:
        return f"<{self}>"


@dataclass(frozen=True, repr=False)
class Rule:
    """A rule.

    Attributes
    ----------
    conditions : tuple of Condition
        Empty for ELSE.
    prediction : class label
    weight : float
        The rule with the largest weight times truth decides; weights are in (0, 1]. With additive
        semantics, weight times truth is added to the score of the class, in nats. 0 for ELSE,
        which decides if no rule applies.
    support : float
        Number of training rows that the rule decides. With additive semantics, number of rows on
        which its truth is at least 1/2, or for ELSE, to which no rule applies. Rows count with
        their sample weights, scaled so that the mean weight is 1.
    coverage : float
        Number of training rows on which its truth is above 0.
    confidence : float
        Fraction of its class among the rows of `support`; NaN if there are none.
    class_support : dict
        The rows of `support`, by class.
    probabilities : dict
        Probability of each class: its fraction in the rows of `support`, after one row with the
        class proportions of all training rows is added. With additive semantics, those of ELSE
        follow from the biases.
    lift : float
        Probability of `prediction` divided by its fraction among all training rows; NaN if the
        model has no counts.
    points : int or None
        Points in a scorecard: above 0 for the positive class. None if the model has no points.
    """

    conditions: tuple[Condition, ...]
    prediction: Any
    weight: float
    support: float
    coverage: float
    confidence: float = field(compare=False)  # follows from class_support; NaN differs from NaN
    class_support: Mapping[Any, float] = field(hash=False)
    probabilities: Mapping[Any, float] = field(hash=False, default_factory=dict)
    lift: float = field(compare=False, default=math.nan)
    points: int | None = None

    @property
    def is_else(self) -> bool:
        """Whether this is ELSE, which decides if no rule applies."""
        return not self.conditions

    def __str__(self) -> str:
        if self.is_else:
            return f"ELSE {self.prediction}"
        return f"IF {' AND '.join(map(str, self.conditions))} THEN {self.prediction}"

    def __repr__(self) -> str:
        return f"<{self}>"


class RuleList(Sequence[Rule]):
    """The rules in reading order. Prints as a table, in notebooks as HTML.

    Attributes
    ----------
    otherwise : Rule
        ELSE, which decides if no rule applies.
    target : str
        Name of the target.
    base_rates : dict
        Fraction of each class in the training rows.
    biases : dict
        Additive semantics: the score of each class before the scores of its rules are added.
        Otherwise empty.
    nats_per_point : float or None
        Of a scorecard: what a point adds to the log-odds of the positive class.
    """

    def __init__(
        self,
        rules: Sequence[Rule],
        otherwise: Rule,
        target: str,
        base_rates: Mapping[Any, float] | None = None,
        biases: Mapping[Any, float] | None = None,
        nats_per_point: float | None = None,
    ) -> None:
        self._rules = tuple(rules)
        self.otherwise = otherwise
        self.target = target
        self.base_rates = dict(base_rates or {})
        self.biases = dict(biases or {})
        self.nats_per_point = nats_per_point

    @overload
    def __getitem__(self, index: int) -> Rule: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Rule, ...]: ...
    def __getitem__(self, index: int | slice) -> Rule | tuple[Rule, ...]:
        return self._rules[index]

    def __len__(self) -> int:
        return len(self._rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RuleList)
            and self._rules == other._rules
            and self.otherwise == other.otherwise
            and self.biases == other.biases
        )

    def __hash__(self) -> int:
        return hash((self._rules, self.otherwise))

    def _heads(self) -> tuple[str, ...]:
        strength = "weight" if self.nats_per_point is None else "points"
        return ("", "rule", strength, "support", "right", "lift")

    def _cells(self) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = []
        for number, rule in enumerate((*self._rules, self.otherwise), 1):
            strength = f"{rule.weight:.2g}" if rule.points is None else f"{rule.points:+d}"
            rows.append(
                (
                    "" if rule.is_else else str(number),
                    str(rule).replace("\n", " "),
                    "" if rule.is_else else strength,
                    _count(rule.support),
                    "" if rule.support == 0 else f"{100 * rule.confidence:.0f}%",
                    "" if math.isnan(rule.lift) else f"{rule.lift:.1f}",
                )
            )
        return rows

    def _bias_text(self) -> str:
        return ", ".join(f"{label} {bias:.3g}" for label, bias in self.biases.items())

    def __str__(self) -> str:
        rows = [self._heads(), *self._cells()]
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        lines = []
        for number, rule, *figures in rows:
            cells = [number.rjust(widths[0]), rule.ljust(widths[1])]
            cells += [cell.rjust(width) for cell, width in zip(figures, widths[2:], strict=True)]
            lines.append("  ".join(cells).rstrip())
        if self.biases:
            lines.append(f"biases: {self._bias_text()}")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        heads = self._heads()
        sides = ("right", "left", *["right"] * (len(heads) - 2))

        def row(tag: str, cells: Sequence[str]) -> str:
            parts = [
                f'<{tag} style="text-align:{side}">{html.escape(cell)}</{tag}>'
                for cell, side in zip(cells, sides, strict=True)
            ]
            return f"<tr>{''.join(parts)}</tr>"

        body = "".join(row("td", cells) for cells in self._cells())
        biases = f"; biases: {self._bias_text()}" if self.biases else ""
        caption = f"predicts {self.target}{biases}"
        return (
            f"<table><caption>{html.escape(caption)}</caption>"
            f"<thead>{row('th', heads)}</thead><tbody>{body}</tbody></table>"
        )


def _count(rows: float) -> str:
    return f"{rows:.0f}" if rows == int(rows) else f"{rows:.1f}"


@dataclass(frozen=True)
class Complexity:
    """The numbers of rules, of conditions in all rules, and of distinct conditions."""

    rules: int
    conditions: int
    unique_conditions: int


# ---- Explanations --------------------------------------------------------------------------------


@dataclass(frozen=True)
class ConditionTruth:
    """The membership degree of a condition on a row. `value` is None if it is missing."""

    feature: str
    label: str
    membership: float
    value: float | str | None

    def __str__(self) -> str:
        if self.value is None:
            return f"{self.feature} is missing"
        value = _shown(self.value)
        if value == self.label and self.membership == 1:
            return f"{self.feature} = {value}"
        return f"{self.feature} = {value} is {self.label} to {100 * self.membership:.0f} %"


@dataclass(frozen=True)
class RuleTruth:
    """A rule on one row: its truth, its score (weight times truth) and its conditions. `rule` is
    its index in `rules_`."""

    rule: int
    prediction: Any
    truth: float
    score: float
    conditions: tuple[ConditionTruth, ...]


@dataclass(frozen=True)
class Change:
    """A change of one feature, all others being equal, that changes the class of a row.

    Attributes
    ----------
    feature : str
    value, new_value : float (a number), str (a category) or None (missing)
        The value in the row, and the nearest one that changes the class.
    distance : float
        For numbers, in units of the spread of the feature (5th to 95th percentile); 1 for
        categories.
    prediction : class label after the change
    rule : int or None
        Index of the rule that decides after the change; None is ELSE.
    """

    feature: str
    value: float | str | None
    new_value: float | str | None
    distance: float
    prediction: Any
    rule: int | None


@dataclass(frozen=True, repr=False)
class Explanation:
    """The explanation of a prediction.

    Attributes
    ----------
    prediction : class label
    rule : int or None
        Index in `rules_` of the rule that decided; None is ELSE.
    probabilities : dict
        Probabilities by class.
    winner, runner_up : RuleTruth or None
        The rule that decided, and the strongest rule of another class whose truth is above 0. With
        additive semantics, the winner is the strongest rule of the predicted class.
    margin : float
        Score of the winner minus that of the runner-up. With additive semantics, the score of the
        predicted class minus the largest of the others.
    changes : tuple of Change
        Changes of single features that would change the class, nearest first.
    changes_complete : bool
        False if the model is so large that the search for changes was stopped.
    referred : bool
        Whether the row is referred to a person.
    scores : dict
        Additive semantics: the score of each class, its bias plus the scores of its rules.
        Otherwise empty.
    rules : tuple of RuleTruth
        All rules whose truth is above 0.
    """

    prediction: Any
    rule: int | None
    probabilities: Mapping[Any, float] = field(hash=False)
    winner: RuleTruth | None
    runner_up: RuleTruth | None
    margin: float
    changes: tuple[Change, ...]
    changes_complete: bool = True
    referred: bool = False
    scores: Mapping[Any, float] = field(hash=False, default_factory=dict)
    rules: tuple[RuleTruth, ...] = ()

    @property
    def counterfactual(self) -> Change | None:
        """The nearest change that would change the class."""
        return self.changes[0] if self.changes else None

    def __str__(self) -> str:
        share = self.probabilities[self.prediction]
        lines = [f"{self.prediction} (probability {share:.3f})"]
        if self.referred:
            lines.append("  referred to a person")
        lines += self._sums() if self.scores else self._decision()
        if not self.changes_complete:
            lines.append("  the model is too large to search all changes")
        elif not self.changes:
            lines.append("  no change of one column alone would change it")
        lines += [
            f"  would be {change.prediction} if {change.feature} were {_shown(change.new_value)}"
            f" instead of {_shown(change.value)}"
            for change in self.changes
        ]
        return "\n".join(lines)

    __repr__ = __str__

    def _decision(self) -> list[str]:
        lines = []
        if self.winner is None:
            lines.append("  no rule is true of this row: ELSE decides")
        for title, truth in (("decided by rule", self.winner), ("runner-up: rule", self.runner_up)):
            if truth is not None:
                lines.append(
                    f"  {title} {truth.rule + 1} THEN {truth.prediction}, score {truth.score:.3f}"
                )
                lines += [f"    {part}" for part in truth.conditions]
        return lines

    def _sums(self) -> list[str]:
        lines = []
        for label, score in self.scores.items():
            rules = [truth for truth in self.rules if truth.prediction == label]
            bias = score - sum(truth.score for truth in rules)
            lines.append(f"  {label}: bias {bias:.3f}, score {score:.3f}")
            for truth in rules:
                parts = ", ".join(map(str, truth.conditions))
                lines.append(f"    rule {truth.rule + 1}: {truth.score:+.3f} ({parts})")
        return lines


def _shown(value: float | str | None) -> str:
    if value is None:
        return "missing"
    return value if isinstance(value, str) else f"{value:.12g}"


# ---- Reading model files -------------------------------------------------------------------------


def _border(value: float | None, open_end: float) -> float:
    return open_end if value is None else float(value)


def read_partition(model: Mapping[str, Any]) -> Partition:
    """The features of a model.json."""
    infinity = float("inf")
    features = []
    for name, entry in model["features"].items():
        labels: list[Label] = []
        for label, (a, b, c, d) in entry.get("labels", {}).items():
            shape = (_border(a, -infinity), _border(b, -infinity),
                     _border(c, infinity), _border(d, infinity))  # fmt: skip
            labels.append(Label(label, "range", shape))
        labels += [Label(category, "category") for category in entry.get("categories", ())]
        if "missing" in entry:
            labels.append(Label(entry["missing"], "missing"))
        limits = entry.get("range")
        features.append(
            Feature(
                name,
                entry["type"] == "categorical",
                tuple(labels),
                None if limits is None else (float(limits[0]), float(limits[1])),
            )
        )
    return Partition(features)


def read_rules(
    model: Mapping[str, Any],
    features: Sequence[Feature],
    classes: Mapping[str, Any],
    base_rates: Mapping[str, float],
) -> RuleList:
    """The rules of a model.json; `classes` maps its names to class labels. `base_rates`: the
    fraction of each class, in the order of the model."""
    label_of = {(f.name, label.name): label for f in features for label in f.labels}
    semantics = model.get("inference", {}).get("semantics", "sufficient")
    additive = semantics == "additive"
    scale = model.get("nats_per_point")
    biases = {name: float(model.get("biases", {}).get(name, 0)) for name in base_rates}
    key = "true_for" if additive else "decides"
    entries = [*model["rules"], model["else"]]
    counted = bool(model.get("class_rows")) or any(entry.get(key) for entry in entries)

    def probabilities(entry: Mapping[str, Any], rows: Mapping[str, float]) -> dict[str, float]:
        if additive and "if" not in entry:
            return _softmax(biases)
        support = sum(rows.values())
        return {
            name: (rows.get(name, 0) + rate) / (support + 1) for name, rate in base_rates.items()
        }

    def rule(entry: Mapping[str, Any]) -> Rule:
        conditions = []
        for feature, name in entry.get("if", {}).items():
            label = label_of[feature, name]
            conditions.append(Condition(feature, name, label.kind, label.shape))
        then, rows = entry["then"], entry.get(key, {})
        support = sum(rows.values())
        shares, rate = probabilities(entry, rows), base_rates[then]
        return Rule(
            conditions=tuple(conditions),
            prediction=classes[then],
            weight=float(entry.get("weight", 0)),
            support=_whole(support),
            coverage=_whole(entry.get("covers", 0)),
            confidence=rows.get(then, 0) / support if support else math.nan,
            class_support={classes[name]: _whole(count) for name, count in rows.items()},
            probabilities={classes[name]: share for name, share in shares.items()},
            lift=shares[then] / rate if counted and rate else math.nan,
            points=None if scale is None else int(entry.get("points", 0)),
        )

    *rules, otherwise = map(rule, entries)
    return RuleList(
        rules,
        otherwise,
        model["target"],
        {classes[name]: rate for name, rate in base_rates.items()},
        {classes[name]: bias for name, bias in biases.items()} if additive else None,
        scale,
    )


def _whole(count: float) -> float:
    return int(count) if count == int(count) else float(count)


def _softmax(scores: Mapping[str, float]) -> dict[str, float]:
    most = max(scores.values())
    powers = {name: math.exp(score - most) for name, score in scores.items()}
    total = sum(powers.values())
    return {name: power / total for name, power in powers.items()}
