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
    referred: bool = False


def counts(model: dict, rows: dict) -> list[float]:
    return [float(rows.get(name, 0)) for name in model["classes"]]


def base_rates(model: dict) -> list[float]:
    sources = [model["class_rows"]] if "class_rows" in model else []
    if not sources and not is_additive(model):
        sources = [part.get("decides", {}) for part in (model["else"], *model["rules"])]
    rows = [add(column) for column in zip(*(counts(model, source) for source in sources), strict=True)]
    total = add(rows)
    classes = len(model["classes"])
    return [row / total for row in rows] if total > 0 else [1 / classes] * classes


def is_additive(model: dict) -> bool:
    return model.get("inference", {}).get("semantics") == "additive"


def refers(model: dict, probabilities: list[float], applies: bool) -> bool:
    limit = model.get("decisions", {}).get("refer", 0)
    return limit > 0 and (not applies or max(probabilities) < limit)


def decide(model: dict, values: dict) -> Answer:
    scores = scores_of(model, values)
    if is_additive(model):
        return decide_additive(model, scores)
    strongest = scores.index(max(scores)) if scores and max(scores) > 0 else -1
    decider = model["rules"][strongest] if strongest >= 0 else model["else"]
    rows = counts(model, decider.get("decides", {}))
    probabilities = [(n + b) / (add(rows) + 1)
                     for n, b in zip(rows, base_rates(model), strict=True)]
    return Answer(decider["then"], strongest + 1, probabilities,
                  refers(model, probabilities, strongest >= 0))


def decide_additive(model: dict, scores: list[float]) -> Answer:
    classes, rules = model["classes"], model["rules"]
    sums = [add((float(model["biases"].get(name, 0)),
                 *(s for s, rule in zip(scores, rules, strict=True) if rule["then"] == name)))
            for name in classes]
    powers = [math.exp(s - max(sums)) for s in sums]
    probabilities = [power / add(powers) for power in powers]
    chosen = choose(model, sums, probabilities)
    allied = [s if rule["then"] == classes[chosen] else 0.0
              for s, rule in zip(scores, rules, strict=True)]
    rule = allied.index(max(allied)) + 1 if allied and max(allied) > 0 else 0
    applies = any(s > 0 for s in scores)
    return Answer(classes[chosen], rule, probabilities, refers(model, probabilities, applies))


def choose(model: dict, sums: list[float], probabilities: list[float]) -> int:
    """The index of the class that the decisions give for additive rules."""
    classes, decisions = model["classes"], model.get("decisions", {})
    every = range(len(classes))
    threshold = decisions.get("threshold")
    if threshold is not None:
        positive = classes.index(decisions["positive"])
        if len(classes) == 2:
            event = sums[positive] + math.log((1 - threshold) / threshold)
            return 1 - positive if sums[1 - positive] > event else positive
        if probabilities[positive] >= threshold:
            return positive
        return max((c for c in every if c != positive), key=lambda c: probabilities[c])
    if "costs" not in decisions:
        return max(every, key=lambda c: sums[c])
    costs = [[0.0 if c == d else float(decisions["costs"][classes[c]][classes[d]]) for d in every]
             for c in every]
    if all(len({costs[c][d] for d in every if d != c}) == 1 for c in every):
        return max(every, key=lambda c: sums[c] + math.log(max(costs[c])))
    return min(every, key=lambda d: add(probabilities[c] * costs[c][d] for c in every))


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
    refer = model.get("decisions", {}).get("refer", 0) > 0
    lines = [["prediction", "probability", "rule", *(["referred"] * refer),
              *(f"p({name})" for name in classes if proba)]]
    for a in answers:
        shares = [number_text(share) for share in a.probabilities]
        lines.append([a.prediction, shares[classes.index(a.prediction)], str(a.rule),
                      *(["yes" if a.referred else "no"] * refer), *(shares if proba else [])])
    return "".join(",".join(map(field_text, line)) + "\n" for line in lines)
