"""Prediction from file to file."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from conftest import PROGRAM, QUICK, mixed, numbers
from frr import FRRClassifier, files

X, Y, _ = mixed()


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("source") / "parts"
    folder.mkdir()
    table = pa.Table.from_pandas(X.assign(other=np.arange(len(X))), preserve_index=False)
    pq.write_table(table.slice(0, 4001), folder / "0.parquet", row_group_size=333)
    with pa.ipc.new_file(folder / "1.arrow", table.schema) as writer:
        writer.write_table(table.slice(4001), max_chunksize=1000)
    return folder


def read(path: Path) -> pd.DataFrame:
    if path.suffix == ".csv":
        return pa.csv.read_csv(path).to_pandas()
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pandas()
    with pa.ipc.open_file(path) as reader:
        return reader.read_all().to_pandas()


@pytest.mark.parametrize("ending", ["parquet", "arrow", "feather", "csv"])
@pytest.mark.parametrize("semantics", ["sufficient", "additive"])
@pytest.mark.parametrize("proba", [False, True])
def test_the_same_as_in_memory(
    source: Path, tmp_path: Path, ending: str, semantics: str, proba: bool
) -> None:
    model = FRRClassifier(**QUICK, semantics=semantics).fit(X, Y)
    path = tmp_path / f"out.{ending}"
    assert files.predict(model, source, path, proba=proba) == len(X)
    table = read(path)
    shares = model.predict_proba(X)
    assert list(table.columns) == ["prediction", "probability", "rule"] + (
        ["p(no)", "p(yes)"] if proba else []
    )
    assert (table.prediction == model.predict(X)).all()
    assert (table.rule == model.apply(X) + 1).all()
    assert table.probability.tolist() == shares.max(axis=1).tolist()
    if proba:
        assert table["p(no)"].tolist() == shares[:, 0].tolist()
        assert table["p(yes)"].tolist() == shares[:, 1].tolist()
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("ending", ["parquet", "csv"])
@pytest.mark.parametrize("semantics", ["sufficient", "additive"])
def test_decisions_and_referrals(source: Path, tmp_path: Path, ending: str, semantics: str) -> None:
    given = {"costs": {"miss": 20}, "semantics": semantics}
    model = files.train(source_with_classes(tmp_path), target="y", **QUICK, **given)
    surest = model.predict_proba(X).max(axis=1)
    model = model.decide(refer=(surest.min() + surest.max()) / 2)
    path = tmp_path / f"out.{ending}"
    files.predict(model, source, path, proba=True)
    table = read(path)
    assert list(table.columns)[:4] == ["prediction", "probability", "rule", "referred"]
    predicted, shares = model.predict(X), model.predict_proba(X)
    assert (table.prediction == predicted).all()
    assert table.probability.tolist() == shares[range(len(X)), (predicted == "yes") * 1].tolist()
    referred = model.referred(X)
    assert 0 < referred.sum() < len(X)
    expected = np.where(referred, "yes", "no") if ending == "csv" else referred
    assert table.referred.tolist() == expected.tolist()


def source_with_classes(folder: Path) -> Path:
    table = pa.Table.from_pandas(X.assign(y=Y), preserve_index=False)
    pq.write_table(table, folder / "cases.parquet", row_group_size=1000)
    return folder / "cases.parquet"


def test_a_model_from_a_file_and_whole_numbers_as_classes(source: Path, tmp_path: Path) -> None:
    fitted = FRRClassifier(**QUICK).fit(X, (Y == "yes") * 7)
    fitted.save(tmp_path / "model.json")
    files.predict(tmp_path / "model.json", source, tmp_path / "out.parquet")
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.schema.field("prediction").type == pa.int64()
    assert table["prediction"].to_pylist() == fitted.predict(X).tolist()


def test_integers_too_large_for_any_type_are_written_as_strings(
    source: Path, tmp_path: Path
) -> None:
    names = np.where(Y == "yes", "-1", "18446744073709551615")
    FRRClassifier(**QUICK).fit(X, names).save(tmp_path / "model.json")
    files.predict(tmp_path / "model.json", source, tmp_path / "out.parquet")
    predicted = pq.read_table(tmp_path / "out.parquet")["prediction"].to_pylist()
    assert set(predicted) == {"-1", "18446744073709551615"}


def test_a_model_file_that_cannot_be_read(source: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none.json"):
        files.predict(tmp_path / "none.json", source, tmp_path / "out.csv")
    (tmp_path / "model.json").write_text("{}")
    with pytest.raises(ValueError, match=r"model.json"):
        files.predict(tmp_path / "model.json", source, tmp_path / "out.csv")
    assert os.listdir(tmp_path) == ["model.json"]


def test_a_model_without_rules_needs_no_column(source: Path, tmp_path: Path) -> None:
    elsewhere = pd.DataFrame({"elsewhere": np.arange(50.0)})
    model = FRRClassifier(**QUICK, price=1e9).fit(elsewhere, ["a", "b"] * 25)
    assert len(model.rules_) == 0
    assert files.predict(model, source, tmp_path / "out.csv") == len(X)
    assert set(read(tmp_path / "out.csv").rule) == {0}


def test_csv_quotes_fields_if_needed(source: Path, tmp_path: Path) -> None:
    y = np.where(Y == "yes", 'a, "b"', " c")
    model = FRRClassifier(**QUICK).fit(X, y)
    files.predict(model, source, tmp_path / "out.csv", proba=True)
    with (tmp_path / "out.csv").open(newline="") as file:
        head, *rows = csv.reader(file)
    assert head[3:] == ["p( c)", 'p(a, "b")']
    assert [row[0] for row in rows] == model.predict(X).tolist()


@pytest.mark.parametrize("semantics", ["sufficient", "additive"])
def test_the_same_lines_as_the_program(tmp_path: Path, semantics: str) -> None:
    table = numbers()
    pq.write_table(table, tmp_path / "data.parquet", row_group_size=700)
    table.to_pandas().to_csv(tmp_path / "data.csv", index=False)
    model = files.train(tmp_path / "data.parquet", target="y", semantics=semantics, **QUICK)
    model.save(tmp_path / "model.json")
    files.predict(model, tmp_path / "data.parquet", tmp_path / "decided.csv", proba=True)
    done = subprocess.run(
        [PROGRAM, "predict", "model.json", "data.csv", "--proba"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "decided.csv").read_text() == done.stdout
    assert done.stdout.count("\n") == 3001


def test_numbers_in_csv_are_as_short_as_the_program_writes_them() -> None:
    from frr._core import shortest

    # As std::to_chars writes them: the shorter of both forms, the plain one if both have the same
    # length.
    cases = {1.0: "1", 0.0: "0", 0.5: "0.5", 0.0001: "1e-04", 0.000123: "0.000123", 1e-5: "1e-05"}
    cases |= {1.5e-7: "1.5e-07", 0.1 + 0.2: "0.30000000000000004", 1 / 3: "0.3333333333333333"}
    cases |= {0.00012345: "0.00012345", -0.25: "-0.25", 2.5e-10: "2.5e-10", 0.001: "0.001"}
    for value, text in cases.items():
        assert shortest(value) == text
    random = np.random.default_rng(0)
    for value in (10.0 ** random.uniform(-12, 3, 3000)).tolist():
        assert float(shortest(value)) == value


@pytest.mark.parametrize(
    ("output", "error", "message"),
    [
        ("out.txt", ValueError, "must end in .parquet, .arrow, .feather or .csv"),
        ("none/out.csv", FileNotFoundError, "there is no directory"),
        ("folder.csv", IsADirectoryError, "it is a directory"),
        ("parts/out.parquet", ValueError, "is in"),
        ("parts/0.parquet", ValueError, "is an input, which would be overwritten"),
    ],
)
def test_wrong_outputs(
    source: Path, tmp_path: Path, output: str, error: type[Exception], message: str
) -> None:
    (tmp_path / "folder.csv").mkdir()
    path = source.parent / output if output.startswith("parts") else tmp_path / output
    before = sorted(source.iterdir())
    with pytest.raises(error, match=message):
        files.predict(FRRClassifier(**QUICK).fit(X, Y), source, path)
    assert sorted(source.iterdir()) == before
    assert os.listdir(tmp_path) == ["folder.csv"]


def test_a_fault_in_the_last_rows_leaves_the_old_file(tmp_path: Path) -> None:
    table = numbers()
    frame = table.to_pandas()
    model = FRRClassifier(**QUICK).fit(frame[["a", "b", "name"]], frame.y)
    used = next(c.feature for rule in model.rules_ for c in rule.conditions if c.feature == "a")
    values = table[used].to_pylist()
    texts = [*map(str, values[:-1]), "hello"]
    bad = table.set_column(0, used, pa.array(texts))
    (tmp_path / "in").mkdir()
    pq.write_table(table, tmp_path / "in" / "0.parquet")
    pq.write_table(bad, tmp_path / "in" / "1.parquet")
    out = tmp_path / "out.parquet"
    out.write_text("old")
    os.chmod(out, 0o640)
    with pytest.raises(ValueError, match=r"1.parquet, from row 1 on: column 'a' contains the text"):
        files.predict(model, tmp_path / "in", out)
    assert out.read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["in", "out.parquet"]
    (tmp_path / "in" / "1.parquet").unlink()
    files.predict(model, tmp_path / "in", out)
    assert out.stat().st_mode & 0o777 == 0o640
    assert pq.read_metadata(out).num_rows == 3000


def test_a_missing_column_is_named_with_its_file(tmp_path: Path) -> None:
    table = numbers()
    frame = table.to_pandas()
    model = FRRClassifier(**QUICK).fit(frame[["a", "b", "name"]], frame.y)
    pq.write_table(table.drop_columns(["a"]), tmp_path / "in.parquet")
    with pytest.raises(ValueError, match=r"in.parquet has no column 'a'"):
        files.predict(model, tmp_path / "in.parquet", tmp_path / "out.csv")


def test_a_link_stays_a_link(source: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "out.csv").symlink_to(tmp_path / "there" / "real.csv")
    files.predict(FRRClassifier(**QUICK).fit(X, Y), source, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").is_symlink()
    assert os.listdir(tmp_path / "there") == ["real.csv"]


# ---- Interrupted ---------------------------------------------------------------------------------


def endless(folder: Path) -> Path:
    """A directory that takes long to read, with 400 names of one file, and a model for it."""
    table = numbers(200_000)
    pq.write_table(table, folder / "one.parquet")
    (folder / "in").mkdir()
    for number in range(400):
        os.link(folder / "one.parquet", folder / "in" / f"{number:03}.parquet")
    frame = table.slice(0, 3000).to_pandas()
    FRRClassifier(**QUICK).fit(frame[["a", "b", "name"]], frame.y).save(folder / "model.json")
    return folder / "in"


STOPPED = """
import signal, sys
from frr import files
what, model, data, out = sys.argv[1:]
# A shell that starts the tests in the background has them ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))

