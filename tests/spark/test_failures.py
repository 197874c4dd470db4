"""Workers that die, rows that are wrong or change, and Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from frr import _spark_rows
from frr.spark import SparkFRRClassifier
from processes import Killer, descendants, tasks_run
from tables import FEATURES, QUICK, in_parts, local_fit, table


def classifier(**params: Any) -> SparkFRRClassifier:
    return SparkFRRClassifier(labelCol="text", featuresCols=FEATURES, **{**QUICK, **params})


def python_workers(spark: Any) -> list[int]:
    """Workers of Python that this session has started: forks of its daemon."""
    own = descendants(spark.sparkContext._gateway.proc.pid)
    daemons = {pid for pid, (_, command) in own.items() if "pyspark.daemon" in command}
    return [pid for pid in daemons if own[pid][0] in daemons]


def test_a_python_worker_is_killed(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = table(20_000)
    killer = Killer(spark, lambda: python_workers(spark))
    answers = _spark_rows.Rows._answers

    def answer_while_killing(self: Any, request: bytes, cut: Any) -> list[bytes]:
        if self.requests == 2:
            killer.start()
        return answers(self, request, cut)

    monkeypatch.setattr(_spark_rows.Rows, "_answers", answer_while_killing)
    model = classifier().fit(in_parts(spark, rows, 4))
    killer.join()
    assert killer.killed
    assert model.toJson() == local_fit(rows, "text", **QUICK).to_json()


def test_an_executor_is_killed(tmp_path: Path) -> None:
    """In a session of its own, of two executors in processes of their own."""
    import pyspark

    home = str(Path(pyspark.__file__).parent)
    if not (Path(home) / "bin" / "spark-class").exists():
        pytest.skip("this pyspark cannot start executors: it has no bin/spark-class")
    script = Path(__file__).with_name("kill_executor.py")
    environment = {
        **os.environ,
        "SPARK_HOME": home,
        "PYTHONPATH": os.pathsep.join([*sys.path, os.environ.get("PYTHONPATH", "")]),
    }
    run = subprocess.run(
        [sys.executable, str(script), str(tmp_path)],
        capture_output=True, text=True, timeout=1800, env=environment, cwd=tmp_path,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr[-3000:]
    assert "the same model" in run.stdout


def test_errors_in_rows_name_their_partition(spark: Any) -> None:
    rows = table(400)
    weights = [1.0] * 399 + [-1.0]
    wrong = rows.drop_columns(["weight"]).append_column("weight", [weights])
    data = in_parts(spark, wrong, 4)
    with pytest.raises(
        ValueError, match=r"partition 3 of the DataFrame: shard 3.*weight.*row 99"
    ) as actual:
        classifier(weightCol="weight").fit(data)
    assert len(str(actual.value).splitlines()) == 1


def test_a_failure_of_spark_is_reported_in_one_sentence(spark: Any) -> None:
    from pyspark.sql import functions as F

    data = spark.createDataFrame(table(100))
    divide = F.udf(lambda x: x / 0, "double")
    with pytest.raises(RuntimeError, match="counting rows: ZeroDivisionError: ") as actual:
        classifier().fit(data.withColumn("income", divide("number")))
    assert len(str(actual.value)) < 400
    assert not spark.sparkContext.statusTracker().getActiveJobsIds()


def test_reason_of_a_long_message() -> None:
    text = "Job aborted\nTraceback\n  File x\nModuleNotFoundError: No module named 'frr'\n\nat java"
    actual = _spark_rows._reason(RuntimeError(text))
    assert actual.startswith(
        "ModuleNotFoundError: No module named 'frr'. Install the same version of frr"
    )


@pytest.mark.parametrize("change", ["values", "rows"])
def test_rows_that_change_are_noticed(
    spark: Any, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    from pyspark.sql import functions as F

    # As if what is persisted was lost, and computed again from what does not stay the same.
    monkeypatch.setattr(_spark_rows.Rows, "persist", lambda self: None)
    data = in_parts(spark, table(500), 2)
    if change == "values":
        moving = F.udf(lambda x: time.time(), "double").asNondeterministic()
        data = data.withColumn("income", moving("number"))
    else:
        moving = F.udf(lambda x: time.time_ns() % 5 > 0, "boolean").asNondeterministic()
        data = data.filter(moving("number"))
    with pytest.raises(RuntimeError, match=r"rows of the first.*data\.checkpoint\(\)"):
        classifier().fit(data)


def test_ctrl_c_leaves_no_tasks(spark: Any) -> None:
    from pyspark.sql import functions as F

    def sleep(x: float) -> float:
        time.sleep(6000)
        return x

    data = in_parts(spark, table(100), 2).withColumn("income", F.udf(sleep, "double")("number"))
    tracker = spark.sparkContext.statusTracker()
    persistent = spark.sparkContext._jsc.getPersistentRDDs
    before = persistent().size()

    def interrupt() -> None:
        deadline = time.monotonic() + 600
        while not tasks_run(spark) and time.monotonic() < deadline:
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    # The handler of pyspark would end all jobs; FRR must end its own without it.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=interrupt)
    begin = time.monotonic()
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            classifier().fit(data)
    finally:
        thread.join()
        signal.signal(signal.SIGINT, handler)
    deadline = time.monotonic() + 600
    # Spark reports the end of a stage a little before that of its job.
    while tracker.getActiveStageIds() or tracker.getActiveJobsIds():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert time.monotonic() - begin < 3000  # nobody has slept to the end
    assert persistent().size() == before
    assert not spark.sparkContext.getJobTags()
    assert spark.range(3).count() == 3
    model = classifier(search_rows=5000).fit(spark.createDataFrame(table(300)))
    assert model.classes == ["ask", "grant", "refuse"]


class BrokenContext:
    """Of Spark right after Ctrl-C: the first call of each kind fails."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def _call(self, name: str) -> None:
        self.calls.append(name)
        if self.calls.count(name) == 1:
            raise OSError("Answer from Java side is empty")

    def addJobTag(self, tag: str) -> None:
        self.tag = tag

    def cancelJobsWithTag(self, tag: str) -> None:
        assert tag == self.tag
        self._call("cancel")

    def removeJobTag(self, tag: str) -> None:
        self._call("remove")


