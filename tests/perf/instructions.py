#!/usr/bin/env python3
"""Counts the instructions of three kernels on fixed data, by valgrind's callgrind.

    tests/perf/instructions.py             print the counts and their change
    tests/perf/instructions.py --update    store the counts in instructions.json as expected ones

The counts do not depend on the load of the machine, but on the compiler and on the clone of a kernel
that the processor selects (src/kernels/kernel.hpp); so there are expected counts for each of these.
Valgrind emulates a processor, so the selected clone may differ from that of a normal run.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAM = HERE.parent.parent / "build" / "tests" / "perf" / "frr_instructions"
EXPECTED = HERE / "instructions.json"
KERNELS = ("collapse", "step", "polish")
TOLERANCE = 0.10
# Disables processor-specific functions of the C library (memset and the like).
PLAIN_LIBRARY = "glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-AVX512F,-AVX512VL,-AVX512BW,-ERMS,-FSRM"


def reason_to_skip() -> str | None:
    if shutil.which("valgrind") is None:
        return "valgrind is not installed"
    if not PROGRAM.exists():
        return f"{PROGRAM.name} is not built"
    return None


def count(kernel: str) -> tuple[int, str]:
    """The instructions of a kernel, and the clone that ran."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--toggle-collect=frr_measured",
             f"--callgrind-out-file={out}", str(PROGRAM), kernel],
            capture_output=True, text=True, check=False,
            env={**os.environ, "GLIBC_TUNABLES": PLAIN_LIBRARY})
        if done.returncode != 0:
            raise RuntimeError(f"valgrind failed: {done.stderr[-500:]}")
        text = out.read_text(errors="replace")
    total = int(re.search(r"^totals: (\d+)", text, re.MULTILINE)[1])
    if total == 0:
        raise RuntimeError(f"{kernel}: callgrind did not see frr_measured")
    clones = set(re.findall(r"\.(arch_\w+?)(?:\W|$)", text, re.MULTILINE))
    return total, "+".join(sorted(clones)) or "baseline"


def count_all() -> tuple[str, dict[str, int]]:
    """The kind of build, such as "gcc-12-x86_64-baseline", and the count of each kernel."""
    compiler = subprocess.run([str(PROGRAM), "--compiler"], capture_output=True, text=True,
                              check=True).stdout.strip()
    counts, clones = {}, set()
    for kernel in KERNELS:
        counts[kernel], clone = count(kernel)
        clones.add(clone)
    return f"{compiler}-{'+'.join(sorted(clones))}", counts


def load() -> dict[str, dict[str, int]]:
    return json.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}


def judge(counts: dict[str, int], expected: dict[str, int]) -> list[str]:
    """One line for each kernel whose count differs by more than the tolerance."""
    return [f"{kernel}: {counts[kernel]:,} instructions, expected {expected[kernel]:,} "
            f"({counts[kernel] / expected[kernel] - 1:+.1%}). If the change is intended, run "
            "python3 tests/perf/instructions.py --update"
            for kernel in KERNELS
            if abs(counts[kernel] / expected[kernel] - 1) > TOLERANCE]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="store the counts as expected ones")
    update = parser.parse_args().update
    why = reason_to_skip()
    if why:
        sys.exit(f"instructions: {why}")
    kind, counts = count_all()
    known = load()
    before = known.get(kind, {})
    for kernel, instructions in counts.items():
        change = f"{instructions / before[kernel] - 1:+8.1%}" if kernel in before else ""
        print(f"{kind}  {kernel:10} {instructions:14,} {change}")
    if update:
        EXPECTED.write_text(json.dumps({**known, kind: counts}, indent=1, sort_keys=True) + "\n")
        return 0
    if not before:
        print(f"there are no expected counts for {kind} yet (--update)")
    changes = judge(counts, before) if before else []
    for change in changes:
        print(change, file=sys.stderr)
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main())
