"""frr export --to sql: decides as the program does, on real databases, whatever names there are."""

import contextlib
import itertools
import math
import os
import random
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cases import Case, Decision, expected_of, export, frr
from odd_models import TNORMS, model_of, random_cases, write

NAMES = ("sqlite", "duckdb", "postgresql")


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


# ---- Databases -----------------------------------------------------------------------------------


class Database:
    """A connection of one of three kinds."""

    def __init__(self, name: str, connection: Any):
        self.name, self.connection = name, connection

    def run(self, sql: str, rows: list[tuple] | None = None) -> Any:
        if rows is None:
            return self.connection.execute(sql)
        cursor = self.connection.cursor()
        return cursor.executemany(sql, rows)

    def script(self, sql: str) -> None:
        """All statements of a text, however many there are, without a result."""
        if self.name == "sqlite":
            self.connection.executescript(sql)
        else:
            self.connection.execute(sql)

    def fetch(self, sql: str) -> list[tuple]:
        return self.run(sql).fetchall()

    def create(self, table: str, columns: dict[str, str], rows: list[tuple]) -> None:
        types = {
            "sqlite": {"number": "REAL", "text": "TEXT", "id": "INTEGER"},
            "duckdb": {"number": "DOUBLE", "text": "VARCHAR", "id": "INTEGER"},
            "postgresql": {"number": "double precision", "text": "text", "id": "integer"},
        }[self.name]
        self.run(f"DROP TABLE IF EXISTS {table}")
        named = [f"{quoted(name)} {types.get(kind, kind)}" for name, kind in columns.items()]
        self.run(f"CREATE TABLE {table} ({', '.join(named)})")
        if self.name == "postgresql":
            with (
                self.connection.cursor() as cursor,
                cursor.copy(f"COPY {table} FROM STDIN") as copy,
            ):
                for row in rows:
                    copy.write_row(row)
        elif self.name == "duckdb":
            pandas = pytest.importorskip("pandas")
            whole = list(zip(*rows, strict=True))
            frame = pandas.DataFrame(
                {
                    str(i): pandas.Series(
                        whole[i], dtype="float64" if kind in ("id", "number") else "object"
                    )
                    for i, kind in enumerate(columns.values())
                }
            )
            self.connection.register("new rows", frame)
            self.run(f'INSERT INTO {table} SELECT * FROM "new rows"')
            self.connection.unregister("new rows")
        else:
            self.run(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", rows)


def as_server_user() -> list[str]:
    """The server refuses to be run by root."""
    if os.getuid() != 0:
        return []
    for user in ("postgres", "nobody"):
        if (
            shutil.which("runuser")
            and not subprocess.run(["id", user], capture_output=True).returncode
        ):
            return ["runuser", "-u", user, "--"]
    pytest.skip("PostgreSQL cannot be run by root, and there is no other user to run it")


@contextlib.contextmanager
def postgresql_server() -> Iterator[str]:
    """A server of its own; gives the directory of its socket."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[4]))
    initdb = str(found[-1]) if found else shutil.which("initdb")
    if initdb is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    control = str(Path(initdb).with_name("pg_ctl"))
    user = as_server_user()
    folder = tempfile.mkdtemp(
        prefix="frr-sql-"
    )  # short: the path of a socket has at most 107 bytes
    if user:
        shutil.chown(folder, user[2])

    def run(*command: str) -> None:
        finished = subprocess.run(
            [*user, *command],
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=120,
        )
        if finished.returncode:
            raise OSError(finished.stderr.decode())

    data = f"{folder}/data"
    try:
        try:
            run(
                initdb,
                "-D",
                data,
                "-A",
                "trust",
                "-U",
                "frr",
                "-E",
                "UTF8",
                "--locale=C",
                "--no-sync",
            )
            run(
                control,
                "-D",
                data,
                "-w",
                "-l",
                f"{folder}/log",
                "-o",
                f"-k {folder} -c listen_addresses='' -c fsync=off",
                "start",
            )
        except OSError as error:
            pytest.skip(f"PostgreSQL does not start: {error}")
        try:
            yield folder
        finally:
            run(control, "-D", data, "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    pytest.importorskip("psycopg")
    with postgresql_server() as folder:
        yield folder


@pytest.fixture(params=NAMES)
def database(request) -> Iterator[Database]:
    """An empty one."""
    name = request.param
    if name == "sqlite":
        connection = sqlite3.connect(":memory:", isolation_level=None)
    elif name == "duckdb":
        connection = pytest.importorskip("duckdb").connect()
    else:
        folder = request.getfixturevalue("server")
        connection = __import__("psycopg").connect(
            host=folder, user="frr", dbname="postgres", autocommit=True
        )
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    with contextlib.closing(connection):
        yield Database(name, connection)


def load(database: Database, case: Case, table: str = "data") -> None:
    """The rows of a case behind a number; some missing numbers as NaN, where there are such."""
    kinds = {
        name: "number" if feature["type"] == "numeric" else "text"
        for name, feature in case.inputs.items()
    }
    rows = [(i, *(row[name] for name in kinds)) for i, row in enumerate(case.rows)]
    database.create(table, {"#": "id", **kinds}, rows)
    numbers = [quoted(name) for name, kind in kinds.items() if kind == "number"]
    if numbers and database.name != "sqlite":
        nan = ", ".join(f"{name} = COALESCE({name}, 'NaN')" for name in numbers)
        database.run(f'UPDATE {table} SET {nan} WHERE "#" % 2 = 0')


def decisions(database: Database, sql: str) -> list[Decision]:
    return [Decision(row[-3], row[-1], row[-2]) for row in sorted(database.fetch(sql))]


def agree(got: list[Decision], case: Case) -> int:
    """Fails at the first row that is decided otherwise; else gives the number of rows."""
    for one, other, row in zip(got, case.expected, case.rows, strict=True):
        assert (one.name, one.rule) == (other.name, other.rule), (case.name, row)
        if not math.isnan(other.probability):
            assert abs(one.probability - other.probability) <= 1e-12, (case.name, row)
    return len(got)


def check(database: Database, cases: list[Case]) -> int:
    count = 0
    for case in cases:
        load(database, case)
        sql = export(case.path, "sql", "--dialect", database.name).decode()
        count += agree(decisions(database, sql), case)
    print(f"{database.name}: {count} rows of {len(cases)} models")
    return count


# ---- The same decisions --------------------------------------------------------------------------


def test_built_in_models(database, built_in):
    assert check(database, built_in) > 1000


def test_benchmark_models(database, benchmark):
    assert check(database, benchmark) > 1000


def test_models_full_of_ties(database, tmp_path):
    check(database, random_cases(tmp_path, 16, rows=50))


def tiny_case(folder: Path, tnorm: str, weights: tuple[float, ...]) -> Case:
    """Corners at 0 and values beside it: products and quotients underflow, odds overflow."""
    names = ("a", "b", "c", "d")
    features = {
        name: {
            "type": "numeric",
            "labels": {"low": [None, None, -width, 0], "high": [0, width, None, None]},
        }
        for name, width in zip(names, (1, 0.3, 100, 7), strict=True)
    }
    rules = [
        {"if": dict.fromkeys(chosen, label), "then": label, "weight": weight}
        for count in (4, 3, 2, 1)
        for chosen in itertools.combinations(names, count)
        for label, weight in zip(("high", "low"), weights, strict=True)
    ]
    model = model_of(features, rules, ["low", "high", "none"], tnorm)
    case = Case(f"tiny_{tnorm}", write(model, folder), [], [])
    values = [
        5e-324,
        1e-323,
        2e-322,
        1e-310,
        2.3e-308,
        6e-309,
        1e-291,
        1e-200,
        1e-160,
        1e-100,
        0.2,
        50.0,
        0.0,
    ]
    chance = random.Random(tnorm)
    case.rows = [
        {name: chance.choice((-1, 1)) * chance.choice(values) for name in names} for _ in range(400)
    ]
    case.expected = expected_of(case.path, model, case.rows, folder)
    return case


@pytest.mark.parametrize("tnorm", TNORMS)
def test_what_is_too_small_for_a_double_is_zero_and_no_error(database, tmp_path, tnorm):
    cases = [
        tiny_case(tmp_path / str(i), tnorm, weights)
        for i, weights in enumerate([(1, 1), (0.3, 0.7), (1e-300, 4e-320)])
    ]
    if tnorm in ("product", "hamacher"):
        assert len({decision.rule for case in cases for decision in case.expected}) > 3
        assert any(decision.rule == 0 for case in cases for decision in case.expected)
    check(database, cases)


def test_what_is_too_large_for_a_double_is_no_error(database, tmp_path):
    labels = {"low": [None, None, -9e307, 8e307], "high": [-9e307, 8e307, 1e308, 1.7e308]}
    odd = {"low": [None, None, 0.1, 0.1 + 0.2], "high": [0.1, 0.1 + 0.2, 1e22 / 3, 1e23]}
    small = {"low": [None, None, -5e-324, 1e-320], "high": [-5e-324, 1e-320, 1e-310, 1e-300]}
    features = {
        name: {"type": "numeric", "labels": own}
        for name, own in (("a", labels), ("b", odd), ("c", small))
    }
    rules = [
        {"if": {name: label}, "then": label, "weight": 1 - 0.1 / (i + 1)}
        for i, (name, label) in enumerate(itertools.product(features, ("low", "high")))
    ]
    model = model_of(features, rules, ["low", "high"])
    case = Case("wide", write(model, tmp_path), [], [])
    values = [
        v for own in (labels, odd, small) for shape in own.values() for v in shape if v is not None
    ]
    values += [math.nextafter(v, to) for v in values for to in (-math.inf, math.inf)]
    values += [1.7976931348623157e308, -1.7976931348623157e308, math.inf, -math.inf, 1e-315, 0.15]
    case.rows = [{"a": v, "b": None, "c": None} for v in values]
    case.rows += [{"a": None, "b": v, "c": None} for v in values]
    case.rows += [{"a": None, "b": None, "c": v} for v in values]
    case.expected = expected_of(case.path, model, case.rows, tmp_path)
    check(database, [case])


def test_borders_are_the_same_doubles(database, tmp_path):
    """Decimals of 17 digits, among them such that SQLite misreads."""
    memory = sqlite3.connect(":memory:")
    chance = random.Random(1)
    some = [chance.random() * 10 ** chance.randrange(-3, 4) for _ in range(60000)]
    misread = [v for v in some if memory.execute(f"SELECT {v!r}").fetchone() != (v,)]
    borders = sorted(
        {
            *misread,
            *some[:60],
            *(round(v, 1 + i % 9) for i, v in enumerate(some[60:120])),
            5e-324,
            1e-310,
            2.3e-308,
            1e-20,
            1e15,
            2.0**53 + 2,
            1e17 / 3,
            1e22,
            1e23,
            1.7976931348623157e308,
        }
    )
    borders = [-v for v in reversed(borders)] + borders
    labels = {f"l{i}": [v, v, w, w] for i, (v, w) in enumerate(itertools.pairwise(borders))}
    rules = [
        {"if": {"x": label}, "then": "yn"[i % 2], "weight": 1} for i, label in enumerate(labels)
    ]
    model = model_of({"x": {"type": "numeric", "labels": labels}}, rules, ["y", "n"])
    case = Case("borders", write(model, tmp_path), [], [])
    case.rows = [
        {"x": v} for border in borders for v in (border, math.nextafter(border, -math.inf))
    ]
    case.rows = [row for row in case.rows if math.isfinite(row["x"])]
    case.expected = expected_of(case.path, model, case.rows, tmp_path)
    check(database, [case])


@pytest.mark.parametrize("count", [0, 1, 2, 300])
def test_any_number_of_rules(database, tmp_path, count):
    features = {
        f"f{i}": {"type": "numeric", "labels": {"high": [i, i + 0.7, None, None]}}
        for i in range(max(1, count))
    }
    rules = [{"if": {f"f{i}": "high"}, "then": "yn"[i % 2], "weight": 1} for i in range(count)]
    model = model_of(features, rules, ["y", "n"])
    case = Case("many", write(model, tmp_path), [], [])
    chance = random.Random(count)
    case.rows = [{f"f{i}": chance.random() * 1000 for i in range(count)} for _ in range(5)]
    case.expected = expected_of(case.path, model, case.rows, tmp_path)
    check(database, [case])


# ---- Tables as they are --------------------------------------------------------------------------


def size_model(folder: Path, **more: dict) -> Path:
    features = {
        "size": {"type": "numeric", "labels": {"big": [1, 2, None, None]}, "missing": "unknown"},
        "kind": {"type": "categorical", "categories": ["one", "1", "true"]},
        **more,
    }
    rules = [
        {"if": {"size": "big"}, "then": "big", "weight": 1},
        {"if": {"size": "unknown"}, "then": "unknown", "weight": 0.5},
        *({"if": {"kind": kind}, "then": kind, "weight": 0.25} for kind in ("one", "1", "true")),
    ]
    return write(model_of(features, rules, ["big", "unknown", "one", "1", "true", "other"]), folder)


def test_all_columns_come_first_and_names_do_not_collide(database, tmp_path):
    more = {
        name: {"type": "numeric", "labels": {"any": [None, None, None, None]}}
        for name in ("Prediction", "rule", "rule_")
    }
    model = size_model(tmp_path, **more)
    columns = {
        "#": "id",
        "rule": "text",
        "kind": "text",
        "d1": "number",
        "size": "number",
        "x": "text",
        "w": "text",
        "value": "text",
        "t": "text",
        "Prediction": "text",
    }
    database.create("data", columns, [(1, "r", "one", 3.0, 1.5, "x", "w", "v", "t", "p")])
    result = database.run(export(model, "sql", "--dialect", database.name).decode())
    assert [entry[0] for entry in result.description] == [
        *columns,
        "prediction_",
        "probability",
        "rule__",
    ]
    [row] = result.fetchall()
    assert row[:10] == (1, "r", "one", 3.0, 1.5, "x", "w", "v", "t", "p")
    assert (row[10], row[12]) == ("big", 1)


def test_numbers_and_categories_of_other_types(database, tmp_path):
    model = size_model(tmp_path)
    sql = export(model, "sql", "--dialect", database.name).decode()
    kinds = {
        "sqlite": [("INTEGER", "INTEGER")],
        "duckdb": [("DECIMAL(9,2)", "BIGINT"), ("FLOAT", "UTINYINT")],
        "postgresql": [("numeric", "bigint"), ("real", "smallint")],
    }[database.name]
    for number, text in kinds:
        database.run("DROP TABLE IF EXISTS data")
        database.run(f"CREATE TABLE data (id INTEGER, size {number}, kind {text})")
        database.run("INSERT INTO data VALUES (0, 0, 1), (1, 2, 1), (2, NULL, 7), (3, 0, 7)")
        assert [d.name for d in decisions(database, sql)] == ["1", "big", "unknown", "other"]
    database.run("DROP TABLE data")
    database.run("CREATE TABLE data (id INTEGER, size INTEGER, kind BOOLEAN)")
    database.run("INSERT INTO data VALUES (0, 0, true), (1, 0, false), (2, 0, NULL)")
    true = "1" if database.name == "sqlite" else "true"  # it has no booleans
    assert [d.name for d in decisions(database, sql)] == [true, "other", "other"]


def test_numbers_kept_as_text(database, tmp_path):
    """As .import of SQLite leaves them; there a text that is no number is missing, not 0."""
    sql = export(size_model(tmp_path), "sql", "--dialect", database.name).decode()
    database.create(
        "data",
        {"id": "id", "size": "text", "kind": "text"},
        [
            (0, "1.5", None),
            (1, "-3", "one"),
            (2, "1e999" if database.name == "sqlite" else "inf", None),
        ],
    )
    assert [d.name for d in decisions(database, sql)] == ["big", "one", "big"]
    database.create(
        "data", {"id": "id", "size": "text", "kind": "text"}, [(0, "?", "one"), (1, "", None)]
    )
    if database.name == "sqlite":
        assert [d.name for d in decisions(database, sql)] == ["unknown", "unknown"]
    else:
        with pytest.raises(Exception, match=r"(?i)convert|invalid input"):
            database.fetch(sql)


def test_categories_differ_in_case_whatever_the_collation(database, tmp_path):
    sql = export(size_model(tmp_path), "sql", "--dialect", database.name).decode()
    collation = "NOCASE"
    if database.name == "postgresql":
        collation = "nocase"
        try:
            database.run(
                "CREATE COLLATION nocase (provider = icu, "
                "locale = 'und-u-ks-level2', deterministic = false)"
            )
        except Exception as error:
            pytest.skip(f"no collation that ignores case: {error}")
    database.create(
        "data",
        {"id": "id", "size": "number", "kind": f"TEXT COLLATE {collation}"},
        [(0, 0.0, None)],
    )
    database.run("INSERT INTO data VALUES (1, 0, 'one'), (2, 0, 'One')")
    assert len(database.fetch("SELECT * FROM data WHERE kind = 'ONE'")) == 2
    assert [d.name for d in decisions(database, sql)] == ["other", "one", "other"]


def test_schemas_and_views(database, tmp_path):
    model = size_model(tmp_path)
    schema = {"sqlite": "main", "duckdb": "Own", "postgresql": "Own"}[database.name]
    if schema != "main":
        database.run(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')
        database.run(f'CREATE SCHEMA "{schema}"')
    for option, table in (
        (f"{schema}.Cases", f'"{schema}"."Cases"'),
        (f'{schema}."a.""b"', f'"{schema}"."a.""b"'),
        ('"c.d"', '"c.d"'),
        ('e"f', '"e""f"'),
    ):
        database.create(
            table, {"id": "id", "size": "number", "kind": "text"}, [(0, 5.0, None), (1, 0.0, None)]
        )
        for view, name in ((f"{schema}.Seen", f'"{schema}"."Seen"'), ('"x.y"', '"x.y"')):
            sql = export(
                model, "sql", "--dialect", database.name, "--table", option, "--view", view
            ).decode()
            assert sql.rstrip().endswith(";")
            database.script(sql)
            assert [d.name for d in decisions(database, f"SELECT * FROM {name}")] == [
                "big",
                "other",
            ]
            [found] = database.fetch(f"SELECT * FROM {name} WHERE id = 1")
            assert found[3] == "other"
            database.run(f"DROP VIEW {name}")


# ---- Hostile names -------------------------------------------------------------------------------

HOSTILE = (
    "'; DROP TABLE victims; --",
    '"; DROP TABLE victims; --',
    "\\'; DROP TABLE victims; --",
    "*/ DROP TABLE victims; /*",
    "/*",
    "\n; DROP TABLE victims;\n",
    "\r; DROP TABLE victims; --",
    "')); DROP TABLE victims; --",
    "$$; DROP TABLE victims; $$",
    "\\",
    "''",
    '""',
    "'",
    '"',
    ";",
    "--",
    "select",
    "ORDER",
    "Table",
    "null",
    "%s",
    "%(x)s",
    "$1",
    ":x",
    "?",
    "{}",
    "\t",
    " ",
    " blanks ",
    "\N{SNOWMAN} \N{GREEK SMALL LETTER MU}\U0001f600",
    "\N{LINE SEPARATOR}; DROP TABLE victims;",
    "\u00c4",
    "\u00e4",
    "a.b",
    "*",
    "t.*",
    "t",
    "x",
    "d",
    "s",
    "b",
    "w",
    "p",
    "x1",
    "d1",
    "s1",
    "best",
    "rule",
    "value",
    "prediction",
    "probability",
    "rowid",
)
LONG = tuple(f"{letter}{'y' * 299}" for letter in "ab")


def hostile_case(folder: Path, names: tuple[str, ...]) -> Case:
    """Each name is that of a column, of a label, of a category and of a class."""
    features: dict[str, dict] = {
        name: {"type": "categorical", "categories": list(names)}
        if i % 2
        else {"type": "numeric", "labels": {name: [0, 1, 2, 3]}}
        for i, name in enumerate(names)
    }
    rules = [{"if": {name: name}, "then": name, "weight": 1} for name in names]
    model = model_of(
        features, rules, [*names, "other"], target="'; DROP TABLE victims; -- \n target"
    )
    case = Case("hostile", write(model, folder), [], [])
    nothing = dict.fromkeys(features)
    case.rows = [
        nothing,
        *({**nothing, name: name if i % 2 else 1.5} for i, name in enumerate(names)),
    ]
    case.expected = [
        Decision("other", 0, math.nan),
        *(Decision(name, i, math.nan) for i, name in enumerate(names, 1)),
    ]
    return case


def test_no_name_leads_out_of_its_quotes(database, tmp_path):
    case = hostile_case(tmp_path, HOSTILE if database.name == "postgresql" else HOSTILE + LONG)
    database.script("CREATE TABLE victims (x INTEGER); INSERT INTO victims VALUES (7)")
    if database.name == "postgresql":  # or else a backslash could hide the end of a text
        database.run("SET standard_conforming_strings = off")
        database.run("SET escape_string_warning = off")
    for name in HOSTILE[:12]:
        load(database, case, quoted(name))
        view = "view " + name
        sql = export(
            case.path,
            "sql",
            "--dialect",
            database.name,
            "--table",
            quoted(name),
            "--view",
            quoted(view),
        ).decode()
        database.script(sql)
        assert agree(decisions(database, f"SELECT * FROM {quoted(view)}"), case) == len(case.rows)
        assert database.fetch("SELECT x FROM victims") == [(7,)]
        database.run(f"DROP VIEW {quoted(view)}")
        database.run(f"DROP TABLE {quoted(name)}")


def test_a_column_that_is_not_there_is_an_error(database, tmp_path):
    """SQLite takes a name in double quotes for a text where there is no such column."""
    database.create("data", {"id": "id", "size": "number"}, [(0, 1.0)])
    with pytest.raises(Exception, match="kind"):
        database.fetch(export(size_model(tmp_path), "sql", "--dialect", database.name).decode())


# ---- What is refused -----------------------------------------------------------------------------


def refused(status: int, model: Path, *options: str) -> str:
    finished = frr("export", model, "--to", "sql", *options, check=False)
    assert finished.returncode == status, finished.stderr
    assert finished.stdout == b""
    return finished.stderr.decode()


def test_names_that_a_database_cannot_hold_are_refused(tmp_path):
    long = hostile_case(tmp_path / "long", LONG).path
    assert "63 bytes" in refused(1, long, "--dialect", "postgresql")
    same = hostile_case(tmp_path / "same", ("Size", "size")).path
    for dialect in ("sqlite", "duckdb"):
        message = refused(1, same, "--dialect", dialect)
        assert all(word in message for word in ("'Size'", "'size'", "postgresql"))
    assert frr("export", same, "--to", "sql", "--dialect", "postgresql").stdout
    nul = hostile_case(tmp_path / "nul", ("nul\0", "other one")).path
    for dialect in NAMES:
        assert "NUL" in refused(1, nul, "--dialect", dialect)


def test_models_that_are_too_large_are_refused(tmp_path):
    features = {
        f"f{i}": {"type": "numeric", "labels": {"high": [i, i + 1, None, None]}}
        for i in range(2000)
    }
    rules = [{"if": {name: "high"}, "then": "y", "weight": 1} for name in features]
    model = write(model_of(features, rules, ["y", "n"]), tmp_path)
    for dialect in ("sqlite", "postgresql"):
        assert "duckdb" in refused(1, model, "--dialect", dialect)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--dialect", "oracle"), "duckdb"),
        (("--table", "a..b"), "empty"),
        (("--table", "a."), "empty"),
        (("--table", ".a"), "empty"),
        (("--table", '"a'), "partner"),
        (("--view", '"a"b'), "point"),
        (("--view", '""'), "empty"),
        (("--dialect", "postgresql", "--table", "x" * 64), "63"),
    ],
)
def test_options_that_make_no_sense_are_refused(tmp_path, options, word):
    assert word in refused(2, size_model(tmp_path), *options)


# ---- Cost ----------------------------------------------------------------------------------------


def by_hand(case: Case) -> str:
    """What somebody would write who knows the rules and that no number is a NaN."""
    degrees: dict[tuple[str, str], str] = {}
    strengths = []
    for rule in case.model["rules"]:
        used = [degrees.setdefault(pair, f"d{len(degrees)}") for pair in rule["if"].items()]
        strengths.append(" * ".join([*used, number(rule["weight"])]))

    def choice(results: list[str]) -> str:
        whens = (f"WHEN {i} THEN {own}" for i, own in enumerate(results))
        return f"CASE rule {' '.join(whens)} END"

    def listed(texts: Iterable[str]) -> str:
        return ", ".join(texts)

    known = {decision.rule: decision for decision in case.expected}
    outcomes = [known.get(i, Decision("?", i, 0.0)) for i in range(len(strengths) + 1)]
    rules = range(1, len(strengths) + 1)
    d = listed(f"{degree_by_hand(case, *pair)} AS {own}" for pair, own in degrees.items())
    s = listed(f"{own} AS s{i}" for i, own in enumerate(strengths, 1))
    return f"""
        WITH degrees AS (SELECT *, {d} FROM data),
        strengths AS (SELECT *, {s} FROM degrees),
        largest AS (SELECT *, GREATEST({listed(f"s{i}" for i in rules)}) AS best FROM strengths),
        decided AS (SELECT *, CASE WHEN best <= 0 THEN 0
            {" ".join(f"WHEN s{i} = best THEN {i}" for i in rules)} END AS rule FROM largest)
        SELECT "#", {listed(map(quoted, case.inputs))},
            {choice([f"'{o.name}'" for o in outcomes])} AS prediction,
            {choice([number(o.probability) for o in outcomes])} AS probability, rule FROM decided"""


def number(value: float) -> str:
    return repr(value) if "e" in repr(value) else f"{value!r}e0"


def degree_by_hand(case: Case, name: str, label: str) -> str:
    feature, x = case.inputs[name], quoted(name)
    if label == feature.get("missing"):
        return f"CASE WHEN {x} IS NULL THEN 1e0 ELSE 0e0 END"
    if feature["type"] == "categorical":
        return f"CASE WHEN {x} = '{label.replace(chr(39), chr(39) * 2)}' THEN 1e0 ELSE 0e0 END"
    a, b, c, d = (v if v is None else number(v) for v in feature["labels"][label])
    text = "CASE"
    if a is not None:
        text += f" WHEN {x} < {a} THEN 0e0"
        text += f" WHEN {x} < {b} THEN ({x} - {a}) / ({b} - {a})" if a != b else ""
    if d is not None:
        text += f" WHEN {x} >= {d} THEN 0e0"
        text += f" WHEN {x} > {c} THEN ({d} - {x}) / ({d} - {c})" if c != d else ""
    return text + f" WHEN {x} IS NULL THEN 0e0 ELSE 1e0 END"


@pytest.mark.parametrize("name", ["breast_cancer", "loans", "missing"])
def test_a_million_rows_cost_little_more_than_by_hand(built_in, name):
    duckdb = pytest.importorskip("duckdb")
    case = next(case for case in built_in if case.name == name)
    count = 1_000_000
    with contextlib.closing(duckdb.connect()) as connection:
        database = Database("duckdb", connection)
        load(database, case, "few")
        numbers = [
            quoted(own) for own, feature in case.inputs.items() if feature["type"] == "numeric"
        ]
        no_nan = ", ".join(f"{own} = CASE WHEN NOT isnan({own}) THEN {own} END" for own in numbers)
        database.run(f"UPDATE few SET {no_nan}")
        times = f"range(1 + {count} // (SELECT count(*) FROM few))"
        database.run(f"CREATE TABLE data AS SELECT few.* FROM {times}, few LIMIT {count}")
        ours = export(case.path, "sql", "--dialect", "duckdb").decode().rstrip().rstrip(";")

        def measure(sql: str) -> tuple[float, float, list[tuple]]:
            """Seconds for the classes alone, and with all columns into a table."""
            start = time.perf_counter()
            result = database.fetch(f"""SELECT rule, prediction, count(*), max(probability)
                                        FROM ({sql}) GROUP BY ALL ORDER BY ALL""")
            middle = time.perf_counter()
            database.run(f"CREATE OR REPLACE TEMP TABLE result AS {sql}")
            return middle - start, time.perf_counter() - middle, result

        both = [(measure(ours), measure(by_hand(case))) for _ in range(3)]
    assert both[0][0][2] == both[0][1][2]
    for i, what in enumerate(("classes", "table")):
        own, hand = (min(pair[side][i] for pair in both) for side in (0, 1))
        print(f"{name}, {what}: {own:.3f} s, by hand {hand:.3f} s, ratio {own / hand:.2f}")
        assert own < 2 * hand
