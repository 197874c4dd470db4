"""The fitted estimator: lazy decisions, and the manners of scikit-learn."""

import pickle
import threading
import time
from pathlib import Path

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pytest
from conftest import QUICK, make_table
from frr import FRRClassifier
from frr.dask import DaskFRRClassifier
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from test_model import cut

PLACES = (0, 1500, 3000)  # the first partition is empty


@pytest.fixture
def fitted(client):
    X, y = make_table()
    dX, dy = cut(X, PLACES), cut(y, PLACES)
    return X, y, dX, dy, DaskFRRClassifier(client=client, **QUICK).fit(dX, dy)


@pytest.mark.parametrize(
    "method", ["predict", "predict_proba", "apply", "decision_function", "referred"]
)
def test_lazy_decisions_of_a_frame(fitted, method):
    X, y, dX, _, model = fitted
    model = model.decide(refer=0.9)
    expected = getattr(FRRClassifier(**QUICK, refer=0.9).fit(X, y), method)(X)
    lazy = getattr(model, method)(dX)
    assert isinstance(lazy, da.Array)
    assert lazy.dtype == expected.dtype
    assert lazy.ndim == expected.ndim
    assert lazy.numblocks[0] == 4
    result = lazy.compute()
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)
    np.testing.assert_array_equal(getattr(model, method)(X), expected)  # rows in memory


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "method", ["predict", "predict_proba", "apply", "decision_function", "referred"]
)
def test_lazy_decisions_of_an_array(client, method, classes):
    X = np.random.default_rng(0).normal(size=(2000, 3))
    y = np.digitize(X[:, 0], [0.0, 0.8][: classes - 1])
    expected = getattr(FRRClassifier(**QUICK).fit(X, y), method)(X)
    dX, dy = da.from_array(X, chunks=(700, 2)), da.from_array(y, chunks=700)
    lazy = getattr(DaskFRRClassifier(**QUICK).fit(dX, dy), method)(dX)
    assert lazy.shape == expected.shape
    assert lazy.dtype == expected.dtype
    np.testing.assert_array_equal(lazy.compute(), expected)


def test_only_needed_columns_are_read(fitted):
    X, _, dX, _, model = fitted
    lazy = model._used_columns(dX, model.to_local())
    assert set(lazy.columns) == set(model._model.used_features)
    assert len(lazy.columns) < len(X.columns)


def test_score(fitted):
    X, y, dX, dy, model = fitted
    weight = X["whole"].astype(float)
    assert model.score(dX, dy) == pytest.approx(model.to_local().score(X, y))
    assert model.score(dX, dy, cut(weight, PLACES)) == pytest.approx(
        model.to_local().score(X, y, weight)
    )


def test_decisions(fitted):
    X, y, dX, dy, model = fitted
    given = {"positive": "yes", "costs": {"miss": 20}, "refer": 0.8}
    local = FRRClassifier(**QUICK, **given).fit(X, y)
    far = DaskFRRClassifier(client=model.client, **QUICK, **given).fit(dX, dy)
    assert far.to_json() == local.to_json()
    changed = model.decide(**given)
    assert isinstance(changed, DaskFRRClassifier)
    np.testing.assert_array_equal(changed.predict(dX).compute(), local.predict(X))
    np.testing.assert_array_equal(changed.predict_proba(dX).compute(), local.predict_proba(X))
    with pytest.raises(ValueError, match=r"call decide\(X, y, sensitivity=0.9\) on the model"):
        DaskFRRClassifier(client=model.client, sensitivity=0.9).fit(dX, dy)
    with pytest.raises(ValueError, match="decide needs X and y to choose a threshold"):
        model.decide(positive="yes", sensitivity=0.9)


def test_to_local(fitted):
    X, _, _, _, model = fitted
    local = model.to_local()
    assert type(local) is FRRClassifier
    assert local.get_params() == {k: v for k, v in model.get_params().items() if k != "client"}
    assert local.to_json() == model.to_json()
    assert local.explain(X[:3])[0].prediction == local.predict(X[:1])[0]


