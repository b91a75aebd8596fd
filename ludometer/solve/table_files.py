"""Solved tables on disk: arrays that are probed where they lie, and are never believed when damaged or of another game.

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

import fcntl
import hashlib
import json
import mmap
import os
import re
import struct
import threading
import uuid
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ludometer.core.errors import LudometerError, shorten
from ludometer.core.game import Game

MAGIC = b"LUDOTABL"
FORMAT = 1
SEGMENT = 1 << 20  # bytes of data under one checksum
MANIFEST = "manifest.json"
LOCK = "lock"
SUFFIX = ".table"
CHECKED_AT_OPENING = 256 << 20  # folders up to this size are read whole when opened; of larger ones each segment before its first use

_PREFIX = struct.Struct("<8sIIII")
_PAGE = 4096
_LONGEST_HEAD = 1 << 28
_SYNCED_AT_ONCE = 8
_PLIES = 300  # of random play that go into the stamp of the rules


class TableError(LudometerError):
    """A table that cannot be used."""


class MissingTable(TableError):
    """There is no finished table here."""


class DamagedTable(TableError):
    """Bytes that are not what was written."""


class ForeignTable(TableError):
    """A table of another game, other rules, another program or another version of the format."""


def tables_root() -> Path:
    """Where tables are kept: `LUDOMETER_HOME`/tables, or the user's data folder."""
    home = os.environ.get("LUDOMETER_HOME")
    if home:
        return Path(home).expanduser() / "tables"
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "ludometer" / "tables"


def folder_for(game: Game, root: Path | None = None) -> Path:
    """The folder of one game's tables: its spec with everything but letters, digits and dots made a dash (`quixo-4`)."""
    return (root or tables_root()) / re.sub(r"[^A-Za-z0-9.]+", "-", game.spec).strip("-.")


