"""frr decide: decisions of a model change, its rules and probabilities do not."""

import json
import math

import models
import pytest

TABLE = "age,bmi,state\n80,20,ill\n80,80,well\n20,80,well\n20,20,well\n"


def decide(frr, model, *options):
    """The program's answer and the new model."""
    frr.write("model.json", models.text(model))
    answer = frr("decide", "model.json", *options, "-o", "new.json").ok()
    return answer, json.loads((frr.directory / "new.json").read_text())


def classes(model):
    return [rule["then"] for rule in model["rules"]] + [model["else"]["then"]]


# P(ill) = (14 + 0.05) / 99 = 0.142, (5 + 0.05) / 102 = 0.0495 and (31 + 0.05) / 802 = 0.0387.
@pytest.mark.parametrize(("options", "expected"), [
    (["--cost", "miss:20"], ["ill", "ill", "well"]),  # from 1/21 = 0.0476 on
    (["--cost", "ill:20"], ["ill", "ill", "well"]),
    (["--cost", "miss:20.5"], ["ill", "ill", "well"]),  # from 1/21.5 = 0.0465 on
    (["--cost", "miss:19"], ["ill", "well", "well"]),  # from 1/20 = 0.05 on
    (["--cost", "miss:26"], ["ill", "ill", "ill"]),  # from 1/27 = 0.0370 on
    (["--cost", "well:20"], ["well", "well", "well"]),
    (["--threshold", "0.142"], ["well", "well", "well"]),
    (["--threshold", "0.1419"], ["ill", "well", "well"]),
    (["--threshold", "0.0388"], ["ill", "ill", "well"]),
    (["--threshold", "0.0387"], ["ill", "ill", "ill"]),
    # P(well) = 0.858, 0.950 and 0.961.
    (["--positive", "well", "--threshold", "0.9"], ["ill", "well", "well"]),
])
def test_classes_follow_from_costs_and_thresholds(frr, options, expected):
    _, new = decide(frr, models.sufficient(), *options)
    assert classes(new) == expected


def test_probabilities_do_not_change(frr):
    decide(frr, models.sufficient(), "--cost", "miss:20")
    frr.write("data.csv", TABLE)
    before, after = (frr("predict", name, "data.csv", "--proba").ok().out.splitlines()
                     for name in ("model.json", "new.json"))
    assert [line.split(",")[2:] for line in before] == [line.split(",")[2:] for line in after]
    assert [line.split(",")[0] for line in before[1:]] == ["well"] * 4
    assert [line.split(",")[0] for line in after[1:]] == ["ill", "ill", "ill", "well"]


def test_says_what_changes(frr):
    frr.write("data.csv", TABLE)
    answer, _ = decide(frr, models.sufficient(), "--cost", "miss:20", "--data", "data.csv")
    assert answer.out.splitlines() == [
        "Before: The most probable class is predicted.",
        "Now: Positive class: ill. Decisions: a miss counts as 20 false alarms (a miss is to "
        "predict well where ill is true), so ill is predicted from a probability of 4.76 % on.",
        "2 rules of 3, ELSE included, now predict another class.",
        "3 rows of 4 in data.csv now get another class: 3 ill instead of well."]


def test_json(frr):
    frr.write("data.csv", TABLE)
    answer, _ = decide(frr, models.sufficient(), "--cost", "miss:20", "--refer", "0.9", "--data",
                       "data.csv", "--json")
    result = json.loads(answer.out)
    assert result["policy"]["costs"] == {"well": {"well": 0, "ill": 1}, "ill": {"well": 20, "ill": 0}}
    assert result["policy"]["positive"] == "ill" and result["policy"]["refer"] == 0.9
    assert result["before"]["costs"] is None
    assert (result["changed_rules"], result["rows"], result["changed_rows"]) == (2, 4, 3)
    # Rule 1 has a largest probability of 0.858; ELSE refers the last row.
    assert (result["referred_before"], result["referred"]) == (0, 3)


