"""The model of a cluster is that of the same rows in memory, byte for byte."""

from itertools import pairwise

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from conftest import QUICK, SEARCHED, make_table
from frr import FRRClassifier
from frr.dask import DaskFRRClassifier


def cut(frame, places):
    """A collection whose partitions end at these places; two equal places: an empty one."""
    ends = [0, *places, len(frame)]
    parts = [frame.iloc[start:end] for start, end in pairwise(ends)]
    return dd.from_map(lambda part: part, parts, meta=frame.iloc[:0])


def both(X, y, weight=None, places=(1500, 3000), **params):
    """Fitted in memory, and on the cluster."""
    params = {**QUICK, **params}
    local = FRRClassifier(**params).fit(X, y, sample_weight=weight)
    far = DaskFRRClassifier(**params).fit(
        cut(X, places), cut(y, places), None if weight is None else cut(weight, places)
    )
    return local, far


def assert_same(local, far):
    assert far.to_json() == local.to_json()
    assert far.classes_.tolist() == local.classes_.tolist()
    assert far.classes_.dtype == local.classes_.dtype
    assert far.n_features_in_ == local.n_features_in_
    assert far.loss_curve_ == local.loss_curve_
    assert str(far.rules_) == str(local.rules_)
    assert hasattr(far, "feature_names_in_") == hasattr(local, "feature_names_in_")


CUTS = {
    "1": (),
    "2": (2500,),
    "7": (700, 1400, 2100, 2800, 3500, 4200),
    "uneven": (1, 17, 4000),
    "more than one level of sums": tuple(range(100, 5000, 100)),
}


@pytest.mark.parametrize("rows", [None, SEARCHED], ids=["all searched", "sampled"])
@pytest.mark.parametrize("places", CUTS.values(), ids=CUTS.keys())
def test_frame(client, places, rows):
    assert_same(*both(*make_table(), places=places, search_rows=rows))


@pytest.mark.parametrize("rows", [None, SEARCHED], ids=["all searched", "sampled"])
def test_weights(client, rows):
    X, y = make_table()
    weight = pd.Series(np.random.default_rng(1).choice([0, 0.5, 1, 3], len(X)))
    assert_same(*both(X, y, weight, search_rows=rows))
    plain = FRRClassifier(**QUICK, search_rows=rows).fit(X, y)
    assert both(X, y, weight, search_rows=rows)[1].to_json() != plain.to_json()


@pytest.mark.parametrize("rows", [None, SEARCHED], ids=["all searched", "sampled"])
@pytest.mark.parametrize("chunks", [5000, 2500, 800, (1, 16, 3983, 1000)], ids=str)
def test_array(client, chunks, rows):
    random = np.random.default_rng(2)
    X = random.normal(size=(5000, 4))
    X[::7, 1] = np.nan
    y = (X[:, 0] > 0.2).astype(np.uint8) + 3
    weight = random.random(5000)
    local = FRRClassifier(**QUICK, search_rows=rows).fit(X, y, sample_weight=weight)
    own = (chunks,) if isinstance(chunks, tuple) else chunks
    far = DaskFRRClassifier(**QUICK, search_rows=rows).fit(
        da.from_array(X, chunks=(own[0] if isinstance(own, tuple) else own, 3)),
        da.from_array(y, chunks=own),
        da.from_array(weight, chunks=own),
    )
    assert_same(local, far)
    assert far.classes_.dtype == np.uint8


@pytest.mark.parametrize("kind", [object, "U", "S"])
def test_array_of_texts(client, kind):
    random = np.random.default_rng(3)
    X = np.empty((1200, 3), object)
    X[:, 0] = random.choice(["u", "v", "w\xe4" if kind != "S" else "w"], 1200)
    X[:, 1] = random.integers(0, 9, 1200)
    X[:, 2] = "z" * 1000
    if kind is object:
        X[::7, 0] = None
    X = X.astype(kind)
    y = np.where(X[:, 0] == X[0, 0], "yes", "no")
    far = DaskFRRClassifier(**QUICK).fit(
        da.from_array(X, chunks=(500, 3)), da.from_array(y, chunks=500)
    )
    assert_same(FRRClassifier(**QUICK).fit(X, y), far)


def test_unknown_chunks(client):
    X, y = make_table()
    X = X[["a", "b", "whole"]]
    local = FRRClassifier(**QUICK).fit(X.to_numpy(), y.to_numpy())
    dX, dy = cut(X, (1000,)).values, cut(y, (1000,)).to_dask_array()
    assert np.isnan(dX.shape[0])
    assert_same(local, DaskFRRClassifier(**QUICK).fit(dX, dy))


@pytest.mark.parametrize("rows", [None, SEARCHED], ids=["all searched", "sampled"])
def test_empty_partitions(client, rows):
    X, y = make_table()
    assert_same(*both(X, y, places=(0, 0, 2000, 2000, 5000), search_rows=rows))


def test_partitions_of_one_class(client):
    X, y = make_table()
    order = np.argsort(y.to_numpy(), kind="stable")
    X, y = X.iloc[order].reset_index(drop=True), y.iloc[order].reset_index(drop=True)
    first = int((y == y.iloc[0]).sum())
    assert_same(*both(X, y, places=(first,), search_rows=SEARCHED))


@pytest.mark.parametrize("kind", ["str", "category", "object"])
def test_category_of_one_partition(client, kind):
    X, y = make_table()
    X.loc[100:160, "colour"] = "violet"
    y[100:161] = "yes"
    X["colour"] = X["colour"].astype(kind)
    local = FRRClassifier(**QUICK, search_rows=SEARCHED).fit(X, y)
    parts = [X.iloc[:1000], X.iloc[1000:]]
    if kind == "category":  # each knows its own alone
        parts = [p.assign(colour=p["colour"].cat.remove_unused_categories()) for p in parts]
    dX = dd.from_map(lambda p: p, parts, meta=parts[0].iloc[:0])
    far = DaskFRRClassifier(**QUICK, search_rows=SEARCHED).fit(dX, cut(y, (1000,)))
    assert far.to_json() == local.to_json()


def test_nullable_types(client):
    X, y = make_table()
    X["whole"] = X["whole"].astype("Int64").mask(X["whole"] > 45)
    X["flag"] = X["flag"].astype("boolean").mask(X["whole"] == 3)
    X["c"] = X["c"].astype("Float64")
    assert_same(*both(X, y, search_rows=SEARCHED))
    for kind in ("Int64", "int8", "float32", "boolean", "category"):
        classes = (y == "yes").astype("int64").astype(kind)
        local, far = both(X, classes)
        assert_same(local, far)


@pytest.mark.parametrize("given", [["whole"], [3], [False] * 3 + [True, False, False]], ids=str)
def test_categorical_features(client, given):
    assert_same(*both(*make_table(), categorical_features=given, search_rows=SEARCHED))


def test_other_parameters(client):
    X, y = make_table()
    own = {"a": {"low": [None, None, 0, 0.5], "high": [0, 0.5, None, None]}}
    params = {"class_weight": {"yes": 3.0}, "partition": own, "random_state": 7}
    assert_same(*both(X, y, **params))
    assert_same(*both(X, y, class_weight="balanced", semantics="additive", search_rows=SEARCHED))


def test_names_that_are_taken(client):
    X, y = make_table()
    X = X.rename(columns={"a": "weight", "b": "answer"})
    weight = pd.Series(np.ones(len(X)))
    local, far = both(X, y, weight)
    assert_same(local, far)
    assert far._model.target == "answer_"


def test_columns_without_names(client):
    X, y = make_table()
    X.columns = range(6)
    assert_same(*both(X, y))
