"""docs/how-to/spark.md, whose examples are run as they stand there, in order.

Run as a program, it rewrites what they print: python tests/spark/test_docs.py
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "how-to" / "spark.md"
BLOCK = re.compile(r"```python\n(.*?)```\n\n```output\n(.*?)```", re.S)


def outputs(spark: Any, folder: Path) -> list[str]:
    shutil.copy(ROOT / "data" / "loans.csv", folder)
    names: dict[str, Any] = {"spark": spark}
    printed = []
    before = Path.cwd()
    os.chdir(folder)
    try:
        # Spark reads relative paths from where it was started.
        def here(code: str) -> str:
            for name in ("loans.csv", "loans.model"):
                code = code.replace(f'"{name}"', repr(str(folder / name)))
            return code

        for code, _ in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(here(code), names)
            printed.append(out.getvalue().replace("\n\n", "\n"))
    finally:
        os.chdir(before)
    return printed


def test_examples_print_what_the_page_says(spark: Any, tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page.count("```python") == len(BLOCK.findall(page))
    assert outputs(spark, tmp_path) == [expected for _, expected in BLOCK.findall(page)]


def renew() -> None:
    import tempfile

    from pyspark.sql import SparkSession
    from spark_settings import SETTINGS

    builder = SparkSession.builder.master("local[2]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    with tempfile.TemporaryDirectory() as folder:
        printed = iter(outputs(spark, Path(folder)))
    spark.stop()
    text = PAGE.read_text(encoding="utf-8")
    text = BLOCK.sub(lambda m: f"```python\n{m[1]}```\n\n```output\n{next(printed)}```", text)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    renew()
