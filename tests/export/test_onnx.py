"""ONNX: the checker accepts the graph, and onnxruntime decides with it as the program does."""

import contextlib
import json

import pytest
from cases import Case, Row, decide, export, frr
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

np = pytest.importorskip("numpy")
onnx = pytest.importorskip(
    "onnx", reason="onnx is not installed: pip install -r tests/requirements.txt"
)
onnxruntime = pytest.importorskip(
    "onnxruntime", reason="onnxruntime is not installed: pip install -r tests/requirements.txt"
)


def columns(case: Case, rows: list[Row], dtype=np.float64, names=None) -> dict:
    """One array [N, 1] per feature; `names` are those in the graph, if they differ."""
    result = {}
    for name, own in zip(case.inputs, names or case.inputs, strict=True):
        values = [row[name] for row in rows]
        if case.inputs[name]["type"] == "numeric":
            with np.errstate(over="ignore"):
                array = np.array(
                    [np.nan if v is None else v for v in values], dtype=np.float64
                ).astype(dtype)
        else:
            array = np.array(["" if v is None else v for v in values], dtype=object)
        result[own] = array.reshape(-1, 1)
    return result


def session(content: bytes):
    return onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])


def checked(content: bytes):
    model = onnx.load_from_string(content)
    onnx.checker.check_model(model, full_check=True)
    return model


def compare(case: Case) -> int:
    content = export(case.path, "onnx")
    checked(content)
    outputs = ["class", "rule", "probability", "probabilities", *case.more]
    graph = session(content)
    # An output gets another name if a column has its name.
    own_name = {o.name.rstrip("_"): o.name for o in graph.get_outputs()}
    assert set(own_name) == set(outputs)
    names, rules, probability, probabilities, *more = graph.run(
        [own_name[name] for name in outputs], columns(case, case.rows)
    )
    for row, expected, *actual in zip(
        case.rows, case.expected, names, rules, probability, *more, strict=True
    ):
        assert case.decision(*actual).result == expected.result, (case.name, row)
    # NaN: the program gives no probability for a rule that decides only at an infinity.
    actual = np.array([d.probability for d in case.expected])
    assert np.all((np.abs(probability - actual) <= 1e-12) | np.isnan(actual)), case.name
    classes = case.model["classes"]
    own = probabilities[np.arange(len(names)), [classes.index(name) for name in names]]
    assert np.array_equal(own, probability)
    assert np.allclose(probabilities.sum(axis=1), 1, rtol=0, atol=1e-12)
    return len(case.rows)


def test_built_in_sets_are_decided_as_by_the_program(built_in):
    assert sum(map(compare, built_in)) > 5000


def test_benchmark_sets_are_decided_as_by_the_program(benchmark):
    assert sum(compare(case) for case in benchmark if case.inputs) > 50000


def test_random_models_are_decided_as_by_the_program(tmp_path):
    for case in random_cases(tmp_path, 40):
        compare(case)


def test_additive_models_and_policies(tmp_path):
    cases = [*additive_cases(tmp_path), named_case(tmp_path)]
    assert sum(compare(case) for case in cases if case.inputs) > 5000


def test_float32_decides_as_the_program_on_numbers_rounded_to_32_bits(built_in):
    rows = differences = 0
    for case in built_in:
        content = export(case.path, "onnx", "--float32")
        assert "after rounding to 32 bits" in checked(content).doc_string
        graph = session(content)
        assert {i.type for i in graph.get_inputs()} <= {"tensor(float)", "tensor(string)"}
        given = columns(case, case.rows, np.float32)
        names, rules = graph.run(["class", "rule"], given)
        got = list(zip(names, rules.tolist(), strict=True))
        with np.errstate(over="ignore"):
            rounded = [
                {
                    name: float(np.float32(v)) if isinstance(v, float) else v
                    for name, v in row.items()
                }
                for row in case.rows
            ]
        assert got == [decide(case.model, row) for row in rounded], case.name
        rows += len(got)
        differences += sum(
            own != (d.name, d.rule) for own, d in zip(got, case.expected, strict=True)
        )
    # Most of these rows are deliberately close to a border.
    print(f"float32: {differences} of {rows} decisions differ")
    assert differences < 0.02 * rows


def test_accepts_any_number_of_cases(built_in):
    case = built_in[0]
    graph = session(export(case.path, "onnx"))
    for count in (0, 1, 7):
        names, rules = graph.run(["class", "rule"], columns(case, case.rows[:count]))
        assert names.shape == rules.shape == (count,)
        assert rules.tolist() == [d.rule for d in case.expected[:count]]


def test_the_model_describes_itself(built_in):
    case = built_in[3]
    model = checked(export(case.path, "onnx"))
    assert model.producer_name == "FRR"
    assert "'decision'" in model.doc_string
    properties = {entry.key: entry.value for entry in model.metadata_props}
    assert properties["target"] == "decision"
    assert json.loads(properties["classes"]) == case.model["classes"]
    assert properties["rules"].count("IF ") == len(case.model["rules"])
    assert [entry.domain for entry in model.opset_import] == [""]
    assert [i.name for i in model.graph.input] == list(case.inputs)


@pytest.mark.parametrize("names", [HOSTILE_NAMES, CONTROL_NAMES])
def test_hostile_names_are_unchanged(tmp_path, names):
    case = hostile_case(tmp_path, names, tuple(text for text in names if "\0" not in text))
    content = export(case.path, "onnx")
    inputs = [i.name for i in checked(content).graph.input]
    assert [name.replace("\0", "\N{SYMBOL FOR NULL}") for name in case.inputs] == inputs
    graph = session(content)
    outputs = [o.name for o in graph.get_outputs()]
    assert [name.rstrip("_") for name in outputs] == [
        "class",
        "probability",
        "probabilities",
        "rule",
    ]
    actual = dict(zip(outputs, graph.run(None, columns(case, case.rows, names=inputs)), strict=True))
    got = list(zip(actual[outputs[0]], actual[outputs[3]].tolist(), strict=True))
    assert got == [(d.name, d.rule) for d in case.expected]


def test_files_are_small(tmp_path, request):
    sizes = [len(export(write(largest_model(), tmp_path), "onnx"))]
    with contextlib.suppress(pytest.skip.Exception):
        sizes += [
            len(export(case.path, "onnx"))
            for case in request.getfixturevalue("benchmark")
            if len(case.model["rules"]) == 15
        ]
    print(f"sizes of models with 15 rules: {min(sizes)} to {max(sizes)} bytes")
    assert max(sizes) < 100_000


def test_a_model_without_rules_is_refused(tmp_path):
    path = write(
        model_of({"x": {"type": "numeric", "labels": {"low": [None, None, 1, 2]}}}, [], ["a", "b"]),
        tmp_path,
    )
    finished = frr("export", path, "--to", "onnx", check=False)
    assert finished.returncode == 1
    assert b"how many cases" in finished.stderr


def test_an_empty_category_is_refused(tmp_path):
    features = {"kind": {"type": "categorical", "categories": ["", "a"]}}
    path = write(
        model_of(features, [{"if": {"kind": ""}, "then": "a", "weight": 1}], ["a", "b"]), tmp_path
    )
    finished = frr("export", path, "--to", "onnx", check=False)
    assert finished.returncode == 1
    assert b"missing value in ONNX" in finished.stderr
