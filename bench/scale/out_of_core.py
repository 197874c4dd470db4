#!/usr/bin/env python3
"""Measures learning from a file larger than memory: memory, time and accuracy.

    bench/scale/out_of_core.py --folder /tmp/large

Writes a table (make_table.py) of --rows rows to a Parquet file. Compares `frr.files.train` with
--memory with a fit in memory on a sample of --sample rows:

- peak memory, each in a separate process,
- accuracy on new rows,
- time per row.

The two run alternately, --repeat times with the seeds 0, 1, 2, ..., because the accuracy varies
more between seeds than between the two. Times are medians. Accuracies are means and are also
listed individually. The file is deleted at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import make_table

FRESH = 1 << 33  # number of a block beyond the end of any table
TARGET = "y"


def peak_memory() -> int:
    """The peak memory of this process in bytes."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return 1024 * int(line.split()[1])
    raise RuntimeError("this system does not report the peak memory")


def train_files(given: argparse.Namespace) -> dict:
    from frr import files

    before = peak_memory()
    start, spent = time.perf_counter(), time.process_time()
    model = files.train(
        given.path,
        target=TARGET,
        memory=given.memory,
        n_jobs=given.threads,
        random_state=given.seed,
    )
    seconds, cpu = time.perf_counter() - start, time.process_time() - spent
    model.save(given.model)
    return {
        "seconds": seconds,
        "cpu": cpu,
        "peak": peak_memory(),
        "at_start": before,
        "notes": model.notes_,
    }


def train_sample(given: argparse.Namespace) -> dict:
    """A sample with the same number of rows from every block of the file."""
    import numpy as np
    import pandas as pd
    from frr import FRRClassifier

    blocks = -(-given.rows // make_table.BLOCK)
    each = -(-given.sample // blocks)
    numbers, classes = [], []
    for number in range(blocks):
        x, yes = make_table.block(number)
        numbers.append(x[:, :each].T.copy())  # a copy, so that the block can be freed
        classes.append(yes[:each])
    X = np.concatenate(numbers)[: given.sample]
    y = np.array(make_table.CLASSES)[np.concatenate(classes)[: given.sample].astype(int)]
    frame, series = pd.DataFrame(X, columns=make_table.NAMES), pd.Series(y, name=TARGET)
    start, spent = time.perf_counter(), time.process_time()
    model = FRRClassifier(n_jobs=given.threads, random_state=given.seed).fit(frame, series)
    seconds, cpu = time.perf_counter() - start, time.process_time() - spent
    model.save(given.model)
    return {"seconds": seconds, "cpu": cpu, "peak": peak_memory(), "rows": len(frame)}


def accuracy(model_path: Path, rows: int) -> float:
    from frr import FRRClassifier

    model = FRRClassifier.load(model_path)
    right = 0
    for first in range(0, rows, make_table.BLOCK):
        count = min(make_table.BLOCK, rows - first)
        table = make_table.rows(FRESH + first, count).to_pandas()
        right += int((model.predict(table[make_table.NAMES]) == table[TARGET]).sum())
    return 100 * right / rows


def in_process(given: argparse.Namespace, what: str, seed: int, path: Path, model: Path) -> dict:
    """Runs one side in a separate process, so that its peak memory can be measured."""
    words = [sys.executable, __file__, "--side", what, "--path", str(path), "--model", str(model)]
    words += ["--seed", str(seed)]
    for name in ("rows", "sample", "memory", "threads"):
        words += [f"--{name}", str(getattr(given, name))]
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def measure(given: argparse.Namespace, folder: Path) -> dict:
    path = folder / "table.parquet"
    start = time.perf_counter()
    make_table.write(path, given.rows)
    print(
        f"made {path}: {path.stat().st_size / 1e9:.2f} GB, {time.perf_counter() - start:.0f} s",
        file=sys.stderr,
    )
    runs: dict[str, list[dict]] = {"files": [], "sample": []}
    for seed in range(given.repeat):
        for side, results in runs.items():
            model = folder / f"{side}-{seed}.json"
            results.append(in_process(given, side, seed, path, model))
            results[-1]["accuracy"] = accuracy(model, given.fresh)
            print(side, results[-1], f"load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    result: dict = {
        "rows": given.rows,
        "sample": given.sample,
        "memory": given.memory,
        "threads": given.threads,
        "load": os.getloadavg()[0],
    }
    result["file_bytes"] = path.stat().st_size
    result["peak_memory"] = max(run["peak"] for run in runs["files"])
    result["peak_memory_of_sample"] = max(run["peak"] for run in runs["sample"])
    for side, rows in (("files", given.rows), ("sample", given.sample)):
        result[f"{side}_seconds"] = statistics.median(run["seconds"] for run in runs[side])
        result[f"{side}_cpu_seconds"] = statistics.median(run["cpu"] for run in runs[side])
        result[f"{side}_ns_a_row"] = 1e9 * result[f"{side}_seconds"] / rows
        result[f"{side}_accuracies"] = [run["accuracy"] for run in runs[side]]
        result[f"{side}_accuracy"] = statistics.mean(result[f"{side}_accuracies"])
    result["time_ratio"] = result["files_ns_a_row"] / result["sample_ns_a_row"]
    result["points_lost"] = result["sample_accuracy"] - result["files_accuracy"]
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--sample", type=int, default=1_000_000)
    parser.add_argument("--fresh", type=int, default=1_000_000, help="number of test rows")
    parser.add_argument("--memory", default="1GB")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument(
        "--folder", type=Path, help="directory for the file [default: that of the system]"
    )
    parser.add_argument("--seed", type=int, default=0, help=argparse.SUPPRESS)
    for name in ("--side", "--path", "--model"):
        parser.add_argument(name, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.side:
        print(json.dumps((train_files if given.side == "files" else train_sample)(given)))
        return
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        free = shutil.disk_usage(folder).free
        if free < 220 * given.rows:
            sys.exit(f"{folder}: {220 * given.rows / 1e9:.1f} GB are needed, {free / 1e9:.1f} free")
        print(json.dumps(measure(given, Path(folder)), indent=2))


if __name__ == "__main__":
    main()
