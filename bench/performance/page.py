"""Writes the measured figures into a documentation page, between two marks."""

from pathlib import Path

from performance import figure
from performance.curves import Curve

BEGIN = "<!-- measured: begin (written by bench/performance --page) -->"
END = "<!-- measured: end -->"
CALLGRIND = "instructions of"


def table(header: list[str], rows: list[list[str]]) -> list[str]:
    lines = ["| " + " | ".join(header) + " |", "|---|" + "---:|" * (len(header) - 1)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def indented(name: str) -> str:
    return f"– {name.strip()}" if name.startswith(" ") else name


def of_figures(figures: list[figure.Figure]) -> list[str]:
    rows = []
    for one in figures:
        name, *rest = figure.cells(one)
        rows.append([indented(name.replace("|", "\\|")), *rest])
    notes = [f"- {one.name.strip()}: {one.note}." for one in figures if one.note]
    return table(list(figure.TITLES), rows) + ([*notes, ""] if notes else [])


def of_profile(figures: list[figure.Figure]) -> list[str]:
    total = figures[0]
    rows = []
    for one in figures:
        name, now, before, ratio, *_ = figure.cells(one)
        rows.append([indented(name), now, before, ratio, f"{100 * one.ours / total.ours:.0f} %"])
    lines = table(["function", "now", "before", "ratio", "of total now"], rows)
    return ["Instructions of a default training on the demo data, counted by callgrind, in "
            f"millions{f' ({total.note})' if total.note else ''}:", "", *lines]


def of_curves(curves: list[Curve]) -> list[str]:
    lines = ["Seconds of a fit on synthetic data, one thread:", ""]
    for curve in curves:
        lines += table([curve.what, *(f"{size:,}" for size in curve.sizes)],
                       [["seconds", *(f"{seconds:.3g}" for seconds in curve.seconds)]])
    return lines


def section(measured: dict, figures: list[figure.Figure], curves: list[Curve],
            picture: str | None) -> str:
    """The text between the marks; `measured` describes the program and the machine."""
    profile = next((i for i, one in enumerate(figures) if one.name.startswith(CALLGRIND)),
                   len(figures))
    lines = ["Measured with the small sizes of `--quick`, which only check that everything runs.", ""
             ] if measured["quick"] else []
    lines += [f"{measured['program']} on {measured['machine']} (load {measured['load']:.1f} at the "
             "start); one thread unless stated otherwise.", ""]
    lines += of_figures(figures[:profile])
    if figures[profile:]:
        lines += of_profile(figures[profile:])
    if curves:
        lines += of_curves(curves)
    if picture:
        lines += [f"![Time of a fit against each of its sizes]({picture})", ""]
    return "\n".join(lines)


def write(path: Path, text: str) -> None:
    """Replaces the text between the marks. If the page has none, they are added at its end."""
    page = path.read_text() if path.exists() else "# Performance\n"
    if BEGIN in page and END in page:
        before, after = page.split(BEGIN, 1)[0], page.split(END, 1)[1]
    else:
        before, after = page.rstrip("\n") + "\n\n", "\n"
    part = path.with_name(f".{path.name}.part")
    part.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}")
    part.replace(path)
