"""SQLite, DuckDB and PostgreSQL, to run exported SQL in."""

import contextlib
import math
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cases import Case, Decision, export

NAMES = ("sqlite", "duckdb", "postgresql")


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


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
        """Runs all statements of a text, without a result."""
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
    """The server refuses to run as root."""
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
    """Starts a separate server; returns the directory of its socket."""
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
            timeout=600,
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
                "-t",
                "300",
                "-l",
                f"{folder}/log",
                "-o",
                # No port, and no background work that would wait for locks of the tests.
                f"-k {folder} -c listen_addresses='' -c fsync=off -c autovacuum=off",
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


def load(database: Database, case: Case, table: str = "data") -> None:
    """The rows of a case after their number; some missing numbers as NaN, if the database has it."""
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


def decisions(database: Database, sql: str, case: Case | None = None) -> list[Decision]:
    """The outputs of each row, in the order of the first column."""
    if case is None or not case.more:
        return [Decision(row[-3], row[-1], row[-2]) for row in sorted(database.fetch(sql))]
    found = []
    for row in sorted(database.fetch(sql)):
        name, probability, rule, *more = row[-3 - len(case.more) :]
        found.append(case.decision(name, rule, probability, *more))
    return found


def agree(got: list[Decision], case: Case) -> int:
    """Fails at the first row that is decided differently; otherwise returns the number of rows."""
    for one, other, row in zip(got, case.expected, case.rows, strict=True):
        assert one.result == other.result, (case.name, row)
        if not math.isnan(other.probability):
            assert abs(one.probability - other.probability) <= 1e-12, (case.name, row)
    return len(got)


def check(database: Database, cases: list[Case]) -> int:
    count = 0
    for case in cases:
        load(database, case)
        sql = export(case.path, "sql", "--dialect", database.name).decode()
        count += agree(decisions(database, sql, case), case)
    print(f"{database.name}: {count} rows of {len(cases)} models")
    return count
