"""What rules, predict, explain and train say about probabilities and decisions."""

import csv
import io
import json
import math
import re

import models
import pytest

TABLE = "age,bmi,state\n80,20,ill\n80,80,well\n20,80,well\n20,20,well\n"


def saved(frr, model, *options):
    """Writes the model, with other decisions if there are options."""
    frr.write("model.json", models.text(model))
    if options:
        frr("decide", "model.json", *options, "-o", "model.json").ok()
    return "model.json"


def rows_of(answer):
    return list(csv.DictReader(io.StringIO(answer.ok().out)))


def lines_of(answer):
    """The lines of the output with single spaces."""
    return [" ".join(line.split()) for line in answer.ok().out.splitlines()]


# ---- rules ---------------------------------------------------------------------------------------

def test_rules_show_probability_and_lift(frr):
    # (84 + 0.95) / 99 = 0.858 and 0.858 / 0.95 = 0.90; (96 + 0.95) / 102 = 0.950, 1.0;
    # (770 + 0.95) / 802 = 0.961, 1.01.
    lines = lines_of(frr("rules", saved(frr, models.sufficient())))
    assert lines[:3] == [
        "IF age IS high THEN well 84 of 98 rows 86 % 0.9 times the average weight 1",
        "IF age IS low AND bmi IS high THEN well 96 of 101 rows 95 % as on average weight 0.5",
        "ELSE well 770 of 801 rows 96 % as on average"]


def test_rules_say_why_then_is_not_the_most_probable_class(frr):
    text = frr("rules", saved(frr, models.sufficient(), "--cost", "miss:20")).ok().out
    # 0.1419 / 0.05 = 2.8
    assert ("   THEN ill: 14 % of these rows are ill, 2.8 times the average; a miss counts as 20 false "
            "alarms\n") in text
    assert text.count("a miss counts as 20 false alarms") == 3  # two rules, and once at the end
    assert "ill is predicted from a probability of 4.76 % on" in text
    text = frr("rules", saved(frr, models.sufficient(), "--threshold", "0.1")).ok().out
    assert ("   THEN ill: 14 % of these rows are ill, 2.8 times the average; ill is predicted from "
            "10 % on\n") in text
    assert "ill is predicted where its probability is at least 10 %." in text
    text = frr("rules", saved(frr, models.sufficient(), "--refer", "0.9")).ok().out
    assert "A case is referred to a person if its most probable class has a probability below 90 %" \
        in text
    assert "THEN ill:" not in text


def test_rules_explain_costs_of_several_classes(frr):
    name = saved(frr, models.three_classes(), "--cost", "c:4")
    text = frr("rules", name).ok().out
    # ELSE: p(c) = 19.2 / 91 = 0.21; cost 4 x 0.21 = 0.84 > p(a) = 0.51
    assert "ELSE c: 21 % of these rows are c, 1.1 times the average; an error costs 4 where c is " \
        "true and 1 where a is true" in text
    assert "An error costs 1 where a or b is true, 4 where c is true." in text


def test_rules_json(frr):
    model = json.loads(frr("rules", saved(frr, models.sufficient(), "--cost", "miss:20"),
                           "--json").ok().out)
    rule = model["rules"][0]
    assert math.isclose(rule["probability"], 14.05 / 99, rel_tol=1e-12)
    assert math.isclose(rule["lift"], 14.05 / 99 / 0.05, rel_tol=1e-12)
    assert rule["reason"].endswith("a miss counts as 20 false alarms")
    assert model["else"]["reason"] is None
    assert model["base_rates"] == {"well": 0.95, "ill": 0.05}
    assert model["policy"]["positive"] == "ill"


