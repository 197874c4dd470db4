"""The benchmark datasets, if they are available, with default settings and given folds."""

import json
import os
import subprocess
import sys

import interpreter
import pytest
from conftest import BINARY, ROOT

sys.path.insert(0, str(ROOT / "bench"))
import datasets  # noqa: E402

DIRECTORY = datasets.find_directory()


pytestmark = pytest.mark.skipif(
    DIRECTORY is None, reason="no benchmark datasets: set FRR_DATASETS to their directory")


def test_accuracy_and_size_on_the_benchmark_datasets():
    entries = datasets.load_index(DIRECTORY)
    results, failures = datasets.run_all(BINARY, DIRECTORY, entries, [], os.cpu_count() or 1)
    assert failures == []  # a broken limit is a failure too
    assert len(results) == len(entries)
    mean = datasets.summarise(results)
    print({key: round(value, 2) for key, value in mean.items()})
    assert mean["accuracy"] >= 82.5
    assert mean["conditions"] <= 20


@pytest.mark.parametrize("preset", ["default", "paper"])
def test_the_interpreter_agrees_on_every_row_of_every_dataset(tmp_path, preset):
    for entry in datasets.load_index(DIRECTORY):
        data, model = DIRECTORY / f"{entry['name']}.csv", tmp_path / "model.json"
        command = [BINARY, "train", data, "-o", model, "--preset", preset, "--epochs", "5", "--quiet"]
        if entry["categorical"]:
            command += ["--categorical", ",".join(entry["categorical"])]
        subprocess.run(command, check=True)
        predicted = subprocess.run([BINARY, "predict", model, data, "--proba"], check=True,
                                   capture_output=True, text=True).stdout
        answers = interpreter.predict_files(model, data)
        assert predicted == interpreter.csv_text(json.loads(model.read_text()), answers,
                                                 proba=True), entry["name"]
