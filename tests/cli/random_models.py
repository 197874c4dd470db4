"""Random models and tables: valid, but as unusual as the format allows. They depend only on the seed."""

import math
import random

INFINITY = math.inf
CLASSES = ("no", "yes", "maybe, later", 'say "x"', " spaced", "0")
CATEGORIES = ("red", "green", "a, b", 'say "x"', "\u00e9t\u00e9", "x y")
NUMBER_LIKE = ("1", "01", "1.0", "1e0", "+1", "-9", "1,5", "1.5")
MISSING_TEXTS = ("", "?", "NA", "na", "N/A", "n/a", "NaN", "nan", "null", "NULL")
TNORMS = {
    "product": ("product", None),
    "minimum": ("minimum",),
    "lukasiewicz": ("lukasiewicz",),
    "hamacher": ("hamacher",),
    "aczel-alsina": ("aczel-alsina", "aczel-alsina", "aczel-alsina:1", "aczel-alsina:1.0000000001",
                     "aczel-alsina:2.5", "aczel-alsina:40", "aczel-alsina:1e3",
                     "aczel-alsina:1.7e308"),
}
ROOTS = (None, 1, 1, 1, 1.5, 2, 3, 100)
WEIGHTS = (1, 1, 0.5, 0.5, 0.8, 0.1, 1 - 2**-53, 1e-300, 5e-324)
COUNTS = (0, 0, 1, 2, 3, 7, 18, 2.5, 2**53)


def random_model(rng: random.Random, tnorm: str, semantics: str, number_like: bool = False) -> dict:
    classes = rng.sample(CLASSES, rng.randint(2, 4))
    features = {}
    for j in range(rng.randint(1, 6)):
        kind = numeric_feature if rng.random() < 0.6 else categorical_feature
        features[f"f{j}"] = kind(rng, number_like)
    rules = []
    for _ in range(rng.choice((0, 1, 2, 4, 8, 12))):
        rules.append(random_rule(rng, features, classes, rules))
    model = {"format": "frr-model", "version": 2, "target": "outcome", "classes": classes,
             "features": features, "rules": rules,
             "else": {"then": rng.choice(classes), **random_counts(rng, classes, 0.5)}}
    inference = {"semantics": semantics, "tnorm": rng.choice(TNORMS[tnorm]),
                 "root": rng.choice(ROOTS)}
    model["inference"] = {key: value for key, value in inference.items() if value is not None}
    if rng.random() < 0.7:
        model["class_rows"] = {name: rng.choice(COUNTS) for name in classes if rng.random() < 0.9}
    if semantics == "additive":
        make_additive(rng, model)
    if rng.random() < 0.3:
        model.setdefault("decisions", {})["refer"] = rng.choice((0.3, 0.6, 0.9, rng.random()))
    return model


def make_additive(rng: random.Random, model: dict) -> None:
    classes = model["classes"]
    model["biases"] = {name: rng.gauss(0, 1) for name in classes if rng.random() < 0.8}
    for part in (*model["rules"], model["else"]):
        if "weight" in part:
            part["weight"] *= rng.choice((1, 3, 700))
        if "decides" in part:
            part["true_for"] = part.pop("decides")
    kind = rng.choice(("plain", "threshold", "by true class", "costs"))
    if kind == "threshold":
        model["decisions"] = {"positive": rng.choice(classes),
                              "threshold": rng.choice((0.1, 0.5, 0.9, 1e-9, rng.random()))}
    elif kind != "plain":
        model["decisions"] = {"costs": {c: random_costs(rng, c, classes, kind) for c in classes}}


def random_costs(rng: random.Random, true: str, classes: list[str], kind: str) -> dict:
    cost = rng.choice((1, 2, 20, 0.25))
    return {d: cost if kind == "by true class" else rng.choice((1, 2, 20, 0.25))
            for d in classes if d != true}


def numeric_feature(rng: random.Random, _number_like: bool) -> dict:
    """Trapezoids with sorted corners; each corner is also sorted over the labels, as the format requires."""
    step, start = rng.choice(((1.0, 0.0), (0.1, -1.0), (2**-52, 1.0), (5e-324, 0.0), (1e-310, 0.0),
                              (1e-300, 0.0), (1e299, -5e299), (1e-9, 1e6)))
    shapes = []
    for _ in range(rng.randint(1, 4)):
        a, b, c, d = sorted(start + step * rng.randint(0, 12) for _ in range(4))
        if rng.random() < 0.3:
            a = b  # crisp
        if rng.random() < 0.3:
            c = d
        if rng.random() < 0.25:
            a = b = -INFINITY
        if rng.random() < 0.25:
            c = d = INFINITY
        shapes.append((a, b, c, d))
    columns = [sorted(column) for column in zip(*shapes, strict=True)]
    labels = {f"label {v}": [x if math.isfinite(x) else None for x in shape]
              for v, shape in enumerate(zip(*columns, strict=True))}
    return {"type": "numeric", "labels": labels, **missing_label(rng)}


def categorical_feature(rng: random.Random, number_like: bool) -> dict:
    pool = CATEGORIES + (NUMBER_LIKE if number_like else ())
    return {"type": "categorical", "categories": rng.sample(pool, rng.randint(1, 5)),
            **missing_label(rng)}


