"""FRR in Apache Spark: an Estimator and a Model of pyspark.ml.

    from frr.spark import SparkFRRClassifier

    model = SparkFRRClassifier(labelCol="outcome", max_rules=8).fit(data)
    model.transform(data).select("prediction", "probability", "rule")

The rows stay where they are: a fit asks all partitions about ten times for counts, which are added
(`frr.shards`). The model is byte for byte the one that `FRRClassifier.fit` learns from the
collected rows, for any number of partitions. See docs/how-to/spark.md.
"""

from __future__ import annotations

import inspect
import os
import uuid
from collections.abc import Mapping
from typing import Any

try:
    import pyarrow as pa
    import pyspark
except ImportError as error:  # pragma: no cover - tested in a separate process
    raise ImportError(
        f"frr.spark needs pyspark and pyarrow ({error}); install them: pip install 'frr[spark]'"
    ) from error

from pyspark import keyword_only
from pyspark.ml import Estimator, Model
from pyspark.ml.functions import array_to_vector
from pyspark.ml.linalg import VectorUDT
from pyspark.ml.util import (
    DefaultParamsReader,
    DefaultParamsWritable,
    DefaultParamsWriter,
    MLReadable,
    MLReader,
    MLWritable,
    MLWriter,
)
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.pandas.functions import arrow_udf
from pyspark.sql.types import (
    BooleanType,
    DataType,
    DecimalType,
    DoubleType,
    FractionalType,
    IntegerType,
    NullType,
    NumericType,
    StringType,
    StructField,
    StructType,
)

from . import shards
from ._classifier import FRRClassifier
from ._options import most_searched, option_texts
from ._policy import shard_policy
from ._progress import StepProgress
from ._rules import RuleList
from ._spark_model import decide, inputs, label_kind, local_model, refers_by_rule, shares_by_rule
from ._spark_params import TRAINING, FRRParams, add_setters, current_metadata
from ._spark_rows import Jobs, Rows, quoted

__all__ = ["SparkFRRClassifier", "SparkFRRModel"]

if tuple(int(part) for part in pyspark.__version__.split(".")[:2]) < (4, 1):
    raise ImportError(
        f"frr.spark needs pyspark 4.1 or later, this is {pyspark.__version__}; "
        "install it with: pip install 'frr[spark]'"
    )

_COLUMN_PARAMS = [
    "labelCol",
    "weightCol",
    "predictionCol",
    "probabilityCol",
    "ruleCol",
    "referredCol",
    "scoring",
]
_OUTPUTS = ("prediction", "probability", "rule", "referred")
_PREDICTION_TYPES: dict[str, DataType] = {
    "string": StringType(),
    "double": DoubleType(),
    "boolean": BooleanType(),
}


# ---- Columns -------------------------------------------------------------------------------------


def _field(schema: StructType, name: str, role: str) -> StructField:
    found = [field for field in schema.fields if field.name == name]
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(f"the DataFrame has {len(found)} columns {name!r} ({role}); rename them")
    raise ValueError(
        f"the DataFrame has no column {name!r} ({role}); its columns are "
        f"{', '.join(repr(field.name) for field in schema.fields[:50])}"
    )


def _check_feature(field: StructField, remedy: str) -> None:
    if isinstance(field.dataType, NumericType | StringType | BooleanType | NullType):
        return
    if isinstance(field.dataType, VectorUDT):
        raise ValueError(
            f"column {field.name!r} is a vector, but rules read single columns; list those that it "
            f"was assembled from in featuresCols"
        )
    raise ValueError(
        f"column {field.name!r} is of type {field.dataType.simpleString()}, but FRR learns from "
        f"numbers, strings and booleans; convert it (dates to numbers such as days){remedy}"
    )


def _plain(field: StructField) -> Column:
    """The column, with decimals as doubles."""
    column = F.col(quoted(field.name))
    if isinstance(field.dataType, DecimalType):
        return column.cast("double").alias(field.name)
    return column


def _spelled(field: StructField, named: bool) -> Column:
    """The column, with categories in the spelling of the rules."""
    column = _plain(field)
    if not named or isinstance(field.dataType, StringType | BooleanType):
        return column  # SQL spells booleans like the rules
    if isinstance(field.dataType, FractionalType):
        raise ValueError(
            f"column {field.name!r} contains fractions as categories, which SQL and the rules "
            "spell differently; set scoring to 'udf', or cast the column to int"
        )
    return column


