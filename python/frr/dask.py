"""FRR on a Dask cluster.

The rows stay on the workers. `fit` asks them about ten times for sums of whole numbers, so the
model is the one that `FRRClassifier.fit` gives for the same rows in memory, byte for byte, however
they are cut into partitions and whatever becomes of a worker meanwhile.
"""

from __future__ import annotations

import inspect
import time
import uuid
from concurrent.futures import CancelledError
from importlib import import_module
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import _check_feature_names, _get_feature_names, check_is_fitted

try:  # without types: what they say of these modules is not the same in all versions
    dask: Any = import_module("dask")
    da: Any = import_module("dask.array")
    dd: Any = import_module("dask.dataframe")
    distributed: Any = import_module("distributed")
except ImportError as error:
    raise ImportError(
        f"frr.dask needs Dask with its arrays, data frames and scheduler ({error}); install them "
        "with: pip install 'frr[dask]'"
    ) from error

from . import _core, shards
from . import _dask_tasks as tasks
from ._base import of_one_fit
from ._classifier import FRRClassifier
from ._frames import Frame
from ._input import categorical_mask, positional_names, target_name
from ._options import most_searched
from ._progress import StepProgress

__all__ = ["DaskFRRClassifier"]

_FAN_IN = 8  # answers that one task adds
_MOST_REPEATED = 1 << 20  # bytes of a request in all its tasks; of more it is a task of its own
_MOST_ALONE = 64  # futures that are cancelled one by one
_ATTEMPTS = 2  # to get an answer, where Dask itself gives up
_GONE = ("error", "lost", "cancelled")  # futures that give nothing
_PAUSE = 0.3  # seconds in which a scheduler has surely read what was sent
_BEAT = 0.25  # seconds between two looks at a running step


