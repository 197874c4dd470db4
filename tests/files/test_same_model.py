"""Models are byte for byte those of FRRClassifier.fit for the table in memory."""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from conftest import QUICK, mixed, numbers
from frr import FRRClassifier, files

X, Y, WEIGHTS = mixed()
TABLE = pa.Table.from_pandas(X.assign(y=Y, w=WEIGHTS), preserve_index=False)


def in_memory(weighted: bool, source: Any, **params: Any) -> str:
    weights = WEIGHTS if weighted else None
    return FRRClassifier(**QUICK, **params).fit(X, Y, weights, source=str(source)).to_json()


def from_files(source: Any, weighted: bool, **params: Any) -> str:
    more = {"weight": "w"} if weighted else {"ignore": ["w"]}
    return files.train(source, target="y", **more, **QUICK, **params).to_json()


# Fewer and more searched rows than the table has.
@pytest.mark.parametrize("search_rows", [1500, 131072])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("group", [6000, 1000, 700, 37])
def test_parquet(tmp_path: Path, search_rows: int, weighted: bool, group: int) -> None:
    path = tmp_path / "table.parquet"
    pq.write_table(TABLE, path, row_group_size=group)
    expected = in_memory(weighted, path, search_rows=search_rows)
    assert from_files(path, weighted, search_rows=search_rows) == expected


@pytest.mark.parametrize("search_rows", [1500, 131072])
@pytest.mark.parametrize("compression", [None, "lz4", "zstd"])
@pytest.mark.parametrize("group", [6000, 700])
def test_arrow(tmp_path: Path, search_rows: int, compression: str | None, group: int) -> None:
    path = tmp_path / "table.arrow"
    options = pa.ipc.IpcWriteOptions(compression=compression, unify_dictionaries=True)
    with pa.ipc.new_file(path, TABLE.schema, options=options) as writer:
        writer.write_table(TABLE, max_chunksize=group)
    expected = in_memory(True, path, search_rows=search_rows)
    assert from_files(path, True, search_rows=search_rows) == expected


def test_a_large_batch_of_an_arrow_file_is_divided(tmp_path: Path) -> None:
    table = numbers(150_000)
    path = tmp_path / "table.arrow"
    with pa.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table)
    frame = table.to_pandas()
    params = QUICK | {"search_rows": 2000}
    expected = FRRClassifier(**params).fit(frame[["a", "b", "name"]], frame.y, source=str(path))
    assert files.train(path, target="y", **params).to_json() == expected.to_json()


@pytest.mark.parametrize("n_jobs", [1, 2, 5])
def test_a_directory_and_a_list_are_read_in_order(tmp_path: Path, n_jobs: int) -> None:
    cuts = [0, 11, 11, 2500, 2501, 6000]  # an empty one, and one with a single row
    paths = []
    for number, (low, high) in enumerate(itertools.pairwise(cuts)):
        folder = tmp_path / "data" / ("b" if number > 2 else "a")
        folder.mkdir(parents=True, exist_ok=True)
        paths.append(folder / f"part-{number}.{'arrow' if number == 3 else 'parquet'}")
        part = TABLE.slice(low, high - low)
        if number == 3:
            with pa.ipc.new_file(paths[-1], part.schema) as writer:
                writer.write_table(part)
        else:
            pq.write_table(part, paths[-1], row_group_size=900)
    (tmp_path / "data" / "_SUCCESS").touch()
    (tmp_path / "data" / "a" / ".part-0.parquet.crc").touch()
    folder = tmp_path / "data"
    expected = in_memory(True, folder, search_rows=1500)
    assert from_files(folder, True, search_rows=1500, n_jobs=n_jobs) == expected
    # A list has no name for the model to record.
    unnamed = FRRClassifier(**QUICK, search_rows=1500).fit(X, Y, WEIGHTS).to_json()
    assert from_files(paths, True, search_rows=1500) == unnamed


def test_a_dataset(tmp_path: Path) -> None:
    pq.write_table(TABLE.slice(0, 3500), tmp_path / "0.parquet", row_group_size=800)
    pq.write_table(TABLE.slice(3500), tmp_path / "1.parquet")
    expected = FRRClassifier(**QUICK, search_rows=1500).fit(X, Y, WEIGHTS).to_json()
    whole = ds.dataset(sorted(tmp_path.glob("*.parquet")))
    assert from_files(whole, True, search_rows=1500) == expected
    assert from_files(ds.dataset(TABLE), True, search_rows=1500) == expected
    # A filter drops rows, and so does a weight of 0, except from the count of rows.
    kept = (X.whole < 25).to_numpy()
    few = FRRClassifier(**QUICK, search_rows=1500).fit(X[kept], Y[kept], WEIGHTS[kept]).to_json()
    assert from_files(whole.filter(ds.field("whole") < 25), True, search_rows=1500) == few


def test_a_dataset_with_a_column_in_directory_names(tmp_path: Path) -> None:
    for name in ("u", "v"):
        folder = tmp_path / f"name={name}"
        folder.mkdir()
        part = numbers().filter(pa.compute.equal(numbers()["name"], name)).drop_columns(["name"])
        pq.write_table(part, folder / "0.parquet", row_group_size=500)
    model = files.train(ds.dataset(tmp_path, partitioning="hive"), target="y", **QUICK)
    assert {f.name: f.categorical for f in model.partition_}["name"]
    assert any(c.feature == "name" for rule in model.rules_ for c in rule.conditions)


