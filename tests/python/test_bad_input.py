"""Invalid X: errors name the column and have the types that scikit-learn users expect."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import QUICK
from frr import FRRClassifier, FuzzyTransformer
from scipy import sparse
from sklearn.exceptions import NotFittedError


def fit(X, y, **parameters) -> FRRClassifier:
    return FRRClassifier(**QUICK | parameters).fit(X, y)


TYPES = {
    "dates": (pd.date_range("2020", periods=12), TypeError),
    "dates with a time zone": (pd.date_range("2020", periods=12, tz="UTC"), TypeError),
    "periods": (pd.period_range("2020", periods=12), TypeError),
    "time spans": (pd.to_timedelta(np.arange(12), unit="D"), TypeError),
    "intervals": (pd.interval_range(0, 12), TypeError),
    "complex": (np.arange(12) * 1j, ValueError),
    "lists": ([[1]] * 12, TypeError),
    "objects": ([object()] * 12, TypeError),
    "day objects": ([datetime.date(2020, 1, 1)] * 12, TypeError),
    "infinity": ([np.inf, 1.0] * 6, ValueError),
    "infinity in objects": (pd.Series([-np.inf, 1.0] * 6, dtype=object), ValueError),
    "huge whole number": (pd.Series([10**400, 1] * 6, dtype=object), (ValueError, OverflowError)),
    "no Unicode": (pd.Series(["\ud800", "b"] * 6, dtype=object), ValueError),
}


@pytest.mark.parametrize("what", TYPES)
@pytest.mark.parametrize("kind", [FRRClassifier, FuzzyTransformer])
def test_columns_of_unsupported_types(kind, what):
    column, error = TYPES[what]
    X = pd.DataFrame({"fine": np.arange(12.0), "the column": column})
    with pytest.raises(error, match="the column"):
        kind().fit(X, [0, 1] * 6)


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([datetime.date(2020, 1, 1)] * 12),
        pl.Series([datetime.datetime(2020, 1, 1)] * 12),
        pl.Series([[1]] * 12),
        pl.Series([{"a": 1}] * 12),
        pl.Series([b"x"] * 12),
        pl.Series([np.inf, 1.0] * 6),
    ],
)
def test_polars_columns_of_unsupported_types(column):
    X = pl.DataFrame({"fine": np.arange(12.0)}).with_columns(column.alias("the column"))
    with pytest.raises((TypeError, ValueError), match="the column"):
        fit(X, [0, 1] * 6)


@pytest.mark.parametrize(
    "X",
    [
        None,
        3,
        "text",
        [],
        [[]],
        [1.0, 2.0, 3.0, 4.0],
        [[1.0], [2.0, 3.0], [1.0], [1.0]],
        np.zeros((4, 2, 2)),
        np.float64(1),
        np.zeros((4, 0)),
        np.zeros((0, 2)),
        pd.DataFrame(),
        pd.DataFrame({"a": []}),
        pd.DataFrame(index=range(4)),
        pd.Series([1.0, 2.0, 3.0, 4.0]),
        pl.DataFrame(),
        pl.DataFrame({"a": [1.0] * 4}).lazy(),
        {"a": [1, 2, 3, 4]},
        sparse.csr_matrix(np.eye(4)),
        sparse.csr_array(np.eye(4)),
        np.eye(4) * 1j,
        np.array([[np.inf], [1.0], [2.0], [3.0]]),
        np.array([[datetime.date(2020, 1, 1)]] * 4),
        np.array([["2020-01-01"]] * 4, dtype="M8[D]"),
        np.array([[{}]] * 4, dtype=object),
    ],
    ids=lambda X: f"{type(X).__name__}{getattr(X, 'shape', '')}",
)
@pytest.mark.parametrize("kind", [FRRClassifier, FuzzyTransformer])
def test_x_that_is_not_a_table(kind, X):
    with pytest.raises((ValueError, TypeError)) as caught:
        kind().fit(X, [0, 1, 0, 1])
    assert "bad_cast" not in str(caught.value)
    model = kind().fit(np.repeat(np.arange(4.0), 6).reshape(-1, 1), [0] * 12 + [1] * 12)
    if kind is FRRClassifier:
        assert len(model.rules_)  # a column that no rule reads may contain anything
    method = model.predict if hasattr(model, "predict") else model.transform
    with pytest.raises((ValueError, TypeError)):
        method(X)


def test_infinity_at_predict(numbers):
    X, y = numbers
    model = fit(X, y)
    used = next(c.feature for rule in model.rules_ for c in rule.conditions)
    wrong = X.copy()
    wrong[7, int(used[1:])] = -np.inf
    for method in (model.predict, model.predict_proba, model.decision_function, model.apply):
        with pytest.raises(ValueError, match=f"{used}.* infinit"):
            method(wrong)
    with pytest.raises(ValueError, match="infinit"):
        model.explain(wrong)
    with pytest.raises(ValueError, match="infinit"):
        FuzzyTransformer().fit(X).transform(wrong)
    with pytest.raises(ValueError, match=used):
        model.predict(wrong.astype(np.float32))


def test_a_first_fit_that_fails_leaves_the_estimator_unfitted(numbers):
    X, y = numbers
    model = FRRClassifier(**QUICK)
    with pytest.raises(ValueError, match="class"):
        model.fit(X, y * 0)
    with pytest.raises(NotFittedError):
        model.predict(X)
    assert vars(model) == vars(FRRClassifier(**QUICK))
    transformer = FuzzyTransformer()
    with pytest.raises(ValueError, match="infinity"):
        transformer.fit(np.where(X > 2, np.inf, X))
    with pytest.raises(NotFittedError):
        transformer.transform(X)
    assert vars(transformer) == vars(FuzzyTransformer())
