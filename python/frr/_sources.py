"""Parquet and Arrow files: their columns, and their rows in parts."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._arrow import ds, pa, pq
from ._frames import is_arrow_name, is_arrow_number

ENDINGS = (".parquet", ".arrow", ".feather")
_MAGIC = {b"PAR1": "Parquet", b"ARROW1": "Arrow"}
# Memory of a Parquet reader per column: a buffer of the file and some pages.
_BUFFER, _PAGE = 1 << 18, 1 << 20
# A string of unknown length, in pyarrow and in Python, and its codes.
_TEXT_BYTES = 160
_ROW_OVERHEAD = 64


def form_of(path: str | os.PathLike[str]) -> str | None:
    """Parquet or Arrow, by the first bytes of the file; None for anything else."""
    with open(path, "rb") as file:
        head = file.read(6)
    return next((form for magic, form in _MAGIC.items() if head.startswith(magic)), None)


def kind_of(kind: Any) -> str | None:
    """The kind of a pyarrow type: "numbers", "names", "truth values" or "nothing"; None if FRR
    cannot learn from it."""
    if pa.types.is_null(kind):
        return "nothing"
    if is_arrow_number(kind):
        return "numbers"
    if pa.types.is_boolean(kind):
        return "truth values"
    if pa.types.is_dictionary(kind):
        return "names" if kind_of(kind.value_type) is not None else None
    return "names" if is_arrow_name(kind) else None


def _row_bytes(kind: Any) -> int:
    """Bytes per value: in pyarrow, and converted to a number or code."""
    if is_arrow_number(kind):
        plain = pa.types.is_float64(kind) or pa.types.is_float32(kind)
        return int(kind.bit_width // 8 + (1 if plain else 9) + 8)
    return 24 if kind_of(kind) in ("nothing", "truth values") else _TEXT_BYTES


class Changed(ValueError):
    """A file that has changed while it was read."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} has changed while it was read; its rows must stay the same")


# ---- Files ---------------------------------------------------------------------------------------


class Rows:
    """Rows in groups that can be read independently."""

    name: str
    schema: Any
    groups: list[int]  # rows of each group
    whole_rows = 0  # most rows that can only be decoded together

    def stream_bytes(self, columns: Sequence[str]) -> int:
        """Bytes that reading takes in addition to the rows that it yields."""
        return 0

    def read(
        self, groups: Sequence[int], columns: Sequence[str], rows: int, threads: bool
    ) -> Iterator[Any]:
        """The record batches of the groups, in order, each of at most about `rows` rows."""
        raise NotImplementedError


def _stamp(path: str) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_size, status.st_mtime_ns


class _File(Rows):
    def __init__(self, path: str) -> None:
        self.name = path
        self._stamp = _stamp(path)

    def _check(self) -> None:
        try:
            same = _stamp(self.name) == self._stamp
        except FileNotFoundError:
            same = False
        if not same:
            raise Changed(self.name)


class ParquetRows(_File):
    def __init__(self, path: str) -> None:
        super().__init__(path)
        with pq.ParquetFile(path) as file:
            self.schema = file.schema_arrow
            about = file.metadata
            self.groups = [about.row_group(i).num_rows for i in range(about.num_row_groups)]
            self._held = self._held_by_readers(about)
        self._about: Any = None

    @staticmethod
    def _held_by_readers(about: Any) -> dict[str, int]:
        """For each column, at most a buffer, a page (compressed and decompressed) and a
        dictionary."""
        held: dict[str, int] = {}
        for i in range(about.num_row_groups):
            group = about.row_group(i)
            for j in range(group.num_columns):
                chunk = group.column(j)
                packed, plain = chunk.total_compressed_size, chunk.total_uncompressed_size
                size = min(packed, _BUFFER + _PAGE) + 2 * min(plain, _PAGE)
                held[chunk.path_in_schema] = max(held.get(chunk.path_in_schema, 0), size)
        return held

    def stream_bytes(self, columns: Sequence[str]) -> int:
        return sum(self._held.get(name, 0) for name in columns)

    def read(
        self, groups: Sequence[int], columns: Sequence[str], rows: int, threads: bool
    ) -> Iterator[Any]:
        self._check()
        texts = [
            name
            for name in columns
            if pa.types.is_string(kind := self.schema.field(name).type)
            or pa.types.is_large_string(kind)
        ]
        # Reads a column page by page, not as a whole.
        with pq.ParquetFile(
            self.name,
            metadata=self._about,
            read_dictionary=texts,
            buffer_size=_BUFFER,
            pre_buffer=False,
            memory_map=False,
        ) as file:
            self._about = file.metadata
            yield from file.iter_batches(
                batch_size=rows, row_groups=list(groups), columns=list(columns), use_threads=threads
            )


