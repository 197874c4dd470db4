"""frr path: the accuracy for growing budgets, the plot, the JSON output and the recommendation."""

import fcntl
import json
import math
import os
import re
import shlex
import signal
import statistics
import struct
import subprocess
import termios
import time

import pytest
from conftest import BINARY, BREAST_CANCER, DEADLINE
from tables import mixed, two_groups
from test_terminal import on_terminal

QUICK = ("--epochs", 5, "--rules", 4)
FIGURES = ("accuracy", "train_accuracy", "rules", "conditions", "unique_conditions", "fit_seconds",
           "balanced_accuracy", "auc", "log_loss")


def noisy(frr, name: str = "data.csv"):
    return frr.write(name, mixed(seed=31, rows=120, noise=0.3))


def two_names(frr):
    """The class depends on one category: one rule and ELSE are always right."""
    return frr.write("data.csv", "c,y\n" + "ja,p\nnein,n\n" * 30)


def without_time(text: str) -> dict:
    result = json.loads(text)
    for point in result["budgets"]:
        for part in (point, *point["folds"]):
            del part["fit_seconds"]
    return result


def test_json_has_the_promised_keys_and_figures(frr):
    result = json.loads(frr("path", noisy(frr, "my data.csv"), "--json", *QUICK).ok().out)
    assert list(result) == ["dataset", "rows", "features", "classes", "budgets", "selected_by", "best",
                            "recommended", "notes"]
    assert result["selected_by"] == "accuracy"
    assert result["dataset"] == "my data"
    assert (result["rows"], result["features"], result["classes"]) == (120, 5, 3)
    assert [point["budget"] for point in result["budgets"]] == [1, 2, 3, 4]
    for point in result["budgets"]:
        assert len(point["folds"]) == 5
        for key in FIGURES:
            mean = statistics.mean(fold[key] for fold in point["folds"])
            assert point[key] == pytest.approx(mean)
        accuracies = [fold["accuracy"] for fold in point["folds"]]
        assert point["accuracy_deviation"] == pytest.approx(statistics.stdev(accuracies))
        assert point["accuracy_error"] == pytest.approx(statistics.stdev(accuracies) / math.sqrt(5))
        assert point["error"] == point["accuracy_error"]
        metrics = point["metrics"]
        assert metrics["rows"] == 120
        recommended = point["budget"] == result["recommended"]
        assert (metrics["intervals"]["auc"] is not None) == recommended
        assert all(fold["rules"] <= point["budget"] for fold in point["folds"])


def test_the_recommendation_follows_from_the_figures(frr):
    for seed in range(4):
        data = frr.write("data.csv", mixed(seed, rows=90, noise=0.4))
        result = json.loads(frr("path", data, "--json", *QUICK).ok().out)
        points = result["budgets"]
        best = max(points, key=lambda point: (round(point["accuracy"], 8), -point["budget"]))
        assert result["best"] == best["budget"]
        enough = best["accuracy"] - best["accuracy_error"] - 1e-9
        assert result["recommended"] == next(
            point["budget"] for point in points if point["accuracy"] >= enough)


@pytest.mark.parametrize(("by", "key", "sign"), [
    ("auc", "auc", 1), ("log-loss", "log_loss", -1), ("balanced", "balanced_accuracy", 1)])
def test_by_selects_by_a_metric(frr, by, key, sign):
    for seed in range(3):
        data = frr.write("data.csv", mixed(seed, rows=90, noise=0.4))
        result = json.loads(frr("path", data, "--by", by, "--json", *QUICK).ok().out)
        assert result["selected_by"] == by
        points = result["budgets"]
        best = max(points, key=lambda point: (round(sign * point[key], 8), -point["budget"]))
        assert result["best"] == best["budget"]
        deviation = statistics.stdev(fold[key] for fold in best["folds"])
        assert best["error"] == pytest.approx(deviation / math.sqrt(5))
        enough = sign * best[key] - best["error"] - 1e-9
        assert result["recommended"] == next(
            point["budget"] for point in points if sign * point[key] >= enough)


def test_by_names_the_metric_in_the_text(frr):
    data = noisy(frr)
    result = json.loads(frr("path", data, "--by", "auc", "--json", *QUICK).ok().out)
    text = frr("path", data, "--by", "auc", *QUICK).ok().out
    assert text.splitlines()[2].split()[:2] == ["budget", "AUC"]
    for point in result["budgets"]:
        assert f"{point['auc']:.3f}" in text
    chosen = result["budgets"][result["recommended"] - 1]
    assert f"AUC {chosen['auc']:.3f}" in text.split("\n\n")[3]


