"""`python -m frr train` and `predict` on Parquet and Arrow files, as the program with CSV."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from ._visible import visible_lines, visible_text

_MAGIC = (b"PAR1", b"ARROW1")
_FLAGS = {"--json", "--quiet", "--proba", "--spreadsheet", "--help"}
_LISTS = {"--missing", "--numeric", "--categorical", "--ignore"}
_LETTERS = {"-o": "--output", "-h": "--help"}
_DATA = ["--target", "--numeric", "--categorical", "--ignore", "--weight-column"]
_CSV = ["--delimiter", "--missing"]
# Where DATA stands among the arguments that are no options.
_PLACES = {"train": ["DATA"], "predict": ["MODEL", "DATA"]}

_BAD_DATA, _BAD_USAGE, _OUT_OF_MEMORY = 1, 2, 4


class UsageError(Exception):
    """What is wrong with the command line."""


@dataclass
class Words:
    """A command line, read."""

    command: str
    arguments: list[str] = field(default_factory=list)
    options: dict[str, list[str]] = field(default_factory=dict)
    fault: str = ""

    def one(self, name: str) -> str | None:
        values = self.options.get(name, [])
        if len(values) > 1:
            raise UsageError(f"{name} is given more than once; leave out all but one")
        return values[0] if values else None

    def flag(self, name: str) -> bool:
        value = self.one(name)
        if value not in (None, "true", "false"):
            raise UsageError(f"{name}={value}: give true or false, or {name} alone")
        return value == "true"

    def names(self, name: str) -> list[str]:
        return [part for text in self.options.get(name, []) for part in split_names(text)]


def split_names(text: str) -> list[str]:
    """Names separated by commas; a name that holds a comma or quote is quoted as in CSV."""
    import csv

    return [name for row in csv.reader([text]) for name in row if name]


def _known(command: str) -> list[str]:
    own = [*_DATA, *_CSV, "--memory", "--output", "--json", "--quiet", "--threads", "--help"]
    if command == "predict":
        return [*own, "--proba", "--spreadsheet"]
    from ._options import OPTIONS

    more = [f"--{option.name}" for option in OPTIONS if option.name != "threads"]
    return [*own, "--log", "--preset", "--partition-file", *more]


def read_words(words: Sequence[str]) -> Words:
    """The options and arguments behind the command; the first fault is noted, not raised."""
    read = Words(words[0])
    known = _known(words[0])
    rest = list(words[1:])
    ended = False

    def note(fault: str) -> None:
        read.fault = read.fault or fault

    while rest:
        word = rest.pop(0)
        number = word[1:2].isdigit()
        if ended or len(word) < 2 or word[0] != "-" or number:
            if len(read.arguments) == len(_PLACES[read.command]):
                note(f"there is no option or argument '{word}' of frr {read.command}")
            else:
                read.arguments.append(word)
            continue
        if word == "--":
            ended = True
            continue
        name, joined, value = word.partition("=")
        if not word.startswith("--"):
            name, value = _LETTERS.get(word[:2], word), word[2:]
            joined = "=" if value else ""
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            note(f"there is no option or argument '{word}' of frr {read.command}{hint}")
            continue
        if name in _FLAGS:
            value = value if joined else "true"
        elif not joined:
            if not rest:
                note(f"{word} needs a value")
                continue
            if rest[0] in known or rest[0] in _LETTERS:
                note(f"{word} needs a value, but the option {rest[0]} follows")
                continue
            value = rest.pop(0)
        elif not value:
            note(f"{name} needs a value")
        read.options.setdefault(name, []).append(value)
    return read


def is_for_files(words: Sequence[str]) -> Words | None:
    """The command line, if it is about a Parquet or Arrow file or a directory; else None."""
    if not words or words[0] not in _PLACES:
        return None
    read = read_words(words)
    place = len(_PLACES[read.command]) - 1
    if "--help" in read.options or len(read.arguments) <= place:
        return None
    path = read.arguments[place]
    if os.path.isdir(path):
        return read
    try:
        if not os.path.isfile(path):
            return None
        with open(path, "rb") as file:
            return read if file.read(6).startswith(_MAGIC) else None
    except OSError:
        return None


# ---- Messages ------------------------------------------------------------------------------------


class Terminal:
    """Messages to standard error, in the program's style; progress on a terminal alone."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._watched = not quiet and sys.stderr.isatty()
        self._drawn, self._last = False, 0.0

    def _clear(self) -> None:
        if self._drawn:
            sys.stderr.write("\r\033[K")
            self._drawn = False

    def progress(self, stage: str, fraction: float, epoch: int, epochs: int, loss: float) -> None:
        now = time.monotonic()
        if not self._watched or now - self._last < 0.1:
            return
        text = stage + (f", epoch {epoch} of {epochs}" if epochs else "")
        line = f"{text}  {100 * fraction:.0f} %" if fraction > 0 else text
        sys.stderr.write("\r\033[K" + line[: shutil.get_terminal_size().columns - 1])
        sys.stderr.flush()
        self._drawn, self._last = True, now

    def warn(self, sentence: str) -> None:
        if not self._quiet:
            self._clear()
            sys.stderr.write(f"frr: warning: {visible_text(sentence)}\n")

    def note(self, text: str) -> None:
        if self._watched:
            self._clear()
            sys.stderr.write(visible_text(text) + "\n")

    def error(self, sentence: str) -> None:
        self._clear()
        sys.stderr.write(f"frr: error: {visible_text(sentence)}\n")


