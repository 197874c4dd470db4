"""Control characters and text direction marks never reach a terminal; they appear as escapes."""

import csv
import io
import json
import os
import random
import re
import subprocess

import pytest
from conftest import BINARY
from test_terminal import on_terminal

# Colour, bell, a C1 control, DEL, overrides and isolates, a line separator.
HOSTILE = "\x1b[31m\x07\u009b1m\x7f\u202e\u2066\u200f\u061c\u200e\u2028end"
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
SHOWN = r"\x1b[31m\x07\u009b1m\x7f\u202e\u2066\u200f\u061c\u200e\u2028end"
DATA = f"data{HOSTILE}.csv"
MODEL = f"model{HOSTILE}.json"


def check(text):
    """Ignores the control characters of the progress line, and carriage returns at line ends."""
    found = HIDDEN.search(text.replace("\r\033[K", "").replace("\r\n", "\n"))
    assert found is None, text[max(0, found.start() - 60):found.end() + 20]
    return text


def shown(frr, *arguments, status=0):
    got, text = on_terminal(frr.directory, *arguments, env={"NO_COLOR": "1"})
    assert got == status, text
    return check(text)


def write_table(frr, name=DATA, classes=("yes", "no")):
    numbers = random.Random(3)
    lines = [f"size{HOSTILE},kind{HOSTILE},class{HOSTILE}"]
    for _ in range(80):
        kind, size = numbers.choice("abc"), numbers.random()
        answer = classes[0] if kind == "a" or (kind == "b" and size > 0.6) else classes[1]
        lines.append(f"{size:.3f},{kind}{HOSTILE},{answer}{HOSTILE}")
    lines.append(f",,{classes[0]}{HOSTILE}")
    return frr.write(name, "\n".join(lines) + "\n")


@pytest.fixture
def model(frr):
    write_table(frr)
    frr("train", DATA, "--augment", "0", "-o", MODEL).ok()
    return frr.directory / MODEL


def test_the_rules_contain_hostile_names(frr, model):
    text = frr("rules", MODEL).ok().out
    check(text)
    for word in ("size", "kind", "class"):
        assert word in model.read_text()
    assert SHOWN in text


@pytest.mark.parametrize("command", [
    ("train", DATA, "--augment", "0"),
    ("train", DATA, "--augment", "0", "-o", "-"),
    ("train", DATA, "--augment", "0", "-o", f"new{HOSTILE}.json"),
    ("train", DATA, "--augment", "0", "-o", f"new{HOSTILE}.json", "--json"),
    ("train", DATA, "--rules", "1", "--augment", "0", "--time-limit", "0.000001"),
    ("rules", MODEL),
    ("rules", MODEL, "--markdown"),
    ("rules", MODEL, "--json"),
    ("predict", MODEL, DATA),
    ("predict", MODEL, DATA, "--proba"),
    ("predict", MODEL, DATA, "--proba", "--json"),
    ("explain", MODEL, DATA, "--row", "1"),
    ("explain", MODEL, DATA, "--row", "81"),
    ("explain", MODEL, DATA, "--row", "1", "--json"),
    ("cv", DATA, "--augment", "0", "--folds", "2"),
    ("cv", DATA, "--augment", "0", "--folds", "2", "--json"),
    ("path", DATA, "--augment", "0", "--folds", "2", "--rules", "2", "--target", f"class{HOSTILE}"),
    ("path", DATA, "--augment", "0", "--folds", "2", "--rules", "2", "--json"),
    ("report", MODEL, DATA, "--folds", "0"),
    ("report", MODEL, DATA, "--folds", "0", "-o", f"page{HOSTILE}.html"),
    ("export", "--list"),
    ("options",),
    ("train", "--help"),
])
def test_results_on_a_terminal(frr, model, command):
    shown(frr, *command)


@pytest.mark.parametrize("semantics", ["sufficient", "additive"])
def test_explanations_show_the_names(frr, semantics):
    write_table(frr)
    frr("train", DATA, "--augment", "0", "--semantics", semantics, "-o", MODEL).ok()
    text = shown(frr, "explain", MODEL, DATA, "--row", "1")
    assert f"class{SHOWN} is " in text
    assert f"data{SHOWN}.csv" in text
    # Text for people is escaped in a pipe, too.
    assert check(frr("explain", MODEL, DATA, "--row", "1").ok().out) == text.replace("\r\n", "\n")


# SQL names and XML text cannot contain control characters; ONNX is binary.
@pytest.mark.parametrize("format, status", [
    ("c", 0), ("python", 0), ("javascript", 0), ("latex", 0), ("markdown", 0), ("html", 0),
    ("sql", 1), ("pmml", 1), ("onnx", 2),
])
def test_exports_on_a_terminal(frr, model, format, status):
    shown(frr, "export", MODEL, "--to", format, status=status)


