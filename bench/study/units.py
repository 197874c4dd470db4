"""The units of work of a study: one learner on one dataset with one seed.

The key of a unit is a hash of everything that determines its result: the program or the packages, the
options, the seed, the data and the folds. Units with the same key are run only once.
"""

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import datasets

from study import peers

NO_RESTRICTED_ADDITION = ("--beta-start", "0", "--beta-end", "0")
NO_RESIDUAL = ("--gamma-start", "0", "--gamma-end", "0")
FULL = "full"
SMALL = "limits R=5, A=2"
ABLATION: dict[str, tuple[str, ...]] = {
    FULL: (),
    "no gradient": ("--gradient", "false"),
    "no residual": NO_RESIDUAL,
    "no restricted addition": NO_RESTRICTED_ADDITION,
    "no polish": ("--polish", "false"),
    "no tuning": ("--tune", "false"),
    "no synthetic rows": ("--augment", "0"),
    "no choice of leaf size": ("--leaf", "2"),
    "3 labels everywhere": ("--labels", "3"),
    "quantile partition": ("--partition", "quantile"),
    "preset paper": ("--preset", "paper"),
    SMALL: ("--rules", "5", "--conditions", "2"),
}
PAPER_SETS = ("pima", "australian")  # used by the ablation and the loss curves of the paper
LOSS_CURVES = {"with": (), "without": NO_RESTRICTED_ADDITION}


@dataclass(frozen=True)
class Unit:
    learner: str
    dataset: str
    seed: int
    kind: str  # frr, peer or loss
    command: tuple[str, ...]
    extra: tuple[str, ...]  # options of frr
    key: str
    cost: float  # estimated, for the order and the remaining time


@dataclass(frozen=True)
class Source:
    """The program and the data for the units."""
    program: Path
    directory: Path

    def frr(self, learner: str, options: Iterable[str], entry: dict, seed: int) -> Unit:
        extra = [*options, "--seed", str(seed)]
        command = datasets.cv_command(self.program, self.directory, entry, extra)
        return self._unit(learner, "frr", command, extra, entry, seed, file_hash(self.program))

    def loss(self, learner: str, options: Iterable[str], entry: dict, seed: int) -> Unit:
        extra = [*options, "--seed", str(seed)]
        command = [str(self.program), "train", str(self._data(entry)), "-o", "/dev/null", "--log",
                   "/dev/stdout", "--quiet", "--threads", "1"]
        if entry.get("categorical"):
            command += ["--categorical", ",".join(entry["categorical"])]
        return self._unit(learner, "loss", command + extra, extra, entry, seed,
                          file_hash(self.program))

    def peer(self, learner: str, entry: dict, seed: int) -> Unit:
        command = [sys.executable, peers.__file__, learner, str(self._data(entry)),
                   str(self._folds(entry)), ",".join(entry.get("categorical") or []), str(seed)]
        return self._unit(learner, "peer", command, [learner], entry, seed,
                          peers.identity(learner))

    def _data(self, entry: dict) -> Path:
        return self.directory / f"{entry['name']}.csv"

    def _folds(self, entry: dict) -> Path:
        return self.directory / "folds" / f"{entry['name']}.txt"

    def _unit(self, learner: str, kind: str, command: list[str], extra: list[str], entry: dict,
              seed: int, identity: str) -> Unit:
        material = [kind, identity, extra, seed, entry.get("categorical"),
                    file_hash(self._data(entry)), file_hash(self._folds(entry))]
        key = hashlib.sha256(json.dumps(material).encode()).hexdigest()[:24]
        cost = max(entry["samples"], 500) * entry["features"] ** 0.5
        return Unit(learner, entry["name"], seed, kind, tuple(command), tuple(extra), key, cost)


@cache
def file_hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def help_text(program: Path, command: str) -> str:
    return subprocess.run([str(program), command, "--help"], capture_output=True, text=True,
                          check=True).stdout


def refused(program: Path, options: Iterable[str], command: str = "cv") -> list[str]:
    """The options that this program does not have."""
    known = help_text(program, command).split()
    return [option for option in options if option.startswith("--") and option not in known]


def paper_variants() -> dict[str, tuple[str, ...]]:
    """The variants in the ablation of the paper: "PRESET, residual on, restricted addition off" and so on."""
    variants = {}
    for preset in ("default", "paper"):
        for residual in (True, False):
            for restricted in (True, False):
                name = (f"{preset}, residual {'on' if residual else 'off'}, "
                        f"restricted addition {'on' if restricted else 'off'}")
                variants[name] = (("--preset", preset) + (() if residual else NO_RESIDUAL)
                                  + (() if restricted else NO_RESTRICTED_ADDITION))
    return variants
