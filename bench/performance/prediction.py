"""Measures prediction in memory, compared with trees, and of a CSV file, compared with reading it."""

import json
from pathlib import Path

from performance.child import CannotMeasure, Server, in_turns, run
from performance.context import Context
from performance.figure import Figure, missing

COLUMNS = 20
XGBOOST = {"bar": 10, "goal": 30}
TREE = {"bar": 1.5, "goal": 4}
READ = {"bar": 0.5, "goal": 0.25, "at_least": False}
RIVALS = Path(__file__).with_name("rivals.py")


def sizes(context: Context) -> tuple[int, int]:
    """Rows to train on and rows to predict."""
    return (500, 2_000) if context.quick else (10_000, 1_000_000)


def model_of(context: Context, polish: bool) -> Path:
    """Trains without the search, which keeps all 15 rules with about three conditions each."""
    model = context.work / f"predict-{'default' if polish else 'full'}.json"
    options = () if polish else ("--polish", "false", "--tune", "false")
    fit = context.train(context.generated(sizes(context)[0], COLUMNS), *options, model=model)
    if not polish and fit.rules != 15:
        raise CannotMeasure(f"the model has {fit.rules} rules instead of 15")
    return model


def measure_memory(context: Context) -> list[Figure]:
    few, many = sizes(context)
    name = f"prediction of {many:,} rows"
    try:
        tool, model = context.tool("frr_bench"), model_of(context, False)
        table = context.generated(many, COLUMNS)
        context.needs("xgboost", "sklearn", "pandas")
        with (Server([tool, "predict", model, table, 1]) as ours,
              Server([context.python, RIVALS, "trees", context.generated(few, COLUMNS),
                      table]) as theirs):
            model_size = json.loads(ours.ready)
            ways = {way: lambda way=way: theirs.ask(way) for way in json.loads(theirs.ready)}
            best = in_turns(context.repetitions, ours=ours.ask, **ways)
    except CannotMeasure as error:
        return [missing(f"{name} against XGBoost", str(error), **XGBOOST),
                missing(f"{name} against a tree", str(error), **TREE)]
    our_seconds = best["ours"]
    way = min((way for way in best if way.startswith("xgboost")), key=best.get)
    note = f"{model_size['rules']} rules with {model_size['conditions']} conditions against "
    return [Figure(f"{name} against XGBoost", our_seconds, best[way], ratio=best[way] / our_seconds, **XGBOOST,
                   note=note + f"100 trees of depth 6 ({way})"),
            Figure(f"{name} against a tree", our_seconds, best["tree"], ratio=best["tree"] / our_seconds, **TREE,
                   note=note + "15 leaves")]


def measure_file(context: Context) -> list[Figure]:
    many = sizes(context)[1]
    name = f"frr predict on {many:,} rows of CSV"
    try:
        model, table = model_of(context, True), context.generated(many, COLUMNS)
        context.needs("pandas")
        output = context.work / "predictions.csv"
        command = [context.program, "predict", model, table, "--threads", 1, "--quiet", "-o",
                   output]
        with Server([context.python, RIVALS, "read", table]) as pandas:
            best = in_turns(min(context.repetitions, 3),
                            ours=lambda: run(command, one_core=True).seconds,
                            theirs=lambda: pandas.ask("pandas"),
                            count=lambda: run(["wc", "-l", table], one_core=True).seconds)
    except CannotMeasure as error:
        return [missing(name, str(error), **READ)]
    return [Figure(name, best["ours"], best["theirs"], ratio=best["ours"] / best["theirs"],
                   **READ, note="the whole program, compared with pandas.read_csv alone"),
            Figure("  against wc -l", best["ours"], best["count"],
                   ratio=best["ours"] / best["count"])]
