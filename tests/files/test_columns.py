"""Files with different columns, and columns that cannot be learned from."""

from __future__ import annotations

import datetime
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from conftest import QUICK, child, numbers
from frr import FRRClassifier, files

TABLE = numbers()


def two_files(folder: Path, first: pa.Table, second: pa.Table) -> list[Path]:
    paths = [folder / "one.parquet", folder / "two.parquet"]
    for path, table in zip(paths, (first, second), strict=True):
        pq.write_table(table, path, row_group_size=400)
    return paths


def replaced(table: pa.Table, name: str, values: Any) -> pa.Table:
    return table.set_column(table.schema.get_field_index(name), name, values)


def fit(table: pa.Table, **params: Any) -> FRRClassifier:
    frame = table.to_pandas()
    return FRRClassifier(**QUICK, **params).fit(frame.drop(columns="y"), frame.y)


# ---- Right results -------------------------------------------------------------------------------


@pytest.mark.parametrize("search_rows", [1000, 131072])
@pytest.mark.parametrize("whole_first", [True, False])
def test_integers_in_one_file_and_fractions_in_another(
    tmp_path: Path, search_rows: int, whole_first: bool
) -> None:
    first, second = TABLE.slice(0, 1300), TABLE.slice(1300)
    rounded = pc.cast(pc.round(first["a"]), pa.int32())
    first = replaced(first, "a", rounded)
    together = pa.concat_tables([replaced(first, "a", rounded.cast(pa.float64())), second])
    if not whole_first:
        together = pa.concat_tables([together.slice(1300), together.slice(0, 1300)])
        first, second = second, first
    model = files.train(
        two_files(tmp_path, first, second), target="y", search_rows=search_rows, **QUICK
    )
    assert model.to_json() == fit(together, search_rows=search_rows).to_json()


@pytest.mark.parametrize("search_rows", [1000, 131072])
def test_strings_in_one_file_and_a_dictionary_in_another(tmp_path: Path, search_rows: int) -> None:
    first, second = TABLE.slice(0, 1300), TABLE.slice(1300)
    for name in ("name", "y"):
        second = replaced(second, name, second[name].dictionary_encode())
    model = files.train(
        two_files(tmp_path, first, second), target="y", search_rows=search_rows, **QUICK
    )
    assert model.to_json() == fit(TABLE, search_rows=search_rows).to_json()


def test_columns_in_another_order_and_of_missing_values(tmp_path: Path) -> None:
    first, second = TABLE.slice(0, 1300), TABLE.slice(1300)
    shuffled = second.select(["y", "name", "b", "a"])
    same = files.train(two_files(tmp_path, first, shuffled), target="y", **QUICK)
    assert same.to_json() == fit(TABLE).to_json()
    missing = replaced(second, "b", pa.nulls(second.num_rows))
    model = files.train(two_files(tmp_path, first, missing), target="y", **QUICK)
    together = pa.concat_tables(
        [first, replaced(second, "b", pa.nulls(second.num_rows, pa.float64()))]
    )
    assert model.to_json() == fit(together).to_json()


def test_classes_that_are_integers_in_one_file_and_not_in_another(tmp_path: Path) -> None:
    y = pc.cast(pc.equal(TABLE["y"], "yes"), pa.int64())
    whole = replaced(TABLE, "y", y)
    paths = two_files(
        tmp_path,
        whole.slice(0, 1300),
        replaced(whole, "y", y.cast(pa.float64())).slice(1300),
    )
    model = files.train(paths, target="y", **QUICK)
    assert model.to_json() == fit(replaced(TABLE, "y", y.cast(pa.float64()))).to_json()
    assert model.classes_.tolist() == [0.0, 1.0]
    assert model.classes_.dtype == np.float64


def test_categorical_columns_may_mix_numbers_and_names(tmp_path: Path) -> None:
    ward = pa.array(["3" if x > 0 else "4" for x in TABLE["a"].to_pylist()])
    table = TABLE.drop_columns(["a"]).append_column("ward", ward)
    first = replaced(table.slice(0, 1300), "ward", ward.slice(0, 1300).cast(pa.int64()))
    paths = two_files(tmp_path, first, table.slice(1300))
    with pytest.raises(
        ValueError, match=r"'ward' is of type int64 in .*one.parquet and of type str"
    ):
        files.train(paths, target="y", **QUICK)
    model = files.train(paths, target="y", categorical=["ward"], **QUICK)
    names = {label.name for f in model.partition_ if f.name == "ward" for label in f.labels}
    assert {"3", "4"} <= names


