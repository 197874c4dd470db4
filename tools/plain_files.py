#!/usr/bin/env python3
"""Fast checks of text files: blanks, line ends, conflict marks, syntax.

    tools/plain_files.py FILE...    these files
    tools/plain_files.py            all files tracked by git

Prints one line for each fault; the exit status is 0 only if there is none.
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

# Data files, and files written by other programs.
DATA = re.compile(r"^(tests/fuzz/corpus|data)/|\.(svg|png)$")
CONFLICT = re.compile(r"^(<{7}|>{7}) ", re.MULTILINE)
TABS = {"Makefile"}


def main() -> int:
    root = Path(__file__).resolve().parent.parent
    names = sys.argv[1:] or known_to_git(root)
    count = 0
    for name in names:
        path = root / name
        if DATA.search(name) or not path.is_file():
            continue
        for fault in faults(path):
            count += 1
            print(f"{name}: {fault}")
    return 1 if count else 0


def known_to_git(root: Path) -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True)
    return listed.stdout.splitlines()


def faults(path: Path) -> list[str]:
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError:
        return ["not UTF-8"]
    found = [f"line {number}: blanks at the end" for number, line in enumerate(text.split("\n"), 1)
             if line != line.rstrip(" \t")]
    if text and (not text.endswith("\n") or text.endswith("\n\n")):
        found.append("must end with exactly one line end")
    if "\r" in text:
        found.append("contains carriage returns")
    if "\t" in text and path.name not in TABS:
        found.append("contains tabs")
    if CONFLICT.search(text):
        found.append("contains conflict marks")
    return found + syntax(path, text)


def syntax(path: Path, text: str) -> list[str]:
    try:
        if path.suffix in (".json", ".ipynb"):
            json.loads(text)
        elif path.suffix == ".toml":
            tomllib.loads(text)
        elif path.suffix in (".yaml", ".yml", ".cff"):
            return yaml_syntax(text)
        elif path.suffix == ".py":
            compile(text, str(path), "exec")
    except (ValueError, SyntaxError) as error:
        return [str(error)]
    return []


def yaml_syntax(text: str) -> list[str]:
    try:
        import yaml
    except ImportError:  # installed with the requirements of the tests
        return []
    try:
        for _ in yaml.parse(text, Loader=yaml.SafeLoader):  # checks only the syntax, without resolving tags
            pass
    except yaml.YAMLError as error:
        return [" ".join(str(error).split())]
    return []


if __name__ == "__main__":
    sys.exit(main())
