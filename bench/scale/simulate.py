#!/usr/bin/env python3
"""Simulates the time of a fit on many machines, with constants measured on this one.

    bench/scale/simulate.py                   measures, simulates, prints the tables of scale.md
    bench/scale/simulate.py --rows 500000     measures on fewer rows
    bench/scale/simulate.py --json FILE       also writes all figures

Measured, in this process on one core: a fit on shards of 65536 rows. For every request, this gives
the bytes of the request and of the answers, the seconds to compute each answer and to add two
answers, and the seconds of the coordinator. Assumed (see the output): the speed of the network,
the speed at which a worker reads its rows, and the time in which an engine starts a task.
Simulated: every worker has an equal share of the shards, whose seconds are drawn from the measured
ones; a request ends with the slowest worker; answers are added along a binary tree. Needs the
Python package.
"""

import argparse
import json
import math
import sys
import time
from dataclasses import dataclass, field

import numpy as np
from frr import shards

SHARD_ROWS = 65536
COLUMNS = 20


@dataclass
class Assumed:
    """The assumptions, in bytes and seconds."""

    bandwidth: float = 10e9 / 8  # of the network of a worker
    latency: float = 0.5e-3  # of a message between two machines
    task: float = 1e-3  # for one task at the scheduler, which starts them one after the other
    read: float = 200e6  # bytes of columns that a worker reads and decodes per second
    bytes_a_cell: float = 8


@dataclass
class Question:
    kind: str
    columns: int  # number of columns read
    request: int
    answers: list[int]  # bytes of the answer of each shard
    total: int  # bytes of the sum
    seconds: list[float]  # of each shard
    adding: float  # seconds to add two answers
    rows: int = SHARD_ROWS


@dataclass
class Fit:
    questions: list[Question] = field(default_factory=list)
    asking: float = 0  # seconds of the coordinator
    rules: int = 0


def block(index: int, rows: int) -> dict[str, np.ndarray]:
    """Rows that depend only on the block number: two classes, 20 numbers, a tenth of noise."""
    rng = np.random.Generator(np.random.Philox(key=7, counter=index))
    x = rng.standard_normal((COLUMNS, rows))
    truth = ((x[0] > 0.3) & (x[1] < 0.5)) | (x[2] * x[3] > 1.5) | (x[4] + x[5] > 2.2)
    flip = rng.random(rows) < 0.1
    table = {f"x{j}": x[j] for j in range(COLUMNS)}
    table["class"] = np.where(truth ^ flip, "yes", "no")
    return table


def measure(rows: int) -> Fit:
    parts = [block(i, SHARD_ROWS) for i in range(max(3, rows // SHARD_ROWS))]
    fit = Fit()

    def ask(request: bytes) -> bytes:
        wanted = shards.columns(request)
        answers, seconds = [], []
        for i, part in enumerate(parts):
            start = time.process_time()
            answers.append(shards.answer(request, part, i))
            seconds.append(time.process_time() - start)
        start = time.process_time()
        shards.add(answers[:2])
        adding = time.process_time() - start
        total = shards.add(answers)
        fit.questions.append(
            Question(
                shards.question(request),
                len(wanted) or COLUMNS + 1,
                len(request),
                [len(a) for a in answers],
                len(total),
                seconds,
                adding,
            )
        )
        return total

    start = time.process_time()
    model = shards.train(ask, target="class", n_jobs=1)
    fit.asking = (
        time.process_time()
        - start
        - sum(sum(q.seconds) + q.adding * (len(parts) + 1) for q in fit.questions)
    )
    fit.rules = len(model.rules_)
    return fit


def simulate(
    fit: Fit, assumed: Assumed, rows: float, workers: int, rng: np.random.Generator, in_memory: bool
) -> dict[str, float]:
    """The seconds of a fit by activity."""
    spent = {"asking": fit.asking, "answering": 0.0, "reading": 0.0, "network": 0.0, "engine": 0.0}
    # Workers have shards of equal size, which are larger if there are many rows.
    tasks = 4  # per worker; more would only burden the scheduler
    share = rows / workers
    for question in fit.questions:
        a_row = np.array(question.seconds) / question.rows
        # Each task takes as long per row as one of the measured shards.
        drawn = rng.choice(a_row, size=(workers, tasks)).sum(axis=1) * share / tasks
        spent["answering"] += drawn.max()
        if not in_memory:
            spent["reading"] += share * question.columns * assumed.bytes_a_cell / assumed.read
        depth = math.ceil(math.log2(workers)) if workers > 1 else 0
        hop = assumed.latency + question.total / assumed.bandwidth + question.adding
        spent["network"] += depth * hop + assumed.latency + question.request / assumed.bandwidth
        spent["engine"] += assumed.task * workers * tasks
    return spent


def print_questions(fit: Fit) -> None:
    print(
        "| request | columns | request, bytes | answer of a shard, bytes | sum, bytes "
        "| ns per row |"
    )
    print("|---|---:|---:|---:|---:|---:|")
    for question in fit.questions:
        a_row = 1e9 * float(np.median(question.seconds)) / question.rows
        print(
            f"| {question.kind} | {question.columns} | {question.request:,} "
            f"| {int(np.median(question.answers)):,} | {question.total:,} | {a_row:.0f} |"
        )


def print_times(rows: list[dict]) -> None:
    print(
        "| rows | workers | rows are | seconds | of that asking | answering | reading "
        "| network | engine |"
    )
    print("|---:|---:|---|---:|---:|---:|---:|---:|---:|")
    for row in rows:
        spent = row["spent"]
        print(
            f"| {row['rows']:.0e} | {row['workers']} | {row['where']} | {row['seconds']:,.0f} | "
            + " | ".join(
                f"{spent[key]:,.1f}"
                for key in ("asking", "answering", "reading", "network", "engine")
            )
            + " |"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=2_000_000, help="rows to measure on")
    parser.add_argument("--json", help="file for all figures")
    arguments = parser.parse_args()
    fit = measure(arguments.rows)
    assumed = Assumed()
    print(
        f"{len(fit.questions)} requests; {fit.asking:.1f} s of processor time at the side "
        f"that asks; {fit.rules} rules\n"
    )
    print_questions(fit)
    print(f"\nAssumed: {assumed}\n")
    results = []
    for rows in (1e9, 1e12):
        for workers in (10, 100, 1000):
            for in_memory in (True, False):
                spent = simulate(fit, assumed, rows, workers, np.random.default_rng(0), in_memory)
                results.append(
                    {
                        "rows": rows,
                        "workers": workers,
                        "spent": spent,
                        "where": "in memory" if in_memory else "in files",
                        "seconds": sum(spent.values()),
                    }
                )
    print_times(results)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(
                {
                    "questions": [vars(q) for q in fit.questions],
                    "asking": fit.asking,
                    "assumed": vars(assumed),
                    "results": results,
                },
                file,
                indent=1,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
