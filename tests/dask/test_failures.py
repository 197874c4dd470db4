"""Workers that die, tasks that fail, a user who stops the fit."""

import math
import os
import signal
import threading
import time
from itertools import pairwise

import dask.dataframe as dd
import frr.dask
import numpy as np
import pandas as pd
import pytest
from conftest import QUICK, SEARCHED, make_table, worker_pids
from distributed import wait
from frr import FRRClassifier
from frr.dask import DaskFRRClassifier
from test_model import cut

PARAMS = {**QUICK, "search_rows": SEARCHED}


class Parts:
    """Loads a partition, and writes down that it was loaded."""

    def __init__(self, frame, places, log):
        ends = [0, *places, len(frame)]
        self.frame, self.log, self.ends = frame, str(log), ends

    def __call__(self, number):
        with open(self.log, "a") as log:
            log.write(f"{number}\n")
        return self.frame.iloc[self.ends[number] : self.ends[number + 1]]

    def collection(self):
        return dd.from_map(self, range(len(self.ends) - 1), meta=self.frame.iloc[:0])


@pytest.fixture
def table(tmp_path):
    """Rows in memory, the same as collections of 5 partitions, and where loading is logged."""
    X, y = make_table()
    log = tmp_path / "loaded"
    places = (900, 2000, 3100, 4000)
    return X, y, Parts(X, places, log).collection(), cut(y, places), log


def soon(condition, seconds=600):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def no_tasks_left(client, cluster):
    def left():
        kept = [
            (key, task.state) for key, task in cluster.scheduler.tasks.items() if "frr-" in str(key)
        ]
        return kept, {name: keys for name, keys in client.processing().items() if keys}

    clean = soon(lambda: not any(left()))
    if not clean:
        print("left:", *left())
    return clean


def at_step(monkeypatch, step, before):
    """Calls `before` when the request of this number is about to be sent."""
    original = frr.dask._Cluster._sum
    calls = []

    def counting(self, request):
        calls.append(request)
        if len(calls) == step:
            before()
        return original(self, request)

    monkeypatch.setattr(frr.dask._Cluster, "_sum", counting)
    return calls


def parts_on(cluster, address):
    """Partitions that this worker alone has."""
    tasks = [task for task in cluster.scheduler.tasks.values() if "frr-part" in str(task.key)]
    return sum({own.address for own in task.who_has or ()} == {address} for task in tasks)


