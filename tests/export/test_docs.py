"""The examples of docs/how-to/deploy.md, run unchanged in one directory, in order."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cases import BINARY, ROOT

BLOCKS = re.findall(r"```(\w+)\n(.*?)```(?:\n\n```output\n(.*?)```)?",
                    (ROOT / "docs" / "how-to" / "deploy.md").read_text(encoding="utf-8"), re.S)


def run(folder: Path, *command: str) -> str:
    path = f"{folder / 'bin'}:{Path(sys.executable).parent}:/usr/bin:/bin"
    finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600,
                              check=False, env={"PATH": path, "HOME": str(folder)})
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def run_block(folder: Path, language: str, code: str) -> str:
    if language == "sh":
        return run(folder, "bash", "-ec", code)
    if language == "python":
        return run(folder, sys.executable, "-c", code)
    if language == "javascript":
        (folder / "example.mjs").write_text(code)
        return run(folder, "node", "example.mjs")
    (folder / "example.c").write_text(code)
    run(folder, "cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "example.c", "-o", "example")
    return run(folder, "./example")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs")
    (folder / "bin").mkdir()
    (folder / "bin" / "frr").symlink_to(BINARY)
    shutil.copy(ROOT / "data" / "loans.csv", folder)
    return folder


def missing_tool(language: str, code: str) -> str | None:
    if language == "javascript" and shutil.which("node") is None:
        return "node"
    if "sqlite3 " in code and shutil.which("sqlite3") is None:
        return "sqlite3"
    if "jpmml_evaluator" in code and shutil.which("java") is None:
        return "java"
    for module in ("onnxruntime", "jpmml_evaluator"):
        if module in code and subprocess.run([sys.executable, "-c", f"import {module}"], check=False,
                                             capture_output=True).returncode != 0:
            return module
    return None


@pytest.mark.parametrize("index", range(len(BLOCKS)))
def test_example(folder, index):
    language, code, expected = BLOCKS[index]
    tool = missing_tool(language, code)
    if tool:
        pytest.skip(f"{tool} is not installed")
    printed = run_block(folder, language, code)
    if expected:
        assert printed == expected
