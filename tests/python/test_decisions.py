"""Decisions: costs, thresholds and referrals never change probabilities."""

import itertools
import json
import pickle

import hand_made
import numpy as np
import pandas as pd
import pytest
from conftest import QUICK, mixed_table
from frr import FRRClassifier, evaluate, shards
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_score

ROWS = pd.DataFrame(hand_made.ROWS, columns=["x", "z"])


@pytest.fixture
def patients(tmp_path) -> FRRClassifier:
    return hand_made.load(hand_made.patients(), tmp_path)


@pytest.fixture
def three(tmp_path) -> FRRClassifier:
    return hand_made.load(hand_made.three_classes(), tmp_path)


def softmax(scores) -> np.ndarray:
    powers = np.exp(np.asarray(scores) - np.max(scores, axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


# ---- Probabilities -------------------------------------------------------------------------------


def test_probabilities_are_those_of_the_counts(patients):
    shares = patients.predict_proba(ROWS)
    np.testing.assert_allclose(shares[:, 0], hand_made.ILL, rtol=1e-15)
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-15)
    assert patients.predict(ROWS).tolist() == ["well"] * 3
    assert patients.apply(ROWS).tolist() == [0, 1, -1]


def test_additive_probabilities_are_the_softmax_of_the_scores(three):
    rows = pd.DataFrame(list(hand_made.SCORES), columns=["x", "z"])
    expected = softmax(list(hand_made.SCORES.values()))  # classes 10, 2, 3
    assert three.classes_.tolist() == [2, 3, 10]
    shares = three.predict_proba(rows)
    np.testing.assert_allclose(shares, expected[:, [1, 2, 0]], rtol=1e-14)
    assert three.predict(rows).tolist() == [10, 2, 3, 2]
    # The strongest rule of the predicted class; none of class 10 applies to the first row.
    assert three.apply(rows).tolist() == [-1, 0, 1, 0]


def test_the_most_probable_class_is_predicted_also_in_ties(tmp_path):
    # The model sorts its classes as texts, "10" before "2", and resolves ties in that order.
    text = hand_made.model_file(
        ["10", "2"],
        [{"if": {"x": "high"}, "then": "10", "weight": 1, "decides": {"2": 4, "10": 4},
          "covers": 8}],
        {"then": "10", "decides": {"2": 5, "10": 5}, "covers": 10},
        class_rows={"2": 9, "10": 9},
    )  # fmt: skip
    model = hand_made.load(text, tmp_path)
    shares = model.predict_proba(ROWS)
    np.testing.assert_allclose(shares, 0.5, rtol=0, atol=2.3e-16)
    assert model.predict(ROWS).tolist() == [10, 10, 10]
    assert model.classes_[shares.argmax(axis=1)].tolist() == [10, 10, 10]


def test_a_model_without_counts_keeps_its_classes(tmp_path):
    text = hand_made.model_file(
        ["a", "b"], [{"if": {"x": "high"}, "then": "b", "weight": 1}], {"then": "a"}
    )
    model = hand_made.load(text, tmp_path)
    assert model.predict(ROWS).tolist() == ["b", "a", "a"]
    shares = model.predict_proba(ROWS)
    np.testing.assert_allclose(shares, 0.5, rtol=0, atol=2.3e-16)
    assert model.classes_[shares.argmax(axis=1)].tolist() == ["b", "a", "a"]
    assert np.isnan(model.rules_[0].lift)


@pytest.mark.parametrize("semantics", ["sufficient", "additive"])
@pytest.mark.parametrize("seed", range(3))
def test_prediction_is_argmax_on_few_rows_with_many_ties(semantics, seed):
    random = np.random.default_rng(seed)
    X = random.integers(0, 3, (24, 2)).astype(float)
    y = random.permutation([2, 10, -1, -2] * 6)
    model = FRRClassifier(**QUICK, semantics=semantics).fit(X, y)
    shares, scores = model.predict_proba(X), model.decision_function(X)
    np.testing.assert_array_equal(model.classes_[shares.argmax(axis=1)], model.predict(X))
    np.testing.assert_array_equal(model.classes_[scores.argmax(axis=1)], model.predict(X))


def test_decision_function_ranks_as_the_probabilities():
    X, y = make_classification(400, 5, weights=[0.9], flip_y=0.1, random_state=0)
    for semantics in ("sufficient", "additive"):
        model = FRRClassifier(**QUICK, semantics=semantics).fit(X, y)
        shares = model.predict_proba(X)[:, 1]
        odds = np.log(shares / (1 - shares))
        np.testing.assert_allclose(model.decision_function(X), odds, rtol=1e-9, atol=1e-9)
        auc = cross_val_score(model, X, y, cv=3, scoring="roc_auc").mean()
        assert auc > 0.5
        assert roc_auc_score(y, shares) == pytest.approx(
            roc_auc_score(y, model.decision_function(X)), abs=1e-9
        )


# ---- Policies ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["patients", "three"])
def test_expected_costs(name, request):
    """Against the definition: the class with the lowest expected cost."""
    model = request.getfixturevalue(name)
    rows = pd.DataFrame(list(hand_made.SCORES), columns=["x", "z"])
    shares = model.predict_proba(rows)
    labels = model.classes_.tolist()
    random = np.random.default_rng(0)
    seen = set()
    for trial in range(60):
        costs = np.exp(random.normal(0, 2, (len(labels), len(labels))))
        if trial % 2:  # costs that depend only on the true class
            costs[:] = costs[:, :1]
        np.fill_diagonal(costs, 0)
        expected = [labels[i] for i in (shares @ costs).argmin(axis=1)]
        pairs = {
            (labels[i], labels[j]): costs[i, j]
            for i, j in itertools.permutations(range(len(labels)), 2)
        }
        nested = {a: {b: pairs[a, b] for b in labels if a != b} for a in labels}
        frame = pd.DataFrame(costs, index=labels, columns=labels)
        for given in (costs, costs.tolist(), frame, frame.iloc[::-1], pairs, nested):
            changed = model.decide(costs=given)
            assert changed.predict(rows).tolist() == expected
            np.testing.assert_array_equal(changed.predict_proba(rows), shares)
            scores = changed.decision_function(rows)
            best = scores.argmax(axis=1) if scores.ndim == 2 else (scores > 0).astype(int)
            assert changed.classes_[best].tolist() == expected
        seen.update(expected)
    assert seen == set(labels)


def test_cost_of_a_miss(patients):
    # The odds of being ill are 3.1 to 7.9, 1.1 to 19.9 and 6.1 to 64.9.
    for cost, expected in (
        (2, "www"),
        (3, "iww"),
        (10, "iww"),
        (11, "iwi"),
        (18, "iwi"),
        (19, "iii"),
    ):
        changed = patients.decide(costs={"miss": cost})
        assert "".join(label[0] for label in changed.predict(ROWS)) == expected
    # A miss of the other class is a false alarm.
    changed = patients.decide(positive="well", costs={"miss": 1e-3})
    assert changed.predict(ROWS).tolist() == ["ill"] * 3


def test_thresholds(patients):
    for threshold, expected in ((0.3, "www"), (0.28, "iww"), (0.08, "iwi"), (0.05, "iii")):
        changed = patients.decide(threshold=threshold)
        assert "".join(label[0] for label in changed.predict(ROWS)) == expected
        np.testing.assert_array_equal(changed.predict_proba(ROWS), patients.predict_proba(ROWS))
        assert changed.threshold == threshold


def test_referrals(patients, three):
    assert not patients.referred(ROWS).any()
    # Probabilities of the most probable class: 0.72, 0.95 and 0.91; no rule applies to the third.
    assert patients.decide(refer=0.5).referred(ROWS).tolist() == [False, False, True]
    assert patients.decide(refer=0.8).referred(ROWS).tolist() == [True, False, True]
    assert patients.decide(refer=0.96).referred(ROWS).tolist() == [True, True, True]
    assert patients.decide(refer=0.8).explain(ROWS)[0].referred
    rows = pd.DataFrame(list(hand_made.SCORES), columns=["x", "z"])
    shares = softmax(list(hand_made.SCORES.values())).max(axis=1)
    for limit in (0.4, 0.45, 0.5, 0.6):
        expected = (shares < limit) | (np.arange(4) == 0)  # no rule applies to the first row
        assert three.decide(refer=limit).referred(rows).tolist() == expected.tolist()


# ---- decide --------------------------------------------------------------------------------------


def test_decide_returns_another_estimator(patients):
    text = patients.to_json()
    changed = patients.decide(costs={"miss": 5}, refer=0.6)
    assert type(changed) is FRRClassifier
    assert patients.to_json() == text
    assert patients.get_params()["costs"] is None
    assert changed.get_params()["costs"] == {"miss": 5}
    assert changed.refer == 0.6
    assert changed.rules_[0].prediction == "ill"
    assert changed.rules_[0].class_support == patients.rules_[0].class_support
    assert clone(changed).get_params() == changed.get_params()
    assert pickle.loads(pickle.dumps(changed)).predict(ROWS).tolist() == ["ill", "well", "well"]


def test_arguments_that_are_not_given_are_unchanged(patients):
    costly = patients.decide(costs={"miss": 3}, refer=0.6)
    assert costly.decide().to_json() == costly.to_json()
    assert costly.decide(refer=0).predict(ROWS).tolist() == ["ill", "well", "well"]
    assert not costly.decide(refer=0).referred(ROWS).any()
    # Costs and thresholds replace each other.
    either = costly.decide(threshold=0.01)
    assert either.get_params() | {"threshold": None, "costs": {"miss": 3}} == costly.get_params()
    assert either.predict(ROWS).tolist() == ["ill"] * 3
    assert either.decide(costs=None).to_json() == patients.decide(refer=0.6).to_json()
    # A threshold is for one class.
    with pytest.raises(ValueError, match="the threshold of the model is for another class"):
        either.decide(positive="well")
    assert either.decide(positive="well", threshold=0.9).predict(ROWS).tolist() == [
        "ill", "well", "well",
    ]  # fmt: skip


def test_decide_equals_a_fit_with_the_same_parameters():
    X, y = mixed_table(150)
    given = {"positive": "no", "costs": {("no", "yes"): 7.5}, "refer": 0.7}
    fitted = FRRClassifier(**QUICK, **given).fit(X, y)
    changed = FRRClassifier(**QUICK).fit(X, y).decide(**given)
    assert json.loads(fitted.to_json())["decisions"] == json.loads(changed.to_json())["decisions"]
    assert fitted.get_params() == changed.get_params()
    np.testing.assert_array_equal(fitted.predict_proba(X), changed.predict_proba(X))
    np.testing.assert_array_equal(fitted.predict(X), changed.predict(X))


def test_class_weights_are_costs_unless_others_are_given():
    X, y = mixed_table(150)
    model = FRRClassifier(**QUICK, class_weight="balanced").fit(X, y)
    costs = json.loads(model.to_json())["decisions"]["costs"]
    counts = y.value_counts()
    assert costs["yes"]["no"] / costs["no"]["yes"] == pytest.approx(counts["no"] / counts["yes"])
    kept = model.decide(refer=0.6)
    assert json.loads(kept.to_json())["decisions"]["costs"] == costs
    assert "costs" not in json.loads(model.decide(costs=None).to_json())["decisions"]


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"positive": 7},
        {"costs": {(7, 12): 3.0, (12, 7): 0.5}},
        {"threshold": 0.25, "refer": 0.6},
        {"positive": 7, "threshold": 0.25},
        {"class_weight": "balanced"},
        {"semantics": "additive", "threshold": 0.4},
    ],
)
def test_a_saved_model_gives_its_decision_parameters(parameters, tmp_path):
    X, y = mixed_table(150)
    codes = np.where(y == "yes", 12, 7)
    model = FRRClassifier(**QUICK, **parameters).fit(X, codes)
    model.save(tmp_path / "model.json")
    loaded = FRRClassifier.load(tmp_path / "model.json")
    for name in ("positive", "costs", "threshold", "sensitivity", "refer", "class_weight"):
        assert getattr(loaded, name) == parameters.get(name, getattr(FRRClassifier(), name))
    again = clone(loaded).set_params(**QUICK).fit(X, codes)
    assert json.loads(again.to_json())["decisions"] == json.loads(model.to_json())["decisions"]