class _Stopped(KeyboardInterrupt):
    """By SIGTERM."""


def _stop(number: int, frame: Any) -> NoReturn:
    raise _Stopped


def run(read: Words) -> int:
    """The exit status, as the program's."""
    terminal = Terminal(read.options.get("--quiet") == ["true"])
    signal.signal(signal.SIGTERM, _stop)
    action: Callable[[Words, Terminal], None] = _train if read.command == "train" else _predict
    try:
        if read.fault:
            raise UsageError(read.fault)
        read.flag("--quiet")
        for name in _CSV:
            if name in read.options:
                raise UsageError(f"{name} is about CSV files, which {read.arguments[-1]} is not")
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            action(read, terminal)
    except UsageError as error:
        text = str(error)
        dot = "" if text.endswith((".", "?")) else "."
        terminal.error(f"{text}{dot} See frr {read.command} --help.")
        return _BAD_USAGE
    except KeyboardInterrupt as error:
        terminal.error("interrupted")
        return 128 + (signal.SIGTERM if isinstance(error, _Stopped) else signal.SIGINT)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except (ImportError, OSError, TypeError, ValueError) as error:
        terminal.error(str(error))
        return _BAD_DATA
    except MemoryError:
        terminal.error("not enough memory for these files and settings")
        return _OUT_OF_MEMORY
    return 0


# ---- train ---------------------------------------------------------------------------------------


def _settings(read: Words) -> dict[str, Any]:
    """Parameters of FRRClassifier that the options stand for."""
    from . import _core
    from ._options import OPTIONS

    preset = read.one("--preset") or "default"
    if preset not in ("default", "paper"):
        raise UsageError(f"--preset {preset}: give default or paper")
    params: dict[str, Any] = {"preset": preset, "n_jobs": -1}
    texts: list[tuple[str, str]] = []
    for option in OPTIONS:
        text = read.one(f"--{option.name}")
        if text is None:
            continue
        texts.append((option.name, text))
        try:
            _core.check_options(preset, texts)
        except ValueError as error:
            raise UsageError(str(error)) from error
        params[option.parameter] = option.value(text)
        if option.name == "threads":
            params["n_jobs"] = int(text) or -1
    return params


def _recorded(read: Words) -> list[tuple[str, str]]:
    """What the program keeps of options about data."""
    names = ("numeric", "categorical", "ignore", "weight-column", "partition-file")
    given = [(name, ",".join(read.options.get(f"--{name}", []))) for name in names]
    return [(name, text) for name, text in given if text]