class _Schemas(FRRParams):
    """Checks of the columns of DataFrames."""

    def _learned_columns(self, schema: StructType) -> list[StructField]:
        """The features, the label and the weight."""
        label, weight = self.getLabelCol(), self.weight_column()
        given = self.getFeaturesCols()
        target = _field(schema, label, "labelCol")
        if not isinstance(target.dataType, NumericType | StringType | BooleanType):
            raise ValueError(
                f"column {label!r} (labelCol) is of type {target.dataType.simpleString()}; classes "
                "must be strings, numbers or booleans"
            )
        label_and_weight = [target]
        if weight is not None:
            label_and_weight.append(_field(schema, weight, "weightCol"))
            if not isinstance(label_and_weight[1].dataType, NumericType):
                raise ValueError(
                    f"column {weight!r} (weightCol) is of type "
                    f"{label_and_weight[1].dataType.simpleString()}; weights must be numbers"
                )
        others = {field.name for field in label_and_weight}
        if len(others) < len(label_and_weight):
            raise ValueError(f"labelCol and weightCol are the same column {label!r}")
        if given is None:
            remedy = ", or list the columns to learn from in featuresCols"
            names = [field.name for field in schema.fields if field.name not in others]
        else:
            remedy, names = ", or remove it from featuresCols", given
        for name in names:
            if name in others:
                raise ValueError(
                    f"featuresCols contains {name!r}, which is the label or the weight"
                )
        if given is not None and len(set(names)) < len(names):
            double = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"featuresCols contains {double!r} more than once")
        if not names:
            raise ValueError("there is no column to learn from except the label and the weight")
        features = [_field(schema, name, "featuresCols") for name in names]
        for field in features:
            _check_feature(field, remedy)
        return [*features, *label_and_weight]

    def _with_outputs(self, schema: StructType, prediction: DataType) -> StructType:
        types: dict[str, tuple[str, DataType]] = {
            "predictionCol": (self.getPredictionCol(), prediction),
            "probabilityCol": (self.getProbabilityCol(), VectorUDT()),
            "ruleCol": (self.getRuleCol(), IntegerType()),
            "referredCol": (self.getReferredCol(), BooleanType()),
        }
        fields = list(schema.fields)
        for param, (name, kind) in types.items():
            if not name:
                continue
            if any(field.name.lower() == name.lower() for field in fields):
                raise ValueError(
                    f"the DataFrame already has a column {name!r}; give {param} another name, or "
                    "drop the column"
                )
            fields.append(StructField(name, kind, True))
        return StructType(fields)

    def _check_scoring(self) -> None:
        if self.getScoring() not in ("udf", "sql"):
            raise ValueError(f"scoring must be 'udf' or 'sql', got {self.getScoring()!r}")


def _kind_of_label(kind: DataType) -> str:
    if isinstance(kind, BooleanType):
        return "boolean"
    return "double" if isinstance(kind, NumericType) else "string"


# ---- Learning ------------------------------------------------------------------------------------


