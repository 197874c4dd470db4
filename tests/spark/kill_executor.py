"""Run by test_failures.py: a fit on two executors; one of them is killed in the middle."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from frr import _spark_rows
from frr.spark import SparkFRRClassifier
from processes import Killer, descendants
from pyspark.sql import SparkSession
from spark_settings import SETTINGS
from tables import FEATURES, QUICK, in_parts, local_fit, table


def executors(spark: Any) -> list[int]:
    own = descendants(spark.sparkContext._gateway.proc.pid)
    return [pid for pid, (_, command) in own.items() if "CoarseGrainedExecutorBackend" in command]


def main(folder: str) -> None:
    builder = SparkSession.builder.master("local-cluster[2,1,1024]")
    for name, value in {
        **SETTINGS,
        "spark.sql.warehouse.dir": folder,
        "spark.executor.memory": "512m",
        "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"],
        "spark.executorEnv.SPARK_LOCAL_IP": "127.0.0.1",
        "spark.eventLog.enabled": "false",
    }.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    rows = table(20_000)
    killer = Killer(spark, lambda: executors(spark)[:1])
    answers = _spark_rows.Rows._answers

    def answer_while_killing(self: Any, request: bytes, cut: Any) -> list[bytes]:
        if self.requests == 2:
            killer.start()
        return answers(self, request, cut)

    _spark_rows.Rows._answers = answer_while_killing  # type: ignore[method-assign]
    deadline = time.monotonic() + 600
    while len(executors(spark)) < 2:  # Spark starts them in the background
        assert time.monotonic() < deadline, executors(spark)
        time.sleep(0.1)
    data = in_parts(spark, rows, 4)
    model = SparkFRRClassifier(labelCol="text", featuresCols=FEATURES, **QUICK).fit(data)
    killer.join()
    assert killer.killed
    assert killer.killed[0] not in executors(spark)
    assert model.toJson() == local_fit(rows, "text", **QUICK).to_json()
    print("the same model")
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1])