def test_pickle_leaves_the_client_behind(fitted):
    X, _, _, _, model = fitted
    again = pickle.loads(pickle.dumps(model))
    assert again.client is None
    assert again.to_json() == model.to_json()
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert again.client_ is model.client_  # the current one
    pickle.loads(pickle.dumps(model.to_local())).predict(X)


def test_clone_and_parameters(client):
    model = DaskFRRClassifier(client=client, max_rules=3, class_weight={"yes": 2.0})
    copy = clone(model)
    assert copy.client is client
    assert copy.get_params() == model.get_params()
    assert copy.class_weight is not model.class_weight
    assert set(model.get_params()) == {*FRRClassifier().get_params(), "client"}
    assert model.set_params(max_rules=5).max_rules == 5
    assert repr(DaskFRRClassifier(max_rules=3)) == "DaskFRRClassifier(max_rules=3)"
    with pytest.raises(ValueError, match="Invalid parameter"):
        model.set_params(max_ruls=1)


def test_not_fitted(client):
    X, _ = make_table(100)
    model = DaskFRRClassifier(client=client)
    for call in (lambda: model.client_, lambda: model.predict(cut(X, ())), model.to_local):
        with pytest.raises(NotFittedError):
            call()


def test_load(fitted, tmp_path):
    X, _, dX, _, model = fitted
    model.save(tmp_path / "model.json")
    again = DaskFRRClassifier.load(tmp_path / "model.json")
    np.testing.assert_array_equal(again.predict(dX).compute(), model.predict(X))
    with pytest.raises(ValueError, match="which the rules need"):
        again.predict(cut(X[["b", "c"]], ()))


def test_a_failed_fit_leaves_the_earlier_model(fitted):
    X, y, dX, dy, model = fitted
    earlier, expected = dict(vars(model)), model.predict(X)
    with pytest.raises(ValueError, match="class"):
        model.fit(dX[["a", "b"]], dy.map_partitions(lambda part: part * 0 + "one"))
    with pytest.raises(TypeError, match="dask"):
        model.fit(X, y)
    now = vars(model)
    assert now.keys() == earlier.keys()
    assert all(now[name] is earlier[name] for name in now)
    assert model.client_ is model.client
    np.testing.assert_array_equal(model.predict(dX).compute(), expected)


def test_a_first_fit_that_fails_leaves_the_estimator_unfitted(client):
    X, y = make_table(100)
    model = DaskFRRClassifier(client=client, **QUICK)
    with pytest.raises(ValueError, match="class"):
        model.fit(cut(X, ()), cut(y.where(y.isna(), "one"), ()))
    assert vars(model) == vars(DaskFRRClassifier(client=client, **QUICK))
    with pytest.raises(NotFittedError):
        model.to_local()


def read_late(number, folder):
    (Path(folder) / f"asked {number}").touch()
    while not (Path(folder) / "go").exists():
        time.sleep(0.02)
    return make_table(500, number)[0]


def test_a_running_fit_leaves_the_earlier_model(fitted, tmp_path):
    X, _, _, _, model = fitted
    expected = model.predict(X)
    late = dd.from_map(read_late, range(2), folder=str(tmp_path), meta=make_table()[0][:0])
    y = da.from_array(np.arange(1000) % 2, chunks=500)
    late = late[["a", "b"]]
    thread = threading.Thread(target=lambda: model.fit(late, y))
    thread.start()
    try:
        while not list(tmp_path.iterdir()):  # until the fit has its rows read
            assert thread.is_alive()
            time.sleep(0.02)
        np.testing.assert_array_equal(model.predict(X), expected)
        assert model.to_local().n_features_in_ == X.shape[1]
        assert model.client_ is model.client
        assert model.classes_.tolist() == ["maybe", "no", "yes"]
    finally:
        (tmp_path / "go").touch()
        thread.join()
    assert model.classes_.tolist() == [0, 1]
    assert model.feature_names_in_.tolist() == ["a", "b"]
    model.fit(da.from_array(X[["a"]].to_numpy()), da.from_array((X["a"] > 0).to_numpy()))
    assert not hasattr(model, "feature_names_in_")
