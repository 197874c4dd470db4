"""Tables and models of all kinds, by name."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
from inference import preferences, rule_probabilities, softmax
from program import DATA, DATASETS, Case, categorical_columns, learn, report, write_table

BUILT_IN = ("breast_cancer", "iris", "wine", "loans")
BENCHMARKS = ("pima", "australian", "zoo", "titanic", "vehicle")
QUICK = ("--augment", "0", "--epochs", "5")

# Other inference settings, on tables with and without names and missing values.
INFERENCES = {
    "additive": ("wine", ("--semantics", "additive")),
    "additive_two": ("breast_cancer", ("--semantics", "additive")),
    "additive_mixed": ("mixed", ("--semantics", "additive")),
    "additive_minimum": ("wine", ("--semantics", "additive", "--tnorm", "minimum")),
    "minimum": ("wine", ("--tnorm", "minimum")),
    "minimum_mixed": ("mixed", ("--tnorm", "minimum")),
    "aczel_alsina": ("wine", ("--tnorm", "aczel-alsina:2")),
    "aczel_alsina_5": ("iris", ("--tnorm", "aczel-alsina:5.5", "--conditions", "4")),
    "hamacher": ("wine", ("--tnorm", "hamacher")),
    "hamacher_mixed": ("mixed", ("--tnorm", "hamacher")),
    "lukasiewicz": ("wine", ("--tnorm", "lukasiewicz")),
    "lukasiewicz_mixed": ("mixed", ("--tnorm", "lukasiewicz")),
    "root": ("wine", ("--root", "2")),
    "root_additive": ("loans", ("--root", "3", "--semantics", "additive")),
    "paper": ("iris", ("--preset", "paper")),
}


MISS = {"ill": {"well": 3, "unsure": 3}, "well": {"ill": 1, "unsure": 1}, "unsure": {"ill": 1, "well": 1}}
# Costs that depend on both classes.
MIXED_COSTS = {"ill": {"well": 9, "unsure": 2}, "well": {"ill": 1.5, "unsure": 1}, "unsure": {"ill": 1, "well": 3}}

# Decisions about the rules of other cases.
POLICIES = {
    "costs": ("breast_cancer", {"positive": "malignant", "refer": 0.9,
                                "costs": {"malignant": {"benign": 20}, "benign": {"malignant": 1}}}),
    "threshold": ("loans", {"positive": "refuse", "threshold": 0.07}),
    "costs_of_three": ("mixed", {"positive": "ill", "costs": MISS}),
    "additive_costs": ("additive_two", {"positive": "malignant", "refer": 0.8,
                                        "costs": {"malignant": {"benign": 20}, "benign": {"malignant": 1}}}),
    "additive_threshold": ("additive_two", {"positive": "malignant", "threshold": 0.07, "target": {
        "measure": "sensitivity", "wanted": 0.95, "reached": 0.947}}),
    "additive_refer": ("additive_mixed", {"refer": 0.7}),
    "additive_costs_of_three": ("additive_mixed", {"positive": "ill", "costs": MISS}),
    "additive_mixed_costs": ("additive_mixed", {"costs": MIXED_COSTS}),
    "additive_threshold_of_three": ("additive_mixed", {"positive": "ill", "threshold": 0.2, "refer": 0.5}),
}


def mixed_rows(seed: int, count: int, unknown: float) -> list[list]:
    """Numbers, names and missing values; some names occur only if `unknown` is positive."""
    rng = random.Random(seed)
    rows = []
    for _ in range(count):
        age, dose = rng.randint(18, 90), round(rng.gauss(5, 2), 2)
        ward = rng.choice(("north", "south", "a, b", 'say "x"'))
        grade = rng.choice(("1", "2", "3"))
        sick = (age > 60) + (ward == "south") + (dose < 3)
        if rng.random() < 0.1:
            sick = rng.randrange(3)
        values = [age, dose, ward, grade]
        values = ["" if rng.random() < 0.12 else value for value in values]
        if values[0] == "":  # missing values carry information
            sick = 2
        if rng.random() < unknown:
            values[2] = rng.choice(("elsewhere", "North", "nord & süd"))
        rows.append([*values, ("well", "ill", "unsure")[min(sick, 2)]])
    return rows


MIXED = ["age", "dose", "ward", "grade", "state"]


def mixed_table(directory: Path) -> Path:
    return write_table(directory / "mixed.csv", MIXED, mixed_rows(1, 240, 0))


def mixed(directory: Path) -> Case:
    return learn(directory, "mixed", mixed_table(directory), "--categorical", "grade", *QUICK)


def unknown(directory: Path) -> Case:
    """A page on rows other than the training data, with new values and classes."""
    rows = mixed_rows(2, 160, 0.2)
    rows[3][-1], rows[5][-1] = "never seen", ""
    other = write_table(directory / "unknown.csv", MIXED, rows)
    return learn(directory, "unknown", mixed_table(directory), "--categorical", "grade", *QUICK,
                 on=other)


def odd_names(directory: Path) -> Case:
    """Names that have a meaning in JavaScript."""
    rng = random.Random(3)
    header = ["1", "10", "2", "__proto__", "constructor", "toString", "length", "hasOwnProperty"]
    rows = []
    for _ in range(240):
        numbers = [round(rng.uniform(0, 10), 1) for _ in range(5)]
        names = [rng.choice(("__proto__", "constructor", "0")) for _ in range(2)]
        rows.append([*numbers, *names, ("valueOf", "__proto__", "7")[
            (numbers[0] > 5) + (numbers[3] > 4) * (numbers[4] > 3)]])
    data = write_table(directory / "odd_names.csv", header, rows)
    return learn(directory, "odd_names", data, *QUICK)


def model_file(directory: Path, name: str, **parts) -> Path:
    """A model written by hand, in the format of the program."""
    model = {"format": "frr-model", "version": 2,
             "inference": {"semantics": "sufficient", "tnorm": "product", "root": 1}, **parts}
    path = directory / f"{name}.json"
    path.write_text(json.dumps(model), encoding="utf-8")
    return path


def no_rules(directory: Path) -> Case:
    """Only ELSE."""
    data = write_table(directory / "no_rules.csv", ["x", "answer"],
                       [[i, "yes" if i % 3 else "no"] for i in range(30)])
    model = model_file(
        directory, "no_rules", target="answer", classes=["no", "yes"],
        features={"x": {"type": "numeric", "range": [0, 29], "spread": 29,
                        "labels": {"low": [None, None, 10, 20], "high": [10, 20, None, None]}}},
        rules=[], **{"else": {"then": "yes", "decides": {"no": 10, "yes": 20}, "covers": 30}})
    return report("no_rules", model, data)


def numeric_feature(low: float, high: float, middle: float, **more) -> dict:
    return {"type": "numeric", "range": [low, high], "spread": high - low,
            "labels": {"low": [None, None, middle, middle], "high": [middle, middle, None, None]},
            **more}


def odd_numbers(directory: Path) -> Case:
    """Huge, tiny, constant, close and absent numbers."""
    header = ["huge", "overflow", "tiny", "least", "constant", "close", "absent", "whole", "answer"]
    columns = {
        "huge": [1.5e300, -1.5e300, 3e299, -7e298],
        "overflow": [1.7e308, -1.7e308, 0, 1e308],
        "tiny": [1e-300, 2.5e-300, 0, -1e-300],
        "least": [0, 5e-324, 0, 5e-324],
        "constant": [7, 7, 7, 7],
        "close": [10000000000000000, 10000000000000002, 10000000000000000, 10000000000000002],
        "absent": ["", "", "", ""],
        "whole": [1, 2, 3, 100000000],
    }
    rows = [[columns[name][i % 4] for name in header[:-1]] + ["yes" if i % 4 < 2 else "no"]
            for i in range(40)]
    data = write_table(directory / "odd_numbers.csv", header, rows)
    close = numeric_feature(1e16, 1e16 + 2, 1e16 + 2)
    features = {"huge": numeric_feature(-1.5e300, 1.5e300, 1e298),
                "overflow": {**numeric_feature(-1.7e308, 1.7e308, 5), "spread": 1e308},
                "tiny": numeric_feature(-1e-300, 2.5e-300, 1e-301),
                "least": numeric_feature(0, 5e-324, 5e-324),
                "constant": numeric_feature(7, 7, 7), "close": close,
                "absent": numeric_feature(0, 1, 0.5, missing="unknown"),
                "whole": numeric_feature(1, 1e8, 50)}
    thens = {"huge": "yes", "overflow": "no", "tiny": "no", "least": "yes", "constant": "yes",
             "close": "no", "whole": "no"}
    rules = [{"if": {name: "high"}, "then": then, "weight": 0.9 - 0.08 * i}
             for i, (name, then) in enumerate(thens.items())]
    rules.append({"if": {"absent": "unknown", "tiny": "low"}, "then": "yes", "weight": 0.3})
    model = model_file(directory, "odd_numbers", target="answer", classes=["no", "yes"],
                       features=features, rules=rules, **{"else": {"then": "no"}})
    return report("odd_numbers", model, data)


def corners(directory: Path) -> Case:
    """Values on every border, and a class that wins only in a narrow interval between borders.

    Where y is yes and z below 3, (10 - x) / 10 and 0.8 x / 10 both speak for a and 0.45 for b: b
    wins from x = 5.5 to 5.625.
    """
    x = {"type": "numeric", "range": [-5, 15], "spread": 20,
         "labels": {"low": [None, None, 0, 10], "high": [0, 10, None, None]}}
    z = {"type": "numeric", "range": [2, 4], "spread": 2,
         "labels": {"below": [None, None, 3, 3], "from": [3, 3, 3.5, 3.5], "beyond": [3.5, 3.5, None, None]}}
    rules = [{"if": {"x": "low"}, "then": "a", "weight": 1}, {"if": {"x": "high"}, "then": "a", "weight": 0.8},
             {"if": {"y": "yes", "z": "below"}, "then": "b", "weight": 0.45},
             {"if": {"z": "from", "y": "yes"}, "then": "c", "weight": 0.9}]
    model = model_file(directory, "corners", target="answer", classes=["a", "b", "c"], rules=rules,
                       features={"x": x, "y": {"type": "categorical", "categories": ["no", "yes"]}, "z": z},
                       **{"else": {"then": "c"}})
    rows = [[at, y, border, "a"] for at in (-5, 0, 2, 5, 5.5, 5.55, 5.6, 5.625, 5.63, 6, 9.9, 10, 15)
            for border in (2, 2.9, 3, 3.1, 3.5, 4) for y in ("yes", "no")]
    return report("corners", model, write_table(directory / "corners.csv", ["x", "y", "z", "answer"], rows))


def decided(directory: Path, name: str) -> Case:
    """The rules of another case with other decisions."""
    source, decisions = POLICIES[name]
    own = make(directory, source)
    model = own.rules
    model["decisions"] = decisions
    additive = model["inference"]["semantics"] == "additive"
    for part in (model["else"], *(() if additive else model["rules"])):
        biases = np.array([model.get("biases", {}).get(one, 0) for one in model["classes"]])
        shares = softmax(biases) if additive else rule_probabilities(model, part)
        part["then"] = model["classes"][int(preferences(model, shares[:, None])[:, 0].argmax())]
    path = directory / f"{name}.json"
    path.write_text(json.dumps(model), encoding="utf-8")
    return report(name, path, own.data)


# The points of the scorecard by condition, for the stroke of a made-up table.
POINTS = {"age": 4, "pressure": 2, "sport": -3, "smoker": 1}
NATS_PER_POINT, START = 0.5, -3.0


def scorecard(directory: Path) -> Case:
    """Points for crisp labels."""
    rng = random.Random(11)
    rows = []
    for _ in range(400):
        age, pressure = rng.randint(20, 90), rng.randint(90, 190)
        sport, smoker = rng.choice(("much", "little")), rng.choice(("yes", "no"))
        total = (4 * (age >= 65) + 2 * (pressure >= 140) - 3 * (sport == "much") + (smoker == "yes"))
        ill = rng.random() < 1 / (1 + np.exp(-(START + NATS_PER_POINT * total)))
        rows.append([age if rng.random() > 0.1 else "", pressure, sport, smoker, "stroke" if ill else "none"])
    features = {"age": numeric_feature(20, 90, 65, missing="unknown"), "pressure": numeric_feature(90, 190, 140),
                "sport": {"type": "categorical", "categories": ["little", "much"]},
                "smoker": {"type": "categorical", "categories": ["no", "yes"]}}
    labels = {"age": "high", "pressure": "high", "sport": "much", "smoker": "yes"}
    rules = [{"if": {name: labels[name]}, "then": "stroke" if points > 0 else "none",
              "weight": abs(points) * NATS_PER_POINT, "points": points, "covers": 100,
              "true_for": {"stroke": 20 + 5 * points, "none": 80 - 5 * points}}
             for name, points in POINTS.items()]
    model = model_file(
        directory, "scorecard", target="outcome", classes=["none", "stroke"], features=features, rules=rules,
        inference={"semantics": "additive", "tnorm": "product", "root": 1}, nats_per_point=NATS_PER_POINT,
        biases={"none": 1, "stroke": 1 + START}, class_rows={"none": 340, "stroke": 60},
        decisions={"positive": "stroke", "threshold": 0.25},
        **{"else": {"then": "none", "true_for": {"none": 30, "stroke": 2}, "covers": 32}})
    data = write_table(directory / "scorecard.csv", ["age", "pressure", "sport", "smoker", "outcome"], rows)
    return report("scorecard", model, data)


def benchmark(directory: Path, name: str) -> Case:
    names = categorical_columns(name)
    options = ("--categorical", ",".join(names)) if names else ()
    return learn(directory, name, DATASETS / f"{name}.csv", *options, *QUICK)


def inference(directory: Path, name: str) -> Case:
    table, options = INFERENCES[name]
    if table == "mixed":
        return learn(directory, name, mixed_table(directory), "--categorical", "grade", *QUICK,
                     *options)
    return learn(directory, name, DATA / f"{table}.csv", *QUICK, *options)


MADE_UP: dict[str, Callable[[Path], Case]] = {
    "mixed": mixed, "unknown": unknown, "odd_names": odd_names, "no_rules": no_rules,
    "odd_numbers": odd_numbers, "corners": corners, "scorecard": scorecard,
}


def make(directory: Path, name: str) -> Case:
    if name in BUILT_IN:
        return learn(directory, name, DATA / f"{name}.csv")
    if name in BENCHMARKS:
        return benchmark(directory, name)
    if name in POLICIES:
        return decided(directory, name)
    if name in INFERENCES:
        return inference(directory, name)
    return MADE_UP[name](directory)
