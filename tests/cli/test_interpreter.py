"""docs/reference/model.md is complete: an interpreter written only from it prints the same as frr predict."""

import json
import random
import re
from collections import Counter

import interpreter
import interpreter_cells
import pytest
from conftest import ROOT
from random_models import NUMBER_LIKE, TNORMS, random_model, random_table, unusual_cell

MODELS = 25
ROWS = 40


def compare(frr, model: dict, table: str | bytes, *options) -> list[interpreter.Answer]:
    """Compares every output format to the last digit. Both programs use the C library of this machine."""
    path = frr.write("model.json", json.dumps(model))
    data = frr.write("table.csv", table)
    answers = interpreter.predict_files(path, data)
    for proba in (True, False):
        printed = frr("predict", path, data, "--quiet", *options, *["--proba"][:proba]).ok().out
        assert printed == interpreter.csv_text(model, answers, proba)
    parsed = json.loads(frr("predict", path, data, "--quiet", "--json", "--proba",
                            *options).ok().out)
    assert (parsed["target"], parsed["classes"]) == (model["target"], model["classes"])
    assert parsed["rows"] == [
        {"prediction": a.prediction, "rule": a.rule,
         "probability": a.probabilities[model["classes"].index(a.prediction)],
         **({"referred": a.referred} if model.get("decisions", {}).get("refer", 0) > 0 else {}),
         "probabilities": dict(zip(model["classes"], a.probabilities, strict=True))}
        for a in answers]
    return answers


@pytest.mark.parametrize("semantics", ("sufficient", "additive"))
@pytest.mark.parametrize("tnorm", TNORMS)
def test_both_agree_on_random_models(frr, tnorm, semantics):
    rng = random.Random(f"{tnorm} {semantics}")
    decided = Counter()
    for _ in range(MODELS):
        model = random_model(rng, tnorm, semantics)
        answers = compare(frr, model, random_table(rng, model, ROWS))
        assert len(answers) == ROWS
        decided.update(min(answer.rule, 2) for answer in answers)
    # If only ELSE decided, the comparison would prove little.
    assert min(decided[k] for k in (0, 1, 2)) > MODELS * ROWS // 20


def page_example() -> dict:
    page = (ROOT / "docs" / "reference" / "model.md").read_text()
    return json.loads(re.search(r"```json\n(.*?)```", page, re.DOTALL)[1])


def test_the_example_of_the_page_gives_the_stated_decision(frr):
    answers = compare(frr, page_example(), "glucose,sex\n108,m\n108,f\n130,f\n")
    assert [(a.prediction, a.rule) for a in answers] == [("ill", 1), ("well", 2), ("well", 0)]
    well, ill = 35 / 54, 19 / 54
    assert answers[0].probabilities == [(2 + well) / 21, (18 + ill) / 21]
    assert answers[1].probabilities == [(30 + well) / 31, ill / 31]
    assert answers[2].probabilities == [(3 + well) / 5, (1 + ill) / 5]


# ---- Cells ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("delimiter", (",", ";", "\t"))
def test_both_read_unusual_spellings_in_the_same_way(frr, delimiter):
    rng = random.Random(f"spellings {delimiter}")
    for _ in range(MODELS):
        model = random_model(rng, "product", "sufficient", number_like=True)
        table = random_table(rng, model, ROWS, unusual_cell, delimiter)
        compare(frr, model, rng.choice((table, table.replace("\n", "\r\n"), "\ufeff" + table)))


def test_both_apply_the_missing_codes_of_the_model(frr):
    rng = random.Random("codes")
    numbers = ("-9", "99.0", "1")
    spellings = (*numbers, "-9.0", "-9e0", "99", "01", "+1", "1.0", "none", "None", "a, b")

    def cell(rng, value, delimiter):
        if rng.random() < 0.3:
            return rng.choice(('"{}"', '" {}\t"')).format(rng.choice(spellings))
        return unusual_cell(rng, value, delimiter)

    for _ in range(MODELS):
        model = random_model(rng, "minimum", "additive", number_like=True)
        # Text in a numeric column is an error unless it is a code.
        model["missing"] = ["none", "None", "a, b", *rng.sample(numbers, rng.randint(0, 3))]
        compare(frr, model, random_table(rng, model, ROWS, cell))


def by_value(kind: dict, **keys) -> dict:
    """A model with one rule for each label of feature x."""
    labels = [*kind.get("labels", {}), *kind.get("categories", []), kind["missing"]]
    rules = [{"if": {"x": label}, "then": "yes", "weight": 1, "decides": {"yes": 2 * r + 1}}
             for r, label in enumerate(labels)]
    return {"format": "frr-model", "version": 1, "target": "y", "classes": ["no", "yes"],
            "features": {"x": kind}, "rules": rules, "else": {"then": "no"}, **keys}


NUMERIC = {"type": "numeric", "missing": "none",
           "labels": {"low": [None, None, 1, 1], "high": [1, 1, None, None]}}


def rules(answers: list[interpreter.Answer]) -> list[int]:
    return [answer.rule for answer in answers]


def test_a_category_is_its_exact_text(frr):
    model = by_value({"type": "categorical", "categories": list(NUMBER_LIKE), "missing": "none"})
    cells = [*(f'"{text}"' for text in NUMBER_LIKE), " 01 ", '" 1"', '"1 "', "1e00", " NA", '" ?"']
    answers = compare(frr, model, "x,z\n" + "".join(f"{cell},0\n" for cell in cells))
    assert rules(answers) == [1, 2, 3, 4, 5, 6, 7, 8, 2, 0, 0, 0, 9, 9]


