"""PMML: the document conforms to the schema, and the JPMML evaluator decides with it as the program does.

One Java machine serves all tests.
"""

import contextlib
import faulthandler
import math
import shutil
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cases import Case, export, frr
from odd_models import (
    CONTROL_NAMES,
    HOSTILE_NAMES,
    hostile_case,
    largest_model,
    model_of,
    random_cases,
    write,
)
from sources import additive_cases, named_case

pandas = pytest.importorskip("pandas")
jpmml_evaluator = pytest.importorskip(
    "jpmml_evaluator",
    reason="jpmml-evaluator is not installed: pip install -r tests/requirements.txt",
)
if shutil.which("java") is None:
    pytest.skip(
        "java is not installed: apt-get install default-jre-headless", allow_module_level=True
    )

KINDS = ((), ("--rule-set",))
NAMESPACE = "{http://www.dmg.org/PMML-4_4}"


class Java:
    """The evaluator, and the schema that comes with it."""

    def __init__(self, folder: Path):
        from jpmml_evaluator.jpype import JPypeBackend

        # Java uses the signal for invalid addresses internally.
        faulthandler.disable()
        self.backend = JPypeBackend()
        from jpype import JClass

        library = next(
            (Path(jpmml_evaluator.__file__).parent / "dependencies").glob("pmml-model-[0-9]*.jar")
        )
        schema = zipfile.ZipFile(library).extract("pmml.xsd", folder)
        self._source = JClass("javax.xml.transform.stream.StreamSource")
        self._bytes = JClass("java.io.ByteArrayInputStream")
        factory = JClass("javax.xml.validation.SchemaFactory").newInstance(
            "http://www.w3.org/2001/XMLSchema"
        )
        self._schema = factory.newSchema(self._source(JClass("java.io.File")(schema)))

    def evaluator(self, content: bytes):
        ElementTree.fromstring(content)
        self._schema.newValidator().validate(self._source(self._bytes(content)))
        return jpmml_evaluator.make_evaluator(content, backend=self.backend)


@pytest.fixture(scope="module")
def java(tmp_path_factory) -> Java:
    return Java(tmp_path_factory.mktemp("schema"))


def compare(java: Java, case: Case, kind: tuple[str, ...]) -> int:
    rows, expected = case.rows, case.expected
    content = export(case.path, "pmml", *kind)
    evaluator = java.evaluator(content)
    # An output gets another name if a column has its name.
    own_name = {name.rstrip("_"): name for name in field_names(content)[1]}
    if not case.inputs:  # a table without columns has no rows
        rows, expected = [{}], expected[:1]
        actual = pandas.DataFrame([evaluator.evaluate({})])
    else:
        actual = evaluator.evaluateAll(
            pandas.DataFrame(rows, columns=list(case.inputs), dtype=object)
        )
    assert "errors" not in actual, actual["errors"].dropna().iloc[0]
    outputs = [actual[own_name[name]] for name in ("class", "rule", "probability", *case.more)]
    for row, decision, *got in zip(rows, expected, *outputs, strict=True):
        assert case.decision(*got).result == decision.result, (case.name, row)
    assert list(actual[case.model["target"]]) == list(actual[own_name["class"]])
    for own, decision in zip(actual[own_name["probability"]], expected, strict=True):
        # NaN: the program gives no probability for a rule that decides only at an infinity.
        assert abs(own - decision.probability) <= 1e-12 or math.isnan(decision.probability), (
            case.name
        )
    if not kind:
        all_classes = actual[[own_name[f"probability({name})".rstrip("_")] for name in case.model["classes"]]]
        assert ((all_classes.sum(axis=1) - 1).abs() <= 1e-12).all()
        if "decisions" not in case.model:
            assert (all_classes.max(axis=1) == actual["probability"]).all()
    return len(rows)


@pytest.mark.parametrize("kind", KINDS, ids=["tree", "rule-set"])
def test_built_in_sets_are_decided_as_by_the_program(java, built_in, kind):
    assert sum(compare(java, case, kind) for case in built_in) > 5000


@pytest.mark.parametrize("kind", KINDS, ids=["tree", "rule-set"])
def test_benchmark_sets_are_decided_as_by_the_program(java, benchmark, kind):
    rows = sum(compare(java, case, kind) for case in benchmark)
    print(f"{rows} rows of the benchmark sets")
    assert rows > 50000


@pytest.mark.parametrize("kind", KINDS, ids=["tree", "rule-set"])
def test_random_models_are_decided_as_by_the_program(java, tmp_path, kind):
    for case in random_cases(tmp_path, 24, rows=100):
        compare(java, case, kind)


