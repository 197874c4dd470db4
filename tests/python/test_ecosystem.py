"""The estimators with the tools of scikit-learn, joblib and pickle."""

import copy
import io
import pickle

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from conftest import QUICK, mixed_table
from frr import FRRClassifier, FuzzyTransformer
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris, load_wine
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score, cross_validate
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

IRIS = load_iris(return_X_y=True, as_frame=True)
WINE = load_wine(return_X_y=True, as_frame=True)


def test_pipeline_keeps_names():
    pipe = make_pipeline(
        SimpleImputer().set_output(transform="pandas"), FRRClassifier(**QUICK)
    ).fit(*IRIS)
    assert pipe.score(*IRIS) > 0.9
    assert pipe[-1].feature_names_in_.tolist() == IRIS[0].columns.tolist()
    assert {c.feature for rule in pipe[-1].rules_ for c in rule.conditions} <= set(IRIS[0])


def test_transformer_before_another_learner():
    pipe = Pipeline(
        [("fuzzy", FuzzyTransformer(partition="supervised")), ("model", LogisticRegression())]
    )
    assert cross_val_score(pipe, *IRIS, cv=3).mean() > 0.9


def test_column_transformer_with_names_out():
    table, y = mixed_table()
    columns = ColumnTransformer(
        [
            ("fuzzy", FuzzyTransformer(n_labels=2), ["weight", "region"]),
            ("scaled", StandardScaler(), ["age"]),
        ]
    )
    pipe = make_pipeline(columns, FRRClassifier(**QUICK)).fit(table, y)
    names = columns.fit(table).get_feature_names_out().tolist()
    assert names[:3] == [
        "fuzzy__weight IS low",
        "fuzzy__weight IS high",
        "fuzzy__weight IS missing",
    ]
    assert {n for n in names if "region" in n} == {
        f"fuzzy__region IS {value}" for value in ("north", "south", "west", "missing")
    }
    assert names[-1] == "scaled__age"
    assert pipe.score(table, y) > 0.7  # most rows are "no"


def test_grid_search_in_two_processes():
    search = GridSearchCV(
        FRRClassifier(augment=0, advanced={"epochs": 5}), {"max_rules": [1, 4]}, cv=3, n_jobs=2
    ).fit(*IRIS)
    assert search.best_params_ == {
        "max_rules": 4
    }  # one rule and ELSE cannot distinguish three classes
    assert len(search.best_estimator_.rules_) <= 4
    assert search.predict(IRIS[0]).shape == (150,)


def test_cross_validation_and_scorers():
    model = FRRClassifier(**QUICK)
    assert cross_val_score(model, *IRIS, cv=3).mean() > 0.9
    assert cross_val_score(model, *WINE, cv=3, scoring="roc_auc_ovr").mean() > 0.85
    shares = cross_val_predict(model, *IRIS, cv=3, method="predict_proba")
    assert shares.shape == (150, 3)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    two = IRIS[1].to_numpy() == 1
    scores = cross_val_score(model, IRIS[0], two, cv=3, scoring="roc_auc")
    assert scores.mean() > 0.9
    fitted = model.fit(IRIS[0], two)
    assert get_scorer("neg_log_loss")(fitted, IRIS[0], two) > -0.5


def test_calibration():
    calibrated = CalibratedClassifierCV(FRRClassifier(**QUICK), cv=3).fit(*IRIS)
    np.testing.assert_allclose(calibrated.predict_proba(IRIS[0]).sum(axis=1), 1)
    assert calibrated.score(*IRIS) > 0.9


def test_clone_has_only_the_parameters():
    model = FRRClassifier(max_rules=2, partition="uniform", random_state=3, advanced={"epochs": 3})
    other = clone(model.fit(*IRIS))
    assert other.get_params() == model.get_params()
    assert not hasattr(other, "rules_")
    assert other.fit(*IRIS).to_json() == model.to_json()


def _pickled(model):
    return pickle.loads(pickle.dumps(model))


def _joblib(model):
    file = io.BytesIO()
    joblib.dump(model, file)
    file.seek(0)
    return joblib.load(file)


@pytest.mark.parametrize("again", [_pickled, _joblib, copy.deepcopy, copy.copy])
@pytest.mark.parametrize("fitted", [True, False])
def test_copies_are_the_same(again, fitted):
    table, y = mixed_table()
    model = FRRClassifier(**QUICK)
    if not fitted:
        assert again(model).fit(table, y).to_json() == model.fit(table, y).to_json()
        return
    model.fit(table, y)
    other = again(model)
    assert other.get_params() == model.get_params()
    assert other.to_json() == model.to_json()
    assert other.rules_ == model.rules_
    assert other.loss_curve_ == model.loss_curve_
    np.testing.assert_array_equal(other.predict_proba(table), model.predict_proba(table))
    assert other.explain(table)[:3] == model.explain(table)[:3]

    transformer = FuzzyTransformer().fit(table)
    copied = again(transformer)
    np.testing.assert_array_equal(copied.transform(table), transformer.transform(table))
    assert copied.partition_ == transformer.partition_


