"""frr train --memory and frr predict: files larger than memory, read in pieces."""

import json
import signal
import subprocess
import sys
import time

import pytest
from conftest import BINARY, BREAST_CANCER, DEADLINE
from tables import mixed, to_csv

# With these options, a small table counts as a large one.
SAMPLED = ("--search-rows", 1000, "--gradient-rows", 1000, "--augment", 0)


def large(rows: int, columns: int = 8) -> str:
    """x0 and x1 determine the class; the other columns are noise. Uses no random generator, for speed."""
    table = []
    state = 1
    for _ in range(rows):
        values = []
        for _ in range(columns):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            values.append((state >> 40) / 2**24)
        label = "yes" if (values[0] > 0.6 and values[1] < 0.5) != (values[2] > 0.97) else "no"
        table.append([f"{value:.5f}" for value in values] + [label])
    return to_csv([f"x{j}" for j in range(columns)] + ["class"], table)


@pytest.mark.parametrize("options,memory", (((), "200MB"), (SAMPLED, "30MB"), (SAMPLED, "1GB")))
def test_the_model_is_the_same_as_from_memory(frr, options, memory):
    frr.write("data.csv", mixed(3, rows=3000))
    frr("train", "data.csv", "-o", "whole.json", *options).ok()
    frr("train", "data.csv", "-o", "pieces.json", "--memory", memory, *options).ok()
    whole = (frr.directory / "whole.json").read_bytes()
    assert (frr.directory / "pieces.json").read_bytes() == whole


@pytest.mark.parametrize("options", (
    (), ("--semantics", "additive"), ("--semantics", "additive", "--points", 10)))
def test_any_number_of_threads_gives_the_same_model(frr, options):
    frr.write("data.csv", large(20_000))
    models = []
    for threads in (1, 2, 7):
        frr("train", "data.csv", "-o", "model.json", "--memory", "50MB", "--threads", threads,
            *SAMPLED, *options).ok()
        models.append((frr.directory / "model.json").read_bytes())
    assert models[0] == models[1] == models[2]
    frr("train", "data.csv", "-o", "whole.json", *SAMPLED, *options).ok()
    assert (frr.directory / "whole.json").read_bytes() == models[0]


def test_weights_targets_and_ignored_columns_as_from_memory(frr):
    rows = [line.split(",") for line in large(4000).splitlines()]
    header, body = rows[0], rows[1:]
    weighted = [[*row, str(i % 4)] for i, row in enumerate(body)]
    frr.write("data.csv", to_csv([*header, "weight"], weighted))
    options = ("--target", "class", "--weight-column", "weight", "--ignore", "x7,x6",
               "--categorical", "x5", *SAMPLED)
    frr("train", "data.csv", "-o", "whole.json", *options).ok()
    frr("train", "data.csv", "-o", "pieces.json", "--memory", "60MB", *options).ok()
    whole = (frr.directory / "whole.json").read_bytes()
    assert (frr.directory / "pieces.json").read_bytes() == whole


def test_a_column_with_text_only_in_late_rows_is_categorical(frr):
    body = [[str(i % 9), str(i % 7), "ab"[i % 9 > 4]] for i in range(70_000)]
    body[-1][1] = "unknown"
    frr.write("data.csv", to_csv(["n", "m", "class"], body))
    frr("train", "data.csv", "-o", "whole.json", *SAMPLED).ok()
    frr("train", "data.csv", "-o", "pieces.json", "--memory", "40MB", *SAMPLED).ok()
    whole = (frr.directory / "whole.json").read_bytes()
    assert (frr.directory / "pieces.json").read_bytes() == whole
    features = json.loads(whole)["features"]
    assert (features["n"]["type"], features["m"]["type"]) == ("numeric", "categorical")


def peak_of(*arguments) -> int:
    """The peak memory of the program in bytes."""
    code = ("import resource, subprocess, sys; "
            "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, "
            "stderr=subprocess.DEVNULL); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)")
    finished = subprocess.run([sys.executable, "-c", code, str(BINARY), *map(str, arguments)],
                          capture_output=True, text=True, check=True)
    return int(finished.stdout)


def test_memory_stays_within_the_limit(frr):
    text = large(60_000)
    header, body = text.split("\n", 1)
    path = frr.write("data.csv", header + "\n" + body * 15)  # 900,000 rows, 61 MB of text
    model = frr.directory / "model.json"
    limit = 40_000_000
    assert path.stat().st_size > limit
    assert peak_of("train", path, "-o", model, "--memory", "40MB", "--threads", 2) < limit
    # In memory, it takes more than the numbers of the table.
    assert peak_of("train", path, "-o", model, "--threads", 2) > 900_000 * 8 * 8
    assert peak_of("predict", model, path, "-o", frr.directory / "out.csv") < 60_000_000
    assert peak_of("predict", model, path) < 60_000_000


def test_a_wide_table_needs_little_more_memory_than_its_size(frr):
    columns = 20_000
    rows = [[(7 * row + 31 * column + row * column) % 97 for column in range(columns)]
            for row in range(4)]
    lines = [",".join(f"c{column}" for column in range(columns)) + ",y"]
    lines += [",".join(map(str, row)) + ("," + "ab"[i % 2]) for i, row in enumerate(rows)]
    path = frr.write("wide.csv", "\n".join(lines) + "\n")
    # Four doubles per column. 4000 synthetic rows of 20,000 columns would take 640 MB.
    assert peak_of("train", path, "-o", frr.directory / "model.json") < 2 * 32 * columns + 200e6
    model = json.loads((frr.directory / "model.json").read_text())
    assert any("columns the 256 that" in note for note in model["training"]["notes"])


