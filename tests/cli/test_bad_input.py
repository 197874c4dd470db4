"""Bad tables and arguments: the error names file, line, column and remedy, the status is right, and nothing
is written."""

import random

import pytest
from conftest import BREAST_CANCER
from tables import mixed, to_csv, two_groups


def rejects(frr, content, *words, status=1, options=()):
    """Training on this content fails with these words and does not change an existing model."""
    frr.write("data.csv", content)
    frr.write("model.json", "the old one")
    before = frr.files()
    result = frr("train", "data.csv", "-o", "model.json", *options).fails(status, *words)
    assert frr.files() == before
    assert (frr.directory / "model.json").read_text() == "the old one"
    return result


def test_missing_file(frr):
    frr("train", "nowhere.csv", "-o", "m.json").fails(1, "nowhere.csv", "No such file")
    assert frr.files() == set()


def test_a_directory(frr):
    (frr.directory / "folder").mkdir()
    frr("train", "folder").fails(1, "folder", "directory")


def test_unreadable_file(frr):
    path = frr.write("secret.csv", two_groups())
    path.chmod(0)
    try:
        path.read_bytes()
        pytest.skip("this user may read everything")
    except PermissionError:
        frr("train", "secret.csv").fails(1, "secret.csv", "ermission")
    finally:
        path.chmod(0o600)


def test_empty_file(frr):
    rejects(frr, "", "data.csv", "empty")


def test_header_only(frr):
    rejects(frr, "a,b,class\n", "data.csv", "no rows")


def test_ragged_rows_name_the_line(frr):
    rejects(frr, "a,b,class\n1,2,x\n1,2,y\n1,2,3,4\n", "data.csv", "line 4", "4", "3")
    rejects(frr, "a,b,class\n1,2,x\n1,y\n", "data.csv", "line 3")


def test_text_in_a_column_given_as_numeric(frr):
    rejects(frr, "a,b,class\n1,2,x\n1,two,y\n", "data.csv", "line 3", "'b'", "two",
            options=("--numeric", "a,b"))


@pytest.mark.parametrize("value", ("inf", "-inf", "Infinity", "1e999"))
def test_infinite_numbers_name_line_and_column(frr, value):
    rejects(frr, f"a,b,class\n1,2,x\n1,{value},y\n3,4,x\n", "data.csv", "line 3", "'b'", value,
            options=("--numeric", "b"))


def test_extreme_but_finite_numbers_are_accepted(frr):
    rng = random.Random(3)
    rows = [[rng.choice((1e308, -1e308, 5e-324, -0.0, 1e-300, 3)), rng.choice((1, 2, "NaN")),
             rng.choice("xy")] for _ in range(60)]
    frr.write("data.csv", to_csv(["a", "b", "class"], rows))
    frr("train", "data.csv", "-o", "model.json").ok()
    frr("predict", "model.json", "data.csv").ok()
    for row in (1, 2, 3):
        frr("explain", "model.json", "data.csv", "--row", row).ok()


def test_an_unknown_target_suggests_a_similar_name(frr):
    rejects(frr, "a,b,class\n1,2,x\n2,3,y\n", "'clas'", "'class'", status=2,
            options=("--target", "clas"))


def test_constant_target(frr):
    rejects(frr, "a,class\n1,x\n2,x\n3,x\n", "class", "x")


def test_all_targets_missing(frr):
    rejects(frr, "a,class\n1,\n2,?\n3,NA\n", "class")


def test_a_numeric_target_suggests_regression(frr):
    rng = random.Random(1)
    rows = [[rng.random(), round(rng.uniform(0, 1000), 4)] for _ in range(400)]
    rejects(frr, to_csv(["a", "price"], rows), "price", "regression")


def test_one_row(frr):
    rejects(frr, "a,class\n1,x\n", "data.csv")


def test_a_class_with_one_row_is_accepted(frr):
    frr.write("data.csv", two_groups() + "0.5,0.5,maybe\n")
    frr("train", "data.csv", "-o", "model.json").ok()
    frr("cv", "data.csv").ok()


def test_duplicate_and_empty_column_names(frr):
    rejects(frr, "a,a,class\n1,2,x\n3,4,y\n", "data.csv", "'a'")
    rejects(frr, "a,,class\n1,2,x\n3,4,y\n", "data.csv", "column 2")


def test_a_column_of_unique_ids_gives_a_warning(frr):
    lines = two_groups(80).splitlines()
    text = "\n".join([f"patient,{lines[0]}"] + [f"id-{i},{line}" for i, line in
                                               enumerate(lines[1:])]) + "\n"
    frr.write("data.csv", text)
    result = frr("train", "data.csv", "-o", "model.json").ok()
    assert "warning" in result.err and "patient" in result.err
    assert "id-" not in frr("rules", "model.json").ok().out


