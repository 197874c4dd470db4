"""FRR on a Dask cluster.

The rows stay on the workers. `fit` asks them about ten times for sums of whole numbers. The model
is therefore byte for byte the one that `FRRClassifier.fit` learns from the same rows in memory,
however they are partitioned, even if workers are lost.
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

try:  # untyped, because the type hints differ between versions
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
from ._policy import shard_policy
from ._progress import StepProgress

__all__ = ["DaskFRRClassifier"]

_FAN_IN = 8  # answers that one task adds
_MOST_REPEATED = (
    1 << 20
)  # bytes of a request that are sent with each task; a larger one is a separate task
_MOST_ALONE = 64  # futures that are cancelled one by one
_ATTEMPTS = 2  # attempts to get an answer when Dask gives up
_GONE = ("error", "lost", "cancelled")  # states of futures without a result
_PAUSE = 0.3  # seconds after which the scheduler has surely read a message
_BEAT = 0.25  # seconds between two checks of a running step


class DaskFRRClassifier(FRRClassifier):
    """`FRRClassifier` for Dask collections.

    Parameters
    ----------
    client : distributed.Client or None, default=None
        Client of the cluster. None: the current client at the time of use. It is not pickled.
    **params
        Parameters of `FRRClassifier`. `n_jobs` is the number of threads in the process that calls
        `fit`, which learns from a sample; workers use one thread per partition. `costs` must name
        the classes. For `sensitivity` or `specificity`, call `decide` on the fitted estimator.

    Attributes
    ----------
    client_ : distributed.Client
        Client of the cluster.

    The other attributes are those of `FRRClassifier`.

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
            Numbers and categories, as in `FRRClassifier.fit`. The partitions are computed once and
            kept on the workers until `fit` ends. They must contain the same rows in the same order
            whenever they are computed.
        y : dask Series or Array of shape (n_samples,)
            Classes, partitioned like X.
        sample_weight : dask Series or Array of shape (n_samples,), default=None
            Weights, partitioned like X.
        source : str, default=None
            Name of the data, which the model records.

        Returns
        -------
        self
        """
        fitted = self._unfitted_copy()
        client = self._find_client()
        names = _feature_names(X)
        table = _table(names or positional_names(X.shape[1]), y, sample_weight)
        parameters = self._local_parameters()
        shard_policy(parameters)
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
        """The client of the cluster."""
        if not hasattr(self, "_model"):
            raise NotFittedError("client_ exists only once the estimator is fitted; call fit first")
        return self._find_client()

    @of_one_fit
    def to_local(self) -> FRRClassifier:
        """The fitted estimator as an `FRRClassifier`, for rows in memory."""
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

    # ---- Prediction ------------------------------------------------------------------------------

    @of_one_fit
    def predict(self, X: Any) -> Any:
        """Class of each row: a lazy dask Array for Dask collections, otherwise a numpy array."""
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
    def referred(self, X: Any) -> Any:
        """Whether each row is referred to a person, as a lazy dask Array."""
        if not _is_dask(X):
            return super().referred(X)
        check_is_fitted(self)
        return self._lazily("referred", X, np.empty(0, np.bool_))

    @of_one_fit
    def apply(self, X: Any) -> Any:
        """Index in `rules_` of the rule that decides each row (-1: ELSE), as a lazy dask Array."""
        if not _is_dask(X):
            return super().apply(X)
        check_is_fitted(self)
        return self._lazily("apply", X, np.empty(0, np.int64))

    @of_one_fit
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy, computed on the cluster."""
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
        """The columns that the rules read, and the model as a separate task, which is sent once
        instead of with each partition."""
        model = self.to_local()
        model.n_jobs = 1  # a worker already uses a thread per partition
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
        model._categorical = None  # finds columns by name; others may be absent
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
                "this method needs rows in memory; pass some of them, such as X.head() or "
                "X[:100].compute()"
            )
        return super()._columns(X, names)


def _signature() -> inspect.Signature:
    """A signature with the names of all parameters, which scikit-learn requires."""
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
    """Names of the columns; None if they have none."""
    if isinstance(X, dd.DataFrame):
        names = _get_feature_names(X._meta)
        return None if names is None else [str(name) for name in names]
    if not isinstance(X, da.Array):
        raise TypeError(
            f"X must be a dask DataFrame or Array, got {type(X).__name__}; for rows in memory use "
            "FRRClassifier"
        )
    if X.ndim != 2 or X.shape[1] < 1 or np.isnan(X.shape[1]):
        raise ValueError(f"X must have rows and columns, got an array of shape {X.shape}")
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
                f"X has {len(parts)} partitions, but {name} has {len(delayed)}; divide both into "
                "the same partitions (repartition, rechunk), or take both from one collection"
            )
        if sizes is not None and other_sizes is not None and sizes != other_sizes:
            raise ValueError(
                f"the partitions of X have {sizes[:10]} rows, but those of {name} "
                f"{other_sizes[:10]}; divide both into the same partitions (rechunk)"
            )
        columns.append(delayed)
    return list(zip(*columns, strict=True))