def kill_while_it_works(client, cluster, count=1):
    """Stops workers, waits on a thread until they have something to do, and kills them."""
    own = worker_pids(client)
    most = sorted(own, key=lambda address: -parts_on(cluster, address))[:count]
    pids = {address: own[address] for address in most}
    for pid in pids.values():
        os.kill(pid, signal.SIGSTOP)

    def busy(address):
        own = cluster.scheduler.workers.get(address)
        return own is not None and any("frr-" in str(task.key) for task in own.processing)

    def kill():
        # The scheduler may give the work to others: then they are killed without any.
        soon(lambda: any(busy(address) for address in pids), seconds=60)
        for pid in pids.values():
            os.kill(pid, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread, pids


@pytest.mark.parametrize(
    ("step", "count"),
    [(1, 1), (2, 1), (4, 1), (4, 2)],
    ids=["survey", "sample", "worth", "all workers"],
)
def test_killed_worker(client, cluster, monkeypatch, table, step, count):
    X, y, dX, dy, log = table
    killed = []
    calls = at_step(
        monkeypatch, step, lambda: killed.append(kill_while_it_works(client, cluster, count))
    )
    model = DaskFRRClassifier(**PARAMS).fit(dX, dy)
    [(thread, pids)] = killed
    thread.join()
    assert len(calls) > 4
    assert not set(pids.values()) & set(worker_pids(client).values())
    assert model.to_json() == FRRClassifier(**PARAMS).fit(X, y).to_json()
    if step > 1:  # the rows were on the worker
        assert len(log.read_text().split()) > 5
    assert no_tasks_left(client, cluster)


def test_killed_worker_of_persisted_rows(client, cluster, monkeypatch, table):
    X, y, dX, dy, _ = table
    dX, dy = client.persist([dX, dy])
    wait([dX, dy])
    killed = []
    at_step(monkeypatch, 3, lambda: killed.append(kill_while_it_works(client, cluster)))
    model = DaskFRRClassifier(**PARAMS).fit(dX, dy)
    killed[0][0].join()
    assert model.to_json() == FRRClassifier(**PARAMS).fit(X, y).to_json()


def test_scheduler_that_forgives_nothing(client, cluster, monkeypatch, table):
    X, y, dX, dy, _ = table
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", 0)
    killed = []
    calls = at_step(monkeypatch, 3, lambda: killed.append(kill_while_it_works(client, cluster)))
    model = DaskFRRClassifier(**PARAMS).fit(dX, dy)
    killed[0][0].join()
    assert len(set(calls)) < len(calls)  # one was asked again
    assert model.to_json() == FRRClassifier(**PARAMS).fit(X, y).to_json()


def deadly(number):
    if number == 1:
        os._exit(1)
    return make_table()[0]


def test_partition_that_kills_workers(client, cluster, monkeypatch):
    _, y = make_table()
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", 0)
    X = dd.from_map(deadly, range(2), meta=make_table()[0][:0])
    with pytest.raises(RuntimeError, match=r"shard [01]: workers died .* smaller partitions"):
        DaskFRRClassifier(**PARAMS).fit(X, dd.concat([cut(y, ()), cut(y, ())]))
    assert no_tasks_left(client, cluster)


def deadly_once(number, flag):
    if number == 1 and os.path.exists(flag):
        os.unlink(flag)
        os._exit(1)
    return make_table()[0]


def test_partition_that_kills_one_worker(client, cluster, monkeypatch, tmp_path):
    X, y = make_table()
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", 0)
    flag = tmp_path / "deadly"
    flag.touch()
    dX = dd.from_map(deadly_once, range(2), flag=str(flag), meta=X[:0])
    model = DaskFRRClassifier(**PARAMS).fit(dX, dd.concat([cut(y, ()), cut(y, ())]))
    assert not flag.exists()
    expected = FRRClassifier(**PARAMS).fit(
        pd.concat([X, X], ignore_index=True), pd.concat([y, y], ignore_index=True)
    )
    assert model.to_json() == expected.to_json()


def broken(number):
    if number == 1:
        raise OSError("the disk is broken")
    return make_table()[0]


def test_message_of_a_failing_worker(client, cluster):
    _, y = make_table()
    X = dd.from_map(broken, range(2), meta=make_table()[0][:0])
    with pytest.raises(RuntimeError, match=r"shard 1: .*OSError: the disk is broken"):
        DaskFRRClassifier(**PARAMS).fit(X, dd.concat([cut(y, ()), cut(y, ())]))
    assert no_tasks_left(client, cluster)


class OtherRows(Parts):
    """A partition that is loaded again comes out otherwise."""

    def __call__(self, number):
        rows = super().__call__(number)
        with open(self.log) as log:
            loaded = log.read().split().count(str(number))
        return rows if loaded == 1 else rows[::-1]


def test_rows_that_come_out_otherwise(client, cluster, monkeypatch, table):
    X, _, _, dy, log = table
    dX = OtherRows(X, (900, 2000, 3100, 4000), log).collection()
    killed = []
    at_step(monkeypatch, 3, lambda: killed.append(kill_while_it_works(client, cluster)))
    with pytest.raises(RuntimeError, match="now has other rows"):
        DaskFRRClassifier(**PARAMS).fit(dX, dy)
    killed[0][0].join()
    assert no_tasks_left(client, cluster)


@pytest.mark.parametrize("kind", ["frame", "array", "columns"])
def test_checksum_of_a_partition(kind):
    """Rows in another order have another one; the same rows the same."""
    X, y = make_table()
    X = X.iloc[:300].assign(flag=[True, False, None] * 100, odd=["a", 1, None] * 100)
    if kind != "frame":
        X = np.array(X.select_dtypes("number"), order="F" if kind == "columns" else "C")
    columns = list(X.columns) if kind == "frame" else X.shape[1]
    y = y.iloc[:300]
    own = frr._dask_tasks.make_part(X, y, None, 0, columns).checksum
    same = X.copy() if kind == "frame" else X.copy(order="K")
    assert own == frr._dask_tasks.make_part(same, y.copy(), None, 0, columns).checksum
    weights = y.index.to_numpy() + 1.0
    others = [(X[::-1], y, None, 0), (X, y[::-1], None, 0), (X, y, weights, 0), (X, y, None, 1)]
    found = {own, *(frr._dask_tasks.make_part(*other, columns).checksum for other in others)}
    assert len(found) == 5


def test_rows_that_cannot_be_had_again(client, cluster, monkeypatch, table):
    X, _, _, dy, _ = table
    ends = [0, 900, 2000, 3100, 4000, 5000]
    parts = [X.iloc[start:end] for start, end in pairwise(ends)]
    dX = dd.from_delayed(client.scatter(parts), meta=X[:0], verify_meta=False)
    killed = []
    at_step(monkeypatch, 3, lambda: killed.append(kill_while_it_works(client, cluster, 2)))
    with pytest.raises(RuntimeError, match=r"lost with a worker .* instead of scattering"):
        DaskFRRClassifier(**PARAMS).fit(dX, dy)
    killed[0][0].join()


def interrupt_when_busy(cluster):
    def send():
        soon(lambda: any(own.processing for own in cluster.scheduler.workers.values()))
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    return thread


def slow(number, flag):
    while os.path.exists(flag):
        time.sleep(0.02)
    return make_table()[0]


@pytest.mark.parametrize("verbose", [0, 1])
def test_stop_while_rows_are_loaded(client, cluster, tmp_path, verbose):
    _, y = make_table()
    flag = tmp_path / "wait"
    flag.touch()
    X = dd.from_map(slow, range(2), flag=str(flag), meta=make_table()[0][:0])
    model = DaskFRRClassifier(**PARAMS, verbose=verbose)
    try:
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012 - it may come as soon as it is asked for
            thread = interrupt_when_busy(cluster)
            model.fit(X, dd.concat([cut(y, ()), cut(y, ())]))
        thread.join()
        assert time.monotonic() - start < 100
        assert no_tasks_left(client, cluster)
        assert not hasattr(model, "rules_")
    finally:
        flag.unlink()


def test_stop_in_the_middle(client, cluster, monkeypatch, table):
    X, y, dX, dy, _ = table
    stopped = []

    def stop():
        pid = next(iter(worker_pids(client).values()))
        os.kill(pid, signal.SIGSTOP)
        stopped.append((pid, interrupt_when_busy(cluster)))

    with monkeypatch.context() as patch:
        at_step(patch, 4, stop)
        with pytest.raises(KeyboardInterrupt):
            DaskFRRClassifier(**PARAMS).fit(dX, dy)
    [(pid, thread)] = stopped
    thread.join()
    try:
        assert no_tasks_left(client, cluster)
    finally:
        os.kill(pid, signal.SIGCONT)
    # The cluster works on.
    model = DaskFRRClassifier(**PARAMS).fit(dX, dy)
    assert model.to_json() == FRRClassifier(**PARAMS).fit(X, y).to_json()


def test_nothing_stays_on_the_cluster(client, cluster, table):
    _, _, dX, dy, log = table
    DaskFRRClassifier(**PARAMS).fit(dX, dy)
    assert sorted(log.read_text().split()) == list("01234")  # each partition was loaded once
    assert no_tasks_left(client, cluster)


def test_progress(client, monkeypatch, table):
    _, _, dX, dy, _ = table
    shown = []

    class Bar:
        def __call__(self, stage, fraction, epoch, epochs, loss):
            shown.append((stage, fraction))

        def close(self):
            shown.append("closed")

    monkeypatch.setattr(frr._progress, "ProgressBar", Bar)
    DaskFRRClassifier(**PARAMS, verbose=1).fit(dX, dy)
    assert shown.pop() == "closed"
    steps = [int(stage.split("step ")[1].split(",")[0]) for stage, _ in shown]
    assert steps == sorted(steps)
    assert steps[0] <= 1 < 4 < steps[-1] < 20
    fractions = [fraction for _, fraction in shown]
    assert fractions == sorted(fractions)
    last = shown[-1][0]
    assert float(last.split(" rows/s")[0].split(", ")[-1].replace(",", "")) > 0
    assert float(last.split(" s left")[0].split(", ")[-1]) < 60


def test_time_left(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(frr._progress.time, "monotonic", lambda: clock[0])
    pace = frr._progress.Pace(most_searched=1000)
    pace.begin()
    assert math.isnan(pace.seconds_left())
    assert pace.seconds_left(of_step=4) == pytest.approx(4 + 11 * 4)
    clock[0] += 2  # 2 s for 5000 rows: 11 of 12 steps are left
    pace.end(5000)
    assert pace.seconds_left() == pytest.approx(22)
    clock[0] += 3  # 3 s of learning were half of it
    pace.fraction = 0.5
    assert pace.seconds_left() == pytest.approx(25)
    assert pace.rate == pytest.approx(2500)
    pace.begin()
    clock[0] += 1  # half of a step: a second of it, ten steps and the learning are left
    assert pace.seconds_left() == pytest.approx(1 + 20 + 3)
    clock[0] += 9  # a step that is late
    assert pace.seconds_left() == pytest.approx(20 + 3)
