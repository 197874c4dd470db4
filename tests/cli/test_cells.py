"""Training, prediction and all other commands read a cell in the same way."""

import json

import pytest


def categories_that_look_like_numbers() -> str:
    """Ten rows of each spelling of 1; only the text 1 means yes."""
    spellings = ("1", "01", "+1", "1.0", "1e0")
    return "code,y\n" + "".join(f"{s},{'yes' if s == '1' else 'no'}\n" for s in spellings * 10)


def predictions(frr, *arguments) -> list[str]:
    lines = frr("predict", "model.json", *arguments).ok().out.splitlines()[1:]
    return [line.split(",")[0] for line in lines]


def test_a_category_is_its_exact_text(frr):
    text = categories_that_look_like_numbers()
    frr.write("data.csv", text)
    frr("train", "data.csv", "--categorical", "code", "-o", "model.json").ok()
    assert predictions(frr, "data.csv") == [line.split(",")[1] for line in text.splitlines()[1:]]


@pytest.mark.parametrize("option", [("--categorical", "code"), ()])
def test_another_spelling_of_a_number_is_another_category(frr, option):
    frr.write("data.csv", "code,y\n" + "1,yes\n2,no\nx,no\n" * 20)
    frr("train", "data.csv", *option, "-o", "model.json").ok()
    frr.write("new.csv", "code\n1\n01\n+1\n1.0\n1e0\nnever seen\n")
    lines = frr("predict", "model.json", "new.csv").ok().out.splitlines()[1:]
    assert lines[0] != lines[5]
    assert lines[1:5] == [lines[5]] * 4


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_a_model_recognises_its_training_values(frr, delimiter):
    # A column of numbers with text at the beginning, at the end or in between.
    cells = {",": ['" 1"', "1", "1.0", "x"], ";": ['" 1"', "1,5", "1.5", "x"]}[delimiter]
    rows = [f"{cell}{delimiter}{'yes' if i == 0 else 'no'}" for _ in range(15)
            for i, cell in enumerate(cells)]
    models = []
    for order in (rows, rows[::-1], rows[3:] + rows[:3]):
        frr.write("data.csv", "\n".join([f"code{delimiter}y", *order]) + "\n")
        trained = json.loads(frr("train", "data.csv", "-o", "model.json", "--json").ok().out)
        assert trained["train_accuracy"] == 100
        assert predictions(frr, "data.csv") == [row.split(delimiter)[-1] for row in order]
        models.append((frr.directory / "model.json").read_text())
    assert models[0] == models[1] == models[2]
    assert set(json.loads(models[0])["features"]["code"]["categories"]) == {
        cell.strip('"') for cell in cells}


def test_a_pipe_gives_the_same_model_as_a_file(frr):
    text = categories_that_look_like_numbers() + "x,no\n" * 5
    frr.write("data.csv", text)
    file = frr("train", "data.csv", "-o", "model.json").ok()
    model = json.loads((frr.directory / "model.json").read_text())
    piped = json.loads(frr("train", "-", stdin=text).ok().out)
    assert model["features"] == piped["features"] and model["rules"] == piped["rules"]
    assert "'x' on line" in file.err


def test_a_file_in_pieces_gives_the_same_model_as_in_memory(frr):
    # The first pieces contain only numbers, whose spellings must be kept.
    rows = [f"{i % 7}.0,{i},{'yes' if i % 7 > 3 else 'no'}" for i in range(3000)]
    rows += [f"text,{i},no" for i in range(300)]
    frr.write("data.csv", "\n".join(["code,n,y", *rows]) + "\n")
    frr("train", "data.csv", "-o", "whole.json").ok()
    frr("train", "data.csv", "--memory", "40MB", "-o", "pieces.json").ok()
    whole, pieces = (json.loads((frr.directory / name).read_text())
                     for name in ("whole.json", "pieces.json"))
    assert "3.0" in whole["features"]["code"]["categories"]
    assert whole["rules"] == pieces["rules"] and whole["features"] == pieces["features"]


