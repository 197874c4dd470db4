"""What the model decides, how it is kept, and how it works with the rest of pyspark.ml."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from frr import FRRClassifier
from frr.spark import SparkFRRClassifier, SparkFRRModel
from tables import FEATURES, QUICK, in_parts, local_fit, table


def strange_rows() -> Any:
    """Rows that no training has seen: nulls everywhere, NaN, other categories, far numbers."""
    rows = table(400, seed=9)
    more = pa.table(
        {
            "income": pa.array([None, float("nan"), 1e300, -1e300, 45.0, 0.0]),
            "age": pa.array([None, 2**31 - 1, -(2**31), 40, 41, 0], pa.int32()),
            "work": pa.array([None, "", "O'Brien \\ ${env:HOME} $1", "öffentlich", "own", "None"]),
            "home": pa.array([None, True, False, True, None, False]),
        }
    )
    return pa.concat_tables([rows.select(FEATURES), more])


def vectors(rows: Any) -> Any:
    return np.array([row["probability"].toArray() for row in rows])


@pytest.mark.parametrize("scoring", ["udf", "sql"])
@pytest.mark.parametrize("label", ["text", "number", "truth"])
def test_decisions_are_those_of_the_local_model(spark: Any, label: str, scoring: str) -> None:
    local = local_fit(table(), label, **QUICK)
    kind = {"text": "string", "number": "double", "truth": "boolean"}[label]
    model = SparkFRRModel(local.to_json(), kind).setScoring(scoring)
    rows = strange_rows()
    data = in_parts(spark, rows, 3)
    decided = model.transform(data)
    assert decided.schema == model.transformSchema(data.schema)
    got = decided.collect()
    frame = rows.to_pandas()
    assert [row["prediction"] for row in got] == local.predict(frame).tolist()
    assert [row["rule"] for row in got] == (local.apply(frame) + 1).tolist()
    assert len({row["rule"] for row in got}) > 2
    assert np.abs(vectors(got) - local.predict_proba(frame)).max() <= 1e-12
    assert [row["work"] for row in got] == rows.column("work").to_pylist()
    assert decided.schema["prediction"].dataType.typeName() == kind


@pytest.mark.parametrize("t_norm", ["minimum", "lukasiewicz", "hamacher"])
def test_sql_of_every_t_norm(spark: Any, t_norm: str) -> None:
    local = local_fit(table(), "text", **{**QUICK, "t_norm": t_norm, "max_rules": 6})
    rows = strange_rows()
    model = SparkFRRModel(local.to_json(), "string").setScoring("sql")
    got = model.transform(spark.createDataFrame(rows)).collect()
    assert [row["rule"] for row in got] == (local.apply(rows.to_pandas()) + 1).tolist()


def test_what_sql_cannot_compute(spark: Any) -> None:
    data = spark.createDataFrame(table(20).select(FEATURES))
    local = local_fit(table(), "text", **{**QUICK, "semantics": "additive"})
    model = SparkFRRModel(local.to_json(), "string").setScoring("sql")
    with pytest.raises(ValueError, match="additive"):
        model.transform(data)
    rows = pa.table({"${env:HOME}": [1.0, 2.0, 8.0, 9.0] * 20, "label": [0, 0, 1, 1] * 20})
    data = spark.createDataFrame(rows)
    named = SparkFRRClassifier(max_rules=2).fit(data)
    assert [row["prediction"] for row in named.transform(data).take(4)] == [0, 0, 1, 1]
    with pytest.raises(ValueError, match="Spark replaces"):
        named.setScoring("sql").transform(data)


@pytest.mark.parametrize("scoring", ["udf", "sql"])
def test_hostile_names(spark: Any, scoring: str) -> None:
    names = ["a.b", "tick`s", 'quo"te', "rule", "it's"]
    random = np.random.default_rng(1)
    columns = {name: random.normal(size=900) for name in names}
    sums = sum(columns.values())
    rows = pa.table({**columns, "frr-decision": sums > 0})
    data = in_parts(spark, rows, 2)
    estimator = SparkFRRClassifier(
        labelCol="frr-decision", ruleCol="by", max_rules=6, advanced={"epochs": 5}
    )
    model = estimator.setScoring(scoring).fit(data)
    frame = rows.select(names).to_pandas()
    local = FRRClassifier(max_rules=6, advanced={"epochs": 5}).fit(
        frame, rows.column("frr-decision").to_pandas().rename("frr-decision")
    )
    assert model.toJson() == local.to_json()
    assert len(local._model.used_features) > 2
    got = model.transform(data).collect()
    assert [row["prediction"] for row in got] == local.predict(frame).tolist()
    assert [row["by"] for row in got] == (local.apply(frame) + 1).tolist()


@pytest.mark.parametrize("scoring", ["udf", "sql"])
def test_a_model_of_else_alone(spark: Any, scoring: str) -> None:
    random = np.random.default_rng(2)
    rows = pa.table({"x": random.normal(size=300), "label": ["yes"] * 290 + ["no"] * 10})
    model = SparkFRRClassifier(max_rules=1, price=1e6, scoring=scoring).fit(
        spark.createDataFrame(rows)
    )
    assert len(model.rules) == 0
    got = model.transform(spark.createDataFrame(rows)).collect()
    assert {(row["prediction"], row["rule"]) for row in got} == {("yes", 0)}
    # ELSE decides all rows, so one more row like them changes nothing; the classes are sorted.
    assert np.allclose(got[0]["probability"].toArray(), [10 / 300, 290 / 300], atol=1e-12)


@pytest.mark.parametrize("scoring", ["udf", "sql"])
def test_decisions(spark: Any, scoring: str) -> None:
    rows = table()
    data = spark.createDataFrame(rows.select(FEATURES))
    model = SparkFRRModel(local_fit(rows, "text", **QUICK).to_json(), "string")
    changed = model.setScoring(scoring).decide(positive="grant", costs={"miss": 1e6}, refer=0.8)
    assert changed.getScoring() == scoring
    local = changed.toLocal()
    frame = rows.select(FEATURES).to_pandas()
    got = changed.setReferredCol("person").transform(data).collect()
    assert [row["prediction"] for row in got] == local.predict(frame).tolist()
    assert [row["person"] for row in got] == local.referred(frame).tolist()
    assert 0 < sum(row["person"] for row in got) < len(got)
    before = model.transform(data).collect()
    assert [row["probability"] for row in got] == [row["probability"] for row in before]
    assert [row["prediction"] for row in got] != [row["prediction"] for row in before]


def test_numbers_as_categories(spark: Any) -> None:
    random = np.random.default_rng(3)
    code = random.integers(0, 4, 1500)
    label = np.where(code % 2 == 0, "even", "odd")
    rows = pa.table({"code": code, "double": code.astype(float), "x": random.normal(size=1500)})
    data = spark.createDataFrame(rows.append_column("label", pa.array(label.tolist())))
    whole = SparkFRRClassifier(
        featuresCols=["code", "x"], categorical_features=["code"], scoring="sql", **QUICK
    ).fit(data)
    for scoring in ("udf", "sql"):
        got = whole.setScoring(scoring).transform(data).collect()
        assert [row["prediction"] for row in got] == label.tolist()
    fractions = SparkFRRClassifier(
        featuresCols=["double", "x"], categorical_features=["double"], **QUICK
    ).fit(data)
    assert [row["prediction"] for row in fractions.transform(data).collect()] == label.tolist()
    with pytest.raises(ValueError, match=r"'double' contains fractions.*scoring to 'udf'"):
        fractions.setScoring("sql").transform(data)


def test_decimals_are_numbers(spark: Any) -> None:
    data = spark.range(1000).selectExpr("cast(id / 7 as decimal(10,2)) as x", "id < 300 as label")
    model = SparkFRRClassifier(**{**QUICK, "max_rules": 2}).fit(data)
    for scoring in ("udf", "sql"):
        got = model.setScoring(scoring).transform(data).collect()
        assert sum(row["prediction"] == row["label"] for row in got) > 980


def test_as_sql_is_a_statement_of_its_own(spark: Any) -> None:
    rows = table()
    local = local_fit(rows, "text", **QUICK)
    spark.createDataFrame(rows.select(FEATURES)).createOrReplaceTempView("cases")
    statement = SparkFRRModel(local.to_json(), "string").asSQL("cases", prefix="own_")
    got = spark.sql(statement.rstrip().rstrip(";")).collect()
    spark.catalog.dropTempView("cases")
    # Booleans among them: Spark spells true, which the rules learned as True.
    expected = local.predict(rows.select(FEATURES).to_pandas())
    assert [row["own_prediction"] for row in got] == expected.tolist()


def test_columns_that_are_not_wanted(spark: Any) -> None:
    local = local_fit(table(), "text", **QUICK)
    model = SparkFRRModel(local.to_json(), "string")
    data = spark.createDataFrame(table(20).select(FEATURES))
    model.setPredictionCol("").setProbabilityCol("").setRuleCol("by")
    assert model.transform(data).columns == [*FEATURES, "by"]
    assert model.setRuleCol("").transform(data).columns == FEATURES


LOAD = """
import sys
from pyspark.sql import SparkSession
from frr.spark import SparkFRRModel

