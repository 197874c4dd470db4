"""Compares the time of a fit on Spark, local[2], with that of one process with 2 threads.

    python bench/scale/spark_overhead.py --rows 1000000 --columns 10 --runs 3

Spark reads the rows from a Parquet file that it has written. Both sides have the rows in memory
before the measurement, Spark as a persisted DataFrame. The measurement covers the whole call of
`fit`, but not a first fit of few rows, which starts the workers. The two sides run alternately.
Needs Java.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time

from dask_overhead import make
from frr import FRRClassifier
from frr.spark import SparkFRRClassifier
from pyspark.sql import SparkSession

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "4g",
    "spark.log.level": "OFF",
}


def session() -> SparkSession:
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master("local[2]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=10)
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    frame = make(0, options.rows, options.columns)
    X, y = frame.drop(columns="class"), frame["class"]
    times: dict[str, list[float]] = {"local": [], "spark": []}
    with tempfile.TemporaryDirectory() as folder:
        frame.to_parquet(f"{folder}/rows.parquet")
        spark = session()
        rows = spark.read.parquet(f"{folder}/rows.parquet").repartition(options.partitions)
        rows = rows.persist()
        rows.count()
        estimator = SparkFRRClassifier(labelCol="class", n_jobs=2)
        estimator.fit(rows.limit(5000))
        for run in range(options.runs):
            start = time.perf_counter()
            FRRClassifier(n_jobs=2).fit(X, y)
            times["local"].append(time.perf_counter() - start)
            start = time.perf_counter()
            estimator.fit(rows)
            times["spark"].append(time.perf_counter() - start)
            print(f"run {run + 1}: local {times['local'][-1]:.2f} s, {times['spark'][-1]:.2f} s")
        spark.stop()
    least = {side: min(measured) for side, measured in times.items()}
    print(
        f"{options.rows} rows x {options.columns} columns, {options.partitions} partitions, least "
        f"of {options.runs}: local {least['local']:.2f} s, Spark {least['spark']:.2f} s, "
        f"{least['spark'] / least['local']:.1f} x"
    )


if __name__ == "__main__":
    main()
