"""Solved tables on disk: arrays mapped into memory, refused when damaged or of another game.

A folder holds the tables of one game, one file each, and `manifest.json`, which is written last: a folder without it is not
finished.  A file is, with all numbers little-endian:

    bytes 0–7     LUDOTABL
    8–11          format version (1)
    12–15         length of the JSON description
    16–19         length of the head, a multiple of 4096; the data begin there
    20–23         CRC-32 of the head with these four bytes zero
    24 …          JSON description: game, rules, layout, name, encoding, dtype, shape, segment, meta
    then          CRC-32 of every segment of the data, 4 bytes each; zeros up to the end of the head
    then          the data: the array's entries and nothing else

Files are written under a temporary name and renamed.  The manifest has the size and a checksum of the head of every file,
so manifest, heads and segments vouch for each other: one changed byte anywhere is noticed.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import struct
import threading
import weakref
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ludometer.core.errors import LudometerError, shorten
from ludometer.core.files import reason, replacing
from ludometer.core.game import Game
from ludometer.core.stopping import Stop

MAGIC = b"LUDOTABL"
FORMAT = 1
SEGMENT = 1 << 20  # bytes of data under one checksum
SUFFIX = ".table"
MOST_MAPPED = 64  # files mapped into memory at a time, a descriptor each; more than a probe of any game needs

_PREFIX = struct.Struct("<8sIIII")
_PAGE = 4096
_LONGEST_HEAD = 1 << 28


class TableError(LudometerError):
    """A table that cannot be used."""


class MissingTable(TableError):
    """No finished table in this place."""


class DamagedTable(TableError):
    """A table with bytes that are not what was written."""


class ForeignTable(TableError):
    """A table of another game, other rules, another program or another version of the format."""


@dataclass(frozen=True)
class Origin:
    """The game, rules and layout that all files of a folder share."""

    game: str  # spec
    rules: str  # see `core.rules_stamp`
    layout: str  # which tables there are and what their entries mean, with a version number
    older_rules: tuple[str, ...] = field(default=(), compare=False)  # stamps that earlier versions gave to the same rules

    @classmethod
    def of(cls, game: Game, layout: str) -> Origin:
        from ludometer.core.rules_stamp import older_stamps, rules_stamp

        return cls(game.spec, rules_stamp(game), layout, older_stamps(game))

    def check(self, found: Mapping[str, Any], file: Path) -> None:
        """Raise ForeignTable when a description read from `file` is not of this origin."""
        if found.get("game") != self.game:
            raise ForeignTable(f"{shown(file)} is of {shorten(str(found.get('game')))}, not of {self.game}")
        if found.get("rules") not in (self.rules, *self.older_rules):
            raise ForeignTable(f"{shown(file)} was made with other rules of {self.game}; solve it again into another folder")
        if found.get("layout") != self.layout:
            raise ForeignTable(f"{shown(file)} has layout {shorten(str(found.get('layout')))}, this program reads {self.layout!r}")


# ---- one file ----


def write_table(
    folder: Path,
    name: str,
    array: np.ndarray,
    origin: Origin,
    encoding: str,
    meta: Mapping[str, Any],
    stop: Stop | None = None,
) -> Path:
    """Write an array as `name`.table, whole or not at all; replaces an older file.  Equal arguments give equal bytes.

    Raises TableError, and Stopped when asked to by `stop`.
    """
    array = np.asarray(array, array.dtype.newbyteorder("<"), order="C")
    data = array.reshape(-1).view(np.uint8)

    def segments() -> Iterator[memoryview]:
        for begin in range(0, data.size, SEGMENT):
            if stop is not None:
                stop.check(f"writing {name}")
            yield data[begin : begin + SEGMENT].data

    checksums = [zlib.crc32(segment) for segment in segments()]
    description = {
        "game": origin.game, "rules": origin.rules, "layout": origin.layout, "name": name, "encoding": encoding,
        "dtype": array.dtype.str, "shape": array.shape, "segment": SEGMENT, "meta": meta,
    }  # fmt: skip
    head = make_head(MAGIC, description, struct.pack(f"<{len(checksums)}I", *checksums), _PAGE)
    file = folder / f"{name}{SUFFIX}"
    replace(file, chain([head], segments()))
    return file


def make_head(magic: bytes, description: Mapping[str, Any], further: bytes, multiple: int) -> bytes:
    """The head of a file: the prefix with a checksum of the head, the description, `further`, and zeros up to a multiple of `multiple`."""
    text = json.dumps(description, sort_keys=True).encode()
    content = text + further
    length = -(-(_PREFIX.size + len(content)) // multiple) * multiple
    content += bytes(length - _PREFIX.size - len(content))
    checksum = zlib.crc32(content, zlib.crc32(_PREFIX.pack(magic, FORMAT, len(text), length, 0)))
    return _PREFIX.pack(magic, FORMAT, len(text), length, checksum) + content


def read_head(file: Path, magic: bytes) -> tuple[bytes, bytes, tuple[int, ...]]:
    """(the head, the text of the description, the identity of the file, see `file_identity`); raises TableError."""
    with opened(file) as stream:
        identity = file_identity(stream.fileno())
        size = identity[0]
        prefix = stream.read(_PREFIX.size)
        if prefix[: len(magic)] != magic:
            raise ForeignTable(f"{shown(file)} is not a table of ludometer, or its beginning is damaged")
        if len(prefix) < _PREFIX.size:
            raise damaged(file, f"it has only {size} bytes")
        _, version, text_length, length, checksum = _PREFIX.unpack(prefix)
        if version != FORMAT:
            raise ForeignTable(f"{shown(file)} has format {version}, this program reads format {FORMAT}; solve the game again")
        if not _PREFIX.size + text_length <= length <= min(size, _LONGEST_HEAD):
            raise damaged(file, f"its head should have {length:,} bytes")
        content = stream.read(length - _PREFIX.size)
    if zlib.crc32(content, zlib.crc32(_PREFIX.pack(magic, FORMAT, text_length, length, 0))) != checksum:
        raise damaged(file, "the checksum of its head does not agree")
    return prefix + content, content[:text_length], identity


class TableFile:
    """An array in a file, mapped into memory while it is used.  Opening checks size and head; `item` checks a segment before its first use.

    Safe to use from several threads.  Raises MissingTable, DamagedTable or ForeignTable.
    """

    def __init__(self, file: Path, origin: Origin | None = None) -> None:
        self.file = file
        head, text, self._identity = read_head(file, MAGIC)
        size = self._identity[0]
        try:
            description = json.loads(text)
            self.name: str = description["name"]
            self.encoding: str = description["encoding"]
            self.meta: dict[str, Any] = description["meta"]
            self.segment: int = description["segment"]
            self.dtype, self.shape = np.dtype(description["dtype"]), tuple(description["shape"])
        except (ValueError, KeyError, TypeError) as error:
            raise damaged(file, "its description cannot be read") from error
        if origin is not None:
            origin.check(description, file)
        self.head_checksum = hashlib.sha256(head).hexdigest()[:16]
        self.bytes = size
        self._begin = len(head)
        self._count = int(np.prod(self.shape, dtype=np.int64))
        self._size = self._count * self.dtype.itemsize
        if size != self._begin + self._size:
            raise damaged(file, f"it has {size:,} bytes instead of {self._begin + self._size:,}")
        self._checksums = np.frombuffer(head, "<u4", -(-self._size // self.segment), _PREFIX.size + len(text))
        self._good = np.zeros(len(self._checksums), bool)  # segments whose checksum was compared
        self._guard = threading.Lock()
        self._flat: np.ndarray | None = None  # the entries, while the file is mapped
        self.used = False  # since the maps were last looked through, see `_Maps`

    def _mapped(self) -> np.ndarray:
        """The entries, mapped into memory; the array stays valid after `let_go`."""
        flat = self._flat
        if flat is not None:
            self.used = True
            return flat
        with opened(self.file) as stream:
            if file_identity(stream.fileno()) != self._identity:
                raise DamagedTable(f"{shown(self.file)} was replaced while it was in use; open it again")
            if self._count:
                # Copy on write: compiled code then takes mapped and ordinary arrays for the same type, and the file cannot be changed.
                whole = mmap.mmap(stream.fileno(), self.bytes, access=mmap.ACCESS_COPY)
                flat = np.frombuffer(whole, self.dtype, self._count, self._begin)
            else:
                flat = np.empty(0, self.dtype)
        self._flat = flat
        _maps.add(self)
        return flat

    def let_go(self) -> None:
        """Unmap the file as soon as no array of it is in use; it is mapped again on demand."""
        self._flat = None

    def item(self, index: int) -> Any:
        """The entry with this flat index, from a segment whose checksum agrees; raises DamagedTable."""
        flat = self._flat
        if flat is None:
            flat = self._mapped()
        self.used = True
        number = index * flat.itemsize // self.segment
        if not self._good[number]:
            self._check(flat, number)
        return flat.item(index)

    def take(self, indices: np.ndarray) -> np.ndarray:
        """The entries with these flat indices (int64, any order), from segments whose checksums agree; raises DamagedTable."""
        flat = self._mapped()
        for number in np.unique(indices * flat.itemsize // self.segment).tolist():
            if not self._good[number]:
                self._check(flat, number)
        taken: np.ndarray = flat[indices]
        return taken

    def array(self) -> np.ndarray:
        """The whole array, all checksums compared; raises DamagedTable."""
        flat = self._mapped()
        for number in np.flatnonzero(~self._good):
            self._check(flat, int(number))
        return flat.reshape(self.shape)

    def check_all(self) -> None:
        """Raise DamagedTable unless all checksums agree."""
        self.array()

    @property
    def unchecked(self) -> np.ndarray:
        """The whole array as it lies on the disk."""
        return self._mapped().reshape(self.shape)

    def bad_segments(self, stop: Stop | None = None) -> list[int]:
        """Numbers of the segments, from 0, whose checksum does not agree; reads everything again.  Raises Stopped."""
        flat = self._mapped()
        bad = []
        for number in range(len(self._checksums)):
            if stop is not None:
                stop.check(f"reading {self.name}")
            if not self._agrees(flat, number):
                bad.append(number)
        return bad

    def _agrees(self, flat: np.ndarray, number: int) -> bool:
        part = flat.view(np.uint8)[number * self.segment : (number + 1) * self.segment]
        return zlib.crc32(part.data) == int(self._checksums[number])

    def _check(self, flat: np.ndarray, number: int) -> None:
        with self._guard:
            if self._good[number]:  # another thread was faster
                return
            if not self._agrees(flat, number):
                raise damaged(self.file, f"the checksum of segment {number + 1} of {len(self._checksums)} does not agree")
            self._good[number] = True


class _Maps:
    """The mapped files, at most `most`, since each costs a descriptor; evicts by the clock algorithm."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._waiting: deque[weakref.ref[TableFile]] = deque()  # in the order in which they will be looked at
        self._guard = threading.Lock()

    def add(self, table: TableFile) -> None:
        with self._guard:
            while len(self._waiting) >= self.most:
                oldest = self._waiting.popleft()()
                if oldest is None:
                    continue
                if oldest.used:  # a second chance
                    oldest.used = False
                    self._waiting.append(weakref.ref(oldest))
                else:
                    oldest.let_go()
            self._waiting.append(weakref.ref(table))


