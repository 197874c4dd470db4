"""Rules as objects, text and tables; explanations."""

import html
import itertools
import json
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from conftest import DATA, QUICK, mixed_table, read_csv, run
from frr import Complexity, Condition, FRRClassifier, Rule, RuleList
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.exceptions import NotFittedError

LOADERS = {"iris": load_iris, "wine": load_wine, "cancer": load_breast_cancer}


@pytest.fixture(scope="module", params=["sufficient", "additive"])
def fitted(request) -> tuple[FRRClassifier, pd.DataFrame, pd.Series]:
    X, y = mixed_table(150)
    return FRRClassifier(max_rules=5, semantics=request.param).fit(X, y), X, y


def membership(condition: Condition, value) -> float:
    """Computed by hand, following the documentation of Label."""
    missing = value is None or value != value
    if condition.kind == "missing":
        return float(missing)
    if missing:
        return 0.0
    if condition.kind == "category":
        return float(value == condition.label)
    a, b, c, d = condition.shape
    if b <= value <= c:
        return 1.0
    if value <= a or value >= d:
        return 0.0
    return (value - a) / (b - a) if value < b else (d - value) / (d - c)


def truth(rule: Rule, row: pd.Series) -> float:
    return math.prod(membership(c, row[c.feature]) for c in rule.conditions)


def test_predictions_follow_from_the_rules(fitted):
    """Predictions, recomputed from the displayed rules."""
    model, X, _y = fitted
    predicted, applied = model.predict(X), model.apply(X)
    ties = 0
    for i in range(len(X)):
        scores = [rule.weight * truth(rule, X.iloc[i]) for rule in model.rules_]
        if max(scores) < 1e-12:
            assert applied[i] == -1
            assert predicted[i] == model.rules_.otherwise.prediction
            continue
        if model.semantics == "additive":
            sums = dict(model.rules_.biases)
            for rule, score in zip(model.rules_, scores, strict=True):
                sums[rule.prediction] += score
            ranked = sorted(sums.values(), reverse=True)
            best = max(sums, key=sums.get)
        else:
            ranked = sorted(scores, reverse=True)
            best = model.rules_[int(np.argmax(scores))].prediction
        if len(ranked) > 1 and ranked[0] - ranked[1] < 1e-9:
            ties += 1
            continue
        assert predicted[i] == best
        if model.semantics == "sufficient":
            assert applied[i] == int(np.argmax(scores))
    assert ties < len(X) / 2


def test_statistics_of_rules_are_counts_of_rows(fitted):
    """Of the rows that a rule decides or, with additive semantics, on which its truth is 1/2."""
    model, X, y = fitted
    additive = model.semantics == "additive"
    applied = model.apply(X)
    truths = [[truth(rule, row) for _, row in X.iterrows()] for rule in model.rules_]
    for index, rule in enumerate(model.rules_):
        decided = y[np.array(truths[index]) >= 0.5] if additive else y[applied == index]
        assert rule.support == len(decided)
        counts = decided.value_counts().to_dict()
        assert {k: v for k, v in rule.class_support.items() if v} == counts
        assert rule.coverage == sum(degree > 0 for degree in truths[index])
        if rule.support:
            assert rule.confidence == counts.get(rule.prediction, 0) / len(decided)
        else:
            assert math.isnan(rule.confidence)
        assert 0 < rule.weight <= 1 or model.semantics == "additive"
        assert 1 <= len(rule.conditions) <= 3
        assert not rule.is_else
        shares = {
            label: (counts.get(label, 0) + (y == label).mean()) / (len(decided) + 1)
            for label in ("no", "yes")
        }
        assert rule.probabilities == pytest.approx(shares, rel=1e-12)
        rate = (y == rule.prediction).mean()
        assert rule.lift == pytest.approx(shares[rule.prediction] / rate, rel=1e-12)
    otherwise = model.rules_.otherwise
    assert otherwise.is_else
    assert otherwise.conditions == ()
    assert otherwise.support == int((np.max(truths, axis=0) == 0).sum())
    assert model.rules_.base_rates == pytest.approx(y.value_counts(normalize=True).to_dict())


def test_conditions_use_labels_of_the_partition(fitted):
    model, _, _ = fitted
    labels = {(f.name, v.name): v for f in model.partition_ for v in f.labels}
    for rule in model.rules_:
        for condition in rule.conditions:
            label = labels[condition.feature, condition.label]
            assert (condition.kind, condition.shape) == (label.kind, label.shape)
            assert str(condition) == f"{condition.feature} IS {condition.label}"


