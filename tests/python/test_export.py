"""FRRClassifier.export: what `frr export` writes."""

import subprocess

import pytest
from conftest import PROGRAM
from frr import FRRClassifier, _core
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

FORMATS = [name for name, _ in _core.export_formats()]


@pytest.fixture(scope="module")
def model():
    data = load_iris(as_frame=True)
    return FRRClassifier(max_rules=4, advanced={"epochs": 5}).fit(
        data.data, data.target_names[data.target]
    )


@pytest.mark.parametrize("format", FORMATS)
def test_the_same_as_the_program(model, tmp_path, format):
    model.save(tmp_path / "model.json")
    command = [PROGRAM, "export", "-", "--to", format]
    with (tmp_path / "model.json").open() as file:
        program = subprocess.run(command, stdin=file, capture_output=True, check=True).stdout
    content = model.export(format)
    assert isinstance(content, bytes if format == "onnx" else str)
    assert (content if format == "onnx" else content.encode()) == program
    assert model.export(format, tmp_path / "out") is None
    assert (tmp_path / "out").read_bytes() == program


def test_options(model):
    assert "triage_result triage(" in model.export("c", name="triage")
    assert 'FROM "visits"' in model.export("sql", table="visits", dialect="sqlite")
    view = model.export("sql", as_="view", name="decided", prefix="new_")
    assert 'CREATE VIEW "decided" AS' in view
    assert '"new_prediction"' in view
    assert "RuleSetModel" in model.export("pmml", rule_set=True)
    assert model.export("onnx", float32=True) != model.export("onnx")


def test_faults_say_what_to_do(model, tmp_path):
    with pytest.raises(ValueError, match="there is no format 'cobol'"):
        model.export("cobol")
    with pytest.raises(ValueError, match="has no option dialect"):
        model.export("c", dialect="sqlite")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        model.export("c", tmp_path / "nowhere" / "model.h")
    with pytest.raises(NotFittedError):
        FRRClassifier().export("c")