@pytest.mark.parametrize(
    ("labels", "kind"),
    [([0, 1], np.dtype(np.int64)), ([False, True], np.dtype(bool)), ([1.0, 2.0], np.dtype(float))],
)
def test_classes_keep_their_type(tmp_path: Path, labels: list[Any], kind: np.dtype[Any]) -> None:
    y = pd.Series([labels[int(one == "yes")] for one in Y], name="y")
    path = tmp_path / "table.parquet"
    pq.write_table(pa.Table.from_pandas(X.assign(y=y)), path, row_group_size=1000)
    model = files.train(path, target="y", **QUICK)
    expected = FRRClassifier(**QUICK).fit(X, y, source=str(path))
    assert model.to_json() == expected.to_json()
    assert model.classes_.dtype == kind
    assert model.classes_.tolist() == labels
    assert (model.predict(X) == expected.predict(X)).all()


def test_a_pandas_index_is_not_a_column(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    X.assign(y=Y).set_index(np.arange(len(X)) * 7 % 6000).to_parquet(path)
    assert "__index_level_0__" in pq.read_schema(path).names
    assert files.train(path, target="y", **QUICK).feature_names_in_.tolist() == list(X.columns)


def test_numeric_columns_can_be_categorical(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    pq.write_table(TABLE.drop_columns(["w"]), path, row_group_size=700)
    for search_rows in (1500, 131072):
        model = files.train(
            path, target="y", categorical=["whole"], search_rows=search_rows, **QUICK
        )
        expected = FRRClassifier(
            **QUICK, search_rows=search_rows, categorical_features=["whole"]
        ).fit(X, Y, source=str(path))
        assert model.to_json() == expected.to_json()


@pytest.mark.parametrize("search_rows", [1500, 131072])
def test_given_labels_weights_and_roles_of_columns(tmp_path: Path, search_rows: int) -> None:
    path = tmp_path / "table.parquet"
    pq.write_table(TABLE, path, row_group_size=700)
    params: dict[str, Any] = QUICK | {
        "partition": {"a": {"low": [None, None, 0, 1], "high": [0, 1, None, None]}},
        "search_rows": search_rows,
        "random_state": 3,
    }
    model = files.train(
        path,
        target="y",
        weight="w",
        ignore=["single"],
        categorical=["whole"],
        n_jobs=2,
        **params,
    )
    expected = FRRClassifier(**params, categorical_features=["whole"]).fit(
        X.drop(columns="single"), Y, WEIGHTS, source=str(path)
    )
    assert model.to_json() == expected.to_json()
    ranges = [label.name for f in model.partition_ if f.name == "a" for label in f.labels]
    assert ranges[:2] == ["low", "high"]


def test_rows_without_a_class_are_dropped(tmp_path: Path) -> None:
    gone = np.arange(len(Y)) % 5 == 0
    y = Y.astype(object).where(~gone, None)
    path = tmp_path / "table.parquet"
    pq.write_table(pa.Table.from_pandas(X.assign(y=y)), path, row_group_size=700)
    model = files.train(path, target="y", search_rows=131072, **QUICK)
    kept = FRRClassifier(**QUICK).fit(X[~gone], Y[~gone])
    assert model.rules_ == kept.rules_
    assert any("1200" in note for note in model.notes_)


def test_progress_reports_passes_and_rows(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    pq.write_table(numbers(), path, row_group_size=100)
    calls: list[tuple[str, float]] = []
    files.train(
        path,
        target="y",
        progress=lambda stage, fraction, *_: calls.append((stage, fraction)),
        **QUICK | {"search_rows": 1000},
    )
    passes = [stage for stage, _ in calls if stage.startswith("reading, pass ")]
    assert any("pass 1" in stage and "rows/s" in stage for stage in passes)
    assert any("pass 3" in stage for stage in passes)
    assert all(0 <= fraction <= 1 for _, fraction in calls)


BAR = """
import sys
from frr import files
files.train(sys.argv[1], target="y", verbose=1, advanced={"epochs": 3}, search_rows=1000, augment=0)
"""


def test_the_bar_fits_the_terminal_and_disappears_before_notes(tmp_path: Path) -> None:
    """A longer line would remain visible, and later output would be mixed with it."""
    path = tmp_path / "table.parquet"
    pq.write_table(numbers(), path, row_group_size=100)
    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    command = [sys.executable, "-c", BAR, str(path)]
    with subprocess.Popen(command, stdout=other, stderr=other) as child:
        os.close(other)
        written = b""
        with contextlib.suppress(OSError):  # the pseudo-terminal was closed
            while part := os.read(main, 65536):
                written += part
    os.close(main)
    assert child.returncode == 0, written.decode()
    lines = written.decode().replace("\r\n", "\n").split("\n")
    drawn = [line for text in lines for line in text.split("\r") if "frr [" in line]
    assert drawn
    assert max(map(len, drawn)) < 60
    notes = [line.split("\r")[-1] for line in lines if "gradient descent saw" in line]
    assert len(notes) == 1
    assert notes[0].startswith("frr: of ")