def test_partition(fitted):
    model, X, _ = fitted
    features = {feature.name: feature for feature in model.partition_}
    assert set(features) == {"age", "region", "weight"}
    assert features["region"].categorical
    assert not features["age"].categorical
    assert features["age"].range == (X["age"].min(), X["age"].max())
    assert features["region"].range is None
    kinds = {label.name: label.kind for label in features["region"].labels}
    assert kinds == {
        "north": "category", "south": "category", "west": "category", "missing": "missing",
    }  # fmt: skip
    ranges = [label for label in features["weight"].labels if label.kind == "range"]
    assert ranges[0].shape[:2] == (-math.inf, -math.inf)
    assert ranges[-1].shape[2:] == (math.inf, math.inf)
    for left, right in itertools.pairwise(ranges):
        assert left.shape[2:] == right.shape[:2]  # each rises where the previous one falls


def test_complexity(fitted):
    model, _, _ = fitted
    conditions = [str(c) for rule in model.rules_ for c in rule.conditions]
    assert model.complexity_ == Complexity(len(model.rules_), len(conditions), len(set(conditions)))


def test_rule_list_is_a_sequence(fitted):
    model, _, _ = fitted
    rules = model.rules_
    assert isinstance(rules, RuleList)
    assert rules[0] is list(rules)[0]  # noqa: RUF015
    assert rules[-1] is rules[len(rules) - 1]
    assert rules[:2] == tuple(rules)[:2]
    assert rules[0] in rules
    with pytest.raises(IndexError):
        rules[len(rules)]
    with pytest.raises(AttributeError):
        rules[0].weight = 2
    assert hash(rules) == hash(model.rules_)
    assert len({rules[0], rules[0]}) == 1
    assert rules.target == "admit"


def by_hand() -> RuleList:
    inf = math.inf
    high = Condition("a", "high", "range", (1.0, 2.0, inf, inf))
    north = Condition("b", "north", "category")
    return RuleList(
        [
            Rule(
                (high, north),
                "<yes> & no",
                0.512,
                10,
                12,
                0.9,
                {"<yes> & no": 9, "other": 1},
                lift=1.46,
            )
        ],
        Rule((), "other", 0.0, 0, 0, math.nan, {}),
        'the <"target">',
    )


def test_printed_table():
    assert str(by_hand()).splitlines() == [
        "   rule                                         weight  support  right  lift",
        "1  IF a IS high AND b IS north THEN <yes> & no    0.51       10    90%   1.5",
        "   ELSE other                                                 0",
    ]
    assert repr(by_hand()) == str(by_hand())


def test_html_is_escaped():
    page = by_hand()._repr_html_()
    assert "<yes>" not in page
    assert html.escape("THEN <yes> & no") in page
    assert "the <" not in page
    assert page.count("<tr>") == page.count("</tr>") == 3
    model = FRRClassifier(**QUICK).fit(
        pd.DataFrame({"<script>": [0.0, 1.0, 2.0, 3.0] * 5}), ["<i>", "<i>", "b", "b"] * 5
    )
    assert "<script>" not in model.rules_._repr_html_()
    assert "<i>" not in model.rules_._repr_html_()


def test_a_line_break_in_a_name_keeps_tables_intact():
    X = pd.DataFrame({"two\nlines": [0.0, 1.0, 2.0, 3.0] * 5})
    model = FRRClassifier(**QUICK).fit(X, [0, 0, 1, 1] * 5)
    assert len(str(model.rules_).splitlines()) == len(model.rules_) + 2


def test_equality_if_a_rule_decides_no_row():
    """Such a rule has no confidence, and NaN must not make equal rule bases differ."""
    assert by_hand() == by_hand()
    assert by_hand() == pickle.loads(pickle.dumps(by_hand()))
    assert hash(by_hand()) == hash(by_hand())


def test_frame(fitted):
    model, _, _ = fitted
    frame = model.to_frame()
    every = [*model.rules_, model.rules_.otherwise]
    assert frame["rule"].tolist() == [str(rule) for rule in every]
    assert frame["support"].tolist() == [rule.support for rule in every]
    assert frame["coverage"].tolist() == [rule.coverage for rule in every]
    assert frame["weight"].tolist() == [rule.weight for rule in every]
    assert frame["conditions"].tolist() == [len(rule.conditions) for rule in every]
    assert frame["prediction"].tolist() == [rule.prediction for rule in every]


def test_text_names_every_rule(fitted):
    model, _, _ = fitted
    text = " ".join(model.to_text().split())
    for rule in model.rules_:
        for condition in rule.conditions:
            assert condition.feature in text
        assert str(rule.prediction) in text
    assert model.to_markdown() != model.to_text()


