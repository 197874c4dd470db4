"""What you read is what predicts: the program agrees with an independent interpreter of its models."""

import csv
import io
import json
import re

import pytest
from conftest import BREAST_CANCER
from interpreter import csv_text, predict_files
from tables import mixed

TNORMS = ("product", "minimum", "aczel-alsina:2.5", "lukasiewicz", "hamacher")


def predictions(frr, model, data) -> list[dict]:
    return list(csv.DictReader(io.StringIO(frr("predict", model, data, "--quiet").ok().out)))


def check(frr, data, *options) -> None:
    frr("train", data, "-o", "model.json", "--quiet", *options).ok()
    model = compare(frr, frr.directory / "model.json", data)
    # If only ELSE decided, the comparison would prove little.
    if model["rules"]:
        assert any(row["rule"] != "0" for row in predictions(frr, "model.json", data))


def compare(frr, path, data) -> dict:
    """Compares the complete output, to the last digit."""
    model = json.loads(path.read_text())
    printed = frr("predict", path, data, "--quiet", "--proba").ok().out
    assert printed == csv_text(model, predict_files(path, data), proba=True)
    return model


@pytest.mark.parametrize("preset", ("default", "paper"))
@pytest.mark.parametrize("tnorm", TNORMS)
def test_interpreter_agrees_on_mixed_tables(frr, preset, tnorm):
    data = frr.write("data.csv", mixed(seed=1, rows=150))
    check(frr, data, "--preset", preset, "--tnorm", tnorm, "--epochs", 40)


@pytest.mark.parametrize("preset", ("default", "paper"))
def test_interpreter_agrees_on_the_built_in_data(frr, preset):
    check(frr, BREAST_CANCER, "--preset", preset)


@pytest.mark.parametrize("tnorm", TNORMS[1:])
def test_interpreter_agrees_on_the_built_in_data_for_every_tnorm(frr, tnorm):
    check(frr, BREAST_CANCER, "--tnorm", tnorm, "--epochs", 20)


@pytest.mark.parametrize("options", (
    ("--semantics", "additive"),
    ("--semantics", "additive", "--tnorm", "minimum", "--preset", "paper", "--epochs", 40),
    ("--root", "2"),
    ("--labels", "7"),
    ("--labels", "2", "--partition", "uniform"),
    ("--partition", "quantile", "--labels", "5"),
    ("--polish", "false", "--tune", "false"),
))
@pytest.mark.parametrize("seed", (2, 3))
def test_interpreter_agrees_with_any_settings(frr, options, seed):
    data = frr.write("data.csv", mixed(seed=seed, rows=120, classes=2 + seed))
    check(frr, data, *options)


def test_interpreter_agrees_on_rows_with_unseen_and_missing_values(frr):
    train = frr.write("train.csv", mixed(seed=4, missing=0))
    frr("train", train, "-o", "model.json").ok()
    text = mixed(seed=5, missing=0.2).replace("blue", "violet").replace("green", "never seen")
    new = frr.write("new.csv", text)
    compare(frr, frr.directory / "model.json", new)


def test_a_hand_edited_model_predicts_as_edited(frr, cancer_model):
    model = json.loads(cancer_model.read_text())
    model["rules"] = [{"if": {"mean radius": "big"}, "then": "malignant", "weight": 0.5}]
    model["features"]["mean radius"]["labels"] = {
        "small": [None, None, 15, 15], "big": [15, 15, None, None]}
    model["else"] = {"then": "benign"}
    frr.write("edited.json", json.dumps(model))
    with BREAST_CANCER.open() as file:
        expected = ["malignant" if float(row["mean radius"]) >= 15 else "benign"
                    for row in csv.DictReader(file)]
    rows = predictions(frr, "edited.json", BREAST_CANCER)
    assert [row["prediction"] for row in rows] == expected


def test_the_predicted_class_is_the_most_probable(frr, cancer_model):
    out = frr("predict", cancer_model, BREAST_CANCER, "--proba").ok().out
    for row in csv.DictReader(io.StringIO(out)):
        shares = {name: float(row[f"p({name})"]) for name in ("malignant", "benign")}
        assert abs(sum(shares.values()) - 1) < 1e-9
        other = "benign" if row["prediction"] == "malignant" else "malignant"
        assert shares[row["prediction"]] > shares[other]
        assert float(row["probability"]) == shares[row["prediction"]]


