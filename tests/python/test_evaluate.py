"""frr.evaluate: the same figures as the program, for any classifier."""

import json
from pathlib import Path
from typing import Any

import frr
import numpy as np
import pandas as pd
import pytest
from conftest import ROOT, run
from sklearn import metrics
from sklearn.linear_model import LogisticRegression


def loans() -> pd.DataFrame:
    return pd.read_csv(ROOT / "data" / "loans.csv", keep_default_na=False)


@pytest.fixture(scope="module")
def model() -> frr.FRRClassifier:
    table = loans()
    return frr.FRRClassifier(max_rules=4).fit(table.drop(columns="decision"), table["decision"])


def test_the_same_as_the_program(model: frr.FRRClassifier, tmp_path: Path) -> None:
    table = loans()
    table.to_csv(tmp_path / "loans.csv", index=False)
    model.save(tmp_path / "model.json")
    data = tmp_path / "loans.csv"
    options = ("--json", "--positive", "grant", "--by", "home")
    expected = json.loads(run("evaluate", tmp_path / "model.json", data, *options))
    found = frr.evaluate(
        model, table.drop(columns="decision"), table["decision"], positive="grant", by="home"
    )
    del expected["dataset"]
    assert found == expected


def test_any_classifier() -> None:
    random = np.random.default_rng(1)
    X = random.normal(size=(300, 2))
    y = (X[:, 0] + random.normal(size=300) > 0.5).astype(int)
    weights = random.integers(0, 4, size=300).astype(float)
    other = LogisticRegression().fit(X, y)
    found = frr.evaluate(other, X, y, sample_weight=weights, positive=1)
    shares = other.predict_proba(X)[:, 1]
    assert found["auc"] == pytest.approx(
        metrics.roc_auc_score(y, shares, sample_weight=weights), abs=1e-12
    )
    assert found["brier"] == pytest.approx(
        metrics.brier_score_loss(y, shares, sample_weight=weights), abs=1e-12
    )
    assert found["positive"] == "1"


def test_groups_may_be_columns_of_their_own(model: frr.FRRClassifier) -> None:
    table = loans()
    X, y = table.drop(columns="decision"), table["decision"]
    age = np.where(table["age"] < 40, "young", "old")
    found = frr.evaluate(model, X, y, by={"age group": age})["by"]["age group"]["groups"]
    assert [group["group"] for group in found] == ["old", "young"]
    assert [group["rows"] for group in found] == [
        int((age == "old").sum()),
        int((age == "young").sum()),
    ]
    assert frr.evaluate(model, X, y, by=table[["home", "work"]])["by"].keys() == {"home", "work"}


def test_the_seed_matters_and_the_number_of_threads_does_not(model: frr.FRRClassifier) -> None:
    table = loans()
    X, y = table.drop(columns="decision"), table["decision"]
    one = frr.evaluate(model, X, y)
    assert one == frr.evaluate(model, X, y, n_jobs=3)
    assert one["intervals"] != frr.evaluate(model, X, y, random_state=1)["intervals"]


def test_rows_without_a_known_class_are_left_out(model: frr.FRRClassifier) -> None:
    table = loans().head(50)
    X, y = table.drop(columns="decision"), table["decision"].astype(object).tolist()
    y[0], y[1] = None, "perhaps"
    with pytest.warns(UserWarning, match="left out"):
        found = frr.evaluate(model, X, y)
    assert found["rows"] == 48
    assert any("'perhaps'" in note for note in found["notes"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"positive": "gran"}, "positive='gran'"),
        ({"by": "hom"}, "no column 'hom'"),
        ({"by": "income"}, "categorical column"),
        ({"by": {"home": ["a"]}}, "1 rows"),
        ({"sample_weight": np.full(400, -1.0)}, "egative"),
        ({"sample_weight": np.zeros(400)}, "non-zero"),
        ({"random_state": -1}, "random_state"),
    ],
)
def test_bad_input(model: frr.FRRClassifier, options: dict[str, Any], words: str) -> None:
    table = loans()
    with pytest.raises(ValueError, match=words):
        frr.evaluate(model, table.drop(columns="decision"), table["decision"], **options)
