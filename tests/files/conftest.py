"""Tables of several kinds, in memory and in files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'frr[parquet]'")

QUICK: dict[str, Any] = {
    "augment": 0,
    "max_rules": 5,
    "max_conditions": 2,
    "advanced": {"epochs": 3},
}
PROGRAM = Path(sys.executable).parent / "frr"


def mixed(rows: int = 6000, seed: int = 0) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    """Features of all kinds with missing values, classes and weights."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": random.normal(size=rows).round(3),
            "whole": random.integers(0, 50, rows),
            "name": random.choice(["u", "v", "w"], rows),
            "kind": pd.Categorical(random.choice(["p", "q", "r"], rows)),
            "flag": random.random(rows) > 0.5,
            "single": random.normal(size=rows).astype(np.float32),
        }
    )
    y = np.where(((X.a > 0) & (X.name == "u")) ^ (random.random(rows) < 0.1), "yes", "no")
    X.loc[random.random(rows) < 0.1, "a"] = np.nan
    X.loc[random.random(rows) < 0.1, "name"] = None
    weights = pd.Series(random.integers(0, 4, rows).astype(float))
    return X, pd.Series(y, name="y"), weights


def numbers(rows: int = 3000, seed: int = 0) -> pa.Table:
    """Two columns of numbers, a name, and a class y that depends on them, with some noise."""
    random = np.random.default_rng(seed)
    a, b = random.normal(size=rows).round(3), random.normal(size=rows).round(3)
    name = random.choice(["u", "v"], rows)
    y = np.where((a + 0.3 * random.normal(size=rows) > 0) & (name == "u"), "yes", "no")
    return pa.table({"a": a, "b": b, "name": name, "y": y})


def child(*words: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs Python with these arguments."""
    return subprocess.run(
        [sys.executable, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
        env=os.environ | options.pop("env", {}),
        **options,
    )
