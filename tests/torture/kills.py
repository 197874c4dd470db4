"""After a signal at any moment, each output is either the old or the complete new one, and no temporary file
remains."""

import os
import random
import signal
import subprocess
import time

from program import DEADLINE, OK, Fault, Program, require
from tables import ordinary

STATUS = {
    signal.SIGINT: {130, -signal.SIGINT},
    signal.SIGTERM: {143, -signal.SIGTERM},
    signal.SIGKILL: {-signal.SIGKILL},
}


def check(frr: Program, rng: random.Random) -> None:
    frr.write("data.csv", ordinary(rng, 3000))
    frr("train", "data.csv", "-o", "model.json", "--epochs", 1).ends_with(OK)
    frr.write("out", "before")
    command = rng.choice((["train", "data.csv", "--restarts", 3], ["predict", "model.json", "data.csv"],
                          ["report", "model.json", "data.csv"]))
    blocked = rng.random() < 0.3
    if blocked:  # reading from a pipe that nobody writes to
        os.mkfifo(frr.directory / "never.fifo")
        command = ["never.fifo" if part == "data.csv" else part for part in command]
    before = frr.names()
    process = subprocess.Popen(frr.command(*command, "-o", "out"), cwd=frr.directory,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    writer = os.open(frr.directory / "never.fifo", os.O_RDWR) if blocked else None
    what = rng.choice(list(STATUS))
    time.sleep(rng.uniform(0.02, 0.3))
    process.send_signal(what)
    if rng.random() < 0.3 and what == signal.SIGINT:
        process.send_signal(what)
    try:
        process.communicate(timeout=DEADLINE)
    except subprocess.TimeoutExpired as error:
        process.kill()
        process.communicate()
        raise Fault(f"{command}: {what.name} did not end it") from error
    finally:
        if writer is not None:
            os.close(writer)
    status = process.returncode
    require(status in {OK, *STATUS[what]}, f"{command}: status {status} after {what.name}")
    require(frr.names() == before, f"{command}: {what.name} left {frr.names() - before} behind")
    after = frr.read("out")
    require(after != b"before" or status != OK, "success without a result")
    if after == b"before":
        return
    # An existing result is complete.
    if command[0] == "train":
        frr("rules", "out").ends_with(OK)
    elif command[0] == "predict":
        require(len(after.splitlines()) == 3001, "an answer is cut off")
    else:
        require(after.rstrip().endswith(b"</html>"), "a page is cut off")