def test_fit_keeps_probabilities():
    X, y = mixed_table(150)
    plain = FRRClassifier(**QUICK).fit(X, y)
    for given in ({"costs": {"miss": 30}}, {"threshold": 0.05}, {"positive": "no", "refer": 0.9}):
        changed = FRRClassifier(**QUICK, **given).fit(X, y)
        np.testing.assert_allclose(changed.predict_proba(X), plain.predict_proba(X), rtol=1e-12)


# ---- Sensitivity and specificity -----------------------------------------------------------------


def ill_patients(rows: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    random = np.random.default_rng(seed)
    ill = random.random(rows) < 0.2
    X = random.normal(size=(rows, 3))
    X[:, 0] += 1.5 * ill
    X[:, 1] += ill
    return pd.DataFrame(X, columns=["a", "b", "c"]), np.where(ill, "ill", "well")


def reached(model, X, y, measure, weights=None) -> float:
    weights = np.ones(len(y)) if weights is None else weights
    rows = (y == "ill") == (measure == "sensitivity")
    return float(np.average((model.predict(X) == y)[rows], weights=weights[rows]))


@pytest.mark.parametrize("semantics", ["sufficient", "additive"])
@pytest.mark.parametrize("measure", ["sensitivity", "specificity"])
def test_a_target_is_reached_on_the_rows_given(semantics, measure):
    """The threshold is the one of all thresholds that reaches it with the best other measure."""
    other = {"sensitivity": "specificity", "specificity": "sensitivity"}[measure]
    X, y = ill_patients(600, 0)
    X_new, y_new = ill_patients(400, 1)
    weights = np.random.default_rng(2).uniform(0, 3, 400)
    model = FRRClassifier(max_rules=6, semantics=semantics, augment=0).fit(X, y)
    shares = model.predict_proba(X_new)[:, 0]
    for given in (None, weights):
        changed = model.decide(X_new, y_new, given, positive="ill", **{measure: 0.9})
        assert getattr(changed, measure) == 0.9
        assert changed.threshold is None
        assert reached(changed, X_new, y_new, measure, given) >= 0.9
        best = 0.0
        for threshold in [*np.unique(shares), 2.0]:
            one = type("", (), {"predict": lambda _, x, t=threshold: np.where(
                model.predict_proba(x)[:, 0] >= t, "ill", "well")})()  # fmt: skip
            if reached(one, X_new, y_new, measure, given) >= 0.9:
                best = max(best, reached(one, X_new, y_new, other, given))
        assert reached(changed, X_new, y_new, other, given) == pytest.approx(best)
        target = json.loads(changed.to_json())["decisions"]["target"]
        assert (target["measure"], target["wanted"]) == (measure, 0.9)
        assert target["reached"] == pytest.approx(
            reached(changed, X_new, y_new, measure, given), abs=1e-9
        )
    np.testing.assert_array_equal(changed.predict_proba(X_new), model.predict_proba(X_new))


def test_fit_chooses_a_threshold_out_of_fold(tmp_path):
    X, y = ill_patients(1500, 0)
    X_new, y_new = ill_patients(3000, 1)
    given = {"semantics": "additive", "max_rules": 6}
    model = FRRClassifier(**given, sensitivity=0.9).fit(X, y)
    assert abs(reached(model, X_new, y_new, "sensitivity") - 0.9) < 0.06
    decisions = json.loads(model.to_json())["decisions"]
    assert decisions["positive"] == "ill"
    assert 0.9 <= decisions["target"]["reached"] < 0.95
    # On the training rows, decide does the same.
    changed = FRRClassifier(**given).fit(X, y).decide(X, y, sensitivity=0.9)
    assert json.loads(changed.to_json())["decisions"] == decisions
    model.save(tmp_path / "model.json")
    loaded = FRRClassifier.load(tmp_path / "model.json")
    assert (loaded.sensitivity, loaded.threshold) == (0.9, None)
    # A change of something else keeps the threshold.
    assert json.loads(loaded.decide(refer=0.6).to_json())["decisions"] == decisions | {"refer": 0.6}
    # A model from a file does not need the columns that no rule reads.
    used = loaded._model.used_features
    again = loaded.decide(X_new[used], y_new, specificity=0.8)
    assert reached(again, X_new, y_new, "specificity") >= 0.8


def test_a_target_needs_rows(patients):
    with pytest.raises(ValueError, match="decide needs X and y to choose a threshold for"):
        patients.decide(sensitivity=0.9)
    with pytest.raises(ValueError, match="shape"):
        patients.decide(ROWS, ["ill"], sensitivity=0.9)


# ---- Rules ---------------------------------------------------------------------------------------


def test_rules_show_probability_and_lift(patients):
    first = patients.rules_[0]
    assert first.probabilities == pytest.approx(
        {"ill": hand_made.ILL[0], "well": 1 - hand_made.ILL[0]}, rel=1e-15
    )
    assert first.lift == pytest.approx((1 - hand_made.ILL[0]) / 0.9)
    assert patients.rules_.base_rates == {"ill": 0.1, "well": 0.9}
    assert patients.rules_.biases == {}
    ill = patients.decide(costs={"miss": 3}).rules_[0]
    assert (ill.prediction, ill.confidence) == ("ill", 0.3)
    assert ill.lift == pytest.approx(hand_made.ILL[0] / 0.1)
    assert ill.probabilities == first.probabilities
    assert str(patients.rules_).splitlines()[:2] == [
        "   rule                    weight  support  right  lift",
        "1  IF x IS high THEN well       1       10    70%   0.8",
    ]


def test_scorecard(tmp_path):
    model = hand_made.load(hand_made.scorecard(), tmp_path)
    assert [rule.points for rule in model.rules_] == [3, -2]
    assert model.rules_.nats_per_point == 0.5
    assert model.rules_.biases == {"ill": -0.5, "well": 0.5}
    for row, points in (([15.0, "a"], 3), ([5.0, "b"], -2), ([15.0, "b"], 1), ([5.0, "a"], 0)):
        share = model.predict_proba(pd.DataFrame([row], columns=["x", "z"]))[0, 0]
        assert share == pytest.approx(1 / (1 + np.exp(1 - 0.5 * points)), rel=1e-14)
    assert model.to_frame()["points"].tolist()[:2] == [3, -2]
    lines = str(model.rules_).splitlines()
    assert lines[0].split() == ["rule", "points", "support", "right", "lift"]
    assert lines[1].split()[-4:] == ["+3", "10", "60%", "5.5"]  # (6 + 0.1) / 11 to 0.1
    assert lines[-1] == "biases: ill -0.5, well 0.5"
    assert model.rules_.otherwise.probabilities["ill"] == pytest.approx(1 / (1 + np.e))
    # For the other class, the points have the other sign.
    turned = model.decide(positive="well")
    assert [rule.points for rule in turned.rules_] == [-3, 2]
    np.testing.assert_array_equal(turned.predict_proba(ROWS), model.predict_proba(ROWS))
    assert hand_made.load(turned.to_json(), tmp_path).rules_ == turned.rules_


def test_additive_explanations(three):
    row = pd.DataFrame([[15.0, "b"]], columns=["x", "z"])
    why = three.explain(row)[0]
    assert why.scores == {10: 0.75, 2: 1.25, 3: 0.75}
    assert why.margin == 0.5
    assert (why.prediction, why.rule, why.winner.score) == (2, 0, 1.5)
    assert [(truth.rule, truth.score) for truth in why.rules] == [(0, 1.5), (1, 0.75), (2, 0.25)]
    lines = str(why).splitlines()
    assert lines[0] == "2 (probability 0.452)"
    assert lines[1] == "  10: bias 0.500, score 0.750"
    assert lines[2] == "    rule 3: +0.250 (x = 15 is high to 100 %, z = b)"


def test_evaluate_follows_the_decisions(patients):
    X = pd.concat([ROWS] * 10, ignore_index=True)
    y = ["ill", "well", "well"] * 9 + ["well", "well", "ill"]
    careful = patients.decide(costs={"miss": 3})  # predicts ill, well, well
    result = evaluate(careful, X, y, by={"half": ["one"] * 15 + ["two"] * 15})
    assert result["positive"] == "ill"
    assert result["accuracy"] == pytest.approx(28 / 30)
    assert result["by_class"]["ill"]["sensitivity"] == 0.9
    assert result["log_loss"] == evaluate(patients, X, y)["log_loss"]
    assert evaluate(patients, X, y)["by_class"]["ill"]["sensitivity"] == 0
    assert evaluate(patients.decide(positive="well"), X, y)["positive"] == "well"
    # The last of each three rows is decided by ELSE, which is right in 9 of 10 cases.
    referring = evaluate(careful.decide(refer=0.1), X, y)
    assert referring["referred"] == pytest.approx(1 / 3)
    assert referring["error_of_others"] == pytest.approx(1 / 20)
    assert referring["accuracy"] == result["accuracy"]


# ---- Messages ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "kind", "message"),
    [
        ({"positive": "maybe"}, ValueError,
         "positive names the class 'maybe', which does not occur; the classes are ['no', 'yes']"),
        ({"threshold": 1}, ValueError, "threshold must be a number above 0 and below 1, got 1"),
        ({"threshold": "0.5"}, TypeError, "threshold must be a number, got '0.5' of type str"),
        ({"sensitivity": 0}, ValueError, "sensitivity must be a number above 0 and below 1, got 0"),
        ({"specificity": float("nan")}, ValueError,
         "specificity must be a number above 0 and below 1, got nan"),
        ({"refer": 1}, ValueError, "refer must be a number from 0 to below 1, got 1"),
        ({"refer": None}, TypeError, "refer must be a number, got None of type NoneType"),
        ({"costs": {"miss": 2}, "threshold": 0.5}, ValueError,
         "costs and threshold both say when to predict a class; give one"),
        ({"sensitivity": 0.9, "specificity": 0.9}, ValueError,
         "sensitivity and specificity both say when to predict a class; give one"),
        ({"costs": {"miss": 0}}, ValueError,
         "costs['miss'] must be above 0 and at most 1e9, got 0"),
        ({"costs": {"miss": "many"}}, TypeError,
         "costs['miss'] must be a number, got 'many' of type str"),
        ({"costs": {("yes", "no"): -1}}, ValueError,
         "the cost of predicting 'no' where 'yes' is true must be above 0 and at most 1e9, got -1"),
        ({"costs": {("yes", "maybe"): 1}}, ValueError,
         "costs names the class 'maybe', which does not occur; the classes are ['no', 'yes']"),
        ({"costs": {("yes", "yes"): 1}}, ValueError,
         "the cost of predicting 'yes' where it is true must be 0, got 1"),
        ({"costs": {"mis": 3}}, ValueError, "got a dict with the key 'mis'"),
        ({"costs": {"miss": 3, ("yes", "no"): 1}}, ValueError,
         "costs has the key 'miss' and others"),
        ({"costs": [[0, 1, 2], [1, 0, 2]]}, ValueError,
         "costs must have one row and one column for each of the 2 classes, got the shape (2, 3)"),
        ({"costs": 20}, TypeError, "costs must be a dict such as {'miss': 20}"),
        ({"objective": "auc"}, ValueError,
         "objective must be auto, accuracy or risk, got 'auc'"),
        ({"points": -1}, ValueError, "points must be a whole number from 0 to 100, got -1"),
    ],
)  # fmt: skip
def test_messages(parameters, kind, message):
    X, y = mixed_table(60)
    model = FRRClassifier(**QUICK, **parameters)  # the constructor only stores
    assert model.get_params() == FRRClassifier(**QUICK).get_params() | parameters
    with pytest.raises(kind) as caught:
        model.fit(X, y)
    assert message in str(caught.value)
    if not {"objective", "points"} & set(parameters):
        with pytest.raises(kind) as caught:
            FRRClassifier(**QUICK).fit(X, y).decide(X, y, **parameters)
        assert message in str(caught.value)