def test_an_unknown_metric_is_refused(frr):
    frr("path", noisy(frr), "--by", "acu").fails(2, "--by", "did you mean 'auc'?")


@pytest.mark.parametrize(("options", "by"), [
    (("--semantics", "additive"), "log-loss"), (("--objective", "risk"), "log-loss"),
    (("--objective", "accuracy"), "accuracy")])
def test_the_default_metric_is_that_of_the_objective(frr, options, by):
    result = json.loads(frr("path", noisy(frr), *options, "--json", *QUICK).ok().out)
    assert result["selected_by"] == by


def test_every_budget_has_the_figures_of_cv(frr):
    data = noisy(frr)
    path = without_time(frr("path", data, "--json", *QUICK).ok().out)
    for budget in (1, 4):
        cv = json.loads(frr("cv", data, "--json", *QUICK[:2], "--rules", budget).ok().out)
        for fold in cv["folds"]:
            del fold["fit_seconds"]
        assert path["budgets"][budget - 1]["folds"] == cv["folds"]
        metrics = path["budgets"][budget - 1]["metrics"]
        for name in ("accuracy", "auc", "log_loss", "confusion"):
            assert metrics[name] == cv["metrics"][name]


def test_any_number_of_threads_gives_the_same_output(frr):
    data = noisy(frr)
    results = [without_time(frr("path", data, "--json", "--threads", n, *QUICK).ok().out)
               for n in (1, 2, 7)]
    assert results[0] == results[1] == results[2]


def lines_of_budgets(text: str) -> dict[int, str]:
    found = re.findall(r"^( *[>*]* +(\d+) +\d+\.\d\d .*)$", text, re.MULTILINE)
    return {int(budget): line for line, budget in found}


def test_the_text_contains_the_figures_marks_and_plot(frr):
    data = noisy(frr)
    result = json.loads(frr("path", data, "--json", *QUICK).ok().out)
    finished = frr("path", data, *QUICK).ok()
    assert finished.err == ""
    assert "\033" not in finished.out
    lines = lines_of_budgets(finished.out)
    assert sorted(lines) == [1, 2, 3, 4]
    for point in result["budgets"]:
        line = lines[point["budget"]]
        marks = line[:3].strip()
        assert (">" in marks) == (point["budget"] == result["recommended"])
        assert ("*" in marks) == (point["budget"] == result["best"])
        figures = [f"{point['accuracy']:.2f}", f"{point['accuracy_error']:.2f}",
                   *(f"{point[key]:.1f}" for key in ("rules", "conditions", "unique_conditions"))]
        assert line[8:].split()[:5] == figures
        assert line[50:].count("o") == 1
    table = finished.out.split("\n\n")[1]
    assert max(map(len, table.splitlines())) <= 80
    # A higher accuracy is further to the right.
    ranked = sorted(result["budgets"], key=lambda point: point["accuracy"])
    columns = [lines[point["budget"]].index("o") for point in ranked]
    assert columns == sorted(columns)


def test_the_recommended_command_repeats_decisions(frr):
    frr.write("data.csv", "x,y\n" + "".join(f"{(i * 37) % 11},{'pn'[(i * 37) % 11 > 5]}\n" for i in range(80)))
    decisions = ("--positive", "p", "--cost", "miss:3", "--refer", "0.6")
    command = frr("path", "data.csv", "--folds", 3, *decisions, *QUICK).ok().out.splitlines()[-1]
    assert " ".join(decisions) in command
    subprocess.run(command, shell=True, cwd=frr.directory, check=True, capture_output=True)
    target = frr("path", "data.csv", "--folds", 3, "--rules", 2, "--epochs", 2, "--sensitivity", 0.9).ok().out
    assert "--sensitivity 0.9 --rules" in target.splitlines()[-1]


def test_the_recommended_command_runs_unchanged(frr):
    name = "it's my data.csv"
    rows = "id;ward;w;x;y;z\n" + "".join(
        f"{i};{i % 3};{1 + i % 2};{(i * 37) % 11};{'pn'[(i * 37) % 11 > 5]};{-9 if i % 5 else i}\n"
        for i in range(80))
    frr.write(name, rows)
    out = frr("path", name, "--target", "y", "--ignore", "id", "--categorical", "ward",
              "--missing=-9", "--missing", "n a", "--weight-column", "w", "--delimiter", ";",
              "--conditions", 2, "--preset", "paper", "--threads", 1, "--folds", 3, *QUICK).ok().out
    budget = next(n for n, line in lines_of_budgets(out).items() if ">" in line[:3])
    command = out.splitlines()[-1]
    assert shlex.split(command) == [
        str(BINARY), "train", name, "--target", "y", "--delimiter", ";", "--missing=-9",
        "--missing", "n a", "--categorical", "ward", "--ignore", "id", "--weight-column", "w",
        "--preset", "paper", "--conditions", "2", "--epochs", "5", "--rules", str(budget), "-o",
        "model.json"]
    subprocess.run(command, shell=True, cwd=frr.directory, check=True, capture_output=True)
    model = json.loads((frr.directory / "model.json").read_text())
    assert model["training"]["settings"]["rules"] == str(budget)
    assert model["missing"] == ["-9", "n a"]


