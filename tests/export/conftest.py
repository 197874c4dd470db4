"""Models that are trained once for all formats."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import cases  # noqa: E402


@pytest.fixture(scope="session")
def built_in(tmp_path_factory) -> list[cases.Case]:
    return cases.built_in(tmp_path_factory.mktemp("built-in"))


@pytest.fixture(scope="session")
def benchmark(tmp_path_factory) -> list[cases.Case]:
    if cases.DATASETS is None:
        pytest.skip("no benchmark datasets: set FRR_DATASETS to their directory")
    return cases.benchmark(tmp_path_factory.mktemp("benchmark"))