def test_decimals_are_numbers(tmp_path: Path) -> None:
    values = [Decimal(f"{x:.3f}") for x in TABLE["a"].to_pylist()]
    table = replaced(TABLE, "a", pa.array(values, pa.decimal128(12, 3)))
    path = tmp_path / "table.parquet"
    pq.write_table(table, path)
    assert files.train(path, target="y", **QUICK).rules_ == fit(TABLE).rules_


def test_a_column_name_with_dots_and_quotes(tmp_path: Path) -> None:
    table = TABLE.rename_columns(["a.b", 'the "b"', "n,a", "y"])
    path = tmp_path / "table.parquet"
    pq.write_table(table, path, row_group_size=500)
    model = files.train(path, target="y", **QUICK | {"search_rows": 1000})
    assert model.feature_names_in_.tolist() == ["a.b", 'the "b"', "n,a"]
    assert files.predict(model, path, tmp_path / "out.parquet") == 3000


# ---- Clear errors --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([datetime.date(2024, 1, 1)] * 3000, "date32"),
        ([datetime.datetime(2024, 1, 1)] * 3000, "timestamp"),
        ([datetime.timedelta(1)] * 3000, "duration"),
        ([[1, 2]] * 3000, "list"),
        ([{"x": 1}] * 3000, "struct"),
    ],
)
def test_unsupported_types(tmp_path: Path, values: list[Any], kind: str) -> None:
    path = tmp_path / "table.parquet"
    pq.write_table(TABLE.append_column("odd", pa.array(values)), path)
    with pytest.raises(TypeError, match=rf"'odd' of .*table.parquet is of type {kind}.*ignore"):
        files.train(path, target="y", **QUICK)
    assert files.train(path, target="y", ignore=["odd"], **QUICK).n_features_in_ == 3
    with pytest.raises(TypeError):  # like fit
        fit(TABLE.append_column("odd", pa.array(values)))


def test_a_missing_column_is_named_with_its_file(tmp_path: Path) -> None:
    paths = two_files(tmp_path, TABLE.slice(0, 1300), TABLE.slice(1300).drop_columns(["b"]))
    with pytest.raises(ValueError, match=r"two.parquet has no column 'b'"):
        files.train(paths, target="y", **QUICK)
    with pytest.raises(ValueError, match=r"one.parquet has a column 'b', which .*two.parquet"):
        files.train(paths[::-1], target="y", **QUICK)
    assert files.train(paths[::-1], target="y", ignore=["b"], **QUICK).n_features_in_ == 2


def test_numbers_in_one_file_and_names_in_another(tmp_path: Path) -> None:
    second = replaced(TABLE.slice(1300), "b", TABLE["name"].slice(1300))
    with pytest.raises(ValueError, match=r"'b' is of type double in .*one.* string in .*two"):
        files.train(two_files(tmp_path, TABLE.slice(0, 1300), second), target="y", **QUICK)


def test_an_infinite_number_is_found_by_file_and_row(tmp_path: Path) -> None:
    a = TABLE["a"].to_numpy().copy()
    a[1300 + 1234] = np.inf
    bad = replaced(TABLE, "a", pa.array(a))
    paths = two_files(tmp_path, bad.slice(0, 1300), bad.slice(1300))
    with pytest.raises(ValueError, match=r"two.parquet: column 'a' .* infinite .* in row 1234 "):
        files.train(paths, target="y", **QUICK)


