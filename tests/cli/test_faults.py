"""Interrupts, kills, full disks, unwritable paths and closed pipes lose no files and leave no partial ones."""

import os
import re
import resource
import signal
import subprocess
import time

import pytest
from conftest import BREAST_CANCER, DEADLINE, ROOT
from tables import two_groups

# Takes long enough to be interrupted.
ENDLESS = ("--restarts", 1000, "--epochs", 100_000)
# In seconds. On an idle machine, the program ends at most 0.6 seconds after the signal.
SOON = 10


def interrupt(process: subprocess.Popen, number: int) -> tuple[int, float]:
    process.send_signal(number)
    start = time.monotonic()
    status = process.wait(timeout=DEADLINE)
    return status, time.monotonic() - start


@pytest.mark.parametrize("number,status", ((signal.SIGINT, 130), (signal.SIGTERM, 143)))
@pytest.mark.parametrize("command", ("train", "cv"))
def test_an_interrupt_stops_the_program_soon(frr, number, status, command):
    frr.write("model.json", "the old one")
    process = frr.start(command, BREAST_CANCER, "-o", "model.json", *ENDLESS,
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1.0)
    assert process.poll() is None, process.stderr.read()
    ended, seconds = interrupt(process, number)
    assert (ended, seconds < SOON) == (status, True), (ended, seconds)
    assert process.stdout.read() == b""
    assert b"interrupted" in process.stderr.read()
    assert frr.files() == {"model.json"}
    assert (frr.directory / "model.json").read_text() == "the old one"


def test_an_interrupt_while_waiting_for_input(frr):
    process = frr.start("train", "-", "-o", "model.json", stdin=subprocess.PIPE,
                        stderr=subprocess.PIPE)
    process.stdin.write(b"a,b,class\n1,2,x\n")
    process.stdin.flush()
    time.sleep(0.5)
    ended, seconds = interrupt(process, signal.SIGINT)
    assert (ended, seconds < SOON) == (130, True)
    assert frr.files() == set()


@pytest.mark.parametrize("number,status", ((signal.SIGINT, 130), (signal.SIGTERM, 143)))
@pytest.mark.parametrize("arguments", (
    ("rules", "pipe"), ("train", "pipe", "-o", "model.json"), ("rules", "old.json", "-o", "pipe"),
    ("cv", BREAST_CANCER, "--folds", "pipe"), ("train", BREAST_CANCER, "--partition-file", "pipe")),
    ids=lambda arguments: " ".join(str(argument).split("/")[-1] for argument in arguments))
def test_an_interrupt_while_a_pipe_is_opened(frr, cancer_model, arguments, number, status):
    frr.write("old.json", cancer_model.read_bytes())
    os.mkfifo(frr.directory / "pipe")
    process = frr.start(*map(str, arguments), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(0.5)
    assert process.poll() is None, process.stderr.read()
    ended, seconds = interrupt(process, number)
    assert (ended, seconds < SOON) == (status, True)
    assert process.stderr.read() == b"frr: interrupted\n"
    assert frr.files() == {"old.json", "pipe"}


def test_an_interrupt_while_reading_a_large_file(frr):
    line = ",".join(["1.25"] * 50) + ",x\n"
    header = ",".join(f"c{j}" for j in range(50)) + ",class\n"
    frr.write("big.csv", header + line * 300_000)
    process = frr.start("train", "big.csv", "-o", "model.json", stderr=subprocess.PIPE)
    time.sleep(0.2)
    assert process.poll() is None
    ended, seconds = interrupt(process, signal.SIGINT)
    assert (ended, seconds < SOON) == (130, True)
    assert frr.files() == {"big.csv"}


def test_a_second_interrupt_kills_at_once(frr):
    process = frr.start("train", BREAST_CANCER, *ENDLESS, stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL)
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=DEADLINE) in (-signal.SIGINT, 130)


def test_kill_9_at_any_moment_leaves_the_old_file_or_the_new_one(frr):
    data = frr.write("data.csv", two_groups())
    frr("train", data, "-o", "new.json", "--seed", 1).ok()
    new = (frr.directory / "new.json").read_bytes()
    old = b'{"the": "old one"}'
    start = time.monotonic()
    frr("train", data, "-o", "new.json", "--seed", 1).ok()
    whole = time.monotonic() - start
    seen = set()
    rounds = 60
    for i in range(rounds):
        (frr.directory / "model.json").write_bytes(old)
        process = frr.start("train", data, "-o", "model.json", "--seed", 1)
        time.sleep(whole * 1.2 * i / rounds)
        process.kill()
        process.wait()
        content = (frr.directory / "model.json").read_bytes()
        assert content in (old, new)
        seen.add(content == new)
    assert seen == {False, True}, "all kills occurred before, or all after, the file was written"


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


