"""Models that no training gives: random ones, full of ties, and with hostile names."""

import json
import random
from pathlib import Path

from cases import Case, Decision, Row, decide, edge_rows, expected_of

TNORMS = ("product", "minimum", "lukasiewicz", "hamacher")

# Markup, quotes, the ends of comments and sections, other alphabets, blanks, and names that
# exporters use.
HOSTILE_NAMES = (
    "<script>alert('1')</script>",
    "]]> & -->",
    'it\'s "odd"',
    "\N{SNOWMAN} \N{GREEK SMALL LETTER MU}\U0001f600",
    "x" * 300,
    "two\nlines\tand\r\nmore",
    " blanks ",
    "d1",
    "s1",
    "best",
    "winner",
    "class",
    "rule",
    "probability",
    "probabilities",
    "probability(d1)",
    "edges",
    "degrees",
    "strengths",
    "numbers",
    "texts",
    "&amp;",
)
CONTROL_NAMES = (
    "\x01bell\x07",
    "\x1f",
    "nul\0",
    "\N{SYMBOL FOR START OF HEADING}bell\N{SYMBOL FOR BELL}",
    "\ufffe\uffff",
)


BOOLEANS = [("False", "True"), ("false", "true"), ("NO", "YES"), ("f", "t")]


def boolean_model(folder: Path, no: str, yes: str) -> Path:
    """"ill" for yes, "well" for no, otherwise "other"."""
    features = {"smoker": {"type": "categorical", "categories": [no, yes]}}
    rules = [
        {"if": {"smoker": yes}, "then": "ill", "weight": 1},
        {"if": {"smoker": no}, "then": "well", "weight": 1},
    ]
    return write(model_of(features, rules, ["ill", "well", "other"]), folder)


def model_of(
    features: dict, rules: list, classes: list[str], tnorm: str = "product", target: str = "target"
) -> dict:
    return {
        "format": "frr-model",
        "version": 1,
        "target": target,
        "classes": classes,
        "inference": {"semantics": "sufficient", "tnorm": tnorm, "root": 1},
        "features": features,
        "rules": rules,
        "else": {"then": classes[-1]},
    }


def write(model: dict, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "model.json"
    path.write_text(json.dumps(model), encoding="utf-8")
    return path


def random_model(chance: random.Random, tnorm: str) -> dict:
    """Corners on a grid and few weights, so that rules are often equally strong."""
    features: dict[str, dict] = {
        "word": {"type": "categorical", "categories": ["a", "b", "c"], "missing": "unknown"},
        "kind": {"type": "categorical", "categories": ["a", "b"]},
    }
    for name in ("p", "q", "r", "s"):
        a, b, c, d = sorted(chance.randrange(9) / 4 for _ in range(4))
        labels = {"low": [None, None, a, b], "medium": [a, b, c, d], "high": [c, d, None, None]}
        features[name] = {"type": "numeric", "labels": labels}
        if chance.random() < 0.5:
            features[name]["missing"] = "unknown"
    features["s"]["labels"] = {"any": [None, None, None, None]}
    rules = []
    for _ in range(chance.randrange(1, 16)):
        chosen = chance.sample(list(features), chance.randrange(1, 6))
        labels = {
            name: chance.choice(
                [
                    *features[name].get("labels", features[name].get("categories")),
                    *([features[name]["missing"]] if "missing" in features[name] else []),
                ]
            )
            for name in chosen
        }
        rules.append(
            {
                "if": labels,
                "then": chance.choice("xyz"),
                "weight": chance.choice([1, 0.5, 0.7, 0.35]),
            }
        )
    return model_of(features, rules, ["x", "y", "z"], tnorm)


def random_row(chance: random.Random, inputs: dict[str, dict]) -> Row:
    return {
        name: None
        if chance.random() < 0.1
        else chance.choice("abcd")
        if feature["type"] == "categorical"
        else chance.choice([chance.randrange(9) / 4, chance.random() * 2])
        for name, feature in inputs.items()
    }


def random_cases(folder: Path, count: int, rows: int = 200) -> list[Case]:
    result = []
    for seed in range(count):
        chance = random.Random(seed)
        model = random_model(chance, TNORMS[seed % len(TNORMS)])
        own = folder / str(seed)
        case = Case(f"random_{seed}", write(model, own), [], [])
        case.rows = [random_row(chance, case.inputs) for _ in range(rows)]
        case.rows += edge_rows(case.inputs, case.rows, 1)
        case.expected = expected_of(case.path, model, case.rows, own)
        result.append(case)
    return result


def largest_model() -> dict:
    """15 rules of 3 conditions without common labels; both sides of each label are slopes."""
    features = {
        f"column number {i}": {
            "type": "numeric",
            "labels": {"in between": [i / 7, i / 3, i, i + 1 / 9]},
        }
        for i in range(1, 46)
    }
    names = list(features)
    rules = [
        {
            "if": dict.fromkeys(names[3 * r : 3 * r + 3], "in between"),
            "then": f"class {r % 5}",
            "weight": 1 / (r + 1.1),
        }
        for r in range(15)
    ]
    return model_of(features, rules, [f"class {c}" for c in range(5)])


def hostile_case(folder: Path, names: tuple[str, ...], categories: tuple[str, ...] = ()) -> Case:
    """Each name is that of a column, a label and a class; rules also test `categories`."""
    features: dict[str, dict] = {
        name: {"type": "numeric", "labels": {name: [0, 1, 2, 3]}} for name in names
    }
    rules = [{"if": {name: name}, "then": name, "weight": 1} for name in names]
    if categories:
        features["categories"] = {"type": "categorical", "categories": list(categories)}
        rules += [
            {"if": {"categories": text}, "then": names[0], "weight": 0.5} for text in categories
        ]
    model = model_of(features, rules, [*names, "other"], target='<target> & "more"')
    case = Case("hostile", write(model, folder), [], [])
    nothing: Row = dict.fromkeys(features)
    case.rows = [
        nothing,
        *({**nothing, name: 1.5} for name in names),
        *({**nothing, "categories": text} for text in categories),
    ]
    case.expected = [Decision(*decide(model, row), 0.0) for row in case.rows]
    return case
