"""The paths of programs and data, and the amount to measure, for all figures."""

import importlib.util
import json
import shutil
import zlib
from dataclasses import dataclass
from pathlib import Path

import datasets

from performance import child

ROOT = datasets.ROOT
WORK = ROOT / "build" / "bench" / "data"


@dataclass
class Context:
    program: Path            # frr
    tools: Path              # directory of frr_bench and frr_kernels
    python: str              # interpreter with the other learners installed
    datasets: Path | None    # benchmark datasets
    before: Path | None      # an earlier frr; None: built from the history
    quick: bool
    work: Path = WORK

    @property
    def repetitions(self) -> int:
        return 1 if self.quick else 5

    def tool(self, name: str) -> Path:
        path = self.tools / name
        if not path.exists():
            raise child.CannotMeasure(f"{name} is not built (make bench)")
        return path

    def needs(self, *modules: str) -> None:
        for module in modules:
            if importlib.util.find_spec(module) is None:
                raise child.CannotMeasure(f"{module} is not installed (tools/setup bench)")

    def needs_program(self, name: str) -> None:
        if shutil.which(name) is None:
            raise child.CannotMeasure(f"{name} is not installed")

    def index(self) -> list[dict]:
        if self.datasets is None:
            raise child.CannotMeasure("no benchmark datasets: give --datasets DIR or set "
                                      "FRR_DATASETS")
        return datasets.load_index(self.datasets)

    def generated(self, rows: int, columns: int, classes: int = 2) -> Path:
        """A synthetic table as CSV. It is written again only if the source of its generator changes."""
        source = zlib.crc32((ROOT / "bench" / "problem.cpp").read_bytes())
        path = self.work / f"made-{rows}x{columns}x{classes}-{source:08x}.csv"
        if not path.exists():
            self.work.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(".part")
            child.run([self.tool("frr_bench"), "table", rows, columns, classes, part])
            part.replace(path)
        return path

    def train(self, table: Path, *options: object, program: Path | None = None,
              threads: int = 1, model: Path | None = None, one_core: bool = False) -> "Fit":
        """Runs `frr train`; measures the training and the whole program."""
        self.work.mkdir(parents=True, exist_ok=True)
        model = model or self.work / "model.json"
        if self.quick:
            options = (*options, "--epochs", 2, "--augment", 0)
        finished = child.run([program or self.program, "train", table, "--json", "--quiet",
                              "--threads", threads, "-o", model, *options], one_core)
        summary = json.loads(finished.output)
        return Fit(summary["seconds"], finished.seconds, finished.processor, finished.peak,
                   summary["rules"])


@dataclass
class Fit:
    seconds: float    # of the training alone
    whole: float      # of the program
    processor: float  # seconds of processor time of the program
    peak: int         # bytes
    rules: int
