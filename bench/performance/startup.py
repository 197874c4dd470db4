"""Measures small jobs: printing the version, and training on iris from file to model."""

import importlib.util
from pathlib import Path

from performance.child import CannotMeasure, in_turns, run
from performance.context import ROOT, Context
from performance.figure import Figure, missing

VERSION = {"bar": 10, "goal": 3, "at_least": False}
IRIS = {"bar": 60, "goal": 20, "at_least": False}


def iris(context: Context) -> tuple[Path, str]:
    """The iris table as CSV, from scikit-learn if installed, otherwise the built-in one; and its source."""
    if importlib.util.find_spec("sklearn") is None:
        return ROOT / "data" / "iris.csv", "built-in data"
    from sklearn.datasets import load_iris

    found = load_iris()
    context.work.mkdir(parents=True, exist_ok=True)
    path = context.work / "iris.csv"
    lines = [",".join([*found.feature_names, "class"])]
    lines += [",".join([*(f"{value:g}" for value in row), str(found.target_names[kind])])
              for row, kind in zip(found.data, found.target, strict=True)]
    path.write_text("\n".join(lines) + "\n")
    return path, "scikit-learn's data"


def measure(context: Context) -> list[Figure]:
    try:
        table, source = iris(context)
        times = 3 if context.quick else 30
        version = in_turns(times, ours=lambda: run([context.program, "--version"]).seconds)
        train = in_turns(times if context.quick else 10,
                         ours=lambda: context.train(table).whole)
    except CannotMeasure as error:
        return [missing("frr --version, milliseconds", str(error), **VERSION)]
    note = "with the start of a process"
    return [Figure("frr --version, milliseconds", version["ours"], ratio=1e3 * version["ours"],
                   **VERSION, note=note),
            Figure("frr train on iris, milliseconds", train["ours"], ratio=1e3 * train["ours"],
                   **IRIS, note=f"{source}, one thread, {note}")]