def test_ten_thousand_columns(frr):
    rng = random.Random(5)
    header = [f"c{j}" for j in range(10_000)] + ["class"]
    rows = [[f"{rng.random():.2f}" for _ in range(10_000)] + ["xy"[i % 2]] for i in range(20)]
    for i, row in enumerate(rows):
        row[4321] = str(i % 2)
    frr.write("wide.csv", to_csv(header, rows))
    frr("train", "wide.csv", "-o", "model.json", "--epochs", 3).ok()
    assert len(frr("predict", "model.json", "wide.csv").ok().out.splitlines()) == 21


def test_a_hundred_thousand_categories(frr):
    rng = random.Random(6)
    rows = [[f"city {i}", rng.choice(("a", "b")), "xy"[i % 2]] for i in range(100_000)]
    frr.write("many.csv", to_csv(["city", "letter", "class"], rows))
    result = frr("train", "many.csv", "-o", "model.json", "--epochs", 1).ok()
    assert "city" in result.err
    frr("predict", "model.json", "many.csv").ok()


def test_fewer_rules_than_classes_gives_a_warning(frr):
    frr.write("data.csv", mixed(seed=9, classes=4))
    result = frr("train", "data.csv", "--rules", 2, "-o", "model.json").ok()
    assert "warning" in result.err and "rules" in result.err and "classes" in result.err


@pytest.mark.parametrize("option,value", [
    ("--rules", "0"), ("--rules", "-1"), ("--rules", "1000000000000"), ("--rules", "3.5"),
    ("--rules", "many"), ("--rules", ""), ("--conditions", "0"), ("--conditions", "-2"),
    ("--conditions", "99999"), ("--labels", "1"), ("--labels", "8"), ("--epochs", "-1"),
    ("--slope", "nan"), ("--learning-rate", "0"), ("--learning-rate", "inf"), ("--seed", "-1"),
    ("--threads", "-1"), ("--partition", "magic"), ("--semantics", "both"), ("--polish", "maybe"),
    ("--tnorm", "sum"), ("--tnorm", "aczel-alsina:0.5"),
    ("--preset", "best"), ("--time-limit", "-1"), ("--delimiter", "xyz"),
])
def test_settings_out_of_range_are_usage_errors(frr, option, value):
    result = frr("train", BREAST_CANCER, option, value, "-o", "m.json")
    assert result.status == 2, (result.status, result.err)
    assert "frr: error: " in result.err
    assert "frr train --help" in result.err
    assert frr.files() == set()


def test_settings_are_checked_before_the_data_is_read(frr):
    frr("train", "nowhere.csv", "--rules", 0).fails(2, "--rules 0", "1 to 1000")


@pytest.mark.parametrize("arguments,words", [
    ((), ("command",)),
    (("trian",), ("trian", "train")),
    (("train",), ("DATA",)),
    (("train", "x.csv", "--rulse", "3"), ("--rulse", "--rules")),
    (("train", "x.csv", "y.csv"), ("y.csv",)),
    (("train", "x.csv", "--rules"), ("--rules needs a value (N).",)),
    (("train", "x.csv", "--target="), ("--target needs a value (NAME).",)),
    (("train", "x.csv", "-o"), ("-o needs a value (FILE).",)),
    (("train", "x.csv", "--target", "--rules", "3"), ("--target needs a value (NAME)", "--rules")),
    (("train", "x.csv", "-o", "--quiet"), ("-o needs a value (FILE)", "--output=--quiet")),
    (("cv", "x.csv", "--folds", "--json"), ("--folds needs a value (K|FILE)", "--json")),
    (("train", "x.csv", "--rules", "3", "--rules", "4"), ("--rules", "more than once")),
    (("train", "x.csv", "--json=maybe"), ("--json=maybe", "true or false")),
    (("--quiet", "train", "x.csv"), ("'--quiet'", "See frr --help.")),
    (("explain", "m.json", "x.csv", "--row", "one"), ("--row one", "whole number")),
    (("predict", "m.json", "x.csv", "--threads", "-1"), ("--threads -1", "0 to 1024")),
    (("explain", "m.json", "x.csv"), ("--row",)),
    (("predict", "-", "-"), ("standard input",)),
    (("rules", "m.json", "--json", "--markdown"), ("--json", "--markdown")),
    (("train", "x.csv", "--json"), ("-o",)),
    (("cv", "x.csv", "--folds", "1"), ("--folds 1",)),
])
def test_wrong_usage(frr, arguments, words):
    frr.write("x.csv", two_groups())
    result = frr(*arguments).fails(2, *words)
    assert "--help" in result.err


