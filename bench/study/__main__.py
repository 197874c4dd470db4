#!/usr/bin/env python3
"""The study: FRR and other learners on the same datasets and folds, as a page with figures.

    make study                              the whole study, written to docs/explanation
    python3 bench/study --only iris,wine    some datasets, written to build/study/
    python3 bench/study --peers             also the other learners that are installed
    python3 bench/study --rewrite --output docs/explanation    rewrites the page from its study.json
    python3 bench/study --quick             the built-in datasets; fails if the accuracy is lower than expected
    python3 bench/study --quick --renew     updates the expectations of --quick (bench/smoke.json)

Every result is saved at once. A run that was stopped continues where it was, and repeats only the parts for
which the program, the options, the packages or the data have changed. The datasets are found in the same way as
by bench/datasets.py.
"""

import argparse
import importlib.util
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent)  # bench/

import datasets  # noqa: E402

from study import figures, page, peers, published, results, smoke, units  # noqa: E402
from study.runner import Store, run_units  # noqa: E402
from study.watch import Watch  # noqa: E402

ROOT = datasets.ROOT
WORK = ROOT / "build" / "study"


def numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="study", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--datasets", help="directory of datasets")
    add("--program", type=Path, help="the frr to run [default: FRR_BINARY, else build/frr]",
        default=Path(os.environ.get("FRR_BINARY", ROOT / "build" / "frr")))
    add("--only", help="names of datasets, separated by commas")
    add("--seeds", type=numbers, default=[0, 1, 2], help="seeds of FRR [default: 0,1,2]")
    add("--peers", nargs="?", const=",".join(peers.PEERS), default="", metavar="A,B",
        help="also run other learners, if installed [default of A,B: all]: "
        + ", ".join(peers.PEERS))
    add("--peer-seeds", type=numbers, default=[0], help="seeds of other learners [default: 0]")
    add("--no-ablation", action="store_true", help="omit the variants of FRR")
    add("--ablation-seeds", type=numbers, default=[0, 1], help="seeds of the variants [default: 0,1]")
    add("--published", type=Path, help="accuracies measured elsewhere: .md, .csv or .json "
        "[default: ../*/peers.md, if there is one]")
    add("--no-published", action="store_true", help="omit accuracies measured elsewhere")
    add("--no-figures", action="store_true", help="omit the figures")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="number of parallel units [default: number of cores]")
    add("--limit", type=float, default=600, help="time limit for a unit in seconds [default: 600]")
    add("--output", type=Path, default=WORK, help="directory for the page [default: build/study]")
    add("--cache", type=Path, default=WORK / "units", help="directory for stored results "
        "[default: build/study/units]")
    add("--rewrite", action="store_true", help="rewrite the page from the study.json in the output "
        "directory without running the study")
    add("--quick", action="store_true", help="check the accuracy on the built-in datasets")
    add("--renew", action="store_true", help="with --quick: update the expectations")
    add("--expected", type=Path, default=smoke.EXPECTED, help="file with the expectations [default: bench/smoke.json]")
    add("--option", action="append", default=[], help="with --quick: an option for frr, such as "
        "--option=--epochs=1; may be repeated")
    parser.set_defaults(size=None)  # datasets.select requires it
    chosen = parser.parse_args(arguments)
    chosen.peers = [name for name in chosen.peers.split(",") if name]
    unknown = set(chosen.peers) - set(peers.PEERS)
    if unknown:
        parser.error(f"no such learner: {', '.join(sorted(unknown))}")
    return chosen


def plan_ablation(source: units.Source, entries: list[dict], seeds: list[int],
                  notes: list[str]) -> list[units.Unit]:
    plan = []
    for name, options in units.ABLATION.items():
        unknown = units.refused(source.program, options)
        if unknown:
            notes.append(f"{name}: this frr does not know {', '.join(unknown)}")
            continue
        plan += [source.frr(name, options, entry, seed) for entry in entries for seed in seeds]
    both = [entry for entry in entries if entry["name"] in units.PAPER_SETS]
    for name, options in units.paper_variants().items():
        plan += [source.frr(name, options, entry, seed) for entry in both for seed in seeds]
    if both and units.refused(source.program, ["--log"], "train"):
        notes.append("loss curves: this frr does not know train --log")
    else:
        plan += [source.loss(name, ("--preset", "paper", *options), entry, seeds[0])
                 for entry in both for name, options in units.LOSS_CURVES.items()]
    return plan


