"""Builds an earlier, slower version of the program from the history of the repository."""

import subprocess
from pathlib import Path

from performance.child import CannotMeasure
from performance.context import ROOT, Context

COMMIT = "8c6ba60"
FOLDER = ROOT / "build" / "before"


def git(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, check=False)


def earlier_program(context: Context) -> Path:
    if context.before is not None:
        return context.before
    program = FOLDER / "build" / "frr"
    if program.exists():
        return program
    if context.quick:
        raise CannotMeasure("--quick does not build the earlier program (give --before)")
    try:
        found = git("cat-file", "-e", f"{COMMIT}^{{commit}}").returncode == 0
    except OSError:
        found = False
    if not found:
        raise CannotMeasure(f"commit {COMMIT} is not in the history of this checkout")
    build()
    return program


def build() -> None:
    source = FOLDER / "source"
    source.mkdir(parents=True, exist_ok=True)
    archive = git("archive", COMMIT)
    steps = [(["tar", "-x", "-C", str(source)], archive.stdout),
             (["cmake", "-S", str(source), "-B", str(FOLDER / "build"), "-G", "Ninja",
               "-DCMAKE_BUILD_TYPE=Release", "-DFRR_BUILD_TESTS=OFF"], None),
             (["cmake", "--build", str(FOLDER / "build"), "--target", "frr_program"], None)]
    for command, given in steps:
        done = subprocess.run(command, input=given, capture_output=True, check=False)
        if done.returncode != 0:
            raise CannotMeasure(f"commit {COMMIT} does not build: "
                                f"{done.stderr.decode(errors='replace').strip()[-200:]}")
