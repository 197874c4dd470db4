"""frr cv: its metrics are those of all rows, each predicted by rules that have not seen it."""

import json

import numpy as np
import pytest
from conftest import BREAST_CANCER
from sklearn import metrics
from test_evaluate import Case, assert_close, expected_figures, expected_of_class, write_table

FIGURES = ["accuracy", "train_accuracy", "rules", "conditions", "unique_conditions", "fit_seconds"]


def pooled(frr, folds: int, options: tuple, weighted: bool) -> Case:
    """The predictions for data.csv by trainings without one fold each, of rows i, i + folds, ..."""
    header, *lines = (frr.directory / "data.csv").read_text().splitlines()
    parts = []
    for fold in range(folds):
        frr.write("train.csv", "\n".join(
            [header, *(line for i, line in enumerate(lines) if i % folds != fold)]) + "\n")
        frr.write("test.csv", "\n".join(
            [header, *(line for i, line in enumerate(lines) if i % folds == fold)]) + "\n")
        frr("train", "train.csv", *options, "-o", "model.json").ok()
        parts.append(Case(frr, "test.csv", weighted))
    result = parts[0]
    for part in parts[1:]:
        assert part.classes == result.classes
        for name in ("truth", "predicted", "shares", "wards", "weights"):
            setattr(result, name, np.concatenate([getattr(result, name), getattr(part, name)]))
    return result


@pytest.mark.parametrize("semantics", ("sufficient", "additive"))
@pytest.mark.parametrize("weighted", (False, True))
@pytest.mark.parametrize("classes", (2, 3))
def test_metrics_are_those_of_scikit_learn_out_of_fold(frr, classes, weighted, semantics):
    write_table(frr, "data.csv", 240, classes, 3)
    options = ("--semantics", semantics, "--augment", 0, "--epochs", 10,
               *(("--weight-column", "w", "--ignore", "ward") if weighted else ("--ignore", "w,ward")))
    frr.write("folds.txt", "".join(f"{i % 4}\n" for i in range(240)))
    result = json.loads(frr("cv", "data.csv", *options, "--folds", "folds.txt", "--json").ok().out)
    found = result["metrics"]
    case = pooled(frr, 4, options, weighted)
    assert found["rows"] == len(case.truth)
    assert (found["positive"] is not None) == (classes == 2)
    assert_close(found, expected_figures(case, found["positive"]))
    for name in case.classes:
        assert_close(found["by_class"][name], expected_of_class(case, name))
    assert found["intervals"]["accuracy"][0] < found["accuracy"] < found["intervals"]["accuracy"][1]
    losses = [fold["log_loss"] for fold in result["folds"]]
    assert result["mean"]["log_loss"] == pytest.approx(sum(losses) / 4, abs=1e-12)
    if not weighted:
        confusion = metrics.confusion_matrix(case.truth, case.predicted, labels=case.classes)
        assert np.array_equal(result["confusion"], confusion)
        assert found["confusion"] == result["confusion"]


def test_json_keeps_its_keys(frr):
    result = json.loads(frr("cv", BREAST_CANCER, "--epochs", 2, "--json").ok().out)
    assert list(result) == ["dataset", "rows", "features", "classes", "folds", "mean", "deviation",
                            "class_names", "confusion", "metrics", "notes"]
    for part in (*result["folds"], result["mean"], result["deviation"]):
        assert list(part)[:6] == FIGURES
    evaluated = frr("train", BREAST_CANCER, "--epochs", 2, "-o", "model.json").ok()
    evaluated = json.loads(frr("evaluate", "model.json", BREAST_CANCER, "--json").ok().out)
    assert list(result["metrics"]) == list(evaluated)
    assert list(result["metrics"]["by_class"]) == list(evaluated["by_class"])


def test_the_text_shows_intervals_and_rates_of_the_positive_class(frr):
    text = frr("cv", BREAST_CANCER, "--epochs", 2).ok().out
    found = json.loads(frr("cv", BREAST_CANCER, "--epochs", 2, "--json").ok().out)["metrics"]
    lines = {line[:31].strip(): line for line in text.splitlines()}
    low, high = found["intervals"]["auc"]
    assert f"{found['auc']:.3f}   {low:.3f} to {high:.3f}" in lines["AUC of malignant"]
    rates = found["by_class"]["malignant"]
    low, high = rates["intervals"]["sensitivity"]
    assert f"{rates['sensitivity']:.3f}   {low:.3f} to {high:.3f}" in lines["sensitivity of malignant"]
    assert max(map(len, text.splitlines())) <= 80


def test_a_fold_of_one_class_has_no_auc(frr):
    rows = [("a" if i < 10 or i % 2 else "b", i) for i in range(40)]
    frr.write("data.csv", "x,class\n" + "".join(f"{(i * 7) % 11},{name}\n" for name, i in rows))
    frr.write("folds.txt", "".join("0\n" if i < 10 else f"{1 + i % 2}\n" if i < 20 else f"{1 + i // 2 % 2}\n"
                                   for i in range(40)))
    result = json.loads(frr("cv", "data.csv", "--folds", "folds.txt", "--epochs", 2, "--json").ok().out)
    areas = [fold["auc"] for fold in result["folds"]]
    assert areas[0] is None
    assert result["mean"]["auc"] == pytest.approx((areas[1] + areas[2]) / 2)
