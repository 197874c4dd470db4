"""Compares a training step with the same equations in JAX, and with the same step in a process that flushes
denormal numbers, which are very slow on some processors."""

import json
from pathlib import Path

from performance.child import CannotMeasure, Server, in_turns
from performance.context import Context
from performance.figure import Figure, missing

BAR, GOAL = 4, 8
BATCH = 128
TOLERANCE = 1e-4
FLUSH_BAR, FLUSH_GOAL = 1.25, 1.1
SHAPES = {"pima": "768x8x2", "magic": "19020x10x2", "satimage": "6435x36x6"}


def table_of(context: Context, name: str) -> tuple[str, str, str]:
    """A CSV file (or the shape of a synthetic table), its categorical columns, and a note."""
    if context.datasets is not None:
        for entry in context.index():
            if entry["name"] == name:
                return (str(context.datasets / f"{name}.csv"),
                        ",".join(entry.get("categorical") or []), "")
    return SHAPES[name], "", f"synthetic data of shape {SHAPES[name]}"


def measure(context: Context) -> list[Figure]:
    names = ["pima"] if context.quick else list(SHAPES)
    figures = []
    for name in names:
        try:
            figures.append(one(context, name))
        except CannotMeasure as error:
            figures.append(missing(f"training step, {name}", str(error), BAR, GOAL))
        try:
            figures.append(flushed(context, name))
        except CannotMeasure as error:
            figures.append(missing(flushed_name(name), str(error), FLUSH_BAR, FLUSH_GOAL,
                                   at_least=False))
    return figures


def flushed_name(name: str) -> str:
    return f"  against flush-to-zero, {name}"


def flushed(context: Context, name: str) -> Figure:
    with (Server(command(context, "step", name)) as plain,
          Server(command(context, "step-flushed", name)) as other):
        best = in_turns(context.repetitions, plain=plain.ask, other=other.ask)
    return Figure(flushed_name(name), best["plain"], best["other"],
                  ratio=best["plain"] / best["other"], bar=FLUSH_BAR, goal=FLUSH_GOAL,
                  at_least=False, note="the same step in a process that flushes denormal numbers")


def command(context: Context, kind: str, name: str) -> list:
    table, categorical, _ = table_of(context, name)
    words = [context.tool("frr_bench"), kind, table, context.work / kind / name,
             256 if context.quick else 0, BATCH]
    return words + ([categorical] if categorical else [])


def one(context: Context, name: str) -> Figure:
    _, _, note = table_of(context, name)
    directory = context.work / "step" / name
    with Server(command(context, "step", name)) as ours:
        context.needs("jax")
        rival = Path(__file__).with_name("jax_network.py")
        ways = ["scan tree"] if context.quick else []
        with Server([context.python, rival, directory, *ways]) as theirs:
            comparison = json.loads(theirs.ready)
            if not comparison["difference"] <= TOLERANCE:
                raise CannotMeasure(f"not the same equations: loss or gradient differ by "
                                    f"{comparison['difference']:.1e}")
            ways = {way: lambda way=way: theirs.ask(way) for way in comparison["ways"]}
            best = in_turns(context.repetitions, ours=ours.ask, **ways)
    our_seconds = best.pop("ours")
    way = min(best, key=best.get)
    note = "; ".join(part for part in (
        f"JAX's best: {way}", f"gradients differ by {comparison['difference']:.0e}", note) if part)
    return Figure(f"training step, {name}", our_seconds, best[way], ratio=best[way] / our_seconds, bar=BAR,
                  goal=GOAL, note=note)
