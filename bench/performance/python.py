"""Compares the Python package with the program and the library to measure the overhead of Python."""

import importlib.util
import json
from pathlib import Path

from performance.child import CannotMeasure, Server, in_turns
from performance.context import Context
from performance.figure import Figure, missing
from performance.prediction import COLUMNS, model_of, sizes

RIVALS = Path(__file__).parent / "rivals.py"
FIT = {"bar": 1.05, "goal": 1.02, "at_least": False}
PREDICT = {"bar": 1.3, "goal": 1.1, "at_least": False}


def needs_package(context: Context) -> None:
    if importlib.util.find_spec("frr") is None:
        raise CannotMeasure("the Python package is not installed (.venv/bin/pip install .)")
    context.needs("pandas")


def measure_fit(context: Context) -> list[Figure]:
    rows = 500 if context.quick else 100_000
    name = f"fit of {rows:,} rows from Python against the program"
    try:
        needs_package(context)
        table = context.generated(rows, COLUMNS)
        options = ["2", "0"] if context.quick else []
        with Server([context.python, RIVALS, "python-fit", table, *options]) as ours:
            best = in_turns(context.repetitions, ours=lambda: ours.ask("fit"),
                            theirs=lambda: context.train(table, one_core=True).seconds)
    except CannotMeasure as error:
        return [missing(name, str(error), **FIT)]
    return [Figure(name, best["ours"], best["theirs"], ratio=best["ours"] / best["theirs"], **FIT,
                   note="from a numpy array to a fitted estimator, compared with the training alone")]


def measure_predict(context: Context) -> list[Figure]:
    many = sizes(context)[1]
    figures = []
    for form in ("float64", "float32"):
        name = f"predict of {many:,} rows of {form} from Python against C++"
        try:
            needs_package(context)
            tool, model = context.tool("frr_bench"), model_of(context, False)
            table = context.generated(many, COLUMNS)
            with (Server([tool, "predict", model, table, 1, form]) as matrix,
                  Server([tool, "predict", model, table, 1]) as columns,
                  Server([context.python, RIVALS, "python-predict", model, table, form]) as ours):
                model_size = json.loads(matrix.ready)
                best = in_turns(2 * context.repetitions, matrix=matrix.ask, columns=columns.ask,
                                **{way: lambda way=way: ours.ask(way)
                                   for way in json.loads(ours.ready)})
        except CannotMeasure as error:
            figures.append(missing(name, str(error), **PREDICT))
            continue
        note = f"{model_size['rules']} rules with {model_size['conditions']} conditions, row by row in memory"
        figures += [
            Figure(name, best["rows"], best["matrix"], ratio=best["rows"] / best["matrix"],
                   **PREDICT, note=note),
            Figure("  column by column (Fortran order)", best["columns in Python"],
                   best["columns"], ratio=best["columns in Python"] / best["columns"]),
            Figure("  row by row against C++ with columns", best["rows"], best["columns"],
                   ratio=best["rows"] / best["columns"])]
    return figures