class ArrowRows(_File):
    def __init__(self, path: str) -> None:
        super().__init__(path)
        with pa.memory_map(path) as file:
            self.schema = pa.ipc.open_file(file).schema
            about = list(_record_batches(file))
        self.groups = [rows for rows, _ in about]
        self._packed = any(packed for _, packed in about)
        self.whole_rows = max(self.groups, default=0) if self._packed else 0

    def read(
        self, groups: Sequence[int], columns: Sequence[str], rows: int, threads: bool
    ) -> Iterator[Any]:
        self._check()
        places = [self.schema.get_field_index(name) for name in columns]
        for group in groups:
            if self._packed or self.groups[group] <= 2 * rows:
                with pa.OSFile(self.name) as file:
                    yield _open_arrow(file, places).get_batch(group).select(list(columns))
                continue
            # Only the current rows of a large batch are loaded. The file is mapped again for each
            # part, so that earlier parts do not remain in memory.
            for first in range(0, self.groups[group], rows):
                with pa.memory_map(self.name) as file:
                    # All columns, because selecting some would copy them.
                    batch = _open_arrow(file, []).get_batch(group).select(list(columns))
                    yield batch.slice(first, rows)


def _open_arrow(file: Any, places: list[int]) -> Any:
    # Without threads, because several readers work in parallel.
    options = pa.ipc.IpcReadOptions(included_fields=sorted(places), use_threads=False)
    return pa.ipc.open_file(file, options=options)


def _record_batches(file: Any) -> Iterator[tuple[int, bool]]:
    """(rows, whether they are compressed) of each record batch, without decoding any."""
    file.seek(8)  # after "ARROW1" and padding
    for message in pa.ipc.MessageReader.open_stream(file):
        if message.type == "record batch":
            yield _rows_and_packing(message.metadata.to_pybytes())


def _rows_and_packing(message: bytes) -> tuple[int, bool]:
    """Reads the metadata of a record batch, a flatbuffer: Message.header (field 2) is a
    RecordBatch, whose field 0 is its length and field 3 its compression."""

    def number(form: str, at: int) -> int:
        return int(struct.unpack_from(form, message, at)[0])

    def field(table: int, index: int) -> int | None:
        fields = table - number("<i", table)
        if 4 + 2 * index >= number("<H", fields):
            return None
        offset = number("<H", fields + 4 + 2 * index)
        return table + offset if offset else None

    header = field(number("<I", 0), 2)
    if header is None:
        raise ValueError("a record batch without a header")
    batch = header + number("<I", header)
    length = field(batch, 0)
    return 0 if length is None else number("<q", length), field(batch, 3) is not None


class FragmentRows(Rows):
    """A pyarrow.dataset.Dataset, or a fragment of one."""

    def __init__(self, name: str, schema: Any, parts: list[tuple[int, Any]]) -> None:
        self.name, self.schema = name, schema
        self.groups = [rows for rows, _ in parts]
        self._parts = [part for _, part in parts]

    def stream_bytes(self, columns: Sequence[str]) -> int:
        return len(columns) * (_BUFFER + 3 * _PAGE)

    def read(
        self, groups: Sequence[int], columns: Sequence[str], rows: int, threads: bool
    ) -> Iterator[Any]:
        for group in groups:
            part = self._parts[group]
            options: dict[str, Any] = {"batch_readahead": 1, "fragment_readahead": 1}
            if isinstance(part, ds.ParquetFileFragment):
                options["fragment_scan_options"] = ds.ParquetFragmentScanOptions(
                    use_buffered_stream=True, buffer_size=_BUFFER, pre_buffer=False
                )
            if isinstance(part, ds.Fragment):
                options["schema"] = self.schema
            yield from part.to_batches(
                columns=list(columns), batch_size=rows, use_threads=threads, **options
            )


def _dataset_rows(dataset: Any) -> list[Rows]:
    try:
        fragments = list(dataset.get_fragments())
    except ValueError:  # filtered, so it can only be read as a whole
        return [FragmentRows("the dataset", dataset.schema, [(dataset.count_rows(), dataset)])]
    result: list[Rows] = []
    for number, fragment in enumerate(fragments):
        name = getattr(fragment, "path", "") or f"fragment {number} of the dataset"
        if isinstance(fragment, ds.ParquetFileFragment):
            split = fragment.split_by_row_group()
            parts = [(sum(group.num_rows for group in one.row_groups), one) for one in split]
        else:
            parts = [(fragment.count_rows(), fragment)]
        result.append(FragmentRows(name, dataset.schema, parts))
    return result


# ---- Finding files -------------------------------------------------------------------------------


