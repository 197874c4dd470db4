"""frr export --to sql: all kinds of tables and names, on real databases."""

import math
from pathlib import Path

import pytest
from cases import Case, Decision, export, frr
from databases import NAMES, agree, decisions, load, quoted
from odd_models import BOOLEANS, boolean_model, model_of, write

# ---- Kinds of tables -----------------------------------------------------------------------------


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


@pytest.mark.parametrize("spelled", BOOLEANS, ids="-".join)
def test_boolean_columns_become_the_texts_of_the_rules(database, tmp_path, spelled):
    """As in a DataFrame or a CSV file; SQLite stores 0 and 1."""
    no, yes = spelled
    sql = export(boolean_model(tmp_path, no, yes), "sql", "--dialect", database.name).decode()
    database.run("CREATE TABLE data (id INTEGER, smoker BOOLEAN)")
    database.run("INSERT INTO data VALUES (0, true), (1, false), (2, NULL)")
    assert [d.name for d in decisions(database, sql)] == ["ill", "well", "other"]
    # Texts are compared exactly.
    rows = [(0, yes), (1, no), (2, yes.swapcase()), (3, "1"), (4, "")]
    database.create("data", {"id": "id", "smoker": "text"}, rows)
    assert [d.name for d in decisions(database, sql)] == ["ill", "well", "other", "other", "other"]


def test_a_category_among_others_is_not_a_boolean(database, tmp_path):
    features = {"kind": {"type": "categorical", "categories": ["x", "y"]}}
    rules = [{"if": {"kind": "y"}, "then": "y", "weight": 1}]
    model = write(model_of(features, rules, ["y", "other"]), tmp_path)
    sql = export(model, "sql", "--dialect", database.name).decode()
    assert "typeof" not in sql
    database.run("CREATE TABLE data (id INTEGER, kind INTEGER)")
    database.run("INSERT INTO data VALUES (0, 1), (1, 0)")
    assert [d.name for d in decisions(database, sql)] == ["other", "other"]


def test_numbers_kept_as_text(database, tmp_path):
    """As .import of SQLite leaves them. Texts are numbers or mean missing values."""
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
    columns = {"id": "id", "size": "text", "kind": "text"}
    database.create("data", columns, [(0, "?", "one"), (1, "", None), (2, " N/A", None)])
    assert [d.name for d in decisions(database, sql)] == ["unknown", "unknown", "unknown"]
    database.create("data", columns, [(0, "much", "one")])
    if database.name == "sqlite":  # which reports no error: the text is missing, not 0
        assert [d.name for d in decisions(database, sql)] == ["unknown"]
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


def test_the_default_name_of_a_view_is_decisions(database, tmp_path):
    database.create("data", {"id": "id", "size": "number", "kind": "text"}, [(0, 5.0, None)])
    database.script(
        export(size_model(tmp_path), "sql", "--dialect", database.name, "--as", "view").decode()
    )
    assert [d.name for d in decisions(database, "SELECT * FROM decisions")] == ["big"]


def test_select_is_the_default(tmp_path):
    model = size_model(tmp_path)
    assert export(model, "sql") == export(model, "sql", "--as", "select")


# Every name that the statement uses for a layer, a column or a table.
OWN = ("t", "x", "d", "s", "b", "w", "p", "own", "original", "x1", "d1", "s1", "best", "value")


@pytest.mark.parametrize("name", [*OWN, "rule", "prediction", "data"])
def test_a_table_of_any_name(database, tmp_path, name):
    columns = {"id": "id", **dict.fromkeys(OWN, "text"), "size": "number", "kind": "text"}
    row = (0, *OWN, 5.0, None)
    database.create(quoted(name), columns, [row])
    schema = {"sqlite": "main", "duckdb": "main", "postgresql": "public"}[database.name]
    for table in (name, f"{schema}.{name}"):
        sql = export(
            size_model(tmp_path), "sql", "--dialect", database.name, "--table", table
        ).decode()
        [found] = database.fetch(sql)
        assert found[: len(row)] == row
        assert (found[-3], found[-1]) == ("big", 1)


def test_nested_columns(database, tmp_path):
    """t.size is the column of the table, not a field of this name in a column t."""
    if database.name == "sqlite":
        pytest.skip("it has no such columns")
    sql = export(size_model(tmp_path), "sql", "--dialect", database.name).decode()
    if database.name == "duckdb":
        kind, value = "STRUCT(size DOUBLE, kind VARCHAR, x1 DOUBLE)", "{size: 9, kind: 'one', x1: 9}"
    else:
        database.run("CREATE TYPE pair AS (size float8, kind text, x1 float8)")
        kind, value = "pair", "ROW(9, 'one', 9)"
    names = ("t", "x", "d", "w", "own", "original")
    database.run(
        f"CREATE TABLE data (id INTEGER, {', '.join(f'{name} {kind}' for name in names)}, "
        "size DOUBLE PRECISION, kind TEXT)"
    )
    database.run(f"INSERT INTO data VALUES (0, {', '.join([value] * len(names))}, 0, 'true')")
    [decision] = decisions(database, sql)
    assert (decision.name, decision.rule) == ("true", 5)


