"""No exported text contains an invisible character that changes what a reader sees."""

import importlib.util
import json
from pathlib import Path

import pytest
from cases import export, frr
from databases import decisions

MARKS = ("\x1b[31m", "\x07", "\x7f", "\u009b2J", "\u0085", "\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a",
         "\u202e", "\u2066", "\u2069")
# Databases hold these in names, and SQL can quote them there; in a literal they are escaped.
BLANKS = ("\t", "\n", "\r")
TEXTS = tuple(f"a{mark}b" for mark in (*MARKS, *BLANKS))
XML_TEXTS = tuple(text for text in TEXTS if text[1] >= " ")
TEXT_FORMATS = [("c",), ("python",), ("javascript",), ("pmml",), ("pmml", "--rule-set"), ("markdown",), ("latex",),
                ("html",)]
DIALECTS = ("duckdb", "postgresql", "spark", "sqlite")


def is_hidden(letter: str) -> bool:
    code = ord(letter)
    return (code < 32 and letter != "\n") or 0x7F <= code < 0xA0 or code in (0x61C, 0x200E, 0x200F) \
        or 0x2028 <= code <= 0x202E or 0x2066 <= code <= 0x2069


def hidden_in(text: str) -> set[str]:
    return set(filter(is_hidden, text))


def write_model(folder: Path, columns: tuple[str, ...], texts: tuple[str, ...]) -> Path:
    """The first column holds texts, each of which decides for the class of the same name; the others hold numbers."""
    features = {columns[0]: {"type": "categorical", "categories": list(texts), "missing": "no" + texts[-1]}}
    features |= {name: {"type": "numeric", "labels": {texts[0]: [0, 1, 2, 3]}} for name in columns[1:]}
    rules = [{"if": {columns[0]: text}, "then": text, "weight": 1} for text in texts]
    rules += [{"if": {name: texts[0]}, "then": "other", "weight": 0.5} for name in columns[1:]]
    model = {"format": "frr-model", "version": 1, "target": "t" + MARKS[0] + MARKS[-1], "classes": [*texts, "other"],
             "missing": ["gone" + MARKS[3]], "features": features, "rules": rules, "else": {"then": "other"},
             "inference": {"semantics": "sufficient", "tnorm": "product", "root": 1}}
    path = folder / f"model{MARKS[0]}{MARKS[-2]}.json"
    path.write_text(json.dumps(model), encoding="utf-8")
    return path


@pytest.mark.parametrize("form", TEXT_FORMATS, ids="".join)
def test_names_and_categories_are_escaped(tmp_path, form):
    texts = XML_TEXTS if form[0] == "pmml" else TEXTS
    path = write_model(tmp_path, tuple("x" + mark for mark in MARKS), texts)
    text = export(path, *form).decode()
    assert not hidden_in(text)
    assert "Made by FRR" in text or form[0] == "markdown"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_sql_escapes_categories_and_refuses_columns(tmp_path, dialect):
    path = write_model(tmp_path, ("kind", "size"), TEXTS)
    sql = export(path, "sql", "--dialect", dialect).decode()
    assert not hidden_in(sql) and "a\nb" not in sql
    for mark in MARKS:
        path = write_model(tmp_path, ("kind", "x" + mark), TEXTS)
        refused = frr("export", path, "--to", "sql", "--dialect", dialect, check=False)
        assert refused.returncode == 1 and refused.stdout == b""
        message = refused.stderr.decode()
        assert "a rule asks for 'x\\" in message and "Rename the column" in message
        assert not hidden_in(message)


@pytest.mark.parametrize("option", ["--table", "--name", "--prefix"])
def test_sql_refuses_them_in_its_options(tmp_path, option):
    path = write_model(tmp_path, ("kind", "size"), TEXTS)
    for mark in MARKS:
        refused = frr("export", path, "--to", "sql", "--as", "view", option, "a" + mark, check=False)
        assert refused.returncode == 2 and refused.stdout == b""
        assert b"control characters" in refused.stderr
        assert not hidden_in(refused.stderr.decode())


def given() -> list[str]:
    return [*TEXTS, "ab", "gone" + MARKS[3]]


def expected() -> list[str]:
    return [*TEXTS, "other", "other"]


def test_databases_compare_the_texts_themselves(database, tmp_path):
    path = write_model(tmp_path, ("kind", "size"), TEXTS)
    database.create("data", {"#": "id", "kind": "text", "size": "number"},
                    [(i, text, None) for i, text in enumerate(given())])
    sql = export(path, "sql", "--dialect", database.name).decode()
    assert [d.name for d in decisions(database, sql)] == expected()


def test_onnx_compares_the_texts_themselves(tmp_path):
    np, runtime = pytest.importorskip("numpy"), pytest.importorskip("onnxruntime")
    path = write_model(tmp_path, ("kind",), TEXTS)
    graph = runtime.InferenceSession(export(path, "onnx"), providers=["CPUExecutionProvider"])
    names, = graph.run(["class"], {"kind": np.array(given(), dtype=object).reshape(-1, 1)})
    assert names.tolist() == expected()


def test_python_compares_the_texts_themselves(tmp_path):
    (tmp_path / "decide_hidden.py").write_bytes(export(write_model(tmp_path, ("kind",), TEXTS), "python"))
    spec = importlib.util.spec_from_file_location("decide_hidden", tmp_path / "decide_hidden.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert [module.decide({"kind": text}).prediction for text in given()] == expected()


def test_pmml_compares_the_texts_themselves(tmp_path):
    pytest.importorskip("jpmml_evaluator")
    from test_pmml import Java  # noqa: PLC0415

    evaluator = Java(tmp_path).evaluator(export(write_model(tmp_path, ("kind",), XML_TEXTS), "pmml"))
    assert [evaluator.evaluate({"kind": text})["class"] for text in (*XML_TEXTS, "ab")] == [*XML_TEXTS, "other"]
