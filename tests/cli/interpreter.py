"""frr predict in plain Python, written from docs/model.md alone; its headings are those of the page."""

import json
import math
import re
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from pathlib import Path

BLANKS = " \t"
LINE_END = re.compile(r"\r\n|\r|\n")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
MISSING = {"", "?", "na", "n/a", "nan", "null"}
UNDEFINED = {0x81, 0x8D, 0x8F, 0x90, 0x9D}  # in Windows-1252


class DataError(Exception):
    pass


# ---- Rows and cells ------------------------------------------------------------------------------
# Bytes are held as the characters of the same number until a cell is decoded.

def decoded(cell: str) -> str:
    raw = cell.encode("latin-1")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return "".join(chr(byte) if byte in UNDEFINED else bytes([byte]).decode("cp1252")
                       for byte in raw)


def split_rows(text: str, delimiter: str):
    """Yields (line, cells, whether the line has no character, where the row ends)."""
    blank = BLANKS.replace(delimiter, "")
    cell = re.compile(rf'[{blank}]*+"((?:[^"]|"")*+)"[{blank}]*+'
                      rf'|(?![{blank}]*+")([^{delimiter}\r\n]*)')
    at, line = 0, 1
    while at < len(text):
        start, cells = at, []
        while True:
            found = cell.match(text, at)
            if found is None:
                raise DataError(f"line {line}: a quote is not closed")
            at = found.end()
            quoted, plain = found.groups()
            cells.append(plain.strip(BLANKS) if quoted is None else quoted.replace('""', '"'))
            if not text.startswith(delimiter, at):
                break
            at += 1
        stop, end = at, LINE_END.match(text, at)
        if end is None and at < len(text):
            raise DataError(f"line {line}: text follows a closing quote")
        at = end.end() if end else at
        yield line, cells, start == stop, at
        line += len(LINE_END.findall(text[start:at]))


def find_delimiter(text: str) -> str:
    best, delimiter = (0.0, 1), ","
    for candidate in ",;\t":
        widths = []
        try:
            rows = (row for row in split_rows(text, candidate) if not row[2])
            for _, cells, _, end in islice(rows, 32):
                if end > 256 * 1024:
                    break
                widths.append(len(cells))
        except DataError:
            widths.append(0)
        if widths and widths[0] > 1:
            fit = (widths.count(widths[0]) / len(widths), widths[0])
            if fit > best:
                best, delimiter = fit, candidate
    return delimiter


def column_name(cell: str) -> str:
    parts = (part.strip(" ") for part in re.split(r"[\r\n\t]", cell))
    return decoded(" ".join(part for part in parts if part))


@dataclass
class Table:
    delimiter: str
    names: list[str]
    rows: list[tuple[int, list[str]]]  # line and cells


def read_table(data: bytes, delimiter: str | None) -> Table:
    text = data.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    if "\0" in text:
        raise DataError("a NUL byte")
    stated = re.match(r"sep=([,;\t])(\r\n|\r|\n|$)", text)
    text = text[stated.end():] if stated else text
    delimiter = delimiter or (stated and stated[1]) or find_delimiter(text)
    lines = split_rows(text, delimiter)
    names = next(([column_name(cell) for cell in cells] for _, cells, empty, _ in lines if not empty),
                 [])
    while names and not names[-1]:
        names.pop()
    known = [name for name in names if name]
    if not known or len(set(known)) < len(known):
        raise DataError("no names, or two that are equal")
    table = Table(delimiter, names, [])
    for line, cells, empty, _ in lines:
        if empty and len(names) > 1:
            continue
        if len(cells) < len(names) or any(cells[len(names):]):
            raise DataError(f"line {line}: {len(cells)} cells for {len(names)} names")
        if any(cell and not name for name, cell in zip(names, cells, strict=False)):
            raise DataError(f"line {line}: a cell in a column without a name")
        table.rows.append((line, cells))
    return table


# ---- Values --------------------------------------------------------------------------------------
# A missing value is None, that of a numeric feature a float, that of a categorical one a str.

def number(text: str, comma: bool) -> float | None:
    """None for a text that is not a number; may be infinite."""
    if comma and "." not in text:
        text = text.replace(",", ".", 1)
    return float(text) if NUMBER.fullmatch(text) else None


class Column:
    """Turns the cells of one column into values."""

    def __init__(self, feature: dict, codes: list[str], comma: bool):
        self.numeric, self.comma = feature["type"] == "numeric", comma
        self.codes = set(codes)
        self.numbers = {number(code, comma) for code in codes} - {None}
        self.mark = ""

    def value(self, cell: str) -> None | float | str:
        text = decoded(cell)
        core = text.strip(BLANKS)
        if core.lower() in MISSING or core in self.codes:
            return None
        if not self.numeric:
            return text
        value = number(core, self.comma)
        if value is None or math.isinf(value):
            raise DataError(f"{core!r} is not a finite number")
        if value in self.numbers:
            return None
        mark = "," if "," in core else "." if "." in core else ""
        if self.comma and mark and self.mark and mark != self.mark:
            raise DataError(f"{core!r} has another decimal mark than the numbers above it")
        self.mark = mark or self.mark
        return value


# ---- Degrees, truth and score --------------------------------------------------------------------

def degree(feature: dict, label: str, value: None | float | str) -> float:
    if value is None or label == feature.get("missing"):
        return float(value is None and label == feature.get("missing"))
    if feature["type"] == "categorical":
        return float(value == label)
    a, b, c, d = (None if corner is None else float(corner) for corner in feature["labels"][label])
    if (a is not None and value < a) or (d is not None and value >= d):
        return 0.0
    if b is not None and value < b:
        return (value - a) / (b - a)
    if c is not None and value > c:
        return (d - value) / (d - c)
    return 1.0


