"""Counts the instructions of a default training on the demo data, before and now, with callgrind."""

import re
import subprocess
from collections import Counter
from pathlib import Path

from performance.before import earlier_program
from performance.child import CannotMeasure, run
from performance.context import ROOT, Context
from performance.figure import Figure, missing

TOP = 8
NAME = "instructions of a training of the demo data"


def measure(context: Context) -> list[Figure]:
    try:
        context.needs_program("valgrind")
        now, by_function = profile(context, context.program, "now")
    except CannotMeasure as error:
        return [missing(NAME, str(error))]
    try:
        before, by_function_before = profile(context, earlier_program(context), "before")
        note = ""
    except CannotMeasure as error:
        before, by_function_before, note = None, Counter(), str(error)
    figures = [Figure(NAME, now / 1e6, before and before / 1e6, "M",
                      before / now if before else None, note=note)]
    names = [name for name, _ in by_function.most_common(TOP)]
    names += [name for name, _ in by_function_before.most_common(TOP) if name not in names]
    for name in names:
        after, earlier = by_function[name], by_function_before[name]
        figures.append(Figure(f"  {name}"[:48], after / 1e6, before and earlier / 1e6, "M",
                              earlier / after if after and earlier else None,
                              note=f"{100 * after / now:.0f} % of all"))
    return figures


def profile(context: Context, program: Path, title: str) -> tuple[int, Counter]:
    """All instructions, and those of each function without its callees."""
    context.work.mkdir(parents=True, exist_ok=True)
    out = context.work / f"callgrind.{title}.out"
    options = ["--epochs", 1, "--trees", 2, "--augment", 0] if context.quick else []
    table = ROOT / "data" / ("iris.csv" if context.quick else "breast_cancer.csv")
    run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, "train", table,
         "--threads", 1, "--quiet", "-o", context.work / "profiled.json", *options])
    return read_callgrind(out)


def read_callgrind(path: Path) -> tuple[int, Counter]:
    """The format is described in valgrind's manual, "Callgrind Format Specification"."""
    names: dict[str, str] = {}
    exclusive: Counter = Counter()
    function, inclusive = "", False
    for line in path.read_text(errors="replace").splitlines():
        named = re.match(r"(c?fn)=\((\d+)\)(?: (.*))?", line)
        if named:
            if named[3]:
                names[named[2]] = named[3]
            if named[1] == "fn":
                function = names[named[2]]
        elif line.startswith("calls="):
            inclusive = True  # the next line has the inclusive cost of the call
        elif re.match(r"[0-9+*-]", line):
            numbers = line.split()
            if not inclusive and len(numbers) > 1:  # a count of 0 may be omitted
                exclusive[function] += int(numbers[1])
            inclusive = False
    return sum(exclusive.values()), by_plain_name(exclusive)


def by_plain_name(exclusive: Counter) -> Counter:
    """A name without arguments. Clones for processors and levels of recursion are combined."""
    names = list(exclusive)
    cut = [re.sub(r"(\.(default|arch_\w+|constprop|part|isra|cold)(\.\d+)*)+|'\d+", "", name)
           for name in names]
    filtered = subprocess.run(["c++filt"], input="\n".join(cut), capture_output=True, text=True,
                              check=False).stdout.splitlines()
    result: Counter = Counter()
    for name, readable in zip(names, filtered if len(filtered) == len(names) else cut,
                              strict=True):
        result[bare(readable)] += exclusive[name]
    return result


def bare(name: str) -> str:
    """"void frr::Network<float>::run(int)" as "Network::run"."""
    name = name.replace("(anonymous namespace)::", "").replace("frr::", "")
    while "<" in name and name != (shorter := re.sub(r"<[^<>]*>", "", name)):
        name = shorter
    return name.split("(")[0].split(" ")[-1]
