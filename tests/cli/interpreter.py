"""An independent reading of a model file: what a person does with the rules, in plain Python."""

import csv
import json
import math

MISSING = {"", "?", "na", "n/a", "nan", "null"}


def membership(feature: dict, label: str, text: str) -> float:
    if text.strip().lower() in MISSING:
        return 1.0 if label == feature.get("missing") else 0.0
    if feature["type"] == "categorical":
        return 1.0 if text == label and label in feature["categories"] else 0.0
    if label not in feature["labels"]:
        return 0.0
    x, (a, b, c, d) = float(text), feature["labels"][label]
    if (a is not None and x < a) or (d is not None and x >= d):
        return 0.0
    if b is not None and x < b:
        return (x - a) / (b - a)
    return (d - x) / (d - c) if c is not None and x > c else 1.0


def conjunction(tnorm: str, degrees: list[float]) -> float:
    name, _, parameter = tnorm.partition(":")
    if name == "product":
        return math.prod(degrees)
    if name == "minimum":
        return min(degrees)
    if name == "lukasiewicz":
        return max(0.0, sum(degrees) - (len(degrees) - 1))
    if min(degrees) == 0:
        return 0.0
    if name == "hamacher":
        return 1 / (1 + sum((1 - x) / x for x in degrees))
    return math.exp(-sum((-math.log(x)) ** float(parameter) for x in degrees) ** (1 / float(parameter)))


def decide(model: dict, row: dict) -> str:
    how, best, sums = model["inference"], (0.0, model["else"]["then"]), {}
    for rule in model["rules"]:
        degrees = [membership(model["features"][f], label, row[f]) for f, label in rule["if"].items()]
        score = rule["weight"] * conjunction(how["tnorm"], degrees) ** (1 / how["root"])
        sums[rule["then"]] = sums.get(rule["then"], 0.0) + score
        best = max(best, (score, rule["then"]), key=lambda pair: pair[0])
    if how["semantics"] == "additive" and best[0] > 0:
        return max(model["classes"], key=lambda name: sums.get(name, 0.0))
    return best[1]


def predict(model_path, csv_path) -> list[str]:
    model = json.loads(model_path.read_text())
    with csv_path.open(newline="") as file:
        return [decide(model, row) for row in csv.DictReader(file)]
