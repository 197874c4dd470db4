"""Measures default trainings: compared with the earlier program, and with two threads instead of one."""

import os
from concurrent.futures import ThreadPoolExecutor
from math import exp, log
from pathlib import Path
from statistics import fmean

import datasets

from performance.before import earlier_program
from performance.child import CannotMeasure, in_turns
from performance.context import Context, Fit
from performance.figure import Figure, missing

BEFORE = {"bar": 3, "goal": 6}
THREADS = {"bar": 1.6, "goal": 1.9}
LARGEST = 5


def training_rows(context: Context, directory: Path, entry: dict) -> Path:
    """A table of the rows outside the first fold."""
    name = entry["name"]
    folds = (directory / "folds" / f"{name}.txt").read_text().split()
    header, *rows = (directory / f"{name}.csv").read_text().splitlines()
    if len(rows) != len(folds):
        raise CannotMeasure(f"{name}: {len(rows)} rows but {len(folds)} fold numbers")
    first = min(folds, key=int)
    path = context.work / "folds" / f"{name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = [row for row, fold in zip(rows, folds, strict=True) if fold != first]
    path.write_text("\n".join([header, *kept]) + "\n")
    return path


def options_of(entry: dict) -> list[str]:
    categorical = entry.get("categorical")
    return ["--categorical", ",".join(categorical)] if categorical else []


def entries_of(context: Context) -> tuple[Path, list[dict]]:
    if context.quick:
        directory = datasets.ROOT / "data"
        return directory, datasets.load_index(directory)[:1]
    return context.datasets, context.index()


def measure_before(context: Context) -> list[Figure]:
    name = "default fit, mean over the sets"
    try:
        earlier = earlier_program(context)
        directory, entries = entries_of(context)
        ours, theirs, processor = [], [], {"ours": [], "theirs": []}
        for entry in entries:
            table, options = training_rows(context, directory, entry), options_of(entry)
            fits: dict[str, list[Fit]] = {"ours": [], "theirs": []}
            for _ in range(min(context.repetitions, 3)):
                for side, program in (("ours", None), ("theirs", earlier)):
                    fits[side].append(context.train(table, *options, program=program))
            ours.append(min(fit.seconds for fit in fits["ours"]))
            theirs.append(min(fit.seconds for fit in fits["theirs"]))
            for side, found in fits.items():
                processor[side].append(min(fit.processor for fit in found))
    except CannotMeasure as error:
        return [missing(name, str(error), **BEFORE)]
    spent = {side: fmean(seconds) for side, seconds in processor.items()}
    ratios = [old / new for old, new in zip(theirs, ours, strict=True)]
    middle = exp(fmean(log(ratio) for ratio in ratios))
    worst = min(range(len(ratios)), key=ratios.__getitem__)
    return [Figure(name, fmean(ours), fmean(theirs), ratio=fmean(theirs) / fmean(ours), **BEFORE,
                   note=f"{len(ours)} datasets, compared with the earlier program; minimum "
                   f"{ratios[worst]:.2f} ({entries[worst]['name']})"),
            Figure("  processor time of the whole program", spent["ours"], spent["theirs"],
                   ratio=spent["theirs"] / spent["ours"]),
            Figure("  geometric mean of the ratios", ratio=middle)]


def at_once(context: Context, table: Path, options: list[str]) -> float:
    """Seconds of the slower of two simultaneous trainings with one thread each."""
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(context.train, table, *options, model=context.work / f"apart-{i}.json")
                for i in range(2)]
        return max(run.result().seconds for run in runs)


def measure_threads(context: Context) -> list[Figure]:
    name = "default fit, 2 threads against 1"
    try:
        if len(os.sched_getaffinity(0)) < 2:
            raise CannotMeasure("there is only one core")
        directory, entries = entries_of(context)
        entries = sorted(entries, key=lambda e: -e["samples"] * e["features"])[:LARGEST]
        totals, same, ratios = {"one": 0.0, "two": 0.0, "apart": 0.0}, 0, []
        for entry in entries:
            table = directory / f"{entry['name']}.csv"
            models = [context.work / f"model-{threads}.json" for threads in (1, 2)]
            options = options_of(entry)
            best = in_turns(
                2 * context.repetitions,  # more repetitions, because a slow moment of either core spoils a run
                one=lambda: context.train(table, *options, model=models[0]).seconds,
                two=lambda: context.train(table, *options, model=models[1], threads=2).seconds,
                apart=lambda: at_once(context, table, options))
            same += models[0].read_bytes() == models[1].read_bytes()
            ratios.append(f"{entry['name']} {best['one'] / best['two']:.2f}")
            for key, seconds in best.items():
                totals[key] += seconds
    except CannotMeasure as error:
        return [missing(name, str(error), **THREADS)]
    count = len(entries)
    return [Figure(name, totals["two"], totals["one"], ratio=totals["one"] / totals["two"],
                   **THREADS, note=f"the {count} largest datasets: " + ", ".join(ratios)),
            Figure("  two programs at once, throughput of both", totals["apart"],
                   totals["one"], ratio=2 * totals["one"] / totals["apart"],
                   note="the speed of two cores if neither waits for the other"),
            Figure("  models that are identical", same, count, "", same / count, 1, 1)]
