"""One measured figure: two values of the same run, their ratio, and its bar and goal."""

from dataclasses import asdict, dataclass


@dataclass
class Figure:
    """Bar and goal apply to `ratio`. Fields are None if they do not apply or were not measured."""

    name: str
    ours: float | None = None
    theirs: float | None = None
    unit: str = "s"
    ratio: float | None = None
    bar: float | None = None
    goal: float | None = None
    at_least: bool = True  # False: bar and goal are upper limits
    note: str = ""

    def reaches(self, limit: float | None) -> bool:
        if limit is None or self.ratio is None:
            return False
        return self.ratio >= limit if self.at_least else self.ratio <= limit

    @property
    def met(self) -> str:
        if self.ratio is None and self.ours is None:
            return "not measured"
        if self.bar is None:
            return "-"
        return "goal" if self.reaches(self.goal) else "bar" if self.reaches(self.bar) else "no"

    def as_json(self) -> dict:
        return {**asdict(self), "met": self.met}


def missing(name: str, why: str, bar: float | None = None, goal: float | None = None,
            at_least: bool = True) -> Figure:
    """A figure that could not be measured, with the reason."""
    return Figure(name, bar=bar, goal=goal, at_least=at_least, note=why)


def amount(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    if unit == "s":
        for scale, name in ((1, "s"), (1e-3, "ms")):
            if value >= scale:
                return f"{value / scale:.3g} {name}"
        return f"{value * 1e6:.3g} us"
    return f"{value:.4g} {unit}".strip()


def limit(value: float | None, at_least: bool) -> str:
    return "-" if value is None else f"{'>=' if at_least else '<='} {value:g}"


def cells(figure: Figure) -> list[str]:
    ratio = "-" if figure.ratio is None else f"{figure.ratio:.3g}"
    return [figure.name, amount(figure.ours, figure.unit), amount(figure.theirs, figure.unit),
            ratio, limit(figure.bar, figure.at_least), limit(figure.goal, figure.at_least),
            figure.met]


TITLES = ("figure", "ours", "theirs", "ratio", "bar", "goal", "met")
WIDTHS = (48, 11, 11, 8, 8, 8, 12)


def line(figure: Figure | None = None) -> str:
    """One line of text; the titles if there is no figure."""
    texts = TITLES if figure is None else cells(figure)
    row = f"{texts[0]:{WIDTHS[0]}}" + "".join(
        f" {text:>{width}}" for text, width in zip(texts[1:], WIDTHS[1:], strict=True))
    note = "" if figure is None or not figure.note else f"   {figure.note}"
    return row.rstrip() + note