class DaskFRRClassifier(FRRClassifier):
    """`FRRClassifier` for the collections of Dask.

    Parameters
    ----------
    client : distributed.Client or None, default=None
        The cluster to work on. None: the client that is current when it is needed. It is not
        pickled.
    **params
        Of `FRRClassifier`. `n_jobs` are threads of the process that calls `fit`, which learns from
        a sample; on the workers each partition is the work of one thread.

    Attributes
    ----------
    client_ : distributed.Client
        The cluster that is worked on.

    The others are those of `FRRClassifier`.

    Examples
    --------
    >>> import dask.array as da
    >>> from distributed import Client
    >>> from frr.dask import DaskFRRClassifier
    >>> client = Client(processes=False, dashboard_address=None)
    >>> X = da.random.default_rng(0).normal(size=(3000, 2), chunks=(1000, 2))
    >>> model = DaskFRRClassifier(client=client, max_rules=3).fit(X, X[:, 0] > 0.5)
    >>> model.predict(X)
    dask.array<decide, shape=(3000,), dtype=bool, chunksize=(1000,), chunktype=numpy.ndarray>
    >>> model.score(X, X[:, 0] > 0.5) > 0.95
    True
    >>> client.close()
    """

    def __init__(self, *, client: Any = None, **params: Any) -> None:
        super().__init__(**params)
        self.client = client

    # ---- Learning --------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, source: str | None = None) -> Self:
        """Learn the rules on the cluster.

        Parameters
        ----------
        X : dask DataFrame or Array of shape (n_samples, n_features)
            Numbers and names, as `FRRClassifier.fit` takes them. Its partitions are computed once
            and kept on the workers until `fit` ends. They must hold the same rows in the same
            order whenever they are computed.
        y : dask Series or Array of shape (n_samples,)
            Classes, in the partitions of X.
        sample_weight : dask Series or Array of shape (n_samples,), default=None
            In the partitions of X.
        source : str, default=None
            Name of the data, to be kept in the model.

        Returns
        -------
        self
        """
        fitted = self._unfitted_copy()
        client = self._find_client()
        names = _feature_names(X)
        table = _table(names or positional_names(X.shape[1]), y, sample_weight)
        parameters = self._local_parameters()
        parameters["categorical_features"] = _categorical(self.categorical_features, table)
        progress = None
        if self.verbose:
            searched = most_searched(self.search_rows, self.preset)
            progress = StepProgress(searched)
        cluster = _Cluster(client, _aligned(X, y, sample_weight), _columns(X), table, progress)
        try:
            model = shards.train(
                cluster.ask,
                target=table.target,
                weight=table.weight or None,
                source=source,
                target_type=_target_type(y),
                progress=progress,
                **parameters,
            )
        except BaseException:
            cluster.cancel()
            raise
        finally:
            if progress is not None:
                progress.close()
        for name, value in vars(model).items():
            if name not in parameters:
                setattr(fitted, name, value)
        fitted.classes_ = _in_type_of(y, fitted.classes_)
        if names is None:
            del fitted.feature_names_in_
        self._adopt(fitted)
        return self

    def _local_parameters(self) -> dict[str, Any]:
        parameters: dict[str, Any] = self.get_params(deep=False)
        del parameters["client"]
        return parameters

    # ---- The cluster -----------------------------------------------------------------------------

    def _find_client(self) -> Any:
        client = self.client
        if client is None:
            try:
                client = distributed.default_client()
            except ValueError:
                raise ValueError(
                    "there is no Dask client; make one with distributed.Client(ADDRESS), or with "
                    "Client() for a cluster on this machine, or give client=..."
                ) from None
        if client.asynchronous:
            raise ValueError("DaskFRRClassifier needs a client that is not asynchronous")
        return client

    @property
    def client_(self) -> Any:
        """The cluster that is worked on."""
        if not hasattr(self, "_model"):
            raise NotFittedError("client_ is there once the estimator is fitted; call fit first")
        return self._find_client()

    @of_one_fit
    def to_local(self) -> FRRClassifier:
        """The fitted estimator without Dask, for rows in memory."""
        check_is_fitted(self)
        parameters = self._local_parameters()
        local = FRRClassifier(**parameters)
        for name, value in vars(self).items():
            if name not in parameters and name != "client":
                setattr(local, name, value)
        return local

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "client": None}

    def __sklearn_clone__(self) -> Self:
        parameters = {name: clone(x, safe=False) for name, x in self._local_parameters().items()}
        return type(self)(client=self.client, **parameters)

    # ---- Deciding --------------------------------------------------------------------------------

    @of_one_fit
    def predict(self, X: Any) -> Any:
        """Class of each row: a lazy dask Array for a collection of Dask, else a numpy array."""
        if not _is_dask(X):
            return super().predict(X)
        check_is_fitted(self)
        return self._lazily("predict", X, np.empty(0, self.classes_.dtype))

    @of_one_fit
    def predict_proba(self, X: Any) -> Any:
        """Probability of each class, as a lazy dask Array of shape (n_samples, n_classes)."""
        if not _is_dask(X):
            return super().predict_proba(X)
        check_is_fitted(self)
        return self._lazily("predict_proba", X, np.empty((0, len(self.classes_))))

    @of_one_fit
    def decision_function(self, X: Any) -> Any:
        """Score of each class, as a lazy dask Array."""
        if not _is_dask(X):
            return super().decision_function(X)
        check_is_fitted(self)
        count = len(self.classes_)
        return self._lazily("decision_function", X, np.empty((0, count) if count > 2 else 0))

    @of_one_fit
    def apply(self, X: Any) -> Any:
        """Index in `rules_` of the rule that decides each row, -1 being ELSE, as a lazy dask
        Array."""
        if not _is_dask(X):
            return super().apply(X)
        check_is_fitted(self)
        return self._lazily("apply", X, np.empty(0, np.int64))

    @of_one_fit
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of the rows that are decided right, computed on the cluster."""
        if not _is_dask(X):
            return float(super().score(X, y, sample_weight))
        check_is_fitted(self)
        X, model = self._for_workers(X)
        hits = [
            dask.delayed(tasks.hits)(model, *part, number)
            for number, part in enumerate(_aligned(X, y, sample_weight))
        ]
        client = self._find_client()
        right, weight = np.sum(client.gather(client.compute(hits)), axis=0)
        return float(right / weight)

    def _lazily(self, method: str, X: Any, empty: NDArray[Any]) -> Any:
        X, model = self._for_workers(X)
        if isinstance(X, dd.DataFrame):
            return X.map_partitions(tasks.decide, model, method, empty, meta=empty)
        drop = None if empty.ndim == 2 else 1
        chunks = (X.chunks[0], (empty.shape[1],)) if empty.ndim == 2 else None
        return X.map_blocks(
            tasks.decide,
            model,
            method,
            empty,
            drop_axis=drop,
            chunks=chunks,
            dtype=empty.dtype,
            meta=empty,
        )

    def _for_workers(self, X: Any) -> tuple[Any, Any]:
        """The columns that the rules read, and the model as a task of its own, so that it is sent
        once and not with each partition."""
        model = self.to_local()
        model.n_jobs = 1  # a worker has a thread for each partition that it works on
        if isinstance(X, dd.DataFrame):
            X = self._used_columns(X, model)
        else:
            X = _whole_rows(X)
            if X.ndim != 2 or X.shape[1] != self.n_features_in_:
                raise ValueError(
                    f"X has the shape {X.shape}, but {type(self).__name__} is expecting "
                    f"{self.n_features_in_} features as input"
                )
        return X, dask.delayed(model, name=f"frr-model-{uuid.uuid4().hex}", pure=False)

    def _used_columns(self, X: Any, model: FRRClassifier) -> Any:
        if self._categorical is not None:
            _check_feature_names(self, X._meta, reset=False)
            if X.shape[1] != self.n_features_in_:
                raise ValueError(
                    f"X has {X.shape[1]} features, but {type(self).__name__} is expecting "
                    f"{self.n_features_in_} features as input"
                )
            if not hasattr(self, "feature_names_in_"):
                return X
        model._categorical = None  # columns are found by name, and others are not missed
        used = [name for name in X.columns if name in set(self._model.used_features)]
        absent = set(self._model.used_features).difference(used)
        if absent:
            raise ValueError(
                f"X has no column {sorted(absent)[0]!r}, which the rules need; its columns are "
                f"{', '.join(map(repr, X.columns[:20]))}"
            )
        return X[used or list(X.columns[:1])]

    def _columns(self, X: Any, names: set[str] | None = None) -> tuple[list[_core.Column], int]:
        if _is_dask(X):
            raise TypeError(
                "this needs rows in memory; give some of them, as X.head() or X[:100].compute() "
                "does"
            )
        return super()._columns(X, names)


def _signature() -> inspect.Signature:
    """Of the parameters by name, which scikit-learn wants to see."""
    instance, *others = inspect.signature(FRRClassifier.__init__).parameters.values()
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Signature(
        [
            instance,
            inspect.Parameter("client", keyword, default=None),
            *(parameter.replace(kind=keyword) for parameter in others),
        ]
    )


DaskFRRClassifier.__init__.__signature__ = _signature()  # type: ignore[attr-defined]


# ---- Collections ---------------------------------------------------------------------------------


def _is_dask(X: Any) -> bool:
    return isinstance(X, dd.DataFrame | dd.Series | da.Array)


def _feature_names(X: Any) -> list[str] | None:
    """None: they are without names."""
    if isinstance(X, dd.DataFrame):
        names = _get_feature_names(X._meta)
        return None if names is None else [str(name) for name in names]
    if not isinstance(X, da.Array):
        raise TypeError(
            f"X must be a dask DataFrame or Array, got {type(X).__name__}; for rows in memory use "
            "FRRClassifier"
        )
    if X.ndim != 2 or X.shape[1] < 1 or np.isnan(X.shape[1]):
        raise ValueError(f"X must have rows and columns, got an array of the shape {X.shape}")
    return None


def _columns(X: Any) -> list[Any] | int:
    return list(X.columns) if isinstance(X, dd.DataFrame) else int(X.shape[1])


def _whole_rows(X: Any) -> Any:
    return X if X.numblocks[1] == 1 else X.rechunk({1: -1})


def _aligned(X: Any, y: Any, sample_weight: Any) -> list[tuple[Any, Any, Any]]:
    """Partitions of X, y and the weights, as Delayed."""
    parts = _delayed(X, "X")
    columns = [parts]
    for name, other in (("y", y), ("sample_weight", sample_weight)):
        delayed = [None] * len(parts) if other is None and name != "y" else _delayed(other, name)
        sizes, other_sizes = _row_chunks(X), _row_chunks(other)
        if len(delayed) != len(parts):
            raise ValueError(
                f"X has {len(parts)} partitions, but {name} has {len(delayed)}; cut both into the "
                "same partitions (repartition, rechunk), best by taking them from one collection"
            )
        if sizes is not None and other_sizes is not None and sizes != other_sizes:
            raise ValueError(
                f"the partitions of X have {sizes[:10]} rows, but those of {name} "
                f"{other_sizes[:10]}; cut both into the same partitions (rechunk)"
            )
        columns.append(delayed)
    return list(zip(*columns, strict=True))


def _row_chunks(collection: Any) -> tuple[int, ...] | None:
    """Where they are known."""
    if not isinstance(collection, da.Array) or np.isnan(collection.chunks[0]).any():
        return None
    return tuple(int(rows) for rows in collection.chunks[0])


def _delayed(collection: Any, name: str) -> list[Any]:
    if isinstance(collection, dd.DataFrame | dd.Series):
        return list(collection.to_delayed())
    if isinstance(collection, da.Array):
        if collection.ndim == 2:
            collection = _whole_rows(collection)
        return list(collection.to_delayed().ravel())
    raise TypeError(
        f"{name} must be a dask Series or Array, got {type(collection).__name__}; "
        "dask.array.from_array and dask.dataframe.from_pandas make such of rows in memory"
    )


def _meta(collection: Any) -> Any:
    return collection._meta if isinstance(collection, dd.DataFrame | dd.Series) else None


def _table(features: list[str], y: Any, sample_weight: Any) -> tasks.Table:
    target = target_name(_meta(y), features)
    weight = "" if sample_weight is None else "weight"
    while weight in (*features, target):
        weight += "_"
    return tasks.Table(features, target, weight)


def _target_type(y: Any) -> np.dtype[Any] | None:
    """Of the classes, where the collection is sure of it."""
    dtype = getattr(y, "dtype", None)
    return dtype if isinstance(dtype, np.dtype) and dtype.kind in "iufb" else None


def _in_type_of(y: Any, classes: NDArray[Any]) -> NDArray[Any]:
    """Texts, as `FRRClassifier.fit` would give them for this y."""
    dtype = getattr(y, "dtype", None)
    texts = isinstance(dtype, np.dtype) and dtype.kind in "OU" and classes.dtype.kind in "OU"
    return classes.astype(dtype) if texts else classes


class _NoTypes(Frame):
    """Columns of which the names alone are known."""

    def __init__(self, names: list[str]) -> None:
        self.names, self.rows = names, 0

    def is_categorical(self, index: int) -> bool:
        return False


def _categorical(given: Any, table: tasks.Table) -> list[str]:
    """By name; what the types tell is for the shards to say."""
    mask = categorical_mask(given, _NoTypes(table.features))
    return [name for name, chosen in zip(table.features, mask, strict=True) if chosen]


# ---- Asking --------------------------------------------------------------------------------------


class _Cluster:
    """The partitions on the workers, and how they are asked."""

    def __init__(
        self,
        client: Any,
        rows: list[tuple[Any, Any, Any]],
        columns: list[Any] | int,
        table: tasks.Table,
        progress: StepProgress | None,
    ) -> None:
        self._client, self._rows, self._columns, self._table = client, rows, columns, table
        self._progress = progress
        # Futures of the request that is under way: itself, the answers, their sums, level by level.
        self._asked: list[list[Any]] = []
        self._checksum: int | None = None  # of all rows, as the first answer tells it
        self._parts = client.compute([self._part(number) for number in range(len(rows))])

    def _part(self, number: int) -> Any:
        make = dask.delayed(tasks.make_part, pure=False)
        name = f"frr-part-{uuid.uuid4().hex}"
        return make(*self._rows[number], number, self._columns, dask_key_name=name)

    def ask(self, request: bytes) -> bytes:
        """Dask computes again what a lost worker had. Where it gives up, because a task was on
        several workers that died or because a future is gone, the rows are computed anew once."""
        if self._progress is not None:
            self._progress.begin_step()
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                told = self._sum(request)
                break
            except (distributed.KilledWorker, CancelledError) as error:
                if attempt == _ATTEMPTS:
                    raise self._lost(error) from error
                self._mend()
            except Exception as error:
                raise self._explained(error) from error
        self._asked = []
        if self._progress is not None:
            self._progress.end_step(told.rows)
        if self._checksum is None:
            self._checksum = told.checksum
        if told.checksum != self._checksum:
            raise RuntimeError(
                "a partition was computed again, perhaps because its worker was lost, and came out "
                "with other rows than before, as it may where numbers are random or files change; "
                "write the rows to files and read them back, or persist them where no worker dies"
            )
        return told.answer

    def _sum(self, request: bytes) -> tasks.Answer:
        client, token = self._client, uuid.uuid4().hex
        count = len(self._parts)
        asked: Any = request
        self._asked = [[]]
        if count * len(request) > _MOST_REPEATED:
            asked = client.submit(tasks.same, request, key=f"frr-request-{token}")
            self._asked = [[asked]]
        answers = client.map(
            tasks.answer_part,
            [asked] * count,
            self._parts,
            range(count),
            table=self._table,
            key=[(f"frr-answer-{token}", number) for number in range(count)],
        )
        self._asked.append(answers)
        level = 0
        while len(answers) > _FAN_IN:
            groups = [answers[i : i + _FAN_IN] for i in range(0, len(answers), _FAN_IN)]
            keys = [(f"frr-add-{token}", level, i) for i in range(len(groups))]
            answers = client.map(tasks.add_answers, groups, key=keys)
            self._asked.append(answers)
            level += 1
        self._watch(answers)
        return tasks.add_answers(client.gather(answers))

    def _watch(self, futures: list[Any]) -> None:
        while self._progress is not None:
            try:
                distributed.wait(futures, timeout=_BEAT)
                return
            except TimeoutError:
                self._progress.show()

    def _mend(self) -> None:
        gone = [number for number, part in enumerate(self._parts) if part.status in _GONE]
        # A part may have failed because a task before it has; the scheduler must forget both, or
        # it would say the same again.
        self._forget([self._parts[i] for i in gone])
        for number in gone:
            self._parts[number] = self._client.compute(self._part(number))

    def _failed(self) -> int | None:
        """Number of a shard whose rows or answer are not to be had."""
        # self._asked: the request, if it is a task, the answers, and their sums level by level.
        for futures in (self._parts, *self._asked[1:2]):
            for number, future in enumerate(futures):
                if future.status in _GONE:
                    return number
        return None

    def _lost(self, error: BaseException) -> Exception:
        number = self._failed()
        where = "" if number is None else f"shard {number}: "
        if isinstance(error, distributed.KilledWorker):
            return RuntimeError(
                f"{where}workers died again and again while this was among their tasks, as they do "
                "where memory is short; cut the rows into smaller partitions, or give workers more "
                f"memory ({error})"
            )
        return RuntimeError(
            f"{where}its rows were cancelled, or lost with a worker and cannot be computed again; "
            f"let workers read them instead of scattering them ({error})"
        )

    def _explained(self, error: Exception) -> Exception:
        """Of an error in the tasks that make the collections, say whose it is."""
        number = self._failed()
        if number is None or str(error).startswith("shard "):
            return error
        return RuntimeError(
            f"shard {number}: this partition of X, y or sample_weight cannot be computed: "
            f"{type(error).__name__}: {error}"
        )

    def cancel(self) -> None:
        self._forget(self._parts)
        # A request that was just sent may have become known to the scheduler only now.
        time.sleep(_PAUSE)
        self._forget(self._parts)

    def _forget(self, parts: list[Any]) -> None:
        """Cancels what is asked, and parts. What needs others goes first: of several keys at once
        the scheduler lets all be if it comes upon one that another one has taken with it."""
        for futures in (*reversed(self._asked), parts):
            # So up to some number each is cancelled by itself.
            alone = len(futures) <= _MOST_ALONE
            for group in [[future] for future in futures] if alone else [futures]:
                self._client.cancel(group, force=True)