def _check_columns(read: Words, names: list[str], data: str, target: str) -> None:
    """What the options say of columns must go together, and with the file."""
    weight = read.one("--weight-column")
    given = {name: read.names(name) for name in ("--ignore", "--numeric", "--categorical")}
    for option, own in ({"--target": [target]} | given).items():
        for name in own:
            if name not in names:
                near = get_close_matches(name, names, 1)
                hint = f"; did you mean '{near[0]}'?" if near else ""
                raise UsageError(f"{option}: there is no column '{name}' in {data}{hint}")
    if weight is not None and weight not in names:
        raise ValueError(f"{data} has no column '{weight}' (column of row weights)")
    for name in given["--numeric"]:
        if name in given["--categorical"]:
            raise UsageError(f"column '{name}' is named by both --numeric and --categorical")
    if target in given["--numeric"]:
        raise UsageError(
            f"column '{target}' is the target: it holds class names, so --numeric cannot name it"
        )
    if target in given["--ignore"]:
        raise UsageError(f"column '{target}' is the target, so --ignore cannot leave it out")
    if target == weight:
        raise UsageError(f"--weight-column and --target name the same column '{target}'")


def _own_partition(path: str) -> dict[str, Any]:
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ValueError(f"{path} is no JSON: {error}") from error
    except OSError as error:
        raise ValueError(f"cannot read '{path}': {error.strerror}") from error
    for key in content if isinstance(content, dict) else ():
        if key != "features":
            raise ValueError(f"{path}: unknown key '{key}' (known: features)")
    features = content.get("features") if isinstance(content, dict) else None
    if not isinstance(features, dict):
        raise ValueError(f'{path} has no "features", which holds the labels by column')
    return features


def _check_model_output(output: str | None, inputs: list[str], option: str = "-o") -> None:
    if output in (None, "-"):
        return
    path = Path(str(output))
    if path.is_dir():
        raise ValueError(
            f"cannot write to {path}: it is a directory. Give a file name with {option}."
        )
    if not path.parent.is_dir():
        raise ValueError(f"cannot write to {path}: there is no directory {path.parent}.")
    for one in inputs:
        if path.exists() and os.path.exists(one) and path.samefile(one):
            raise UsageError(
                f"the output {path} is the input {one}, which would be lost; give another file "
                f"with {option}"
            )


def _memory(read: Words) -> int:
    from ._memory import parse_memory

    text = read.one("--memory") or "1GB"
    try:
        return parse_memory(text)
    except ValueError as error:
        raise UsageError(
            f"--memory {text}: give an amount of memory, such as 500MB or 1GB"
        ) from error


