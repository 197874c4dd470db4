"""Training and prediction stay within the memory limit."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import QUICK, child, numbers
from frr import files
from frr._memory import Costs, parse_memory, plan_memory

COLUMNS = 20
ROWS = 6_000_000


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """960 MB of numbers, few of them distinct, so that the file is small."""
    path = tmp_path_factory.mktemp("large") / "table.parquet"
    random = np.random.default_rng(0)
    step = 500_000
    writer = None
    for _ in range(0, ROWS, step):
        x = random.integers(0, 200, (COLUMNS, step)) / 7.0
        y = (x[0] > 14) ^ (random.random(step) < 0.1)
        table = pa.table([*x, y], names=[*(f"x{j}" for j in range(COLUMNS)), "y"])
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table, row_group_size=step)
    assert writer is not None
    writer.close()
    return path


MEASURED = """
import json, sys, warnings
from frr import files
warnings.simplefilter("ignore")
what, path, memory, out = sys.argv[1:]
if what == "train":
    model = files.train(path, target="y", memory=memory, n_jobs=2)
    model.save(out)
    notes, rows = model.notes_, json.loads(model.to_json())["training"]["rows"]
else:
    notes, rows = [], files.predict(what, path, out, memory=memory)
peak = [line for line in open("/proc/self/status") if line.startswith("VmHWM")][0]
print(json.dumps({"peak": 1024 * int(peak.split()[1]), "notes": notes, "rows": rows}))
"""


def test_child_processes_run_the_package_under_test() -> None:
    path = child("-c", "import frr.files; print(frr.files.__file__)").stdout.strip()
    assert path == files.__file__


def measured(*words: object) -> dict:
    done = child("-c", MEASURED, *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_table_larger_than_memory(large: Path, tmp_path: Path) -> None:
    decoded = 8 * COLUMNS * ROWS
    small = measured("train", large, "350MB", tmp_path / "small.json")
    assert decoded > 2.7 * 350e6
    assert small["rows"] == ROWS
    assert small["peak"] < 350e6
    assert any("search_rows is" in note for note in small["notes"])
    decided = measured(tmp_path / "small.json", large, "350MB", tmp_path / "out.parquet")
    assert decided["rows"] == ROWS
    assert decided["peak"] < 350e6
    assert pq.read_metadata(tmp_path / "out.parquet").num_rows == ROWS


def test_one_row_group_of_all_rows(tmp_path: Path) -> None:
    rows = 2_000_000
    x = np.random.default_rng(0).integers(0, 1000, (10, rows)) / 7.0
    table = pa.table([*x, x[0] > 70], names=[*(f"x{j}" for j in range(10)), "y"])
    pq.write_table(table, tmp_path / "table.parquet", row_group_size=rows)
    with pa.ipc.new_file(tmp_path / "table.arrow", table.schema) as writer:
        writer.write_table(table, max_chunksize=rows)
    del table, x
    rules = []
    for ending in ("parquet", "arrow"):
        model = tmp_path / f"{ending}.json"
        done = measured("train", tmp_path / f"table.{ending}", "310MB", model)
        assert done["peak"] < 310e6  # the rows alone take 160 MB, and the interpreter 200 MB
        rules.append(json.loads(model.read_text())["rules"])
    assert rules[0]


def enough_memory(path: Path) -> str:
    """The memory that training requires according to its error message."""
    with pytest.raises(ValueError, match=r"memory=50MB is too little .*; give \d+MB or more") as e:
        files.train(path, target="y", memory="50MB", **QUICK)
    enough = str(e.value).split("give ")[1].split()[0]
    return f"{int(enough.removesuffix('MB')) + 5}MB"  # the memory of Python grows in between


def test_too_little_memory_says_how_much_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    pq.write_table(numbers(), path)
    enough = enough_memory(path)
    with warnings.catch_warnings(action="ignore"):
        assert files.train(path, target="y", memory=enough, **QUICK).n_features_in_ == 3
    model = files.train(path, target="y", **QUICK)
    with pytest.raises(ValueError, match=r"memory=50MB is too little to read"):
        files.predict(model, path, tmp_path / "out.csv", memory="50MB")


def test_a_smaller_sample_is_a_warning_and_a_note(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    pq.write_table(numbers(60_000), path)
    memory = enough_memory(path)
    with pytest.warns(UserWarning, match=f"memory={memory} is enough for a sample of") as warned:
        model = files.train(path, target="y", memory=memory, **QUICK)
    assert [one.filename for one in warned] == [__file__]
    assert model.notes_[-1] == str(warned[0].message)
    assert model.search_rows < 60_000


def test_a_compressed_batch_that_does_not_fit(tmp_path: Path) -> None:
    rows = 4_000_000
    table = pa.table({f"x{j}": np.zeros(rows) for j in range(8)} | {"y": np.arange(rows) % 2 > 0})
    path = tmp_path / "table.arrow"
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_file(path, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=rows)
    with pytest.raises(ValueError, match=r"is too little .* give \d+MB or more"):
        files.train(path, target="y", memory="400MB", **QUICK)


@pytest.mark.parametrize(
    ("text", "size"),
    [("1GB", 10**9), ("500MB", 5 * 10**8), ("1.5 gb", 15 * 10**8), ("2GiB", 2**31), ("64k", 64000)],
)
def test_amounts(text: str, size: int) -> None:
    assert parse_memory(text) == size
    assert parse_memory(size) == size


@pytest.mark.parametrize("wrong", ["", "GB", "-1GB", "1XB", "1e30GB", 0, -5, "1 2GB", "nanGB"])
def test_wrong_amounts(wrong: object) -> None:
    with pytest.raises(ValueError, match="such as '500MB' or '1GB'"):
        parse_memory(wrong)  # type: ignore[arg-type]
    for kind in (None, 1.5, True):
        with pytest.raises(TypeError):
            parse_memory(kind)  # type: ignore[arg-type]


def test_the_plan_stays_within_the_limit() -> None:
    costs = Costs(columns=21, row=400, stream=60_000_000, whole_rows=0)
    plans = [plan_memory(m * 10**6, costs, 10**9, 131072, 4) for m in (400, 600, 1000, 4000)]
    assert [plan.search_rows for plan in plans] == sorted(plan.search_rows for plan in plans)
    assert plans[0].search_rows < 131072
    assert plans[-1].search_rows == 131072
    assert plans[-1].readers == 4
    assert plans[-1].rows == 65536
    # A small table needs no memory for a large sample.
    assert plan_memory(400 * 10**6, costs, 5000, 131072, 4).search_rows == 131072


@pytest.mark.parametrize("rows", [500, 1500, 3999, 4001, 60_000, 10**8])
def test_the_suggested_amount_is_enough(rows: int) -> None:
    costs = Costs(columns=50, row=900, stream=3_000_000, whole_rows=0)
    with pytest.raises(ValueError, match="is too little") as error:
        plan_memory(10**6, costs, rows, 131072, 2)
    enough = parse_memory(str(error.value).split("give ")[1].split()[0])
    assert plan_memory(enough, costs, rows, 131072, 2).search_rows >= 1000
    with pytest.raises(ValueError, match="is too little"):
        plan_memory(int(0.95 * enough), costs, rows, 131072, 2)