def messages(frr):
    """Commands that give warnings or errors, each with its exit status."""
    odd = f"odd{HOSTILE}"
    broken = json.dumps({"format": "frr-model", odd: 1}, ensure_ascii=False)
    frr.write("key.json", broken.replace("\\u001b", "\x1b"))
    frr.write("escaped.json", json.dumps({"format": "frr-model", odd: 1}))
    frr.write("labels.json", json.dumps({"features": {odd: {"a": [1, 2, 3, 4]}}}))
    frr.write("unknown.csv", f"size{HOSTILE},kind{HOSTILE},class{HOSTILE}\n1,{odd},{odd}\n")
    frr.write("text.csv", f"size{HOSTILE},kind{HOSTILE}\n{odd},a\n")
    frr.write("twice.csv", f"{odd},{odd},c\n1,2,a\n3,4,b\n")
    frr.write("folds.txt", odd + "\n")
    frr.write("weights.csv", f"a,w,c\n1,{odd},x\n2,1,y\n")
    frr.write("constant.csv", f"{odd},b,c\n" + "".join(f"1,{i},{i % 2}\n" for i in range(20)))
    yield 1, ("train", odd)
    yield 1, ("rules", odd)
    yield 1, ("rules", "key.json")
    yield 1, ("rules", "escaped.json")
    yield 1, ("rules", DATA)
    yield 2, (odd,)
    yield 2, ("train", DATA, f"--{odd}")
    yield 2, ("train", DATA, "--rules", odd)
    yield 2, ("train", DATA, "--preset", odd)
    yield 2, ("train", DATA, "--delimiter", odd)
    yield 1, ("train", DATA, "--target", odd)
    yield 1, ("train", DATA, "--ignore", odd)
    yield 1, ("train", DATA, "-o", f"{odd}/model.json")
    yield 1, ("train", DATA, "--partition-file", odd)
    yield 1, ("train", DATA, "--partition-file", "labels.json")
    yield 1, ("train", "weights.csv", "--weight-column", "w")
    yield 1, ("train", "twice.csv", "-o", "out.json")
    yield 0, ("train", "constant.csv", "--augment", "0", "-o", "out.json")
    yield 1, ("cv", DATA, "--folds", "folds.txt")
    yield 1, ("cv", DATA, "--folds", odd)
    yield 0, ("predict", MODEL, "unknown.csv")
    yield 1, ("predict", MODEL, "text.csv")
    yield 1, ("predict", MODEL, "weights.csv")
    yield 0, ("report", MODEL, "unknown.csv", "-o", "page.html")
    yield 1, ("report", MODEL, "unknown.csv", "--show", odd)
    yield 2, ("export", MODEL, "--to", odd)
    yield 2, ("export", MODEL, "--to", "sql", "--dialect", odd)
    yield 2, ("export", MODEL, "--to", "sql", "--table", odd)
    yield 2, ("export", MODEL, "--to", "sql", "--prefix", odd)


def test_warnings_and_errors(frr, model):
    for status, command in messages(frr):
        result = frr(*command)
        check(result.err)
        assert result.status in (1, 2) if status else result.status == 0, (command, result.err)
        text = on_terminal(frr.directory, *command, env={"NO_COLOR": "1"})[1]
        check(text)


def test_file_names_that_are_not_utf8(frr, tmp_path):
    name = os.fsencode(tmp_path) + b"/absent\xff\x9b31m\x1b.csv"
    run = subprocess.run([BINARY, b"train", name], capture_output=True, check=False)
    assert run.returncode == 1
    assert rb"absent\xff\x9b31m\x1b.csv" in run.stderr


def test_data_stays_exact_in_pipes_and_files(frr, model):
    """Each prediction is a class of the data, byte for byte."""
    known = {f"yes{HOSTILE}", f"no{HOSTILE}"}
    frr("predict", MODEL, DATA, "-o", "out.csv").ok()
    written = (frr.directory / "out.csv").read_bytes().decode()
    assert frr("predict", MODEL, DATA).ok().out == written
    answers = {row["prediction"] for row in csv.DictReader(io.StringIO(written, newline=""))}
    assert answers and answers <= known


@pytest.mark.parametrize("command", [("predict", MODEL, DATA, "--json"), ("rules", MODEL, "--json"),
                                     ("explain", MODEL, DATA, "--row", "1", "--json")])
def test_json_is_exact_without_hidden_characters(frr, model, command):
    text = check(frr(*command).ok().out)
    assert json.loads(text)["target"] == f"class{HOSTILE}"


def test_model_files_contain_no_hidden_characters(frr, model):
    text = check(model.read_bytes().decode())
    assert json.loads(text)["target"] == f"class{HOSTILE}"


def test_the_command_that_path_recommends_can_be_pasted(frr, model):
    text = frr("path", DATA, "--augment", "0", "--folds", "2", "--rules", "2").ok().out
    command = text.splitlines()[-1].strip()
    run = subprocess.run(["bash", "-c", command], cwd=frr.directory, capture_output=True,
                         env={**os.environ, "LC_ALL": "C.UTF-8"}, check=False)
    assert run.returncode == 0, run.stderr
    assert (frr.directory / "model.json").exists()
