"""Parameters, and columns that cannot be learned from."""

from __future__ import annotations

import inspect
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from frr import FRRClassifier
from frr.spark import SparkFRRClassifier, SparkFRRModel
from tables import FEATURES, QUICK, local_fit, table


def test_every_parameter_of_the_classifier_is_there(spark: Any) -> None:
    estimator = SparkFRRClassifier()
    for name, parameter in inspect.signature(FRRClassifier).parameters.items():
        param = estimator.getParam(name)
        assert param.doc
        assert callable(getattr(estimator, "set" + name.title().replace("_", "")))
        assert name in inspect.signature(SparkFRRClassifier).parameters
        if parameter.default is None or name == "categorical_features":
            assert not estimator.isDefined(param)
        else:
            assert estimator.getOrDefault(param) == parameter.default
    estimator.explainParams()


def test_setting(spark: Any) -> None:
    estimator = SparkFRRClassifier(labelCol="y", max_rules=7, advanced={"gradient": False})
    assert estimator.setMaxConditions(2) is estimator
    estimator.setParams(price=1, featuresCols=["a", "b"]).setLabelCol("z").setWeightCol("w")
    assert estimator.training()["max_conditions"] == 2
    assert estimator.training()["price"] == 1.0
    assert estimator.training()["advanced"] == {"gradient": False}
    assert "restarts" not in estimator.training()
    estimator.setAdvanced({"learning_rate": np.float64(0.5)})
    assert type(estimator.training()["advanced"]["learning_rate"]) is float  # as JSON needs it
    assert (estimator.getLabelCol(), estimator.getFeaturesCols()) == ("z", ["a", "b"])
    copied = estimator.copy({estimator.max_rules: 3})
    assert (copied.training()["max_rules"], estimator.training()["max_rules"]) == (3, 7)


def test_parameters_that_are_wrong(spark: Any) -> None:
    with pytest.raises(TypeError, match="no parameter 'maxRules'"):
        SparkFRRClassifier(maxRules=3)
    with pytest.raises(TypeError, match="max_rules"):
        SparkFRRClassifier(max_rules="many")
    with pytest.raises(TypeError, match=r"advanced: .* must be a dict"):
        SparkFRRClassifier(advanced=8)
    with pytest.raises(TypeError, match="keyword"):
        SparkFRRClassifier("label")
    data = spark.createDataFrame(table(50))

    def refused(match: str, **params: Any) -> None:
        with pytest.raises(ValueError, match=match):
            SparkFRRClassifier(labelCol="text", featuresCols=FEATURES, **params).fit(data)

    jobs = len(spark.sparkContext.statusTracker().getJobIdsForGroup(None))
    refused("max_rules must be a whole number from 1 to 1000, got 0", max_rules=0)
    refused("preset must be", preset="best")
    refused("advanced has no setting 'kapa'; did you mean 'kappa'?", advanced={"kapa": 3})
    refused("threshold must be a number above 0 and below 1, got 2", threshold=2)
    refused(r"call decide\(X, y, sensitivity=0.9\) on the model", sensitivity=0.9)
    refused("costs and threshold both say", threshold=0.2, costs={"miss": 3})
    refused("scoring must be 'udf' or 'sql', got 'java'", scoring="java")
    # Reported before Spark starts to work.
    assert len(spark.sparkContext.statusTracker().getJobIdsForGroup(None)) == jobs


def test_decision_parameters_are_those_of_the_classifier(spark: Any) -> None:
    rows = table(300)
    data = spark.createDataFrame(rows)
    for label, kind, given in (
        ("text", "string", {"positive": "refuse", "costs": {"miss": 7}}),
        (
            "text",
            "string",
            {"costs": {("refuse", "grant"): 7, ("ask", "grant"): 0.5}, "refer": 0.7},
        ),
        ("number", "double", {"positive": 1, "threshold": 0.3}),
        ("truth", "boolean", {"positive": True, "threshold": 0.3}),
    ):
        estimator = SparkFRRClassifier(labelCol=label, featuresCols=FEATURES, **QUICK, **given)
        model = estimator.fit(data)
        assert model.toJson() == local_fit(rows, label, **QUICK, **given).to_json()
        assert model._kind == kind


def test_columns_that_are_wrong(spark: Any) -> None:
    data = spark.createDataFrame(table(200)).selectExpr(
        "*", "date '2020-01-01' as day", "array(income) as list"
    )

    def refused(match: str, frame: Any = data, **params: Any) -> None:
        with pytest.raises(ValueError, match=match):
            SparkFRRClassifier(**{"labelCol": "text", **params}).fit(frame)

    refused("no column 'outcome' .labelCol.; its columns are 'income', 'age'", labelCol="outcome")
    refused("no column 'wages' .featuresCols.", featuresCols=["income", "wages"])
    refused("no column 'w' .weightCol.", featuresCols=["income"], weightCol="w")
    refused("'work' .weightCol. is of type string", featuresCols=["income"], weightCol="work")
    refused("'day' .labelCol. is of type date", featuresCols=["income"], labelCol="day")
    refused("'day' is of type date.*columns to learn from in featuresCols")
    refused(
        "'list' is of type array<double>.*remove it from featuresCols",
        featuresCols=["income", "list"],
    )
    refused("'text', which is the label", featuresCols=["income", "text"])
    refused("'income' more than once", featuresCols=["income", "income"])
    refused("no column to learn from", featuresCols=[])
    refused("labelCol and weightCol are the same", labelCol="number", weightCol="number")
    refused("already has a column 'age'; give ruleCol", featuresCols=["income"], ruleCol="age")
    refused("no rows", data.filter("age > 1000"), featuresCols=FEATURES)
    refused("columns 'income'", data.select("income", "income", "text"))
    from pyspark.ml.feature import VectorAssembler

    assembled = VectorAssembler(inputCols=["number"], outputCol="features").transform(data)
    refused("'features' is a vector.*assembled from", assembled, featuresCols=["features"])


def test_columns_that_a_model_cannot_read(spark: Any) -> None:
    model = SparkFRRModel(local_fit(table(), "text", **QUICK).to_json(), "string")
    data = spark.createDataFrame(table(20).select(FEATURES))
    with pytest.raises(ValueError, match=r"no column 'income' \(the rules read it\)"):
        model.transform(data.drop("income"))
    with pytest.raises(ValueError, match="'income' is of type string, but the rules need numbers"):
        model.transform(data.selectExpr("cast(income as string) as income", "age", "work", "home"))
    with pytest.raises(ValueError, match="already has a column 'rule'"):
        model.transform(data.selectExpr("*", "1 as Rule"))
    with pytest.raises(ValueError, match="fit or load one"):
        SparkFRRModel().transform(data)


def test_without_pyspark() -> None:
    code = (
        "import sys; sys.modules['pyspark'] = None\n"
        "try:\n    import frr.spark\nexcept ImportError as error:\n    print(error)"
    )
    actual = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=600
    )
    assert "pip install 'frr[spark]'" in actual.stdout
