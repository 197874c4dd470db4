"""Models that are trained once for all formats, and databases."""

import contextlib
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import cases  # noqa: E402
import databases  # noqa: E402


@pytest.fixture(scope="session")
def built_in(tmp_path_factory) -> list[cases.Case]:
    return cases.built_in(tmp_path_factory.mktemp("built-in"))


@pytest.fixture(scope="session")
def benchmark(tmp_path_factory) -> list[cases.Case]:
    if cases.DATASETS is None:
        pytest.skip("no benchmark datasets: set FRR_DATASETS to their directory")
    return cases.benchmark(tmp_path_factory.mktemp("benchmark"))


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    pytest.importorskip("psycopg")
    with databases.postgresql_server() as folder:
        yield folder


@pytest.fixture(params=databases.NAMES)
def database(request) -> Iterator[databases.Database]:
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
        yield databases.Database(name, connection)
