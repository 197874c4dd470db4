"""Cost curves: time of a fit on synthetic data by rows, features, labels, rules and classes."""

from dataclasses import dataclass
from pathlib import Path

from performance.child import in_turns
from performance.context import Context

ROWS, COLUMNS, CLASSES = 5000, 20, 2


@dataclass
class Curve:
    what: str
    sizes: list[int]
    seconds: list[float]


def plan(quick: bool) -> dict[str, list[tuple[int, tuple[int, int, int], tuple]]]:
    """For each varied quantity: its sizes, with the shape of the table and the options."""
    def cut(sizes: list[int]) -> list[int]:
        return sizes[:2] if quick else sizes

    rows = 200 if quick else ROWS
    return {
        "rows": [(n, (n, COLUMNS, CLASSES), ())
                 for n in cut([300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000])],
        "features": [(n, (rows, n, CLASSES), ("--max-features", max(n, 256)))
                     for n in cut([5, 10, 30, 100, 300, 1000])],
        "labels": [(n, (rows, COLUMNS, CLASSES), ("--labels", n)) for n in cut([2, 3, 4, 5, 6, 7])],
        "rules": [(n, (rows, COLUMNS, CLASSES), ("--rules", n))
                  for n in cut([2, 5, 15, 50, 100])],
        "classes": [(n, (rows, COLUMNS, n), ()) for n in cut([2, 4, 8, 16])],
    }


def measure(context: Context) -> list[Curve]:
    curves = []
    for what, cases in plan(context.quick).items():
        seconds = []
        for size, shape, options in cases:
            table = context.generated(*shape)
            repetitions = 1 if context.quick or size > 100_000 else 3
            best = in_turns(repetitions, ours=lambda table=table, options=options:
                            context.train(table, *options).seconds)
            seconds.append(best["ours"])
        curves.append(Curve(what, [case[0] for case in cases], seconds))
    return curves


def draw(curves: list[Curve], path: Path) -> None:
    from study.figures import plotting, save

    pyplot = plotting()
    figure, all_axes = pyplot.subplots(1, len(curves), figsize=(3.2 * len(curves), 3),
                                       squeeze=False)
    for axes, curve in zip(all_axes[0], curves, strict=True):
        axes.plot(curve.sizes, curve.seconds, "o-", color="#c0392b", linewidth=1, markersize=4)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel(curve.what)
        axes.set_ylabel("seconds of a fit")
        axes.grid(alpha=0.3, which="both")
    path.parent.mkdir(parents=True, exist_ok=True)
    save(figure, path)
    pyplot.close(figure)