def test_text_that_is_not_utf8_is_windows_1252(frr):
    model = by_value({"type": "categorical", "categories": ["\u00e9", "\u20ac", "\u0081"],
                      "missing": "none"})
    answers = compare(frr, model, b"x,z\n\xe9,0\n\xc3\xa9,0\n\x80,0\n\x81,0\n\xc3\xa9\xe9,0\n")
    assert rules(answers) == [1, 1, 2, 3, 0]


def test_a_numeric_code_covers_all_spellings_in_a_numeric_column(frr):
    cells = ("-9", "-9.0", '" -9"', "-9e0", "-8", "none", "1")
    table = "x,z\n" + "".join(f"{cell},0\n" for cell in cells)
    answers = compare(frr, by_value(NUMERIC, missing=["-9", "none"]), table)
    assert rules(answers) == [3, 3, 3, 3, 1, 3, 2]
    kind = {"type": "categorical", "categories": ["-9.0", " -9", "-9e0"], "missing": "none"}
    answers = compare(frr, by_value(kind, missing=["-9", "none"]), table)
    assert rules(answers) == [4, 1, 4, 3, 0, 4, 0]


def test_an_infinite_code_covers_infinite_numbers(frr):
    table = "x,z\ninf,0\n+Infinity,0\n1e999,0\n1e308,0\n"
    assert rules(compare(frr, by_value(NUMERIC, missing=["inf"]), table)) == [3, 3, 3, 2]


def test_codes_may_be_recorded_only_in_the_settings(frr):
    training = {"settings": {"missing": '-9,"a, b"'}}
    answers = compare(frr, by_value(NUMERIC, training=training), 'x,z\n-9.0,0\n"a, b",0\n2,0\n')
    assert rules(answers) == [3, 3, 2]


def test_codes_of_the_command_line_are_added(frr):
    model, table = by_value(NUMERIC, missing=["-9"]), "x,z\n-9,0\n-8.0,0\nnone,0\n2,0\n"
    frr.write("model.json", json.dumps(model))
    frr.write("table.csv", table)
    printed = frr("predict", "model.json", "table.csv", "--missing=-8, none").ok().out
    answers = interpreter.predict(model, table.encode(), codes=("-8", " none"))
    assert printed == interpreter.csv_text(model, answers, proba=False)
    assert rules(answers) == [3, 3, 3, 2]


def test_one_row_gives_one_answer(frr):
    answers = compare(frr, by_value(NUMERIC), "x,z\n0,\n,\n\n \t\n,\n2,\n,\n")
    assert rules(answers) == [1, 3, 3, 2, 3]
    answers = compare(frr, by_value(NUMERIC), 'x\n0\n\n""\n  \n2\n\n')
    assert rules(answers) == [1, 3, 3, 3, 2, 3]


@pytest.mark.parametrize("table", ["x,z\n", "x,z\n\n \n", "x,z"])
def test_a_table_without_rows_is_an_error(frr, table):
    model = by_value(NUMERIC)
    with pytest.raises(interpreter_cells.DataError, match="no rows"):
        interpreter.predict(model, table.encode())
    frr.write("model.json", json.dumps(model))
    frr.write("table.csv", table)
    frr("predict", "model.json", "table.csv").fails(1, "table.csv", "no rows")


def test_a_model_without_rules_reads_no_column(frr):
    model = {**by_value(NUMERIC), "rules": []}
    assert rules(compare(frr, model, "x,z\ninf,0\n1e999,\n")) == [0, 0]


@pytest.mark.parametrize(("cell", "delimiter"), (
    ("red", ","), ("1,5", "\t"), ("0x10", ","), ("inf", ","), ("-Infinity", ","), ("1e999", ","),
    ("1 000", ","), ("1e", ","), ("+-1", ","), (".", ","), ("1,000.5", ";"), ("--1", ",")))
def test_text_in_a_numeric_column_is_an_error_that_names_line_and_column(frr, cell, delimiter):
    model = by_value(NUMERIC)
    table = f"x{delimiter}z\n1{delimiter}0\n{cell}{delimiter}0\n".encode()
    with pytest.raises(interpreter_cells.DataError, match="line 3, column 'x'"):
        interpreter.predict(model, table)
    frr.write("model.json", json.dumps(model))
    frr.write("table.csv", table)
    frr("predict", "model.json", "table.csv").fails(1, "table.csv, line 3", "'x'")


def test_all_numbers_of_a_column_use_the_same_decimal_mark(frr):
    model, table = by_value(NUMERIC), b"x;z\n1,5;0\n1.5;0\n"
    with pytest.raises(interpreter_cells.DataError, match="line 3, column 'x'"):
        interpreter.predict(model, table)
    frr.write("model.json", json.dumps(model))
    frr.write("table.csv", table)
    frr("predict", "model.json", "table.csv").fails(1, "table.csv, line 3", "'x'")


@pytest.mark.parametrize("table", (
    "x,z\n0,1;2\n", "x;z\n0;1,2\n", "x\tz\n0\t1,2\n", "sep=;\nx,y;x\n0;2\n", "x\n0\n", "z;a,x\n1;2,0\n",
    '\n\n "x" ,z\n0,"a\n""b"""\n2,\n', '"long\n  name",x\r\n1,0\r\n', "x,z,,\n0,1,,\n0,1\n", "x,z\r0,1\r",
    ",,\n , \nx,z\n0,1\n", "sep=|\nx|y,z\n0|2,3\n", "x,z;\n0,a;\n"))
def test_both_detect_the_same_delimiters_names_and_line_ends(frr, table):
    assert rules(compare(frr, by_value(NUMERIC), table))[0] in (1, 2)
