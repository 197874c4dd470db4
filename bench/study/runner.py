"""Runs units on several cores and saves every result at once, so that a killed run can continue."""

import contextlib
import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import datasets

from study.units import Unit

ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                                     "NUMEXPR_NUM_THREADS", "LOKY_MAX_CPU_COUNT")}


class Store:
    """One file for each unit, first written under another name, so that existing files are complete."""

    def __init__(self, folder: Path, limit: float):
        self.folder = folder
        self.limit = limit
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, unit: Unit) -> Path:
        return self.folder / f"{unit.dataset}-{unit.key}.json"

    def load(self, unit: Unit) -> dict | None:
        """The stored outcome. A unit that was too slow is repeated only with a longer time limit."""
        try:
            outcome = json.loads(self.path(unit).read_text())
        except (OSError, ValueError):
            return None
        if "skipped" in outcome and outcome["limit"] < self.limit:
            return None
        return outcome

    def save(self, unit: Unit, outcome: dict) -> None:
        described = {"learner": unit.learner, "dataset": unit.dataset, "seed": unit.seed,
                     "options": unit.extra, **outcome}
        temporary = self.folder / f".{unit.key}.{os.getpid()}.{threading.get_ident()}"
        temporary.write_text(json.dumps(described) + "\n")
        temporary.replace(self.path(unit))


class Runner:
    """Runs the commands of units. `stop` ends those that are running and prevents new ones."""

    def __init__(self, store: Store):
        self.store = store
        self.lock = threading.Lock()
        self.running: set[subprocess.Popen] = set()
        self.stopped = False

    def start(self, unit: Unit) -> subprocess.Popen:
        with self.lock:
            if self.stopped:
                raise RuntimeError("stopped")
            # In a new session: Ctrl-C reaches only this program, which then ends the others.
            process = subprocess.Popen(unit.command, stdin=subprocess.DEVNULL, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       env={**os.environ, **ONE_THREAD}, start_new_session=True)
            self.running.add(process)
            return process

    def stop(self) -> None:
        with self.lock:
            self.stopped = True
            for process in self.running:
                kill(process)

    def execute(self, unit: Unit) -> dict:
        """Returns {"result"}, {"skipped", "limit"} or {"failed"}; the first two are stored."""
        process = self.start(unit)
        try:
            out, err = process.communicate(timeout=self.store.limit)
        except subprocess.TimeoutExpired:
            kill(process)
            process.communicate()
            outcome = {"skipped": f"took more than {self.store.limit:g} s",
                       "limit": self.store.limit}
        else:
            outcome = read_outcome(unit, process.returncode, out, err)
        finally:
            with self.lock:
                self.running.discard(process)
        if "failed" not in outcome and not self.stopped:
            self.store.save(unit, outcome)
        return outcome


def kill(process: subprocess.Popen) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def read_outcome(unit: Unit, status: int, out: str, err: str) -> dict:
    if status != 0:
        last = err.strip().splitlines()[-1:] or ["no message"]
        return {"failed": f"status {status}: {last[0]}"}
    try:
        if unit.kind == "frr":
            return {"result": datasets.checked(unit.dataset, out, list(unit.extra))}
        if unit.kind == "loss":
            return {"result": {"loss": [float(line.split(",")[1])
                                        for line in out.splitlines()[1:]]}}
        return {"result": json.loads(out)}
    except (RuntimeError, ValueError, KeyError, IndexError) as error:
        return {"failed": str(error)}


def run_units(units: list[Unit], store: Store, jobs: int, begin: Callable[[int], None],
              report: Callable[[Unit, dict, float], None]) -> dict[str, dict]:
    """Outcomes by key, from the store or run now. KeyboardInterrupt ends running units and is raised again.

    `begin(number of units in the store)` is called first, `report(unit, outcome, seconds left)`
    after every unit that is run now.
    """
    todo = {unit.key: unit for unit in units}
    outcomes = {}
    for unit in list(todo.values()):
        kept = store.load(unit)
        if kept is not None:
            outcomes[unit.key] = kept
            del todo[unit.key]
    begin(len(outcomes))
    runner = Runner(store)
    left, done, start = sum(unit.cost for unit in todo.values()), 0.0, time.monotonic()
    with ThreadPoolExecutor(jobs) as pool:
        # Larger ones start first, so that no core is idle at the end.
        futures = {pool.submit(runner.execute, unit): unit
                   for unit in sorted(todo.values(), key=lambda unit: -unit.cost)}
        try:
            for future in as_completed(futures):
                unit = futures[future]
                outcomes[unit.key] = future.result()
                left, done = left - unit.cost, done + unit.cost
                report(unit, outcomes[unit.key],
                       (time.monotonic() - start) * max(left, 0) / done)
        except BaseException:
            runner.stop()
            pool.shutdown(cancel_futures=True)
            raise
    return outcomes
