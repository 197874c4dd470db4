"""Parameters: exactly the options of the table, with their ranges, in two tiers."""

import doctest
import importlib
import inspect
import json
import pickle
import pkgutil
import re

import frr
import numpy as np
import pytest
from conftest import DATA, QUICK, run
from frr import FRRClassifier, FuzzyTransformer
from frr._options import ADVANCED, BASIC, OPTIONS
from frr._policy import DECISIONS
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

X, Y = [[0.0], [1.0], [2.0], [3.0]] * 3, [0, 0, 1, 1] * 3


def parameter_docs() -> dict[str, str]:
    """The text of each parameter in the docstring."""
    section = inspect.getdoc(FRRClassifier).split("Parameters\n----------\n")[1]
    section = section.split("\nAttributes\n")[0]
    parts = re.split(r"^(\w+) : ", section, flags=re.MULTILINE)[1:]
    return {
        name: " ".join(text.split()) for name, text in zip(parts[::2], parts[1::2], strict=True)
    }


def setting(option, value) -> dict:
    """The parameters that set one option, with few epochs."""
    if option.advanced:
        return {"advanced": QUICK["advanced"] | {option.parameter: value}}
    return {option.parameter: value}


def test_parameters_are_the_basic_options():
    names = set(inspect.signature(FRRClassifier).parameters)
    others = {"preset", "verbose", "categorical_features", "advanced"}
    assert names == set(BASIC) | set(DECISIONS) | others
    assert len(BASIC) == 16
    assert set(FRRClassifier().get_params()) == names
    assert len(OPTIONS) == len({option.parameter for option in OPTIONS})
    assert set(BASIC).isdisjoint(ADVANCED)


@pytest.mark.parametrize("kind", [FRRClassifier, FuzzyTransformer])
def test_parameters_are_keywords(kind):
    with pytest.raises(TypeError, match="positional"):
        kind(3)


def test_transformer_takes_options_of_the_same_names():
    names = set(inspect.signature(FuzzyTransformer).parameters)
    assert names <= set(inspect.signature(FRRClassifier).parameters)


# ---- Advanced settings ---------------------------------------------------------------------------


def test_advanced_settings_are_those_of_the_program():
    settings = {"kappa": 4, "gradient_rows": 2000, "polish": False, "slope": None}
    model = FRRClassifier(advanced=settings).fit(X, Y)
    recorded = json.loads(model.to_json())["training"]["settings"]
    assert recorded["kappa"] == "4"
    assert recorded["gradient-rows"] == "2000"
    assert recorded["polish"] == "false"
    assert recorded["slope"] == "0.2"  # None: the value of the preset
    assert settings == {"kappa": 4, "gradient_rows": 2000, "polish": False, "slope": None}


@pytest.mark.parametrize(
    ("advanced", "kind", "message"),
    [
        ({"kapa": 8}, ValueError, "advanced has no setting 'kapa'; did you mean 'kappa'?"),
        (
            {"learning-rate": 0.1},
            ValueError,
            "advanced has no setting 'learning-rate'; did you mean 'learning_rate'?",
        ),
        (
            {"max_rules": 3},
            ValueError,
            "'max_rules' is not an advanced setting; pass the parameter max_rules instead",
        ),
        (
            {"rules": 3},
            ValueError,
            "'rules' is not an advanced setting; pass the parameter max_rules instead",
        ),
        (
            {"max_rule": 3},
            ValueError,
            "advanced has no setting 'max_rule'; did you mean the parameter max_rules?",
        ),
        (
            {"kappa": 0},
            ValueError,
            "advanced['kappa'] must be a number from 0.001 to 10000, got 0",
        ),
        (
            {"polish": 1},
            TypeError,
            "advanced['polish'] must be True or False, got 1 of type int",
        ),
        ({3: 1}, TypeError, "the keys of advanced must be strings, got 3"),
        (
            8,
            TypeError,
            "advanced must be None or a dict of settings by name, such as {'kappa': 8}, got 8",
        ),
    ],
)
def test_wrong_advanced_settings(advanced, kind, message):
    model = FRRClassifier(advanced=advanced)  # the constructor only stores
    with pytest.raises(kind) as caught:
        model.fit(X, Y)
    assert str(caught.value) == message


def test_a_name_like_no_other_lists_the_settings():
    with pytest.raises(ValueError, match="advanced has no setting 'zzzzzz'; it has trees, leaf, "):
        FRRClassifier(advanced={"zzzzzz": 1}).fit(X, Y)


def test_transformer_takes_only_settings_that_place_labels():
    FuzzyTransformer(
        advanced={"slope": 0.1, "min_share": 0.1, "bins": 10, "max_categories": 3}
    ).fit(X)
    with pytest.raises(ValueError, match=r"advanced\['kappa'\] has no effect here; remove it"):
        FuzzyTransformer(advanced={"kappa": 8}).fit(X)
    with pytest.raises(ValueError, match="did you mean 'slope'"):
        FuzzyTransformer(advanced={"slopes": 8}).fit(X)


def test_advanced_in_set_params_clone_and_search():
    model = FRRClassifier(**QUICK).set_params(advanced={"epochs": 1, "kappa": 4})
    assert model.get_params()["advanced"] == {"epochs": 1, "kappa": 4}
    copied = clone(model)
    assert copied.advanced == model.advanced
    assert copied.advanced is not model.advanced
    assert repr(FRRClassifier(advanced={"kappa": 4})) == "FRRClassifier(advanced={'kappa': 4})"
    grid = {"advanced": [{"epochs": 1}, {"epochs": 1, "kappa": 2}]}
    search = GridSearchCV(FRRClassifier(augment=0), grid, cv=2).fit(X, Y)
    assert search.best_params_["advanced"]["epochs"] == 1


