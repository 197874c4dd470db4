"""FRRClassifier.report: the page of `frr report` for arrays and frames."""

import json
import re
import subprocess

import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import PROGRAM
from frr import FRRClassifier
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError


def data_of(page):
    return json.loads(re.search(r'id="frr-data">(.*?)</script>', page, re.S).group(1))


@pytest.fixture(scope="module")
def tumours():
    data = load_breast_cancer(as_frame=True)
    return data.data, pd.Series(data.target_names[data.target], name="diagnosis")


@pytest.fixture(scope="module")
def model(tumours):
    return FRRClassifier(max_rules=5, advanced={"epochs": 10}).fit(*tumours)


def test_page_counts_the_predictions(model, tumours):
    X, y = tumours
    data = data_of(model.report(X, y, cv=None))
    predicted = model.predict(X)
    assert data["data"]["accuracy"] == pytest.approx(100 * np.mean(predicted == y))
    here = [data["else"]["here"]] + [rule["here"] for rule in data["rules"]]
    decided = np.bincount(model.apply(X) + 1, minlength=len(here))
    assert [sum(counts) for counts in here] == decided.tolist()
    assert data["target"] == "diagnosis"
    assert data["data"]["same"] is True


def test_cross_validates_only_the_training_data(model, tumours):
    X, y = tumours
    assert data_of(model.report(X, y))["validation"]["folds"] == 5
    assert data_of(model.report(X, y, cv=3))["validation"]["folds"] == 3
    assert "not the table" in data_of(model.report(X[:90], y[:90]))["validation"]["whyNot"]
    assert "whyNot" in data_of(model.report(X, y, cv=None))["validation"]
    assert "not known" in data_of(model.report(X))["validation"]["whyNot"]


def test_page_without_classes(model, tumours):
    data = data_of(model.report(tumours[0]))
    assert data["data"]["hasTarget"] is False
    assert "accuracy" not in data["data"]


def test_classes_that_the_model_does_not_know(model, tumours):
    X, y = tumours
    odd = y.astype(object).copy()
    odd[:3] = ["other", None, np.nan]
    data = data_of(model.report(X, odd))
    assert data["data"]["known"] == len(y) - 3
    assert data["rows"]["truth"][:3] == [-1, -1, -1]


def test_writes_a_file_and_returns_nothing(model, tumours, tmp_path):
    path = tmp_path / "report.html"
    assert model.report(*tumours, path, cv=None, name="tumours") is None
    page = path.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert data_of(page)["data"]["name"] == "tumours"
    with pytest.raises(FileNotFoundError, match="nowhere"):
        model.report(*tumours, tmp_path / "nowhere" / "report.html", cv=None)
    (tmp_path / "report").mkdir()
    with pytest.raises(OSError, match="report"):
        model.report(*tumours, tmp_path / "report", cv=None)


def test_the_same_page_as_the_program(tumours, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    X, y = tumours
    table = pd.concat([X, y], axis=1)
    table.to_csv(tmp_path / "X", index=False)
    model = FRRClassifier(max_rules=4, advanced={"epochs": 5}).fit(X, y)
    model.save(tmp_path / "model.json")
    page = data_of(model.report(X, y, cv=None))
    program = subprocess.run(
        [PROGRAM, "report", tmp_path / "model.json", tmp_path / "X", "--folds", "0"],
        capture_output=True,
        text=True,
        check=True,
    )
    other = data_of(program.stdout)
    for key in ("validation", "model", "modelDate"):
        page.pop(key)
        other.pop(key)
    assert page == other


@pytest.mark.parametrize("kind", ["numpy", "polars", "names", "loaded"])
def test_tables_of_all_kinds(kind, tmp_path):
    data = load_iris(as_frame=True)
    X, y = data.data.copy(), data.target
    if kind == "names":
        X["petal"] = np.where(X.iloc[:, 2] > 2, "long", "short")
        X.loc[0, "petal"] = None
    if kind == "numpy":
        X, y = X.to_numpy(), y.to_numpy()
    if kind == "polars":
        X, y = pl.DataFrame(X.to_dict("list")), pl.Series("species", y.tolist())
    model = FRRClassifier(advanced={"epochs": 5}).fit(X, y)
    if kind == "loaded":
        model.save(tmp_path / "model.json")
        model = FRRClassifier.load(tmp_path / "model.json")
    data = data_of(model.report(X, y, cv=None))
    assert data["data"]["known"] == 150
    assert data["data"]["accuracy"] == pytest.approx(100 * model.score(X, y))


def test_additional_columns(model, tumours):
    X, y = tumours
    number = [f"P{i}" for i in range(len(X))]
    shown = data_of(model.report(X, y, cv=None, show={"case": number}))["rows"]["shown"]
    assert shown == [{"name": "case", "values": number}]
    frame = pd.DataFrame({"seen": pd.date_range("2020-01-01", periods=len(X)), "ward": None})
    shown = data_of(model.report(X, y, cv=None, show=frame))["rows"]["shown"]
    assert shown[0]["values"][1].startswith("2020-01-02")
    assert shown[1]["values"][0] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cv": 1}, "cv must be"),
        ({"cv": "5"}, "cv must be"),
        ({"show": ["a"]}, "DataFrame or a dict"),
        ({"show": {"a": [1, 2]}}, "has 2 values, but X has 569 rows"),
        ({"show": {"diagnosis": range(569)}}, "already has"),
        ({"name": "\ud800"}, "not valid Unicode"),
    ],
)
def test_faults_say_what_to_do(model, tumours, arguments, message):
    with pytest.raises((ValueError, TypeError), match=message):
        model.report(*tumours, **arguments)