def test_one_rule_is_enough_if_more_do_not_help(frr):
    out = frr("path", two_names(frr), *QUICK).ok().out
    assert lines_of_budgets(out)[1].startswith(" >*")
    assert "1 rule is enough: 100.00 %; more rules are not more accurate." in out


def test_the_advice_if_the_best_budget_is_the_smallest_good_one(frr):
    # With three categories for three classes, two rules and ELSE are always right; one rule and ELSE are not.
    data = frr.write("data.csv", "c,y\n" + "a,p\nb,q\nc,r\n" * 30)
    words = "2 rules are best: 100.00 %; no smaller number is within one standard error (0.00) of that."
    out = frr("path", data, *QUICK).ok().out
    assert f"{words} More rules are not more accurate." in out
    out = frr("path", data, "--rules", 2, "--epochs", 5).ok().out
    assert f"{words} A larger --rules may give a higher accuracy." in out


def test_the_advice_if_no_rule_helps(frr):
    # Three of 200 rows are rare and look like all others: no rule is worth its conditions.
    frr.write("data.csv", "x,y\n" + "".join(f"{(i * 37) % 101},{'rare' if i % 70 == 0 else 'common'}\n"
                                             for i in range(200)))
    finished = frr("path", "data.csv", "--by", "accuracy", "--objective", "accuracy", *QUICK).ok()
    assert ("No rules are needed: always predicting the most frequent class is right in 98.50 % of the "
            "rows.") in finished.out
    assert "in 5 of 5 folds no rule was worth its conditions" in finished.err
    by_loss = frr("path", "data.csv", "--by", "log-loss", "--objective", "accuracy", *QUICK).ok().out
    assert re.search(r"No rules are needed: they do not improve the log-loss, which is 0\.\d+ without them\.",
                     by_loss)
    assert "Try --objective risk, --semantics additive or --price 0 --price-rate 0" in finished.err
    # A class with 1.5 % of the rows: the objective is risk.
    assert "class. Try --semantics additive or --price 0\n" in frr("cv", "data.csv", "--epochs", 5).ok().err


@pytest.mark.parametrize("command", ["cv", "path"])
def test_trainings_stopped_by_the_time_limit_give_a_warning(frr, command):
    arguments = (command, BREAST_CANCER, "--rules", 2, "--folds", 2, "--json")
    finished = frr(*arguments, "--time-limit", 0.001).ok()
    trainings = 2 if command == "cv" else 4
    words = f"{trainings} of {trainings} trainings were stopped by --time-limit"
    assert words in finished.err
    assert any(words in note for note in json.loads(finished.out)["notes"])
    assert "--time-limit" not in frr(*arguments, "--epochs", 1, "--sweeps", 1).ok().err


def test_a_single_budget(frr):
    data = two_names(frr)
    out = frr("path", data, "--rules", 1, "--epochs", 5).ok().out
    assert list(lines_of_budgets(out)) == [1]
    assert "1 rule gives 100.00 %. To try more, increase --rules." in out
    result = json.loads(frr("path", data, "--rules", 1, "--epochs", 5, "--json").ok().out)
    assert (len(result["budgets"]), result["best"], result["recommended"]) == (1, 1, 1)


def test_without_rules_the_default_is_fifteen(frr):
    result = json.loads(frr("path", noisy(frr), "--epochs", 1, "--json").ok().out)
    assert [point["budget"] for point in result["budgets"]] == list(range(1, 16))