def test_fold_file_of_the_wrong_length(frr):
    frr.write("data.csv", two_groups(60))
    frr.write("folds.txt", "\n".join(str(i % 5) for i in range(59)) + "\n")
    frr("cv", "data.csv", "--folds", "folds.txt").fails(1, "folds.txt", "59", "60")
    frr.write("folds.txt", "\n".join("0" for _ in range(60)) + "\n")
    frr("cv", "data.csv", "--folds", "folds.txt").fails(1, "folds.txt")
    frr.write("folds.txt", "\n".join("a" for _ in range(60)) + "\n")
    frr("cv", "data.csv", "--folds", "folds.txt").fails(1, "folds.txt", "line 1")
    frr("cv", "data.csv", "--folds", "none.txt").fails(1, "none.txt")


def test_more_folds_than_rows(frr):
    frr.write("data.csv", two_groups(20))
    assert frr("cv", "data.csv", "--folds", 21).status in (1, 2)


def test_row_weights(frr):
    lines = two_groups().splitlines()
    text = "\n".join([f"w,{lines[0]}"] + [f"{1 + i % 3},{line}" for i, line in
                                         enumerate(lines[1:])]) + "\n"
    frr.write("data.csv", text)
    frr("train", "data.csv", "--weight-column", "w", "-o", "model.json").ok()
    assert '"w":' not in (frr.directory / "model.json").read_text()  # w is not a feature
    rejects(frr, text.replace("\n2,", "\n-2,"), "data.csv", "line 3", "'w'", "negative",
            options=("--weight-column", "w"))
    rejects(frr, text.replace("\n2,", "\n,"), "data.csv", "line 3", "'w'", "missing",
            options=("--weight-column", "w"))
    rejects(frr, text.replace("\n2,", "\ntwo,", 1), "data.csv", "line 3", "'w'", "two",
            options=("--weight-column", "w"))
    rejects(frr, text, "'weigth'", "w, x, z, answer",
            options=("--weight-column", "weigth"))


def test_rows_of_weight_zero_do_not_count(frr):
    # Rows with the wrong class have weight 0, so the rules must be those of the other rows.
    lines = two_groups().splitlines()
    rows = [f"1,{line}" for line in lines[1:]]
    rows += [f"0,{line.rsplit(',', 1)[0]},{'no' if line.endswith('yes') else 'yes'}"
             for line in lines[1:]]
    frr.write("data.csv", "\n".join([f"w,{lines[0]}", *rows]) + "\n")
    frr.write("clean.csv", two_groups())
    frr("train", "data.csv", "--weight-column", "w", "-o", "model.json").ok()
    out = frr("predict", "model.json", "clean.csv").ok().out.splitlines()[1:]
    assert [line.split(",")[0] for line in out] == [line.rsplit(",", 1)[1] for line in lines[1:]]


def test_a_partition_file_sets_the_labels(frr):
    frr.write("data.csv", two_groups())
    frr.write("labels.json", '{"features": {"x": {"under": [null, null, 0, 0], '
                             '"over": [0, 0, null, null]}}}')
    frr("train", "data.csv", "--partition-file", "labels.json", "--tune", "false",
        "-o", "model.json").ok()
    text = frr("rules", "model.json").ok().out
    assert "x IS over" in text or "x IS under" in text


@pytest.mark.parametrize("content", (
    "", "[]", '{"features": 3}', '{"features": {"x": {"low": [1, 2, 3]}}}',
    '{"features": {"x": {"low": [4, 3, 2, 1]}}}', '{"features": {"nobody": {"low": [1, 2, 3, 4]}}}',
))
def test_bad_partition_files(frr, content):
    frr.write("data.csv", two_groups())
    frr.write("labels.json", content)
    result = frr("train", "data.csv", "--partition-file", "labels.json", "-o", "m.json")
    result.fails(1)
    assert "labels.json" in result.err or "nobody" in result.err
    assert "m.json" not in frr.files()


def test_explain_row_out_of_range(frr, cancer_model):
    frr("explain", cancer_model, BREAST_CANCER, "--row", 0).fails(1, "counted from 1")
    frr("explain", cancer_model, BREAST_CANCER, "--row", 570).fails(1, "569 rows")


def test_parquet_and_arrow_files_refer_to_the_python_package(frr):
    parquet = frr.write("a.parquet", b"PAR1\x15\x04\x15\x10" + b"\x00" * 40)
    arrow = frr.write("a.arrow", b"ARROW1\x00\x00\xff\xff\xff\xff" + b"\x00" * 40)
    for command in (["train"], ["cv"]):
        frr(*command, parquet).fails(1, f"{parquet} is a Parquet file", "frr.files",
                                     "pip install 'frr[parquet]'")
        frr(*command, arrow).fails(1, f"{arrow} is an Arrow file", "frr.files")
    frr("train", "-", stdin=b"PAR1" + b"\x00" * 40).fails(1, "is a Parquet file")


def test_a_directory_of_files(frr):
    (frr.directory / "parts").mkdir()
    frr("train", "parts").fails(1, "cannot read 'parts'", "Give a file", "frr.files",
                                "pip install 'frr[parquet]'")
