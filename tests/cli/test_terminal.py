"""Output on a terminal, and the absence of messages in pipes."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import time

from conftest import BREAST_CANCER, BINARY
from tables import two_groups

SLOW = ("--epochs", 1500)  # a second or more on the built-in data


def on_terminal(directory, *arguments, stdout_too=True, stop_after=None, env=None):
    """Runs frr with stderr (and stdout) on a pseudo-terminal; returns the status and the output."""
    master, slave = pty.openpty()
    process = subprocess.Popen([BINARY, *map(str, arguments)], cwd=directory,
                               stdin=subprocess.DEVNULL, stderr=slave,
                               stdout=slave if stdout_too else subprocess.DEVNULL,
                               env={**os.environ, "TERM": "xterm", **(env or {})})
    os.close(slave)
    shown, start, stopped = b"", time.monotonic(), False
    while True:
        if stop_after is not None and not stopped and time.monotonic() - start > stop_after:
            process.send_signal(signal.SIGINT)
            stopped = True
        if select.select([master], [], [], 0.1)[0]:
            try:
                data = os.read(master, 65536)
            except OSError:  # on Linux: the other end is closed
                break
            if not data:
                break
            shown += data
        elif process.poll() is not None:
            break
    os.close(master)
    return process.wait(), shown.decode()


def test_progress_shows_stage_percent_and_time_left(frr):
    status, shown = on_terminal(frr.directory, "train", BREAST_CANCER, "-o", "model.json", *SLOW)
    assert status == 0
    assert re.search(r"learning, epoch \d+ of 1500  \d+ %", shown), shown[:500]
    assert re.search(r"\d+ (s|min) left", shown)
    # The progress line is cleared before the result appears.
    assert shown.index("IF ") > shown.rindex("\r\033[K")


def test_training_on_a_terminal_shows_the_rules_and_the_model_file(frr):
    frr.write("data.csv", two_groups())
    status, shown = on_terminal(frr.directory, "train", "data.csv", "-o", "model.json")
    assert status == 0
    assert "IF x IS" in shown
    assert "saved in model.json" in shown


def test_without_an_output_file_a_terminal_shows_rules_and_a_pipe_gets_the_model(frr):
    frr.write("data.csv", two_groups())
    _, shown = on_terminal(frr.directory, "train", "data.csv")
    assert "IF x IS" in shown and "frr-model" not in shown and "not saved" in shown
    assert json.loads(frr("train", "data.csv").ok().out)["format"] == "frr-model"
    _, shown = on_terminal(frr.directory, "train", "data.csv", "-o", "-")
    assert "frr-model" in shown


def test_quiet_shows_nothing_on_a_terminal(frr):
    status, shown = on_terminal(frr.directory, "train", BREAST_CANCER, "-o", "model.json",
                                "--quiet", *SLOW)
    assert (status, shown) == (0, "")


def test_no_messages_in_a_pipe(frr):
    result = frr("train", BREAST_CANCER, "-o", "model.json").ok()
    assert (result.out, result.err) == ("", "")
    result = frr("predict", "model.json", BREAST_CANCER).ok()
    assert result.err == ""
    result = frr("cv", BREAST_CANCER, "--epochs", 2).ok()
    assert result.err == ""
    assert "\033" not in result.out


def test_colour_only_on_a_terminal_and_without_no_color(frr, cancer_model):
    arguments = ("explain", cancer_model, BREAST_CANCER, "--row", 1)
    assert "\033[1m" in on_terminal(frr.directory, *arguments)[1]
    assert "\033" not in on_terminal(frr.directory, *arguments, env={"NO_COLOR": "1"})[1]
    assert "\033" not in on_terminal(frr.directory, *arguments, env={"TERM": "dumb"})[1]
    assert "\033" not in frr(*arguments).ok().out


def test_an_interrupt_on_a_terminal(frr):
    status, shown = on_terminal(frr.directory, "train", BREAST_CANCER, "-o", "model.json",
                                "--restarts", 1000, "--epochs", 100_000, stop_after=1.0)
    assert status == 130
    assert "interrupted" in shown
    assert frr.files() == set()


def test_warnings_reach_a_pipe_unless_quiet(frr):
    lines = two_groups(80).splitlines()
    text = "\n".join([f"patient,{lines[0]}"] + [f"id-{i},{line}" for i, line in
                                               enumerate(lines[1:])]) + "\n"
    frr.write("data.csv", text)
    result = frr("train", "data.csv", "-o", "model.json").ok()
    assert "frr: warning: " in result.err
    assert len(set(result.err.splitlines())) == len(result.err.splitlines()), "a message is repeated"
    assert frr("train", "data.csv", "-o", "model.json", "--quiet").ok().err == ""
