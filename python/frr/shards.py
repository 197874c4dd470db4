"""Training on rows that are not in one table: on other machines, or in files larger than memory.

`train` sends a few requests to all rows. You pass each to every shard; `answer` computes the
answer of a shard, and `add` adds the answers:

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

The model is byte for byte the one that `FRRClassifier.fit` learns from all rows, however they are
divided into shards. Requests and answers are bytes, which can be sent to other processes; all must
run the same version of FRR. Answers may be added in any order and grouping. A shard gives the same
answer when it is asked again, so the work of a lost worker can be repeated.
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
from ._policy import check_names, shard_policy
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
    """Compute the answer of one shard to a request.

    Parameters
    ----------
    request : bytes
        The argument of `ask`.
    frame : pandas or polars DataFrame, pyarrow Table or RecordBatch, dict of arrays
        The rows of the shard, with the target as a column. All shards need the same columns; a
        shard may be empty. It must contain the same rows at every request, with the columns that
        `columns` returns.
    shard : int
        Number of the shard: 0, 1, 2 and so on.
    categorical : sequence of str, default=()
        Columns of numbers that are categories, apart from those that are passed to `train`.
    threads : int, default=1
        Number of threads.

    Returns
    -------
    bytes
        The answer, which `add` adds to those of other shards.
    """
    kind_of_question, target, named = _core.question_of(request)
    table = _read(frame)
    wanted = set(_core.columns_asked(request))
    # For the columns that `train` names, the survey reports the original type, as `fit` sees it.
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
    """Add answers to the same request, in any order and grouping.

    Parameters
    ----------
    answers : iterable of bytes
        Answers of shards, or sums of answers.

    Returns
    -------
    bytes
        The sum.
    """
    return _core.add_answers(list(answers))


def columns(request: bytes) -> list[str]:
    """The columns that the answer to a request needs; an empty list means all columns.

    Parameters
    ----------
    request : bytes
        The argument of `ask`.

    Returns
    -------
    list of str
    """
    return _core.columns_asked(request)


def question(request: bytes) -> str:
    """The kind of a request.

    Parameters
    ----------
    request : bytes
        The argument of `ask`.

    Returns
    -------
    {"survey", "sample", "worth", "count", "loss"}
        "survey" asks for the rows per class and the types of columns; "sample" for rows to learn
        from; "worth" for the gains of rules, of changes to them and of moved borders; "count" for
        the number of rows that each rule decides; "loss" for the log-loss of additive rules and its
        derivatives.
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
    """Learn from the rows of all shards.

    Parameters
    ----------
    ask : callable
        Function that takes a request, passes it to every shard and returns the sum of the answers,
        as bytes. It is called about ten times, in the thread that called `train`. An exception
        ends the training and is raised by `train`.
    target : str
        Column of the classes. Rows without a class are dropped.
    weight : str, default=None
        Column of weights, as `sample_weight` of `FRRClassifier.fit`.
    source : str, default=None
        Name of the data, which the model records.
    target_type : dtype, default=None
        Type of `classes_`. None: the type of the target, which must be the same in all shards.
    progress : callable, default=None
        Called a few times per second with (stage, fraction, epoch, epochs, loss).
    **params
        Parameters of `FRRClassifier`. `categorical_features` must be names of columns, and `costs`
        must name the classes. For `sensitivity` or `specificity`, call `decide` on the result.

    Returns
    -------
    FRRClassifier
        The estimator, fitted as by `fit` on all rows.

    Examples
    --------
    The description of the module `frr.shards` shows one.
    """
    estimator = FRRClassifier(**params)
    options = option_texts(estimator.get_params(deep=False), estimator.preset)
    policy = shard_policy(estimator.get_params(deep=False))
    asking = _Asking(ask, target, weight, target_type, estimator, policy)
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
            policy,
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
        getattr(
            progress, "close", lambda: None
        )()  # closes the caller's bar before notes are printed
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
    """Calls `ask`, and reads columns and classes from the first answer."""

    def __init__(
        self,
        ask: Callable[[bytes], bytes],
        target: str,
        weight: str | None,
        target_type: DTypeLike | None,
        estimator: FRRClassifier,
        policy: _core.Policy,
    ) -> None:
        self._ask, self._target, self._weight, self._estimator = ask, target, weight, estimator
        self._type = "" if target_type is None else np.dtype(target_type).name
        self._columns: list[tuple[str, bool]] = []
        self._types: list[str] = []
        self._policy = policy
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
        labels, _ = self.classes(classes)
        check_names(self._policy, labels.tolist(), classes)
        given = self._estimator.class_weight
        unknown = [x for x in given if str(x) not in classes] if isinstance(given, Mapping) else []
        if unknown:
            raise ValueError(
                f"class_weight names the classes {unknown}, which the target does not contain; it "
                f"contains {classes[:20]}"
            )

    def features(self) -> tuple[list[str], list[bool]]:
        """The names of the features, and whether each is categorical."""
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
        f"for shards, categorical_features must be 'from_dtype' or names of columns, got {given!r}"
    )
