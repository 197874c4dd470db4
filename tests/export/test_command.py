"""frr export: formats, options, errors."""

import json

import pytest
from cases import ROOT, export, frr
from policy_cases import policy_cases

DECIDING = {"sql", "pmml", "onnx", "c", "python", "javascript"}
DOCUMENTS = {"markdown", "latex", "html"}


def fails(status: int, *arguments: object) -> str:
    finished = frr("export", *arguments, check=False)
    assert finished.returncode == status, finished.stderr
    assert finished.stdout == b""
    return finished.stderr.decode()


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("command") / "model.json"
    frr("train", ROOT / "data" / "loans.csv", "-o", path, "--quiet")
    return path


def test_list_names_every_format():
    lines = frr("export", "--list").stdout.decode().splitlines()
    assert {line.split()[0] for line in lines} == DECIDING | DOCUMENTS
    assert all(len(line.split()) > 3 for line in lines)


@pytest.mark.parametrize("format", sorted(DECIDING | DOCUMENTS))
def test_a_file_is_the_same_as_standard_output(model, tmp_path, format):
    target = tmp_path / "out"
    assert frr("export", model, "--to", format, "-o", target).stdout == b""
    assert target.read_bytes() == export(model, format) != b""


def test_missing_arguments_are_named(model):
    assert "--to" in fails(2, model)
    assert "MODEL" in fails(2, "--to", "c")
    message = fails(2, model, "--to", "cobol")
    assert all(name in message for name in DECIDING)


@pytest.mark.parametrize(("format", "option"), [
    ("onnx", ("--name", "f")), ("c", ("--dialect", "sqlite")), ("python", ("--table", "t")),
    ("pmml", ("--as", "view")), ("c", ("--prefix", "p")), ("c", ("--float32",)), ("onnx", ("--rule-set",)),
    ("markdown", ("--name", "f")),
])
def test_options_of_other_formats_are_refused(model, format, option):
    message = fails(2, model, "--to", format, *option)
    assert format in message
    assert option[0].removeprefix("--") in message


@pytest.mark.parametrize("options", [("--tnorm", "aczel-alsina:2"), ("--root", "2")])
@pytest.mark.parametrize("format", ["sql", "pmml", "onnx"])
def test_an_unsupported_model_names_the_formats_that_support_it(tmp_path, format, options):
    path = tmp_path / "model.json"
    frr("train", ROOT / "data" / "loans.csv", "-o", path, "--quiet", *options)
    message = fails(1, path, "--to", format, "-o", tmp_path / "out")
    assert f"the format {format} cannot hold" in message
    assert "python, javascript" in message
    assert not (tmp_path / "out").exists()


def test_output_does_not_replace_the_model(model):
    before = model.read_bytes()
    fails(2, model, "--to", "c", "-o", model)
    assert model.read_bytes() == before


def test_a_bad_model_is_refused(tmp_path):
    path = tmp_path / "model.json"
    path.write_text(json.dumps({"format": "frr-model"}))
    assert str(path) in fails(1, path, "--to", "c")
    assert "No such file" in fails(1, tmp_path / "nothing.json", "--to", "c")


@pytest.mark.parametrize("format", ["c", "python", "javascript", "sql", "onnx", "pmml", "markdown", "latex", "html"])
def test_files_say_what_decides(policies, format):
    plain, target, costs, refer = (frr("export", policies[name].path, "--to", format).stdout.decode(errors="replace")
                                   for name in ("additive_two", "additive_target", "additive_costs", "sufficient_refer"))
    assert "sensitivity" in target and "95" in target
    assert "Decisions: " in costs
    assert "referred to a person" in refer
    for text in ("sensitivity", "Decisions: ", "referred to a person"):
        assert text not in plain


@pytest.fixture(scope="module")
def policies(tmp_path_factory):
    return {case.name: case for case in policy_cases(tmp_path_factory.mktemp("policies"), rows=40)}
