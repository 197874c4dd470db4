"""Runs other programs: once, measuring time and memory, or as servers that measure repeatedly."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


class CannotMeasure(Exception):
    """The reason why a figure could not be measured."""


ONE_THREAD = {
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1", "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}


def on_one_core(command: list) -> list[str]:
    """Restricts all threads of a command to one core, if the system supports this."""
    words = [str(word) for word in command]
    if shutil.which("taskset") is None or not hasattr(os, "sched_getaffinity"):
        return words
    return ["taskset", "-c", str(max(os.sched_getaffinity(0))), *words]


@dataclass
class Finished:
    seconds: float    # wall time of the whole program
    processor: float  # processor time of all threads in seconds
    peak: int         # peak memory in bytes
    output: str


def run(command: list, one_core: bool = False) -> Finished:
    """Runs a program. Raises CannotMeasure if it fails."""
    words = on_one_core(command) if one_core else [str(word) for word in command]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                   env={**os.environ, **ONE_THREAD})
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode != 0:
            text = err.read().decode(errors="replace").strip()
            raise CannotMeasure(f"{Path(str(command[0])).name} ended with status "
                                f"{process.returncode}: {text[-200:]}")
        return Finished(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024,
                        out.read().decode())


class Server:
    """A program that prints a line when it is ready and then answers each line of input with a line of output."""

    def __init__(self, command: list):
        self.name = Path(str(command[0])).name
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            on_one_core(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.errors, text=True, env={**os.environ, **ONE_THREAD})
        self.ready = self.read()

    def read(self) -> str:
        text = self.process.stdout.readline()
        if text:
            return text.strip()
        status = self.process.wait()
        self.errors.seek(0)
        message = self.errors.read().decode(errors="replace").strip()
        raise CannotMeasure(f"{self.name} ended with status {status}: {message[-200:]}")

    def ask(self, text: str = "") -> float:
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        return float(self.read())

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.errors.close()


def in_turns(repetitions: int, **measures: Callable[[], float]) -> dict[str, float]:
    """The best of several repetitions of each measure. They alternate, so that a slow moment affects all."""
    best = dict.fromkeys(measures, float("inf"))
    for _ in range(repetitions):
        for name, measure in measures.items():
            best[name] = min(best[name], measure())
    return best
