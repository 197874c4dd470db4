"""Drives the real program: FRR_BINARY, by default build/frr of this checkout."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
BINARY = Path(os.environ.get("FRR_BINARY", ROOT / "build" / "frr")).resolve()
BREAST_CANCER = ROOT / "data" / "breast_cancer.csv"
# A program that takes longer than this many seconds hangs. All take less than a tenth of it, even on
# a busy machine.
DEADLINE = 600


@dataclass
class Result:
    status: int
    out: str
    err: str

    def fails(self, status: int, *words: str) -> "Result":
        """Asserts the exit status, and that stderr has one error message that contains these words."""
        assert self.status == status, (self.status, self.err)
        assert "frr: error: " in self.err
        assert "bug" not in self.err
        for word in words:
            assert word in self.err, (word, self.err)
        return self

    def ok(self) -> "Result":
        assert self.status == 0, (self.status, self.err)
        return self


class Program:
    """Runs frr in a scratch directory."""

    def __init__(self, directory: Path):
        self.directory = directory

    def __call__(self, *arguments, stdin: str | bytes | None = None, timeout: float = DEADLINE,
                 **options) -> Result:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        finished = subprocess.run([BINARY, *map(str, arguments)], cwd=self.directory, input=data,
                                  stdin=subprocess.DEVNULL if data is None else None,
                                  stdout=options.pop("stdout", subprocess.PIPE),
                                  stderr=subprocess.PIPE, timeout=timeout, check=False, **options)
        out = (finished.stdout or b"").decode("utf-8", "surrogateescape")
        return Result(finished.returncode, out, finished.stderr.decode("utf-8", "surrogateescape"))

    def start(self, *arguments, **options) -> subprocess.Popen:
        return subprocess.Popen([BINARY, *map(str, arguments)], cwd=self.directory, **options)

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.directory / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def files(self) -> set[str]:
        return {path.name for path in self.directory.iterdir()}


@pytest.fixture
def frr(tmp_path: Path) -> Program:
    return Program(tmp_path)


@pytest.fixture(scope="session")
def cancer_model(tmp_path_factory) -> Path:
    """A model of the built-in data, trained once."""
    directory = tmp_path_factory.mktemp("cancer")
    Program(directory)("train", BREAST_CANCER, "-o", "model.json").ok()
    return directory / "model.json"
