#!/usr/bin/env python3
"""Runs other learners on the same folds. Each has a small adapter.

    peers.py LEARNER DATA.csv FOLDS.txt A,B SEED    as `frr cv --json`; A,B are categorical columns

Every learner gets numbers and one-hot columns. Size is the number of conditions in all rules, where the
rules of a tree are the paths to its leaves; unique counts distinct (feature, threshold, direction).
"""

import csv
import importlib.metadata
import importlib.util
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Rules = list[list[tuple]]  # the conditions of every rule


@dataclass(frozen=True)
class Peer:
    title: str
    package: str  # on the package index
    module: str
    make: Callable[[int], Any]  # seed -> an estimator with fit and predict
    rules: Callable[[Any], Rules] | None = None  # None: the learner has no rules


def tree_rules(model: Any) -> Rules:
    tree = model.tree_

    def walk(node: int, path: list[tuple]) -> Iterator[list[tuple]]:
        if tree.children_left[node] < 0:
            yield path
            return
        split = (int(tree.feature[node]), float(tree.threshold[node]))
        yield from walk(tree.children_left[node], [*path, (*split, "<=")])
        yield from walk(tree.children_right[node], [*path, (*split, ">")])

    return list(walk(0, []))


def figs_rules(model: Any) -> Rules:
    def walk(node: Any, path: list[tuple]) -> Iterator[list[tuple]]:
        if node.left is None and node.right is None:
            yield path
            return
        split = (int(node.feature), float(node.threshold))
        yield from walk(node.left, [*path, (*split, "<=")])
        yield from walk(node.right, [*path, (*split, ">")])

    return [path for root in model.trees_ for path in walk(root, [])]


def ferl_rules(model: Any) -> Rules:
    """Every node of the tree votes, so each is a rule; the root is the default."""
    return [list(zip(node["path_features"], node["path_fuzzy_sets"], strict=True))
            for node in model._extract_all_nodes() if node["path_features"]]


class Ripper:
    """The RIPPER of wittgenstein supports two classes. As in Cohen's RIPPER, learns rules for each class against
    the remaining ones, from the rarest class on, and then removes the rows that they cover. The most frequent
    class is the default."""

    def __init__(self, seed: int):
        self.seed = seed

    def fit(self, x: Any, y: Any) -> "Ripper":
        import numpy as np
        import wittgenstein

        labels, counts = np.unique(y, return_counts=True)
        *others, self.default = labels[np.argsort(counts, kind="stable")]
        self.models = []
        for label in others:
            model = wittgenstein.RIPPER(random_state=self.seed)
            model.fit(self.frame(x), y=(y == label).astype(int), pos_class=1)
            self.models.append((label, model))
            rest = ~np.asarray(model.predict(self.frame(x)), dtype=bool)
            x, y = x[rest], y[rest]
            if not (y != self.default).any():
                break
        return self

    def predict(self, x: Any) -> Any:
        import numpy as np

        result = np.full(len(x), self.default)
        for label, model in reversed(self.models):
            result[np.asarray(model.predict(self.frame(x)), dtype=bool)] = label
        return result

    @staticmethod
    def frame(x: Any) -> Any:
        import pandas

        return pandas.DataFrame(x, columns=[f"x{i}" for i in range(x.shape[1])])


def ripper_rules(model: Ripper) -> Rules:
    return [[(cond.feature, cond.val) for cond in rule.conds]
            for _, binary in model.models for rule in binary.ruleset_.rules]


def make_tree(seed: int, **limits: Any) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(random_state=seed, **limits)


def make_logistic(seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000, random_state=seed))


def make_boosting(seed: int) -> Any:
    from sklearn.ensemble import GradientBoostingClassifier

    return GradientBoostingClassifier(n_estimators=100, random_state=seed)


def make_figs(seed: int) -> Any:
    from imodels import FIGSClassifier

    return FIGSClassifier(max_rules=15, random_state=seed)


def make_ferl(seed: int) -> Any:
    from ex_fuzzy.ferl import FERL

    return FERL(max_rules=15, max_depth=3, random_state=seed)