def test_additive_rules(frr):
    lines = lines_of(frr("rules", saved(frr, models.additive())))
    text = "\n".join(lines)
    # (8 + 0.1) / 21 = 0.386 and (50 + 0.9) / 54 = 0.943
    assert lines[0] == \
        "IF age IS high THEN ill +1.50 for ill 8 of 20 rows 39 % 3.9 times the average"
    assert lines[1] == "IF bmi IS low THEN well +0.50 for well 50 of 53 rows 94 % as on average"
    assert "Start with -2.00, add the scores of all rules for ill and subtract those of all rules for " \
        "well: the sum S gives the probability of ill, 1 / (1 + exp(-S))." in text
    assert "Where no rule applies: well 88 %, ill 12 %." in text  # 1 / (1 + e^2) = 0.119


def test_additive_rules_of_several_classes(frr):
    model = models.three_classes(inference={"semantics": "additive"}, biases={"a": 0.5, "c": -1})
    for rule in (model["rules"][0], model["else"]):
        rule["true_for"] = rule.pop("decides")
    text = frr("rules", saved(frr, model)).ok().out
    assert "Each class starts with its bias (a +0.50, b +0.00, c -1.00)" in text
    assert "exp(its sum), divided by the total of exp(sum) over all classes (softmax)" in text
    # e^0.5, 1 and e^-1 over their sum 3.0166
    assert "Where no rule applies: a 55 %, b 33 %, c 12 %." in text


def test_scorecard_is_a_card(frr):
    text = frr("rules", saved(frr, models.scorecard())).ok().out
    # Log-odds -2 + 0.5 x points: 7.6 % at -1, 11.9 % at 0, 26.9 % at 2 and 37.8 % at 3.
    assert text.startswith("""Scorecard: probability that state is ill

Tick each line whose conditions all hold, and add the points of these lines:
  [ ] age from 50      +3
  [ ] bmi below 50     -1
  Total points       ____

  Total points   Probability of ill   Prediction
            -1                7.6 %   well
             0                 12 %   well
             2                 27 %   well
             3                 38 %   well
""")
    assert "S = -2 + 0.5 x points" in text
    model = json.loads(frr("rules", "model.json", "--json").ok().out)
    assert [rule["points"] for rule in model["rules"]] == [3, -1]
    assert [line["least"] for line in model["risk"]] == [-1, 0, 2, 3]
    assert math.isclose(model["risk"][3]["low"], 1 / (1 + math.exp(0.5)), rel_tol=1e-12)
    markdown = frr("rules", "model.json", "--markdown").ok().out
    assert "| 1 | age IS high | ill | +3 |" in markdown
    assert "| 3 | 38 % | well |" in markdown


def test_scorecard_shows_where_the_class_changes(frr):
    text = frr("rules", saved(frr, models.scorecard(), "--threshold", "0.2")).ok().out
    assert [line.split()[-1] for line in text.splitlines() if "%   " in line] == \
        ["well", "well", "ill", "ill"]


# ---- predict -------------------------------------------------------------------------------------

def test_predict_says_which_rows_are_referred(frr):
    frr.write("data.csv", TABLE)
    name = saved(frr, models.sufficient(), "--refer", "0.9")
    answer = frr("predict", name, "data.csv", "--proba")
    assert answer.ok().out.splitlines()[0] == "prediction,probability,rule,referred,p(well),p(ill)"
    # Largest probabilities 0.858, 0.858, 0.950; no rule applies to the last row.
    assert [row["referred"] for row in rows_of(answer)] == ["yes", "yes", "no", "yes"]
    rows = json.loads(frr("predict", name, "data.csv", "--json").ok().out)["rows"]
    assert [row["referred"] for row in rows] == [True, True, False, True]


def test_predict_has_three_columns_by_default(frr):
    frr.write("data.csv", TABLE)
    answer = frr("predict", saved(frr, models.sufficient()), "data.csv").ok()
    assert answer.out.splitlines()[0] == "prediction,probability,rule"
    rows = json.loads(frr("predict", "model.json", "data.csv", "--json").ok().out)["rows"]
    assert set(rows[0]) == {"prediction", "probability", "rule"}


