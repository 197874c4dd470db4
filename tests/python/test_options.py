"""Parameters: all of the option table, with its ranges, and nothing else."""

import doctest
import importlib
import inspect
import json
import pkgutil
import re

import frr
import numpy as np
import pytest
from conftest import DATA, QUICK, run
from frr import FRRClassifier, FuzzyTransformer
from frr._options import OPTIONS

DOC = " ".join(inspect.getdoc(FRRClassifier).split())
X, Y = [[0.0], [1.0], [2.0], [3.0]] * 3, [0, 0, 1, 1] * 3


def parameter_docs() -> dict[str, str]:
    """The text of each parameter in the docstring."""
    section = inspect.getdoc(FRRClassifier).split("Parameters\n----------\n")[1]
    section = section.split("\nAttributes\n")[0]
    parts = re.split(r"^(\w+) : ", section, flags=re.MULTILINE)[1:]
    return {
        name: " ".join(text.split()) for name, text in zip(parts[::2], parts[1::2], strict=True)
    }


def test_parameters_are_those_of_the_table():
    names = set(inspect.signature(FRRClassifier).parameters)
    assert names == {option.parameter for option in OPTIONS} | {
        "preset",
        "verbose",
        "categorical_features",
    }
    assert set(FRRClassifier().get_params()) == names
    assert len(OPTIONS) == len({option.parameter for option in OPTIONS})
    # The first ones, by position, as the documentation promises.
    assert list(inspect.signature(FRRClassifier).parameters)[:4] == [
        "max_rules",
        "max_conditions",
        "n_labels",
        "partition",
    ]


def test_transformer_takes_options_of_the_same_names():
    names = set(inspect.signature(FuzzyTransformer).parameters)
    assert names <= set(inspect.signature(FRRClassifier).parameters)


def test_every_parameter_is_documented_with_its_range():
    docs = parameter_docs()
    assert set(docs) == set(FRRClassifier().get_params())
    for option in OPTIONS:
        text = docs[option.parameter]
        if option.kind == "str":
            # A wrapped word may be cut at its dash.
            names = [name.split(":")[0] for name in option.range.split(" | ") if name != "none"]
            assert all(name in text.replace("- ", "-") for name in names), option.parameter
        elif option.parameter not in ("n_jobs", "random_state"):
            assert option.range.replace(" | ", ", ") in text, option.parameter


def test_documented_defaults_are_those_of_the_presets():
    docs = parameter_docs()
    for option in OPTIONS:
        default = inspect.signature(FRRClassifier).parameters[option.parameter].default
        if option.kind == "str" or option.parameter in ("n_jobs", "random_state", "time_limit"):
            continue
        if default is not None:
            assert option.text(default) == option.default == option.paper
            assert f"default={default}" in docs[option.parameter]
            continue
        if option.parameter == "n_labels":
            continue
        own = str(option.value(option.default)) if option.kind == "bool" else option.default
        paper = str(option.value(option.paper)) if option.kind == "bool" else option.paper
        said = f"None: {own}"
        if paper != own:
            said += f' (preset "paper": {paper})'
        assert said + "." in docs[option.parameter], option.parameter


@pytest.mark.parametrize("preset", ["default", "paper"])
def test_settings_of_a_preset_are_the_program_s(preset, tmp_path):
    run("train", DATA / "iris.csv", "-o", tmp_path / "model.json", "--preset", preset, "--quiet")
    program = json.loads((tmp_path / "model.json").read_text())["training"]["settings"]
    model = FRRClassifier(preset=preset).fit(X, Y)
    assert json.loads(model.to_json())["training"]["settings"] == program
    for option in OPTIONS:
        if option.name != "threads":
            assert program[option.name] == (option.paper if preset == "paper" else option.default)


def bounds(option) -> tuple[float, float]:
    if ">=" in option.range:
        return float(option.range.split(">= ")[1]), np.inf
    low, high = re.match(r"a (?:whole )?number from (\S+) to ([^\s,]+)", option.range).groups()
    return float(low), float(high)


NUMBERS = [o for o in OPTIONS if o.kind in ("int", "float") and o.parameter != "n_jobs"]


def check_message(error: BaseException, option) -> None:
    text = str(error)
    assert option.parameter in text
    assert option.range in text


@pytest.mark.parametrize("option", NUMBERS, ids=lambda option: option.parameter)
def test_numbers_out_of_range(option):
    low, high = bounds(option)
    kind = int if option.kind == "int" else float
    step = 1 if kind is int else 1e-9
    wrong = [low - step]
    if np.isfinite(high):
        wrong.append(high + step if kind is int else np.nextafter(high, np.inf))
    if option.parameter == "n_labels":
        wrong = [-1, 1, 8]
    wrong = [kind(value) for value in wrong]
    if kind is float:
        wrong += [float("nan"), float("inf"), -float("inf")]
    for value in wrong:
        with pytest.raises(ValueError, match=option.parameter) as caught:
            FRRClassifier(**{option.parameter: value}).fit(X, Y)
        check_message(caught.value, option)


@pytest.mark.parametrize("option", NUMBERS, ids=lambda option: option.parameter)
def test_borders_of_ranges_are_allowed(option):
    low, high = bounds(option)
    kind = int if option.kind == "int" else float
    high = min(high, 20 if option.parameter in ("epochs", "restarts", "trees") else high, 2**60)
    if option.parameter in ("augment", "gradient_rows", "search_rows"):
        high = min(high, 2000)
    for value in (kind(low), kind(high)):
        quick = QUICK | {option.parameter: value}
        if option.parameter == "time_limit":
            quick[option.parameter] = high
        model = FRRClassifier(**quick).fit(X, Y)
        settings = json.loads(model.to_json())["training"]["settings"]
        assert kind(settings[option.name]) == quick[option.parameter]


