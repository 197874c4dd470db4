"""Weights of rows and classes."""

import json

import numpy as np
import pytest
from conftest import QUICK, mixed_table
from frr import FRRClassifier
from sklearn.metrics import balanced_accuracy_score

VARIANTS = [
    {},
    {"semantics": "additive"},
    {"preset": "paper", "advanced": {"epochs": 20}},
    {"augment": 0},
    {"partition": "quantile", "n_labels": 4, "random_state": 5},
    {"advanced": {"gradient": False}},
    {"class_weight": "balanced"},
]


def rule_base(model: FRRClassifier) -> dict:
    """All of the model but the settings."""
    content = json.loads(model.to_json())
    return {key: content[key] for key in ("classes", "features", "rules", "else")}


@pytest.mark.parametrize("parameters", VARIANTS)
@pytest.mark.parametrize("shuffled", [False, True])
def test_whole_weights_are_repetitions(parameters, shuffled):
    X, y = mixed_table(90)
    random = np.random.default_rng(0)
    weights = random.integers(0, 4, len(X))
    rows = np.repeat(np.arange(len(X)), weights)
    if shuffled:
        random.shuffle(rows)
    weighted = FRRClassifier(**parameters).fit(X, y, sample_weight=weights)
    repeated = FRRClassifier(**parameters).fit(X.iloc[rows], y.iloc[rows])
    assert rule_base(weighted) == rule_base(repeated)


@pytest.mark.parametrize("parameters", VARIANTS)
def test_rows_of_weight_0_are_absent(parameters):
    X, y = mixed_table(90)
    kept = np.arange(90) % 3 > 0
    X.loc[~kept, "age"] = 1e6  # would move all labels
    X.loc[~kept, "region"] = "moon"  # would be a category
    y[~kept] = "yes"
    weighted = FRRClassifier(**parameters).fit(X, y, sample_weight=kept.astype(float))
    absent = FRRClassifier(**parameters).fit(X[kept], y[kept])
    assert rule_base(weighted) == rule_base(absent)


def test_a_class_of_weight_0_is_known_but_never_predicted():
    X, y = mixed_table(90)
    y[::3] = "maybe"
    weights = (y != "maybe").astype(float)
    model = FRRClassifier(**QUICK).fit(X, y, sample_weight=weights)
    assert model.classes_.tolist() == ["maybe", "no", "yes"]
    assert "maybe" not in model.predict(X)
    assert model.predict_proba(X)[:, 0].max() < 0.5


def test_weights_of_one_change_nothing(numbers):
    X, y = numbers
    plain = FRRClassifier(**QUICK).fit(X, y)
    assert FRRClassifier(**QUICK).fit(X, y, np.ones(len(X))).to_json() == plain.to_json()
    assert FRRClassifier(**QUICK).fit(X, y, [1] * len(X)).to_json() == plain.to_json()
    assert FRRClassifier(**QUICK).fit(X, y, 1.0).to_json() == plain.to_json()


def test_fractions_count_in_proportion():
    # Where x is 0, b weighs more than a, though there are fewer of it.
    X = [[0.0]] * 5 + [[1.0]] * 5
    y = ["a"] * 3 + ["b"] * 2 + ["a"] * 5
    weights = [0.2] * 3 + [0.9] * 2 + [0.5] * 5
    parameters = {"augment": 0, "max_conditions": 1}
    assert FRRClassifier(**parameters).fit(X, y).predict([[0.0]]).tolist() == ["a"]
    model = FRRClassifier(**parameters).fit(X, y, sample_weight=weights)
    assert model.predict([[0.0], [1.0]]).tolist() == ["b", "a"]