def _is_hidden(path: Path, root: Path) -> bool:
    """Whether other programs leave such files: _SUCCESS, _metadata, .crc and the like."""
    return any(part.startswith((".", "_")) for part in path.relative_to(root).parts)


def _listed(root: Path) -> list[str]:
    paths = [path for path in root.rglob("*") if path.is_file() and not _is_hidden(path, root)]
    paths.sort(key=lambda path: path.relative_to(root).parts)
    for path in paths:
        if path.suffix.lower() not in ENDINGS:
            raise ValueError(
                f"the directory {root} contains {path.relative_to(root)} in addition to Parquet "
                f"and Arrow files ({', '.join(ENDINGS)}); give a directory that contains only such "
                "files, or a list of files"
            )
    if not paths:
        raise ValueError(f"the directory {root} contains no Parquet or Arrow file")
    return [str(path) for path in paths]


def _open(path: str) -> Rows:
    form = form_of(path)
    if form is None:
        raise ValueError(
            f"{path} is neither a Parquet file nor an Arrow file (IPC file format, not stream "
            "format); is it complete?"
        )
    try:
        return ParquetRows(path) if form == "Parquet" else ArrowRows(path)
    except (pa.ArrowException, OSError, struct.error) as error:
        raise ValueError(f"{path} cannot be read as a file of {form}: {error}") from error


def _rows_of(source: Any) -> list[Rows]:
    if isinstance(source, ds.Dataset):
        return _dataset_rows(source)
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        return [_open(name) for name in (_listed(path) if path.is_dir() else [os.fspath(source)])]
    if isinstance(source, Iterable):
        given = list(source)
        if given and all(isinstance(one, str | os.PathLike) for one in given):
            return [rows for one in given for rows in _rows_of(one)]
    raise TypeError(
        "source must be a path, a list of paths or a pyarrow.dataset.Dataset, got "
        f"{type(source).__name__}" + (" without entries" if source in ([], ()) else "")
    )


# ---- All of them as one table --------------------------------------------------------------------


@dataclass(frozen=True)
class Piece:
    """Consecutive groups of one file."""

    rows: Rows
    groups: list[int]
    first: int  # row of the file

    @property
    def count(self) -> int:
        return sum(self.rows.groups[group] for group in self.groups)


@dataclass(frozen=True)
class Unit:
    """Rows that one reader reads in one go, divided into shards."""

    pieces: list[Piece]
    first_shard: int
    sizes: list[int]  # rows of its shards

    @property
    def count(self) -> int:
        return sum(self.sizes)

    def place(self, row: int) -> tuple[str, int]:
        """The file and the number in it of a row of the unit; both rows count from 0."""
        for piece in self.pieces:
            if row < piece.count:
                return piece.rows.name, piece.first + row
            row -= piece.count
        return self.pieces[-1].rows.name, row


