#!/usr/bin/env python3
"""Measures time and memory of FRR as ratios within one run.

    make bench                                       builds, then measures everything
    python bench/performance --only step,startup     some figures
    python bench/performance --json build/bench.json all figures, also as JSON
    python bench/performance --page docs/explanation/performance.md \
                             --plots docs/explanation
                                                     figures and cost curves for the docs
    python bench/performance --quick                 tiny sizes: only checks that everything runs

Each line has the name of a figure, our value, their value, the ratio, the bar, the goal, and which of these two is
met. The two sides run alternately, and the best repetition counts; one thread unless stated otherwise. Kernels,
training steps and predictions in memory are measured in processor time. Fits and whole programs are measured in wall
time, for which the machine should be idle. If a figure cannot be measured, the line gives the reason. The exit
status is 0 even if a bar is not met.
"""

import argparse
import importlib.util
import json
import os
import platform
import sys
from dataclasses import asdict
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent)  # bench/

import datasets  # noqa: E402

from performance import (  # noqa: E402
    child, curves, figure, fits, growth, page, prediction, products, profile, python, startup,
    step)
from performance.context import ROOT, Context  # noqa: E402

FIGURES = {
    "step": step.measure,
    "products": products.measure,
    "fit": fits.measure_before,
    "threads": fits.measure_threads,
    "rows": growth.measure_rows,
    "growth": growth.measure_exponents,
    "predict": prediction.measure_memory,
    "csv": prediction.measure_file,
    "python": lambda context: [*python.measure_fit(context), *python.measure_predict(context)],
    "startup": startup.measure,
    "profile": profile.measure,
}


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="performance", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--only", help="figures, separated by commas: " + ", ".join(FIGURES))
    add("--quick", action="store_true", help="tiny sizes, one repetition: a check, not a measurement")
    add("--json", type=Path, help="file for the figures")
    add("--page", type=Path, help="page to update with the figures, between its marks")
    add("--plots", type=Path, help="directory for plots of the cost curves, which are then measured, too")
    add("--datasets", help="directory of datasets [default: as for bench/datasets.py]")
    add("--program", type=Path, default=ROOT / "build" / "frr", help="the frr to measure")
    add("--tools", type=Path, default=ROOT / "build" / "bench",
        help="directory of frr_bench and frr_kernels")
    add("--before", type=Path, help="an earlier frr to compare with [default: built from the "
        "history]")
    chosen = parser.parse_args(arguments)
    chosen.only = chosen.only.split(",") if chosen.only else list(FIGURES)
    unknown = set(chosen.only) - set(FIGURES)
    if unknown:
        parser.error(f"no such figure: {', '.join(sorted(unknown))}")
    return chosen


def machine() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{models[0] if models else platform.machine()}, {os.cpu_count()} cores"


def version(program: Path) -> str:
    return child.run([program, "--version"]).output.strip()


def plotted(context: Context, folder: Path | None) -> tuple[list[curves.Curve], Path | None]:
    """The cost curves and their picture, if requested."""
    if folder is None:
        return [], None
    found = curves.measure(context)
    for curve in found:
        points = ", ".join(f"{size:,}: {seconds:.3g} s" for size, seconds in
                           zip(curve.sizes, curve.seconds, strict=True))
        print(f"seconds of a fit by {curve.what}: {points}", flush=True)
    if importlib.util.find_spec("matplotlib") is None:
        print("performance: no plot: matplotlib is not installed (tools/setup bench)",
              file=sys.stderr)
        return found, None
    picture = folder / "performance-curves.svg"
    curves.draw(found, picture)
    return found, picture


def main() -> int:
    arguments = parse(sys.argv[1:])
    if not os.access(arguments.program, os.X_OK):
        sys.exit(f"performance: there is no program {arguments.program}: run make bench")
    context = Context(arguments.program.resolve(), arguments.tools, sys.executable,
                      datasets.find_directory(arguments.datasets), arguments.before,
                      arguments.quick)
    measured = {"program": version(context.program), "machine": machine(),
                "load": os.getloadavg()[0], "quick": arguments.quick}
    print(figure.line())
    found = []
    for name in arguments.only:
        for one in FIGURES[name](context):
            print(figure.line(one), flush=True)
            found.append(one)
    drawn, picture = plotted(context, arguments.plots)
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps(
            {**measured, "figures": [one.as_json() for one in found],
             "curves": [asdict(curve) for curve in drawn]}, indent=1) + "\n")
    if arguments.page:
        beside = picture and os.path.relpath(picture, arguments.page.parent)
        page.write(arguments.page, page.section(measured, found, drawn, beside))
    return 0


if __name__ == "__main__":
    sys.exit(main())
