"""Runs frr in a directory and checks the promises that hold for every run."""

import json
import resource
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

# A run takes far less than a second; the limit allows for a busy machine.
DEADLINE = 300
OK, BAD_DATA, BAD_USAGE, OUT_OF_MEMORY = 0, 1, 2, 4
QUICK = ("--epochs", "2", "--rules", "3", "--trees", "5")

# Control characters, except line ends, and characters that change the direction of text.
UNSAFE = {*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), "\u061c", "\u200e", "\u200f",
          *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))} - {"\n"}


class Fault(Exception):
    """A promise that the program broke."""


def require(holds: bool, promise: str) -> None:
    if not holds:
        raise Fault(promise)


@dataclass
class Result:
    command: str
    status: int
    out: bytes
    err: str

    def ends_with(self, *allowed: int) -> "Result":
        """A failure must give one clear message; messages never contain control characters."""
        require(self.status in allowed, f"{self.command}: status {self.status}: {self.err[-500:]}")
        require(self.status == OK or "frr: error: " in self.err, f"{self.command}: no message")
        unsafe = UNSAFE.intersection(self.err)
        require(not unsafe, f"{self.command}: {unsafe} in a message: {self.err!r}")
        return self

    def json(self):
        try:
            return json.loads(self.out)
        except ValueError as error:
            raise Fault(f"{self.command}: not JSON: {error}") from error


class Program:
    def __init__(self, binary: Path, directory: Path):
        self.binary, self.directory = binary, directory

    def command(self, *arguments) -> list[str]:
        return [str(self.binary), *map(str, arguments)]

    def __call__(self, *arguments, stdin: bytes = b"",
                 limits: dict[int, int] | None = None) -> Result:
        shown = " ".join(map(str, arguments))
        try:
            finished = subprocess.run(
                self.command(*arguments), cwd=self.directory, input=stdin, capture_output=True,
                timeout=DEADLINE, check=False, preexec_fn=limiter(limits) if limits else None)
        except subprocess.TimeoutExpired as error:
            raise Fault(f"{shown}: still running after {DEADLINE} s") from error
        return Result(shown, finished.returncode, finished.stdout,
                      finished.stderr.decode("utf-8", "backslashreplace"))

    def write(self, name: str, content: bytes | str) -> str:
        data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")
        (self.directory / name).write_bytes(data)
        return name

    def read(self, name: str) -> bytes:
        return (self.directory / name).read_bytes()

    def names(self) -> set[str]:
        return {path.name for path in self.directory.iterdir()}


def limiter(limits: dict[int, int]) -> Callable[[], None]:
    def apply() -> None:
        for what, most in limits.items():
            resource.setrlimit(what, (most, most))
    return apply