def missing_label(rng: random.Random) -> dict:
    return {"missing": rng.choice(("missing", "not known"))} if rng.random() < 0.5 else {}


def labels_of(feature: dict) -> list[str]:
    labels = [*feature.get("labels", {}), *feature.get("categories", [])]
    return labels + [feature["missing"]] if "missing" in feature else labels


def random_rule(rng: random.Random, features: dict, classes: list[str], rules: list[dict]) -> dict:
    if rules and rng.random() < 0.3:  # the same conditions in another order, for an exact or near tie
        conditions, weight = list(rng.choice(rules)["if"].items()), rng.choice(rules)["weight"]
        rng.shuffle(conditions)
    else:
        names = rng.sample(sorted(features), min(len(features), rng.randint(1, 3)))
        conditions = [(name, rng.choice(labels_of(features[name]))) for name in names]
        weight = rng.choice((*WEIGHTS, 1 - rng.random()))
    return {"if": dict(conditions), "then": rng.choice(classes), "weight": weight,
            **random_counts(rng, classes, 0.2)}


def random_counts(rng: random.Random, classes: list[str], absent: float) -> dict:
    if rng.random() < absent:
        return {}
    return {"decides": {name: rng.choice(COUNTS) for name in classes if rng.random() < 0.7}}


# ---- Tables --------------------------------------------------------------------------------------

def random_values(rng: random.Random, model: dict) -> dict[str, float | str | None]:
    """The values of one row. Half of the rows satisfy the conditions of a rule."""
    values = {name: random_value(rng, feature, rng.choice(labels_of(feature)))
              for name, feature in model["features"].items()}
    if model["rules"] and rng.random() < 0.5:
        for name, label in rng.choice(model["rules"])["if"].items():
            values[name] = random_value(rng, model["features"][name], label)
    elif rng.random() < 0.3:
        values[rng.choice(sorted(values))] = None
    return values


def random_value(rng: random.Random, feature: dict, label: str) -> float | str | None:
    """A value in or near a label, or None for a missing value."""
    if label == feature.get("missing"):
        return None
    if feature["type"] == "categorical":
        return label if rng.random() < 0.9 else rng.choice((*CATEGORIES, "missing", "never seen"))
    corners = [x for x in feature["labels"][label] if x is not None] or [0.0, 0.0]
    low, high = corners[0], corners[-1]
    if rng.random() < 0.5:  # on a slope
        left, right = rng.choice((corners[:2], corners[-2:]))
        return left + (right - left) * rng.choice((0.25, 0.5, 0.75, rng.random()))
    return rng.choice((
        rng.choice(corners),
        math.nextafter(rng.choice(corners), rng.choice((-INFINITY, INFINITY))),
        low + (high - low) * rng.random(),
        low + (high - low) * rng.randint(0, 8) / 8,
        low / 2 + high / 2,
        rng.choice((low - 1, high + 1, -1e308, 1e308)),
    ))


def plain_cell(rng: random.Random, value: float | str | None, _delimiter: str) -> str:
    """The value in a form that all readers of CSV understand."""
    if value is None:
        return rng.choice(MISSING_TEXTS)
    return quoted(value) if isinstance(value, str) else repr(value)


def unusual_cell(rng: random.Random, value: float | str | None, delimiter: str) -> str:
    """The same value in one of its other spellings."""
    if isinstance(value, str):
        cell = quoted(value) if value.strip() != value or rng.random() < 0.5 else value
        cell = quoted(value) if set(cell) & set(',;\t"') else cell
    else:
        cell = rng.choice(MISSING_TEXTS) if value is None else number_spelling(rng, value)
        if delimiter == ";" and value is not None:
            cell = cell.replace(".", ",")
        if delimiter in cell or rng.random() < 0.3:
            cell = '"' + " " * rng.randint(0, 2) + cell + rng.choice(("", " ", "\t")) + '"'
    blank = " " if delimiter == "\t" else rng.choice((" ", "\t", "  "))
    return rng.choice((cell, cell, blank + cell, cell + blank))


def number_spelling(rng: random.Random, value: float) -> str:
    text = f"{value:.17e}" if rng.random() < 0.3 else repr(value)
    if rng.random() < 0.2:
        text = text.replace("e", "E")
    if rng.random() < 0.2 and value >= 0:
        text = "+" + text
    if text.endswith(".0") and rng.random() < 0.5:
        text = text[:-rng.randint(1, 2)]
    return text[1:] if text.startswith("0.") and text != "0." and rng.random() < 0.5 else text


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def random_table(rng: random.Random, model: dict, rows: int, cell=plain_cell,
                 delimiter: str = ",") -> str:
    """One column for each feature, in any order, and two that the model does not read."""
    names = [*model["features"], "row", "outcome"]
    rng.shuffle(names)
    lines = [delimiter.join(names)]
    for row in range(rows):
        values = random_values(rng, model)
        cells = {name: cell(rng, value, delimiter) for name, value in values.items()}
        cells |= {"row": str(row + 1), "outcome": "text" if cell is plain_cell else "1e999"}
        lines.append(delimiter.join(cells[name] for name in names))
    return "\n".join(lines) + "\n"