class SparkFRRClassifier(
    Estimator["SparkFRRModel"],
    _Schemas,
    MLReadable["SparkFRRClassifier"],
    DefaultParamsWritable,
):
    """Learns at most `max_rules` IF-THEN rules from a Spark DataFrame.

    Columns may be numbers, strings or booleans; strings and booleans are categories, null and NaN
    missing values. Rows without a label are dropped. All parameters are keyword-only and have
    setters (`setMaxRules` for `max_rules`).

    Parameters
    ----------
    featuresCols : list of str, default: all columns but labelCol and weightCol
        Columns to learn from.
    labelCol : str, default="label"
        Column of the classes: strings, numbers or booleans.
    weightCol : str, default: none
        Column of weights, as `sample_weight` of `FRRClassifier.fit`.
    predictionCol : str, default="prediction"
        Column for the predicted class, "" for none. If the labels are numbers, it is a double, as
        the evaluators of pyspark.ml require; otherwise it has the type of the labels.
    probabilityCol : str, default="probability"
        Column for the probabilities, a Vector in the order of the model's `classes`; "" for none.
    ruleCol : str, default="rule"
        Column for the number of the deciding rule (0: ELSE); "" for none.
    referredCol : str, default=""
        Column that says whether the row is referred to a person; "" for none.
    scoring : {"udf", "sql"}, default="udf"
        How the model computes predictions: vectorised in Python, or as an SQL expression in Spark.
    max_rules, max_conditions, ...
        All parameters of `FRRClassifier`, with the same names and meanings. `categorical_features`
        must be names of columns, and `random_state` a whole number. `n_jobs` applies to the driver.
        `costs` must be a dict. For `sensitivity` or `specificity`, call `decide` on the model.
    """

    _input_kwargs: dict[str, Any]  # set by keyword_only

    @keyword_only
    def __init__(
        self,
        *,
        featuresCols: list[str] | None = None,
        labelCol: str = "label",
        weightCol: str | None = None,
        predictionCol: str = "prediction",
        probabilityCol: str = "probability",
        ruleCol: str = "rule",
        referredCol: str = "",
        scoring: str = "udf",
        **training: Any,
    ) -> None:
        super().__init__()
        self.assign(self._input_kwargs)

    @keyword_only
    def setParams(self, **params: Any) -> SparkFRRClassifier:
        """Sets several parameters by name."""
        self.assign(params)
        return self

    def transformSchema(self, schema: StructType) -> StructType:
        """The schema that `transform` of the model would return; ValueError if FRR cannot learn
        from these columns."""
        self._check_scoring()
        columns = self._learned_columns(schema)
        label = next(field for field in columns if field.name == self.getLabelCol())
        return self._with_outputs(schema, _PREDICTION_TYPES[_kind_of_label(label.dataType)])

    def _fit(self, dataset: DataFrame) -> SparkFRRModel:
        self.transformSchema(dataset.schema)
        columns = self._learned_columns(dataset.schema)
        parameters = self._parameters(columns)
        verbose = parameters.pop("verbose", 0)
        progress = None
        if verbose > 0:
            progress = StepProgress(
                most_searched(parameters.get("search_rows"), parameters.get("preset", "default"))
            )
        data = dataset.select([_plain(field) for field in columns])
        try:
            with (
                Rows(data, progress) as rows,
                Jobs(dataset.sparkSession),
            ):
                if not (dataset.storageLevel.useMemory or dataset.storageLevel.useDisk):
                    rows.persist()
                local = shards.train(
                    rows.ask,
                    target=self.getLabelCol(),
                    weight=self.weight_column(),
                    progress=progress,
                    **parameters,
                )
        finally:
            if progress is not None:
                progress.close()
        for note in local.notes_ if verbose > 0 else ():
            print(f"frr: {note}")
        model = SparkFRRModel(local.to_json(), label_kind(local.classes_))
        return self._copyValues(model._resetUid(self.uid))

    def _parameters(self, columns: list[StructField]) -> dict[str, Any]:
        """The parameters of FRRClassifier, checked before Spark starts to work."""
        parameters = self.training()
        option_texts(parameters, parameters.get("preset", "default"))
        shard_policy(parameters)
        label = next(field for field in columns if field.name == self.getLabelCol())

        def named(value: Any) -> Any:  # classes by their names in the model
            if not isinstance(value, Mapping):
                return value
            return {_class_name(name, label.dataType): named(x) for name, x in value.items()}

        for name in ("class_weight", "costs"):
            if name in parameters:
                parameters[name] = named(parameters[name])
        if "positive" in parameters:
            parameters["positive"] = _class_name(str(parameters["positive"]), label.dataType)
        return parameters

    @classmethod
    def read(cls) -> MLReader[SparkFRRClassifier]:
        return _EstimatorReader()


class _EstimatorReader(MLReader[SparkFRRClassifier]):
    def load(self, path: str) -> SparkFRRClassifier:
        metadata = DefaultParamsReader.loadMetadata(path, self.sparkSession)
        estimator = SparkFRRClassifier()
        estimator._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(estimator, current_metadata(metadata))
        return estimator


def _class_name(name: str, label: DataType) -> str:
    """The name of a class: 1 and 1.0 are the same, "1" for integer labels and "1.0" for others."""
    if not isinstance(label, NumericType):
        return name
    try:
        number = float(name)
    except ValueError:
        return name
    fractional = label.simpleString().startswith(("float", "double", "decimal"))
    return str(number) if fractional or not number.is_integer() else str(int(number))


_signature = inspect.signature(SparkFRRClassifier.__init__)
SparkFRRClassifier.__init__.__signature__ = _signature.replace(  # type: ignore[attr-defined]
    parameters=[
        *(p for p in _signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD),
        *(
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
            for name, default in TRAINING.items()
        ),
    ]
)


# ---- Prediction ----------------------------------------------------------------------------------


