"""A cluster of two worker processes on this machine, and tables to learn from."""

import os
import signal

import numpy as np
import pandas as pd
import pytest

dask = pytest.importorskip("dask", reason="Dask is not installed: pip install 'frr[dask]'")
pytest.importorskip("dask.dataframe", reason="Dask is not installed: pip install 'frr[dask]'")
distributed = pytest.importorskip(
    "distributed", reason="Dask is not installed: pip install 'frr[dask]'"
)

# A shell that starts the tests in the background has them ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Little work, and still more than one kind of request.
QUICK = {"augment": 0, "max_rules": 4, "max_conditions": 2, "advanced": {"epochs": 5}}
SEARCHED = 2000  # rows that are searched where a table shall have more


@pytest.fixture(scope="session")
def cluster():
    # A LocalCluster gives up a worker for good that is away 15 s after it died, even if it has come
    # back and died again meanwhile, as it does here.
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": "60 minutes"}),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
        ) as own,
    ):
        yield own


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster) as own:
        own.wait_for_workers(2, timeout=600)
        yield own


def worker_pids(client) -> dict[str, int]:
    return client.run(os.getpid)


def make_table(rows: int = 5000, seed: int = 0) -> tuple[pd.DataFrame, pd.Series]:
    """Numbers, names, a flag and missing values; the class follows from some of them."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame(random.normal(size=(rows, 3)), columns=["a", "b", "c"])
    X["whole"] = random.integers(0, 50, rows)
    X["colour"] = random.choice(["red", "green", "blue"], rows)
    X["flag"] = random.random(rows) < 0.3
    y = np.where((X.a > 0.3) & (X.colour != "red"), "yes", np.where(X.flag, "maybe", "no"))
    X.loc[random.random(rows) < 0.1, "b"] = np.nan
    X.loc[random.random(rows) < 0.1, "colour"] = None
    return X, pd.Series(y, name="answer")