def test_several_classes_need_the_class_of_interest(three):
    for given in ({"threshold": 0.5}, {"costs": {"miss": 2}}):
        with pytest.raises(ValueError, match="because there are 3 classes; name it with positive"):
            three.decide(**given)
        three.decide(positive=2, **given)
    frame = pd.DataFrame(np.ones((3, 3)), index=[2, 3, 4], columns=[2, 3, 10])
    with pytest.raises(ValueError, match="the rows and columns of costs must be the classes"):
        three.decide(costs=frame)


# ---- Shards --------------------------------------------------------------------------------------


def ask_two(table):
    def ask(request):
        parts = [table.iloc[:60], table.iloc[60:]]
        return shards.add(shards.answer(request, part, i) for i, part in enumerate(parts))

    return ask


@pytest.mark.parametrize(
    "parameters",
    [
        {"costs": {"miss": 20}},
        {"positive": "no", "threshold": 0.3, "refer": 0.8},
        {"costs": {("no", "yes"): 2, ("yes", "no"): 9}},
        {"semantics": "additive", "threshold": 0.2},
        {"objective": "risk"},
        {"semantics": "additive", "points": 5},
    ],
)
def test_shards_take_the_parameters(parameters):
    X, y = mixed_table(150)
    table = X.assign(admit=y)
    expected = FRRClassifier(**QUICK, **parameters).fit(X, y)
    model = shards.train(ask_two(table), target="admit", **QUICK, **parameters)
    assert model.to_json() == expected.to_json()
    assert model.get_params() == expected.get_params()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"sensitivity": 0.9}, r"call decide\(X, y, sensitivity=0.9\) on the model"),
        ({"specificity": 0.8}, r"call decide\(X, y, specificity=0.8\) on the model"),
        ({"costs": [[0, 1], [1, 0]]}, "for shards, costs must name the classes"),
        ({"positive": "maybe"}, "positive names the class 'maybe'"),
        ({"costs": {("yes", "maybe"): 1}}, "costs names the class 'maybe'"),
        ({"threshold": 2}, "threshold must be a number above 0 and below 1"),
    ],
)
def test_messages_of_shards(parameters, message):
    X, y = mixed_table(150)
    with pytest.raises(ValueError, match=message):
        shards.train(ask_two(X.assign(admit=y)), target="admit", **QUICK, **parameters)


def test_points_are_learned():
    random = np.random.default_rng(3)
    X = pd.DataFrame({"x": random.normal(size=600), "z": random.normal(size=600)})
    y = np.where(random.random(600) < np.where(X["x"] > 0.5, 0.8, 0.2), "ill", "well")
    model = FRRClassifier(semantics="additive", points=5, positive="ill").fit(X, y)
    points = [rule.points for rule in model.rules_]
    assert points
    assert all(isinstance(p, int) and 1 <= abs(p) <= 5 for p in points)
    for rule in model.rules_:
        assert (rule.points > 0) == (rule.prediction == "ill")
        assert rule.weight == abs(rule.points) * model.rules_.nats_per_point
    with pytest.raises(ValueError, match=r"^points makes a scorecard of additive rules"):
        FRRClassifier(points=5).fit(X, y)
    with pytest.raises(ValueError, match="two classes"):
        FRRClassifier(semantics="additive", points=5).fit(X, np.arange(600) % 3)
