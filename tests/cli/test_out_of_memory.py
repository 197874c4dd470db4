"""With any memory limit, the program succeeds or reports that memory ran out, and loses no files."""

import random
import resource

import pytest
from conftest import BREAST_CANCER, Program

ROWS = 60_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory, cancer_model) -> Program:
    """A model, and a table of many rows to which it can be applied."""
    frr = Program(tmp_path_factory.mktemp("memory"))
    frr.write("model.json", cancer_model.read_bytes())
    lines = BREAST_CANCER.read_text().splitlines(keepends=True)
    body = lines[1:]
    frr.write("small.csv", "".join(lines))
    frr.write("many.csv", lines[0] + "".join(body[i % len(body)] for i in range(ROWS)))
    frr.write("wide.csv", "".join(
        ",".join([f"c{j}" if i == 0 else str((i * j) % 97) for j in range(400)]) +
        (",class\n" if i == 0 else f",{'ab'[i % 2]}\n") for i in range(200)))
    return frr


COMMANDS = {
    "help": ("--help",),
    "train": ("train", "small.csv", "--epochs", 1, "--restarts", 1, "--trees", 10, "-o", "out"),
    "train wide": ("train", "wide.csv", "--epochs", 1, "--restarts", 1, "--trees", 10, "-o", "out"),
    "train memory": ("train", "many.csv", "--memory", "100MB", "--epochs", 1, "--search-rows", 1000,
                     "--gradient-rows", 1000, "-o", "out"),
    "predict": ("predict", "model.json", "many.csv", "-o", "out"),
    "predict --json": ("predict", "model.json", "many.csv", "--json", "-o", "out"),
    "evaluate": ("evaluate", "model.json", "many.csv", "-o", "out"),
    "rules": ("rules", "model.json", "-o", "out"),
    "report": ("report", "model.json", "small.csv", "--folds", 0, "-o", "out"),
    "export": ("export", "model.json", "--to", "sql", "-o", "out"),
    "cv": ("cv", "small.csv", "--folds", 2, "--epochs", 1, "--restarts", 1, "--trees", 10,
           "-o", "out"),
}


def run_with(frr: Program, arguments, limit: int):
    def set_limit():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    return frr(*arguments, preexec_fn=set_limit)


def check(frr: Program, name: str, limit: int) -> int:
    """Runs the command with `limit` bytes of address space, checks its promises, and returns its status."""
    frr.write("out", "the old one")
    before = frr.files()
    result = run_with(frr, COMMANDS[name], limit)
    place = (name, limit, result.status, result.err)
    assert result.status in (0, 4, 127), place
    assert frr.files() == before, place
    content = (frr.directory / "out").read_bytes()
    if result.status == 127:
        assert "frr: error: " not in result.err, place  # a message of the loader, not of the program
    if result.status == 4:
        assert result.err.count("out of memory") == 1, place
        assert "--memory" in result.err and "bug" not in result.err, place
    if result.status != 0 or name == "help":
        assert content == b"the old one", place
    else:
        assert content != b"the old one", place
    return result.status


def least_limit(frr: Program, name: str) -> int:
    """Approximately the smallest address space with which the command succeeds."""
    low, high = 6_000_000, 1_000_000_000
    while high - low > 200_000:
        middle = (low + high) // 2
        if check(frr, name, middle) == 0:
            high = middle
        else:
            low = middle
    return high


@pytest.mark.parametrize("name", COMMANDS)
def test_any_limit_gives_a_result_or_status_4(folder, name):
    needed = least_limit(folder, name)
    draw = random.Random(name)
    # Most failures occur just after the loader has finished and just below the required memory.
    limits = [draw.randrange(8_500_000, 12_000_000) for _ in range(8)]
    limits += [draw.randrange(9_000_000, needed) for _ in range(14)]
    limits += [needed - draw.randrange(1, 1_000_000) for _ in range(6)]
    statuses = {check(folder, name, limit) for limit in limits}
    assert 4 in statuses


def test_json_of_many_rows_does_not_abort(folder):
    """Destroying a large JSON value allocates, and a destructor must not throw."""
    statuses = {check(folder, "predict --json", 26_624_000 + step * 262_144) for step in range(12)}
    assert statuses == {4}


def test_training_continues_with_fewer_threads_if_some_cannot_start(folder):
    """A thread's stack is 8 MB of address space: two of them fit, sixteen do not."""
    limit = 60_000_000
    arguments = ("predict", "model.json", "many.csv", "--threads", 16)
    limited = run_with(folder, arguments, limit)
    assert limited.status == 0, limited.err
    assert limited.out == folder("predict", "model.json", "many.csv", "--threads", 1).ok().out