def progress(stage, *_):
    print(stage, flush=True)

try:
    if what == "train":
        files.train(data, target="y", progress=progress).save(out)
    else:
        files.predict(model, data, out, progress=progress)
except KeyboardInterrupt:
    sys.exit(128 + signal.SIGINT)
"""


def stop_while_reading(stop: Any, folder: Path, what: str, output: Path) -> tuple[int, str]:
    """Sends a signal to a process that is reading `endless`; its exit status and messages."""
    running = subprocess.Popen(
        [sys.executable, "-c", STOPPED, what, folder / "model.json", endless(folder), output],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    try:
        while "reading, pass 1" not in (line := running.stdout.readline()):
            assert line, running.communicate()[1]
        running.send_signal(stop)
        _, errors = running.communicate(timeout=600)
    finally:
        running.kill()
        running.wait()
    return running.returncode, errors


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(("what", "output"), [("predict", "decided.csv"), ("train", "model.json")])
def test_a_signal_ends_it_and_nothing_is_left(
    tmp_path: Path, stop: Any, what: str, output: str
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    assert stop_while_reading(stop, tmp_path, what, out / output) == (128 + stop, "")
    assert os.listdir(out) == []


def has_unnamed_files(folder: Path) -> bool:
    """Whether the file system supports files without a name."""
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY))
    except (AttributeError, OSError):
        return False
    return True


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow"])
def test_a_killed_process_leaves_no_temporary_file(tmp_path: Path, ending: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    output = out / f"decided.{ending}"
    output.write_text("old")
    output.chmod(0o640)
    status, _ = stop_while_reading(signal.SIGKILL, tmp_path, "predict", output)
    assert status == -signal.SIGKILL
    if has_unnamed_files(out):
        assert os.listdir(out) == [output.name]
    assert output.read_text() == "old"
    files.predict(tmp_path / "model.json", tmp_path / "one.parquet", output)
    assert os.listdir(out) == [output.name]  # where files need names, this run removed the old one
    assert len(read(output)) == 200_000
    assert output.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow"])
def test_a_new_output_has_the_usual_mode(source: Path, tmp_path: Path, ending: str) -> None:
    output = tmp_path / f"out.{ending}"
    mask = os.umask(0o027)
    try:
        files.predict(FRRClassifier(**QUICK).fit(X, Y), source, output)
    finally:
        os.umask(mask)
    assert output.stat().st_mode & 0o777 == 0o640


def test_a_named_pipe_is_written_and_not_replaced(source: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "out.csv"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    files.predict(FRRClassifier(**QUICK).fit(X, Y), source, pipe)
    reader.join(timeout=600)
    assert received[0].count(b"\n") == 1 + len(X)
    assert pipe.is_fifo()
    assert os.listdir(tmp_path) == [pipe.name]


def test_an_output_whose_name_is_not_text(source: Path, tmp_path: Path) -> None:
    output = tmp_path / os.fsdecode(b"\xff.csv")
    files.predict(FRRClassifier(**QUICK).fit(X, Y), source, output)
    assert output.read_bytes().count(b"\n") == 1 + len(X)


def test_no_thread_is_left_behind(source: Path, tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def stop(*_: object) -> None:
        raise Enough

    before = threading.active_count()
    model = FRRClassifier(**QUICK).fit(X, Y)
    with pytest.raises(Enough):
        files.predict(model, source, tmp_path / "out.csv", progress=stop)
    assert os.listdir(tmp_path) == []
    pq.write_table(numbers(), tmp_path / "in.parquet", row_group_size=100)
    with pytest.raises(Enough):
        files.train(tmp_path / "in.parquet", target="y", progress=stop, n_jobs=3, **QUICK)
    assert threading.active_count() == before


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_classes_that_look_like_formulas_are_guarded_in_csv(
    source: Path, tmp_path: Path, ending: str
) -> None:
    model = FRRClassifier(**QUICK).fit(X, np.where(Y == "yes", "=1+1", "-5"))
    path = tmp_path / f"out.{ending}"
    files.predict(model, source, path)
    assert set(read(path).prediction.astype(str)) == {"=1+1", "-5"}
    files.predict(model, source, path, spreadsheet=True)
    guarded = {"'=1+1", "-5"} if ending == "csv" else {"=1+1", "-5"}
    assert set(read(path).prediction.astype(str)) == guarded