def test_a_bad_weight_is_found_by_file_and_row(tmp_path: Path) -> None:
    weights = np.ones(3000)
    weights[1300 + 77] = -1
    bad = TABLE.append_column("w", pa.array(weights))
    paths = two_files(tmp_path, bad.slice(0, 1300), bad.slice(1300))
    with pytest.raises(
        ValueError, match=r"two.parquet: the weight in column 'w', row 77 \(the first"
    ):
        files.train(paths, target="y", weight="w", **QUICK)
    with pytest.raises(ValueError, match=r"'name' \(weight\) contains names"):
        files.train(paths, target="y", weight="name", **QUICK)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"target": "z"}, "target names the column 'z', but .* are 'a', 'b', 'name', 'y'"),
        ({"weight": "z"}, "weight names the column 'z'"),
        ({"ignore": ["z"]}, "ignore names the column 'z'"),
        ({"categorical": ["z"]}, "categorical names the column 'z'"),
        ({"ignore": ["y"]}, "'y' is both target and ignored"),
        ({"weight": "y"}, "target and weight name the same column"),
        ({"weight": "b", "ignore": ["b"]}, "'b' is both weight and ignored"),
        ({"weight": "b", "categorical": ["b"]}, "'b' is both weight and categorical"),
        ({"target": "a"}, "more than 1000 different values"),
        ({"max_rules": 0}, "max_rules must be a whole number"),
        ({"memory": "much"}, "memory must be an amount such as"),
        ({"memory": 0}, "memory must be an amount such as"),
    ],
)
def test_wrong_arguments(tmp_path: Path, given: dict[str, Any], message: str) -> None:
    table = TABLE
    if given.get("target") == "a":
        table = replaced(TABLE, "a", pa.array(np.arange(3000)))
    path = tmp_path / "table.parquet"
    pq.write_table(table, path)
    with pytest.raises(ValueError, match=message):
        files.train(path, **{"target": "y"} | QUICK | given)


@pytest.mark.parametrize("given", [{"ignore": "b"}, {"categorical": "b"}, {"rules": 3}])
def test_a_string_is_not_a_list_of_names(tmp_path: Path, given: dict[str, Any]) -> None:
    path = tmp_path / "table.parquet"
    pq.write_table(TABLE, path)
    with pytest.raises(TypeError):
        files.train(path, target="y", **given)


def test_wrong_sources(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        files.train(tmp_path / "none.parquet", target="y")
    with pytest.raises(ValueError, match="contains no Parquet or Arrow file"):
        files.train(tmp_path, target="y")
    for nothing in ([], 3, None):
        with pytest.raises(TypeError, match="source must be"):
            files.train(nothing, target="y")
    text = tmp_path / "table.csv"
    text.write_text("a,y\n1,2\n")
    with pytest.raises(ValueError, match=r"table.csv is neither a Parquet file nor an Arrow file"):
        files.train(text, target="y")
    pq.write_table(TABLE, tmp_path / "table.parquet")
    with pytest.raises(ValueError, match=r"contains table.csv in addition"):
        files.train(tmp_path, target="y")
    text.unlink()
    pq.write_table(TABLE.slice(0, 0), tmp_path / "table.parquet")
    with pytest.raises(ValueError, match="no rows to learn from"):
        files.train(tmp_path, target="y")


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_a_file_cut_short(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"table.{ending}"
    if ending == "parquet":
        pq.write_table(TABLE, path)
    else:
        with pa.ipc.new_file(path, TABLE.schema) as writer:
            writer.write_table(TABLE)
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(ValueError, match=rf"table.{ending} cannot be read"):
        files.train(path, target="y", **QUICK)


def test_a_file_that_changes_during_training(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    pq.write_table(TABLE, path)

    def change(stage: str, *_: object) -> None:
        if "pass 1" in stage:
            pq.write_table(TABLE.slice(5), path)

    with pytest.raises(ValueError, match=r"table.parquet has changed while it was read"):
        files.train(path, target="y", progress=change, **QUICK)


def test_without_pyarrow_the_error_says_how_to_install_it() -> None:
    code = (
        "import sys\nsys.modules['pyarrow'] = None\n"
        "import frr\n"
        "try:\n    import frr.files\nexcept ImportError as error:\n    print(error)"
    )
    done = child("-c", code)
    assert "pip install 'frr[parquet]'" in done.stdout, done.stderr


@pytest.mark.parametrize("compression", [None, "lz4", "zstd"])
def test_rows_of_arrow_files_are_counted_without_reading_them(
    tmp_path: Path, compression: str | None
) -> None:
    from frr._sources import ArrowRows

    table = replaced(TABLE, "name", TABLE["name"].dictionary_encode())
    path = tmp_path / "table.arrow"
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.ipc.new_file(path, table.schema, options=options) as writer:
        for first, rows in ((0, 700), (700, 0), (700, 2300)):
            writer.write_batch(table.combine_chunks().to_batches()[0].slice(first, rows))
    arrow = ArrowRows(str(path))
    assert arrow.groups == [700, 0, 2300]
    assert arrow.whole_rows == (2300 if compression else 0)
    assert files.train(path, target="y", **QUICK).rules_ == fit(TABLE).rules_
