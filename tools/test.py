#!/usr/bin/env python3
"""Runs all kinds of tests, continues after failures, and prints a summary.

    tools/test.py                      all parts
    tools/test.py --only unit,cli      some of them
    tools/test.py --quick              the fast ones, and lint of what changed (make check)
    tools/test.py --fuzz-seconds 600   longer fuzzing

The summary gives minutes and CPU seconds for each part. Minutes depend on what else the machine
does, CPU seconds much less. The last line is "N passed, N failed"; the exit status is 0 only if
nothing failed.
"""

import argparse
import hashlib
import os
import re
import resource
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
WORKERS = min(CORES, 2)  # of pytest: more would disturb the tests that measure time


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


def build(preset: str, target: str, *definitions: str) -> bool:
    configured = run("cmake", "--preset", preset, "--log-level=WARNING", *definitions,
                     stdout=subprocess.DEVNULL)
    if configured.returncode != 0:
        return False
    return run("cmake", "--build", "--preset", preset, "--target", target).returncode == 0


def count_junit(path: Path, outcome: Outcome) -> None:
    """Adds the results of a JUnit file. A missing file counts as one failure."""
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


def ctest(preset: str, directory: str, target: str, outcome: Outcome, *definitions: str) -> None:
    if not build(preset, target, *definitions):
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
    """One build for the unit tests and the fuzzers; without clang, only for the unit tests."""
    definitions = () if shutil.which("clang++") else ("-DCMAKE_CXX_COMPILER=c++", "-DFRR_BUILD_FUZZERS=OFF")
    ctest("asan", "build-asan", "all", outcome, *definitions)


def tsan(outcome: Outcome, _) -> None:
    ctest("tsan", "build-tsan", "frr_tests", outcome)


def pytest(folder: str, outcome: Outcome, *targets: str, options: tuple[object, ...] = ()) -> None:
    """Runs a folder of tests with the release build, after building the additional `targets`."""
    if not all(build("release", target) for target in ("frr_program", *targets)):
        outcome.add(False, "the release build fails")
        return
    run_pytest(folder, outcome, options)


def run_pytest(folder: str, outcome: Outcome, options: tuple[object, ...] = (), log=None) -> None:
    junit = ROOT / "build" / f"pytest-{Path(folder).name}.xml"
    junit.unlink(missing_ok=True)
    environment = {**os.environ, "FRR_BINARY": str(ROOT / "build" / "frr")}
    finished = run(venv_python(), "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider",
                   f"--junitxml={junit}", *options, folder, env=environment, stdout=log, stderr=log)
    count_junit(junit, outcome)
    if finished.returncode != 0 and outcome.failed == 0:
        outcome.add(False, f"pytest ended with status {finished.returncode}")


def workers(distribution: str) -> tuple[object, ...]:
    """Options that spread tests over processes: `loadfile` by file, `worksteal` one by one."""
    available = run(venv_python(), "-c", "import xdist", stderr=subprocess.DEVNULL).returncode == 0
    return ("-n", WORKERS, "--dist", distribution) if available else ()


def cli(outcome: Outcome, _) -> None:
    pytest("tests/cli", outcome, options=workers("worksteal"))


def report(outcome: Outcome, _) -> None:
    if shutil.which("chromium") is None:
        outcome.skipped += 1
        outcome.notes.append("skipped: chromium is not installed")
        return
    pytest("tests/report", outcome, options=workers("loadfile"))


def export(outcome: Outcome, _) -> None:
    pytest("tests/export", outcome, options=workers("loadfile"))


def layout(outcome: Outcome, _) -> None:
    run_pytest("tests/layout", outcome)


def docs(outcome: Outcome, _) -> None:
    pytest("tests/docs", outcome)


def study(outcome: Outcome, _) -> None:
    pytest("tests/bench", outcome)


def perf(outcome: Outcome, _) -> None:
    pytest("tests/perf", outcome, "frr_instructions", "bench_programs", options=workers("loadfile"))


def venv_python() -> Path:
    path = ROOT / ".venv" / "bin" / "python"
    return path if path.exists() else Path(sys.executable)


def python(outcome: Outcome, arguments) -> None:
    """Builds the wheel as a user would, installs it, and runs the Python tests and checks."""
    if sys.version_info < (3, 11):
        outcome.skipped += 1
        outcome.notes.append("skipped: the Python package needs Python 3.11")
        return
    if not install_package(outcome, reuse=arguments.quick):
        return
    if not arguments.quick:  # otherwise, the lint of changed files does this
        ruff(outcome)
    types = run(venv_python(), "-m", "mypy", "python/frr").returncode == 0
    outcome.add(types, "" if types else "mypy python/frr")
    core = ("--ignore-glob=*/test_fuzz*", "--ignore-glob=*/test_tutorial*", "--ignore-glob=*/test_ecosystem*",
            "--ignore-glob=*/test_interrupt*", "--ignore-glob=*/test_sklearn_checks*")
    pytest("tests/python", outcome, options=(*workers("worksteal"), *(core if arguments.quick else ())))