@pytest.mark.parametrize("rows", [",,", "x,,\n,,\n", '"","",""', ",,\n,,\n,,\n,,"])
def test_one_row_in_is_one_row_out(frr, rows):
    frr.write("data.csv", "a,b,y\n" + "x,1,yes\nz,9,no\n" * 20)
    frr("train", "data.csv", "-o", "model.json").ok()
    frr.write("new.csv", f"a,b,y\nx,1,yes\n{rows.strip()}\nz,9,no\n{rows.strip()}\n")
    expected = 2 + 2 * len(rows.strip().splitlines())
    finished = frr("predict", "model.json", "new.csv").ok()
    assert len(finished.out.splitlines()) == 1 + expected
    answers = json.loads(frr("predict", "model.json", "new.csv", "--json").ok().out)["rows"]
    assert len(answers) == expected
    assert answers[0]["prediction"] == "yes"
    assert answers[expected // 2]["prediction"] == "no"


def test_an_empty_line_is_a_row_of_a_single_column(frr):
    frr.write("data.csv", "a,y\n" + "x,yes\nz,no\n" * 20)
    frr("train", "data.csv", "-o", "model.json").ok()
    frr.write("new.csv", "a\nx\n\nz\n\n")
    assert len(predictions(frr, "new.csv")) == 4


def with_codes() -> str:
    """The class depends on x; -9, -9.0 and unknown are codes for a missing x."""
    lines = ["x,colour,y"]
    for i in range(120):
        x = ("-9", "-9.0", "unknown", i % 10 + 1)[i % 4]
        colour = ("red", "unknown", "blue")[i % 3]
        lines.append(f"{x},{colour},{'high' if i % 4 == 3 and i % 10 >= 5 else 'low'}")
    return "\n".join(lines) + "\n"


def test_codes_of_missing_values_are_part_of_the_model(frr):
    text = with_codes()
    frr.write("data.csv", text)
    frr("train", "data.csv", "--missing=-9,unknown", "-o", "model.json").ok()
    model = json.loads((frr.directory / "model.json").read_text())
    assert model["missing"] == ["-9", "unknown"]
    assert model["features"]["x"]["type"] == "numeric"
    assert model["features"]["x"]["range"][0] > 0
    # The same rows with empty cells in place of the codes get the same classes.
    emptied = "\n".join(",".join("" if cell in ("-9", "-9.0", "unknown") else cell
                                 for cell in line.split(",")) for line in text.splitlines()) + "\n"
    frr.write("emptied.csv", emptied)
    assert predictions(frr, "data.csv", "--proba") == predictions(frr, "emptied.csv", "--proba")
    explained = [frr("explain", "model.json", name, "--row", 1, "--json").ok().out
                 for name in ("data.csv", "emptied.csv")]
    assert explained[0] == explained[1]
    for name in ("data.csv", "emptied.csv"):
        frr("report", "model.json", name, "-o", f"{name}.html").ok()


def test_a_code_with_a_comma_is_quoted(frr):
    frr.write("data.csv", "x;y\n" + "1;a\n9;b\nn,a;a\n" * 20)
    frr("train", "data.csv", "--missing", '"n,a",-1', "-o", "model.json").ok()
    assert json.loads((frr.directory / "model.json").read_text())["missing"] == ["n,a", "-1"]


def test_a_model_of_an_earlier_version_applies_its_codes(frr):
    frr.write("data.csv", with_codes())
    frr("train", "data.csv", "--missing=-9,unknown", "-o", "model.json").ok()
    expected = predictions(frr, "data.csv")
    model = json.loads((frr.directory / "model.json").read_text())
    del model["missing"]
    model["training"]["settings"]["missing"] = "-9,unknown"
    frr.write("model.json", json.dumps(model))
    assert predictions(frr, "data.csv") == expected


def test_a_model_without_rules_reads_no_column(frr):
    # No column separates the classes, so no rule is worth its conditions.
    frr.write("data.csv", "x,y\n" + "1,a\n" * 30 + "1,b\n" * 2 + "2,a\n" * 30)
    frr("train", "data.csv", "-o", "model.json").ok()
    assert json.loads((frr.directory / "model.json").read_text())["rules"] == []
    frr.write("new.csv", "x,z\ninf,1\n2,text\n")
    assert predictions(frr, "new.csv") == ["a", "a"]


@pytest.mark.parametrize("cells", [["1e400", "text", "2"], ["text", "1e400", "2"],
                                   ["2", "text", "1e400"]])
def test_a_number_out_of_range_is_a_category_in_a_text_column(frr, cells):
    frr.write("data.csv", "x,y\n" + "".join(f"{cell},{'ab'[i % 2]}\n" for i, cell in
                                             enumerate(cells * 12)))
    frr("train", "data.csv", "-o", "model.json").ok()
    model = json.loads((frr.directory / "model.json").read_text())
    assert set(model["features"]["x"]["categories"]) == set(cells)
    frr.write("data.csv", "x,y\n1,a\n1e400,b\n2,a\n")
    frr("train", "data.csv").fails(1, "data.csv, line 3, column 'x'", "infinite")


def test_every_suggested_delimiter_is_accepted(frr):
    frr.write("data.csv", "x|y\n" + "1|a\n9|b\n" * 20)
    for delimiter in ("pipe", "|"):
        frr("train", "data.csv", "--delimiter", delimiter, "-o", "model.json").ok()
    message = frr("train", "data.csv", "--delimiter", "colon").fails(2, "--delimiter").err
    for suggested in ("comma", "semicolon", "tab", "pipe", ",", ";", "|"):
        assert suggested in message
        finished = frr("train", "data.csv", "--delimiter", suggested)
        assert "the delimiter must be" not in finished.err
