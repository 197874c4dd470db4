"""Fitting an estimator again."""

import threading

import frr._classifier
import frr._transformer
import numpy as np
import pandas as pd
import pytest
from conftest import QUICK
from frr import FRRClassifier, FuzzyTransformer
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

RANDOM = np.random.default_rng(0)
X = pd.DataFrame(RANDOM.normal(size=(200, 3)), columns=["a", "b", "c"])
Y = np.where(X["a"] > 0, "high", "low")
THREE = np.digitize(X["b"], [-0.5, 0.5])


def same_state(model, earlier: dict) -> bool:
    now = vars(model)
    return now.keys() == earlier.keys() and all(now[name] is earlier[name] for name in now)


FAILURES = {
    "one class": lambda model: model.fit(X, np.zeros(len(X))),
    "one class, other columns": lambda model: model.fit(X.to_numpy()[:, :2], np.zeros(len(X))),
    "no rows": lambda model: model.fit(X[:0], Y[:0]),
    "infinite": lambda model: model.fit(np.full((200, 5), np.inf), Y),
    "missing class": lambda model: model.fit(X[["a"]], np.where(X["b"] > 0, 1.0, np.nan)),
    "negative weight": lambda model: model.fit(X[["c"]], Y, -np.ones(len(X))),
    "lone surrogate": lambda model: model.fit(X[["a"]], Y, source="\ud800"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failed_fit_leaves_the_earlier_model(failure):
    model = FRRClassifier(**QUICK).fit(X, Y)
    earlier, expected, text = dict(vars(model)), model.predict(X), model.to_json()
    with pytest.raises(ValueError, match=r"."):
        FAILURES[failure](model)
    assert same_state(model, earlier)
    np.testing.assert_array_equal(model.predict(X), expected)
    assert model.to_json() == text


@pytest.mark.parametrize(
    ("wrong", "data"),
    [
        ({}, np.full((200, 2), np.inf)),
        ({}, X[:1]),
        ({"partition": "supervised"}, X[["b"]]),
        ({"advanced": {"bins": -1}}, X[["b"]]),
    ],
)
def test_a_failed_fit_leaves_the_earlier_labels(wrong, data):
    transformer = FuzzyTransformer().fit(X)
    earlier, expected = dict(vars(transformer)), transformer.transform(X)
    transformer.set_params(**wrong)
    with pytest.raises(ValueError, match=r"."):
        transformer.fit(data)
    transformer.set_params(**FuzzyTransformer().get_params())
    assert same_state(transformer, earlier)
    np.testing.assert_array_equal(transformer.transform(X), expected)
    assert transformer.get_feature_names_out().tolist() == [
        f"{name} IS {label}" for name in "abc" for label in ("low", "medium", "high")
    ]


@pytest.mark.parametrize("method", ["train", "fit_partition"])
def test_an_interrupted_fit_leaves_the_earlier_model(method, monkeypatch):
    model = (FRRClassifier(**QUICK) if method == "train" else FuzzyTransformer()).fit(X, Y)
    earlier = dict(vars(model))

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(frr._core, method, stop)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X[["b"]], THREE)
    assert same_state(model, earlier)


@pytest.mark.parametrize("model", [FRRClassifier(**QUICK), FuzzyTransformer()])
def test_nothing_of_the_earlier_fit_survives(model):
    other, classes = X.to_numpy()[:, 1:], THREE
    model = clone(model).fit(X, Y)
    model.added_ = "by someone else"
    assert hasattr(model, "feature_names_in_")
    model.fit(other, classes)
    fresh = clone(model).fit(other, classes)
    assert vars(model).keys() == vars(fresh).keys()
    assert model.n_features_in_ == 2
    assert model.partition_ == fresh.partition_
    if isinstance(model, FRRClassifier):
        assert model.classes_.tolist() == [0, 1, 2]
        assert model.to_json() == fresh.to_json()


def test_attributes_that_fit_does_not_learn_survive():
    transformer = FuzzyTransformer().set_output(transform="pandas")
    transformer.remark = "mine"
    result = transformer.fit(X).fit(X[["a"]]).transform(X[["a"]])
    assert result.columns[0] == "a IS low"
    assert transformer.remark == "mine"


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_running_fit_leaves_the_earlier_model_to_other_threads():
    model = FRRClassifier(**QUICK).fit(X, Y)
    rules, expected = model.rules_, model.predict(X)
    model.set_params(advanced={"epochs": 1000000}, time_limit=1.0)
    thread = threading.Thread(target=lambda: model.fit(X, np.where(Y == "high", "no", "yes")))
    thread.start()
    count = 0
    while thread.is_alive():
        predicted, classes = model.predict(X), set(model.classes_)
        if classes == {"high", "low"}:
            np.testing.assert_array_equal(predicted, expected)
            assert model.n_features_in_ == 3
            count += model.rules_ is rules
    thread.join()
    assert count > 5
    assert model.classes_.tolist() == ["no", "yes"]


@pytest.mark.parametrize(
    "method", ["predict", "predict_proba", "decision_function", "apply", "explain"]
)
def test_a_fit_that_ends_during_a_prediction_does_not_change_it(method, monkeypatch):
    model = FRRClassifier(**QUICK).fit(X, Y)
    expected = getattr(model, method)(X)
    read = frr._classifier.read_X

    def read_while_a_fit_ends(*arguments, **options):
        monkeypatch.undo()
        model.fit(X, THREE)
        return read(*arguments, **options)

    monkeypatch.setattr(frr._classifier, "read_X", read_while_a_fit_ends)
    result = getattr(model, method)(X)
    assert model.classes_.tolist() == [0, 1, 2]
    if method == "explain":
        assert result == expected
    else:
        np.testing.assert_array_equal(result, expected)


def test_a_fit_that_ends_during_a_transformation_does_not_change_it(monkeypatch):
    transformer = FuzzyTransformer().fit(X)
    expected = transformer.transform(X)
    read = frr._transformer.read_X

    def read_while_a_fit_ends(*arguments, **options):
        monkeypatch.undo()
        transformer.set_params(n_labels=2).fit(X)
        return read(*arguments, **options)

    monkeypatch.setattr(frr._transformer, "read_X", read_while_a_fit_ends)
    np.testing.assert_array_equal(transformer.transform(X), expected)
    assert transformer.transform(X).shape == (200, 6)


def test_a_warning_about_the_time_limit_comes_with_the_new_model():
    model = FRRClassifier(**QUICK).fit(X, Y)
    model.set_params(advanced={"epochs": 1000000}, time_limit=0.2)
    with pytest.warns(ConvergenceWarning):
        model.fit(X, THREE)
    assert model.classes_.tolist() == [0, 1, 2]