def install_package(outcome: Outcome, reuse: bool) -> bool:
    """Installs the wheel of these sources; with `reuse`, only if it is not installed yet."""
    state = hashlib.sha256()
    listed = run("git", "ls-files", "-co", "--exclude-standard", "CMakeLists.txt", "pyproject.toml", "cmake",
                 "include", "src", "cli", "export", "report", "python", "data/breast_cancer.csv",
                 stdout=subprocess.PIPE, text=True)
    files = [path for path in map(ROOT.joinpath, listed.stdout.splitlines()) if path.is_file()]
    for path in files:
        state.update(str(path).encode() + path.read_bytes())
    stamp = venv_python().parent.parent / ".frr-wheel"
    if reuse and files and stamp.exists() and stamp.read_text() == state.hexdigest():
        return True
    stamp.unlink(missing_ok=True)
    wheels = ROOT / "build" / "wheel"
    shutil.rmtree(wheels, ignore_errors=True)
    pip = (venv_python(), "-m", "pip", "-q", "--disable-pip-version-check")
    if run(*pip, "wheel", ".", "--no-deps", "-w", wheels).returncode != 0:
        outcome.add(False, "the wheel does not build")
        return False
    wheel = next(wheels.glob("frr-*.whl"))
    if run(*pip, "install", "--force-reinstall", "--no-deps", wheel).returncode != 0:
        outcome.add(False, "the wheel does not install")
        return False
    if sys.platform == "linux":
        audit = run(venv_python(), "-m", "auditwheel", "show", wheel, capture_output=True, text=True)
        fit = audit.returncode == 0 and "manylinux" in audit.stdout
        outcome.add(fit, "" if fit else f"auditwheel: {audit.stdout}{audit.stderr}")
        if not fit:
            return True
    stamp.write_text(state.hexdigest())
    return True


def ruff(outcome: Outcome) -> None:
    for check in (("check",), ("format", "--check")):
        ok = run(venv_python(), "-m", "ruff", *check).returncode == 0
        outcome.add(ok, "" if ok else " ".join(("ruff", *check)))


def scale(outcome: Outcome, _) -> None:
    """Uses the installed Python package. Runs two engines in parallel, because they often wait."""
    if not build("release", "frr_program"):
        outcome.add(False, "the release build fails")
        return
    folders = ("tests/spark", "tests/dask", "tests/files")  # the longest first
    with ThreadPoolExecutor(WORKERS) as pool:
        for part in pool.map(engine, folders):
            outcome.passed += part.passed
            outcome.failed += part.failed
            outcome.skipped += part.skipped
            outcome.notes += part.notes


def engine(folder: str) -> Outcome:
    outcome = Outcome()
    path = ROOT / "build" / f"pytest-{Path(folder).name}.log"
    with path.open("w") as log:
        run_pytest(folder, outcome, log=log)
    print(f"-- {folder}\n{path.read_text(errors='replace')}", flush=True)
    return outcome


def torture(outcome: Outcome, arguments) -> None:
    if not build("release", "frr_program"):
        outcome.add(False, "the release build fails")
        return
    finished = run(venv_python(), "tests/torture", "--seconds", arguments.torture_seconds,
                   stdout=subprocess.PIPE, text=True)
    print(finished.stdout, flush=True)
    counts = re.search(r"^(\d+) passed, (\d+) failed$", finished.stdout, re.MULTILINE)
    if counts is None or (finished.returncode != 0 and counts[2] == "0"):
        outcome.add(False, f"tests/torture ended with status {finished.returncode}")
        return
    outcome.passed += int(counts[1])
    outcome.failed += int(counts[2])


def fuzz(outcome: Outcome, arguments) -> None:
    """Runs the fuzzers in the build of the address sanitizer."""
    if shutil.which("clang++") is None:
        outcome.skipped += 1
        outcome.notes.append("skipped: clang++ is not installed")
        return
    if not build("asan", "fuzzers"):
        outcome.add(False, "the build of the fuzzers fails")
        return
    fuzzers = sorted(path for path in (ROOT / "build-asan" / "fuzzers").iterdir() if path.is_file())
    with ThreadPoolExecutor(CORES) as pool:
        for ok, note in pool.map(lambda path: run_fuzzer(path, arguments.fuzz_seconds), fuzzers):
            outcome.add(ok, note)


def run_fuzzer(fuzzer: Path, seconds: int) -> tuple[bool, str]:
    # New inputs are written to the build directory; the corpus in the repository is only the seed.
    work = ROOT / "build-asan" / "corpus" / fuzzer.name
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


FORMATTED = ("include", "src", "cli", "export", "tests/cpp", "tests/fuzz", "tests/perf", "docs", "bench",
             "python/bindings")
TIDIED = ("src", "cli", "export", "docs")


def own_sources(folders: tuple[str, ...] = FORMATTED) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.[ch]pp"))


