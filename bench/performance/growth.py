"""Measures how time and memory grow with rows (up to a million), features and rules."""

from math import log
from pathlib import Path
from statistics import fmean

from performance.child import CannotMeasure, in_turns
from performance.context import Context, Fit
from performance.figure import Figure, missing

ROWS = {"bar": 40, "goal": 20, "at_least": False}
EXPONENT = {"bar": 1.2, "goal": 1.0, "at_least": False}
COLUMNS = 20
SPARE = 300e6  # bytes in addition to the table


def measure_rows(context: Context) -> list[Figure]:
    few, many = (500, 2_000) if context.quick else (10_000, 1_000_000)
    name = f"fit of {many:,} rows against {few:,}"
    try:
        small, large = (context.generated(rows, COLUMNS) for rows in (few, many))
        fits: dict[Path, list[Fit]] = {small: [], large: []}
        for _ in range(min(context.repetitions, 2)):
            # The smaller fit is repeated, because a slow moment could affect all of it.
            for table in (small, small, large, small):
                fits[table].append(context.train(table))
    except CannotMeasure as error:
        return [missing(name, str(error), **ROWS)]

    def best(what: str) -> list[float]:
        return [min(getattr(fit, what) for fit in fits[table]) for table in (large, small)]

    (longer, shorter), spent, whole = best("seconds"), best("processor"), best("whole")[0]
    peak = best("peak")[0]
    allowed = 1.5 * 4 * many * COLUMNS + SPARE
    return [Figure(name, longer, shorter, ratio=longer / shorter, **ROWS,
                   note=f"whole program {whole:.1f} s"),
            Figure("  processor time of the whole program", *spent, ratio=spent[0] / spent[1]),
            Figure(f"  peak memory with {many:,} rows", peak / 1e6, allowed / 1e6, "MB",
                   peak / allowed, 1, None, False,
                   note="theirs: the limit, 1.5 times the table as 4-byte floats + 300 MB")]


def slope(sizes: list[int], seconds: list[float]) -> float:
    """The slope of the straight line through the logarithms."""
    x, y = [log(size) for size in sizes], [log(second) for second in seconds]
    middle_x, middle_y = fmean(x), fmean(y)
    above = sum((a - middle_x) * (b - middle_y) for a, b in zip(x, y, strict=True))
    return above / sum((a - middle_x) ** 2 for a in x)


def measure_exponents(context: Context) -> list[Figure]:
    rows = 200 if context.quick else 5000
    features = [5, 10, 20] if context.quick else [10, 100, 1000]
    rules = [3, 6, 12] if context.quick else [5, 15, 50]
    # All columns are used, and the number of labels is fixed.
    cases = {
        "features": [(size, (rows, size), ("--labels", 3, "--max-features", features[-1]))
                     for size in features],
        "rules": [(size, (rows, COLUMNS), ("--labels", 3, "--rules", size)) for size in rules],
    }
    return [exponent(context, what, sizes) for what, sizes in cases.items()]


def exponent(context: Context, what: str, cases: list[tuple]) -> Figure:
    name = f"exponent of fit time in {what}"
    try:
        seconds = {}
        for size, shape, options in cases:
            table = context.generated(*shape)
            seconds |= in_turns(min(context.repetitions, 3), **{
                str(size): lambda table=table, options=options:
                context.train(table, *options).seconds})
    except CannotMeasure as error:
        return missing(name, str(error), **EXPONENT)
    sizes = [case[0] for case in cases]
    points = ", ".join(f"{size}: {seconds[str(size)]:.2g} s" for size in sizes)
    return Figure(name, seconds[str(sizes[-1])], seconds[str(sizes[0])],
                  ratio=slope(sizes, [seconds[str(size)] for size in sizes]), **EXPONENT,
                  note=points)
