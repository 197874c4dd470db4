"""frr evaluate: its figures are those of scikit-learn, and bad input gives a clear message."""

import csv
import io
import json
import math
import random
from collections.abc import Callable

import numpy as np
import pytest
from conftest import BREAST_CANCER, ROOT, Program
from sklearn import metrics

LOANS = ROOT / "data" / "loans.csv"
CLOSE = 1e-12
REFERRAL = ("referred", "error_of_others")  # undefined without --refer


def write_table(frr: Program, name: str, rows: int, classes: int, seed: int) -> None:
    """A class that depends on x and z with much noise, a weight, and groups."""
    numbers = random.Random(seed)
    lines = ["x,z,ward,w,class"]
    for _ in range(rows):
        x, z = numbers.uniform(0, 10), numbers.uniform(0, 10)
        score = (x + 0.3 * z) / 13 * classes + numbers.gauss(0, 0.3)
        label = min(classes - 1, max(0, int(score)))
        weight = numbers.choice((0, 0.25, 1, 1.75, 3))
        lines.append(f"{x:.3f},{z:.3f},{numbers.choice('abc')},{weight},{'klmn'[label]}")
    frr.write(name, "\n".join(lines) + "\n")


def rows_of(frr: Program, name: str) -> list[dict[str, str]]:
    with (frr.directory / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Case:
    """What frr predict gives for a table, as arrays."""

    def __init__(self, frr: Program, name: str, weighted: bool):
        rows = rows_of(frr, name)
        table = list(csv.DictReader(io.StringIO(frr("predict", "model.json", name, "--proba").ok().out)))
        self.classes = [key[2:-1] for key in table[0] if key.startswith("p(")]
        weights = np.array([float(row["w"]) if weighted else 1.0 for row in rows])
        used = weights > 0
        self.truth = np.array([row["class"] for row in rows])[used]
        self.predicted = np.array([row["prediction"] for row in table])[used]
        self.shares = np.array([[float(row[f"p({name})"]) for name in self.classes] for row in table])[used]
        self.wards = np.array([row["ward"] for row in rows])[used]
        self.weights = weights[used]

    def of(self, name: str) -> np.ndarray:
        return self.shares[:, self.classes.index(name)]


def calibration_error(event: np.ndarray, p: np.ndarray, weights: np.ndarray) -> float:
    total = 0.0
    for number in range(10):
        chosen = np.clip(np.floor(10 * p), 0, 9) == number
        total += abs(np.sum(weights[chosen] * (event[chosen] - p[chosen])))
    return total / weights.sum()


def root(decreasing: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if decreasing(middle) > 0 else (low, middle)
    return (low + high) / 2


def logistic_fit(event: np.ndarray, p: np.ndarray, weights: np.ndarray) -> dict[str, float]:
    """By bisection: at the maximum of the likelihood, which is concave, its derivatives are 0."""
    clipped = np.clip(p, 2**-52, 1 - 2**-52)
    x = np.log(clipped / (1 - clipped))

    def residuals(a: float, b: float) -> np.ndarray:
        return weights * (event - (1 + np.tanh((a + b * x) / 2)) / 2)

    def best_intercept(b: float) -> float:
        return root(lambda a: residuals(a, b).sum(), -100, 100)

    slope = root(lambda b: (residuals(best_intercept(b), b) * x).sum(), -20, 20)
    return {"calibration_slope": slope, "calibration_intercept": best_intercept(1)}


def expected_figures(case: Case, positive: str | None) -> dict[str, float]:
    truth, weights, classes = case.truth, {"sample_weight": case.weights}, case.classes
    one_hot = np.array([[name == label for name in classes] for label in truth], dtype=int)
    if positive:
        ranked, chosen = one_hot[:, classes.index(positive)], case.of(positive)
        auc = metrics.roc_auc_score(ranked, chosen, **weights)
        brier = metrics.brier_score_loss(ranked, chosen, **weights)
        event, p = ranked, chosen
    else:
        ranked, chosen = one_hot, case.shares
        auc = metrics.roc_auc_score(truth, chosen, multi_class="ovr", labels=classes, **weights)
        brier = metrics.brier_score_loss(truth, chosen, labels=classes, **weights)
        event = (truth == case.predicted).astype(int)
        p = case.shares[np.arange(len(truth)), [classes.index(name) for name in case.predicted]]
    return {
        "accuracy": metrics.accuracy_score(truth, case.predicted, **weights),
        "balanced_accuracy": metrics.balanced_accuracy_score(truth, case.predicted, **weights),
        "mcc": metrics.matthews_corrcoef(truth, case.predicted, **weights),
        "auc": auc,
        "average_precision": metrics.average_precision_score(ranked, chosen, **weights),
        "log_loss": metrics.log_loss(truth, case.shares, labels=classes, **weights),
        "brier": brier,
        "calibration_error": calibration_error(event, p, case.weights),
        **logistic_fit(event, p, case.weights),
    }


def expected_of_class(case: Case, name: str) -> dict[str, float]:
    truth, predicted, weights = case.truth == name, case.predicted == name, case.weights
    options = {"sample_weight": weights}
    precision = {**options, "zero_division": np.nan}
    return {
        "rows": truth.sum(),
        "prevalence": weights[truth].sum() / weights.sum(),
        "predicted": weights[predicted].sum() / weights.sum(),
        "sensitivity": metrics.recall_score(truth, predicted, **options),
        "specificity": metrics.recall_score(truth, predicted, pos_label=False, **options),
        "ppv": metrics.precision_score(truth, predicted, **precision),
        "npv": metrics.precision_score(truth, predicted, pos_label=False, **precision),
        "f1": metrics.f1_score(truth, predicted, **options),
        "auc": metrics.roc_auc_score(truth, case.of(name), **options),
        "average_precision": metrics.average_precision_score(truth, case.of(name), **options),
    }


def assert_close(found: dict, expected: dict[str, float]) -> None:
    for key, value in expected.items():
        if math.isnan(value):
            assert found[key] is None, key
            continue
        assert found[key] == pytest.approx(value, rel=0, abs=CLOSE), key


@pytest.mark.parametrize("semantics", ("sufficient", "additive"))
@pytest.mark.parametrize("weighted", (False, True))
@pytest.mark.parametrize("classes", (2, 3, 4))
def test_figures_are_those_of_scikit_learn(frr, classes, weighted, semantics):
    write_table(frr, "train.csv", 400, classes, 1)
    write_table(frr, "new.csv", 300, classes, 2)
    frr("train", "train.csv", "--ignore", "w,ward", "--semantics", semantics, "--augment", 0,
        "-o", "model.json").ok()
    weights = ("--weight-column", "w") if weighted else ()
    found = json.loads(frr("evaluate", "model.json", "new.csv", "--json", *weights).ok().out)
    case = Case(frr, "new.csv", weighted)
    positive = found["positive"]
    assert (positive is not None) == (classes == 2)
    assert found["rows"] == len(case.truth)
    assert found["weight"] == pytest.approx(case.weights.sum())
    assert_close(found, expected_figures(case, positive))
    for name in case.classes:
        assert_close(found["by_class"][name], expected_of_class(case, name))
    confusion = metrics.confusion_matrix(case.truth, case.predicted, labels=case.classes,
                                         sample_weight=case.weights)
    assert np.allclose(found["confusion"], confusion, rtol=0, atol=CLOSE)
    for key, ends in found["intervals"].items():
        if key in REFERRAL:
            assert ends is None
            continue
        assert ends, key
        assert ends[0] < ends[1], key


def test_the_roc_curve_is_that_of_scikit_learn(frr):
    write_table(frr, "train.csv", 400, 2, 1)
    write_table(frr, "new.csv", 300, 2, 2)
    frr("train", "train.csv", "--ignore", "w,ward", "-o", "model.json").ok()
    found = json.loads(frr("evaluate", "model.json", "new.csv", "--json", "--weight-column", "w",
                           "--positive", "l").ok().out)
    case = Case(frr, "new.csv", True)
    curve = metrics.roc_curve(case.truth == "l", case.of("l"), sample_weight=case.weights,
                              drop_intermediate=False)
    keys = ("false_positive_rate", "true_positive_rate", "threshold")
    for key, expected in zip(keys, curve, strict=True):
        values = [math.inf if point[key] is None else point[key] for point in found["roc"]]
        assert values == pytest.approx(expected.tolist(), rel=0, abs=CLOSE)


def test_groups_are_those_of_their_rows(frr):
    write_table(frr, "train.csv", 400, 2, 1)
    write_table(frr, "new.csv", 300, 2, 2)
    frr("train", "train.csv", "--ignore", "w,ward", "-o", "model.json").ok()
    found = json.loads(frr("evaluate", "model.json", "new.csv", "--json", "--weight-column", "w",
                           "--by", "ward", "--positive", "k").ok().out)["by"]["ward"]
    case = Case(frr, "new.csv", True)
    assert [group["group"] for group in found["groups"]] == ["a", "b", "c"]
    for group in found["groups"]:
        inside = case.wards == group["group"]
        truth, predicted, weights = case.truth[inside] == "k", case.predicted[inside] == "k", case.weights[inside]
        options = {"sample_weight": weights}
        assert_close(group, {
            "rows": inside.sum(),
            "accuracy": metrics.accuracy_score(truth, predicted, **options),
            "prevalence": weights[truth].sum() / weights.sum(),
            "predicted_positive": weights[predicted].sum() / weights.sum(),
            "true_positive_rate": metrics.recall_score(truth, predicted, **options),
            "false_positive_rate": 1 - metrics.recall_score(truth, predicted, pos_label=False, **options),
            "ppv": metrics.precision_score(truth, predicted, **options),
            "auc": metrics.roc_auc_score(truth, case.of("k")[inside], **options),
            "calibration_error": calibration_error(truth.astype(int), case.of("k")[inside], weights),
        })
    for key, gap in found["gaps"].items():
        values = [group[key] for group in found["groups"]]
        assert gap == pytest.approx(max(values) - min(values), rel=0, abs=CLOSE)


def test_intervals_depend_on_the_seed_but_not_on_threads(frr, cancer_model):
    evaluate = ("evaluate", cancer_model, BREAST_CANCER, "--json")
    first = frr(*evaluate).ok().out
    assert first == frr(*evaluate, "--threads", 1).ok().out == frr(*evaluate, "--threads", 7).ok().out
    other = json.loads(frr(*evaluate, "--seed", 1).ok().out)
    assert other["intervals"] != json.loads(first)["intervals"]
    assert other["auc"] == json.loads(first)["auc"]
    assert other["bootstrap"] == {"replicates": 1000, "seed": 1}


def test_text_shows_figures_confusion_and_curve(frr, cancer_model):
    text = frr("evaluate", cancer_model, BREAST_CANCER).ok().out
    for words in ("breast_cancer: 569 rows, 2 classes of diagnosis", "95 % interval", "calibration slope",
                  "malignant (positive)", "true \\ predicted", "ROC curve of malignant"):
        assert words in text
    assert max(map(len, text.splitlines())) <= 80


def test_text_fits_for_several_classes_and_groups(frr):
    frr("train", LOANS, "-o", "model.json").ok()
    text = frr("evaluate", "model.json", LOANS, "--by", "work,home").ok().out
    assert "AUC, mean of the classes" in text
    assert "ROC" not in text  # of no class, until one is chosen
    assert "TPR" not in text
    assert max(map(len, text.splitlines())) <= 80
    chosen = frr("evaluate", "model.json", LOANS, "--by", "work,home", "--positive", "grant").ok().out
    assert "ROC curve of grant" in chosen
    assert "TPR" in chosen
    assert max(map(len, chosen.splitlines())) <= 80


def test_the_result_is_written_to_a_file(frr, cancer_model):
    frr("evaluate", cancer_model, BREAST_CANCER, "--json", "-o", "result.json").ok()
    assert json.loads((frr.directory / "result.json").read_text())["rows"] == 569


def test_data_may_be_standard_input(frr, cancer_model):
    piped = frr("evaluate", cancer_model, "-", "--json", stdin=BREAST_CANCER.read_bytes()).ok()
    assert json.loads(piped.out)["dataset"] == "stdin"


# ---- Bad input -----------------------------------------------------------------------------------


@pytest.fixture
def small(frr) -> Program:
    """A model of two classes, and a table that it fits."""
    write_table(frr, "train.csv", 200, 2, 1)
    frr("train", "train.csv", "--ignore", "w,ward", "-o", "model.json").ok()
    write_table(frr, "new.csv", 60, 2, 2)
    return frr


def test_an_unknown_positive_class(small):
    small("evaluate", "model.json", "new.csv", "--positive", "K").fails(2, "--positive K", "did you mean 'k'?")


def test_an_unknown_group_column_has_a_suggestion(small):
    small("evaluate", "model.json", "new.csv", "--by", "wrad").fails(
        1, "no column 'wrad'", "did you mean 'ward'?")


def test_an_unknown_weight_column_has_a_suggestion(small):
    small("evaluate", "model.json", "new.csv", "--weight-column", "W").fails(1, "no column 'W'", "'w'")


def test_the_target_is_missing(small):
    small.write("no_class.csv", "x,z,clas\n1,2,k\n")
    small("evaluate", "model.json", "no_class.csv").fails(1, "no column 'class'", "did you mean 'clas'?")


@pytest.mark.parametrize("by", ("class", "w", "ward,ward"))
def test_columns_that_make_no_groups(small, by):
    small("evaluate", "model.json", "new.csv", "--weight-column", "w", "--by", by).fails(2, "--by")


def test_too_many_groups(frr):
    lines = ["x,site,number,class"]
    lines += [f"{row % 10},site {row},{row / 8},{'kl'[row % 10 > 4]}" for row in range(10000)]
    frr.write("data.csv", "\n".join(lines) + "\n")
    frr("train", "data.csv", "--ignore", "site,number", "-o", "model.json").ok()
    frr("evaluate", "model.json", "data.csv", "--by", "site").fails(
        1, "'site'", "at most 50 values", "10000", "fewer categories")
    frr("evaluate", "model.json", "data.csv", "--by", "number").fails(
        1, "'number'", "10000 different numbers", "categorical column")


def test_a_file_of_one_class_gives_what_is_defined(small):
    rows = [row for row in rows_of(small, "new.csv") if row["class"] == "k"]
    lines = ["x,z,class", *(f"{row['x']},{row['z']},k" for row in rows)]
    small.write("one.csv", "\n".join(lines) + "\n")
    result = small("evaluate", "model.json", "one.csv", "--json").ok()
    assert "all rows are of the class 'k'" in result.err
    found = json.loads(result.out)
    assert "all rows are of the class 'k'" in found["notes"][0]
    assert found["auc"] is None
    assert found["intervals"]["auc"] is None
    assert found["roc"] is None
    assert found["by_class"]["l"]["sensitivity"] is None
    assert found["accuracy"] == found["by_class"]["k"]["sensitivity"]
    text = small("evaluate", "model.json", "one.csv").ok().out
    assert [line.split() for line in text.splitlines() if line.startswith("calibration slope")] == [
        ["calibration", "slope", "-"]]


@pytest.mark.parametrize("content,words", (
    ("", "empty"),
    ("x,z,class\n", "no rows"),
    ("x,z,class\n1,2,\n", "none has a class"),
    ("x,z,class\n1,2,K\n", "none has a class"),
))
def test_nothing_to_evaluate(small, content, words):
    small.write("none.csv", content)
    small("evaluate", "model.json", "none.csv").fails(1, words)


def test_rows_of_unknown_or_missing_class_are_left_out_with_a_warning(small):
    lines = (small.directory / "new.csv").read_text().splitlines()
    small.write("odd.csv", "\n".join([*lines, "1,2,a,1,K", "1,2,a,1,", "1,2,a,1,"]) + "\n")
    result = small("evaluate", "model.json", "odd.csv", "--json").ok()
    assert "1 row of odd.csv has the class 'K'" in result.err
    assert "2 rows of odd.csv have no value in the target 'class'" in result.err
    found = json.loads(result.out)
    assert found["rows"] == len(lines) - 1
    assert len(found["notes"]) == 2


@pytest.mark.parametrize("weight,words", (("-1", "negative"), ("", "missing"), ("a", "not a number")))
def test_bad_weights(small, weight, words):
    small.write("bad.csv", f"x,z,w,class\n1,2,{weight},k\n1,2,1,l\n")
    small("evaluate", "model.json", "bad.csv", "--weight-column", "w").fails(1, "line 2", "'w'", words)


def test_weights_of_training_that_are_not_applied_are_mentioned(frr):
    write_table(frr, "train.csv", 200, 2, 1)
    frr("train", "train.csv", "--ignore", "ward", "--weight-column", "w", "-o", "model.json").ok()
    result = frr("evaluate", "model.json", "train.csv").ok()
    assert "--weight-column w" in result.err
    assert frr("evaluate", "model.json", "train.csv", "--weight-column", "w").ok().err == ""


def test_the_output_is_not_an_input(small):
    small("evaluate", "model.json", "new.csv", "-o", "new.csv").fails(2, "would be overwritten")
    small("evaluate", "-", "-").fails(2, "standard input")