def test_wrong_lengths_and_unfitted(model, tumours):
    X, y = tumours
    with pytest.raises(ValueError, match="569 rows"):
        model.report(X, y[:10])
    with pytest.raises(ValueError, match="shape"):
        model.report(X, np.zeros((569, 2)))
    with pytest.raises(NotFittedError):
        FRRClassifier().report(X, y)


@pytest.mark.parametrize(
    "settings",
    [
        {"epochs": "1000000"},
        {"restarts": "1000"},
        {"trees": "10000"},
        {"restarts": "1000000000"},
        {"partition-file": "/dev/zero"},
    ],
)
def test_a_loaded_model_opens_no_file_and_causes_no_endless_work(
    model, tumours, tmp_path, settings
):
    model.save(tmp_path / "model.json")
    content = json.loads((tmp_path / "model.json").read_text())
    content["training"]["settings"].update(settings)
    (tmp_path / "model.json").write_text(json.dumps(content))
    loaded = FRRClassifier.load(tmp_path / "model.json")
    X, y = tumours
    assert "Not cross-validated: " in loaded.report(X, y)
    with pytest.raises(ValueError, match=r"times as long|labels|restarts"):
        loaded.report(X, y, cv=3)


def loaded_with_codes(tmp_path):
    """A model of the program with a code for missing values, and its table in Python."""
    random = np.random.default_rng(4)
    table = pd.DataFrame({"dose": random.integers(0, 40, 120), "ward": list("abc") * 40})
    table["state"] = np.where(table["dose"] + 15 * (table["ward"] == "a") > 25, "ill", "well")
    table.loc[::9, "state"] = "well"
    table.loc[::10, "dose"] = -9
    table.loc[5:8, "state"] = None  # rows without a class count in no fold
    path = tmp_path / "table.csv"
    table.to_csv(path, index=False)
    model = tmp_path / "model.json"
    options = ["--missing=-9", "--rules", "4", "--seed", "3", "--quiet"]
    subprocess.run([PROGRAM, "train", path, "-o", model, *options], check=True)
    return FRRClassifier.load(model), table.drop(columns="state"), table["state"]


@pytest.mark.parametrize("kind", ["fitted", "classes that are numbers", "seed", "loaded"])
@pytest.mark.parametrize("folds", [5, 3])
def test_the_same_cross_validation_as_the_program(kind, folds, tumours, tmp_path):
    if kind == "loaded":
        model, X, y = loaded_with_codes(tmp_path)
    else:
        X, y = tumours if kind == "fitted" else load_iris(as_frame=True, return_X_y=True)
        seed = 7 if kind == "seed" else None
        model = FRRClassifier(max_rules=3, advanced={"epochs": 5}, random_state=seed).fit(X, y)
        model.save(tmp_path / "model.json")
        pd.concat([X, y], axis=1).to_csv(tmp_path / "table.csv", index=False)
    page = subprocess.run(
        [PROGRAM, "report", tmp_path / "model.json", tmp_path / "table.csv", "--folds", str(folds)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    expected = data_of(page)["validation"]
    assert expected["folds"] == folds
    assert 50 < expected["accuracy"] <= 100
    assert data_of(model.report(X, y, cv=folds))["validation"] == expected


def test_cross_validation_without_a_number_of_folds_is_that_of_the_program(tumours, tmp_path):
    X, y = tumours
    model = FRRClassifier(max_rules=3, advanced={"epochs": 5}).fit(X, y)
    model.save(tmp_path / "model.json")
    pd.concat([X, y], axis=1).to_csv(tmp_path / "table.csv", index=False)
    page = subprocess.run(
        [PROGRAM, "report", tmp_path / "model.json", tmp_path / "table.csv"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert data_of(model.report(X, y))["validation"] == data_of(page)["validation"]
