"""Rows to learn from, as a table of Arrow, and the same in Spark and in pandas."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pyarrow as pa

# Small and quick, with more rows than are searched, so that a sample is drawn.
QUICK: dict[str, Any] = {
    "max_rules": 4,
    "search_rows": 1000,
    "random_state": 3,
    "advanced": {"epochs": 5},
}


def table(rows: int = 2500, seed: int = 0) -> Any:
    """Numbers, whole numbers, texts and booleans, all with nulls; labels of four types."""
    random = np.random.default_rng(seed)
    income = random.normal(40, 15, rows).round(2)
    age = random.integers(18, 90, rows)
    work = random.choice(["salary", "own", "none", "öffentlich"], rows)
    home = random.random(rows) < 0.4
    good = (income > 45) | ((work == "öffentlich") & (age > 40))
    better = good & home
    code = good.astype(int) + better.astype(int)

    def holes(share: float) -> Any:
        return random.random(rows) < share

    return pa.table(
        {
            "income": pa.array(income, mask=holes(0.05)),
            "age": pa.array(age, pa.int32(), mask=holes(0.05)),
            "work": pa.array(work.tolist(), mask=holes(0.1)),
            "home": pa.array(home, mask=holes(0.1)),
            "text": pa.array([("refuse", "ask", "grant")[own] for own in code]),
            "number": pa.array(code.astype(float)),
            "whole": pa.array(code, pa.int64()),
            "truth": pa.array(good),
            "weight": pa.array(random.integers(0, 4, rows).astype(float)),
        }
    )


FEATURES = ["income", "age", "work", "home"]


def in_parts(spark: Any, rows: Any, parts: int) -> Any:
    """The rows in so many partitions, one after the other. They come from a function, since Spark
    would make one partition of several local tables."""
    cuts = np.linspace(0, rows.num_rows, parts + 1).astype(int)
    pieces = [rows.slice(a, b - a) for a, b in itertools.pairwise(cuts)]

    def give(batches: Any) -> Any:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from pieces[number].to_batches(max_chunksize=1000)

    schema = spark.createDataFrame(rows.slice(0, 1)).schema
    return spark.range(0, parts, 1, parts).mapInArrow(give, schema)


def local_fit(rows: Any, label: str, weight: str | None = None, **params: Any) -> Any:
    """What FRRClassifier learns from the same rows in pandas."""
    from frr import FRRClassifier

    frame = rows.select(FEATURES).to_pandas()
    target = rows.column(label).to_pandas().rename(label)
    weights = None if weight is None else rows.column(weight).to_numpy()
    return FRRClassifier(**params).fit(frame, target, sample_weight=weights)
