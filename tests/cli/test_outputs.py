"""Interrupted or failing commands leave no temporary files, and write all of their outputs or none."""

import os
import resource
import signal
import subprocess
import time

import pytest
from conftest import BREAST_CANCER, DEADLINE


def blocked_predict(frr, model):
    """A predict process that waits for more data from a pipe, and the other end of the pipe."""
    os.mkfifo(frr.directory / "pipe")
    process = frr.start("predict", model, "pipe", "-o", "out.csv", stderr=subprocess.DEVNULL)
    pipe = open(frr.directory / "pipe", "wb", buffering=0)
    pipe.write(BREAST_CANCER.read_bytes()[:30_000])
    wait_until_blocked(process)
    return process, pipe


def wait_until_blocked(process):
    """Waits until the process has emptied the pipe and sleeps in a read."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        with open(f"/proc/{process.pid}/wchan") as file:
            if "pipe" in file.read():
                return
        time.sleep(0.02)
    raise AssertionError("it never waits for the pipe")


@pytest.mark.skipif(not os.path.exists("/proc/self/wchan"), reason="needs /proc")
@pytest.mark.parametrize("signals,status", (
    ((signal.SIGINT,), (130,)), ((signal.SIGTERM,), (143,)),
    ((signal.SIGINT, signal.SIGINT), (130, -signal.SIGINT)), ((signal.SIGKILL,), (-signal.SIGKILL,))))
def test_ending_while_waiting_for_input_leaves_no_temporary_file(frr, cancer_model, signals, status):
    frr.write("out.csv", "the old one")
    process, pipe = blocked_predict(frr, cancer_model)
    for number in signals:
        process.send_signal(number)
        time.sleep(0.05)
    assert process.wait(timeout=DEADLINE) in status
    pipe.close()
    assert frr.files() == {"out.csv", "pipe"}
    assert (frr.directory / "out.csv").read_text() == "the old one"


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


QUICK = ("--epochs", 1, "--trees", 10)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_train_with_a_log_on_a_full_disk_keeps_the_old_model(frr):
    frr.write("model.json", "the old one")
    frr("train", BREAST_CANCER, "-o", "model.json", "--log", "/dev/full", *QUICK) \
        .fails(1, "/dev/full", "No space left")
    assert (frr.directory / "model.json").read_text() == "the old one"
    assert frr.files() == {"model.json"}


def test_train_with_too_large_a_log_keeps_the_old_model(frr):
    """Only the log exceeds the limit."""
    frr.write("model.json", "the old one")
    frr.write("log.csv", "the old log")
    frr("train", BREAST_CANCER, "-o", "model.json", "--log", "log.csv", "--epochs", 3000,
        "--augment", 0, preexec_fn=limit_file_size).fails(1, "log.csv", "too large")
    assert (frr.directory / "model.json").read_text() == "the old one"
    assert (frr.directory / "log.csv").read_text() == "the old log"
    assert frr.files() == {"model.json", "log.csv"}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_standard_output_keeps_the_old_files(frr):
    frr.write("model.json", "the old one")
    frr.write("page.html", "the old page")
    with open("/dev/full", "wb") as full:
        frr("train", BREAST_CANCER, "-o", "model.json", "--json", "--log", "log.csv", *QUICK,
            stdout=full).fails(1, "standard output", "No space left")
        frr("demo", "--report", "page.html", *QUICK, stdout=full).fails(1, "standard output")
    assert (frr.directory / "model.json").read_text() == "the old one"
    assert (frr.directory / "page.html").read_text() == "the old page"
    assert frr.files() == {"model.json", "page.html"}


def test_all_outputs_appear_together(frr):
    out = frr("train", BREAST_CANCER, "-o", "model.json", "--log", "log.csv", "--json", *QUICK).ok().out
    assert out.startswith("{")
    assert frr.files() == {"model.json", "log.csv"}
    assert (frr.directory / "log.csv").read_text().startswith("epoch,loss\n1,")
    frr("rules", "model.json").ok()


def run_closed(frr, stream: int, *arguments):
    """Runs frr with one of its standard streams closed."""
    return frr(*arguments, preexec_fn=lambda: os.close(stream))


def test_a_closed_standard_error_does_not_change_the_result(frr):
    frr.write("train.csv", "name,class\n" + "a,yes\nb,no\n" * 20)
    frr("train", "train.csv", "--augment", 0, "-o", "model.json").ok()
    # Text that is not UTF-8 and a category that the model does not know cause warnings.
    frr.write("data.csv", b"name\na\nRen\xe9\n")
    expected = frr("predict", "model.json", "data.csv", "-o", "plain.csv").ok()
    assert "warning" in expected.err
    plain = (frr.directory / "plain.csv").read_bytes()
    for closed in ((2,), (0, 2), (1, 2), (0, 1, 2)):
        result = frr("predict", "model.json", "data.csv", "-o", "out.csv",
                     preexec_fn=lambda closed=closed: [os.close(stream) for stream in closed])
        assert result.status == 0
        assert (frr.directory / "out.csv").read_bytes() == plain
    assert run_closed(frr, 2, "predict", "model.json", "none.csv", "-o", "out.csv").status == 1
    assert (frr.directory / "out.csv").read_bytes() == plain


def test_a_closed_standard_output_is_an_error(frr, cancer_model):
    for arguments in (("predict", cancer_model, BREAST_CANCER), ("rules", cancer_model),
                      ("rules", cancer_model, "-o", "-"), ("--help",), ("--version",),
                      ("demo", "--data")):
        run_closed(frr, 1, *arguments).fails(1, "standard output is closed")
    run_closed(frr, 1, "rules", cancer_model, "-o", "/dev/stdout").fails(1, "/dev/stdout")
    run_closed(frr, 1, "train", BREAST_CANCER, "-o", "model.json", "--json", *QUICK) \
        .fails(1, "standard output is closed")
    assert frr.files() == set()
    run_closed(frr, 1, "rules", cancer_model, "-o", "rules.txt").ok()


def test_a_closed_standard_input_is_an_error(frr, cancer_model):
    run_closed(frr, 0, "predict", cancer_model, "-", "-o", "out.csv") \
        .fails(1, "standard input is closed")
    run_closed(frr, 0, "rules", "-").fails(1, "standard input is closed")
    run_closed(frr, 0, "predict", cancer_model, "/dev/stdin").fails(1, "/dev/stdin")
    assert frr.files() == set()
