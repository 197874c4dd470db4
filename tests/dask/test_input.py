"""What cannot be learned from is refused with a sentence that says where and what to do."""

import subprocess
import sys

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from conftest import QUICK, make_table
from frr.dask import DaskFRRClassifier
from test_model import cut


def fit(X, y, weight=None, **params):
    return DaskFRRClassifier(**{**QUICK, **params}).fit(X, y, weight)


def test_column_missing_in_one_partition(client):
    X, y = make_table()
    parts = [X[:2000], X[2000:].drop(columns="colour")]
    broken = dd.from_map(lambda part: part, parts, meta=X[:0], enforce_metadata=False)
    with pytest.raises(ValueError, match=r"shard 1: .* no column 'colour'"):
        fit(broken, cut(y, (2000,)))
    assert not any(client.processing().values())


def test_different_partitions(client):
    X, y = make_table()
    with pytest.raises(ValueError, match="X has 2 partitions, but y has 3"):
        fit(cut(X, (2000,)), cut(y, (2000, 3000)))
    with pytest.raises(ValueError, match="X has 2 partitions, but sample_weight has 1"):
        fit(cut(X, (2000,)), cut(y, (2000,)), cut(y, ()))
    # Both are wrong; the one that is checked first is reported.
    either = "shard 0: X has 2000 rows, but y has 3000|shard 1: X has 3000 rows, but y has 2000"
    with pytest.raises(ValueError, match=either):
        fit(cut(X, (2000,)), cut(y, (3000,)))
    rows = np.zeros((10, 2))
    with pytest.raises(ValueError, match=r"X have \(5, 5\) rows, but those of y \(4, 6\)"):
        fit(da.from_array(rows, chunks=(5, 2)), da.from_array(rows[:, 0], chunks=((4, 6),)))


def test_missing_class(client):
    X, y = make_table()
    y[2500] = None
    with pytest.raises(ValueError, match=r"shard 1: Input y contains NaN"):
        fit(cut(X, (2000,)), cut(y, (2000,)))


def test_numbers_are_no_classes(client):
    X, _ = make_table()
    with pytest.raises(ValueError, match=r"shard [01]: Unknown label type"):
        fit(cut(X, (2000,)), cut(X["a"], (2000,)))


def test_infinite_number_and_negative_weight(client):
    X, y = make_table()
    weight = pd.Series(np.ones(len(X)))
    weight[3000] = -1
    with pytest.raises(ValueError, match="shard 1"):
        fit(cut(X, (2000,)), cut(y, (2000,)), cut(weight, (2000,)))
    X.loc[3000, "a"] = np.inf
    with pytest.raises(ValueError, match="shard 1"):
        fit(cut(X, (2000,)), cut(y, (2000,)))


def test_one_class_alone(client):
    X, y = make_table()
    y[:] = "yes"
    with pytest.raises(ValueError, match="class"):
        fit(cut(X, (2000,)), cut(y, (2000,)))


def test_rows_in_memory(client):
    X, y = make_table(100)
    with pytest.raises(TypeError, match="use FRRClassifier"):
        fit(X, y)
    with pytest.raises(TypeError, match="y must be a dask Series or Array, got Series"):
        fit(cut(X, ()), y)
    model = fit(cut(X, ()), cut(y, ()))
    with pytest.raises(TypeError, match="rows in memory"):
        model.explain(cut(X, ()))


def test_wrong_parameters(client):
    X, y = make_table(100)
    with pytest.raises(TypeError, match="max_ruls"):
        DaskFRRClassifier(max_ruls=3)
    with pytest.raises(ValueError, match="max_rules must be"):
        fit(cut(X, ()), cut(y, ()), max_rules=0)
    with pytest.raises(ValueError, match="class_weight names the classes"):
        fit(cut(X, ()), cut(y, ()), class_weight={"other": 2.0})


def test_columns_of_predict(client):
    X, y = make_table()
    model = fit(cut(X, (2000,)), cut(y, (2000,)))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(cut(X.drop(columns="a"), ()))
    with pytest.raises(ValueError, match="expecting 6 features"):
        model.predict(da.zeros((10, 3)))


def test_no_client():
    X, y = make_table(100)
    with pytest.raises(ValueError, match="there is no Dask client"):
        fit(cut(X, ()), cut(y, ()))


def test_without_dask():
    code = """
import sys
import frr
assert "dask" not in sys.modules and "distributed" not in sys.modules
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("dask", "distributed"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Block())
try:
    import frr.dask
except ImportError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True
    )
    assert "pip install 'frr[dask]'" in done.stdout
