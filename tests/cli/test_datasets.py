"""The benchmark datasets, where they are: default settings, given folds."""

import os
import sys

import pytest
from conftest import BINARY, ROOT

sys.path.insert(0, str(ROOT / "bench"))
import datasets  # noqa: E402

DIRECTORY = datasets.find_directory()


@pytest.mark.skipif(DIRECTORY is None,
                    reason="no benchmark datasets: set FRR_DATASETS to their directory")
def test_accuracy_and_size_on_the_benchmark_datasets():
    entries = datasets.load_index(DIRECTORY)
    results, failures = datasets.run_all(BINARY, DIRECTORY, entries, [], os.cpu_count() or 1)
    assert failures == []  # a broken limit is a failure too
    assert len(results) == len(entries)
    mean = datasets.summarise(results)
    print({key: round(value, 2) for key, value in mean.items()})
    assert mean["accuracy"] >= 82.5
    assert mean["conditions"] <= 20