def plan_peers(source: units.Source, names: list[str], entries: list[dict], seeds: list[int],
               notes: list[str]) -> list[units.Unit]:
    plan = []
    for name in names:
        peer = peers.PEERS[name]
        if not peers.installed(name):
            notes.append(f"{peer.title}: {peer.package} is not installed (make study PEERS=1)")
            continue
        plan += [source.peer(name, entry, seed) for entry in entries for seed in seeds]
    return plan


def machine(jobs: int) -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    model = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{model[0] if model else 'an unnamed processor'}, {jobs} at a time"


def read_published(arguments: argparse.Namespace) -> tuple[Path | None, published.Published]:
    if arguments.no_published:
        return None, published.Published()
    path = arguments.published or published.find_published(ROOT)
    if path is None:
        return None, published.Published()
    try:
        return path, published.read_published(path)
    except (OSError, ValueError) as error:
        sys.exit(f"study: cannot read the published accuracies: {error}")


def make_study(arguments: argparse.Namespace, plan: list[units.Unit], outcomes: dict[str, dict],
               notes: list[str]) -> dict:
    path, known = read_published(arguments)
    found = results.Results(plan, outcomes)
    frr = found.learner("frr", units.FULL, "FRR", arguments.seeds)
    run = [found.learner("peer", name, peer.title, arguments.peer_seeds)
           for name, peer in peers.PEERS.items()]
    run = [learner for learner in run if learner["sets"]]
    table = frr["by_dataset"]
    sets = list(table)
    others = run + results.published_learners(known, sets, {other["name"] for other in run})
    return {
        "program": version(arguments.program), "machine": machine(arguments.jobs),
        "seeds": arguments.seeds, "ablation_seeds": arguments.ablation_seeds,
        "datasets": [shape for shape in found.shapes() if shape["name"] in table],
        "published": path.name if path else None,
        "published_means": results.published_means(known, sets, {other["title"] for other in run}),
        "learners": [frr, *others],
        "comparison": [results.compare(table, other) for other in others],
        "friedman": results.rank_learners(table, others),
        "time_ratio": results.time_ratio(table, others, "gb"),
        "ablation": [] if arguments.no_ablation
        else results.ablation(found, arguments.ablation_seeds),
        "paper_ablation": results.paper_ablation(found, list(units.paper_variants()),
                                                 arguments.ablation_seeds),
        "loss": results.loss_curves(found),
        "notes": notes + results.troubles(plan, outcomes),
    }


def version(program: Path) -> str:
    return subprocess.run([str(program), "--version"], capture_output=True, text=True,
                          check=True).stdout.strip()


