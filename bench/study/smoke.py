"""The quick check compares the accuracy on the built-in datasets with the expected one.

bench/smoke.json contains the expected mean of each dataset, the standard deviation over seeds, and the
tolerance: three standard errors of the difference between the expected mean (over RENEW_SEEDS) and a mean over
SEEDS, but at least the accuracy of two rows.
"""

import json
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

import datasets

DATA = datasets.ROOT / "data"
EXPECTED = datasets.ROOT / "bench" / "smoke.json"
SEEDS = [0, 1, 2]
RENEW_SEEDS = list(range(10))


def expect(accuracy: list[float], rows: int) -> dict[str, float]:
    """The expectation for a dataset, from the accuracies of several seeds."""
    deviation = stdev(accuracy)
    error = deviation * sqrt(1 / len(accuracy) + 1 / len(SEEDS))
    return {"accuracy": round(fmean(accuracy), 2), "deviation": round(deviation, 2),
            "tolerance": round(max(3 * error, 200 / rows), 2)}


def write_expected(path: Path, expected: dict[str, dict[str, float]]) -> None:
    lines = ",\n".join(f' "{name}": {json.dumps(values)}' for name, values in expected.items())
    path.write_text("{\n" + lines + "\n}\n")


def judge(accuracy: dict[str, float], expected: dict[str, dict[str, float]]) -> list[str]:
    """One line for each dataset that is worse than expected by more than the noise, or was not measured."""
    complaints = []
    for name, values in expected.items():
        least = values["accuracy"] - values["tolerance"]
        if name not in accuracy:
            complaints.append(f"{name}: no result")
        elif accuracy[name] < least:
            complaints.append(f"{name}: accuracy {accuracy[name]:.2f} is below {least:.2f}: "
                              f"{values['accuracy']:.2f} was expected, {values['tolerance']:.2f} "
                              "is noise")
    return complaints