class SparkFRRModel(Model, _Schemas, MLReadable["SparkFRRModel"], MLWritable):
    """The model that `SparkFRRClassifier.fit` returns, a Transformer."""

    def __init__(self, text: str = "", kind: str = "string") -> None:
        """`text`: the model file; `kind` of predictions: "string", "double" or "boolean"."""
        super().__init__()
        self._text, self._kind = text, kind

    def toLocal(self) -> FRRClassifier:
        """The model as an `FRRClassifier` for rows in memory, with `rules_`, `explain`, `report`,
        `save` and so on."""
        if not self._text:
            raise ValueError("this model is empty; fit or load one")
        return local_model(self._text, self._kind)

    def decide(self, X: Any = None, y: Any = None, **decisions: Any) -> SparkFRRModel:
        """A model with the same rules and probabilities, and other decisions.

        Parameters
        ----------
        X, y : rows in memory, such as a pandas DataFrame and Series, and their classes
            For `sensitivity` and `specificity`: the rows on which the threshold is chosen.
        **decisions
            `positive`, `costs`, `threshold`, `sensitivity`, `specificity` and `refer`, as in
            `FRRClassifier.decide`.

        Returns
        -------
        SparkFRRModel
        """
        local = self.toLocal().decide(X, y, **decisions)
        model = SparkFRRModel(local.to_json(), self._kind)
        return self._copyValues(model)

    @property
    def classes(self) -> list[Any]:
        """Classes in the order of the probabilities."""
        return list(self.toLocal().classes_.tolist())

    @property
    def rules(self) -> RuleList:
        return self.toLocal().rules_

    @property
    def numClasses(self) -> int:
        return len(self.classes)

    def toText(self) -> str:
        """The rules and the meaning of their labels, as readable text."""
        return self.toLocal().to_text()

    def toJson(self) -> str:
        """The model file, as the program and `FRRClassifier.save` write it."""
        self.toLocal()
        return self._text

    def transformSchema(self, schema: StructType) -> StructType:
        """The schema that `transform` returns; ValueError if the rules cannot read the columns."""
        self._check_scoring()
        for name, named in inputs(self.toLocal()).items():
            field = _field(schema, name, "the rules read it")
            _check_feature(field, "")
            if not named and isinstance(field.dataType, StringType | BooleanType):
                raise ValueError(
                    f"column {name!r} is of type {field.dataType.simpleString()}, but the rules "
                    "need numbers in it, as in training"
                )
        return self._with_outputs(schema, _PREDICTION_TYPES[self._kind])

    def asSQL(self, table: str = "data", *, prefix: str = "") -> str:
        """The rules as a SELECT statement for Spark: the columns of `table`, then prediction,
        probability (of the predicted class) and rule, with `prefix` before their names.

        Predictions are strings. Categories are compared as Spark casts them to strings (booleans in
        the spelling of the rules). If the rules were learned from numbers as categories, use
        `transform` with ``scoring="sql"``, which spells them like the rules.
        """
        text = self.toLocal().export("sql", dialect="spark", table=table, prefix=prefix)
        assert isinstance(text, str)
        return text

    def _transform(self, dataset: DataFrame) -> DataFrame:
        self.transformSchema(dataset.schema)
        names = (
            self.getPredictionCol(),
            self.getProbabilityCol(),
            self.getRuleCol(),
            self.getReferredCol(),
        )
        if not any(names):
            return dataset
        taken = "frr-decision"
        while any(name.lower().startswith(taken) for name in dataset.columns):
            taken += "-"
        if self.getScoring() == "sql":
            data, outputs = self._by_sql(dataset, taken)
        else:
            data = dataset.withColumn(taken, self._by_udf(dataset.schema))
            outputs = [F.col(f"{quoted(taken)}.{part}") for part in _OUTPUTS]
        outputs[1] = array_to_vector(outputs[1])
        kept = [F.col(quoted(name)) for name in dataset.columns]
        wanted = [output.alias(name) for name, output in zip(names, outputs, strict=True) if name]
        return data.select(*kept, *wanted)

    def _by_sql(self, dataset: DataFrame, taken: str) -> tuple[DataFrame, list[Column]]:
        """The rows, and their columns prediction, probability, rule and referral."""
        local = self.toLocal()
        read = inputs(local)
        spelled = [_spelled(_field(dataset.schema, name, "read"), read[name]) for name in read]
        # A row is one value in the statement, so that its columns do not clash with others.
        data = dataset.select(F.struct("*").alias(taken), *spelled)
        view = f"frr_{uuid.uuid4().hex}"
        data.createOrReplaceTempView(view)
        try:
            decided = dataset.sparkSession.sql(self.asSQL(view, prefix=taken))
        finally:
            dataset.sparkSession.catalog.dropTempView(view)
        rule = F.col(quoted(taken + "rule"))
        prediction = F.col(quoted(taken + "prediction"))
        if self._kind != "string":
            prediction = prediction.cast(self._kind)
        if local.rules_.biases:
            shares, referred = self._additive_sql(local, taken)
        else:
            of_rule, refers = shares_by_rule(local), refers_by_rule(local)
            at = rule + 1
            shares = F.element_at(F.array(*(F.array(*map(F.lit, x)) for x in of_rule)), at)
            referred = F.element_at(F.array(*map(F.lit, refers)), at)
        kept = [F.col(f"{quoted(taken)}.{quoted(name)}") for name in dataset.columns]
        names = [taken + part for part in _OUTPUTS]
        decisions = [
            column.alias(name)
            for column, name in zip((prediction, shares, rule, referred), names, strict=True)
        ]
        return decided.select(*kept, *decisions), [F.col(quoted(name)) for name in names]

    def _additive_sql(self, local: FRRClassifier, taken: str) -> tuple[Column, Column]:
        """Probabilities and referrals, of which the statement gives only the probability of the
        prediction."""
        count = len(local.classes_)
        for column, param, known in (
            (self.getProbabilityCol(), "probabilityCol", count == 2),
            (self.getReferredCol(), "referredCol", False),
        ):
            if column and not known:
                raise ValueError(
                    f"with additive rules, SQL does not compute {param}; set scoring to 'udf', or "
                    f"{param} to ''"
                )
        probability = F.col(quoted(taken + "probability"))
        first = F.col(quoted(taken + "prediction")) == F.lit(self._names()[0])
        both = F.when(first, F.array(probability, 1 - probability)).otherwise(
            F.array(1 - probability, probability)
        )
        return both, F.lit(None).cast("boolean")

    def _names(self) -> list[str]:
        """The names of the classes in the model file, in the order of `classes`."""
        local = self.toLocal()
        names = dict(zip(local._positions.tolist(), local._model.classes, strict=True))
        return [names[position] for position in sorted(names)]

    def _by_udf(self, schema: StructType) -> Column:
        """A struct of prediction, probability, rule and referral."""
        text, kind = self._text, self._kind
        names = list(inputs(self.toLocal()))

        def score(*columns: pa.Array) -> pa.Array:
            return decide(columns, text, kind)

        returned = f"struct<prediction:{kind},probability:array<double>,rule:int,referred:boolean>"
        read = [_plain(_field(schema, name, "the rules read it")) for name in names]
        make: Any = arrow_udf  # its type hints lack functions of any number of columns
        column: Column = make(score, returned)(*(read or [F.lit(0)]))
        return column

    def write(self) -> MLWriter:
        return _ModelWriter(self)

    @classmethod
    def read(cls) -> MLReader[SparkFRRModel]:
        return _ModelReader()