@pytest.mark.parametrize(
    "option", [o for o in OPTIONS if o.parameter != "n_jobs"], ids=lambda option: option.parameter
)
def test_values_of_a_wrong_type(option):
    wrong = [object(), b"3", [1], 2j]
    wrong += ["text"] if option.kind != "str" else [3, 0.5, True]
    if option.kind == "int":
        wrong += [0.5, 3.0, True, "3", np.float64(3)]
    if option.kind == "bool":
        wrong += [1, 0, "true"]
    for value in wrong:
        with pytest.raises((TypeError, ValueError)) as caught:
            FRRClassifier(**QUICK | {option.parameter: value}).fit(X, Y)
        assert option.parameter in str(caught.value) or option.parameter == "random_state"


@pytest.mark.parametrize("option", [o for o in OPTIONS if o.kind == "str"], ids=lambda o: o.name)
def test_unknown_names(option):
    names = [name for name in option.range.split(" | ") if name != "none"]
    for value in ("", "unknown", option.default.upper() + "X", "\0", "é" * 100):
        with pytest.raises(ValueError, match=option.parameter) as caught:
            FRRClassifier(**{option.parameter: value}).fit(X, Y)
        assert all(name in str(caught.value) for name in names)


def test_lambda_of_a_t_norm():
    with pytest.raises(ValueError, match="at least 1"):
        FRRClassifier(t_norm="aczel-alsina:0.5").fit(X, Y)


def test_numpy_numbers_are_numbers():
    plain = FRRClassifier(**QUICK, slope=0.25, polish=True).fit(X, Y)
    own = FRRClassifier(
        max_rules=np.int64(QUICK["max_rules"]),
        max_conditions=np.int8(QUICK["max_conditions"]),
        augment=np.uint32(0),
        epochs=np.int32(QUICK["epochs"]),
        slope=np.float32(0.25),
        polish=np.True_,
    ).fit(X, Y)
    assert own.to_json() == plain.to_json()
    assert FRRClassifier(**QUICK, slope=0).fit(X, Y).partition_


@pytest.mark.parametrize("value", ["x", "Default", "", 3, None, ["default"]])
def test_wrong_preset(value):
    with pytest.raises((ValueError, TypeError), match="preset must be 'default' or 'paper'"):
        FRRClassifier(preset=value).fit(X, Y)


@pytest.mark.parametrize("value", [0, 1.5, "2", True, [2]])
@pytest.mark.parametrize("kind", [FRRClassifier, FuzzyTransformer])
def test_wrong_n_jobs(kind, value):
    with pytest.raises((ValueError, TypeError), match="n_jobs"):
        kind(n_jobs=value).fit(X, Y)


def test_random_state():
    table = np.random.default_rng(0).normal(size=(80, 5))
    y = np.arange(80) % 2
    parameters = {"augment": 0, "epochs": 5}

    def rules(state):
        model = FRRClassifier(**parameters, random_state=state).fit(table, y)
        return json.loads(model.to_json())["rules"]

    assert rules(None) == rules(0)  # the program's default
    assert rules(3) != rules(0)
    one, other = (rules(np.random.RandomState(5)) for _ in range(2))
    assert one == other
    for wrong in (-1, 0.5, "seed"):
        with pytest.raises((ValueError, TypeError)):
            rules(wrong)


@pytest.mark.parametrize(
    "partition",
    [
        {"x0": {"low": [None, None, 1]}},
        {"x0": {"low": [3, 2, 1, 0]}},
        {"x0": {"low": [float("nan")] * 4}},
        {"x0": {}},
        {"x0": 3},
        {"y": {"low": [None, None, 1, 2]}},
        {"x0": {"low": "wide"}},
        {"x0": {"low": [object()] * 4}},
        {},
        [1, 2],
        3,
    ],
)
@pytest.mark.parametrize("kind", [FRRClassifier, FuzzyTransformer])
def test_wrong_partitions(kind, partition):
    with pytest.raises((ValueError, TypeError)) as caught:
        kind(partition=partition).fit(X, Y)
    assert "bad_cast" not in str(caught.value)


@pytest.mark.parametrize("kind", [FRRClassifier, FuzzyTransformer])
def test_given_partition_of_numpy_numbers(kind):
    border = np.array([1, 2])  # whole numbers, as of a quantile or a groupby
    given = {"x0": {"low": [None, None, *border], "high": [*border, None, None]}}
    model = kind(partition=given).fit(X, Y)
    assert [label.name for label in model.partition_[0].labels] == ["low", "high"]
    assert model.partition_[0].labels[1].shape[:2] == (1, 2) or kind is FRRClassifier  # tuned


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules(frr.__path__)])
def test_examples_in_docstrings(name):
    module = importlib.import_module(f"frr.{name}")
    if name == "_core":
        return
    results = doctest.testmod(module)
    assert results.failed == 0
    if name in ("_classifier", "_transformer"):
        assert results.attempted > 3


def test_examples_of_the_package():
    results = doctest.testmod(frr)
    assert results.failed == 0
    assert results.attempted > 0