@pytest.mark.parametrize("command", ("train", "predict"))
def test_a_full_disk_keeps_the_old_file(frr, cancer_model, command):
    frr.write("out", "the old one")
    arguments = ("train", BREAST_CANCER) if command == "train" else \
        ("predict", cancer_model, BREAST_CANCER)
    frr(*arguments, "-o", "out", preexec_fn=limit_file_size).fails(1, "out")
    assert frr.files() == {"out"}
    assert (frr.directory / "out").read_text() == "the old one"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_standard_output_is_an_error(frr, cancer_model):
    with open("/dev/full", "wb") as full:
        for arguments in (("predict", cancer_model, BREAST_CANCER), ("rules", cancer_model),
                          ("demo", "--data"), ("--help",), ("cv", BREAST_CANCER, "--epochs", 1)):
            frr(*arguments, stdout=full).fails(1, "standard output", "No space left")
    frr("predict", cancer_model, BREAST_CANCER, "-o", "/dev/full").fails(1, "/dev/full")


def test_paths_that_cannot_be_written(frr, cancer_model):
    frr.write("file", "x")
    (frr.directory / "folder").mkdir()
    for path in ("none/model.json", "file/model.json", "folder", "folder/"):
        start = time.monotonic()
        frr("train", BREAST_CANCER, "-o", path, *ENDLESS).fails(1, path.rstrip("/"))
        assert time.monotonic() - start < 5, "reported only after the training"
        frr("predict", cancer_model, BREAST_CANCER, "-o", path).fails(1, path.rstrip("/"))
    assert frr.files() == {"file", "folder"}


def test_a_closed_pipe_ends_quietly(frr, cancer_model):
    for arguments in (("predict", cancer_model, BREAST_CANCER), ("demo", "--data")):
        reading, writing = os.pipe()
        os.close(reading)
        result = frr(*arguments, stdout=writing)
        os.close(writing)
        assert (result.status, result.err) == (141, "")


def test_a_link_stays_a_link(frr):
    frr.write("real.json", "old")
    (frr.directory / "model.json").symlink_to("real.json")
    frr.write("data.csv", two_groups())
    frr("train", "data.csv", "-o", "model.json").ok()
    assert (frr.directory / "model.json").is_symlink()
    assert (frr.directory / "real.json").read_text().startswith("{")


def test_the_time_limit_gives_the_best_rules_so_far(frr):
    start = time.monotonic()
    result = frr("train", BREAST_CANCER, "-o", "model.json", "--time-limit", 1, *ENDLESS).ok()
    assert time.monotonic() - start < 15, "the time limit has no effect"
    assert "time limit" in result.err
    assert frr("rules", "model.json").ok().out


def peak_memory(process: subprocess.Popen) -> int:
    """Largest resident size in bytes, sampled until the process ends."""
    peak = 0
    while process.poll() is None:
        with open(f"/proc/{process.pid}/status") as file:
            found = [int(line.split()[1]) for line in file if line.startswith("VmHWM:")]
        peak = max([peak, *found])
        time.sleep(0.002)
    return peak * 1024


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs /proc")
def test_predict_keeps_only_the_columns_of_its_rules_in_memory(frr):
    frr.write("small.csv", two_groups())
    frr("train", "small.csv", "-o", "model.json").ok()
    header = "x,z," + ",".join(f"c{j}" for j in range(40)) + "\n"
    line = "-1.5,0.25," + ",".join(["123.456"] * 40) + "\n"
    path = frr.write("big.csv", header + line * 200_000)
    process = frr.start("predict", "model.json", path, "-o", "out.csv", "--threads", 1)
    peak = peak_memory(process)
    assert process.returncode == 0
    assert 0 < peak < path.stat().st_size / 2, "predict keeps more than the required columns in memory"


def test_the_help_and_the_readme_list_every_exit_status(frr):
    listed = frr("--help").ok().out.split("Exit status:")[1]
    assert [int(line.split()[0]) for line in listed.strip().splitlines()] == \
        [0, 1, 2, 3, 4, 130, 141, 143]
    promised = (ROOT / "README.md").read_text().split("- Exit status of the program: ")[1].split("\n\n")[0]
    assert [int(number) for number in re.findall(r"\b\d+\b", promised)] == \
        [0, 1, 2, 3, 4, 130, 141, 143]
