"""Files that are written in pieces and appear complete or not at all."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from . import _core
from ._arrow import pa, pq

OUTPUT_ENDINGS = (".parquet", ".arrow", ".feather", ".csv")


def check_output(path: str | os.PathLike[str]) -> Path:
    """The path, if a file can be written there; otherwise ValueError or OSError."""
    output = Path(path)
    if output.suffix.lower() not in OUTPUT_ENDINGS:
        raise ValueError(
            f"the output {output} must end in {', '.join(OUTPUT_ENDINGS[:-1])} or "
            f"{OUTPUT_ENDINGS[-1]}, which determines its format"
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


def _text(value: bool | float) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _core.shortest(value)


class CsvWriter:
    """Writes the columns prediction, probability, rule, referred and those of the classes, as the
    program does."""

    def __init__(self, file: BinaryIO, schema: Any, spreadsheet: bool = False) -> None:
        self._file = file
        self._field = _core.spreadsheet_field if spreadsheet else _core.csv_field
        self._lines: dict[tuple[Any, ...], str] = {}
        self._file.write((",".join(map(_core.csv_field, schema.names)) + "\n").encode())

    def write_table(self, table: Any) -> None:
        text = io.StringIO()
        lines = self._lines
        for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
            line = lines.get(row)
            if line is None:
                line = lines[row] = self._line(row)
                if len(lines) > 100_000:  # with additive rules, few rows share a line
                    lines.clear()
            text.write(line)
        self._file.write(text.getvalue().encode())

    def _line(self, row: tuple[Any, ...]) -> str:
        prediction, probability, rule, *others = row
        fields = [self._field(str(prediction)), _core.shortest(probability), str(rule)]
        return ",".join([*fields, *map(_text, others)]) + "\n"

    def close(self) -> None:
        self._file.flush()


class Output:
    """A table that is written to a temporary file, which replaces the file at `path` at the end if
    nothing went wrong."""

    def __init__(
        self, path: str | os.PathLike[str], schema: Any, spreadsheet: bool = False
    ) -> None:
        self._path = check_output(path)
        self._schema = schema
        self._spreadsheet = spreadsheet
        self._replacement: _core.FileReplacement | None = None
        self._file: BinaryIO | None = None
        self._writer: Any = None

    def __enter__(self) -> Self:
        try:
            with _as_os_error():
                self._replacement = _core.FileReplacement(os.fsencode(self._path))
            self._file = open(self._replacement.fileno(), "wb", closefd=False)
            suffix = self._path.suffix.lower()
            if suffix == ".csv":
                self._writer = CsvWriter(self._file, self._schema, self._spreadsheet)
            elif suffix == ".parquet":
                self._writer = pq.ParquetWriter(self._file, self._schema)
            else:
                self._writer = pa.ipc.new_file(self._file, self._schema)
        except BaseException:
            self._abandon()
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
            assert self._replacement is not None
            self._writer.close()
            self._file.close()
            with _as_os_error():
                self._replacement.commit()
        finally:
            self._abandon()

    def _abandon(self) -> None:
        """Closes everything; discards the file unless it has been committed."""
        for opened in (self._writer, self._file):
            with contextlib.suppress(OSError, ValueError, pa.ArrowException):
                if opened is not None:
                    opened.close()
        if self._replacement is not None:
            self._replacement.abandon()


@contextlib.contextmanager
def _as_os_error() -> Iterator[None]:
    """Raises failures of the library to write a file as OSError."""
    try:
        yield
    except ValueError as error:
        raise OSError(str(error)) from error