def write_file(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.part")
    temporary.write_text(text)
    temporary.replace(path)


def write_study(study: dict, output: Path, draw: bool) -> None:
    output.mkdir(parents=True, exist_ok=True)
    study["figures"] = draw and importlib.util.find_spec("matplotlib") is not None
    if study["figures"]:
        figures.draw_size(study, output / "study-size.svg")
        if study["loss"]:
            figures.draw_loss(study, output / "study-loss.svg")
    elif draw:
        study["notes"].append("figures: matplotlib is not installed "
                              "(pip install -r bench/requirements.txt)")
    write_file(output / "study.json", json.dumps(study, indent=1) + "\n")
    write_page(study, output)


def write_page(study: dict, output: Path) -> None:
    write_file(output / "study.md", page.make_page(study))


def run_plan(arguments: argparse.Namespace, plan: list[units.Unit]) -> dict[str, dict]:
    store = Store(arguments.cache, arguments.limit)
    watch = Watch(len({unit.key for unit in plan}))
    try:
        outcomes = run_units(plan, store, arguments.jobs, watch.start, watch.report)
    except KeyboardInterrupt:
        watch.clear()
        kept = len({unit.key for unit in plan if store.load(unit) is not None})
        print(f"study: stopped. {kept} of {watch.total} results are kept in {store.folder}; "
              "the same command continues from there.", file=sys.stderr)
        sys.exit(130)
    watch.clear()
    return outcomes


def run_study(arguments: argparse.Namespace) -> int:
    directory = datasets.find_directory(arguments.datasets)
    if directory is None:
        sys.exit("study: no benchmark datasets: give --datasets DIR or set FRR_DATASETS, a "
                 "directory with datasets.json, NAME.csv and folds/NAME.txt (see --help); "
                 "or use --quick")
    read_published(arguments)  # reports errors before the work starts
    if importlib.util.find_spec("scipy") is None:
        sys.exit("study: scipy is not installed: pip install -r bench/requirements.txt, or use "
                 "make study")
    entries = datasets.select(datasets.load_index(directory), arguments)
    source = units.Source(arguments.program, directory)
    notes: list[str] = []
    plan = [source.frr(units.FULL, (), entry, seed) for entry in entries
            for seed in arguments.seeds]
    plan += plan_peers(source, arguments.peers, entries, arguments.peer_seeds, notes)
    if not arguments.no_ablation:
        plan += plan_ablation(source, entries, arguments.ablation_seeds, notes)
    for note in notes:
        print(f"study: skipped: {note}", file=sys.stderr)
    study = make_study(arguments, plan, run_plan(arguments, plan), notes)
    if not study["learners"][0]["sets"]:
        sys.exit("study: FRR has no results: " + "; ".join(study["notes"]))
    write_study(study, arguments.output, not arguments.no_figures)
    mean = study["learners"][0]["mean"]
    print(f"FRR: {mean['accuracy']:.2f} % with {mean['rules']:.1f} rules and "
          f"{mean['conditions']:.1f} conditions, {mean['fit_seconds']:.2f} s per training, on "
          f"{study['learners'][0]['sets']} datasets. See {arguments.output / 'study.md'}.")
    failed = [note for note in study["notes"] if note not in notes]
    for note in failed:
        print(f"study: {note}", file=sys.stderr)
    return 1 if study["learners"][0]["sets"] < len(entries) else 0


def run_quick(arguments: argparse.Namespace) -> int:
    """Runs the built-in datasets with several seeds. Returns 1 if one is worse than expected by more than the noise."""
    seeds = smoke.RENEW_SEEDS if arguments.renew else smoke.SEEDS
    entries = datasets.select(datasets.load_index(smoke.DATA), arguments)
    source = units.Source(arguments.program, smoke.DATA)
    plan = [source.frr(units.FULL, arguments.option, entry, seed) for entry in entries
            for seed in seeds]
    outcomes = run_plan(arguments, plan)
    found = results.Results(plan, outcomes)
    table = found.by_dataset("frr", units.FULL, seeds)
    for trouble in results.troubles(plan, outcomes):
        print(f"study: {trouble}", file=sys.stderr)
    for name, row in table.items():
        print(f"{name:16} {row['accuracy']:6.2f} %  size {row['conditions']:5.1f}  "
              f"{row['fit_seconds']:.2f} s")
    if arguments.renew:
        if len(table) < len(entries):
            return 1
        smoke.write_expected(arguments.expected, {
            entry["name"]: smoke.expect(
                [found.found["frr", units.FULL, entry["name"], seed]["mean"]["accuracy"]
                 for seed in seeds], entry["samples"]) for entry in entries})
        return 0
    expected = json.loads(arguments.expected.read_text())
    chosen = {entry["name"]: expected[entry["name"]] for entry in entries
              if entry["name"] in expected}
    complaints = smoke.judge({name: row["accuracy"] for name, row in table.items()}, chosen)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def main() -> int:
    arguments = parse(sys.argv[1:])
    if arguments.rewrite:
        write_page(json.loads((arguments.output / "study.json").read_text()), arguments.output)
        return 0
    if not os.access(arguments.program, os.X_OK):
        sys.exit(f"study: there is no program {arguments.program}: run make, or give --program")
    arguments.program = arguments.program.resolve()
    signal.signal(signal.SIGTERM, interrupt)
    return run_quick(arguments) if arguments.quick else run_study(arguments)


if __name__ == "__main__":
    sys.exit(main())
