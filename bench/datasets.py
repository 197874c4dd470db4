#!/usr/bin/env python3
"""Cross-validates frr on a directory of benchmark datasets and prints one line for each.

    bench/datasets.py                                all datasets, default settings
    bench/datasets.py --only iris,wine -- --labels 5 some datasets, other settings for `frr cv`
    bench/datasets.py -- --folds 10 --seed 7         new folds instead of the given ones
    bench/datasets.py --size small --json out.json   datasets of fewer than 3000 rows
    bench/datasets.py --compare before.json          differences from an earlier --json

The directory contains datasets.json (a list of {name, categorical, ...}), NAME.csv (the class is the last
column) and folds/NAME.txt (the fold number of each row). It is given by --datasets or the environment variable
FRR_DATASETS; the default is the first ../*/datasets next to the checkout.
"""

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LARGE_ROWS = 3000  # datasets with at least this many rows count as large
KEYS = ("accuracy", "train_accuracy", "rules", "conditions", "unique_conditions", "fit_seconds")
TITLES = ("accuracy", "train", "rules", "size", "unique", "seconds")


def find_directory(given: str | None = None) -> Path | None:
    """The directory of datasets, or None if it is not found."""
    given = given or os.environ.get("FRR_DATASETS")
    if given:
        return Path(given) if (Path(given) / "datasets.json").is_file() else None
    found = sorted(ROOT.parent.glob("*/datasets/datasets.json"))
    return found[0].parent if found else None


def load_index(directory: Path) -> list[dict]:
    return json.loads((directory / "datasets.json").read_text())


def limits(extra: list[str]) -> tuple[int, int]:
    """The hard limits (rules, conditions in a rule) set by the extra arguments."""
    found = {"--rules": 15, "--conditions": 3}
    for position, argument in enumerate(extra):
        name, _, value = argument.partition("=")
        if name in found:
            found[name] = int(value or extra[position + 1])
    return found["--rules"], found["--conditions"]


def cv_command(program: Path, directory: Path, entry: dict, extra: list[str]) -> list[str]:
    """`frr cv` on one dataset, by default with its given folds and one thread."""
    name = entry["name"]
    command = [str(program), "cv", str(directory / f"{name}.csv"), "--json", "--quiet"]

    def has_option(option: str) -> bool:
        return any(argument.split("=")[0] == option for argument in extra)

    if not has_option("--folds"):
        command += ["--folds", str(directory / "folds" / f"{name}.txt")]
    if entry.get("categorical"):
        command += ["--categorical", ",".join(entry["categorical"])]
    if not has_option("--threads"):
        command += ["--threads", "1"]  # the datasets run in parallel
    return command + extra


def checked(name: str, text: str, extra: list[str]) -> dict:
    """The JSON of `frr cv`. Raises RuntimeError if a fold breaks a limit."""
    result = json.loads(text)
    rules, conditions = limits(extra)
    for number, fold in enumerate(result["folds"], 1):
        if fold["rules"] > rules or fold["conditions"] > fold["rules"] * conditions:
            raise RuntimeError(f"{name}: fold {number} breaks the limits: {fold}")
    return result


def cross_validate(program: Path, directory: Path, entry: dict, extra: list[str]) -> dict:
    """The JSON of `frr cv` on one dataset. Raises RuntimeError if it fails or breaks a limit."""
    name = entry["name"]
    command = cv_command(program, directory, entry, extra)
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        raise RuntimeError(f"{name}: status {finished.returncode}: {finished.stderr.strip()}")
    return checked(name, finished.stdout, extra)


def run_all(program: Path, directory: Path, entries: list[dict], extra: list[str], jobs: int,
            report=lambda name, result: None) -> tuple[dict[str, dict], list[str]]:
    """Results by name, and failures. Larger datasets start first, so that no core is idle at the end."""
    by_cost = sorted(entries, key=lambda e: -e.get("samples", 0) * e.get("features", 1))
    results, failures = {}, []
    with ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(cross_validate, program, directory, entry, extra): entry["name"]
                   for entry in by_cost}
        for future in as_completed(running):
            name = running[future]
            try:
                results[name] = future.result()
                report(name, results[name])
            except (RuntimeError, ValueError, KeyError) as error:
                failures.append(str(error))
                report(name, None)
    order = [entry["name"] for entry in entries]
    return {name: results[name] for name in order if name in results}, failures


