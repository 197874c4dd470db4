"""The commands in the pages run as written and print the output shown.

A ```console block contains commands, each after "$ ", followed by their standard output. The blocks of a page
run in order in one directory, which contains the built-in loan data.

    FRR_BINARY=build/frr python3 tests/docs/test_commands.py     # updates the outputs in the pages
"""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from pages import BINARY, FENCE, GUIDES, ROOT, blocks, commands, name_of, read

WITH_COMMANDS = [page for page in GUIDES if blocks(read(page), "console")]
COMMANDS = ("train", "rules", "predict", "explain", "evaluate", "decide", "report", "export", "cv", "path", "demo")


def prepare(folder: Path) -> None:
    (folder / "bin").mkdir()
    (folder / "bin" / "frr").symlink_to(BINARY)
    shutil.copy(ROOT / "data" / "loans.csv", folder)


def run(folder: Path, command: str) -> str:
    environment = {"PATH": f"{folder / 'bin'}:/usr/bin:/bin", "HOME": str(folder)}
    finished = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, timeout=600,
                              capture_output=True, text=True, check=False)
    assert finished.returncode == 0, f"{command}\n{finished.stderr}"
    return finished.stdout


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name_of)
def test_commands_print_what_the_page_shows(page, tmp_path):
    prepare(tmp_path)
    for block in blocks(read(page), "console"):
        for command in commands(block):
            assert run(tmp_path, command.text) == command.output, command.text


def test_the_pages_have_commands():
    assert len(WITH_COMMANDS) >= 3
    assert sum(bool(command.output) for page in WITH_COMMANDS
               for block in blocks(read(page), "console") for command in commands(block)) >= 8


# ---- Names of options ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def options() -> dict[str, set[str]]:
    """The options of each command, including those shown only by --help-all."""
    found = {}
    for command in COMMANDS:
        finished = [subprocess.run([BINARY, command, option], capture_output=True, text=True, check=False)
                    for option in ("--help", "--help-all")]
        assert finished[0].returncode == 0
        text = "".join(one.stdout for one in finished if one.returncode == 0)
        found[command] = set(re.findall(r"--[a-z][a-z0-9-]*", text))
    return found


def unknown_options(text: str, options: dict[str, set[str]]) -> list[str]:
    """The options in commands such as `frr train --rules 3` that do not exist."""
    unknown = []
    for command, rest in re.findall(r"\bfrr ([a-z]+)((?:\\\n|[^`\n|>#])*)", text):
        known = options.get(command, set())
        unknown += [f"frr {command} {option}" for option in re.findall(r"(?<=\s)--[a-z][a-z0-9-]*", rest)
                    if command in options and option not in known]
    return unknown


@pytest.mark.parametrize("page", GUIDES, ids=name_of)
def test_commands_use_existing_options(page, options):
    assert unknown_options(read(page), options) == []


def test_an_unknown_option_is_found(options):
    text = "`frr rules --rules 3` and\n\n    frr train a.csv --rules 3 \\\n      --no-such 1 | cat --help\n"
    assert unknown_options(text, options) == ["frr rules --rules", "frr train --no-such"]


def test_every_option_in_the_text_exists(options):
    """Checks also options without a command, such as `--augment 0`, and options of scripts."""
    scripts = [*(ROOT / "bench").rglob("*.py"), ROOT / "tools" / "test.py"]
    known = set().union(*options.values(), *(re.findall(r'"(--[a-z][a-z0-9-]*)"', read(script))
                                             for script in scripts))
    known |= {"--version", "--help-all", "--markdown"}
    for page in GUIDES:
        code = [found for found in re.findall(r"`([^`\n]+)`", read(page))
                if re.match("--[a-z]", found)]
        assert [found for found in code if found.split()[0].split("=")[0] not in known] == [], name_of(page)


# ---- Samples of other kinds ----------------------------------------------------------------------


def test_every_sample_is_run_by_some_test():
    """Python samples: tests/python, tests/dask, tests/spark and tests/export run these pages."""
    run_elsewhere = {"README.md", "docs/reference/python.md", "docs/how-to/dask.md", "docs/how-to/spark.md",
                     "docs/how-to/deploy.md", "docs/how-to/evaluate.md", "docs/how-to/labels.md",
                     "docs/how-to/large-data.md"}
    assert {name_of(page) for page in GUIDES if blocks(read(page), "python")} <= run_elsewhere
    languages = {found[3].strip() for page in GUIDES for found in FENCE.finditer(read(page))}
    assert languages <= {"console", "sh", "python", "javascript", "c", "cpp", "cmake", "json", "output", "text"}


def update() -> None:
    """Updates the outputs of the commands in the pages."""
    for page in WITH_COMMANDS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            prepare(folder)

            def renewed(block: re.Match[str], folder: Path = folder) -> str:
                if block[3].strip() != "console":
                    return block[0]
                lines = "".join(f"$ {command.text}\n{run(folder, command.text)}"
                                for command in commands(block[4]))
                return f"{block[1]}{block[2]}{block[3]}\n{lines}{block[1]}{block[2]}"

            page.write_text(FENCE.sub(renewed, read(page)), encoding="utf-8")


if __name__ == "__main__":
    update()