def _row_chunks(collection: Any) -> tuple[int, ...] | None:
    """Rows of each partition, if known."""
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
        "dask.array.from_array and dask.dataframe.from_pandas convert rows in memory"
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
    """The type of the classes, if the collection determines it."""
    dtype = getattr(y, "dtype", None)
    return dtype if isinstance(dtype, np.dtype) and dtype.kind in "iufb" else None


def _in_type_of(y: Any, classes: NDArray[Any]) -> NDArray[Any]:
    """Strings in the type that `FRRClassifier.fit` would give for this y."""
    dtype = getattr(y, "dtype", None)
    texts = isinstance(dtype, np.dtype) and dtype.kind in "OU" and classes.dtype.kind in "OU"
    return classes.astype(dtype) if texts else classes


class _NoTypes(Frame):
    """Columns with known names, but without values."""

    def __init__(self, names: list[str]) -> None:
        self.names, self.rows = names, 0

    def is_categorical(self, index: int) -> bool:
        return False


def _categorical(given: Any, table: tasks.Table) -> list[str]:
    """The columns in `categorical_features` by name; shards find others by their types."""
    mask = categorical_mask(given, _NoTypes(table.features))
    return [name for name, chosen in zip(table.features, mask, strict=True) if chosen]


# ---- Requests ------------------------------------------------------------------------------------


class _Cluster:
    """The partitions on the workers, which answer requests."""

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
        # Futures of the current request: the request, the answers, and their sums level by level.
        self._asked: list[list[Any]] = []
        self._checksum: int | None = None  # of all rows, from the first answer
        self._parts = client.compute([self._part(number) for number in range(len(rows))])

    def _part(self, number: int) -> Any:
        make = dask.delayed(tasks.make_part, pure=False)
        name = f"frr-part-{uuid.uuid4().hex}"
        return make(*self._rows[number], number, self._columns, dask_key_name=name)

    def ask(self, request: bytes) -> bytes:
        """The sum of all answers. Dask repeats the tasks of lost workers. If it gives up, because a
        task ran on several workers that died or because a future is lost, the rows are computed
        once more."""
        if self._progress is not None:
            self._progress.begin_step()
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                total = self._sum(request)
                break
            except (distributed.KilledWorker, CancelledError) as error:
                if attempt == _ATTEMPTS:
                    raise self._lost(error) from error
                self._mend()
            except Exception as error:
                raise self._explained(error) from error
        self._asked = []
        if self._progress is not None:
            self._progress.end_step(total.rows)
        if self._checksum is None:
            self._checksum = total.checksum
        if total.checksum != self._checksum:
            raise RuntimeError(
                "a partition was computed again, perhaps because its worker was lost, and now has "
                "other rows, as can happen with random numbers or if files change; write the rows "
                "to files and read them back, or persist them on workers that are not lost"
            )
        return total.answer

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
        # A part may have failed because of an earlier task; the scheduler must forget both, or
        # it would report the same failure again.
        self._forget([self._parts[i] for i in gone])
        for number in gone:
            self._parts[number] = self._client.compute(self._part(number))

    def _failed(self) -> int | None:
        """The number of a shard whose rows or answer cannot be computed."""
        # self._asked: the request (if it is a task), the answers, and their sums level by level.
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
                f"{where}workers died repeatedly during this task, perhaps for lack of memory; "
                f"divide the rows into smaller partitions, or give workers more memory ({error})"
            )
        return RuntimeError(
            f"{where}its rows were cancelled, or lost with a worker and cannot be computed again; "
            f"let workers read them instead of scattering them ({error})"
        )

    def _explained(self, error: Exception) -> Exception:
        """Adds the origin to an error of the tasks that compute the collections."""
        number = self._failed()
        if number is None or str(error).startswith("shard "):
            return error
        return RuntimeError(
            f"shard {number}: this partition of X, y or sample_weight cannot be computed: "
            f"{type(error).__name__}: {error}"
        )

    def cancel(self) -> None:
        self._forget(self._parts)
        # The scheduler may only now have received a request that was just sent.
        time.sleep(_PAUSE)
        self._forget(self._parts)

    def _forget(self, parts: list[Any]) -> None:
        """Cancels the current request and all parts. Dependent tasks come first: of several keys,
        the scheduler cancels none if one of them was already cancelled along with another."""
        for futures in (*reversed(self._asked), parts):
            # A few futures are therefore cancelled one by one.
            alone = len(futures) <= _MOST_ALONE
            for group in [[future] for future in futures] if alone else [futures]:
                self._client.cancel(group, force=True)
