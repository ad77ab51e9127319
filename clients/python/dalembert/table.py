"""Rows and columns of results, from JSON or from a stream in numpy's binary format."""

from __future__ import annotations

import array
import ast
import json
import struct
import sys
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple

from .errors import BadAnswer

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

NPY = "application/x-npy"
WORDS = ("state", "reason")  # columns of members
NATIVE = "<" if sys.byteorder == "little" else ">"


class Table(Mapping[str, Any]):
    """The columns of a result by name, in order: table["x"].

    A column of numbers is a numpy array if numpy is installed, else an array.array("d"); a missing
    value is NaN. The words of `state` and `reason` are str or None. dict(table) suits
    pandas.DataFrame.
    """

    def __init__(self, columns: Dict[str, Any], shape: Tuple[int, ...], about: Mapping[str, Any]):
        self._columns = columns
        self.shape = shape  # (rows,), or for a grid of members the length of each axis
        self.units: Dict[str, str] = dict(about.get("units", {}))  # of the columns that have one
        # False: the run goes on, or ended before its end
        self.complete: bool = bool(about.get("complete", False))
        # the terminal event that ended the run
        self.ended_by: Optional[str] = about.get("ended_by")
        self.downsampled: bool = bool(about.get("downsampled", False))  # `points` has omitted rows
        # for a grid: path and values of each axis
        self.axes: List[Dict[str, Any]] = list(about.get("axes", ()))
        self.next: Optional[str] = about.get("next")  # `cursor` of the next page

    def __getitem__(self, name: str) -> Any:
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(f'no column "{name}" among {", ".join(self._columns)}') from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def n_rows(self) -> int:
        rows = 1
        for length in self.shape:
            rows *= length
        return rows

    def rows(self) -> Iterator[Dict[str, Any]]:
        """Each row by column name, its numbers as float."""
        columns = [column.reshape(-1).tolist() if hasattr(column, "reshape")
                   else column for column in self.values()]
        for row in zip(*columns):
            yield dict(zip(self, row))

    def __repr__(self) -> str:
        size = " x ".join(map(str, self.shape))
        return (f"<Table of {size} rows: "
                f"{', '.join(self)}{'' if self.complete else ' (not complete)'}>")


def _numbers(values: Iterable[Any], shape: Tuple[int, ...]) -> Any:
    column = array.array("d", values)
    return column if numpy is None else numpy.array(column).reshape(shape)


def _words(values: List[Optional[str]], shape: Tuple[int, ...]) -> Any:
    return values if numpy is None else numpy.array(values, dtype=object).reshape(shape)


def _flat(values: Any, depth: int) -> List[Any]:
    for _ in range(depth - 1):
        values = [entry for part in values for entry in part]
    return list(values)


def to_array(values: List[Any]) -> Any:
    """A list of numbers and null as an array."""
    return _numbers((float("nan") if value is None else value for value in values), (len(values),))


def read_json_table(body: bytes) -> Table:
    """A result as JSON."""
    try:
        found = json.loads(body, parse_int=float)  # an int would lose the sign of -0
        names, series = found["columns"], found["series"]
        shape = tuple(len(axis["values"]) for axis in found.get("axes", ()))
        shape = shape or (len(series[names[0]]) if names else 0,)
        columns: Dict[str, Any] = {}
        for name in names:
            values = _flat(series[name], len(shape))
            if name in WORDS and all(value is None or isinstance(value, str) for value in values):
                columns[name] = _words(values, shape)
            else:
                columns[name] = _numbers((float("nan") if value is None
                                          else value for value in values), shape)
        return Table(columns, shape, found)
    except (ValueError, KeyError, TypeError, AttributeError) as cause:
        raise BadAnswer(f"a result that is none: {body[:80]!r}") from cause


class NpyReader:
    """A structured array of numpy, read as its pieces arrive."""

    def __init__(self, pieces: Iterable[bytes]):
        self._pieces = iter(pieces)
        self._buffer = bytearray()
        self._read_header()

    def _need(self, size: int) -> bytes:
        """The next bytes."""
        while len(self._buffer) < size:
            piece = next(self._pieces, None)
            if piece is None:
                raise BadAnswer("the array ends before its end")
            self._buffer += piece
        taken = bytes(memoryview(self._buffer)[:size])
        del self._buffer[:size]
        return taken

    def _read_header(self) -> None:
        if self._need(6) != b"\x93NUMPY":
            raise BadAnswer("this is no array of numpy's")
        version = self._need(2)[0]
        size = struct.unpack("<H", self._need(2))[0] if version == 1 else struct.unpack(
            "<I", self._need(4))[0]
        try:
            header = ast.literal_eval(self._need(size).decode("utf-8").strip())
            self.names: List[str] = [name for name, _ in header["descr"]]
            self.formats: List[str] = [form for _, form in header["descr"]]
            self.shape: Tuple[int, ...] = tuple(int(length) for length in header["shape"])
        except (ValueError, KeyError, TypeError, SyntaxError, UnicodeDecodeError) as cause:
            raise BadAnswer("the header of the array is not understood") from cause
        self._orders = {form[0] for form in self.formats if form[1:] == "f8"}
        if len(self._orders) > 1 or any(form[1:] != "f8" and form[:2] != "|S"
                                        for form in self.formats):
            raise BadAnswer(f"columns of unknown types: {self.formats}")
        self.width = sum(int(form[2:]) for form in self.formats)
        self.n_rows = 1
        for length in self.shape:
            self.n_rows *= length

    def _columns(self, raw: bytes, shape: Tuple[int, ...]) -> Dict[str, Any]:
        """Splits rows into columns."""
        n = len(self.formats)
        if n == 0:  # of a job that waits
            return {}
        order = next(iter(self._orders), NATIVE)
        if numpy is not None:
            table = numpy.frombuffer(raw, numpy.dtype(list(zip(self.names, self.formats)))).reshape(
                shape)
            found = [numpy.ascontiguousarray(table[name]) for name in self.names]
            return {
                name: column.astype(float, copy=False) if column.dtype.kind == "f"
                else self._decode(column.reshape(-1), shape)
                for name, column in zip(self.names, found)
            }
        if all(form[1:] == "f8" for form in self.formats):
            every = array.array("d")
            every.frombytes(raw)
            if order != NATIVE:
                every.byteswap()
            return {name: every[k::n] for k, name in enumerate(self.names)}
        layout = struct.Struct(order + "".join("d" if form[1:] == "f8"
                                               else form[2:] + "s" for form in self.formats))
        parts = list(zip(*layout.iter_unpack(raw))) or [()] * n
        return {
            name: array.array("d", part) if form[1:] == "f8" else self._decode(part, shape)
            for name, form, part in zip(self.names, self.formats, parts)
        }

    @staticmethod
    def _decode(words: Iterable[bytes], shape: Tuple[int, ...]) -> Any:
        return _words([word.rstrip(b"\0").decode() or None for word in words], shape)

    def table(self, about: Mapping[str, Any]) -> Table:
        """The whole table."""
        return Table(self._columns(self._need(self.n_rows * self.width), self.shape),
                     self.shape, about)

    def blocks(self, rows: int, about: Mapping[str, Any]) -> Iterator[Table]:
        """Tables of `rows` rows."""
        left = self.n_rows
        while left > 0:
            count = min(rows, left)
            yield Table(self._columns(self._need(count * self.width), (count,)), (count,), about)
            left -= count
