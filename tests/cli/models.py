"""Models written by hand, whose probabilities and decisions are derived in the tests that use them."""

import json


def numeric(*labels: str, border: float = 50) -> dict:
    """A feature with crisp labels below and from `border`."""
    low, high = labels
    return {"type": "numeric", "range": [0, 100], "spread": 80,
            "labels": {low: [None, None, border, border], high: [border, border, None, None]}}


def sufficient(**changes) -> dict:
    """1000 rows, of which 50 are ill. IF age IS high: 14 of 98 rows are ill; IF age IS low AND bmi IS
    high: 5 of 101; ELSE: 31 of 801."""
    model = {
        "format": "frr-model", "version": 2, "target": "state", "classes": ["well", "ill"],
        "class_rows": {"well": 950, "ill": 50},
        "features": {"age": numeric("low", "high"), "bmi": numeric("low", "high")},
        "rules": [
            {"if": {"age": "high"}, "then": "well", "weight": 1,
             "decides": {"well": 84, "ill": 14}, "covers": 98},
            {"if": {"age": "low", "bmi": "high"}, "then": "well", "weight": 0.5,
             "decides": {"well": 96, "ill": 5}, "covers": 101},
        ],
        "else": {"then": "well", "decides": {"well": 770, "ill": 31}, "covers": 801},
    }
    return model | changes


def additive(**changes) -> dict:
    """Two classes: log-odds of ill = -2 + 1.5 (age IS high) - 0.5 (bmi IS low)."""
    model = {
        "format": "frr-model", "version": 2, "target": "state", "classes": ["well", "ill"],
        "inference": {"semantics": "additive"},
        "class_rows": {"well": 90, "ill": 10}, "biases": {"ill": -2},
        "decisions": {"positive": "ill"},
        "features": {"age": numeric("low", "high"), "bmi": numeric("low", "high")},
        "rules": [
            {"if": {"age": "high"}, "then": "ill", "weight": 1.5,
             "true_for": {"well": 12, "ill": 8}, "covers": 20},
            {"if": {"bmi": "low"}, "then": "well", "weight": 0.5,
             "true_for": {"well": 50, "ill": 3}, "covers": 53},
        ],
        "else": {"then": "well", "true_for": {"well": 30, "ill": 1}, "covers": 31},
    }
    return model | changes


def scorecard() -> dict:
    """Log-odds of ill = -2 + 0.5 x points: +3 for age IS high, -1 for bmi IS low."""
    model = additive(nats_per_point=0.5)
    model["rules"][0]["points"] = 3
    model["rules"][1]["points"] = -1
    return model


def three_classes(**changes) -> dict:
    """ELSE decides all of 100 rows: 50 a, 30 b and 20 c."""
    model = {
        "format": "frr-model", "version": 2, "target": "kind", "classes": ["a", "b", "c"],
        "class_rows": {"a": 50, "b": 30, "c": 20},
        "features": {"age": numeric("low", "high")},
        "rules": [{"if": {"age": "high"}, "then": "b", "weight": 1,
                   "decides": {"a": 4, "b": 5, "c": 1}, "covers": 10}],
        "else": {"then": "a", "decides": {"a": 46, "b": 25, "c": 19}, "covers": 90},
    }
    return model | changes


def without_counts() -> dict:
    model = sufficient()
    del model["class_rows"]
    for rule in (*model["rules"], model["else"]):
        del rule["decides"], rule["covers"]
    return model


def text(model: dict) -> str:
    return json.dumps(model)