def test_what_is_not_given_stays(frr):
    _, model = decide(frr, models.sufficient(), "--cost", "miss:20")
    _, model = decide(frr, model, "--refer", "0.7")
    assert classes(model) == ["ill", "ill", "well"]
    assert model["decisions"]["costs"]["ill"] == {"well": 20}
    assert model["decisions"]["refer"] == 0.7
    _, model = decide(frr, model, "--threshold", "0.1")
    assert classes(model) == ["ill", "well", "well"]
    assert "costs" not in model["decisions"] and model["decisions"]["refer"] == 0.7
    frr("decide", "new.json", "--positive", "well", "-o", "third.json").fails(
        2, "the threshold of the model, 10 %, is for 'ill'", "--reset")
    _, model = decide(frr, model, "--reset")
    assert classes(model) == ["well"] * 3 and "refer" not in model["decisions"]


def test_matrix_of_costs(frr):
    # Expected costs where rule 1 decides: p = (4.5, 5.3, 1.2) / 11. Predicting a: 5.3 + 1.2 = 6.5,
    # b: 4.5 + 1.2 = 5.7, c: 4.5 + 5.3 = 9.8; with a cost of 3 for a predicted as b: 14.7 for b.
    matrix = "true,c,a,b\na,1,0,3\nb,1,1,\nc,0,1,1\n"
    frr.write("costs.csv", matrix)
    _, new = decide(frr, models.three_classes(), "--costs", "costs.csv")
    assert classes(new) == ["a", "a"]
    assert new["decisions"]["costs"] == {"a": {"b": 3, "c": 1}, "b": {"a": 1, "c": 1},
                                         "c": {"a": 1, "b": 1}}
    frr.write("costs.json", json.dumps({"a": {"a": 0, "b": 3, "c": 1}, "b": {"a": 1, "c": 1},
                                        "c": {"a": 1, "b": 1}}))
    _, same = decide(frr, models.three_classes(), "--costs", "costs.json")
    assert same == new
    frr.write("costs.csv", "\ufeff" + matrix.replace(",", ";").replace("a", '"a"', 1))
    _, same = decide(frr, models.three_classes(), "--costs", "costs.csv")
    assert same == new


@pytest.mark.parametrize(("matrix", "words"), [
    ("true,a,b,c\na,0,1,1\nb,1,0,1\n", ["line 1, column 'c'", "no line for the true class 'c'"]),
    ("true,a,b\na,0,1\nb,1,0\n", ["costs.csv", "no cost of predicting 'c' where 'a' is true"]),
    ("true,a,b,c\na,0,1,1\nb,1,0,1\nc,1,,0\n",
     ["line 4, column 'b'", "cost of predicting 'b' where 'c' is true is missing", "above 0"]),
    ("true,a,b,c\na,0,-1,1\nb,1,0,1\nc,1,1,0\n", ["line 2, column 'b'", "is -1", "above 0"]),
    ("true,a,b,c\na,0,0,1\nb,1,0,1\nc,1,1,0\n", ["line 2, column 'b'", "is 0", "above 0"]),
    ("true,a,b,c\na,0,x,1\nb,1,0,1\nc,1,1,0\n", ["line 2, column 'b'", "'x' is not a number"]),
    ("true,a,b,c\na,0,nan,1\nb,1,0,1\nc,1,1,0\n", ["line 2, column 'b'", "'nan' is not a number"]),
    ("true,a,b,c\na,0,1e999,1\nb,1,0,1\nc,1,1,0\n", ["line 2, column 'b'", "is 1e999"]),
    ("true,a,b,c\na,5,1,1\nb,1,0,1\nc,1,1,0\n", ["line 2, column 'a'", "correct prediction"]),
    ("true,a,b,C\na,0,1,1\nb,1,0,1\nC,1,1,0\n", ["line 2, column 'C'", "no class 'C'",
                                               "did you mean 'c'?"]),
    ("true,a,b,c\na,0,1,1\na,1,0,1\n", ["line 3", "'a' has another line"]),
    ("true,a,b,b\na,0,1,1\nb,1,0,1\n", ["the column 'b' occurs twice"]),
    ("true,a,b,c\na,0,1,1,7\nb,1,0,1\nc,1,1,0\n", ["line 2", "5 fields", "4"]),
    ("true,a,b\na,0,1\nz,1,0\n", ["line 3", "no column for predicting the class 'z'"]),
    ("a,b,c\n", ["costs.csv", "give a matrix"]),
    ("", ["costs.csv", "give a matrix"]),
    ("true,\"a,b\na,0,1\n", ["costs.csv, line 1", "quotes"]),
    ('{"a": {"b": -2}}', ["costs.csv: a.b", "the cost is -2"]),
    ('{"a": {"b": "x"}}', ["costs.csv: a.b", "expected a number"]),
    ('{"a": {"a": 2}}', ["costs.csv: a.a", "correct prediction"]),
    ('{"a": 3}', ["costs.csv: a", "expected an object"]),
    ('{"a": {"b": 3}}', ["no cost of predicting 'c' where 'a' is true"]),
    ('{"x": {"b": 3}}', ['costs.csv, "x"', "no class 'x'"]),
    ('{"a": {"b": 3}', ["costs.csv", "line 1"]),
])
def test_faulty_matrices(frr, matrix, words):
    frr.write("model.json", models.text(models.three_classes()))
    frr.write("costs.csv", matrix)
    frr("decide", "model.json", "--costs", "costs.csv", "-o", "new.json").fails(1, *words)
    assert "new.json" not in frr.files()


