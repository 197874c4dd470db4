"""Models written by hand, whose probabilities follow from the counts and weights below."""

import json

from frr import FRRClassifier

# Crisp labels: low up to 10, high from there on; and categories.
FEATURES = {
    "x": {
        "type": "numeric",
        "range": [0, 20],
        "spread": 20,
        "labels": {"low": [None, None, 10, 10], "high": [10, 10, None, None]},
    },
    "z": {"type": "categorical", "categories": ["a", "b"]},
}


def model_file(classes, rules, otherwise, *, semantics="sufficient", **parts) -> str:
    """The text of a model file."""
    return json.dumps(
        {
            "format": "frr-model",
            "version": 2,
            "target": "state",
            "classes": classes,
            "inference": {"semantics": semantics, "tnorm": "product", "root": 1},
            **parts,
            "features": FEATURES,
            "rules": rules,
            "else": otherwise,
            "training": {
                "version": "0",
                "data": "",
                "rows": 100,
                "epochs": 0,
                "train_accuracy": 0,
                "agreement": 100,
                "stopped_early": False,
                "settings": {"semantics": semantics},
                "notes": [],
            },
        }
    )


def load(text: str, path) -> FRRClassifier:
    file = path / "model.json"
    file.write_text(text)
    return FRRClassifier.load(file)


def patients(**parts) -> str:
    """10 of 100 rows are ill. Where x is high, 3 of 10 are; where z is b, 1 of 20 is; otherwise 6
    of 70."""
    return model_file(
        ["ill", "well"],
        [
            {"if": {"x": "high"}, "then": "well", "weight": 1,
             "decides": {"ill": 3, "well": 7}, "covers": 10},
            {"if": {"z": "b"}, "then": "well", "weight": 0.5,
             "decides": {"ill": 1, "well": 19}, "covers": 25},
        ],
        {"then": "well", "decides": {"ill": 6, "well": 64}, "covers": 70},
        class_rows={"ill": 10, "well": 90},
        **parts,
    )  # fmt: skip


# (x, z) of a row for each rule and for ELSE.
ROWS = [[15.0, "a"], [5.0, "b"], [5.0, "a"]]
ILL = [(3 + 0.1) / 11, (1 + 0.1) / 21, (6 + 0.1) / 71]


def three_classes(**parts) -> str:
    """Additive rules for three classes."""
    return model_file(
        ["10", "2", "3"],
        [
            {"if": {"x": "high"}, "then": "2", "weight": 1.5, "true_for": {"2": 8, "10": 2},
             "covers": 10},
            {"if": {"z": "b"}, "then": "3", "weight": 0.75, "true_for": {"3": 5}, "covers": 5},
            {"if": {"x": "high", "z": "b"}, "then": "10", "weight": 0.25, "covers": 0},
        ],
        {"then": "10", "true_for": {"10": 6}, "covers": 6},
        semantics="additive",
        class_rows={"10": 10, "2": 8, "3": 6},
        biases={"10": 0.5, "2": -0.25, "3": 0},
        **parts,
    )  # fmt: skip


# Scores of the classes 10, 2 and 3 for rows (x, z): the bias plus the weights of rules that apply.
SCORES = {
    (5.0, "a"): (0.5, -0.25, 0.0),
    (15.0, "a"): (0.5, 1.25, 0.0),
    (5.0, "b"): (0.5, -0.25, 0.75),
    (15.0, "b"): (0.75, 1.25, 0.75),
}


def scorecard(**parts) -> str:
    """Points 3 (x is high) and -2 (z is b) of half a nat, from log-odds of -1."""
    return model_file(
        ["ill", "well"],
        [
            {"if": {"x": "high"}, "then": "ill", "weight": 1.5, "points": 3,
             "true_for": {"ill": 6, "well": 4}, "covers": 10},
            {"if": {"z": "b"}, "then": "well", "weight": 1.0, "points": -2,
             "true_for": {"ill": 1, "well": 19}, "covers": 20},
        ],
        {"then": "well", "true_for": {"ill": 2, "well": 68}, "covers": 70},
        semantics="additive",
        class_rows={"ill": 10, "well": 90},
        biases={"ill": -0.5, "well": 0.5},
        decisions={"positive": "ill"},
        nats_per_point=0.5,
        **parts,
    )  # fmt: skip