@pytest.mark.parametrize("name", LOADERS)
@pytest.mark.parametrize("semantics", ["sufficient", "additive"])
def test_scores_probabilities_and_classes_agree(name, semantics):
    X, y = LOADERS[name](return_X_y=True)
    names = np.array(["z", "a", "m"])[y]  # sorted differently from their order of appearance
    model = FRRClassifier(**QUICK, semantics=semantics).fit(X, names)
    predicted, shares, scores = model.predict(X), model.predict_proba(X), model.decision_function(X)
    assert model.classes_.tolist() == sorted(set(names))
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert shares.min() >= 0
    np.testing.assert_array_equal(model.classes_[shares.argmax(axis=1)], predicted)
    if len(model.classes_) == 2:
        assert scores.shape == (len(X),)
        np.testing.assert_array_equal(model.classes_[(scores > 0).astype(int)], predicted)
    else:
        assert scores.shape == shares.shape
        np.testing.assert_array_equal(model.classes_[scores.argmax(axis=1)], predicted)
        ordered = np.sort(scores, axis=1)
        assert (
            ordered[:, -1] > ordered[:, -2]
        ).all()  # no tie, which argmax might break differently
    assert model.score(X, names) == (predicted == names).mean()


def test_training_is_described():
    X, y = load_wine(return_X_y=True, as_frame=True)
    model = FRRClassifier(augment=0, advanced={"epochs": 12}).fit(X.assign(same=1), y)
    assert model.n_iter_ == 12
    assert len(model.loss_curve_) == 12
    assert all(math.isfinite(loss) for loss in model.loss_curve_)
    assert model.loss_curve_[-1] < model.loss_curve_[0]
    assert len(model.notes_) == 1
    assert "'same'" in model.notes_[0]
    none = FRRClassifier(advanced={"gradient": False}, augment=0).fit(X, y)
    assert (none.n_iter_, none.loss_curve_, none.notes_) == (0, [], [])


def typed(feature: str, text: str | None) -> float | str | None:
    """A value as the program writes it; work and home are the categorical columns."""
    return text if text is None or feature in ("work", "home") else float(text)


def test_explanations_are_those_of_the_program(tmp_path):
    path = DATA / "loans.csv"
    X, y = read_csv(path)
    X.loc[5, "income"] = np.nan
    X.loc[6, "work"] = None
    X.assign(decision=y).to_csv(tmp_path / "rows.csv", index=False)
    model = FRRClassifier(max_rules=5).fit(X, y)
    model.save(tmp_path / "model.json")
    whys = model.explain(X)
    assert len(whys) == len(X)
    for i in (0, 1, 5, 6, 17, 100):
        expected = json.loads(
            run(
                "explain",
                tmp_path / "model.json",
                tmp_path / "rows.csv",
                "--row",
                i + 1,
                "--json",
            )
        )
        why = whys[i]
        assert why.prediction == expected["prediction"]
        assert (0 if why.rule is None else why.rule + 1) == (expected["rule"] or 0)
        assert why.probabilities == pytest.approx(expected["probabilities"])
        assert why.margin == pytest.approx(expected["margin"])
        for rule, other in (
            (why.winner, expected["winner"]),
            (why.runner_up, expected["runner_up"]),
        ):
            assert (rule is None) == (other is None)
            if rule is None:
                continue
            assert rule.rule + 1 == other["rule"]
            assert rule.prediction == other["then"]
            assert rule.truth == pytest.approx(other["truth"])
            assert rule.score == pytest.approx(other["score"])
            assert [(c.feature, c.label, c.value) for c in rule.conditions] == [
                (c["feature"], c["label"], typed(c["feature"], c["value"]))
                for c in other["conditions"]
            ]
        assert [(c.feature, c.value, c.new_value, c.prediction) for c in why.changes] == [
            (
                c["feature"],
                typed(c["feature"], c["from"]),
                typed(c["feature"], c["to"]),
                c["prediction"],
            )
            for c in expected["changes"]
        ]


def test_explanations_hold(fitted):
    model, X, _ = fitted
    predicted, applied, shares = model.predict(X), model.apply(X), model.predict_proba(X)
    changed = 0
    for i, why in enumerate(model.explain(X)):
        assert why.prediction == predicted[i]
        if model.semantics == "sufficient":
            assert why.rule == (None if applied[i] < 0 else applied[i])
        assert why.probabilities == dict(zip(model.classes_.tolist(), shares[i], strict=True))
        assert str(why).startswith(f"{why.prediction} (probability ")
        distances = [change.distance for change in why.changes]
        assert distances == sorted(distances)
        assert why.counterfactual == (why.changes[0] if why.changes else None)
        for change in why.changes[:1]:
            row = X.iloc[[i]].copy()
            row[change.feature] = change.new_value
            assert model.predict(row)[0] == change.prediction != why.prediction
            changed += 1
    assert changed > len(X) / 2


@pytest.mark.parametrize(
    "method",
    ["predict", "predict_proba", "decision_function", "apply", "explain"],
)
def test_not_fitted(method):
    with pytest.raises(NotFittedError):
        getattr(FRRClassifier(), method)([[1.0]])


@pytest.mark.parametrize("method", ["to_text", "to_markdown", "to_frame", "to_json"])
def test_no_rules_before_fit(method, tmp_path):
    with pytest.raises(NotFittedError):
        getattr(FRRClassifier(), method)()
    with pytest.raises(NotFittedError):
        FRRClassifier().save(tmp_path / "model.json")
