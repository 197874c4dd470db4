"""CSV files as spreadsheets write them are read correctly, and predictions can be opened in a spreadsheet."""

import csv
import io
import json

import pytest
from tables import mixed, to_csv, two_groups


def model_of(frr, content, *options) -> str:
    frr.write("data.csv", content)
    frr("train", "data.csv", "-o", "model.json", *options).ok()
    return (frr.directory / "model.json").read_text()


def variants():
    text = two_groups()
    lines = text.splitlines()
    return {
        "semicolons": text.replace(",", ";"),
        "tabs": text.replace(",", "\t"),
        "byte order mark": "\ufeff" + text,
        "CRLF": text.replace("\n", "\r\n"),
        "CR": text.replace("\n", "\r"),
        "no last line end": text.rstrip("\n"),
        "trailing empty columns": "\n".join(line + ",," for line in lines) + "\n",
        "trailing empty rows": text + ",,\n,,\n\n",
        "blank lines": text.replace("\n", "\n\n", 5),
        "all quoted": "\n".join(",".join(f'"{field}"' for field in line.split(","))
                                for line in lines) + "\n",
        "everything at once": "\ufeff" + "\r\n".join(line.replace(",", ";") + ";;"
                                                     for line in lines) + "\r\n;;;;\r\n",
    }


@pytest.mark.parametrize("name", variants())
def test_the_csv_dialect_does_not_matter(frr, name):
    model, expected = (json.loads(model_of(frr, text)) for text in (variants()[name], two_groups()))
    # Rows of empty cells have no class; the notes of the model mention that they are ignored.
    notes = model["training"]["notes"]
    empty = {"trailing empty rows": ["2 of 62"], "everything at once": ["1 of 61"]}.get(name, [])
    assert [note[:7] for note in notes] == empty
    model["training"]["notes"] = []
    assert model == expected


def test_delimiter_can_be_given(frr):
    text = two_groups()
    by_semicolon = model_of(frr, text.replace(",", ";"), "--delimiter", "semicolon")
    by_tab = model_of(frr, text.replace(",", "\t"), "--delimiter", "tab")
    assert by_semicolon.replace('"delimiter": "semicolon"', '"delimiter": "tab"') == by_tab


def test_quoted_line_ends_and_commas_in_values(frr):
    rows = [[f"v{i % 4}, with\nline", i, "yes" if i % 4 < 2 else "no"] for i in range(40)]
    model_of(frr, to_csv(["note", "n", "class"], rows))
    out = frr("predict", "model.json", "data.csv").ok().out.splitlines()
    assert len(out) == 41


def test_codes_for_missing_values_can_be_given(frr):
    lines = two_groups().splitlines()
    lines[3] = "unknown" + lines[3][lines[3].index(","):]
    text = "\n".join(lines) + "\n"
    numeric = '"x": {\n      "type": "numeric"'
    assert numeric in model_of(frr, text, "--missing", "unknown")
    assert numeric not in model_of(frr, text)


def test_columns_can_be_ignored_or_given_a_type(frr):
    text = mixed(seed=11)
    assert '"number 1"' not in model_of(frr, text, "--ignore", "number 1,name 0")
    frr.write("codes.csv", to_csv(["code", "class"],
                                  [[i % 3, "ab"[i % 3 == 1]] for i in range(60)]))
    frr("train", "codes.csv", "--categorical", "code", "-o", "model.json").ok()
    assert "code IS 1" in frr("rules", "model.json").ok().out


def test_a_column_name_with_a_comma_is_quoted_in_lists(frr):
    rows = [[i % 3, i, "ab"[i % 3 == 1]] for i in range(60)]
    frr.write("data.csv", to_csv(["code, short", "n", "class"], rows))
    frr("train", "data.csv", "--categorical", '"code, short"', "-o", "model.json").ok()
    assert "code, short IS 1" in frr("rules", "model.json").ok().out


def test_the_target_may_be_any_column(frr):
    lines = [line.split(",") for line in two_groups().splitlines()]
    text = "\n".join(",".join([line[2], line[0], line[1]]) for line in lines) + "\n"
    assert '"target": "answer"' in model_of(frr, text, "--target", "answer")


def test_standard_input_and_output(frr):
    model = frr("train", "-", "-o", "-", stdin=two_groups()).ok().out
    assert model.startswith("{")
    frr.write("model.json", model)
    out = frr("predict", "model.json", "-", stdin=two_groups()).ok().out
    assert out.startswith("prediction,probability,rule\n")
    data = frr.write("data.csv", two_groups())
    assert frr("predict", "-", data, stdin=model).ok().out == out
    assert frr("rules", "-", stdin=model).ok().out.startswith("IF ")


def test_utf16_is_rejected_with_a_remedy(frr):
    frr.write("data.csv", two_groups().encode("utf-16"))
    frr("train", "data.csv").fails(1, "data.csv", "UTF-8")


def answers(frr, name: str, *options) -> list[list[str]]:
    """The output of predict for one row if all rows have the class `name`."""
    frr.write("model.json", json.dumps({
        "format": "frr-model", "version": 1, "target": "class", "classes": [name, "other"],
        "features": {}, "rules": [], "else": {"then": name, "decides": {name: 3, "other": 1}}}))
    out = frr("predict", "model.json", "-", "--proba", *options, stdin="x\n1\n").ok().out
    return list(csv.reader(io.StringIO(out, newline="")))


@pytest.mark.parametrize("name", ["=1+1", "+cmd", "-cmd|' /C calc'!A0", "@SUM(1;2)", "=a,b", "-",
                                  "\t=1", "\r=1", "\n=1", "+1+1", "-inf", "-1e999", "-0x1F"])
def test_class_names_like_formulas_get_an_apostrophe_on_demand(frr, name):
    plain, guarded = answers(frr, name), answers(frr, name, "--spreadsheet")
    assert plain[0] == guarded[0] == ["prediction", "probability", "rule", f"p({name})", "p(other)"]
    assert (plain[1][0], guarded[1][0]) == (name, "'" + name)
    assert plain[1][1:] == guarded[1][1:]


@pytest.mark.parametrize("name", ["-5", "+3.2", "-1e5", "-1,5", "+.5", "plain", "a=b", " =1", "'=1",
                                  "5-3", "a\t=1"])
def test_numbers_and_other_text_get_no_apostrophe(frr, name):
    assert answers(frr, name, "--spreadsheet") == answers(frr, name)
    assert answers(frr, name)[1][0] == name


def test_json_gets_no_apostrophe(frr):
    frr.write("model.json", "{}")
    frr("predict", "model.json", "-", "--json", "--spreadsheet", stdin="x\n1\n").fails(
        2, "--spreadsheet", "--json")