def test_predict_writes_the_same_to_a_file_and_to_standard_output(frr, cancer_model):
    out = frr("predict", cancer_model, BREAST_CANCER, "--proba").ok().out
    frr("predict", cancer_model, BREAST_CANCER, "--proba", "-o", "out.csv").ok()
    assert (frr.directory / "out.csv").read_text() == out
    assert frr.files() == {"out.csv"}


def test_output_larger_than_its_buffer_reaches_a_pipe(frr, cancer_model):
    header, body = BREAST_CANCER.read_text().split("\n", 1)
    frr.write("many.csv", header + "\n" + body * 2000)  # 1.1 million rows, 18 MB of output
    once = frr("predict", cancer_model, BREAST_CANCER).ok().out.split("\n", 1)
    many = frr("predict", cancer_model, "many.csv").ok().out
    assert many == once[0] + "\n" + once[1] * 2000
    assert len(many) > 16 << 20


def test_a_fault_in_the_last_line_leaves_no_output(frr, cancer_model):
    header, body = BREAST_CANCER.read_text().split("\n", 1)
    frr.write("bad.csv", header + "\n" + body * 30 + "1,2\n")
    frr.write("out.csv", "the old one")
    assert frr("predict", cancer_model, "bad.csv").fails(1, "line 17072").out == ""
    frr("predict", cancer_model, "bad.csv", "-o", "out.csv").fails(1, "line 17072")
    assert (frr.directory / "out.csv").read_text() == "the old one"
    assert frr.files() == {"bad.csv", "out.csv"}


def test_an_interrupt_leaves_nothing(frr, cancer_model):
    frr.write("data.csv", large(30_000))
    endless = ("--epochs", 100_000, "--restarts", 100)
    for command in (("train", "data.csv", "--memory", "100MB", *endless, "-o", "out"),):
        process = frr.start(*command, stderr=subprocess.PIPE)
        time.sleep(1.5)
        assert process.poll() is None, process.stderr.read()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=DEADLINE) == 130
        assert frr.files() == {"data.csv"}


@pytest.mark.parametrize("text,words", (
    ("much", ("--memory much", "500MB")),
    ("-1GB", ("--memory -1GB",)),
    ("1XB", ("--memory 1XB",)),
    ("0", ("--memory 0",)),
    ("1MB", ("too little", "MB or more")),
    ("1e999GB", ("--memory",)),
))
def test_bad_amounts_are_named(frr, text, words):
    frr("train", BREAST_CANCER, f"--memory={text}", "-o", "m.json").fails(2, *words)
    assert frr.files() == set()


def test_standard_input_cannot_be_read_twice(frr):
    frr("train", "-", "--memory", "1GB", "-o", "m.json", stdin="a,b\n1,2\n").fails(
        2, "standard input", "file")


def test_a_bad_weight_is_named_with_its_line(frr):
    rows = [[i % 5, 1, "ab"[i % 2]] for i in range(500)]
    rows[333][1] = "heavy"
    frr.write("data.csv", to_csv(["x", "w", "class"], rows))
    frr("train", "data.csv", "--weight-column", "w", "--memory", "1GB", "-o", "m.json").fails(
        1, "line 335", "'w'", "heavy")


def test_bad_data_is_the_same_error_as_from_memory(frr):
    for text, words in (("a,class\n", ("no rows",)), ("", ("empty",)),
                        ("a,class\n1,x\n2,x\n", ("class",)), ("a,class\n1,\n2,\n", ("class",))):
        frr.write("data.csv", text)
        frr("train", "data.csv", "--memory", "1GB", "-o", "m.json").fails(1, *words)
    frr("train", "none.csv", "--memory", "1GB", "-o", "m.json").fails(1, "none.csv")


def test_a_file_that_changes_during_training_is_rejected(frr):
    """One digit is overwritten again and again, without changing the number of rows or bytes."""
    path = frr.write("data.csv", large(20_000))
    frr.write("model.json", "the old one")
    process = frr.start("train", "data.csv", "-o", "model.json", "--memory", "50MB", *SAMPLED,
                        stderr=subprocess.PIPE)
    place = path.read_bytes().index(b"\n") + 3  # the first digit after the point
    with open(path, "r+b", buffering=0) as file:
        digit = 0
        while process.poll() is None:
            file.seek(place)
            file.write(b"%d" % (digit % 10))
            digit += 1
            time.sleep(0.001)
    message = process.stderr.read()
    assert process.returncode == 1, message
    assert b"data.csv changed" in message and b"train again" in message
    assert (frr.directory / "model.json").read_text() == "the old one"


def processor_seconds(command: str) -> float:
    """The processor time of a shell command and its child processes."""
    code = ("import resource, subprocess, sys; "
            "subprocess.run(sys.argv[1], shell=True, check=True, stdout=subprocess.DEVNULL); "
            "used = resource.getrusage(resource.RUSAGE_CHILDREN); "
            "print(used.ru_utime + used.ru_stime)")
    finished = subprocess.run([sys.executable, "-c", code, command], capture_output=True, text=True,
                          check=True)
    return float(finished.stdout)


def test_reading_a_model_from_a_pipe_takes_linear_time(frr, cancer_model):
    # A reader that clears half of its buffer at every read takes 7 times as long as from a file.
    path = frr.write("long.json", cancer_model.read_text() + 200_000_000 * " ")
    from_file = processor_seconds(f"'{BINARY}' rules '{path}'")
    from_pipe = processor_seconds(f"cat '{path}' | '{BINARY}' rules -")
    assert from_pipe < 5 * from_file + 1, (from_pipe, from_file)