def test_set_params():
    model = FRRClassifier(**QUICK).fit(*WINE)
    assert len(model.set_params(max_rules=1).fit(*WINE).rules_) == 1
    with pytest.raises(ValueError, match="Invalid parameter 'rules'"):
        model.set_params(rules=3)
    pipe = make_pipeline(FRRClassifier(**QUICK)).set_params(frrclassifier__max_rules=2)
    assert len(pipe.fit(*WINE)[0].rules_) <= 2


def test_routing_of_sample_weight():
    X, y = IRIS
    weights = np.where(y == 0, 0.0, 1.0)  # the first class is absent
    with sklearn.config_context(enable_metadata_routing=True):
        model = FRRClassifier(**QUICK).set_fit_request(sample_weight=True)
        pipe = make_pipeline(model).fit(X, y, sample_weight=weights)
        results = cross_validate(
            FRRClassifier(**QUICK)
            .set_fit_request(sample_weight=True)
            .set_score_request(sample_weight=True),
            X,
            y,
            cv=3,
            params={"sample_weight": weights},
            return_estimator=True,
        )
    assert 0 not in pipe.predict(X)
    assert all(0 not in model.predict(X) for model in results["estimator"])
    assert 0 in make_pipeline(FRRClassifier(**QUICK)).fit(X, y).predict(X)


def _fit(seed: int) -> str:
    return (
        FRRClassifier(max_rules=5, advanced={"epochs": 10}, augment=500, random_state=seed)
        .fit(*WINE)
        .to_json()
    )


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_parallel_fits(backend):
    alone = [_fit(seed) for seed in range(6)]
    assert len(set(alone)) > 1
    together = joblib.Parallel(n_jobs=3, backend=backend)(
        joblib.delayed(_fit)(seed) for seed in range(6)
    )
    assert together == alone


def test_one_model_predicts_in_many_threads():
    model = FRRClassifier(**QUICK).fit(*WINE)
    expected = model.predict_proba(WINE[0])
    results = joblib.Parallel(n_jobs=4, backend="threading")(
        joblib.delayed(model.predict_proba)(WINE[0]) for _ in range(20)
    )
    for shares in results:
        np.testing.assert_array_equal(shares, expected)


@pytest.mark.parametrize("n_jobs", [2, 7, -1, -2])
def test_n_jobs_never_changes_the_result(n_jobs):
    X = np.tile(WINE[0].to_numpy(), (100, 1))  # more rows than one task of a thread
    one = FRRClassifier(**QUICK).fit(*WINE)
    many = FRRClassifier(**QUICK, n_jobs=n_jobs).fit(*WINE)
    assert many.to_json() == one.to_json()
    X_frame = pd.DataFrame(X, columns=WINE[0].columns)
    np.testing.assert_array_equal(many.predict(X_frame), one.predict(X_frame))
    np.testing.assert_array_equal(many.predict_proba(X_frame), one.predict_proba(X_frame))
    np.testing.assert_array_equal(many.decision_function(X_frame), one.decision_function(X_frame))
    np.testing.assert_array_equal(many.apply(X_frame), one.apply(X_frame))
    few, more = (FuzzyTransformer(n_jobs=n).fit(X_frame) for n in (None, n_jobs))
    np.testing.assert_array_equal(few.transform(X_frame), more.transform(X_frame))


def test_transformer_by_hand():
    # Two labels of equal width with a hard border at 5; the category is 0 or 1.
    table = pd.DataFrame({"size": [0.0, 4.0, 6.0, 10.0], "kind": ["a", "b", "a", "b"], "same": 1.0})
    transformer = FuzzyTransformer(n_labels=2, partition="uniform", advanced={"slope": 0}).fit(
        table
    )
    names = ["size IS low", "size IS high", "kind IS a", "kind IS b"]
    assert transformer.get_feature_names_out().tolist() == names
    expected = [[1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 0, 1]]
    np.testing.assert_array_equal(transformer.transform(table), expected)
    odd = pd.DataFrame({"size": [np.nan, 1e9], "kind": ["new", None], "same": [7.0, 1.0]})
    np.testing.assert_array_equal(transformer.transform(odd), [[0, 0, 0, 0], [0, 1, 0, 0]])


@pytest.mark.parametrize(("output", "kind"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
def test_transformer_gives_frames(output, kind):
    table, _ = mixed_table()
    transformer = FuzzyTransformer().set_output(transform=output).fit(table)
    frame = transformer.transform(table)
    assert isinstance(frame, kind)
    assert list(frame.columns) == transformer.get_feature_names_out().tolist()
    plain = transformer.set_output(transform="default").transform(table)
    np.testing.assert_array_equal(frame.to_numpy(), plain)
    if output == "pandas":
        shifted = table.set_index(table.index + 1000)
        transformer.set_output(transform="pandas")
        assert transformer.transform(shifted).index.equals(shifted.index)


def test_transformer_names_need_the_features_of_fit():
    table, _ = mixed_table()
    transformer = FuzzyTransformer().fit(table)
    with pytest.raises(ValueError, match="feature_names_in_"):
        transformer.get_feature_names_out(["a", "b", "c"])
