"""Python and the program give the same model and predictions for the same data and options."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import DATA, mixed_table, read_csv, run
from frr import FRRClassifier

# Parameters in Python and the equivalent options of the program.
VARIANTS = {
    "defaults": ({}, []),
    "seed": ({"random_state": 7}, ["--seed", 7]),
    "caps": ({"max_rules": 3, "max_conditions": 1}, ["--rules", 3, "--conditions", 1]),
    "labels": (
        {"n_labels": 5, "partition": "uniform", "advanced": {"slope": 0.125}},
        ["--labels", 5, "--partition", "uniform", "--slope", 0.125],
    ),
    "quantile": (
        {"partition": "quantile", "advanced": {"tune": False}},
        ["--partition", "quantile", "--tune", "false"],
    ),
    "additive": ({"semantics": "additive"}, ["--semantics", "additive"]),
    "t-norm": ({"t_norm": "aczel-alsina:2"}, ["--tnorm", "aczel-alsina:2"]),
    "paper": (
        {"preset": "paper", "advanced": {"epochs": 30}},
        ["--preset", "paper", "--epochs", 30],
    ),
    "balanced": ({"class_weight": "balanced"}, ["--class-weight", "balanced"]),
    "only search": (
        {"augment": 0, "advanced": {"gradient": False}},
        ["--gradient", "false", "--augment", 0],
    ),
    "small numbers": (
        {"advanced": {"price_rate": 1e-7, "learning_rate": 0.1, "min_share": 1 / 3}},
        ["--price-rate", "1e-7", "--learning-rate", 0.1, "--min-share", repr(1 / 3)],
    ),
}


def mixed_csv(directory: Path) -> Path:
    table, y = mixed_table(150, 3)
    path = directory / "mixed.csv"
    table.assign(admit=y).to_csv(path, index=False)
    return path


def whole_csv(directory: Path) -> Path:
    """Integers with missing values, numeric classes, and a column name with a comma."""
    random = np.random.default_rng(5)
    X = random.integers(-5, 20, (90, 3))
    table = pd.DataFrame(X, columns=["a", "b, c", "d é"]).astype("Int64")
    table.loc[::7, "a"] = pd.NA
    table["class"] = (
        9 + (X[:, 1] > 3) + (X[:, 2] > 15)
    )  # 9, 10 and 11: sorted differently as strings
    path = directory / "whole.csv"
    table.to_csv(path, index=False)
    return path


@pytest.fixture(params=["breast_cancer", "iris", "wine", "loans", "mixed", "whole"])
def path(request, tmp_path) -> Path:
    if request.param == "mixed":
        return mixed_csv(tmp_path)
    if request.param == "whole":
        return whole_csv(tmp_path)
    return DATA / f"{request.param}.csv"


def predictions(model: Path, data: Path) -> tuple[list[str], np.ndarray, np.ndarray, list[str]]:
    """Classes, probabilities, deciding rules and class names, from `frr predict`."""
    rows = list(csv.DictReader(io.StringIO(run("predict", model, data, "--proba", "--quiet"))))
    shares = [name for name in rows[0] if name.startswith("p(")]
    return (
        [row["prediction"] for row in rows],
        np.array([[float(row[name]) for name in shares] for row in rows]),
        np.array([int(row["rule"]) for row in rows]),
        [name[2:-1] for name in shares],
    )


def check_same_decisions(estimator: FRRClassifier, X: pd.DataFrame, model: Path, data: Path):
    classes, shares, rules, names = predictions(model, data)
    assert [str(label) for label in estimator.predict(X).tolist()] == classes
    classes = [str(label) for label in estimator.classes_.tolist()]
    order = [classes.index(name) for name in names]
    np.testing.assert_array_equal(estimator.predict_proba(X)[:, order], shares)
    if estimator.semantics == "sufficient":
        np.testing.assert_array_equal(estimator.apply(X) + 1, rules)


@pytest.mark.parametrize("variant", VARIANTS)
def test_same_model_and_predictions(path, variant, tmp_path):
    parameters, options = VARIANTS[variant]
    run("train", path, "-o", tmp_path / "program.json", "--quiet", *options)
    X, y = read_csv(path)
    estimator = FRRClassifier(**parameters).fit(X, y, source=str(path))
    estimator.save(tmp_path / "python.json")
    program, python = ((tmp_path / f"{name}.json").read_bytes() for name in ("program", "python"))
    assert python == program
    check_same_decisions(estimator, X, tmp_path / "python.json", path)

    loaded = FRRClassifier.load(tmp_path / "program.json")
    assert loaded.to_json().encode() == program
    np.testing.assert_array_equal(loaded.predict(X), estimator.predict(X))
    np.testing.assert_array_equal(loaded.predict_proba(X), estimator.predict_proba(X))
    assert loaded.rules_ == estimator.rules_
    assert loaded.partition_ == estimator.partition_
    assert loaded.complexity_ == estimator.complexity_
    for name, value in parameters.items():
        assert getattr(loaded, name) == value


def test_given_labels(tmp_path):
    partition = {"age": {"child": [None, None, 17, 18], "adult": [17, 18, None, None]}}
    data = mixed_csv(tmp_path)
    file = tmp_path / "labels.json"
    file.write_text(
        '{"features": {"age": {"child": [null, null, 17, 18], "adult": [17, 18, null, null]}}}'
    )
    run("train", data, "-o", tmp_path / "program.json", "--partition-file", file, "--tune", "false")
    X, y = read_csv(data)
    estimator = FRRClassifier(partition=partition, advanced={"tune": False}).fit(
        X, y, source=str(data)
    )
    labels = next(f for f in estimator.partition_ if f.name == "age").labels
    assert [label.name for label in labels] == ["child", "adult"]
    inf = float("inf")
    assert labels[0].shape == (-inf, -inf, 17, 18)
    loaded = FRRClassifier.load(tmp_path / "program.json")
    assert loaded.rules_ == estimator.rules_
    assert loaded.partition_ == estimator.partition_


def test_categorical_numbers(tmp_path):
    data = whole_csv(tmp_path)
    run("train", data, "-o", tmp_path / "program.json", "--categorical", "a,d é", "--quiet")
    X, y = read_csv(data)
    estimator = FRRClassifier(categorical_features=["a", "d é"]).fit(
        X.astype("Int64"), y, source=str(data)
    )
    assert estimator.to_json() == (tmp_path / "program.json").read_text()
    check_same_decisions(estimator, X.astype("Int64"), tmp_path / "program.json", data)
    loaded = FRRClassifier.load(tmp_path / "program.json")
    assert loaded.categorical_features == ["a", "d é"]


def test_weights(tmp_path):
    X, y = mixed_table(80)
    weights = np.arange(80) % 4 / 2  # 0, 0.5, 1, 1.5
    data = tmp_path / "weighted.csv"
    X.assign(w=weights, admit=y).to_csv(data, index=False)
    run("train", data, "-o", tmp_path / "program.json", "--weight-column", "w")
    estimator = FRRClassifier().fit(X, y, sample_weight=weights, source=str(data))
    loaded = FRRClassifier.load(tmp_path / "program.json")
    assert loaded.rules_ == estimator.rules_
    assert loaded.partition_ == estimator.partition_


def test_markdown_and_text_are_those_of_the_program(tmp_path):
    X, y = read_csv(DATA / "loans.csv")
    estimator = FRRClassifier(max_rules=4).fit(X, y)
    estimator.save(tmp_path / "model.json")
    assert run("rules", tmp_path / "model.json", "--markdown").strip() == (
        estimator.to_markdown().strip()
    )
    assert run("rules", tmp_path / "model.json").strip() == estimator.to_text().strip()


def test_integer_classes_are_sorted_as_numbers(tmp_path):
    X, y = read_csv(whole_csv(tmp_path))
    estimator = FRRClassifier().fit(X, y)
    estimator.save(tmp_path / "model.json")
    loaded = FRRClassifier.load(tmp_path / "model.json")
    assert loaded.classes_.tolist() == estimator.classes_.tolist() == [9, 10, 11]
    np.testing.assert_array_equal(loaded.predict_proba(X), estimator.predict_proba(X))


def test_a_loaded_model_takes_columns_by_name(tmp_path):
    X, y = mixed_table()
    estimator = FRRClassifier().fit(X, y)
    estimator.save(tmp_path / "model.json")
    loaded = FRRClassifier.load(tmp_path / "model.json")
    other = X.assign(extra=1)[["weight", "extra", "region", "age"]]
    np.testing.assert_array_equal(loaded.predict(other), estimator.predict(X))
    np.testing.assert_array_equal(loaded.predict(X.to_numpy()), estimator.predict(X))
    used = {c.feature for rule in estimator.rules_ for c in rule.conditions}
    assert "age" in used
    with pytest.raises(ValueError, match="age"):
        loaded.predict(X.drop(columns="age"))
    with pytest.raises(ValueError, match="2 features"):
        loaded.predict(X.to_numpy()[:, :2])
    with pytest.raises(ValueError, match="0 sample"):
        loaded.predict(X.iloc[:0])
    with pytest.raises(ValueError, match="age"):
        loaded.predict(X.assign(age="old"))


# Earlier versions had the option --full-steps.
def test_an_unknown_recorded_setting_is_ignored(tmp_path):
    X, y = mixed_table()
    estimator = FRRClassifier(max_rules=4).fit(X, y)
    model = json.loads(estimator.to_json())
    model["training"]["settings"]["full-steps"] = "0"
    (tmp_path / "model.json").write_text(json.dumps(model))
    loaded = FRRClassifier.load(tmp_path / "model.json")
    assert loaded.get_params() == estimator.get_params()
    np.testing.assert_array_equal(loaded.predict_proba(X), estimator.predict_proba(X))
    assert "Not cross-validated" not in loaded.report(X, y)


def test_loading_a_file_that_is_not_a_model(tmp_path):
    (tmp_path / "bad.json").write_text('{"format": "frr-model"')
    with pytest.raises(ValueError, match=r"bad\.json"):
        FRRClassifier.load(tmp_path / "bad.json")
    with pytest.raises((ValueError, OSError), match=r"none\.json"):
        FRRClassifier.load(tmp_path / "none.json")
    with pytest.raises((ValueError, OSError), match="nowhere"):
        FRRClassifier().fit([[0.0], [1.0]], [0, 1]).save(tmp_path / "nowhere" / "model.json")