def conjunction(tnorm: str, degrees: list[float]) -> float:
    name, _, parameter = tnorm.partition(":")
    if len(degrees) == 1 or name == "minimum":
        return min(degrees)
    if name == "product":
        return math.prod(degrees)
    if name == "lukasiewicz":
        distance = add(1 - x for x in degrees)
        return 0.0 if distance >= 1 else 1 - distance
    if min(degrees) == 0:
        return 0.0
    if name == "hamacher":
        return 1 / (1 + add((1 - x) / x for x in degrees))
    if min(degrees) == 1:
        return 1.0
    power = float(parameter or 2)
    logs = [-math.log(x) if x < 1 else 0.0 for x in degrees]
    largest = max(logs)
    total = add(math.pow(x / largest, power) for x in logs)
    return math.exp(-largest * math.pow(total, 1 / power))


def add(terms) -> float:
    """One after another: sum() of some versions of Python compensates for rounding."""
    total = 0.0
    for term in terms:
        total += term
    return total


def scores_of(model: dict, values: dict) -> list[float]:
    how = model.get("inference", {})
    root, scores = float(how.get("root", 1)), []
    for rule in model["rules"]:
        truth = conjunction(how.get("tnorm", "product"),
                            [degree(model["features"][name], label, values[name])
                             for name, label in rule["if"].items()])
        if root != 1:
            truth = math.pow(truth, 1 / root)
        scores.append(float(rule["weight"]) * truth)
    return scores


# ---- Decision and probabilities ------------------------------------------------------------------

@dataclass
class Answer:
    prediction: str
    rule: int  # 0: ELSE
    probabilities: list[float]  # in the order of the classes


def shares_for(counts: list[float], chosen: int) -> list[float]:
    total = add(counts)
    shares = [count / total for count in counts]
    p, q = shares[chosen], max(share for c, share in enumerate(shares) if c != chosen)
    shares[chosen] = max(p, q * ((1 + 1e-9) + 1e-3 * p))
    total = add(shares)
    return [share / total for share in shares]


def decide(model: dict, values: dict) -> Answer:
    classes, rules = model["classes"], model["rules"]
    scores = scores_of(model, values)
    if not scores or max(scores) == 0:
        return answer(model, model["else"], 0)
    if model.get("inference", {}).get("semantics") != "additive":
        strongest = scores.index(max(scores))
        return answer(model, rules[strongest], strongest + 1)
    sums = [add(s for s, rule in zip(scores, rules, strict=True) if rule["then"] == name)
            for name in classes]
    chosen = sums.index(max(sums))
    allied = [s if rule["then"] == classes[chosen] else 0.0
              for s, rule in zip(scores, rules, strict=True)]
    return Answer(classes[chosen], allied.index(max(allied)) + 1, shares_for(sums, chosen))


def answer(model: dict, decider: dict, position: int) -> Answer:
    """Of one rule, or of ELSE, that decides alone."""
    sources = [decider.get("decides", {})]
    if position == 0 and not any(sources[0].values()):
        sources = [rule.get("decides", {}) for rule in model["rules"]]
    counts = [1.0] * len(model["classes"])
    for source in sources:
        for c, name in enumerate(model["classes"]):
            counts[c] += float(source.get(name, 0))
    chosen = model["classes"].index(decider["then"])
    return Answer(decider["then"], position, shares_for(counts, chosen))


def predict(model: dict, data: bytes, delimiter: str | None = None,
            codes: tuple[str, ...] = ()) -> list[Answer]:
    """The answer to each row of a CSV file; raises DataError where the page says `error`."""
    table = read_table(data, delimiter)
    needed = {name for rule in model["rules"] for name in rule["if"]}
    if not needed <= set(table.names):
        raise DataError(f"no column {sorted(needed - set(table.names))[0]!r}")
    columns = {name: Column(model["features"][name], [*model.get("missing", []), *codes],
                            table.delimiter == ";") for name in needed}
    answers = []
    for line, cells in table.rows:
        values = {}
        for name, cell in zip(table.names, cells, strict=False):
            if name in columns:
                try:
                    values[name] = columns[name].value(cell)
                except DataError as error:
                    raise DataError(f"line {line}, column {name!r}: {error}") from None
        answers.append(decide(model, values))
    return answers


def predict_files(model: Path, table: Path, delimiter: str | None = None) -> list[Answer]:
    return predict(json.loads(model.read_bytes()), table.read_bytes(), delimiter)


# ---- Output --------------------------------------------------------------------------------------

def number_text(x: float) -> str:
    if x == 0:
        return "0"
    shortest = Decimal(repr(x)).normalize()
    digits = "".join(map(str, shortest.as_tuple().digits))
    scientific = f"{digits[0]}{'.' if digits[1:] else ''}{digits[1:]}e{shortest.adjusted():+03d}"
    return min(f"{shortest:f}", scientific, key=len)


def field_text(text: str) -> str:
    special = set(text) & set(',;\t"\r\n') or text.strip(" ") != text
    return '"' + text.replace('"', '""') + '"' if special else text


def csv_text(model: dict, answers: list[Answer], proba: bool) -> str:
    """What frr predict prints."""
    classes = model["classes"]
    lines = [["prediction", "probability", "rule", *(f"p({name})" for name in classes if proba)]]
    for a in answers:
        shares = [number_text(share) for share in a.probabilities]
        lines.append([a.prediction, shares[classes.index(a.prediction)], str(a.rule),
                      *(shares if proba else [])])
    return "".join(",".join(map(field_text, line)) + "\n" for line in lines)