def test_the_rule_column_has_the_numbers_of_the_rules_as_shown(frr, cancer_model):
    rules = json.loads(frr("rules", cancer_model, "--json").ok().out)
    decided = [0] * (len(rules["rules"]) + 1)
    for row in predictions(frr, cancer_model, BREAST_CANCER):
        number = int(row["rule"])
        decided[number] += 1
        expected = rules["rules"][number - 1]["then"] if number else rules["else"]["then"]
        assert row["prediction"] == expected
    assert decided == [rules["else"]["decides"], *(rule["decides"] for rule in rules["rules"])]


def test_the_text_has_one_line_per_rule(frr, cancer_model):
    rules = json.loads(frr("rules", cancer_model, "--json").ok().out)
    lines = frr("rules", cancer_model).ok().out.splitlines()
    shown = [line for line in lines if line.startswith("IF ")]
    assert len(shown) == len(rules["rules"])
    for line, rule in zip(shown, rules["rules"], strict=True):
        assert line.startswith(rule["text"])
        then = rule["class_rows"][rule["then"]]
        assert f" {then:.0f} of {rule['decides']:.0f} row" in line
        assert re.search(rf" {100 * rule['probability']:.0f}(\.\d+)? %", line)
        assert f"{rule['lift']:.1f} times the average" in line
    assert any(line.startswith("ELSE ") for line in lines)


def test_markdown_names_every_condition(frr, cancer_model):
    rules = json.loads(frr("rules", cancer_model, "--json").ok().out)
    text = frr("rules", cancer_model, "--markdown").ok().out
    for rule in rules["rules"]:
        for condition in rule["if"]:
            assert condition["feature"] in text


def test_predict_ignores_a_target_column_and_other_columns(frr, cancer_model):
    with_target = frr("predict", cancer_model, BREAST_CANCER).ok().out
    lines = BREAST_CANCER.read_text().splitlines()
    frr.write("without.csv", "\n".join(
        f"{line.rsplit(',', 1)[0]},{'comment' if i == 0 else 'free text'}"
        for i, line in enumerate(lines)))
    assert frr("predict", cancer_model, "without.csv").ok().out == with_target


def test_class_names_are_quoted_if_csv_requires_it(frr):
    rows = ["x,kind"] + [f'{i},"left, far"' for i in range(20)] + [f'{i},"say ""hi"""'
                                                                    for i in range(50, 70)]
    data = frr.write("data.csv", "\n".join(rows) + "\n")
    frr("train", data, "-o", "model.json").ok()
    found = {row["prediction"] for row in predictions(frr, "model.json", data)}
    assert found == {"left, far", 'say "hi"'}


def test_predict_json_and_csv_have_the_same_predictions(frr, cancer_model):
    rows = predictions(frr, cancer_model, BREAST_CANCER)
    parsed = json.loads(frr("predict", cancer_model, BREAST_CANCER, "--json", "--proba").ok().out)
    assert parsed["target"] == "diagnosis"
    assert [row["prediction"] for row in parsed["rows"]] == [row["prediction"] for row in rows]
    assert [str(row["rule"]) for row in parsed["rows"]] == [row["rule"] for row in rows]
    assert set(parsed["rows"][0]["probabilities"]) == {"malignant", "benign"}


def test_explain_and_predict_name_the_same_rule(frr, cancer_model):
    rows = predictions(frr, cancer_model, BREAST_CANCER)
    for number in (1, 20, 100, 569):
        why = json.loads(frr("explain", cancer_model, BREAST_CANCER, "--row", number,
                             "--json").ok().out)
        assert why["prediction"] == rows[number - 1]["prediction"]
        assert why["rule"] == int(rows[number - 1]["rule"])
        if why["winner"]:
            assert why["winner"]["rule"] == why["rule"]
            assert 0 < why["winner"]["score"] <= 1
        text = frr("explain", cancer_model, BREAST_CANCER, "--row", number).ok().out
        assert why["prediction"] in text
        assert (f"rule {why['rule']}" if why["rule"] else "ELSE") in text


def test_the_changes_of_explain_change_the_class(frr, cancer_model):
    with BREAST_CANCER.open() as file:
        table = list(csv.DictReader(file))
    checked = 0
    for number in (1, 20, 100, 300):
        why = json.loads(frr("explain", cancer_model, BREAST_CANCER, "--row", number,
                             "--json").ok().out)
        for change in why["changes"]:
            row = {**table[number - 1], change["feature"]: change["to"]}
            frr.write("changed.csv", ",".join(f'"{name}"' for name in row) + "\n"
                      + ",".join(row.values()) + "\n")
            after = predictions(frr, cancer_model, "changed.csv")[0]
            assert after["prediction"] == change["prediction"] != why["prediction"]
            assert int(after["rule"]) == change["rule"]
            checked += 1
    assert checked > 0
