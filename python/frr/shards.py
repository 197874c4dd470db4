"""Learning from rows that are not in one table: on other machines, or in files larger than memory.

`train` asks a few questions of all rows. You hand each request to every shard, `answer` gives what
a shard says, `add` sums the answers up:

>>> import numpy as np
>>> from frr import shards
>>> rows = np.random.default_rng(0).normal(size=(300, 2))
>>> whole = {"a": rows[:, 0], "b": rows[:, 1], "high": rows[:, 0] > 0.5}
>>> parts = [{name: x[i : i + 100] for name, x in whole.items()} for i in (0, 100, 200)]
>>> def ask(request):
...     return shards.add(shards.answer(request, part, i) for i, part in enumerate(parts))
>>> model = shards.train(ask, target="high", max_rules=3)
>>> len(model.rules_) <= 3
True

The model is the one that `FRRClassifier.fit` gives for all rows, byte for byte, however they are
cut. Requests and answers are bytes that may go from process to process; all of them must run the
same version of FRR. Answers may be added in any order and grouping, and a shard that is asked
again says the same, so a lost worker costs nothing but its time.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray
from sklearn.exceptions import ConvergenceWarning

from . import _core
from ._classifier import FRRClassifier
from ._frames import (
    ArrowFrame,
    DictFrame,
    Frame,
    PandasFrame,
    PolarsFrame,
    is_arrow,
    is_pandas,
    is_polars,
    readable,
)
from ._input import given_labels
from ._options import option_texts, thread_count
from ._progress import ProgressBar
from ._targets import classes_of, target_codes

__all__ = ["add", "answer", "columns", "question", "train"]


def answer(
    request: bytes,
    frame: Any,
    shard: int,
    *,
    categorical: Sequence[str] = (),
    threads: int = 1,
) -> bytes:
    """What the rows of one shard answer to a request.

    Parameters
    ----------
    request : bytes
        As `train` hands it to `ask`.
    frame : pandas or polars DataFrame, pyarrow Table or RecordBatch, dict of arrays
        The rows of the shard, the target among the columns. All shards need the same columns; a
        shard may be without rows. It must hold the same rows at every request, and those columns
        that `columns` names.
    shard : int
        Number of the shard: 0, 1, 2 and so on.
    categorical : sequence of str, default=()
        Columns of numbers that are names. Those that `train` is told of need not be repeated.
    threads : int, default=1
        Threads to work with.

    Returns
    -------
    bytes
        To be added to those of the other shards.
    """
    kind_of_question, target, named = _core.question_of(request)
    table = _read(frame)
    wanted = set(_core.columns_asked(request))
    # What is named by `train` is told by what it is at first, as `fit` would see it.
    names = {*categorical} if kind_of_question == "survey" else {*categorical, *named}
    kind = ""
    given: list[_core.Column] = []
    for index, name in enumerate(table.names):
        if wanted and name not in wanted:
            continue
        if name == target:
            codes, classes, kind = target_codes(frame, index, name)
            given.append((name, codes, readable(classes, name)))
        else:
            given.append(table.column(index, name in names or table.is_categorical(index)))
    return _core.answer(request, given, table.rows, shard, threads, kind)


def add(answers: Iterable[bytes]) -> bytes:
    """The sum of answers to one request, in any order and grouping.

    Parameters
    ----------
    answers : iterable of bytes
        Of shards, or sums of such.

    Returns
    -------
    bytes
    """
    return _core.add_answers(list(answers))


def columns(request: bytes) -> list[str]:
    """The columns that a request asks about, so that others need not be read; empty: all.

    Parameters
    ----------
    request : bytes
        As `train` hands it to `ask`.

    Returns
    -------
    list of str
    """
    return _core.columns_asked(request)


def question(request: bytes) -> str:
    """What a request asks.

    Parameters
    ----------
    request : bytes
        As `train` hands it to `ask`.

    Returns
    -------
    {"survey", "sample", "worth", "count"}
        Rows of each class and types of columns; the rows to learn from; what rules, changes of
        them and other places of the borders between labels are worth; how many rows each rule
        decides.
    """
    return _core.question_of(request)[0]


def train(
    ask: Callable[[bytes], bytes],
    *,
    target: str,
    weight: str | None = None,
    source: str | None = None,
    target_type: DTypeLike | None = None,
    progress: Callable[[str, float, int, int, float], Any] | None = None,
    **params: Any,
) -> FRRClassifier:
    """Learn from all rows, wherever they are.

    Parameters
    ----------
    ask : callable
        Takes a request, has every shard answer it and returns the sum of the answers, all as
        bytes. It is called about ten times, on the thread that called `train`. What it raises ends
        the training and is raised here.
    target : str
        Column of the classes. Rows without one are left out.
    weight : str, default=None
        Column of weights, as `sample_weight` of `FRRClassifier.fit`.
    source : str, default=None
        Name of the data, to be kept in the model.
    target_type : dtype, default=None
        Of `classes_`. None: that of the target in the shards, which must agree.
    progress : callable, default=None
        Called a few times a second with (stage, fraction, epoch, epochs, loss).
    **params
        Of `FRRClassifier`. `categorical_features` can only be names of columns.

    Returns
    -------
    FRRClassifier
        Fitted, as `fit` on all rows would leave it.
    """
    estimator = FRRClassifier(**params)
    options = option_texts(estimator.get_params(deep=False), estimator.preset)
    asking = _Asking(ask, target, weight, target_type, estimator)
    bar = ProgressBar() if progress is None and estimator.verbose else None
    try:
        model = _core.train_shards(
            asking,
            target,
            weight or "",
            asking.categorical,
            readable([source or ""], "source")[0],
            estimator.preset,
            [*options, ("threads", str(thread_count(estimator.n_jobs)))],
            asking.class_weights(),
            given_labels(estimator.partition, None, None),
            bar if bar is not None else progress,
        )
    finally:
        if bar is not None:
            bar.close()
    names, mask = asking.features()
    estimator.n_features_in_ = len(names)
    estimator.feature_names_in_ = np.array(names, dtype=object)
    classes, class_names = asking.classes(model.classes)
    estimator._set_model(model, classes, mask, class_names)
    if estimator.verbose:
        getattr(progress, "close", lambda: None)()  # the caller's bar, before notes
        for note in estimator.notes_:
            print(f"frr: {note}")
    if estimator._stopped_early:
        warnings.warn(
            f"training stopped at time_limit={estimator.time_limit} s with the best rules so far",
            ConvergenceWarning,
            stacklevel=2,
        )
    return estimator


def _read(frame: Any) -> Frame:
    if is_arrow(frame):
        return ArrowFrame(frame, readable(frame.schema.names, "names"))
    if is_pandas(frame) or is_polars(frame):
        names = readable([str(name) for name in frame.columns], "names")
        return PandasFrame(frame, names) if is_pandas(frame) else PolarsFrame(frame, names)
    if isinstance(frame, Mapping):
        return DictFrame(frame, readable([str(name) for name in frame], "names"))
    raise TypeError(
        "a shard must be a pandas or polars DataFrame, a pyarrow Table or RecordBatch, or a dict "
        f"of arrays, got {type(frame).__name__}"
    )


class _Asking:
    """Asks, and looks at what the first answer tells of columns and classes."""

    def __init__(
        self,
        ask: Callable[[bytes], bytes],
        target: str,
        weight: str | None,
        target_type: DTypeLike | None,
        estimator: FRRClassifier,
    ) -> None:
        self._ask, self._target, self._weight, self._estimator = ask, target, weight, estimator
        self._type = "" if target_type is None else np.dtype(target_type).name
        self._columns: list[tuple[str, bool]] = []
        self._types: list[str] = []
        self.categorical = _names(estimator.categorical_features)

    def __call__(self, request: bytes) -> bytes:
        sum_of_answers = self._ask(request)
        if not self._columns and isinstance(sum_of_answers, bytes):
            self._columns, classes, self._types = _core.read_survey(sum_of_answers)
            self._check(classes)
        return sum_of_answers

    def _check(self, classes: list[str]) -> None:
        names, mask = self.features()
        given_labels(self._estimator.partition, names, mask)
        self.classes(classes)
        given = self._estimator.class_weight
        unknown = [x for x in given if str(x) not in classes] if isinstance(given, Mapping) else []
        if unknown:
            raise ValueError(
                f"class_weight names the classes {unknown}, which the target does not hold; it "
                f"holds {classes[:20]}"
            )

    def features(self) -> tuple[list[str], list[bool]]:
        """Names of the features, and which of them are categorical."""
        others = (self._target, self._weight)
        features = [(name, named) for name, named in self._columns if name not in others]
        names = [name for name, _ in features]
        return names, [named or name in self.categorical for name, named in features]

    def classes(self, names: list[str]) -> tuple[NDArray[Any], list[str]]:
        return classes_of(names, [self._type] if self._type else self._types, self._target)

    def class_weights(self) -> list[tuple[str, float]]:
        given = self._estimator.class_weight
        if not isinstance(given, Mapping):
            return []
        labels = np.empty(len(given), dtype=object)
        labels[:] = list(given)
        return self._estimator._class_weights(labels, [str(label) for label in given])


def _names(given: Any) -> list[str]:
    if given is None or (isinstance(given, str) and given == "from_dtype"):
        return []
    if not isinstance(given, str) and isinstance(given, Iterable):
        entries = list(given)
        if all(isinstance(entry, str) for entry in entries):
            return entries
    raise ValueError(
        f"of shards, categorical_features must be 'from_dtype' or names of columns, got {given!r}"
    )
