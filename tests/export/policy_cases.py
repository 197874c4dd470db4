"""Models with biases, costs, thresholds, referred cases and points, full of ties."""

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from cases import Case, edge_rows, expected_of, reference
from odd_models import TNORMS, random_model, random_row, write

BY_TRUE_CLASS = {"x": {"y": 5, "z": 5}, "y": {"x": 1, "z": 1}, "z": {"x": 2, "y": 2}}
GENERAL = {"x": {"y": 5, "z": 1}, "y": {"x": 0.5, "z": 2}, "z": {"x": 1, "y": 3}}
OF_TWO = {"x": {"y": 20}, "y": {"x": 1}}

# Name, classes, decisions.
POLICIES = (
    ("two", "xy", {}),
    ("three", "xyz", {}),
    ("costs_of_two", "xy", {"costs": OF_TWO}),
    ("costs_by_class", "xyz", {"costs": BY_TRUE_CLASS}),
    ("costs", "xyz", {"costs": GENERAL}),
    ("threshold_of_two", "xy", {"positive": "y", "threshold": 0.5}),
    ("target", "xy", {"positive": "x", "threshold": 0.15,
                      "target": {"measure": "sensitivity", "wanted": 0.95, "reached": 0.947}}),
    ("threshold", "xyz", {"positive": "y", "threshold": 0.35}),
    ("threshold_and_costs", "xyz", {"positive": "z", "threshold": 0.45, "costs": GENERAL}),
    ("refer", "xyz", {"refer": 0.6}),
    ("refer_and_costs", "xyz", {"costs": GENERAL, "refer": 0.45}),
    ("refer_of_two", "xy", {"positive": "x", "threshold": 0.3, "refer": 0.75}),
)
CARDS = (
    ("card", {"positive": "y"}),
    ("card_threshold", {"positive": "x", "threshold": 0.2}),
    ("card_costs_refer", {"positive": "y", "costs": OF_TWO, "refer": 0.7}),
)


def is_varied(case: Case) -> bool:
    """The outputs differ between rows, and the policy changes some decisions."""
    names = Counter(decision.name for decision in case.expected)
    without = {key: value for key, value in case.model.items() if key != "decisions"}
    decisions, rows = case.model["decisions"], zip(case.rows, case.expected, strict=True)
    acts = "nats_per_point" not in case.model and ("costs" in decisions or "threshold" in decisions)
    changed = sum(reference(without, row).name != decision.name for row, decision in rows) if acts else 0
    least = len(case.rows) // 12
    return (len(names) > 1 and sorted(names.values())[-2] >= least and (changed >= least or not acts)
            and all(Counter(d.referred for d in case.expected)[value] >= least
                    for value in (True, False) if "referred" in case.more))


def varied_case(name: str, make: Callable[[random.Random], dict], folder: Path, rows: int) -> Case:
    """Of the first random model that is varied."""
    for seed in range(1000):
        chance = random.Random(f"{name} {seed}")
        model = make(chance)
        case = Case(name, write(model, folder / name), [], [])
        if len(case.inputs) < 2:
            continue
        case.rows = [random_row(chance, case.inputs) for _ in range(rows)]
        case.expected = [reference(model, row) for row in case.rows]
        if is_varied(case):
            case.rows += edge_rows(case.inputs, case.rows, 1)
            case.expected = expected_of(case.path, model, case.rows, folder / name)
            return case
    raise AssertionError(name)


def additive_model(chance: random.Random, tnorm: str, classes: str) -> dict:
    """Weights and biases on a coarse grid, so that scores often tie. The last class may have no rule."""
    model = random_model(chance, tnorm)
    for rule in model["rules"]:
        rule["then"] = chance.choice(classes if chance.random() < 0.5 else classes[:-1])
        rule["weight"] = chance.choice([0.25, 0.5, 1, 2, 1.7])
    biases = {name: chance.choice([-1.5, -0.5, 0, 0, 0.5, 1]) for name in classes}
    return {**model, "version": 2, "classes": list(classes), "else": {"then": classes[-1]},
            "biases": biases, "inference": {**model["inference"], "semantics": "additive"}}


def scorecard(chance: random.Random, decisions: dict) -> dict:
    """Crisp labels and whole points."""
    scale = 0.37
    numbers = {name: {"type": "numeric", "missing": "unknown", "labels": {
        "low": [None, None, 1, 1], "medium": [1, 1, 1.5, 1.5], "high": [1.5, 1.5, None, None]}}
        for name in ("p", "q", "r")}
    features = {**numbers, "word": {"type": "categorical", "categories": ["a", "b", "c"], "missing": "unknown"}}
    labels = ["low", "medium", "high", "unknown"]
    rules = []
    for _ in range(8):
        points = chance.choice([-4, -3, -2, -1, 1, 2, 3, 5])
        positive = decisions["positive"]
        rules.append({
            "if": {name: chance.choice(labels if name in numbers else ["a", "b", "unknown"])
                   for name in chance.sample(list(features), chance.randrange(1, 3))},
            "then": positive if points > 0 else "xy".replace(positive, ""),
            "weight": abs(points) * scale, "points": points})
    return {"format": "frr-model", "version": 2, "target": "target", "classes": ["x", "y"],
            "inference": {"semantics": "additive", "tnorm": "product", "root": 1},
            "decisions": decisions, "biases": {"x": 0.4, "y": 0.0}, "nats_per_point": scale,
            "features": features, "rules": rules, "else": {"then": "x"}}


def counted(model: dict, chance: random.Random) -> dict:
    """A sufficient model with training rows, as `frr` decides it: THEN by the policy."""
    for part in [*model["rules"], model["else"]]:
        part["decides"] = {name: chance.randrange(20) for name in model["classes"]}
    return model


def policy_cases(folder: Path, rows: int = 150) -> list[Case]:
    makers: dict[str, Callable[[random.Random], dict]] = {}
    for i, (name, classes, decisions) in enumerate(POLICIES):
        makers[f"additive_{name}"] = lambda chance, i=i, classes=classes, decisions=decisions: {
            **additive_model(chance, TNORMS[i % len(TNORMS)], classes), "decisions": decisions}
    for name, decisions in CARDS:
        makers[name] = lambda chance, decisions=decisions: scorecard(chance, decisions)
    makers["sufficient_refer"] = lambda chance: {
        **counted(random_model(chance, "product"), chance), "version": 2, "decisions": {"refer": 0.5}}
    return [varied_case(name, make, folder, rows) for name, make in makers.items()]


def without_rules(folder: Path) -> Case:
    """Only biases decide."""
    chance = random.Random(0)
    model = {**additive_model(chance, "product", "xy"), "rules": [], "decisions": {"refer": 0.1},
             "biases": {"x": 1.5, "y": 0.5}}
    model["else"] = {"then": "x"}
    case = Case("additive_no_rules", write(model, folder / "none"), [{}, {}], [])
    case.expected = expected_of(case.path, model, [{"none": None}] * 2, folder / "none")
    return case
