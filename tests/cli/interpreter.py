"""frr predict in plain Python, written only from docs/reference/model.md, with the headings of that page."""

import json
import math
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from interpreter_cells import read_values


# ---- Degrees, truth and score --------------------------------------------------------------------

def degree(feature: dict, label: str, value: None | float | str) -> float:
    if value is None or label == feature.get("missing"):
        return float(value is None and label == feature.get("missing"))
    if feature["type"] == "categorical":
        return float(value == label)
    a, b, c, d = (None if corner is None else float(corner) for corner in feature["labels"][label])
    if (a is not None and value < a) or (d is not None and value >= d):
        return 0.0
    if b is not None and value < b:
        return (value - a) / (b - a)
    if c is not None and value > c:
        return (d - value) / (d - c)
    return 1.0


def conjunction(tnorm: str, degrees: list[float]) -> float:
    name, _, parameter = tnorm.partition(":")
    if len(degrees) == 1 or name == "minimum":
        return min(degrees)
    if name == "product":
        return math.prod(degrees)
    if name == "lukasiewicz":
        distance = add(1 - x for x in degrees)
        return 0.0 if distance >= 1 else 1 - distance
    if min(degrees) == 0:
        return 0.0
    if name == "hamacher":
        return 1 / (1 + add((1 - x) / x for x in degrees))
    if min(degrees) == 1:
        return 1.0
    power = float(parameter or 2)
    logs = [-math.log(x) if x < 1 else 0.0 for x in degrees]
    largest = max(logs)
    total = add(math.pow(x / largest, power) for x in logs)
    return math.exp(-largest * math.pow(total, 1 / power))


def add(terms) -> float:
    """Adds the terms in order, because sum() compensates for rounding in some versions of Python."""
    total = 0.0
    for term in terms:
        total += term
    return total


def scores_of(model: dict, values: dict) -> list[float]:
    how = model.get("inference", {})
    root, scores = float(how.get("root", 1)), []
    for rule in model["rules"]:
        truth = conjunction(how.get("tnorm", "product"),
                            [degree(model["features"][name], label, values[name])
                             for name, label in rule["if"].items()])
        if root != 1:
            truth = math.pow(truth, 1 / root)
        scores.append(float(rule["weight"]) * truth)
    return scores


# ---- Decision and probabilities ------------------------------------------------------------------

@dataclass
class Answer:
    prediction: str
    rule: int  # 0: ELSE
    probabilities: list[float]  # in the order of the classes


def shares_for(counts: list[float], chosen: int) -> list[float]:
    total = add(counts)
    shares = [count / total for count in counts]
    p, q = shares[chosen], max(share for c, share in enumerate(shares) if c != chosen)
    shares[chosen] = max(p, q * ((1 + 1e-9) + 1e-3 * p))
    total = add(shares)
    return [share / total for share in shares]


def decide(model: dict, values: dict) -> Answer:
    classes, rules = model["classes"], model["rules"]
    scores = scores_of(model, values)
    if not scores or max(scores) == 0:
        return answer(model, model["else"], 0)
    if model.get("inference", {}).get("semantics") != "additive":
        strongest = scores.index(max(scores))
        return answer(model, rules[strongest], strongest + 1)
    sums = [add(s for s, rule in zip(scores, rules, strict=True) if rule["then"] == name)
            for name in classes]
    chosen = sums.index(max(sums))
    allied = [s if rule["then"] == classes[chosen] else 0.0
              for s, rule in zip(scores, rules, strict=True)]
    return Answer(classes[chosen], allied.index(max(allied)) + 1, shares_for(sums, chosen))


def answer(model: dict, decider: dict, position: int) -> Answer:
    """The answer if a single rule, or ELSE, decides."""
    sources = [decider.get("decides", {})]
    if position == 0 and not any(sources[0].values()):
        sources = [rule.get("decides", {}) for rule in model["rules"]]
    counts = [1.0] * len(model["classes"])
    for source in sources:
        for c, name in enumerate(model["classes"]):
            counts[c] += float(source.get(name, 0))
    chosen = model["classes"].index(decider["then"])
    return Answer(decider["then"], position, shares_for(counts, chosen))


def predict(model: dict, data: bytes, delimiter: str | None = None,
            codes: tuple[str, ...] = ()) -> list[Answer]:
    """The answers for all rows of a CSV file. Raises DataError where the page specifies an error."""
    return [decide(model, values) for values in read_values(model, data, delimiter, codes)]


def predict_files(model: Path, table: Path, delimiter: str | None = None) -> list[Answer]:
    return predict(json.loads(model.read_bytes()), table.read_bytes(), delimiter)


# ---- Output --------------------------------------------------------------------------------------

def number_text(x: float) -> str:
    if x == 0:
        return "0"
    shortest = Decimal(repr(x)).normalize()
    digits = "".join(map(str, shortest.as_tuple().digits))
    scientific = f"{digits[0]}{'.' if digits[1:] else ''}{digits[1:]}e{shortest.adjusted():+03d}"
    return min(f"{shortest:f}", scientific, key=len)


def field_text(text: str) -> str:
    special = set(text) & set(',;\t"\r\n') or text.strip(" ") != text
    return '"' + text.replace('"', '""') + '"' if special else text


def csv_text(model: dict, answers: list[Answer], proba: bool) -> str:
    """The output of frr predict."""
    classes = model["classes"]
    lines = [["prediction", "probability", "rule", *(f"p({name})" for name in classes if proba)]]
    for a in answers:
        shares = [number_text(share) for share in a.probabilities]
        lines.append([a.prediction, shares[classes.index(a.prediction)], str(a.rule),
                      *(shares if proba else [])])
    return "".join(",".join(map(field_text, line)) + "\n" for line in lines)