def test_predict_refers_additive_rows(frr):
    frr.write("data.csv", "age,bmi\n80,20\n80,80\n20,80\n20,20\n")
    name = saved(frr, models.additive(), "--refer", "0.7")
    # Largest probabilities 0.731, 0.622, 0.881 (no rule applies) and 0.924.
    assert [row["referred"] for row in rows_of(frr("predict", name, "data.csv"))] == \
        ["no", "yes", "yes", "no"]


def test_referred_column_in_a_spreadsheet(frr):
    frr.write("data.csv", TABLE)
    name = saved(frr, models.sufficient(), "--refer", "0.9")
    answer = frr("predict", name, "data.csv", "--spreadsheet").ok()
    assert answer.out.splitlines()[1].endswith(",1,yes")


# ---- explain -------------------------------------------------------------------------------------

def test_explain_says_why_another_class_is_predicted(frr):
    frr.write("data.csv", TABLE)
    name = saved(frr, models.sufficient(), "--cost", "miss:20")
    text = frr("explain", name, "data.csv", "--row", "1").ok().out
    assert "14 of the 98 training rows that it decides are ill: 14 %, 2.8 times the average" in text
    assert ("Predicted ill although its probability is only 14 %: a miss counts as 20 false alarms."
            in text)
    why = json.loads(frr("explain", name, "data.csv", "--row", "1", "--json").ok().out)
    assert why["reason"] == "a miss counts as 20 false alarms" and why["referred"] is False
    assert why["policy"]["costs"]["ill"]["well"] == 20
    assert math.isclose(why["probability"], 14.05 / 99, rel_tol=1e-12)


def test_explain_says_why_a_case_is_referred(frr):
    frr.write("data.csv", TABLE)
    name = saved(frr, models.sufficient(), "--refer", "0.9")
    text = frr("explain", name, "data.csv", "--row", "1").ok().out
    assert ("Referred to a person: the most probable class has a probability of 86 %, below the limit "
            "of 90 %.") in text
    assert "Referred to a person: no rule applies to this row." in \
        frr("explain", name, "data.csv", "--row", "4").ok().out
    assert "Referred" not in frr("explain", name, "data.csv", "--row", "3").ok().out
    assert json.loads(frr("explain", name, "data.csv", "--row", "4", "--json").ok().out)["referred"]


def test_explain_adds_scores(frr):
    frr.write("data.csv", TABLE)
    lines = lines_of(frr("explain", saved(frr, models.additive()), "data.csv", "--row", "1"))
    # -2 + 1.5 - 0.5 = -1: P(ill) = 26.9 %
    start = lines.index("Scores:")
    assert lines[start + 1:start + 5] == [
        "bias: 12 % if no rule applies -2.00 for ill",
        "rule 1: age IS high age = 80 +1.50 for ill",
        "rule 2: bmi IS low bmi = 20 -0.50 for ill",
        "sum -1.00 for ill = 27 %"]
    why = json.loads(frr("explain", "model.json", "data.csv", "--row", "1", "--json").ok().out)
    assert why["biases"] == {"well": 0, "ill": -2}
    assert why["scores"] == {"well": 0.5, "ill": -0.5}
    assert why["margin"] == 1


def test_explain_adds_points(frr):
    frr.write("data.csv", TABLE)
    text = frr("explain", saved(frr, models.scorecard()), "data.csv", "--row", "1").ok().out
    assert "2 points in total" in text and "-1.00 for ill = 27 %" in text


# ---- models without rules ------------------------------------------------------------------------

@pytest.mark.parametrize("command", [["rules"], ["predict", "data.csv"],
                                     ["report", "data.csv", "-o", "page.html"]])
def test_a_model_without_rules_is_not_silent(frr, command):
    model = models.sufficient(rules=[])
    model["else"] = {"then": "well", "decides": {"well": 950, "ill": 50}, "covers": 1000}
    frr.write("data.csv", TABLE)
    answer = frr(command[0], saved(frr, model), *command[1:]).ok()
    # (950 + 0.95) / 1001 = 0.95
    assert ("the model has no rules: it predicts 'well' for every row, with a probability of 95 %"
            in answer.err)
    # One of the two classes has 5 % of the rows, so the objective was risk.
    assert "try --semantics additive or --price 0" in answer.err


