"""Compares a fit on 2 Dask workers of one thread each with a fit in one process with 2 threads.

    python bench/scale/dask_overhead.py --rows 2000000 --columns 20 --runs 3

Both sides have the rows in memory before the measurement: the workers as persisted partitions,
which they generate, and this process as one pandas DataFrame of the same rows. The measurement
covers the whole call of `fit` with its checks. On Dask, this includes preparing the partitions,
all requests and answers, and learning from the sample in this process with the same 2 threads,
while the workers wait. It does not include starting the cluster, generating the rows, and a first
fit of few rows, which loads the modules. The two sides run alternately.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
from distributed import Client, LocalCluster, wait
from frr import FRRClassifier
from frr.dask import DaskFRRClassifier


def make(part: int, rows: int, width: int) -> pd.DataFrame:
    """Normally distributed numbers. Four columns give the class, except in a tenth of the rows."""
    random = np.random.default_rng(part)
    table = pd.DataFrame({f"x{i}": random.normal(size=rows) for i in range(width)})
    x0, x1, x2, x3 = (table[f"x{i}"] for i in range(4))
    y = ((x0 > 0.4) & (x1 < 0.6) | (x2 > 1.2)).astype(np.int64) + 2 * (x3 > 1.5)
    table["class"] = y.where(random.random(rows) > 0.1, random.integers(0, 4, rows))
    return table


def seconds(fit: Any) -> tuple[float, str]:
    start = time.perf_counter()
    model = fit()
    return time.perf_counter() - start, model.to_json()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        size = options.rows // options.partitions
        table = dd.from_map(
            make,
            range(options.partitions),
            rows=size,
            width=options.columns,
            meta=make(0, 2, options.columns),
        )
        rows = client.persist([table.drop(columns="class"), table["class"]])
        wait(rows)
        X, y = client.compute(rows, sync=True)
        few = [dd.from_pandas(x[:5000], npartitions=2, sort=False) for x in (X, y)]
        DaskFRRClassifier(n_jobs=2).fit(*few)
        FRRClassifier(n_jobs=2).fit(X[:5000], y[:5000])
        times: dict[str, list[float]] = {"local": [], "dask": []}
        for run in range(options.runs):
            load = os.getloadavg()[0]
            local, model = seconds(lambda: FRRClassifier(n_jobs=2).fit(X, y))
            on_dask, same = seconds(lambda: DaskFRRClassifier(n_jobs=2).fit(*rows))
            assert model == same, "the models differ"
            times["local"].append(local)
            times["dask"].append(on_dask)
            print(f"run {run + 1}: local {local:.2f} s, dask {on_dask:.2f} s, load {load:.1f}")
    least = {side: min(measured) for side, measured in times.items()}
    print(
        f"{len(X)} rows x {options.columns} columns, {options.partitions} partitions, least "
        f"of {options.runs}: local {least['local']:.2f} s, dask {least['dask']:.2f} s, "
        f"{least['dask'] / least['local']:.2f} x; the same model"
    )


if __name__ == "__main__":
    main()