def test_given_folds(frr):
    data = two_names(frr)
    frr.write("folds.txt", "\n".join(str(i // 20) for i in range(60)) + "\n")
    result = json.loads(frr("path", data, "--folds", "folds.txt", "--json", *QUICK).ok().out)
    for point in result["budgets"]:
        assert [fold["accuracy"] for fold in point["folds"]] == [100, 100, 100]
    assert ", 3 folds\n" in frr("path", data, "--folds", "folds.txt", *QUICK).ok().out


def test_more_classes_than_rules(frr):
    data = frr.write("data.csv", mixed(seed=3, rows=100, classes=5))
    result = json.loads(frr("path", data, "--rules", 2, "--epochs", 5, "--json").ok().out)
    assert [point["budget"] for point in result["budgets"]] == [1, 2]


def test_data_from_standard_input_and_output_to_a_file(frr):
    finished = frr("path", "-", "-o", "out.txt", *QUICK, stdin=two_groups()).ok()
    assert finished.out == ""
    text = (frr.directory / "out.txt").read_text()
    assert text.startswith("stdin: 60 rows, 2 features, 2 classes, 5 folds\n")
    assert " train - --epochs 5 --rules 2 -o model.json\n" in text


def test_warnings_about_the_data_are_shown(frr):
    frr.write("data.csv", "id,x,y\n" + "".join(f"{i},{(i * 7) % 11},{'pn'[i % 2]}\n"
                                               for i in range(40)))
    finished = frr("path", "data.csv", "--json", *QUICK).ok()
    assert "counts the rows" in finished.err
    assert any("counts the rows" in note for note in json.loads(finished.out)["notes"])
    assert frr("path", "data.csv", "--quiet", *QUICK).ok().err == ""


@pytest.mark.parametrize("arguments,words", [
    ((), ("DATA",)),
    (("x.csv", "--rulse", "3"), ("--rulse", "--rules")),
    (("x.csv", "--rules", "0"), ("--rules 0",)),
    (("x.csv", "--folds", "1"), ("--folds 1",)),
    (("x.csv", "y.csv"), ("y.csv",)),
    (("x.csv", "-o", "x.csv"), ("would be overwritten",)),
])
def test_wrong_usage(frr, arguments, words):
    frr.write("x.csv", two_groups())
    assert "frr path --help" in frr("path", *arguments).fails(2, *words).err


def test_bad_input(frr):
    frr("path", "none.csv").fails(1, "none.csv")
    frr.write("data.csv", "a,b\n1,x\n2\n")
    frr("path", "data.csv").fails(1, "data.csv")
    data = frr.write("data.csv", two_groups(60))
    frr.write("folds.txt", "\n".join(str(i % 5) for i in range(59)) + "\n")
    frr("path", data, "--folds", "folds.txt").fails(1, "folds.txt", "59", "60")
    frr("path", data, "--target", "wrong").fails(2, "wrong")


@pytest.mark.parametrize("number,status", ((signal.SIGINT, 130), (signal.SIGTERM, 143)))
def test_an_interrupt_stops_the_program_soon(frr, number, status):
    frr.write("out", "the old one")
    process = frr.start("path", BREAST_CANCER, "-o", "out", "--epochs", 100_000,
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1.0)
    assert process.poll() is None, process.stderr.read()
    process.send_signal(number)
    start = time.monotonic()
    assert process.wait(timeout=DEADLINE) == status
    assert time.monotonic() - start < 10  # usually a tenth of a second
    assert b"interrupted" in process.stderr.read()
    assert (frr.directory / "out").read_text() == "the old one"
    assert frr.files() == {"out"}


def test_a_terminal_shows_progress_and_bold_lines(frr):
    status, shown = on_terminal(frr.directory, "path", BREAST_CANCER, "--rules", 3,
                                "--epochs", 400)
    assert status == 0
    assert re.search(r"trying 1 to 3 rules  \d+ %", shown)
    assert "\033[1m" in shown
    assert shown.index("breast_cancer: ") > shown.rindex("\r\033[K")
    frr.write("data.csv", two_groups())
    shown = on_terminal(frr.directory, "path", "data.csv", *QUICK, env={"NO_COLOR": "1"})[1]
    assert "\033[1m" not in shown
    # A file contains no colours, whatever the terminal.
    on_terminal(frr.directory, "path", "data.csv", "-o", "out.txt", *QUICK)
    assert "\033" not in (frr.directory / "out.txt").read_text()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_standard_output_is_an_error(frr):
    frr.write("data.csv", two_groups())
    with open("/dev/full", "wb") as full:
        frr("path", "data.csv", *QUICK, stdout=full).fails(1, "standard output", "No space left")


@pytest.mark.parametrize("columns", (30, 60, 100, 300))
def test_the_plot_fits_the_terminal(frr, columns):
    frr.write("data.csv", mixed(seed=31, rows=120, noise=0.3))
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    finished = frr("path", "data.csv", *QUICK, stdout=slave, env={**os.environ, "NO_COLOR": "1"})
    os.close(slave)
    shown = os.read(master, 65536).decode()
    os.close(master)
    finished.ok()
    plot = [line for line in shown.splitlines() if re.search(r"\d {3}[-: ]*o[-: ]*$", line)]
    assert len(plot) == 4
    assert max(map(len, plot)) <= columns
    assert max(map(len, plot)) >= min(columns, 100) / 3
