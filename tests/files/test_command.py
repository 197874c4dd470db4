"""`python -m frr` on Parquet and Arrow files."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from conftest import child, numbers
from frr import FRRClassifier, files
from frr._command import is_for_files, run

FAST = ["--epochs", "3", "--augment", "0", "--rules", "5", "--conditions", "2"]
TABLE = numbers()


def here(folder: Path, *words: str) -> tuple[int, str, str]:
    """The same in this process, which saves the start of Python: status, output, messages."""
    out, err = io.StringIO(), io.StringIO()
    before, handler = os.getcwd(), signal.getsignal(signal.SIGTERM)
    os.chdir(folder)
    try:
        read = is_for_files(words)
        assert read is not None
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = run(read)
    finally:
        os.chdir(before)
        signal.signal(signal.SIGTERM, handler)
    return status, out.getvalue(), err.getvalue()


def frr(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    return child("-m", "frr", *words, cwd=folder)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    pq.write_table(TABLE, tmp_path / "data.parquet", row_group_size=700)
    return tmp_path


def test_train_and_predict(data: Path) -> None:
    done = frr(
        data, "train", "data.parquet", "--target", "y", "--memory=1GB", *FAST, "-o", "m.json"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    params: dict[str, Any] = {"epochs": 3, "augment": 0, "max_rules": 5, "max_conditions": 2}
    frame = TABLE.to_pandas()
    expected = FRRClassifier(**params).fit(frame.drop(columns="y"), frame.y, source="data.parquet")
    assert (data / "m.json").read_text() == expected.to_json()

    done = frr(data, "predict", "m.json", "data.parquet", "-o", "out.parquet", "--proba")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    out = pq.read_table(data / "out.parquet")
    assert out.column_names == ["prediction", "probability", "rule", "p(no)", "p(yes)"]
    assert out["prediction"].to_pylist() == expected.predict(frame.drop(columns="y")).tolist()

    done = frr(data, "predict", "m.json", "data.parquet")
    assert done.returncode == 0
    assert done.stdout.count("\n") == 3001
    assert done.stdout.startswith("prediction,probability,rule\n")


def test_a_directory_without_a_target_predicts_the_last_column(data: Path) -> None:
    (data / "parts").mkdir()
    for i in range(3):
        pq.write_table(TABLE.slice(1000 * i, 1000), data / "parts" / f"{i}.parquet")
    done = frr(data, "train", "parts", *FAST, "-o", "m.json", "--json", "--log", "log.csv")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["target"] == "y"
    assert told["rows"] == 3000
    assert told["settings"]["epochs"] == "3"
    assert (data / "log.csv").read_text().splitlines()[0] == "epoch,loss"
    assert len((data / "log.csv").read_text().splitlines()) == 4


def test_the_options_of_data(data: Path) -> None:
    table = TABLE.append_column("w", pa.array([1.0, 2.0] * 1500))
    pq.write_table(table, data / "data.parquet")
    (data / "own.json").write_text(
        '{"features": {"a": {"low": [null, null, 0, 1], "high": [0, 1, null, null]}}}'
    )
    words = ["--target", "y", "--weight-column", "w", "--ignore", "b", "--categorical", "name"]
    words += ["--numeric", "a", "--partition-file", "own.json", "--threads", "2", "--seed=3"]
    done = frr(data, "train", "data.parquet", *words, *FAST)
    assert done.returncode == 0, done.stderr
    model = json.loads(done.stdout)
    assert list(model["features"]) == ["a", "name"]
    assert list(model["features"]["a"]["labels"]) == ["low", "high"]
    settings = model["training"]["settings"]
    assert settings["seed"] == "3"
    assert settings["categorical"] == "name"
    kept = {
        name: settings.get(name)
        for name in ("numeric", "ignore", "weight-column", "partition-file")
    }
    assert list(kept.values()) == ["a", "b", "w", "own.json"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--ruels", "3"], "there is no option or argument '--ruels' of frr train; did you mean"),
        (["--rules", "0"], "--rules 0: give a whole number from 1 to 1000. See frr train --help."),
        (["--rules"], "--rules needs a value"),
        (["--target", "--json"], "--target needs a value, but the option --json follows"),
        (["more"], "there is no option or argument 'more' of frr train"),
        (["--memory", "lots"], "--memory lots: give an amount of memory, such as 500MB or 1GB"),
        (["--delimiter", "tab"], "--delimiter is about CSV files"),
        (["--json"], "give a file for the model with -o"),
        (["--preset", "best"], "--preset best: give default or paper"),
        (["--seed", "1", "--seed", "2"], "--seed is given more than once"),
        (["-o", "data.parquet"], "is the input data.parquet, which would be lost"),
        (["--quiet=perhaps"], "--quiet=perhaps: give true or false"),
        (["--numeric", "a", "--categorical", "a"], "named by both --numeric and --categorical"),
        (
            ["--target", "yy"],
            "--target: there is no column 'yy' in data.parquet; did you mean 'y'?",
        ),
        (["--ignore", "q"], "--ignore: there is no column 'q' in data.parquet"),
        (["--ignore", "y", "--target", "y"], "is the target, so --ignore cannot leave it out"),
        (["--numeric", "y", "--target", "y"], "so --numeric cannot name it"),
        (["--weight-column", "y", "--target", "y"], "name the same column 'y'"),
    ],
)
def test_bad_usage(data: Path, words: list[str], message: str) -> None:
    status, out, err = here(data, "train", "data.parquet", *words)
    assert (status, out) == (2, "")
    assert err.startswith("frr: error: ")
    assert err.endswith(" See frr train --help.\n")
    assert message in err
    assert os.listdir(data) == ["data.parquet"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--weight-column", "z"], "data.parquet has no column 'z' (column of row weights)"),
        (["--numeric", "name", "--target", "y"], "column 'name' holds names, not numbers"),
        (["--memory", "10MB"], "is too little to learn from"),
        (["-o", "none/model.json"], "there is no directory none"),
        (["--partition-file", "none.json"], "cannot read 'none.json': No such file"),
    ],
)
def test_bad_data(data: Path, words: list[str], message: str) -> None:
    status, out, err = here(data, "train", "data.parquet", *words)
    assert (status, out) == (1, "")
    assert err.startswith("frr: error: ")
    assert message in err


def test_bad_prediction(data: Path) -> None:
    (data / "m.json").write_text("{}")
    assert frr(data, "predict", "m.json", "data.parquet").returncode == 1
    assert here(data, "predict", "none.json", "data.parquet")[0] == 1
    status, _, err = here(data, "predict", "m.json", "data.parquet", "--json")
    assert status == 2
    assert "--json is for CSV files" in err


def test_what_the_sample_is_lowered_to_is_told(data: Path) -> None:
    pq.write_table(numbers(60_000), data / "data.parquet")
    words = ["train", "data.parquet", *FAST, "-o", "m.json", "--memory"]
    enough = here(data, *words, "10MB")[2].split("give ")[1].split()[0]
    enough = f"{int(enough.removesuffix('MB')) + 5}MB"  # what Python holds grows in between
    assert "frr: warning: memory=" in here(data, *words, enough)[2]
    assert here(data, *words, enough, "--quiet") == (0, "", "")


# ---- Beside the program --------------------------------------------------------------------------

OWN = Path(sysconfig.get_path("scripts"), "frr")
needs_program = pytest.mark.skipif(
    not OWN.exists() and shutil.which("frr") is None, reason="the program frr is not installed"
)


@needs_program
def test_all_else_is_the_program(data: Path) -> None:
    assert frr(data, "--version").stdout.startswith("frr ")
    assert "Learns a rule base" in frr(data, "train", "data.parquet", "--help").stdout
    pyarrow.csv.write_csv(TABLE, data / "data.csv")
    done = frr(data, "train", "data.csv", *FAST, "-o", "m.json")
    assert done.returncode == 0, done.stderr
    assert json.loads((data / "m.json").read_text())["training"]["rows"] == 3000


@needs_program
@pytest.mark.parametrize("semantics", ["sufficient", "additive"])
def test_the_same_lines_as_the_program(data: Path, semantics: str) -> None:
    TABLE.to_pandas().to_csv(data / "data.csv", index=False)
    files.train(data / "data.parquet", target="y", semantics=semantics, epochs=3, augment=0).save(
        data / "m.json"
    )
    here = frr(data, "predict", "m.json", "data.parquet", "--proba")
    there = frr(data, "predict", "m.json", "data.csv", "--proba")
    assert (here.returncode, there.returncode) == (0, 0)
    assert here.stdout == there.stdout
    assert len(pd.read_csv(data / "data.csv")) == here.stdout.count("\n") - 1


def test_this_is_the_package_under_test() -> None:
    assert (
        child("-c", "import frr.files; print(frr.files.__file__)").stdout.strip() == files.__file__
    )
    assert sys.version_info >= (3, 11)


# Colour, bell, a C1 control, DEL, an override, an isolate.
HOSTILE = "\x1b[31m\x07\u009b1m\x7f\u202e\u2066"
SHOWN = r"\x1b[31m\x07\u009b1m\x7f\u202e\u2066"


@pytest.mark.parametrize(
    "words",
    [
        ("train", "data.parquet", f"--odd{HOSTILE}"),
        ("train", "data.parquet", "--target", f"odd{HOSTILE}"),
        ("train", "data.parquet", "--preset", f"odd{HOSTILE}"),
        ("predict", f"odd{HOSTILE}.json", "data.parquet"),
        ("train", "data.parquet", "-o", f"odd{HOSTILE}/m.json"),
    ],
)
def test_messages_show_hidden_characters(data: Path, words: tuple[str, ...]) -> None:
    status, _, messages = here(data, *words)
    assert status in (1, 2)
    assert f"odd{SHOWN}" in messages
    assert not any(character in messages for character in HOSTILE if character not in "[31m")


def test_results_show_hidden_characters_on_a_terminal(data: Path) -> None:
    frame = TABLE.to_pandas()
    frame["y"] = frame.y.astype(str) + HOSTILE
    pq.write_table(pa.Table.from_pandas(frame), data / "odd.parquet")
    assert here(data, "train", "odd.parquet", "--target", "y", *FAST, "-o", "m.json")[0] == 0
    main, other = pty.openpty()
    command = [sys.executable, "-m", "frr", "predict", "m.json", "odd.parquet", "--quiet"]
    shown = b""
    with subprocess.Popen(command, cwd=data, stdout=other, stderr=other) as process:
        os.close(other)
        with contextlib.suppress(OSError):  # the end of a pseudo terminal
            while piece := os.read(main, 65536):
                shown += piece
    os.close(main)
    assert process.returncode == 0
    lines = shown.decode().split("\r\n")
    assert lines[0] == "prediction,probability,rule"
    assert {line.partition(",")[0] for line in lines[1:-1]} == {f"no{SHOWN}", f"yes{SHOWN}"}


def test_running_out_of_memory_has_its_status(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("frr._command._train", fail)
    status, _, messages = here(data, "train", "data.parquet")
    assert (status, "memory" in messages) == (4, True)
