#!/usr/bin/env python3
"""Runs every kind of test, keeps going after a failure, and sums up.

    tools/test.py                      all parts
    tools/test.py --only unit,cli      some of them
    tools/test.py --fuzz-seconds 600   longer fuzzing

The last line is "N passed, N failed"; the exit status is 0 only if nothing failed.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORES = os.cpu_count() or 1


@dataclass
class Outcome:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    notes: list[str] = field(default_factory=list)

    def add(self, ok: bool, note: str = "") -> None:
        self.passed += ok
        self.failed += not ok
        if note:
            self.notes.append(note)


def run(*command: object, **options) -> subprocess.CompletedProcess:
    return subprocess.run([str(part) for part in command], cwd=ROOT, check=False, **options)


def build(preset: str, target: str) -> bool:
    configured = run("cmake", "--preset", preset, "--log-level=WARNING", stdout=subprocess.DEVNULL)
    if configured.returncode != 0:
        return False
    return run("cmake", "--build", "--preset", preset, "--target", target).returncode == 0


def count_junit(path: Path, outcome: Outcome) -> None:
    """Adds the results of a JUnit file; a run that left none counts as one failure."""
    if not path.exists():
        outcome.add(False, f"no results in {path.name}")
        return
    for case in ElementTree.parse(path).iter("testcase"):
        name = f"{case.get('classname', '')}.{case.get('name', '')}"
        if case.find("failure") is not None or case.find("error") is not None:
            outcome.add(False, name)
        elif case.find("skipped") is not None or case.get("status") in ("disabled", "notrun"):
            outcome.skipped += 1
        else:
            outcome.add(True)


def ctest(preset: str, directory: str, target: str, outcome: Outcome) -> None:
    if not build(preset, target):
        outcome.add(False, f"the {preset} build fails")
        return
    junit = ROOT / directory / "ctest.xml"
    junit.unlink(missing_ok=True)
    finished = run("ctest", "--preset", preset, "-j", CORES, "--output-junit", junit,
                   "--no-tests=error", "--progress", env=sanitizer_environment())
    count_junit(junit, outcome)
    if finished.returncode != 0 and outcome.failed == 0:
        outcome.add(False, f"ctest ended with status {finished.returncode}")


def sanitizer_environment() -> dict[str, str]:
    return {**os.environ, "UBSAN_OPTIONS": "print_stacktrace=1", "TSAN_OPTIONS": "halt_on_error=1"}


def unit(outcome: Outcome, _) -> None:
    ctest("release", "build", "all", outcome)


def asan(outcome: Outcome, _) -> None:
    ctest("asan", "build-asan", "all", outcome)


def tsan(outcome: Outcome, _) -> None:
    ctest("tsan", "build-tsan", "frr_tests", outcome)


def pytest(folder: str, outcome: Outcome, *targets: str) -> None:
    if not all(build("release", target) for target in ("frr_program", *targets)):
        outcome.add(False, "the release build fails")
        return
    junit = ROOT / "build" / f"pytest-{Path(folder).name}.xml"
    junit.unlink(missing_ok=True)
    environment = {**os.environ, "FRR_BINARY": str(ROOT / "build" / "frr")}
    finished = run(own_python(), "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider",
                   f"--junitxml={junit}", folder, env=environment)
    count_junit(junit, outcome)
    if finished.returncode != 0 and outcome.failed == 0:
        outcome.add(False, f"pytest ended with status {finished.returncode}")


def cli(outcome: Outcome, _) -> None:
    pytest("tests/cli", outcome)


def report(outcome: Outcome, _) -> None:
    if shutil.which("chromium") is None:
        outcome.skipped += 1
        outcome.notes.append("skipped: chromium is not installed")
        return
    pytest("tests/report", outcome)


def export(outcome: Outcome, _) -> None:
    pytest("tests/export", outcome)


def docs(outcome: Outcome, _) -> None:
    pytest("tests/docs", outcome)


def study(outcome: Outcome, _) -> None:
    pytest("tests/bench", outcome)


def perf(outcome: Outcome, _) -> None:
    pytest("tests/perf", outcome, "frr_instructions", "bench_programs")


def own_python() -> Path:
    own = ROOT / ".venv" / "bin" / "python"
    return own if own.exists() else Path(sys.executable)


def python(outcome: Outcome, _) -> None:
    """Builds the wheel as a user would, installs it beside the tests, and looks at both."""
    if sys.version_info < (3, 11):
        outcome.skipped += 1
        outcome.notes.append("skipped: the Python package needs Python 3.11")
        return
    wheels = ROOT / "build" / "wheel"
    shutil.rmtree(wheels, ignore_errors=True)
    pip = (own_python(), "-m", "pip", "-q", "--disable-pip-version-check")
    if run(*pip, "wheel", ".", "--no-deps", "-w", wheels).returncode != 0:
        outcome.add(False, "the wheel does not build")
        return
    wheel = next(wheels.glob("frr-*.whl"))
    if run(*pip, "install", "--force-reinstall", "--no-deps", wheel).returncode != 0:
        outcome.add(False, "the wheel does not install")
        return
    if sys.platform == "linux":
        audit = run(own_python(), "-m", "auditwheel", "show", wheel, capture_output=True, text=True)
        fit = audit.returncode == 0 and "manylinux" in audit.stdout
        outcome.add(fit, "" if fit else f"auditwheel: {audit.stdout}{audit.stderr}")
    for check in (("ruff", "check"), ("ruff", "format", "--check"), ("mypy", "python/frr")):
        ok = run(own_python(), "-m", *check).returncode == 0
        outcome.add(ok, "" if ok else " ".join(check))
    pytest("tests/python", outcome)


def scale(outcome: Outcome, _) -> None:
    """With the package that the Python part has installed."""
    for folder in ("tests/files", "tests/dask", "tests/spark"):
        pytest(folder, outcome)


def torture(outcome: Outcome, arguments) -> None:
    if not build("release", "frr_program"):
        outcome.add(False, "the release build fails")
        return
    finished = run(own_python(), "tests/torture", "--seconds", arguments.torture_seconds,
                   stdout=subprocess.PIPE, text=True)
    print(finished.stdout, flush=True)
    counts = re.search(r"^(\d+) passed, (\d+) failed$", finished.stdout, re.MULTILINE)
    if counts is None or (finished.returncode != 0 and counts[2] == "0"):
        outcome.add(False, f"tests/torture ended with status {finished.returncode}")
        return
    outcome.passed += int(counts[1])
    outcome.failed += int(counts[2])


def fuzz(outcome: Outcome, arguments) -> None:
    if shutil.which("clang++") is None:
        outcome.skipped += 1
        outcome.notes.append("skipped: clang++ is not installed")
        return
    if not build("fuzz", "fuzzers"):
        outcome.add(False, "the fuzz build fails")
        return
    fuzzers = sorted(path for path in (ROOT / "build-fuzz" / "fuzzers").iterdir() if path.is_file())
    with ThreadPoolExecutor(CORES) as pool:
        for ok, note in pool.map(lambda path: run_fuzzer(path, arguments.fuzz_seconds), fuzzers):
            outcome.add(ok, note)


def run_fuzzer(fuzzer: Path, seconds: int) -> tuple[bool, str]:
    # What fuzzing finds goes to the build directory; the corpus in the repository only seeds it.
    work = ROOT / "build-fuzz" / "corpus" / fuzzer.name
    work.mkdir(parents=True, exist_ok=True)
    seeds = ROOT / "tests" / "fuzz" / "corpus" / fuzzer.name.removesuffix("_fuzz")
    log = work.parent / f"{fuzzer.name}.log"
    with log.open("w") as output:
        finished = run(fuzzer, f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=2048",
                       "-max_len=65536", f"-artifact_prefix={work.parent}/{fuzzer.name}-",
                       work, *([seeds] if seeds.is_dir() else []), stdout=output, stderr=subprocess.STDOUT)
    lines = log.read_text(errors="replace").splitlines()
    print(f"{fuzzer.name}: {lines[-1] if lines else ''}", flush=True)
    if finished.returncode == 0:
        return True, ""
    print("\n".join(lines[-60:]), flush=True)
    return False, f"{fuzzer.name} found something: see {log.relative_to(ROOT)}"


def own_sources() -> list[Path]:
    folders = ("include/frr", "src", "src/kernels", "cli", "export", "tests/cpp", "tests/fuzz", "tests/perf",
               "docs", "bench", "python/bindings")
    return sorted(path for folder in folders for path in (ROOT / folder).glob("*.[ch]pp"))


def lint(outcome: Outcome, _) -> None:
    if shutil.which("clang-format") is None or shutil.which("clang-tidy") is None:
        outcome.skipped += 1
        outcome.notes.append("skipped: clang-format or clang-tidy is not installed")
        return
    formatted = run("clang-format", "--dry-run", "--Werror", *own_sources())
    outcome.add(formatted.returncode == 0, "" if formatted.returncode == 0 else "run make format")
    # The program's generated source must exist before clang-tidy can follow the includes.
    if run("cmake", "--preset", "release", stdout=subprocess.DEVNULL).returncode != 0:
        outcome.add(False, "cmake fails")
        return
    files = [path for path in own_sources()
             if path.suffix == ".cpp" and path.parent.name in ("src", "kernels", "cli", "export", "docs")]
    with ThreadPoolExecutor(CORES) as pool:
        for ok, note in pool.map(tidy, files):
            outcome.add(ok, note)


def tidy_stamp(path: Path) -> Path:
    """Exists once this file was found clean with these headers and checks."""
    state = hashlib.sha256()
    headers = [header for header in own_sources() if header.suffix == ".hpp"]
    for part in (ROOT / ".clang-tidy", path, *headers):
        state.update(part.read_bytes())
    return ROOT / "build" / "tidy" / f"{path.parent.name}-{path.stem}-{state.hexdigest()[:16]}"


def tidy(path: Path) -> tuple[bool, str]:
    stamp = tidy_stamp(path)
    if stamp.exists():
        return True, ""
    finished = run("clang-tidy", "-p", "build", "--quiet", "--extra-arg=-Wno-unknown-warning-option",
                   path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if finished.returncode == 0:
        stamp.parent.mkdir(exist_ok=True)
        stamp.touch()
        return True, ""
    print(finished.stdout + finished.stderr, flush=True)
    return False, f"clang-tidy {path.relative_to(ROOT)}"


PARTS = {
    "unit": ("unit tests", unit),
    "cli": ("program", cli),
    "report": ("report page", report),
    "export": ("exported forms", export),
    "docs": ("documentation", docs),
    "study": ("study", study),
    "perf": ("performance", perf),
    "python": ("Python package", python),
    "scale": ("files, Dask and Spark", scale),
    "asan": ("address and undefined behaviour sanitizers", asan),
    "tsan": ("thread sanitizer", tsan),
    "torture": ("unusual input, limits and kills", torture),
    "fuzz": ("fuzzers", fuzz),
    "lint": ("format and lint", lint),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=",".join(PARTS), help="parts: " + ", ".join(PARTS))
    parser.add_argument("--fuzz-seconds", type=int, default=20, help="time for each fuzzer")
    parser.add_argument("--torture-seconds", type=int, default=120, help="time for all stress tests")
    arguments = parser.parse_args()
    names = arguments.only.split(",")
    for name in names:
        if name not in PARTS:
            parser.error(f"no part is called {name}; there are {', '.join(PARTS)}")

    rows = []
    for name in names:
        title, part = PARTS[name]
        print(f"\n== {title}", flush=True)
        outcome, start = Outcome(), time.monotonic()
        part(outcome, arguments)
        rows.append((title, outcome, time.monotonic() - start))

    print()
    for title, outcome, seconds in rows:
        skipped = f", {outcome.skipped} skipped" if outcome.skipped else ""
        print(f"{title:45} {outcome.passed:5} passed, {outcome.failed} failed{skipped}"
              f"  ({seconds:.0f} s)")
        for note in outcome.notes:
            print(f"    {note}")
    passed = sum(outcome.passed for _, outcome, _ in rows)
    failed = sum(outcome.failed for _, outcome, _ in rows)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