@pytest.mark.parametrize("kind", KINDS, ids=["tree", "rule-set"])
def test_additive_models_and_policies(java, tmp_path, kind):
    cases = [*additive_cases(tmp_path), named_case(tmp_path)]
    assert sum(compare(java, case, kind) for case in cases) > 5000


def test_nan_is_missing(java, built_in):
    case = next(case for case in built_in if case.name == "missing")
    evaluator = java.evaluator(export(case.path, "pmml"))
    for row, decision in list(zip(case.rows, case.expected, strict=True))[:30]:
        given = {
            name: math.nan if value is None and case.inputs[name]["type"] == "numeric" else value
            for name, value in row.items()
        }
        actual = evaluator.evaluate(given, nan_as_missing=False)
        assert (actual["class"], int(actual["rule"])) == (decision.name, decision.rule)


def field_names(content: bytes) -> tuple[list[str], list[str]]:
    """Of the inputs and of the outputs."""
    document = ElementTree.fromstring(content)
    inputs = [field.get("name") for field in document.iter(f"{NAMESPACE}DataField")][:-1]
    return inputs, [field.get("name") for field in document.iter(f"{NAMESPACE}OutputField")]


@pytest.mark.parametrize("kind", KINDS, ids=["tree", "rule-set"])
def test_hostile_names_are_unchanged(java, tmp_path, kind):
    case = hostile_case(tmp_path, HOSTILE_NAMES, HOSTILE_NAMES)
    content = export(case.path, "pmml", *kind)
    inputs, outputs = field_names(content)
    assert inputs == list(case.inputs)
    predicted, rule = outputs[0], outputs[-1]
    assert (predicted.rstrip("_"), rule.rstrip("_")) == ("class", "rule")
    evaluator = java.evaluator(content)
    for row, decision in zip(case.rows, case.expected, strict=True):
        actual = evaluator.evaluate(dict(row))
        assert (actual[predicted], int(actual[rule])) == (decision.name, decision.rule)


def test_control_characters_become_pictures_with_a_note(java, tmp_path):
    case = hostile_case(tmp_path, CONTROL_NAMES)
    content = export(case.path, "pmml")
    inputs, _outputs = field_names(content)
    assert inputs == [
        "\N{SYMBOL FOR START OF HEADING}bell\N{SYMBOL FOR BELL}",
        "\N{SYMBOL FOR UNIT SEPARATOR}",
        "nul\N{SYMBOL FOR NULL}",
        "\N{SYMBOL FOR START OF HEADING}bell\N{SYMBOL FOR BELL}_",
        "\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}",
    ]
    originals = [
        note.get("value")
        for note in ElementTree.fromstring(content).iter(f"{NAMESPACE}Extension")
        if note.get("name") == "original"
    ]
    assert originals[0] == '"\\u0001bell\\u0007"'
    assert len(originals) == 2 * len(CONTROL_NAMES)  # of columns and of classes
    evaluator = java.evaluator(content)
    for row, decision in zip(case.rows, case.expected, strict=True):
        actual = evaluator.evaluate(dict(zip(inputs, row.values(), strict=True)))
        assert int(actual["rule"]) == decision.rule
        assert actual["class"] == (inputs[decision.rule - 1] if decision.rule else "other")


def test_a_category_that_xml_cannot_hold_is_refused(tmp_path):
    case = hostile_case(tmp_path, ("a",), ("bell\x07",))
    finished = frr("export", case.path, "--to", "pmml", check=False)
    assert finished.returncode == 1
    assert b'"bell\\u0007"' in finished.stderr
    assert b"give the category another name" in finished.stderr


@pytest.mark.parametrize("kind", KINDS, ids=["tree", "rule-set"])
def test_a_model_without_rules_predicts_else(java, tmp_path, kind):
    path = write(
        model_of({"x": {"type": "numeric", "labels": {"low": [None, None, 1, 2]}}}, [], ["a", "b"]),
        tmp_path,
    )
    actual = java.evaluator(export(path, "pmml", *kind)).evaluate({})
    assert (actual["class"], actual["rule"]) == ("b", "0")


@pytest.mark.parametrize("kind", KINDS, ids=["tree", "rule-set"])
def test_files_are_small(tmp_path, request, kind):
    sizes = [len(export(write(largest_model(), tmp_path), "pmml", *kind))]
    with contextlib.suppress(pytest.skip.Exception):
        sizes += [
            len(export(case.path, "pmml", *kind))
            for case in request.getfixturevalue("benchmark")
            if len(case.model["rules"]) == 15
        ]
    print(f"sizes of models with 15 rules: {min(sizes)} to {max(sizes)} bytes")
    assert max(sizes) < 100_000