class Source:
    """All rows of a source, and the columns that its files have in common."""

    def __init__(self, source: Any) -> None:
        self.parts = _rows_of(source)
        self.rows = sum(sum(part.groups) for part in self.parts)
        self.columns: list[str] = []
        self.kinds: dict[str, str] = {}
        self._floats: set[str] = set()

    @property
    def names(self) -> list[str]:
        """The columns of the first file, except those of a pandas index."""
        return _names_of(self.parts[0])

    def choose(
        self, columns: Sequence[str], loose: Iterable[str] = (), labels: str | None = None
    ) -> None:
        """Sets the columns to read, and checks that all files have them with the same type.

        `loose`: categorical columns, which may contain numbers in one file and strings in another.
        `labels`: the column of the classes, which must have one type in all files.
        """
        self.columns = list(columns)
        free = set(loose)
        first: dict[str, tuple[str, Any]] = {}
        self.kinds = dict.fromkeys(columns, "nothing")
        for part in self.parts:
            for name in columns:
                kind, found = self._type(part, name)
                if kind == "nothing":
                    continue
                other, before = first.setdefault(name, (part.name, found))
                self.kinds[name] = kind_of(before) or "nothing"
                if self.kinds[name] != kind and name not in free:
                    raise ValueError(
                        f"column {name!r} is of type {before} in {other} and of type {found} in "
                        f"{part.name}; convert it to the same type in all files"
                    )
                whole = pa.types.is_integer(found), pa.types.is_integer(before)
                if name == labels and kind == "numbers" and whole[0] != whole[1]:
                    self._floats.add(name)

    def check_others(self, ignored: Iterable[str]) -> None:
        """Checks that no file has columns that are neither read nor ignored."""
        known = {*self.columns, *ignored}
        for part in self.parts:
            for name in _names_of(part):
                if name not in known:
                    raise ValueError(
                        f"{part.name} has a column {name!r}, which {self.parts[0].name} lacks; "
                        "give all files the same columns, or ignore it"
                    )

    def _type(self, part: Rows, name: str) -> tuple[str, Any]:
        found = part.schema.get_all_field_indices(name)
        if not found:
            raise ValueError(
                f"{part.name} has no column {name!r}; its columns are "
                f"{', '.join(map(repr, _names_of(part)[:20]))}"
            )
        if len(found) > 1:
            raise ValueError(f"{part.name} has {len(found)} columns named {name!r}; rename them")
        kind = part.schema.field(found[0]).type
        meaning = kind_of(kind)
        if meaning is None:
            raise TypeError(
                f"column {name!r} of {part.name} is of type {kind}; give numbers or names (convert "
                "dates to numbers such as days first), or ignore it"
            )
        return meaning, kind

    def _types(self, part: Rows) -> list[Any]:
        return [part.schema.field(name).type for name in self.columns]

    def _alike(self, one: Rows, other: Rows) -> bool:
        """Whether batches of both fit into one table; the formats read names differently."""
        return type(one) is type(other) and self._types(one) == self._types(other)

    def row_bytes(self) -> int:
        """Bytes per row of the chosen columns, at most."""
        return _ROW_OVERHEAD + sum(
            max(map(_row_bytes, kinds)) for kinds in zip(*map(self._types, self.parts), strict=True)
        )

    def stream_bytes(self) -> int:
        return max(part.stream_bytes(self.columns) for part in self.parts)

    def whole_rows(self) -> int:
        return max(part.whole_rows for part in self.parts)

    def units(self, rows: int) -> list[Unit]:
        """All rows in order: small groups combined, large ones in shards of at most `rows` rows."""
        units: list[Unit] = []
        pieces: list[Piece] = []
        shards = 0

        def close() -> None:
            nonlocal shards
            count = sum(piece.count for piece in pieces)
            if count == 0:
                return
            parts = -(-count // rows)
            size = -(-count // parts)
            sizes = [min(size, count - first) for first in range(0, count, size)]
            units.append(Unit(list(pieces), shards, sizes))
            shards += len(sizes)

        for part in self.parts:
            if pieces and not self._alike(part, pieces[-1].rows):
                close()
                pieces = []
            first = 0
            for group, count in enumerate(part.groups):
                if count > 0:
                    together = bool(pieces) and pieces[-1].rows is part
                    if together:
                        pieces[-1].groups.append(group)
                    else:
                        pieces.append(Piece(part, [group], first))
                    if sum(piece.count for piece in pieces) >= rows // 2:
                        close()
                        pieces = []
                first += count
        close()
        return units

    def tables(
        self, unit: Unit, columns: Sequence[str], *, threads: bool = False
    ) -> Generator[Any, None, None]:
        """The shards of a unit in order, with some of the chosen columns."""
        rows = max(unit.sizes)

        def batches() -> Iterator[Any]:
            for piece in unit.pieces:
                try:
                    yield from piece.rows.read(piece.groups, columns, rows, threads)
                except (pa.ArrowException, OSError) as error:
                    raise ValueError(f"{piece.rows.name} cannot be read: {error}") from error

        for parts in cut(batches(), unit.sizes, lambda: Changed(unit.pieces[0].rows.name)):
            yield self._together(parts, columns)

    def _together(self, batches: list[Any], columns: Sequence[str]) -> Any:
        arrays = []
        for name in columns:
            chunks = [batch.column(name) for batch in batches]
            if name in self._floats:
                chunks = [chunk.cast(pa.float64(), safe=False) for chunk in chunks]
            arrays.append(_joined(chunks))
        return pa.table(arrays, names=list(columns))


def _names_of(part: Rows) -> list[str]:
    about = part.schema.pandas_metadata or {}
    index = {name for name in about.get("index_columns", []) if isinstance(name, str)}
    return [name for name in part.schema.names if name not in index]


def _joined(chunks: list[Any]) -> Any:
    return chunks[0] if len(chunks) == 1 else pa.chunked_array(chunks).combine_chunks()


def cut(
    batches: Iterator[Any], sizes: Iterable[int], ended: Callable[[], Exception]
) -> Iterator[list[Any]]:
    """Record batches divided into parts with these numbers of rows."""
    batches = (batch for batch in batches if batch.num_rows > 0)
    rest: Any = None
    for size in sizes:
        parts: list[Any] = []
        missing = size
        while missing > 0:
            batch = rest if rest is not None else next(batches, None)
            if batch is None:
                raise ended()
            parts.append(batch.slice(0, missing))
            rest = batch.slice(missing) if batch.num_rows > missing else None
            missing -= parts[-1].num_rows
        yield parts
    if rest is not None or next(batches, None) is not None:
        raise ended()