def test_ctrl_c_that_breaks_the_connection() -> None:
    class Session:
        sparkContext = BrokenContext()

    def collect() -> None:
        try:
            raise KeyboardInterrupt
        finally:
            raise OSError("Answer from Java side is empty")

    with pytest.raises(KeyboardInterrupt), _spark_rows.Jobs(Session()):  # type: ignore[arg-type]
        collect()
    assert Session.sparkContext.calls == ["cancel", "cancel", "remove", "remove"]
    # Another error stays what it is.
    with pytest.raises(OSError, match="disk"), _spark_rows.Jobs(Session()):  # type: ignore[arg-type]
        raise OSError("disk full")


def test_progress(spark: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from frr import _progress

    actual: list[str] = []

    class Bar:
        def __call__(self, stage: str, *rest: Any) -> None:
            assert len(rest) == 4
            actual.append(stage)

        def close(self) -> None:
            actual.append("closed")

    monkeypatch.setattr(_progress, "ProgressBar", Bar)
    classifier(verbose=1).fit(spark.createDataFrame(table(1500)))
    assert actual.pop() == "closed"
    steps = [int(text.split("step ")[1].split(",")[0]) for text in actual]
    assert steps == sorted(steps)
    assert steps[0] <= 1 < steps[-1] < 20
    assert actual[0] == "placing labels, step 1"
    for text in actual[steps.index(2) :]:
        assert re.search(r", step \d+, [\d,]+ rows/s, \d+ s left$", text), text
    assert len({text.split(",")[0] for text in actual}) > 1  # the stages of learning
    actual.clear()
    with pytest.raises(ValueError, match="partition"):
        classifier(verbose=1, weightCol="number").fit(
            spark.createDataFrame(table(50)).selectExpr(*FEATURES, "text", "-1.0 as number")
        )
    assert actual[-1] == "closed"
