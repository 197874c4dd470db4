"""Stress tests of the real program: seeded, limited in time, two kinds of cases in parallel.

    python3 tests/torture                       all kinds of cases, 20 seconds each
    python3 tests/torture --seconds 600 --seed 7
    python3 tests/torture --only kills          one kind
    python3 tests/torture --only csv --case 12  one case again

A case that fails is left in build/torture/KIND-CASE with the command that repeats it. The last line is
"N passed, N failed"; the exit status is 0 only if nothing failed.
"""

import argparse
import itertools
import os
import random
import shutil
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import altered_models
import hostile_names
import kills
import limits
import odd_csv
import row_counts
from program import Fault, Program

ROOT = Path(__file__).resolve().parent.parent.parent
KINDS = {
    "csv": odd_csv.check,
    "models": altered_models.check,
    "limits": limits.check,
    "kills": kills.check,
    "names": hostile_names.check,
    "rows": row_counts.check,
}


def run_case(kind: str, case: int, seed: int, binary: Path) -> str:
    """The fault found by a case, or an empty string."""
    rng = random.Random(f"{seed} {kind} {case}")
    with tempfile.TemporaryDirectory(prefix="frr-torture-") as name:
        directory = Path(name)
        try:
            KINDS[kind](Program(binary, directory), rng)
        except Fault as fault:
            kept = ROOT / "build" / "torture" / f"{kind}-{case}"
            shutil.rmtree(kept, ignore_errors=True)
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(directory, kept, ignore_dangling_symlinks=True,
                            ignore=lambda _, names: [n for n in names if n.endswith(".fifo")])
            again = f"python3 tests/torture --only {kind} --case {case} --seed {seed}"
            return f"{fault}\n  again: {again}\n  files: {kept.relative_to(ROOT)}"
    return ""


def run_kind(arguments: argparse.Namespace, seconds: float, kind: str) -> tuple[int, list[str]]:
    """Runs cases of one kind until the time is up. Returns the number of passed cases and the faults."""
    if arguments.case is not None:
        numbers, end = iter([arguments.case]), float("inf")
    else:
        numbers, end = itertools.count(), time.monotonic() + seconds
    passed, faults = 0, []
    for number in numbers:
        fault = run_case(kind, number, arguments.seed, arguments.binary.resolve())
        passed += not fault
        if fault:
            faults.append(f"{kind} {number}: {fault}")
            print(faults[-1], flush=True)
        if time.monotonic() > end:
            break
    print(f"{kind:8} {passed + len(faults)} cases", flush=True)
    return passed, faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=120, help="total time of all kinds")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="number of kinds to run in parallel")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default=",".join(KINDS), help="kinds: " + ", ".join(KINDS))
    parser.add_argument("--case", type=int, help="run only this case")
    parser.add_argument("--binary", type=Path, default=ROOT / "build" / "frr")
    arguments = parser.parse_args()
    kinds = arguments.only.split(",")
    if unknown := set(kinds) - set(KINDS):
        parser.error(f"there is no kind {', '.join(sorted(unknown))}; kinds: {', '.join(KINDS)}")

    with ProcessPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(partial(run_kind, arguments, arguments.seconds / len(kinds)), kinds))
    passed, failed = sum(count for count, _ in results), sum(len(faults) for _, faults in results)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
