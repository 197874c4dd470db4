"""An untrusted model file cannot make frr report open files or run for an unbounded time."""

import json
import os
import random

import pytest

SECRET = "the-secret-of-this-machine"


@pytest.fixture
def table(frr):
    """A table and the model learned from it, as `model.json`."""
    numbers = random.Random(1)
    lines = ["a,b,class"]
    for _ in range(120):
        a, b = numbers.random(), numbers.random()
        lines.append(f"{a:.3f},{b:.3f},{'yes' if a > b else 'no'}")
    frr.write("data.csv", "\n".join(lines) + "\n")
    frr("train", "data.csv", "--augment", "0", "-o", "model.json").ok()
    return frr.directory / "data.csv"


def forge(frr, **settings):
    model = json.loads((frr.directory / "model.json").read_text())
    for name, value in settings.items():
        model["training"]["settings"][name.replace("_", "-")] = value
    frr.write("forged.json", json.dumps(model))


def page_of(frr, *options):
    """The page of the forged model. The time limit is far longer than necessary."""
    result = frr("report", "forged.json", "data.csv", "-o", "page.html", *options, timeout=60).ok()
    page = (frr.directory / "page.html").read_text()
    assert SECRET not in page + result.out + result.err
    return page


@pytest.mark.parametrize("kind", ["text", "json", "fifo", "endless", "absent"])
def test_report_opens_no_file_that_the_model_names(frr, table, kind):
    path = frr.directory / "named"
    if kind == "text":
        path.write_text(SECRET)
    elif kind == "json":
        path.write_text(json.dumps({"features": {SECRET: {SECRET: [1, 2, 3, 4]}}}))
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "endless":
        path = "/dev/zero"
    forge(frr, partition_file=str(path))
    page = page_of(frr)
    assert "Not cross-validated" in page
    assert "--partition-file" in page
    frr("report", "forged.json", "data.csv", "-o", "page.html", "--folds", "3",
        timeout=60).fails(2, "--partition-file")


def test_report_takes_the_partition_file_from_the_user(frr, table):
    labels = {"low": [None, None, 0.4, 0.6], "high": [0.4, 0.6, None, None]}
    frr.write("labels.json", json.dumps({"features": {"a": labels, "b": labels}}))
    options = ("--partition-file", "labels.json", "--augment", "0")
    frr("train", "data.csv", *options, "-o", "model.json").ok()
    frr("report", "model.json", "data.csv", "-o", "page.html", "--partition-file",
        "labels.json").ok()
    page = (frr.directory / "page.html").read_text()
    assert "Not cross-validated" not in page
    frr("report", "model.json", "data.csv", "-o", "labels.json", "--partition-file",
        "labels.json").fails(2, "labels.json", "would be overwritten")


@pytest.mark.parametrize("setting", ["epochs", "trees", "restarts"])
def test_values_out_of_range_are_rejected(frr, table, setting):
    forge(frr, **{setting: "1000000000"})
    assert "Not cross-validated" in page_of(frr)


@pytest.mark.parametrize("settings", [
    {"epochs": "1000000"}, {"restarts": "1000"}, {"trees": "10000", "augment": "4000"},
    {"rules": "1000", "sweeps": "1000", "grid": "200"}, {"augment": "1000000"},
    {"preset": "paper", "epochs": "1000000"},
])
def test_work_above_the_limit_is_rejected(frr, table, settings):
    forge(frr, **settings)
    page = page_of(frr)
    assert "times as long as with the defaults" in page
    assert "frr cv" in page
    frr("report", "forged.json", "data.csv", "-o", "page.html", "--folds", "3",
        timeout=60).fails(1, "times as long as with the defaults", "frr cv")


# Earlier versions had --full-steps.
@pytest.mark.parametrize("steps", ["0", "1000000"])
def test_a_recorded_setting_that_is_not_an_option_changes_nothing(frr, table, steps):
    forge(frr, full_steps=steps)
    for command, *options in (("predict", "--proba"), ("explain", "--row", 1)):
        results = [frr(command, model, "data.csv", *options).ok().out
                   for model in ("model.json", "forged.json")]
        assert results[0] == results[1]
    assert "Not cross-validated" not in page_of(frr)


def test_work_below_the_limit_is_done(frr, table):
    forge(frr, restarts="3")
    assert "Not cross-validated" not in page_of(frr)
