"""An independent reading of a model file, for many values of one feature at once."""

import itertools

import numpy as np

MISSING = {"", "?", "na", "n/a", "nan", "null"}


def is_missing(text: str) -> bool:
    return text.strip().lower() in MISSING


def trapezoid(shape: list, x: np.ndarray) -> np.ndarray:
    a, b, c, d = shape
    degree = np.ones_like(x)
    if c is not None and d > c:
        degree = np.where(x > c, (d - x) / (d - c), degree)
    if b is not None and b > a:
        degree = np.where(x < b, (x - a) / (b - a), degree)
    if a is not None:
        degree = np.where(x < a, 0.0, degree)
    return degree if d is None else np.where(x >= d, 0.0, degree)


def membership(feature: dict, label: str, text: str) -> float:
    if is_missing(text):
        return float(label == feature.get("missing"))
    if feature["type"] == "categorical":
        return float(text == label and label in feature["categories"])
    if label not in feature["labels"]:
        return 0.0
    return float(trapezoid(feature["labels"][label], np.array([float(text)]))[0])


def memberships(feature: dict, label: str, x: np.ndarray) -> np.ndarray:
    return trapezoid(feature["labels"][label], x) if label in feature["labels"] else np.zeros_like(x)


def conjunction(tnorm: str, degrees: np.ndarray) -> np.ndarray:
    """The conjunction of the rows of `degrees`, one row per condition."""
    name, _, parameter = tnorm.partition(":")
    if name == "product":
        return degrees.prod(axis=0)
    if name == "minimum" or len(degrees) == 1:
        return degrees.min(axis=0)
    if name == "lukasiewicz":
        return np.maximum(0.0, degrees.sum(axis=0) - (len(degrees) - 1))
    with np.errstate(divide="ignore"):
        if name == "hamacher":
            return 1 / (1 + ((1 - degrees) / degrees).sum(axis=0))
        power = float(parameter)
        return np.exp(-(((-np.log(degrees)) ** power).sum(axis=0) ** (1 / power)))


def rule_scores(model: dict, row: dict[str, str]) -> list[float]:
    how = model["inference"]
    scores = []
    for rule in model["rules"]:
        degrees = np.array([[membership(model["features"][name], label, row[name])]
                            for name, label in rule["if"].items()])
        truth = conjunction(how["tnorm"], degrees)[0] ** (1 / how["root"])
        scores.append(rule["weight"] * float(truth))
    return scores


class Line:
    """The scores of all classes while one feature takes the values `x` and the others are as in `row`."""

    def __init__(self, model: dict, row: dict[str, str], moved: str, x: np.ndarray):
        how = model["inference"]
        self.classes = model["classes"]
        self.otherwise = self.classes.index(model["else"]["then"])
        self.additive = how["semantics"] == "additive"
        self.scores = np.zeros((len(self.classes), len(x)))
        if self.additive:
            self.scores += np.array([[model["biases"].get(name, 0)] for name in self.classes])
        for rule in model["rules"]:
            degrees = np.array([
                memberships(model["features"][name], label, x) if name == moved
                else np.full(len(x), membership(model["features"][name], label, row[name]))
                for name, label in rule["if"].items()])
            score = rule["weight"] * conjunction(how["tnorm"], degrees) ** (1 / how["root"])
            own = self.scores[self.classes.index(rule["then"])]
            if self.additive:
                own += score
            else:
                np.maximum(own, score, out=own)
        if self.additive:
            self.scores = preferences(model, softmax(self.scores))

    def differs(self, present: str) -> np.ndarray:
        """Where another class wins, and not only by rounding."""
        c = self.classes.index(present)
        rest = np.delete(self.scores, c, axis=0).max(axis=0)
        present_score = self.scores[c]
        if self.additive:
            return rest > present_score + 1e-9 * np.abs(np.nan_to_num(present_score, posinf=0, neginf=0))
        wins = rest > present_score * (1 + 1e-9) + 1e-12
        silent = self.scores.max(axis=0) == 0
        return np.where(silent, self.otherwise != c, wins)


def base_rates(model: dict) -> np.ndarray:
    """The shares of the classes in the training rows; all are equal if the model does not know them."""
    counts = model.get("class_rows")
    if counts is None and model["inference"]["semantics"] == "sufficient":
        parts = [part.get("decides", {}) for part in (*model["rules"], model["else"])]
        counts = {name: sum(part.get(name, 0) for part in parts) for name in model["classes"]}
    rows = np.array([(counts or {}).get(name, 0) for name in model["classes"]], dtype=float)
    return rows / rows.sum() if rows.sum() > 0 else np.full(len(rows), 1 / len(rows))


def rule_probabilities(model: dict, part: dict) -> np.ndarray:
    """Those of the training rows of a rule or of ELSE, and of one row of average composition."""
    key = "decides" if model["inference"]["semantics"] == "sufficient" else "true_for"
    counts = np.array([part.get(key, {}).get(name, 0) for name in model["classes"]], dtype=float)
    return (counts + base_rates(model)) / (counts.sum() + 1)


def softmax(sums: np.ndarray) -> np.ndarray:
    shares = np.exp(sums - sums.max(axis=0))
    return shares / shares.sum(axis=0)


def preferences(model: dict, probabilities: np.ndarray) -> np.ndarray:
    """Numbers by class and case, of which the largest decides under the model's policy."""
    policy, classes = model.get("decisions", {}), model["classes"]
    result = probabilities.copy()
    if "costs" in policy:
        costs = np.array([[policy["costs"][a].get(b, 0) for b in classes] for a in classes])
        result = -(costs.T @ probabilities)
    if "threshold" in policy:
        c = classes.index(policy["positive"])
        result[c] = np.where(probabilities[c] >= policy["threshold"], np.inf, -np.inf)
    return result


def scale(feature: dict) -> float:
    """The unit in which a change of a number is measured."""
    low, high = feature["range"]
    return feature["spread"] or (high - low) or 1.0


def grid(model: dict, name: str, count: int) -> np.ndarray:
    """Values of a feature, close enough everywhere to miss no change."""
    feature = model["features"][name]
    corners = sorted({x for shape in feature["labels"].values() for x in shape if x is not None})
    unit = scale(feature)
    ends = (corners[0] - unit, corners[-1] + unit)
    pieces = [np.linspace(*ends, count), np.array(corners)]
    pieces += [np.linspace(a, b, 200) for a, b in itertools.pairwise(corners)]
    return np.unique(np.concatenate(pieces))


def nearest_change(model: dict, row: dict[str, str], name: str, present: str,
                   values: np.ndarray) -> float | None:
    """The distance to the nearest of `values` that changes the class, or None."""
    changed = values[Line(model, row, name, values).differs(present)]
    return float(np.abs(changed - float(row[name])).min()) if len(changed) else None


def category_changes(model: dict, row: dict[str, str], name: str, present: str) -> list[str]:
    """The categories of a feature that change the class."""
    still = np.zeros(1)
    return [category for category in model["features"][name]["categories"]
            if Line(model, {**row, name: category}, "", still).differs(present)[0]]