def test_a_saved_model_gives_its_advanced_settings(tmp_path):
    parameters = {"max_rules": 3, "price": 0.5, "advanced": {"epochs": 2, "tune": False}}
    model = FRRClassifier(**parameters).fit(X, Y)
    model.save(tmp_path / "model.json")
    loaded = FRRClassifier.load(tmp_path / "model.json")
    assert {name: loaded.get_params()[name] for name in parameters} == parameters
    assert FRRClassifier().fit(X, Y).save(tmp_path / "plain.json") is None
    assert FRRClassifier.load(tmp_path / "plain.json").advanced is None
    again = clone(loaded).fit(X, Y)
    assert again.to_json() == model.to_json()


@pytest.mark.parametrize("kind", [FRRClassifier, FuzzyTransformer])
def test_a_pickle_of_an_earlier_version(kind):
    """Until 0.1, each advanced setting was an attribute."""
    model = kind(advanced={"slope": 0.1}).fit(X, Y)
    old = object.__new__(kind)
    settings = dict.fromkeys(ADVANCED) | {"slope": 0.1}
    old.__dict__ = {name: x for name, x in vars(model).items() if name != "advanced"} | settings
    again = pickle.loads(pickle.dumps(old))
    assert again.get_params() == model.get_params()
    assert set(vars(again)) == set(vars(model))
    assert clone(again).fit(X, Y).get_params()["advanced"] == {"slope": 0.1}


# ---- Documentation -------------------------------------------------------------------------------


def test_every_parameter_is_documented_with_its_range():
    docs = parameter_docs()
    assert set(docs) == set(FRRClassifier().get_params())
    for option in BASIC.values():
        text = docs[option.parameter]
        if option.kind == "str":
            names = [name.split(":")[0] for name in choices(option)]
            assert all(name in text for name in names), option.parameter
        elif option.parameter not in ("n_jobs", "random_state"):
            assert option.range in text, option.parameter
    assert all(re.search(rf"\b{name}\b", docs["advanced"]) for name in ADVANCED)


def test_documented_defaults_are_those_of_the_presets():
    docs = parameter_docs()
    for option in BASIC.values():
        default = inspect.signature(FRRClassifier).parameters[option.parameter].default
        if option.kind == "str" or option.parameter in ("n_jobs", "random_state", "time_limit"):
            continue
        if default is not None:
            assert option.text(default) == option.default == option.paper
            assert f"default={default}" in docs[option.parameter]
            continue
        if option.parameter == "n_labels":
            continue
        stated = f"None: {option.default}"
        if option.paper != option.default:
            stated += f' (preset "paper": {option.paper})'
        assert stated + "." in docs[option.parameter], option.parameter


@pytest.mark.parametrize("preset", ["default", "paper"])
def test_settings_of_a_preset_are_those_of_the_program(preset, tmp_path):
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


def choices(option) -> list[str]:
    """The names that an option accepts, apart from "none", which is None in Python."""
    return [name for name in re.split(", | or ", option.range) if name != "none"]


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
            FRRClassifier(**setting(option, value)).fit(X, Y)
        check_message(caught.value, option)


@pytest.mark.parametrize("option", NUMBERS, ids=lambda option: option.parameter)
def test_borders_of_ranges_are_allowed(option):
    low, high = bounds(option)
    kind = int if option.kind == "int" else float
    high = min(high, 20 if option.parameter in ("epochs", "restarts", "trees") else high, 2**60)
    if option.parameter in ("augment", "gradient_rows", "search_rows"):
        high = min(high, 2000)
    for value in (kind(low), kind(high)):
        if option.parameter == "time_limit":
            value = high
        needed = {"semantics": "additive"} if option.parameter == "points" else {}
        model = FRRClassifier(**QUICK | needed | setting(option, value)).fit(X, Y)
        settings = json.loads(model.to_json())["training"]["settings"]
        assert kind(settings[option.name]) == value


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
            FRRClassifier(**QUICK | setting(option, value)).fit(X, Y)
        assert option.parameter in str(caught.value) or option.parameter == "random_state"


@pytest.mark.parametrize("option", [o for o in OPTIONS if o.kind == "str"], ids=lambda o: o.name)
def test_unknown_names(option):
    names = choices(option)
    for value in ("", "unknown", option.default.upper() + "X", "\0", "é" * 100):
        with pytest.raises(ValueError, match=option.parameter) as caught:
            FRRClassifier(**{option.parameter: value}).fit(X, Y)
        assert all(name in str(caught.value) for name in names)


def test_lambda_of_a_t_norm():
    with pytest.raises(ValueError, match="at least 1"):
        FRRClassifier(t_norm="aczel-alsina:0.5").fit(X, Y)


def test_numpy_numbers_are_numbers():
    plain = FRRClassifier(
        max_rules=4, augment=0, advanced={"epochs": 5, "slope": 0.25, "polish": True}
    ).fit(X, Y)
    numpy = FRRClassifier(
        max_rules=np.int64(4),
        augment=np.uint32(0),
        advanced={"epochs": np.int32(5), "slope": np.float32(0.25), "polish": np.True_},
    ).fit(X, Y)
    assert numpy.to_json() == plain.to_json()
    assert FRRClassifier(advanced={"slope": 0}).fit(X, Y).partition_  # a whole number for a float


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
    parameters = {"augment": 0, "advanced": {"epochs": 5}}

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
    border = np.array([1, 2])  # integers, such as those from a quantile or a groupby
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