def _train(read: Words, terminal: Terminal) -> None:
    from . import _core, files
    from ._sources import Source

    data, output, log = read.arguments[0], read.one("--output"), read.one("--log")
    partition_file = read.one("--partition-file")
    to_stdout = output in (None, "-")
    if read.flag("--json") and to_stdout:
        raise UsageError(
            "--json prints a summary to standard output; give a file for the model with -o"
        )
    if log == "-":
        raise UsageError("--log needs a file: standard output is for the model")
    params, memory = _settings(read), _memory(read)
    inputs = [data, *([partition_file] if partition_file else [])]
    _check_model_output(output, inputs)
    _check_model_output(log, inputs, "--log")
    if partition_file:
        params["partition"] = _own_partition(partition_file)
    weight, target = read.one("--weight-column"), read.one("--target")
    source = Source(data)
    if target is None:
        ignored = set(read.names("--ignore"))
        names = [name for name in source.names if name not in ignored]
        if not names:
            raise ValueError(f"{data} has no columns")
        target = names[-1]
        if target == weight:
            raise UsageError(
                f"--weight-column {weight}: this is the last column, which would be the target; "
                "say which column to predict with --target"
            )
    _check_columns(read, source.names, data, target)
    for name in read.names("--numeric"):
        source.choose([name])
        if source.kinds[name] not in ("numbers", "nothing"):
            raise ValueError(f"{data}: column '{name}' holds {source.kinds[name]}, not numbers")
    start = time.monotonic()
    model = files.learn(
        data,
        target,
        weight,
        memory,
        read.names("--ignore"),
        read.names("--categorical"),
        terminal.progress,
        _recorded(read),
        params,
    )
    seconds = time.monotonic() - start
    notes = json.loads(model.to_json())["training"]["notes"]  # in the words of options
    for note in [*notes, *model.notes_[len(notes) :]]:
        terminal.warn(note)
    show_rules = sys.stdout.isatty() and not read.flag("--quiet") and output is None
    if not to_stdout:
        _core.write_file(str(output), model.to_json().encode())
    elif not show_rules:
        _print(model.to_json())
    if log:
        _core.write_file(log, _losses(model.loss_curve_).encode())
    if show_rules:
        _print(model.to_text())
    if read.flag("--json"):
        _print(
            json.dumps(_summary(model, seconds, str(output)), indent=2, ensure_ascii=False) + "\n"
        )
    accuracy = json.loads(model.to_json())["training"]["train_accuracy"]
    terminal.note(
        f"{model.complexity_.rules} rules, {model.complexity_.conditions} conditions, training "
        f"accuracy {accuracy:.2f} %, {seconds:.1f} s"
        + ("" if to_stdout else f"; saved in {output}")
    )
    if show_rules:
        terminal.note("The model is not saved: give a file with -o.")


def _losses(losses: list[float]) -> str:
    from ._outputs import shortest

    lines = [f"{epoch},{shortest(loss)}\n" for epoch, loss in enumerate(losses, 1)]
    return "".join(["epoch,loss\n", *lines])


def _summary(model: Any, seconds: float, output: str) -> dict[str, Any]:
    """As the program prints it."""
    content = json.loads(model.to_json())
    training = content["training"]
    return {
        "model": output,
        "target": content["target"],
        "classes": content["classes"],
        "rows": training["rows"],
        "features": len(content["features"]),
        "rules": model.complexity_.rules,
        "conditions": model.complexity_.conditions,
        "unique_conditions": model.complexity_.unique_conditions,
        "train_accuracy": training["train_accuracy"],
        "seconds": seconds,
        "stopped_early": training["stopped_early"],
        "notes": training["notes"],
        "settings": training["settings"],
    }


def _print(text: str) -> None:
    sys.stdout.write(visible_lines(text) if sys.stdout.isatty() else text)
    sys.stdout.flush()


# ---- predict -------------------------------------------------------------------------------------


def _predict(read: Words, terminal: Terminal) -> None:
    from . import _core, files
    from ._classifier import FRRClassifier

    model_path, data = read.arguments
    output = read.one("--output")
    memory = _memory(read)
    threads = read.one("--threads") or "0"
    try:
        _core.check_options("default", [("threads", threads)])
    except ValueError as error:
        raise UsageError(str(error)) from error
    if read.flag("--json"):
        raise UsageError("--json is for CSV files; give a file that ends in .arrow with -o instead")
    if output not in (None, "-"):
        _check_model_output(output, [model_path])
    model = FRRClassifier.load(_model_file(model_path))
    model.n_jobs = int(threads) or -1
    options: dict[str, Any] = {
        "memory": memory,
        "proba": read.flag("--proba"),
        "spreadsheet": read.flag("--spreadsheet"),
        "progress": terminal.progress,
    }
    if output not in (None, "-"):
        files.predict(model, data, str(output), **options)
        return
    # As the program: what is printed waits until all is read.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "decided.csv")
        files.predict(model, data, path, **options)
        with path.open("rb") as file:
            if sys.stdout.isatty():
                for line in file:
                    _print(line.decode())
                return
            shutil.copyfileobj(file, sys.stdout.buffer)
            sys.stdout.buffer.flush()


def _model_file(path: str) -> str:
    if path == "-":
        return "/dev/stdin"
    if not os.path.isfile(path):
        raise ValueError(f"cannot read '{path}': there is no such file")
    return path
