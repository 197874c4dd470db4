"""Reads values from a CSV file in plain Python, written only from the sections "Rows and cells" and "Values"
of docs/reference/model.md."""

import csv
import math
import re
from dataclasses import dataclass
from itertools import islice

BLANKS = " \t"
LINE_END = re.compile(r"\r\n|\r|\n")
NUMBER = re.compile(r"[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|inf|infinity)", re.IGNORECASE)
MISSING = {"", "?", "na", "n/a", "nan", "null"}
UNDEFINED = {0x81, 0x8D, 0x8F, 0x90, 0x9D}  # in Windows-1252


class DataError(Exception):
    pass


# ---- Rows and cells ------------------------------------------------------------------------------
# Until a cell is decoded, each byte is represented by the character with the same code.

def decoded(cell: str) -> str:
    raw = cell.encode("latin-1")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return "".join(chr(byte) if byte in UNDEFINED else bytes([byte]).decode("cp1252")
                       for byte in raw)


def split_rows(text: str, delimiter: str):
    """Yields (line, cells, the text of the row without blanks at its ends, the position of its end)."""
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
        yield line, cells, text[start:stop].strip(blank), at
        line += len(LINE_END.findall(text[start:at]))


def find_delimiter(text: str) -> str:
    best, delimiter = (0.0, 1), ","
    for candidate in ",;\t":
        widths = []
        try:
            rows = (row for row in split_rows(text, candidate) if row[2])
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
    stated = re.match(r"sep=([,;\t|])(\r\n|\r|\n|$)", text)
    text = text[stated.end():] if stated else text
    delimiter = delimiter or (stated and stated[1]) or find_delimiter(text)
    lines = split_rows(text, delimiter)
    head = next((cells for _, cells, row, _ in lines if row.strip(BLANKS + delimiter)), [])
    names = [column_name(cell) for cell in head]
    while names and not names[-1]:
        names.pop()
    known = [name for name in names if name]
    if not known or len(set(known)) < len(known):
        raise DataError("no names, or two that are equal")
    table = Table(delimiter, names, [])
    for line, cells, row, _ in lines:
        if not row and len(head) > 1:
            continue
        if len(cells) < len(names) or any(cells[len(names):]):
            raise DataError(f"line {line}: {len(cells)} cells for {len(names)} names")
        if any(cell and not name for name, cell in zip(names, cells, strict=False)):
            raise DataError(f"line {line}: a cell in a column without a name")
        table.rows.append((line, cells))
    if not table.rows:
        raise DataError("no rows")
    return table


# ---- Values --------------------------------------------------------------------------------------
# Missing values are None, values of numeric features float, and those of categorical features str.

def number(text: str, comma: bool) -> float | None:
    """The number, which may be infinite, or None if the text is not a number."""
    if comma and "." not in text:
        text = text.replace(",", ".", 1)
    return float(text) if NUMBER.fullmatch(text) else None


class Column:
    """Turns the cells of one column into values."""

    def __init__(self, feature: dict, codes: list[str], comma: bool):
        self.numeric, self.comma = feature["type"] == "numeric", comma
        self.codes = {code.strip(BLANKS) for code in codes}
        self.numbers = {number(code, comma=False) for code in self.codes} - {None}
        self.mark = ""

    def value(self, cell: str) -> None | float | str:
        text = decoded(cell)
        core = text.strip(BLANKS)
        if core.lower() in MISSING or core in self.codes:
            return None
        if not self.numeric:
            return text
        value = number(core, self.comma)
        if value is None:
            raise DataError(f"{core!r} is not a number")
        mark = "," if "," in core else "." if "." in core else ""
        if self.comma and mark and self.mark and mark != self.mark:
            raise DataError(f"{core!r} has another decimal mark than the numbers above it")
        self.mark = mark or self.mark
        if value in self.numbers:
            return None
        if math.isinf(value):
            raise DataError(f"{core!r} is infinite")
        return value


def missing_codes(model: dict) -> list[str]:
    if "missing" in model:
        return model["missing"]
    recorded = model.get("training", {}).get("settings", {}).get("missing", "")
    return [code for code in next(csv.reader([recorded]), []) if code]


def read_values(model: dict, data: bytes, delimiter: str | None,
                codes: tuple[str, ...]) -> list[dict]:
    """For each row, the values of all features that rules read."""
    table = read_table(data, delimiter)
    needed = {name for rule in model["rules"] for name in rule["if"]}
    if not needed <= set(table.names):
        raise DataError(f"no column {min(needed - set(table.names))!r}")
    columns = {name: Column(model["features"][name], [*missing_codes(model), *codes],
                            table.delimiter == ";") for name in needed}
    rows = []
    for line, cells in table.rows:
        values = {}
        for name, cell in zip(table.names, cells, strict=False):
            if name in columns:
                try:
                    values[name] = columns[name].value(cell)
                except DataError as error:
                    raise DataError(f"line {line}, column {name!r}: {error}") from None
        rows.append(values)
    return rows
