"""Small tables, and the program installed with the package."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "data"
PROGRAM = Path(sys.executable).parent / "frr"

# Learns something from a small table in a few milliseconds.
QUICK = {"augment": 0, "max_rules": 4, "max_conditions": 2, "advanced": {"epochs": 5}}

# The start of a script that hides the optional packages.
BLOCK = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("pandas", "polars", "matplotlib", "IPython"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Block())
"""


def run(*arguments: object) -> str:
    """The output of the program, which must succeed."""
    finished = subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=600, check=False
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def python(code: str, *arguments: str, **options: object) -> subprocess.CompletedProcess:
    """Runs `code` in a separate interpreter."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        cwd="/",
        env=os.environ | {"MPLBACKEND": "Agg"},
        **options,
    )


def read_csv(path: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Features and target, as the program reads them: the last column is the target."""
    table = pd.read_csv(path, float_precision="round_trip")
    return table.iloc[:, :-1], table.iloc[:, -1]


def mixed_table(rows: int = 120, seed: int = 0) -> tuple[pd.DataFrame, pd.Series]:
    """Numbers, names and missing values. Adults in the north are "yes", all others "no"."""
    random = np.random.default_rng(seed)
    age = random.integers(1, 80, rows).astype(float)
    region = random.choice(["north", "south", "west"], rows)
    weight = random.normal(60, 10, rows).round(1)
    y = np.where((age > 30) & (region == "north"), "yes", "no")
    weight[random.random(rows) < 0.2] = np.nan
    table = pd.DataFrame({"age": age, "region": region, "weight": weight})
    table.loc[random.random(rows) < 0.1, "region"] = None
    return table, pd.Series(y, name="admit")


@pytest.fixture
def mixed() -> tuple[pd.DataFrame, pd.Series]:
    return mixed_table()


@pytest.fixture(scope="session")
def numbers() -> tuple[np.ndarray, np.ndarray]:
    """Three columns, the first of which determines the class, with some noise."""
    random = np.random.default_rng(1)
    X = random.normal(size=(100, 3)).round(3)
    y = (X[:, 0] + 0.2 * random.normal(size=100) > 0).astype(int)
    return X, y