# ---- training ------------------------------------------------------------------------------------

@pytest.fixture
def table(frr):
    """Every fourth row of age above 50 is ill, and one of 20 others."""
    rows = ["age,bmi,state"]
    for i in range(400):
        age = 20 + (i * 7) % 61
        ill = i % 4 == 0 if age > 50 else i % 20 == 0
        rows.append(f"{age},{20 + (i * 13) % 17},{'ill' if ill else 'well'}")
    return frr.write("patients.csv", "\n".join(rows) + "\n")


def test_training_with_costs(frr, table):
    answer = frr("train", table, "--cost", "miss:10", "--epochs", "20", "-o", "model.json").ok()
    assert "Positive class: ill (" in answer.err
    assert "a miss counts as 10 false alarms" in answer.err
    model = json.loads((frr.directory / "model.json").read_text())
    assert model["decisions"] == {"positive": "ill",
                                  "costs": {"well": {"ill": 1}, "ill": {"well": 10}}}
    predicted = {row["prediction"] for row in rows_of(frr("predict", "model.json", table))}
    assert "ill" in predicted
    summary = json.loads(frr("train", table, "--threshold", "0.2", "--epochs", "20", "-o", "m.json",
                             "--json").ok().out)
    assert summary["policy"]["threshold"] == 0.2


def test_training_with_a_sensitivity(frr, table):
    answer = frr("train", table, "--sensitivity", "0.9", "--epochs", "20", "-o", "model.json").ok()
    assert "The threshold was chosen for a sensitivity of 90 % and reached " in answer.err
    target = json.loads((frr.directory / "model.json").read_text())["decisions"]["target"]
    assert target["wanted"] == 0.9 and target["reached"] >= 0.9


@pytest.mark.parametrize("command", ["train", "cv", "path"])
def test_commands_that_train_check_decisions(frr, table, command):
    frr(command, table, "--positive", "il", "--epochs", "1").fails(2, "did you mean 'ill'?")
    frr(command, table, "--cost", "miss:2", "--threshold", "0.5").fails(2, "--cost and --threshold")
    frr.write("costs.csv", "true,well,ill\nwell,0,1\nill,-5,0\n")
    frr(command, table, "--costs", "costs.csv").fails(1, "costs.csv, line 3, column 'well'", "is -5")


def test_the_costs_are_not_overwritten(frr, table):
    frr.write("costs.csv", "true,well,ill\nwell,0,1\nill,5,0\n")
    frr("train", table, "--costs", "costs.csv", "-o", "costs.csv").fails(2, "would be overwritten")


def test_training_that_finds_no_rule_says_what_to_do(frr):
    ages = [(i * 37) % 101 for i in range(500)]
    rows = [f"{age},{'ill' if age > 70 and i % 5 else 'well'}" for i, age in enumerate(ages)]
    frr.write("weak.csv", "age,state\n" + "\n".join(rows) + "\n")
    answer = frr("train", "weak.csv", "--objective", "accuracy", "--price", "1000", "--refer", "0.6",
                 "-o", "model.json").ok()
    assert json.loads((frr.directory / "model.json").read_text())["rules"] == []
    assert "no rule was worth" in answer.err
    assert "Try --objective risk, --semantics additive or --price 0 --price-rate 0" in answer.err
    ways = re.findall(r"frr (train .*?) -o model\.json", answer.err)
    assert ways == ["train weak.csv --refer 0.6 --objective risk",
                    "train weak.csv --objective accuracy --refer 0.6 --price 0 --price-rate 0"]
    frr(*ways[1].split(), "-o", "model.json").ok()
    assert json.loads((frr.directory / "model.json").read_text())["rules"] != []
