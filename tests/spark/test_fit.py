"""A fit on Spark gives the model that FRRClassifier gives for the collected rows."""

from __future__ import annotations

import re
from typing import Any

import pyarrow as pa
import pytest
from frr import _spark_rows
from frr.spark import SparkFRRClassifier
from tables import FEATURES, QUICK, in_parts, local_fit, table


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_model_does_not_depend_on_partitions(spark: Any, parts: int) -> None:
    rows = table()
    data = in_parts(spark, rows, parts)
    assert data.rdd.getNumPartitions() == parts
    model = SparkFRRClassifier(labelCol="text", featuresCols=FEATURES, **QUICK).fit(data)
    assert model.toJson() == local_fit(rows, "text", **QUICK).to_json()
    assert len(model.rules) > 1


def test_all_rows_where_they_are_few(spark: Any) -> None:
    rows, few = table(600), {**QUICK, "search_rows": 2000}
    data = in_parts(spark, rows, 3)
    model = SparkFRRClassifier(labelCol="text", featuresCols=FEATURES, **few).fit(data)
    assert model.toJson() == local_fit(rows, "text", **few).to_json()


@pytest.mark.parametrize("label", ["number", "whole", "truth"])
def test_weights_and_labels_of_every_type(spark: Any, label: str) -> None:
    rows = table()
    estimator = SparkFRRClassifier(
        labelCol=label, weightCol="weight", featuresCols=FEATURES, **QUICK
    )
    model = estimator.fit(in_parts(spark, rows, 2))
    local = local_fit(rows, label, "weight", **QUICK)
    assert model.toJson() == local.to_json()
    assert model.classes == local.classes_.tolist()


def test_class_weights_are_found_however_they_are_written(spark: Any) -> None:
    rows = table()
    given = {1: 3.0, 2.0: 0.5}
    model = SparkFRRClassifier(
        labelCol="number", featuresCols=FEATURES, class_weight=given, **QUICK
    ).fit(in_parts(spark, rows, 2))
    local = local_fit(rows, "number", class_weight={1.0: 3.0, 2.0: 0.5}, **QUICK)
    assert model.toJson() == local.to_json()


def test_empty_partitions_one_class_and_a_category_of_its_own(spark: Any) -> None:
    # By label and category: each partition holds some of them alone, and most are empty.
    data = spark.createDataFrame(table()).repartition(12, "text", "work").persist()
    sizes = data.rdd.mapPartitions(lambda part: [sum(1 for _ in part)]).collect()
    assert sizes.count(0) >= 2
    rows = data.toArrow()
    model = SparkFRRClassifier(labelCol="text", featuresCols=FEATURES, **QUICK).fit(data)
    assert model.toJson() == local_fit(rows, "text", **QUICK).to_json()
    assert data.storageLevel.useMemory  # the caller's, so it stays
    data.unpersist()


def test_blocks_and_sums_of_sums(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # A partition is cut into blocks of few rows, and answers are added on workers first.
    monkeypatch.setattr(_spark_rows, "block_rows", lambda columns: 211)
    monkeypatch.setattr(_spark_rows, "_FAN_IN", 3)
    rows = table()
    data = in_parts(spark, rows, 5)
    model = SparkFRRClassifier(labelCol="text", featuresCols=FEATURES, **QUICK).fit(data)
    assert model.toJson() == local_fit(rows, "text", **QUICK).to_json()


def test_blocks_of_batches() -> None:
    batches = pa.table({"x": list(range(23))}).to_batches(max_chunksize=4)
    blocks = list(_spark_rows._blocks(batches, 5))
    assert [block.column("x").to_pylist() for block in blocks] == [
        [0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14], [15, 16, 17, 18, 19], [20, 21, 22],
    ]  # fmt: skip
    assert [block.num_rows for block in _spark_rows._blocks(batches, 23)] == [23]
    assert [block.num_rows for block in _spark_rows._blocks(batches, 1)] == [1] * 23
    assert list(_spark_rows._blocks([], 5)) == []


def test_rows_in_another_order_have_another_checksum() -> None:
    hashes = [5, -7, 2**62, -(2**63)]
    total = _spark_rows._checksum(pa.array(hashes), 0)
    # By hand: the sum of hash times 1, 3, 5, 7, modulo 2^64.
    assert total == sum(h * odd for h, odd in zip(hashes, (1, 3, 5, 7), strict=True)) % 2**64
    parts = _spark_rows._checksum(pa.array(hashes[:1]), 0) + _spark_rows._checksum(
        pa.array(hashes[1:]), 1
    )
    assert parts % 2**64 == total
    assert _spark_rows._checksum(pa.array([-7, 5, *hashes[2:]]), 0) != total


def test_only_the_columns_that_are_asked_for_are_read(
    spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[set[str]] = []
    collect = _spark_rows.Rows._collect

    def watched(frame: Any, what: str) -> Any:
        plan = frame._jdf.queryExecution().optimizedPlan().toString()
        asked.append(set(re.findall(r"\b(c\d+)#", plan.split("InMemoryRelation")[0])))
        return collect(frame, what)

    monkeypatch.setattr(_spark_rows.Rows, "_collect", staticmethod(watched))
    model = SparkFRRClassifier(
        labelCol="text", featuresCols=FEATURES, **{**QUICK, "max_rules": 2, "max_conditions": 1}
    ).fit(spark.createDataFrame(table()))
    used = model.toLocal()._model.used_features
    assert 0 < len(used) < len(FEATURES)
    assert asked[0] == set()  # counting
    assert asked[1] == {"c0", "c1", "c2", "c3", "c4"}  # the survey: features and label
    assert asked[-1] == {f"c{FEATURES.index(name)}" for name in used} | {"c4"}


def test_default_features_are_all_but_label_and_weight(spark: Any) -> None:
    rows = table()
    data = spark.createDataFrame(rows.select([*FEATURES, "text", "weight"]))
    model = SparkFRRClassifier(labelCol="text", weightCol="weight", **QUICK).fit(data)
    assert model.toJson() == local_fit(rows, "text", "weight", **QUICK).to_json()


def test_nothing_stays_persisted(spark: Any) -> None:
    persistent = spark.sparkContext._jsc.getPersistentRDDs
    before = persistent().size()
    SparkFRRClassifier(labelCol="text", featuresCols=FEATURES, **QUICK).fit(
        spark.createDataFrame(table(800))
    )
    assert persistent().size() == before