@lru_cache(maxsize=64)
def rules_stamp(game: Game) -> str:
    """A hash of how the game behaves: states, legal moves and outcomes along fixed games of pseudo-random moves.

    It is taken from behaviour and not from source text, so that a rewritten comment does not make a table worthless, while other rules,
    another numbering of moves or another packing of states do.
    """
    digest = hashlib.sha256(game.spec.encode())
    position = game.start()
    word = 1
    for _ in range(_PLIES):
        seen = (_leaves(position.state), position.player, position.outcome, position.margin, position.legal)
        digest.update(repr(seen).encode())
        if position.is_over:
            position = game.start()
            continue
        word = (word * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        position = position.play(position.legal[(word >> 33) % len(position.legal)])
    return digest.hexdigest()[:16]


def _leaves(state: Any) -> list[int]:
    return [leaf for part in state for leaf in _leaves(part)] if isinstance(state, tuple) else [int(state)]


@dataclass(frozen=True)
class Origin:
    """What every file of a folder must agree on."""

    game: str  # spec
    rules: str  # see `rules_stamp`
    layout: str  # which tables there are and what their entries mean, with a version number

    @classmethod
    def of(cls, game: Game, layout: str) -> Origin:
        return cls(game.spec, rules_stamp(game), layout)

    def check(self, found: Mapping[str, Any], file: Path) -> None:
        """Raise ForeignTable when a description read from `file` is not of this origin."""
        if found.get("game") != self.game:
            raise ForeignTable(f"{_shown(file)} is of {shorten(str(found.get('game')))}, not of {self.game}")
        if found.get("rules") != self.rules:
            raise ForeignTable(f"{_shown(file)} was made with other rules of {self.game}; solve it again into another folder")
        if found.get("layout") != self.layout:
            raise ForeignTable(f"{_shown(file)} has layout {shorten(str(found.get('layout')))}, this program reads {self.layout!r}")


# ---- one file ----


def write_table(folder: Path, name: str, array: np.ndarray, origin: Origin, encoding: str, meta: Mapping[str, Any]) -> Path:
    """Write an array as `name`.table, whole or not at all; replaces an older file.  Equal arguments give equal bytes."""
    array = np.asarray(array, array.dtype.newbyteorder("<"), order="C")
    data = array.reshape(-1).view(np.uint8)
    checksums = [zlib.crc32(data[begin : begin + SEGMENT].data) for begin in range(0, data.size, SEGMENT)]
    description = {
        "game": origin.game, "rules": origin.rules, "layout": origin.layout, "name": name, "encoding": encoding,
        "dtype": array.dtype.str, "shape": array.shape, "segment": SEGMENT, "meta": meta,
    }  # fmt: skip
    text = json.dumps(description, sort_keys=True).encode()
    content = text + struct.pack(f"<{len(checksums)}I", *checksums)
    length = -(-(_PREFIX.size + len(content)) // _PAGE) * _PAGE
    content += bytes(length - _PREFIX.size - len(content))
    checksum = zlib.crc32(content, zlib.crc32(_PREFIX.pack(MAGIC, FORMAT, len(text), length, 0)))
    head = _PREFIX.pack(MAGIC, FORMAT, len(text), length, checksum) + content
    file = folder / f"{name}{SUFFIX}"
    _replace(file, (head, data.data))
    return file


class TableFile:
    """An array in a file, mapped into memory.  Opening checks size and head; `item` checks a segment before its first use.

    Raises MissingTable, DamagedTable or ForeignTable with one line that says what is wrong.
    """

    def __init__(self, file: Path, origin: Origin | None = None) -> None:
        self.file = file
        head, mapped = self._map()
        size = len(mapped)
        text_length = _PREFIX.unpack_from(head)[2]
        try:
            description = json.loads(head[_PREFIX.size : _PREFIX.size + text_length])
            self.name: str = description["name"]
            self.encoding: str = description["encoding"]
            self.meta: dict[str, Any] = description["meta"]
            self.segment: int = description["segment"]
            dtype, shape = np.dtype(description["dtype"]), tuple(description["shape"])
        except (ValueError, KeyError, TypeError) as error:
            raise _damaged(file, "its description cannot be read") from error
        if origin is not None:
            origin.check(description, file)
        self.head_checksum = hashlib.sha256(head).hexdigest()[:16]
        self.bytes = size
        count = int(np.prod(shape, dtype=np.int64))
        if size != len(head) + count * dtype.itemsize:
            raise _damaged(file, f"it has {size:,} bytes instead of {len(head) + count * dtype.itemsize:,}")
        self._checksums = np.frombuffer(head, "<u4", -(-count * dtype.itemsize // self.segment), _PREFIX.size + text_length)
        self._good = np.zeros(len(self._checksums), bool)
        self._flat = np.frombuffer(mapped, dtype, count, len(head)) if count else np.empty(0, dtype)
        self._bytes = self._flat.view(np.uint8)
        self.unchecked = self._flat.reshape(shape)

    def _map(self) -> tuple[bytes, mmap.mmap]:
        """(the head, the whole file mapped into memory)."""
        shown = _shown(self.file)
        try:
            with open(self.file, "rb") as stream:
                size = os.fstat(stream.fileno()).st_size
                prefix = stream.read(_PREFIX.size)
                if prefix[: len(MAGIC)] != MAGIC:
                    raise ForeignTable(f"{shown} is not a table of ludometer, or its beginning is damaged")
                if len(prefix) < _PREFIX.size:
                    raise _damaged(self.file, f"it has only {size} bytes")
                _, version, text_length, length, checksum = _PREFIX.unpack(prefix)
                if version != FORMAT:
                    raise ForeignTable(f"{shown} has format {version}, this program reads format {FORMAT}; solve the game again")
                if not _PREFIX.size + text_length <= length <= min(size, _LONGEST_HEAD):
                    raise _damaged(self.file, f"its head should have {length:,} bytes")
                content = stream.read(length - _PREFIX.size)
                # Copy on write: compiled code then takes mapped and ordinary arrays for the same type, and the file cannot be changed.
                mapped = mmap.mmap(stream.fileno(), size, access=mmap.ACCESS_COPY)
        except FileNotFoundError as error:
            raise MissingTable(f"there is no table {shown}") from error
        except OSError as error:
            raise TableError(f"cannot read {shown}: {_reason(error)}") from error
        if zlib.crc32(content, zlib.crc32(_PREFIX.pack(MAGIC, FORMAT, text_length, length, 0))) != checksum:
            raise _damaged(self.file, "the checksum of its head does not agree")
        return prefix + content, mapped

    def item(self, index: int) -> Any:
        """The entry with this flat index, from a segment whose checksum agrees; raises DamagedTable."""
        number = index * self._flat.itemsize // self.segment
        if not self._good[number]:
            self._check(number)
        return self._flat.item(index)

    def array(self) -> np.ndarray:
        """The whole array, all checksums compared; raises DamagedTable."""
        for number in np.flatnonzero(~self._good):
            self._check(int(number))
        return self.unchecked

    def bad_segments(self) -> list[int]:
        """Numbers of the segments whose checksum does not agree; reads everything again."""
        return [number for number in range(len(self._checksums)) if not self._agrees(number)]

    def _agrees(self, number: int) -> bool:
        part = self._bytes[number * self.segment : (number + 1) * self.segment]
        return zlib.crc32(part.data) == int(self._checksums[number])

    def _check(self, number: int) -> None:
        if not self._agrees(number):
            where = f"the checksum of segment {number + 1} of {len(self._checksums)} does not agree"
            raise _damaged(self.file, where)
        self._good[number] = True


# ---- a folder ----


@dataclass(frozen=True)
class TableFolder:
    """A finished folder of tables."""

    path: Path
    origin: Origin
    meta: dict[str, Any]  # what the solver said of all tables together
    tables: dict[str, TableFile]  # by name


def write_manifest(folder: Path, tables: Mapping[str, TableFile], origin: Origin, meta: Mapping[str, Any]) -> TableFolder:
    """Finish a folder: make its tables durable, then write the manifest.  Left-over temporary files are removed."""
    for stray in folder.glob(".*.part"):
        stray.unlink(missing_ok=True)
    with ThreadPoolExecutor(_SYNCED_AT_ONCE) as pool:
        list(pool.map(_sync, [table.file for table in tables.values()]))
    _sync(folder)
    listed = {name: {"bytes": table.bytes, "head": table.head_checksum} for name, table in tables.items()}
    content = {"format": FORMAT, "game": origin.game, "rules": origin.rules, "layout": origin.layout, "files": listed, "meta": meta}
    _replace(folder / MANIFEST, (_manifest_text(content).encode(),), durable=True)
    _sync(folder)
    return TableFolder(folder, origin, dict(meta), dict(tables))


def read_manifest(folder: Path, game: Game | None = None, layout: str | None = None) -> dict[str, Any]:
    """The manifest of a finished folder; raises MissingTable, DamagedTable or ForeignTable.  With `game`, of that game only."""
    file = folder / MANIFEST
    try:
        raw = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise MissingTable(f"there is no finished table in {_shown(folder)}") from error
    except OSError as error:
        raise TableError(f"cannot read {_shown(file)}: {_reason(error)}") from error
    try:
        manifest: dict[str, Any] = json.loads(raw)
        content = {key: value for key, value in manifest.items() if key != "checksum"}
        agrees = _manifest_text(content).encode() == raw
    except (ValueError, AttributeError) as error:
        raise _damaged(file, "it is not JSON") from error
    if not agrees:
        raise _damaged(file, "its checksum does not agree")
    if manifest["format"] != FORMAT:
        raise ForeignTable(f"{_shown(file)} has format {manifest['format']}, this program reads format {FORMAT}; solve the game again")
    if game is not None:
        Origin.of(game, layout or manifest["layout"]).check(manifest, file)
    return manifest


def open_folder(folder: Path, game: Game | None = None, layout: str | None = None) -> TableFolder:
    """The tables of a finished folder, refused when anything is damaged, missing or foreign.

    Manifest, sizes and heads are always checked.  Up to 256 MiB all data are checked too; beyond that each segment
    when it is first used.
    """
    manifest = read_manifest(folder, game, layout)
    origin = Origin(manifest["game"], manifest["rules"], manifest["layout"])
    tables = {}
    for name, listed in manifest["files"].items():
        table = TableFile(folder / f"{name}{SUFFIX}", origin)
        if table.name != name or table.bytes != listed["bytes"] or table.head_checksum != listed["head"]:
            raise _damaged(table.file, "it is not the file the manifest lists")
        tables[name] = table
    if sum(table.bytes for table in tables.values()) <= CHECKED_AT_OPENING:
        for table in tables.values():
            table.array()
    return TableFolder(folder, origin, manifest["meta"], tables)


def store_arrays(folder: Path, game: Game, layout: str, arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any]) -> TableFolder:
    """Write a whole solution at once: arrays by name, and what is to be known of them; returns the folder opened."""
    origin = Origin.of(game, layout)
    make_folder(folder)
    with locked(folder):
        (folder / MANIFEST).unlink(missing_ok=True)
        for name, array in arrays.items():
            write_table(folder, name, array, origin, "raw", {})
        remove_tables_except(folder, arrays)
        return write_manifest(folder, {name: TableFile(folder / f"{name}{SUFFIX}", origin) for name in arrays}, origin, meta)


def remove_tables_except(folder: Path, names: Iterable[str]) -> None:
    """Remove tables an earlier solution left that are not among these names."""
    kept = {f"{name}{SUFFIX}" for name in names}
    for file in folder.glob(f"*{SUFFIX}"):
        if file.name not in kept:
            file.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it; raises TableError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TableError(f"cannot make the folder {_shown(folder)}: {_reason(error)}") from error


_held: set[Path] = set()  # folders this process writes in
_held_guard = threading.Lock()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder for writing; whoever comes second gets a TableError.  The system lets go of the lock when a process dies.

    The lock is one that child processes do not inherit: a worker that outlives a killed run must not keep the next one out.
    Such locks do not tell threads apart, hence the set beside them.
    """
    key = folder.resolve()
    busy = TableError(f"another run is solving in {_shown(folder)}; wait for it or choose another folder")
    with _held_guard:
        if key in _held:
            raise busy
        _held.add(key)
    try:
        try:
            descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise TableError(f"cannot write in {_shown(folder)}: {_reason(error)}") from error
        try:
            try:
                fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except (BlockingIOError, PermissionError) as error:
                raise busy from error
            yield
        finally:
            os.close(descriptor)
    finally:
        with _held_guard:
            _held.discard(key)


def _manifest_text(content: Mapping[str, Any]) -> str:
    """The one spelling of a manifest, which ends with a checksum of everything before."""
    checksum = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]
    return json.dumps({**content, "checksum": checksum}, sort_keys=True, indent=1) + "\n"


def _replace(file: Path, parts: Iterable[Any], durable: bool = False) -> None:
    """Write under a name of our own, then rename: others see the whole file or none."""
    temporary = file.with_name(f".{file.name}.{uuid.uuid4().hex[:16]}.part")
    try:
        try:
            with open(temporary, "xb") as stream:
                for part in parts:
                    stream.write(part)
                if durable:
                    stream.flush()
                    os.fsync(stream.fileno())
            os.replace(temporary, file)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise TableError(f"cannot write {_shown(file)}: {_reason(error)}") from error


def _sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _damaged(file: Path, how: str) -> DamagedTable:
    return DamagedTable(f"{_shown(file)} is damaged: {how}; delete it and solve the game again")


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _shown(path: Path) -> str:
    return shorten(str(path), 120)


ProgressCallback = Callable[[int, int, str], None]  # (entries done, all entries, what was done last)
