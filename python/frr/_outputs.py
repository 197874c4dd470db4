"""Files that are there as a whole or not at all, written part by part."""

from __future__ import annotations

import contextlib
import io
import math
import os
import re
import secrets
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from ._arrow import pa, pq

OUTPUT_ENDINGS = (".parquet", ".arrow", ".feather", ".csv")


def check_output(path: str | os.PathLike[str]) -> Path:
    """That the path can be an output; else ValueError or OSError."""
    output = Path(path)
    if output.suffix.lower() not in OUTPUT_ENDINGS:
        raise ValueError(
            f"the output {output} must end in {', '.join(OUTPUT_ENDINGS[:-1])} or "
            f"{OUTPUT_ENDINGS[-1]}, which says what is written"
        )
    if output.is_dir():
        raise IsADirectoryError(f"cannot write to {output}: it is a directory; give a file name")
    if not output.parent.is_dir():
        raise FileNotFoundError(f"cannot write to {output}: there is no directory {output.parent}")
    if not os.access(output.parent, os.W_OK | os.X_OK):
        raise PermissionError(
            f"cannot write to {output}: the directory {output.parent} is read-only"
        )
    return output


def shortest(value: float) -> str:
    """The shortest text that gives the number again, as the program prints it."""
    if value == int(value):
        return str(int(value))
    digits, _, power = f"{value!r}".partition("e")
    if power:
        plain = f"{value:.{len(digits) + abs(int(power))}f}".rstrip("0")
        return min(f"{digits.removesuffix('.0')}e{int(power):+03d}", plain, key=len)
    whole = digits.lstrip("-0.").rstrip("0").replace(".", "")
    power_of_first = f"{value:e}".partition("e")[2]
    scientific = whole[0] + ("." + whole[1:] if len(whole) > 1 else "") + f"e{power_of_first}"
    return min(digits, ("-" if value < 0 else "") + scientific, key=len)


def csv_field(text: str) -> str:
    spaced = text[:1] == " " or text[-1:] == " "
    if not spaced and not any(c in text for c in ',;\t"\r\n'):
        return text
    return '"' + text.replace('"', '""') + '"'


_NUMBER = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?", re.ASCII)


def spreadsheet_field(text: str) -> str:
    """A CSV field with an apostrophe before what a spreadsheet would take for a formula."""
    formula = text[:1] in tuple("=+-@\t\r\n")
    number = _NUMBER.fullmatch(text) and math.isfinite(float(text.replace(",", ".")))
    return csv_field("'" + text if formula and not number else text)


class CsvWriter:
    """Writes the columns prediction, probability, rule and those of the classes."""

    def __init__(self, file: BinaryIO, schema: Any, spreadsheet: bool = False) -> None:
        self._file = file
        self._field = spreadsheet_field if spreadsheet else csv_field
        self._lines: dict[tuple[Any, ...], str] = {}
        self._file.write((",".join(map(csv_field, schema.names)) + "\n").encode())

    def write_table(self, table: Any) -> None:
        text = io.StringIO()
        lines = self._lines
        for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
            line = lines.get(row)
            if line is None:
                line = lines[row] = self._line(row)
                if len(lines) > 100_000:  # additive rules give a line of its own to many rows
                    lines.clear()
            text.write(line)
        self._file.write(text.getvalue().encode())

    def _line(self, row: tuple[Any, ...]) -> str:
        prediction, probability, rule, *shares = row
        fields = [self._field(str(prediction)), shortest(probability), str(rule)]
        return ",".join([*fields, *map(shortest, shares)]) + "\n"

    def close(self) -> None:
        self._file.flush()


class Output:
    """A file beside the one to be, which takes its place at the end if nothing went wrong."""

    def __init__(
        self, path: str | os.PathLike[str], schema: Any, spreadsheet: bool = False
    ) -> None:
        self._path = Path(os.path.realpath(check_output(path)))
        self._schema = schema
        self._spreadsheet = spreadsheet
        name = f".{self._path.name[:200]}.{secrets.token_hex(4)}"
        self._temporary = self._path.with_name(name)
        self._file: BinaryIO | None = None
        self._writer: Any = None

    def __enter__(self) -> Self:
        try:
            self._file = open(self._temporary, "xb")
            form = self._path.suffix.lower()
            if form == ".csv":
                self._writer = CsvWriter(self._file, self._schema, self._spreadsheet)
            elif form == ".parquet":
                self._writer = pq.ParquetWriter(self._file, self._schema)
            else:
                self._writer = pa.ipc.new_file(self._file, self._schema)
        except BaseException:
            self._remove()
            raise
        return self

    def write(self, table: Any) -> None:
        self._writer.write_table(table)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is not None:
                return
            assert self._file is not None
            self._writer.close()
            self._file.flush()
            if self._path.exists():
                os.fchmod(self._file.fileno(), self._path.stat().st_mode & 0o7777)
            os.fsync(self._file.fileno())
            self._file.close()
            os.replace(self._temporary, self._path)
        finally:
            self._remove()

    def _remove(self) -> None:
        """What is left of the temporary file: nothing, where it has been renamed."""
        for open_one in (self._writer, self._file):
            with contextlib.suppress(OSError, ValueError, pa.ArrowException):
                if open_one is not None:
                    open_one.close()
        with contextlib.suppress(FileNotFoundError):
            self._temporary.unlink()