@pytest.mark.parametrize("own", ["prediction", "probability", "rule"])
@pytest.mark.parametrize("rules", [True, False], ids=["rules", "no rules"])
def test_no_column_of_the_table_is_confused_with_an_output(database, tmp_path, own, rules):
    """A table may hold older predictions, which the model does not know."""
    model = size_model(tmp_path)
    if not rules:
        features = {"size": {"type": "numeric", "labels": {"any": [None, None, None, None]}}}
        model = write(model_of(features, [], ["big", "small"]), tmp_path)
    columns = {"id": "id", "size": "number", "kind": "text", own: "text"}
    database.create("data", columns, [(0, 5.0, None, "old")])
    for form in ("select", "view"):
        sql = export(model, "sql", "--dialect", database.name, "--as", form).decode()
        assert "--prefix" in sql
        with pytest.raises(Exception, match=f"(?i)ambiguous.*{own}|{own}.*ambiguous"):
            database.script(sql)
            database.fetch("SELECT * FROM decisions")
        database.run("DROP VIEW IF EXISTS decisions")
    sql = export(
        model, "sql", "--dialect", database.name, "--as", "view", "--prefix", "new "
    ).decode()
    database.script(sql)
    result = database.run("SELECT * FROM decisions")
    assert [entry[0] for entry in result.description] == [
        *columns,
        "new prediction",
        "new probability",
        "new rule",
    ]
    [row] = result.fetchall()
    assert row[:4] == (0, 5.0, None, "old")
    assert (row[4], row[6]) == (("big", 1) if rules else ("small", 0))


def test_a_condition_on_the_view_reaches_an_index_of_the_table(database, tmp_path):
    database.create(
        "data",
        {"id": "id", "size": "number", "kind": "text"},
        [(i, i / 1000, "one") for i in range(3000)],
    )
    if database.name == "duckdb":
        pytest.skip("it needs no index for it")
    database.run("CREATE INDEX place ON data (id)")
    if database.name == "postgresql":
        database.run("ANALYZE data")
    sql = export(
        size_model(tmp_path), "sql", "--dialect", database.name, "--as", "view"
    ).decode()
    database.script(sql)
    explain = "EXPLAIN QUERY PLAN" if database.name == "sqlite" else "EXPLAIN"
    plan = database.fetch(f"{explain} SELECT * FROM decisions WHERE id = 7")
    assert "place" in " ".join(map(str, plan))


def test_truncated_names_are_complete_in_a_comment(tmp_path):
    sql = export(hostile_case(tmp_path, LONG).path, "sql", "--dialect", "postgresql").decode()
    for name in LONG:
        assert f"-- {name}, cut" in sql


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
                model,
                "sql",
                "--dialect",
                database.name,
                "--table",
                option,
                "--as",
                "view",
                "--name",
                view,
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
# PostgreSQL keeps 63 bytes of them; those of the last two would end inside a character.
LONG = (
    *(f"{letter}{'y' * 299}" for letter in "ab"),
    "c" + "\u00e4" * 299,
    "dd" + "\U0001f600" * 298,
)


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


def test_no_name_escapes_its_quotes(database, tmp_path):
    case = hostile_case(tmp_path, HOSTILE + LONG)
    database.script("CREATE TABLE victims (x INTEGER); INSERT INTO victims VALUES (7)")
    if database.name == "postgresql":  # otherwise a backslash could hide the end of a text
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
            "--as",
            "view",
            "--name",
            quoted(view),
            "--prefix",
            name,
        ).decode()
        database.script(sql)
        assert agree(decisions(database, f"SELECT * FROM {quoted(view)}"), case) == len(case.rows)
        assert database.fetch("SELECT x FROM victims") == [(7,)]
        database.run(f"DROP VIEW {quoted(view)}")
        database.run(f"DROP TABLE {quoted(name)}")


def test_an_absent_column_is_an_error(database, tmp_path):
    """SQLite reads a name in double quotes as a text if there is no such column."""
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
    long = hostile_case(tmp_path / "long", (LONG[0] + "1", LONG[0] + "2")).path
    message = refused(1, long, "--dialect", "postgresql")
    assert "63 bytes" in message
    assert "the same one" in message
    own = hostile_case(tmp_path / "own", ("size", "xmin")).path
    assert "'xmin'" in refused(1, own, "--dialect", "postgresql")
    assert frr("export", own, "--to", "sql", "--dialect", "sqlite").stdout
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
        (("--as", "view", "--name", '"a"b'), "point"),
        (("--as", "view", "--name", '""'), "empty"),
        (("--as", "table"), "select or view"),
        (("--name", "decided"), "--as view"),
        (("--as", "select", "--name", "decided"), "--as view"),
        (("--prefix", "x" * 60, "--dialect", "postgresql"), "63"),
        (("--dialect", "postgresql", "--table", "x" * 64), "63"),
    ],
)
def test_invalid_options_are_refused(tmp_path, options, word):
    assert word in refused(2, size_model(tmp_path), *options)
