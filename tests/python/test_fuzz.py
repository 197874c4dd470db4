"""Arbitrary input to the estimators: a useful error or a result, never a crash."""

import json
import warnings

import numpy as np
import pytest
from conftest import QUICK
from frr import FRRClassifier, FuzzyTransformer
from frr._options import ADVANCED
from hypothesis import given
from hypothesis import strategies as st
from odd import (
    again,
    fuzz,
    nested,
    tables,
    targets,
    use_estimator,
)


@pytest.fixture(autouse=True)
def quietly():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def rows_of(X) -> int:
    try:
        return len(X)
    except TypeError:
        return 0


def use(model, X, other) -> None:
    for data in (X, other):
        for method in ("predict", "predict_proba", "decision_function", "apply", "explain"):
            if hasattr(model, method):
                use_estimator(lambda data=data, method=method: getattr(model, method)(data))


def test_classifier():
    @fuzz(1200)
    @given(tables, targets, tables, st.booleans(), nested)
    def body(X, y, other, fitting, odd):
        if fitting:  # a valid target, so that fit gets further
            y = [("a", "b")[i % 2] for i in range(rows_of(X))]
        model = FRRClassifier(**QUICK)
        if use_estimator(lambda: model.fit(X, y)) is not None:
            use(model, X, other)
            assert isinstance(model.to_text(), str)
            assert FRRClassifier.__name__ in repr(model)
            json.loads(model.to_json())
        use_estimator(lambda: FRRClassifier(**QUICK).fit(X, y, sample_weight=odd))
        use_estimator(lambda: FRRClassifier(**QUICK, categorical_features=odd).fit(X, y))

    again(body)


def test_parameters():
    names = sorted(set(FRRClassifier().get_params()) - {"random_state", "restarts"})
    settings = st.dictionaries(st.sampled_from(sorted(set(ADVANCED) - {"epochs"})), nested)

    @fuzz(800)
    @given(st.dictionaries(st.sampled_from(names), nested, max_size=3), st.none() | settings)
    def body(parameters, advanced):
        X, y = np.arange(12.0).reshape(6, 2), [0, 1] * 3
        given = QUICK | parameters | {"verbose": 0}
        if advanced is not None:
            given["advanced"] = QUICK["advanced"] | advanced
        use_estimator(lambda: FRRClassifier(**given).fit(X, y))

    again(body)


def test_transformer():
    @fuzz(800)
    @given(tables, targets, tables, st.sampled_from(["quantile", "uniform", "supervised"]))
    def body(X, y, other, partition):
        transformer = FuzzyTransformer(partition=partition)
        if use_estimator(lambda: transformer.fit(X, y)) is None:
            return
        for data in (X, other):
            result = use_estimator(lambda data=data: transformer.transform(data))
            if result is not None:
                assert result.shape == (len(data), len(transformer.get_feature_names_out()))
                assert ((result >= 0) & (result <= 1)).all()

    again(body)