def imbalanced(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """5 % of the rows are 1; they lie above 1, where there are as many 0."""
    random = np.random.default_rng(seed)
    y = (random.random(1000) < 0.05).astype(int)
    X = random.normal(size=(1000, 2))
    X[:, 0] += 2 * y
    return X, y


@pytest.mark.parametrize("semantics", ["sufficient", "additive"])
def test_balanced_raises_balanced_accuracy(semantics):
    X, y = imbalanced(0)
    test, truth = imbalanced(1)
    parameters = {"max_rules": 4, "semantics": semantics}
    plain = FRRClassifier(**parameters).fit(X, y)
    balanced = FRRClassifier(**parameters, class_weight="balanced").fit(X, y)
    before = balanced_accuracy_score(truth, plain.predict(test))
    after = balanced_accuracy_score(truth, balanced.predict(test))
    assert after > before + 0.1


def test_class_weights_learn_as_weights_of_rows(numbers):
    """But they are no rows: counts and probabilities do not follow them."""
    X, y = numbers
    by_class = FRRClassifier(**QUICK, class_weight={0: 3, 1: 0.5}).fit(X, y)
    by_row = FRRClassifier(**QUICK).fit(X, y, sample_weight=np.where(y == 0, 3, 0.5))
    for one, other in zip(by_class.rules_, by_row.rules_, strict=True):
        assert (one.conditions, one.prediction) == (other.conditions, other.prediction)
        assert one.weight == other.weight
    assert by_class.rules_.base_rates == {0: np.mean(y == 0), 1: np.mean(y == 1)}
    # A class that is not named counts 1, and only proportions count.
    three = FRRClassifier(**QUICK, class_weight={0: 3}).fit(X, y)
    six = FRRClassifier(**QUICK, class_weight={0: 6, 1: 2}).fit(X, y)
    assert rule_base(three) == rule_base(six)
    assert rule_base(three) != rule_base(FRRClassifier(**QUICK).fit(X, y))


def test_counts_are_sums_of_row_weights(numbers):
    """Scaled so that the mean weight is 1, they are sums over the rows that a rule decides."""
    X, y = numbers
    weights = np.random.default_rng(0).uniform(0.1, 5, len(X))
    model = FRRClassifier(**QUICK).fit(X, y, sample_weight=weights)
    scaled = weights / weights.mean()
    applied = model.apply(X)
    for index, rule in enumerate([*model.rules_, model.rules_.otherwise]):
        rows = applied == (-1 if rule.is_else else index)
        for label in (0, 1):
            expected = scaled[rows & (y == label)].sum()
            assert rule.class_support.get(label, 0) == pytest.approx(expected, abs=1e-4)
        assert rule.support == pytest.approx(scaled[rows].sum(), abs=1e-4)
    rate = scaled[y == 1].sum() / len(X)
    assert model.rules_.base_rates[1] == pytest.approx(rate, abs=1e-6)


def test_class_weights_with_repetitions(numbers):
    X, y = numbers
    times = np.arange(len(X)) % 3
    model = FRRClassifier(**QUICK, class_weight={0: 3})
    weighted = rule_base(model.fit(X, y, sample_weight=times))
    assert weighted == rule_base(model.fit(np.repeat(X, times, 0), np.repeat(y, times)))


def test_counts_stay_counts_of_rows_under_class_weights(numbers):
    X, y = numbers
    for weights in ("balanced", {0: 3}, {0: 0.25}):
        model = FRRClassifier(**QUICK, class_weight=weights).fit(X, y)
        rules = [*model.rules_, model.rules_.otherwise]
        assert sum(rule.support for rule in rules) == len(X)


def test_a_heavy_class_wins():
    X, y = [[0.0], [0.0], [0.0], [1.0]] * 10, ["a", "a", "b", "a"] * 10
    assert FRRClassifier(augment=0).fit(X, y).predict([[0.0]]).tolist() == ["a"]
    heavy = FRRClassifier(augment=0, class_weight={"b": 5}).fit(X, y)
    assert heavy.predict([[0.0], [1.0]]).tolist() == ["b", "a"]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (-np.ones(100), "[Nn]egative"),
        (np.r_[np.ones(99), -1e-9], "[Nn]egative"),
        (np.r_[np.ones(99), np.nan], "NaN"),
        (np.r_[np.ones(99), np.inf], "infinity"),
        (np.ones(99), "shape"),
        (np.ones((100, 1)), "1D"),
        (np.zeros(100), "weight"),
        (["heavy"] * 100, "could not convert"),
        (np.full(100, 1e308), "weight"),  # their sum is no number
    ],
)
def test_wrong_sample_weights(numbers, weights, message):
    with pytest.raises(ValueError, match=message):
        FRRClassifier(**QUICK).fit(*numbers, sample_weight=weights)


@pytest.mark.parametrize(
    "wrong",
    ["heavy", {0: -1}, {0: float("nan")}, {0: float("inf")}, {0: "a"}, {7: 1}, 3, [1, 2], {0: 0}],
)
def test_wrong_class_weights(numbers, wrong):
    with pytest.raises((ValueError, TypeError), match="weight"):
        FRRClassifier(**QUICK, class_weight=wrong).fit(*numbers)


def test_one_class_left_by_the_weights(numbers):
    X, y = numbers
    with pytest.raises(ValueError, match="class"):
        FRRClassifier(**QUICK).fit(X, y, sample_weight=(y == 1).astype(float))