class _ModelWriter(MLWriter):
    """Writes the parameters as pyspark.ml does, and the model file in a folder beside them."""

    def __init__(self, model: SparkFRRModel) -> None:
        super().__init__()
        self._model = model

    def saveImpl(self, path: str) -> None:
        text = self._model.toJson()
        spark = self.sparkSession
        DefaultParamsWriter.saveMetadata(
            self._model, path, spark, extraMetadata={"labelKind": self._model._kind}
        )
        lines = spark.createDataFrame([(text,)], schema=["value"])
        lines.coalesce(1).write.text(os.path.join(path, "model"))


class _ModelReader(MLReader[SparkFRRModel]):
    def load(self, path: str) -> SparkFRRModel:
        spark = self.sparkSession
        metadata = DefaultParamsReader.loadMetadata(path, spark)
        name = f"{SparkFRRModel.__module__}.{SparkFRRModel.__name__}"
        if metadata["class"] != name:
            raise ValueError(f"{path} contains a {metadata['class']}, not a {name}")
        row = spark.read.text(os.path.join(path, "model"), wholetext=True).first()
        if row is None:
            raise ValueError(f"{path} contains no model; it was not written completely")
        model = SparkFRRModel(row[0].removesuffix("\n"), metadata["labelKind"])
        model._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(model, current_metadata(metadata))
        model.toLocal()  # checks the file
        return model


add_setters(SparkFRRClassifier, ["featuresCols", *_COLUMN_PARAMS, *TRAINING])
add_setters(SparkFRRModel, _COLUMN_PARAMS[2:])