PEERS = {
    "cart_15leaves": Peer("CART, 15 leaves", "scikit-learn", "sklearn",
                          lambda seed: make_tree(seed, max_leaf_nodes=15), tree_rules),
    "cart_depth3": Peer("CART, depth 3", "scikit-learn", "sklearn",
                        lambda seed: make_tree(seed, max_depth=3), tree_rules),
    "cart_ccp": Peer("CART, ccp 0.001", "scikit-learn", "sklearn",
                     lambda seed: make_tree(seed, ccp_alpha=0.001), tree_rules),
    "lr": Peer("logistic regression", "scikit-learn", "sklearn", make_logistic),
    "gb": Peer("GradientBoosting (100)", "scikit-learn", "sklearn", make_boosting),
    "figs15": Peer("FIGS, 15 splits (imodels)", "imodels", "imodels", make_figs, figs_rules),
    "ripper": Peer("RIPPER (wittgenstein)", "wittgenstein", "wittgenstein", Ripper, ripper_rules),
    "ferl": Peer("FERL (ex-fuzzy), 15 rules, depth 3", "ex-fuzzy", "ex_fuzzy", make_ferl,
                 ferl_rules),
}


def installed(name: str) -> bool:
    return importlib.util.find_spec(PEERS[name].module) is not None


def identity(name: str) -> str:
    """A hash that changes with the packages or with this file."""
    version = importlib.metadata.version(PEERS[name].package)
    return f"{version} {platform.python_version()} {Path(__file__).read_text()}"


def read_table(data: Path, categorical: set[str]) -> tuple[Any, Any, Any]:
    """Reads numbers, categories and classes. A column is categorical unless all its values are numbers."""
    import numpy as np

    with data.open(newline="") as file:
        header, *rows = csv.reader(file)
    numbers, names = [], []
    for title, column in zip(header[:-1], list(zip(*rows, strict=True))[:-1], strict=True):
        try:
            if title in categorical:
                raise ValueError
            numbers.append([float(value) for value in column])
        except ValueError:
            names.append(column)
    shape = (-1, len(rows))
    _, classes = np.unique([row[-1] for row in rows], return_inverse=True)
    return np.array(numbers, float).reshape(shape).T, np.array(names, str).reshape(shape).T, classes


def encode(numbers: Any, names: Any, train: Any, test: Any) -> tuple[Any, Any]:
    """Training and test rows with one-hot categories. A category that training has not seen is all zeros."""
    import numpy as np
    from sklearn.preprocessing import OneHotEncoder

    if not names.shape[1]:
        return numbers[train], numbers[test]
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(names[train])
    return (np.hstack([numbers[train], encoder.transform(names[train])]),
            np.hstack([numbers[test], encoder.transform(names[test])]))


def run_fold(peer: Peer, seed: int, train: tuple, test: tuple) -> dict[str, float | None]:
    import numpy as np

    np.random.seed(seed)  # imodels passes no seed to its stumps
    model = peer.make(seed)
    start = time.perf_counter()
    model.fit(*train)
    seconds = time.perf_counter() - start
    rules = peer.rules(model) if peer.rules else None
    return {"accuracy": 100 * float((model.predict(test[0]) == test[1]).mean()),
            "train_accuracy": 100 * float((model.predict(train[0]) == train[1]).mean()),
            "rules": None if rules is None else len(rules),
            "conditions": None if rules is None else sum(map(len, rules)),
            "unique_conditions": None if rules is None else len({c for r in rules for c in r}),
            "fit_seconds": seconds}


def mean_of(folds: list[dict]) -> dict[str, float | None]:
    return {key: None if folds[0][key] is None else sum(fold[key] for fold in folds) / len(folds)
            for key in folds[0]}


def cross_validate(name: str, data: Path, folds_file: Path, categorical: set[str],
                   seed: int) -> dict:
    import numpy as np

    numbers, names, classes = read_table(data, categorical)
    fold_of = np.array(folds_file.read_text().split(), int)
    folds = []
    for fold in np.unique(fold_of):
        test = fold_of == fold
        x_train, x_test = encode(numbers, names, ~test, test)
        folds.append(run_fold(PEERS[name], seed, (x_train, classes[~test]),
                              (x_test, classes[test])))
    return {"dataset": data.stem, "rows": len(classes),
            "features": numbers.shape[1] + names.shape[1], "classes": int(classes.max()) + 1,
            "folds": folds, "mean": mean_of(folds)}


def main() -> None:
    import warnings

    warnings.filterwarnings("ignore")  # warnings of the packages are of no interest here
    name, data, folds, categorical, seed = sys.argv[1:]
    result = cross_validate(name, Path(data), Path(folds), set(categorical.split(",")), int(seed))
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