@pytest.mark.parametrize(("options", "words"), [
    ([], ["say how to decide", "--reset"]),
    (["--positive", "il"], ["no class 'il'", "did you mean 'ill'?"]),
    (["--positive", "xyzzy"], ["no class 'xyzzy'", "well, ill"]),
    (["--cost", "20"], ["--cost 20", "miss:20"]),
    (["--cost", ":20"], ["miss:20"]),
    (["--cost", "miss:"], ["after the colon"]),
    (["--cost", "miss:-1"], ["miss:-1", "above 0"]),
    (["--cost", "miss:0"], ["above 0"]),
    (["--cost", "miss:nan"], ["above 0"]),
    (["--cost", "miss:1e10"], ["up to 1e9"]),
    (["--cost", "sick:20"], ["--cost sick:20", "no class 'sick'"]),
    (["--cost", "miss:2", "--cost", "miss:3"], ["twice"]),
    (["--cost", "ill:2", "--cost", "ill:3"], ["already has a cost"]),
    (["--cost", "miss:2", "--cost", "well:3"], ["contradict"]),
    (["--cost", "miss:2", "--threshold", "0.5"], ["--cost and --threshold"]),
    (["--threshold", "0.5", "--sensitivity", "0.9"], ["--threshold and --sensitivity"]),
    (["--sensitivity", "0.5", "--specificity", "0.9"], ["--sensitivity and --specificity"]),
    (["--threshold", "0"], ["--threshold 0", "above 0 and below 1"]),
    (["--threshold", "1"], ["--threshold 1", "above 0 and below 1"]),
    (["--threshold", "nan"], ["--threshold nan", "above 0 and below 1"]),
    (["--threshold", "x"], ["--threshold x"]),
    (["--sensitivity", "1"], ["--sensitivity 1"]),
    (["--specificity", "-0.1"], ["--specificity -0.1"]),
    (["--refer", "1"], ["--refer 1", "below 1"]),
    (["--refer", "-0.1"], ["--refer -0.1"]),
    (["--sensitivity", "0.9"], ["--sensitivity 0.9 needs rows", "--data"]),
    (["--specificity", "0.9"], ["--specificity 0.9 needs rows", "--data"]),
])
def test_faulty_options(frr, options, words):
    frr.write("model.json", models.text(models.sufficient()))
    frr("decide", "model.json", *options, "-o", "new.json").fails(2, *words)
    assert "new.json" not in frr.files()


@pytest.mark.parametrize("option", [["--cost", "miss:2"], ["--threshold", "0.5"]])
def test_several_classes_need_a_positive_one(frr, option):
    frr.write("model.json", models.text(models.three_classes()))
    frr("decide", "model.json", *option, "-o", "new.json").fails(2, option[0], "--positive")
    frr("decide", "model.json", *option, "--positive", "c", "-o", "new.json").ok()


def test_a_model_without_counts_is_refused(frr):
    frr.write("model.json", models.text(models.without_counts()))
    frr("decide", "model.json", "--threshold", "0.1", "-o", "new.json").fails(
        1, "model.json", "no counts", "Train it again")
    assert "new.json" not in frr.files()


