"""Compares the two matrix products of the network with the fastest SGEMM on the same dense shape.

The ratio is the time of the library divided by ours. It may exceed 1, because our kernels skip the zeros of U. The
second line counts only the multiply-adds that our kernels perform.
"""

import json
from collections import defaultdict

from performance import step
from performance.child import CannotMeasure, run
from performance.context import Context
from performance.figure import Figure, missing

BAR, GOAL = 0.60, 0.85


def measure(context: Context) -> list[Figure]:
    try:
        return figures(timings(context))
    except CannotMeasure as error:
        return [missing("share of SGEMM", str(error), BAR, GOAL)]


def timings(context: Context) -> dict[str, dict[str, dict]]:
    """The best repetition by product ("pima/forward") and library."""
    command = [context.tool("frr_kernels"), "--benchmark_format=json",
               "--benchmark_enable_random_interleaving=true",
               f"--benchmark_repetitions={1 if context.quick else 9}",
               f"--benchmark_min_time={0.001 if context.quick else 0.05}"]
    if context.quick:
        command += ["--rows=256", f"--table=pima:{step.SHAPES['pima']}"]
    else:
        tables = {name: step.table_of(context, name) for name in step.SHAPES}
        command += [f"--table={name}:{table}" + (f":{categorical}" if categorical else "")
                    for name, (table, categorical, _) in tables.items()]
    found: dict[str, dict[str, dict]] = defaultdict(dict)
    for entry in json.loads(run(command, one_core=True).output)["benchmarks"]:
        if entry["run_type"] != "iteration":
            continue
        product, library = entry["run_name"].rsplit("/", 1)
        known = found[product].get(library)
        if known is None or entry["cpu_time"] < known["cpu_time"]:
            found[product][library] = entry
    return found


def figures(found: dict[str, dict[str, dict]]) -> list[Figure]:
    result = []
    for product, by_library in found.items():
        ours = by_library["frr"]
        library, best = min(((library, entry) for library, entry in by_library.items() if library != "frr"),
                        key=lambda pair: pair[1]["cpu_time"])
        name = product.replace("/", " ")
        share = best["cpu_time"] / ours["cpu_time"]
        result.append(Figure(f"share of SGEMM, {name}", ours["cpu_time"] * 1e-9,
                             best["cpu_time"] * 1e-9, ratio=share, bar=BAR, goal=GOAL,
                             note=f"best library: {library}"))
        done = ours["done"] / ours["dense"]
        result.append(Figure(f"  counting only performed operations, {name}",
                             2e-9 * ours["done"] / (ours["cpu_time"] * 1e-9),
                             2e-9 * ours["dense"] / (best["cpu_time"] * 1e-9), "GFLOP/s",
                             ratio=share * done, note=f"{100 * done:.0f} % of U is non-zero"))
    return result
