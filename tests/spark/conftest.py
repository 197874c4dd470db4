"""One session of Spark for all tests of this folder: starting one takes seconds."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from spark_settings import SETTINGS

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'frr[spark]'")
pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'frr[spark]'")

os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"


@pytest.fixture(scope="session")
def spark(tmp_path_factory: Any) -> Iterator[Any]:
    import shutil

    from pyspark.sql import SparkSession

    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Java is not installed, which Spark needs: 17 or later")
    warnings.filterwarnings("ignore", category=FutureWarning, module="pyspark")
    builder = SparkSession.builder.master("local[2,3]")  # a task may fail three times
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    builder = builder.config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
    session = builder.getOrCreate()
    yield session
    session.stop()