def summarise(results: dict[str, dict]) -> dict[str, float]:
    """Unweighted means over the datasets."""
    count = max(len(results), 1)
    return {key: sum(result["mean"][key] for result in results.values()) / count for key in KEYS}


def groups(results: dict[str, dict]) -> list[tuple[str, dict[str, dict]]]:
    small = {name: result for name, result in results.items() if result["rows"] < LARGE_ROWS}
    large = {name: result for name, result in results.items() if result["rows"] >= LARGE_ROWS}
    parts = [(f"smaller sets ({len(small)})", small), (f"larger sets ({len(large)})", large)]
    return [part for part in parts if part[1]] + [(f"all sets ({len(results)})", results)]


def numbers(mean: dict[str, float]) -> list[str]:
    return [f"{mean[key]:.2f}" for key in KEYS]


def print_table(results: dict[str, dict], before: dict[str, dict]) -> None:
    print(f"{'':22}" + "".join(f"{title:>10}" for title in TITLES))
    for name, result in results.items():
        change = ""
        if name in before:
            change = f"{result['mean']['accuracy'] - before[name]['mean']['accuracy']:+10.2f}"
        print(f"{name:22}" + "".join(f"{x:>10}" for x in numbers(result["mean"])) + change)
    print()
    for title, part in groups(results):
        change = ""
        earlier = {name: before[name] for name in part if name in before}
        if len(earlier) == len(part):
            change = f"{summarise(part)['accuracy'] - summarise(earlier)['accuracy']:+10.2f}"
        print(f"{title:22}" + "".join(f"{x:>10}" for x in numbers(summarise(part))) + change)


def parse(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    known, extra = arguments, []
    if "--" in arguments:
        known, extra = arguments[:arguments.index("--")], arguments[arguments.index("--") + 1:]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--datasets", help="directory of datasets")
    parser.add_argument("--program", type=Path,
                        default=Path(os.environ.get("FRR_BINARY", ROOT / "build" / "frr")))
    parser.add_argument("--only", help="names of datasets, separated by commas")
    parser.add_argument("--size", choices=("small", "large"), help=f"only datasets below, or from, {LARGE_ROWS} rows")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of parallel datasets")
    parser.add_argument("--json", type=Path, help="file for all results")
    parser.add_argument("--compare", type=Path, help="file of an earlier --json to compare with")
    parser.add_argument("--brief", action="store_true", help="print only the means")
    return parser.parse_args(known), extra


def select(entries: list[dict], arguments: argparse.Namespace) -> list[dict]:
    if arguments.only:
        names = arguments.only.split(",")
        unknown = set(names) - {entry["name"] for entry in entries}
        if unknown:
            sys.exit(f"no such dataset: {', '.join(sorted(unknown))}")
        entries = [entry for entry in entries if entry["name"] in names]
    if arguments.size:
        large = arguments.size == "large"
        entries = [entry for entry in entries if (entry["samples"] >= LARGE_ROWS) == large]
    return entries


def main() -> int:
    arguments, extra = parse(sys.argv[1:])
    directory = find_directory(arguments.datasets)
    if directory is None:
        sys.exit("No benchmark datasets: give --datasets DIR or set FRR_DATASETS (see --help).")
    entries = select(load_index(directory), arguments)

    def report(name: str, result: dict | None) -> None:
        if sys.stderr.isatty():
            text = f"{result['mean']['accuracy']:.2f}" if result else "failed"
            print(f"\r\033[K{name} {text}", end="", file=sys.stderr, flush=True)

    results, failures = run_all(arguments.program, directory, entries, extra, arguments.jobs,
                                report)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    before = json.loads(arguments.compare.read_text()) if arguments.compare else {}
    if arguments.brief:
        for title, part in groups(results):
            print(f"{title:22}" + "".join(f"{x:>10}" for x in numbers(summarise(part))))
    else:
        print_table(results, before)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