settings = dict(item.split("=") for item in sys.argv[2:])
builder = SparkSession.builder.master("local[1]")
for name, value in settings.items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
model = SparkFRRModel.load(sys.argv[1])
columns = "income double, age int, work string, home boolean"
row = model.transform(spark.createDataFrame([(90.0, 50, "own", True)], columns)).first()
print("decided", row["class"], row["rule"], model.getPredictionCol(), model.uid)
spark.stop()
"""


def test_save_and_load(spark: Any, tmp_path: Path) -> None:
    from spark_settings import SETTINGS

    rows = table()
    estimator = SparkFRRClassifier(
        labelCol="number", featuresCols=FEATURES, predictionCol="class", **QUICK
    )
    estimator.setParams(class_weight={"1.0": 2}, partition={"age": {"young": [None, None, 30, 40],
                        "old": [30, 40, None, None]}})  # fmt: skip
    estimator.save(str(tmp_path / "estimator"))
    again = SparkFRRClassifier.load(str(tmp_path / "estimator"))
    assert again.training() == estimator.training()
    assert again.uid == estimator.uid
    model = again.fit(spark.createDataFrame(rows))
    path = str(tmp_path / "model")
    model.save(path)
    with pytest.raises(Exception, match="overwrite"):
        model.save(path)
    model.setRuleCol("rule").write().overwrite().save(path)
    loaded = SparkFRRModel.load(path)
    assert loaded.toJson() == model.toJson()
    assert loaded.classes == model.classes == [0.0, 1.0, 2.0]
    assert loaded.extractParamMap().keys() == model.extractParamMap().keys()
    part = next((tmp_path / "model" / "model").glob("part-*"))
    assert part.read_text().rstrip("\n") == model.toJson().rstrip("\n")
    assert FRRClassifier.load(part).to_text() == model.toText()
    arguments = [f"{name}={value}" for name, value in SETTINGS.items()]
    fresh = subprocess.run(
        [sys.executable, "-c", LOAD, path, *arguments], capture_output=True, text=True, timeout=1200
    )
    assert fresh.returncode == 0, fresh.stderr
    expected = model.transform(
        spark.createDataFrame(
            [(90.0, 50, "own", True)], "income double, age int, work string, home boolean"
        )
    ).first()
    actual = f"decided {expected['class']} {expected['rule']} class {model.uid}"
    assert actual in fresh.stdout


def test_what_cannot_be_loaded(spark: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "estimator")
    SparkFRRClassifier().save(path)
    with pytest.raises(ValueError, match=r"contains a frr\.spark\.SparkFRRClassifier"):
        SparkFRRModel.load(path)
    with pytest.raises(ValueError, match="empty"):
        SparkFRRModel().write().save(str(tmp_path / "empty"))


def test_an_estimator_of_an_earlier_version(spark: Any, tmp_path: Path) -> None:
    """Until 0.1, each advanced setting was a parameter."""
    path = tmp_path / "estimator"
    estimator = SparkFRRClassifier(max_rules=3, advanced={"kappa": 4.0, "polish": False})
    estimator.save(str(path))
    assert SparkFRRClassifier.load(str(path)).training() == estimator.training()
    file = next((path / "metadata").glob("part-*"))
    metadata = json.loads(file.read_text())
    metadata["paramMap"].update(metadata["paramMap"].pop("advanced"))
    file.write_text(json.dumps(metadata))
    file.with_name(f".{file.name}.crc").unlink()
    loaded = SparkFRRClassifier.load(str(path))
    assert loaded.uid == estimator.uid
    assert loaded.training() == estimator.training()


def test_pipeline_and_cross_validation(spark: Any, tmp_path: Path) -> None:
    from pyspark.ml import Pipeline, PipelineModel
    from pyspark.ml.evaluation import MulticlassClassificationEvaluator
    from pyspark.ml.feature import IndexToString, StringIndexer
    from pyspark.ml.tuning import CrossValidator, CrossValidatorModel, ParamGridBuilder

    data = spark.createDataFrame(table(1200)).select(*FEATURES, "text").persist()
    quick = {**QUICK, "search_rows": 5000}
    classifier = SparkFRRClassifier(featuresCols=FEATURES, labelCol="index", **quick)
    indexer = StringIndexer(inputCol="text", outputCol="index").setStringOrderType("alphabetAsc")
    names = IndexToString(
        inputCol="prediction", outputCol="name", labels=["ask", "grant", "refuse"]
    )
    pipeline = Pipeline(stages=[indexer, classifier, names])
    grid = ParamGridBuilder().addGrid(classifier.max_rules, [1, 4]).build()
    evaluator = MulticlassClassificationEvaluator(labelCol="index", metricName="accuracy")
    search = CrossValidator(
        estimator=pipeline, estimatorParamMaps=grid, evaluator=evaluator, numFolds=2, seed=1,
        parallelism=2,
    )  # fmt: skip
    found = search.fit(data)
    one, four = found.avgMetrics
    assert four > one + 0.05
    assert four > 0.85
    best = found.bestModel
    right = best.transform(data).filter("name = text").count() / data.count()
    assert right == evaluator.evaluate(best.transform(data))
    losses = MulticlassClassificationEvaluator(labelCol="index", metricName="logLoss")
    assert 0 < losses.evaluate(best.transform(data)) < 0.6
    best.write().overwrite().save(str(tmp_path / "pipeline"))
    again = PipelineModel.load(str(tmp_path / "pipeline"))
    assert again.stages[1].toJson() == best.stages[1].toJson()
    assert again.transform(data).filter("name = text").count() / data.count() == right
    found.write().overwrite().save(str(tmp_path / "search"))
    assert CrossValidatorModel.load(str(tmp_path / "search")).bestModel.stages[1].toJson() == (
        best.stages[1].toJson()
    )
    data.unpersist()