def test_a_model_without_counts_is_not_made_by_other_commands(frr):
    """The same model predicts as it is written."""
    frr.write("model.json", models.text(models.without_counts()))
    frr.write("data.csv", TABLE)
    assert "well,0.5,1" in frr("predict", "model.json", "data.csv").ok().out


def test_additive_threshold(frr):
    # S = -2 + 1.5 - 0.5 = -1, -0.5, -2 and -2.5: P(ill) = 0.269, 0.378, 0.119 and 0.076.
    _, new = decide(frr, models.additive(), "--threshold", "0.3")
    frr.write("data.csv", TABLE)
    rows = [line.split(",") for line in frr("predict", "new.json", "data.csv").ok().out.splitlines()]
    assert [row[0] for row in rows[1:]] == ["well", "ill", "well", "well"]
    for row, score in zip(rows[1:], [-1, -0.5, -2, -2.5], strict=True):
        ill = 1 / (1 + math.exp(-score))
        assert math.isclose(float(row[1]), ill if row[0] == "ill" else 1 - ill, rel_tol=1e-12)
    assert [row[2] for row in rows[1:]] == ["2", "1", "0", "2"]
    assert [rule["weight"] for rule in new["rules"]] == [1.5, 0.5]


def test_points_follow_the_positive_class(frr):
    _, new = decide(frr, models.scorecard(), "--positive", "well")
    assert [rule["points"] for rule in new["rules"]] == [-3, 1]
    assert frr("rules", "new.json").ok().out.startswith("Scorecard: probability that state is well")


def test_sensitivity_is_reached_on_new_rows(frr):
    # 10 ill rows: 6 of age 80 (P 0.142) and 4 of age 20 and bmi 20 (ELSE: P 0.0387).
    rows = ["80,20,ill"] * 6 + ["20,20,ill"] * 4 + ["80,20,well"] * 10 + ["20,80,well"] * 10
    rows += ["20,20,well"] * 20
    frr.write("data.csv", "age,bmi,state\n" + "\n".join(rows) + "\n")
    answer, new = decide(frr, models.sufficient(), "--sensitivity", "0.6", "--data", "data.csv")
    assert classes(new) == ["ill", "well", "well"]
    assert new["decisions"]["target"] == {"measure": "sensitivity", "wanted": 0.6, "reached": 0.6}
    assert "chosen for a sensitivity of 60 % and reached 60 %" in answer.out
    _, new = decide(frr, models.sufficient(), "--sensitivity", "0.61", "--data", "data.csv")
    assert classes(new) == ["ill", "ill", "ill"]  # only ELSE has the other ill rows
    # Specificity: 30 of 40 well rows are not of age 80.
    _, new = decide(frr, models.sufficient(), "--specificity", "0.75", "--data", "data.csv")
    assert classes(new) == ["ill", "well", "well"]


def test_a_target_needs_the_classes(frr):
    frr.write("model.json", models.text(models.sufficient()))
    frr.write("data.csv", "age,bmi\n80,20\n")
    frr("decide", "model.json", "--sensitivity", "0.9", "--data", "data.csv", "-o", "new.json").fails(
        1, "state")
    frr.write("data.csv", "age,bmi,state\n80,20,well\n20,20,well\n")
    frr("decide", "model.json", "--sensitivity", "0.9", "--data", "data.csv", "-o", "new.json").fails(
        1, "no row is of the positive class")
    assert "new.json" not in frr.files()


def test_the_old_model_may_be_replaced(frr):
    frr.write("model.json", models.text(models.sufficient()))
    frr("decide", "model.json", "--threshold", "0.1", "-o", "model.json").ok()
    assert classes(json.loads((frr.directory / "model.json").read_text())) == ["ill", "well", "well"]
    frr.write("data.csv", TABLE)
    frr("decide", "model.json", "--threshold", "0.1", "--data", "data.csv", "-o", "data.csv").fails(
        2, "would be overwritten")
    assert (frr.directory / "data.csv").read_text() == TABLE


def test_model_on_standard_output(frr):
    frr.write("model.json", models.text(models.sufficient()))
    piped = frr("decide", "-", "--threshold", "0.1", stdin=models.text(models.sufficient())).ok()
    assert classes(json.loads(piped.out)) == ["ill", "well", "well"]
    frr("decide", "model.json", "--threshold", "0.1", "--json").fails(2, "-o")