_maps = _Maps(MOST_MAPPED)


def file_identity(descriptor: int) -> tuple[int, ...]:
    """(size, and what changes when a file is replaced)."""
    found = os.fstat(descriptor)
    return found.st_size, found.st_dev, found.st_ino, found.st_mtime_ns


@contextmanager
def opened(file: Path) -> Iterator[BinaryIO]:
    try:
        with open(file, "rb") as stream:
            yield stream
    except FileNotFoundError as error:
        raise MissingTable(f"there is no table {shown(file)}") from error
    except OSError as error:
        raise TableError(f"cannot read {shown(file)}: {reason(error)}") from error


def replace(file: Path, parts: Iterable[Any], durable: bool = False) -> None:
    """Write a file of these parts, whole or not at all; raises TableError."""
    try:
        with replacing(file, durable) as stream:
            for part in parts:
                stream.write(part)
    except OSError as error:
        raise TableError(f"cannot write {shown(file)}: {reason(error)}") from error


def damaged(file: Path, how: str) -> DamagedTable:
    """The error for a file whose bytes are not what was written."""
    return DamagedTable(f"{shown(file)} is damaged: {how}; delete it and solve the game again")


def shown(path: Path) -> str:
    """A path as messages quote it."""
    return shorten(str(path), 120)