def changed() -> set[Path]:
    """Files that have changed since this branch left the main one, or since the last commit."""
    base = run("git", "merge-base", "HEAD", "main", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    start = base.stdout.strip() if base.returncode == 0 else "HEAD"
    commands = (("git", "diff", "--name-only", "--diff-filter=d", start),
                ("git", "ls-files", "--others", "--exclude-standard"))
    names = (name for command in commands
             for name in run(*command, stdout=subprocess.PIPE, text=True).stdout.splitlines())
    return {ROOT / name for name in names}


def lint(outcome: Outcome, arguments) -> None:
    """Lints all files; with --quick, only changed ones."""
    chosen = changed() if arguments.quick else None
    plain = run(venv_python(), "tools/plain_files.py", *(sorted(chosen) if chosen else ())).returncode == 0
    outcome.add(plain, "" if plain else "tools/plain_files.py")
    if arguments.quick:
        ruff(outcome)
    lint_sources(outcome, chosen)


def lint_sources(outcome: Outcome, chosen: set[Path] | None) -> None:
    if shutil.which("clang-format") is None or shutil.which("clang-tidy") is None:
        outcome.skipped += 1
        outcome.notes.append("skipped: clang-format or clang-tidy is not installed")
        return
    sources = [path for path in own_sources() if chosen is None or path in chosen]
    if sources:
        formatted = run("clang-format", "--dry-run", "--Werror", *sources)
        outcome.add(formatted.returncode == 0, "" if formatted.returncode == 0 else "run make format")
    # clang-tidy needs the generated source of the program.
    if run("cmake", "--preset", "release", stdout=subprocess.DEVNULL).returncode != 0:
        outcome.add(False, "cmake fails")
        return
    files = [path for path in own_sources(TIDIED)
             if path.suffix == ".cpp" and (chosen is None or path in chosen)]
    stamps = tidy_stamps(files)
    with ThreadPoolExecutor(CORES) as pool:
        for ok, note in pool.map(tidy, files, stamps):
            outcome.add(ok, note)


def tidy_stamps(paths: list[Path]) -> list[Path]:
    """For each file, a marker that exists if the file passed with the same headers and checks."""
    common = hashlib.sha256()
    headers = [header for header in own_sources() if header.suffix == ".hpp"]
    for part in (ROOT / ".clang-tidy", *headers):
        common.update(part.read_bytes())
    stamps = []
    for path in paths:
        state = common.copy()
        state.update(path.read_bytes())
        stamps.append(ROOT / "build" / "tidy" / f"{path.parent.name}-{path.stem}-{state.hexdigest()[:16]}")
    return stamps


def tidy(path: Path, stamp: Path) -> tuple[bool, str]:
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
    "layout": ("layers of the sources", layout),
    "lint": ("format and lint", lint),
    "cli": ("program", cli),
    "report": ("report page", report),
    "export": ("exported forms", export),
    "docs": ("documentation", docs),
    "study": ("study", study),
    "perf": ("performance", perf),
    "python": ("Python package", python),
    "asan": ("address and undefined behaviour sanitizers", asan),
    "fuzz": ("fuzzers", fuzz),
    "tsan": ("thread sanitizer", tsan),
    "torture": ("unusual input, limits and kills", torture),
    "scale": ("files, Dask and Spark", scale),
}
QUICK = ("unit", "layout", "lint", "cli", "python")


@dataclass
class Clock:
    """Elapsed time since its creation, and CPU time (user and system) of processes that have ended."""

    start: float = field(default_factory=time.monotonic)
    before: float = field(default_factory=lambda: Clock.cpu())

    @staticmethod
    def cpu() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    def __str__(self) -> str:
        elapsed = time.monotonic() - self.start
        return f"{elapsed / 60:5.1f} min, {self.cpu() - self.before:5.0f} s CPU"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", help="parts: " + ", ".join(PARTS))
    parser.add_argument("--quick", action="store_true",
                        help=f"only {', '.join(QUICK)}; the core of the Python tests, lint of changed files")
    parser.add_argument("--fuzz-seconds", type=int, default=20, help="time for each fuzzer")
    parser.add_argument("--torture-seconds", type=int, default=120, help="time for all stress tests")
    arguments = parser.parse_args()
    names = arguments.only.split(",") if arguments.only else QUICK if arguments.quick else list(PARTS)
    for name in names:
        if name not in PARTS:
            parser.error(f"no part is called {name}; there are {', '.join(PARTS)}")

    rows, whole = [], Clock()
    for name in names:
        title, part = PARTS[name]
        print(f"\n== {title}", flush=True)
        outcome, clock = Outcome(), Clock()
        part(outcome, arguments)
        rows.append((title, outcome, str(clock)))

    print()
    for title, outcome, minutes in rows:
        skipped = f", {outcome.skipped} skipped" if outcome.skipped else ""
        print(f"{title:43} {minutes}: {outcome.passed} passed, {outcome.failed} failed{skipped}")
        for note in outcome.notes:
            print(f"    {note}")
    print(f"{'all parts':43} {whole}")
    passed = sum(outcome.passed for _, outcome, _ in rows)
    failed = sum(outcome.failed for _, outcome, _ in rows)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
