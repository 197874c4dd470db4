"""Training and prediction on Parquet and Arrow files that may be larger than memory.

`train` reads the files about a dozen times, in parts, and returns the model that
`FRRClassifier.fit` learns from the same rows; `predict` writes predictions to a file:

>>> import tempfile
>>> from pathlib import Path
>>> import pyarrow as pa, pyarrow.parquet as pq
>>> from frr import files
>>> folder = Path(tempfile.mkdtemp())
>>> dose = [float(x % 10) for x in range(500)]
>>> table = pa.table({"dose": dose, "well": ["yes" if x > 4 else "no" for x in dose]})
>>> pq.write_table(table, folder / "cases.parquet", row_group_size=100)
>>> model = files.train(folder / "cases.parquet", target="well", memory="1GB")
>>> files.predict(model, folder / "cases.parquet", folder / "decided.parquet")
500
>>> pq.read_table(folder / "decided.parquet").column_names
['prediction', 'probability', 'rule']

It needs pyarrow: ``pip install 'frr[parquet]'``.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from . import _core, shards
from ._arrow import pa
from ._classifier import FRRClassifier
from ._frames import ArrowFrame
from ._memory import (
    Costs,
    Plan,
    give_back,
    parse_memory,
    plan_memory,
    plan_prediction,
    size_text,
)
from ._options import most_searched, option_texts, thread_count
from ._outputs import Output
from ._policy import shard_policy
from ._progress import Pace, ProgressBar
from ._sources import Source, Unit

__all__ = ["predict", "train"]

Progress = Callable[[str, float, int, int, float], Any]
_ANSWERS_AT_ONCE = 32


def train(
    source: Any,
    *,
    target: str,
    weight: str | None = None,
    memory: str | int = "1GB",
    ignore: Sequence[str] = (),
    categorical: Sequence[str] = (),
    progress: Progress | None = None,
    **params: Any,
) -> FRRClassifier:
    """Learn from files within a memory limit.

    The model is byte for byte the one that `FRRClassifier.fit` learns from the same rows.

    Parameters
    ----------
    source : path, list of paths or pyarrow.dataset.Dataset
        Parquet files (.parquet) and Arrow files (.arrow, .feather), or a directory of such files,
        which is read recursively in order of name, except for names that begin with "." or "_".
        All files need the same columns. A dataset is read according to its schema.
    target : str
        Column of the classes. Rows without a class are dropped.
    weight : str, default=None
        Column of weights, as `sample_weight` of `FRRClassifier.fit`.
    memory : str or int, default="1GB"
        Memory limit of the whole process: "500MB", "1GB", "2GiB" or bytes. If the sample of
        `search_rows` rows does not fit, a smaller one is drawn, with a warning and an entry in
        `notes_`.
    ignore : sequence of str, default=()
        Columns to ignore, in addition to the index columns of a pandas table.
    categorical : sequence of str, default=()
        Columns whose values are categories although they are numbers.
    progress : callable, default=None
        Called a few times per second with (stage, fraction, epoch, epochs, loss).
    **params
        Parameters of `FRRClassifier`. `n_jobs` threads read and count in parallel. `costs` must
        name the classes. For `sensitivity` or `specificity`, call `decide` on the result.

    Returns
    -------
    FRRClassifier
        The fitted estimator.

    Examples
    --------
    The description of the module `frr.files` shows one.
    """
    if "categorical_features" in params:
        raise TypeError("pass the names of categorical columns as categorical=[...]")
    if categorical:
        params["categorical_features"] = list(_several(categorical, "categorical"))
    estimator = FRRClassifier(**params)
    parameters = estimator.get_params(deep=False)
    option_texts(parameters, estimator.preset)  # fails before reading
    shard_policy(parameters)
    room = parse_memory(memory)
    data = _chosen(Source(source), target, weight, ignore, categorical)
    wanted = most_searched(estimator.search_rows, estimator.preset)
    costs = Costs(len(data.columns), data.row_bytes(), data.stream_bytes(), data.whole_rows())
    plan = plan_memory(room, costs, data.rows, wanted, thread_count(estimator.n_jobs))
    note = ""
    if plan.search_rows < min(wanted, data.rows):
        params["search_rows"] = plan.search_rows
        note = (
            f"memory={size_text(room)} is enough for a sample of {plan.search_rows} rows, so "
            f"search_rows is {plan.search_rows} instead of {wanted}; all rows are counted"
        )
        warnings.warn(note, stacklevel=2)
    bar = ProgressBar() if progress is None and estimator.verbose else None
    pace = Pace(min(wanted, plan.search_rows))
    watch = _Watch(bar if bar is not None else progress, data.rows, pace)
    asking = _Reading(data, plan, thread_count(estimator.n_jobs), watch)
    try:
        model = shards.train(
            asking,
            target=target,
            weight=weight,
            source=os.fspath(source) if isinstance(source, str | os.PathLike) else None,
            progress=watch if watch.wanted else None,
            **params,
        )
    finally:
        if bar is not None:
            bar.close()
    if note:
        model.notes_.append(note)
    return model


def _several(names: Sequence[str], what: str) -> Sequence[str]:
    if isinstance(names, str):
        raise TypeError(f"{what} must be a list of names, got {names!r}; did you mean [{names!r}]?")
    return names


def _chosen(
    data: Source,
    target: str,
    weight: str | None,
    ignore: Sequence[str],
    categorical: Sequence[str],
) -> Source:
    """Checks the roles of columns against the columns of the files."""
    names = data.names
    ignored = set(_several(ignore, "ignore"))
    there = {name for part in data.parts for name in part.schema.names}
    for role, columns in (
        ("target", [target]),
        ("weight", [weight] if weight is not None else []),
        ("ignore", ignored),
        ("categorical", categorical),
    ):
        for name in columns:
            if name not in there:
                raise ValueError(
                    f"{role} names the column {name!r}, but the columns of {data.parts[0].name} "
                    f"are {', '.join(map(repr, names[:20]))}"
                )
            if name in ignored and role != "ignore":
                raise ValueError(f"column {name!r} is both {role} and ignored")
    if target == weight:
        raise ValueError(f"target and weight name the same column {target!r}")
    if weight in categorical:
        raise ValueError(f"column {weight!r} is both weight and categorical")
    read = [name for name in names if name not in ignored]
    read += [name for name in (target, weight) if name is not None and name not in read]
    data.choose(read, categorical, target)
    data.check_others(ignored)
    if weight is not None and data.kinds[weight] not in ("numbers", "nothing"):
        raise ValueError(f"column {weight!r} (weight) contains {data.kinds[weight]}, not numbers")
    if data.rows == 0:
        raise ValueError(f"{data.parts[0].name}: there are no rows to learn from")
    return data


# ---- Passes over the files -----------------------------------------------------------------------


class _Watch:
    """Forwards the progress of the learner, and reports the passes over the files."""

    def __init__(self, progress: Progress | None, rows: int, pace: Pace | None = None) -> None:
        """`pace`: that of training; None if there is a single pass."""
        self._progress, self._rows, self._pace = progress, rows, pace
        self._fraction = 0.0
        self._passes, self._start, self._last, self._done = 0, 0.0, 0.0, 0

    @property
    def wanted(self) -> bool:
        return self._progress is not None

    def __call__(self, stage: str, fraction: float, epoch: int, epochs: int, loss: float) -> None:
        self._fraction = fraction
        if self._pace is not None:
            self._pace.fraction = fraction
        if self._progress is not None:
            self._progress(stage, fraction, epoch, epochs, loss)

    def close(self) -> None:
        if isinstance(self._progress, ProgressBar):
            self._progress.close()

    def begin(self) -> None:
        self._passes += 1
        self._start, self._last, self._done = time.monotonic(), 0.0, 0
        if self._pace is not None:
            self._pace.begin()

    def end(self) -> None:
        if self._pace is not None:
            self._pace.end(self._done)

    def read(self, rows: int) -> None:
        self._done += rows
        now = time.monotonic()
        if self._progress is None or now - self._last < 0.2:
            return
        self._last = now
        speed = self._done / max(now - self._start, 1e-3)
        left = (self._rows - self._done) / max(speed, 1.0)
        if self._pace is not None:
            left = self._pace.seconds_left(left)
        text = (
            f"reading, pass {self._passes}: {100 * self._done / self._rows:.0f} % of "
            f"{self._rows} rows, {speed:.3g} rows/s, {left:.0f} s left"
        )
        self._progress(text, self._fraction, 0, 0, 0.0)


class _Sum:
    """Adds answers in groups, and then the sums, so that long answers are rarely copied."""

    def __init__(self) -> None:
        self._levels: list[list[bytes]] = []

    def add(self, answer: bytes, level: int = 0) -> None:
        if level == len(self._levels):
            self._levels.append([])
        waiting = self._levels[level]
        waiting.append(answer)
        if len(waiting) == _ANSWERS_AT_ONCE:
            total = shards.add(waiting)
            waiting.clear()
            self.add(total, level + 1)

    def parts(self) -> list[bytes]:
        return [answer for level in self._levels for answer in level]


@dataclass
class _Finished:
    parts: list[bytes]
    error: BaseException | None = None


class _Reading:
    """Asks all rows by reading the files, with several readers in parallel."""

    def __init__(self, data: Source, plan: Plan, threads: int, watch: _Watch) -> None:
        self._data, self._watch = data, watch
        self._units = data.units(plan.rows)
        self._readers = max(1, min(plan.readers, len(self._units)))
        self._threads = max(1, threads // self._readers)

    def __call__(self, request: bytes) -> bytes:
        asked = set(shards.columns(request))
        columns = [name for name in self._data.columns if not asked or name in asked]
        units: queue.SimpleQueue[Unit] = queue.SimpleQueue()
        for unit in self._units:
            units.put(unit)
        news: queue.SimpleQueue[int | _Finished] = queue.SimpleQueue()
        stop = threading.Event()
        workers = [
            threading.Thread(
                target=self._work, args=(request, columns, units, news, stop), daemon=True
            )
            for _ in range(self._readers)
        ]
        self._watch.begin()
        answers: list[bytes] = []
        try:
            for worker in workers:
                worker.start()
            running = len(workers)
            while running > 0:
                try:
                    new = news.get(timeout=0.2)
                except queue.Empty:
                    self._watch.read(0)
                    continue
                if isinstance(new, int):
                    self._watch.read(new)
                    continue
                running -= 1
                if new.error is not None:
                    raise new.error
                answers += new.parts
        finally:
            stop.set()
            for worker in workers:
                if worker.ident is not None:
                    worker.join()
            give_back()
        self._watch.end()
        return shards.add(answers)

    def _work(
        self,
        request: bytes,
        columns: list[str],
        units: queue.SimpleQueue[Unit],
        news: queue.SimpleQueue[int | _Finished],
        stop: threading.Event,
    ) -> None:
        total = _Sum()
        try:
            while not stop.is_set():
                try:
                    unit = units.get_nowait()
                except queue.Empty:
                    break
                self._answer(request, columns, unit, total, news, stop)
            news.put(_Finished(total.parts()))
        except BaseException as error:
            news.put(_Finished([], error))

    def _answer(
        self,
        request: bytes,
        columns: list[str],
        unit: Unit,
        total: _Sum,
        news: queue.SimpleQueue[int | _Finished],
        stop: threading.Event,
    ) -> None:
        first = 0
        with contextlib.closing(
            self._data.tables(unit, columns, threads=self._threads > 1)
        ) as tables:
            for number, table in enumerate(tables, unit.first_shard):
                if stop.is_set():
                    return
                try:
                    total.add(shards.answer(request, table, number, threads=self._threads))
                except (TypeError, ValueError) as error:
                    raise _placed(error, unit, first) from error
                first += table.num_rows
                news.put(table.num_rows)


def _placed(error: Exception, unit: Unit, first: int) -> Exception:
    kind = TypeError if isinstance(error, TypeError) else ValueError
    return kind(_placed_message(str(error), unit, first))


def _placed_message(message: str, unit: Unit, first: int) -> str:
    """`message` with the file and its row instead of the shard."""
    found = re.search(r"row (\d+) \(the first is row 0\)", message)
    if found is not None:
        name, row = unit.place(first + int(found[1]))
        message = message.replace(found[0], f"row {row} (the first is row 0)")
        return f"{name}: {re.sub(r'^shard [0-9]+: ', '', message)}"
    name, row = unit.place(first)
    if re.match(r"shard \d+", message):
        return re.sub(r"^shard \d+", f"{name}, from row {row + 1} on", message)
    return f"{name}, from row {row + 1} on: {message}"


# ---- Prediction ----------------------------------------------------------------------------------


def predict(
    model: FRRClassifier | str | os.PathLike[str],
    source: Any,
    output: str | os.PathLike[str],
    *,
    memory: str | int = "1GB",
    proba: bool = False,
    spreadsheet: bool = False,
    progress: Progress | None = None,
) -> int:
    """Write predictions for the rows of files to a file, within a memory limit.

    Parameters
    ----------
    model : FRRClassifier or path
        A fitted estimator, or a model file.
    source : path, list of paths or pyarrow.dataset.Dataset
        As for `train`; it needs only the columns that the rules read.
    output : path
        File to write, which ends in .parquet, .arrow, .feather or .csv. It has one row for each row
        of the source, in the same order, with the columns prediction, probability (of the
        prediction) and rule (the first rule is 1; 0 is ELSE). If the model refers rows to a person,
        the column referred says which. The file appears complete or not at all; an existing file is
        replaced atomically.
    memory : str or int, default="1GB"
        Memory limit of the whole process.
    proba : bool, default=False
        Add a column p(CLASS) for each class.
    spreadsheet : bool, default=False
        In a .csv file, put an apostrophe before classes that a spreadsheet would compute as
        formulas: those that begin with = + - @, a tab or a line end and are not numbers.
    progress : callable, default=None
        Called a few times per second with (stage, fraction, epoch, epochs, loss).

    Returns
    -------
    int
        Number of rows.

    Examples
    --------
    The description of the module `frr.files` shows one.
    """
    estimator = model if isinstance(model, FRRClassifier) else FRRClassifier.load(model)
    check_is_fitted(estimator)
    room = parse_memory(memory)
    data = Source(source)
    _keep_inputs(output, data, source)
    decider = _Decider(estimator, proba)
    data.choose(decider.columns, decider.columns)
    costs = Costs(len(data.columns), data.row_bytes(), data.stream_bytes(), data.whole_rows())
    units = data.units(plan_prediction(room, costs, decider.row_bytes))
    watch = _Watch(progress, max(1, data.rows))
    watch.begin()
    with (
        Output(output, decider.schema, spreadsheet) as file,
        contextlib.closing(_ahead(_parts(data, units, decider))) as parts,
    ):
        for table, rows, unit, first in parts:
            try:
                file.write(decider.decide(table, rows))
            except (TypeError, ValueError) as error:
                raise _placed(error, unit, first) from error
            watch.read(rows)
    return data.rows


def _keep_inputs(output: str | os.PathLike[str], data: Source, source: Any) -> None:
    path = Path(output)
    if path.exists():
        for part in data.parts:
            if os.path.exists(part.name) and path.samefile(part.name):
                raise ValueError(
                    f"the output {path} is an input, which would be overwritten; give another path"
                )
    given = [source] if isinstance(source, str | os.PathLike) else source
    for one in given if isinstance(given, list | tuple) else []:
        if Path(one).is_dir() and path.resolve().is_relative_to(Path(one).resolve()):
            raise ValueError(f"the output {path} is in {one}, which is read; write it elsewhere")


_Part = tuple[Any, int, Unit, int]


def _parts(data: Source, units: list[Unit], decider: _Decider) -> Iterator[_Part]:
    """(table, rows, unit, first row of the unit) in order."""
    for unit in units:
        first = 0
        if not decider.columns:  # without rules, ELSE decides, and no column is read
            for rows in unit.sizes:
                yield None, rows, unit, first
                first += rows
            continue
        for table in data.tables(unit, decider.columns, threads=True):
            yield table, table.num_rows, unit, first
            first += table.num_rows


def _ahead(parts: Iterator[_Part]) -> Generator[_Part, None, None]:
    """The same parts; another thread reads the next one while the caller uses the current one."""
    made: queue.SimpleQueue[Any] = queue.SimpleQueue()
    # Whether to go on. A semaphore would stay locked if a signal interrupted its release.
    wanted: queue.SimpleQueue[bool] = queue.SimpleQueue()

    def make() -> None:
        try:
            for part in parts:
                made.put(part)
                if not wanted.get():
                    return
            made.put(None)
        except BaseException as error:
            made.put(error)

    maker = threading.Thread(target=make, daemon=True)
    maker.start()
    try:
        while True:
            try:
                part = made.get(timeout=0.2)  # without a timeout, some systems ignore Ctrl-C
            except queue.Empty:
                continue
            if part is None:
                return
            if isinstance(part, BaseException):
                raise part
            wanted.put(True)
            yield part
    finally:
        wanted.put(False)
        maker.join()


class _Decider:
    """Computes the columns of the output."""

    def __init__(self, model: FRRClassifier, proba: bool) -> None:
        self._model, self._proba = model._model, proba
        content = json.loads(self._model.to_json())
        self._refers = self._model.refers
        self._threads = thread_count(model.n_jobs)
        used = set(self._model.used_features)
        self._categorical = {f.name: f.categorical for f in model.partition_ if f.name in used}
        self._booleans = model._booleans
        self.columns = list(self._categorical)
        self._labels: NDArray[Any] = model.classes_[model._positions]
        kind = pa.string() if self._labels.dtype.kind in "OU" else pa.array(self._labels).type
        labels = self._labels.tolist()
        # Objects may be whole numbers for which pyarrow has no common type.
        self._classes = pa.array(map(str, labels) if kind == pa.string() else labels, kind)
        shares = [f"p({name})" for name in self._model.classes] if proba else []
        self.schema = pa.schema(
            [("prediction", kind), ("probability", pa.float64()), ("rule", pa.int32())]
            + ([("referred", pa.bool_())] if self._refers else [])
            + [(name, pa.float64()) for name in shares]
        )
        self.row_bytes = 64 + 8 * len(self._labels)
        self._one_decides = content["inference"]["semantics"] == "sufficient"
        # Class and probabilities by rule, computed so far. The deciding rule determines both.
        self._predicted: dict[int, tuple[int, NDArray[np.float64]]] = {}

    def decide(self, table: Any, rows: int) -> Any:
        columns = self._columns(table)
        rules = np.empty(rows, np.int64)
        self._model.apply(columns, rules, self._threads)
        if self._one_decides:
            predicted, shares = self._by_rule(columns, rules)
        else:
            predicted, shares = self._by_row(columns, rows)
        chosen = np.take_along_axis(shares, predicted[:, None], axis=1)[:, 0]
        result = [self._classes.take(pa.array(predicted)), pa.array(chosen)]
        result.append(pa.array(rules.astype(np.int32)))
        if self._refers:
            referred = np.empty(rows, np.bool_)
            self._model.referred(columns, referred, self._threads)
            result.append(pa.array(referred))
        if self._proba:
            result += [pa.array(np.ascontiguousarray(shares[:, k])) for k in range(shares.shape[1])]
        return pa.table(result, schema=self.schema)

    def _columns(self, table: Any) -> list[_core.Column]:
        if table is None:
            return []
        frame = ArrowFrame(table, self.columns)
        frame.booleans = self._booleans
        return [frame.column(i, self._categorical[name]) for i, name in enumerate(self.columns)]

    def _by_row(
        self, columns: list[_core.Column], rows: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        predicted = np.empty(rows, np.int64)
        shares = np.empty((rows, len(self._labels)))
        numbers = np.arange(len(self._labels), dtype=np.int64)
        self._model.predict(columns, numbers, predicted, self._threads)
        self._model.predict_proba(columns, numbers, shares, self._threads)
        return predicted, shares

    def _by_rule(
        self, columns: list[_core.Column], rules: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        present, at = np.unique(rules, return_index=True)
        unknown = [i for i, rule in enumerate(present.tolist()) if rule not in self._predicted]
        if unknown:
            rows = at[unknown]
            some = [_picked(column, rows) for column in columns]
            classes, shares = self._by_row(some, len(rows))
            for i, place in enumerate(unknown):
                self._predicted[int(present[place])] = (int(classes[i]), shares[i])
        classes_of = np.zeros(int(present[-1]) + 1, np.int64)
        shares_of = np.zeros((len(classes_of), len(self._labels)))
        for rule in present.tolist():
            classes_of[rule], shares_of[rule] = self._predicted[rule]
        return classes_of[rules], shares_of[rules]


def _picked(column: _core.Column, rows: NDArray[Any]) -> _core.Column:
    if len(column) == 3:
        return column[0], np.ascontiguousarray(column[1][rows]), column[2]
    return column[0], np.ascontiguousarray(column[1][rows])
