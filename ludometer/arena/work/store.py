"""Store of experiments on disk, written in chunks so that a killed run can be resumed.

All measurements are *series*.  A series is a sequence of independent units of work 0, 1, 2, … whose results depend on its key and their
number alone, such as the seat-swapped pairs of games of a pairing or the positions at which moves are judged.  Units are done in chunks,
and each chunk is written in one transaction.  Resuming does the missing units, in chunks of any size, with the same results.

    with Store(path) as store:
        series = store.series({"game": "quixo:4", "players": ["mcts:100", "random"], "seed": 0, …})
        for first, count in store.missing(series, 1000):
            store.add(series, first, count, seconds, {"results": results})
        store.arrays(series, 1000)["results"]

A *run* is a requested experiment: a match, a tournament, a ladder.  It refers to the series it needs and may share them with other
runs.  The key of a series holds everything that its results depend on, including the stamps of the rules (`core.rules_stamp`), so that
results of different origin are never mixed.

The file is SQLite in write-ahead mode: one process writes while any number of others read (`read_only=True`).
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from ludometer import __version__
from ludometer.arena.work.store_migration import FIRST_FORMAT, migrate
from ludometer.core.errors import LudometerError, shorten
from ludometer.core.folders import experiments_file
from ludometer.core.frames import data_frame

FORMAT = 2
_APPLICATION = 0x4C55444F  # "LUDO": marks the file as ours
_IN_MEMORY = ":memory:"
_LAST = 2**62  # above any unit number
_PATIENCE = 30.0  # seconds to wait while another process writes

_SCHEMA = """
CREATE TABLE series (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,             -- canonical JSON of all that the numbers depend on
    subject TEXT NOT NULL                 -- JSON: what to work on to do it again (a key names agents by identity, this one by spec)
);
CREATE TABLE chunks (
    series INTEGER NOT NULL REFERENCES series ON DELETE CASCADE,
    first INTEGER NOT NULL,               -- number of its first unit
    count INTEGER NOT NULL,               -- units
    seconds REAL NOT NULL,                -- of work, on one core
    payload BLOB NOT NULL,                -- arrays, see `pack`
    UNIQUE (series, first)
);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,                   -- match, tournament, ladder, …
    key TEXT NOT NULL UNIQUE,             -- canonical JSON of what was asked for
    game TEXT NOT NULL,
    players TEXT NOT NULL,                -- JSON list
    started TEXT NOT NULL,                -- UTC, ISO 8601
    seconds REAL NOT NULL DEFAULT 0,      -- wall time of the work, over all its continuations
    version TEXT NOT NULL,
    result TEXT                           -- JSON document, once it has one
);
CREATE TABLE parts (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    series INTEGER NOT NULL REFERENCES series,
    units INTEGER NOT NULL,               -- how many of them the run wants
    PRIMARY KEY (run, series)
);
"""


class StoreError(LudometerError):
    """A store that cannot be read or written; nothing that it held is lost."""


@dataclass(frozen=True)
class Run:
    """A requested experiment and its progress."""

    id: int
    kind: str
    key: dict[str, Any]
    game: str
    players: tuple[str, ...]
    started: str
    seconds: float
    version: str
    result: dict[str, Any] | None
    wanted: int  # units of all its series
    done: int

    def document(self) -> dict[str, Any]:
        """JSON object of the run; `games` and `done` count games if a unit is a pair of games, and units otherwise."""
        each = self.key.get("unit_size", 2)
        return {
            "run": self.id,
            "kind": self.kind,
            "game": self.game,
            "players": list(self.players),
            "games": each * self.wanted,
            "done": each * self.done,
            "started": self.started,
            "seconds": self.seconds,
            "version": self.version,
        }


class RunList(list[Run]):
    """Runs of a store; prints as a table."""

    def __str__(self) -> str:
        from ludometer.view.results.runs import runs_text

        return runs_text(self)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def to_frame(self) -> Any:
        """A pandas DataFrame with a row for each run; needs pandas."""
        return data_frame(run.document() for run in self)


def canonical(key: Mapping[str, Any]) -> str:
    """Canonical JSON of a key, with sorted names: equal keys have equal texts."""
    return json.dumps(key, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


class Store:
    """A file of experiments, for use by one thread at a time.  Errors of the file are raised as StoreError.

        path        the file; default: experiments.sqlite in the user's data folder
        read_only   refuse changes; the file must exist

    >>> with lm.Store("games.sqlite") as store:
    ...     result = lm.match("tictactoe", "random", "random", games=10, execution=lm.Execution(store=store))
    ...     [run.document()["games"] for run in store.runs()]
    [10]
    """

    def __init__(self, path: str | Path | None = None, *, read_only: bool = False) -> None:
        self.path = experiments_file() if path is None else Path(path).expanduser()
        self.read_only = read_only
        self._lock = threading.RLock()
        with self._said():
            if read_only:
                if not self.path.is_file():
                    raise StoreError(f"there is no store {shorten(str(self.path))}; a match or another experiment makes one")
                self._connection = self._open(f"{self.path.absolute().as_uri()}?{self._read_mode()}")
            else:
                if path != _IN_MEMORY:
                    self.path.parent.mkdir(parents=True, exist_ok=True)
                self._connection = self._open("file::memory:" if path == _IN_MEMORY else self.path.absolute().as_uri())
            self._prepare()

    @classmethod
    def in_memory(cls) -> Store:
        """A store in memory, discarded when closed."""
        return cls(_IN_MEMORY)

    def _read_mode(self) -> str:
        """SQLite options for reading.

        Readers and a writer share two more files beside the store.  If they do not exist and cannot be made, there is no writer and the
        file is opened as immutable.
        """
        beside = self.path.with_name(self.path.name + "-wal")
        return "mode=ro" if beside.exists() or os.access(self.path.parent, os.W_OK) else "mode=ro&immutable=1"

    def _open(self, address: str) -> sqlite3.Connection:
        connection = sqlite3.connect(address, uri=True, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA foreign_keys = ON")
        return connection

    def _prepare(self) -> None:
        """Create the tables of a new file; raise StoreError for a file that is not a store."""
        run = self._connection.execute
        if not self.read_only and not run("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
            run("PRAGMA journal_mode = WAL")
            with self._transaction():
                if not run("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():  # no other process created the tables meanwhile
                    for statement in _SCHEMA.split(";\n"):
                        run(statement)
                    run(f"PRAGMA application_id = {_APPLICATION}")
                    run(f"PRAGMA user_version = {FORMAT}")
        (application,), (form,) = run("PRAGMA application_id").fetchone(), run("PRAGMA user_version").fetchone()
        if application == 0 and not run("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():  # its creator was killed before writing
            raise StoreError(f"there is nothing in {shorten(str(self.path))} yet; a match or another experiment fills it")
        if application != _APPLICATION:
            raise StoreError(f"{shorten(str(self.path))} is not a store of experiments; choose another file with --store")
        if form == FIRST_FORMAT and not self.read_only:
            form = self._migrated()
        if form not in (FORMAT, *((FIRST_FORMAT,) if self.read_only else ())):
            raise StoreError(f"{shorten(str(self.path))} has format {form}, this version reads {FORMAT}; choose another file with --store")
        if not self.read_only:
            run("PRAGMA synchronous = NORMAL")

    def _migrated(self) -> int:
        """Bring a file of the first format up to date, unless another process has just done it; returns its format."""
        with self._transaction():
            (form,) = self._connection.execute("PRAGMA user_version").fetchone()
            if form == FIRST_FORMAT:
                migrate(self._connection)
                form = FORMAT
                self._connection.execute(f"PRAGMA user_version = {form}")
        return int(form)

    @contextmanager
    def _said(self) -> Iterator[None]:
        """Turn errors of SQLite and of the system into a StoreError of one line."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            if "readonly" in str(error):
                reason = "it may not be written to"
            elif isinstance(error, OSError):
                reason = (error.strerror or str(error)).lower()
            else:
                reason = str(error)
            raise StoreError(f"store {shorten(str(self.path))}: {reason}; what it holds is kept") from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Run the block in a transaction with an exclusive write lock."""
        with self._lock, self._said():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._lock, self._said():
            return self._connection.execute(query, values).fetchall()

    def close(self) -> None:
        with self._lock, self._said():
            self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    # ---- series ----

    def series(self, key: Mapping[str, Any], subject: Mapping[str, Any] | None = None) -> int:
        """Number of the series with this key, created if it is new; `subject` is what is needed to work on it again."""
        text = canonical(key)
        found = self._rows("SELECT id FROM series WHERE key = ?", text)
        if not found:
            with self._transaction():
                self._connection.execute("INSERT OR IGNORE INTO series (key, subject) VALUES (?, ?)", (text, canonical(subject or {})))
            found = self._rows("SELECT id FROM series WHERE key = ?", text)
        return int(found[0][0])

    def find_series(self, key: Mapping[str, Any]) -> int | None:
        """Number of the series with this key, or None."""
        found = self._rows("SELECT id FROM series WHERE key = ?", canonical(key))
        return int(found[0][0]) if found else None

    def key_of(self, series: int) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._rows("SELECT key FROM series WHERE id = ?", series)[0][0])
        return found

    def subject_of(self, series: int) -> dict[str, Any]:
        """The subject that a series was created with."""
        found: dict[str, Any] = json.loads(self._rows("SELECT subject FROM series WHERE id = ?", series)[0][0])
        return found

    def otherwise(self, key: Mapping[str, Any], but: Collection[str]) -> list[tuple[dict[str, Any], int]]:
        """(key, finished units) of the series whose keys differ from this one only in names listed in `but`."""
        alike = {name: value for name, value in key.items() if name not in but}
        found = []
        for series, text in self._rows("SELECT id, key FROM series WHERE key != ?", canonical(key)):
            other = json.loads(text)
            if {name: value for name, value in other.items() if name not in but} == alike:
                ((units,),) = self._rows("SELECT coalesce(sum(count), 0) FROM chunks WHERE series = ?", series)
                if units:
                    found.append((other, int(units)))
        return found

    def missing(self, series: int, units: int) -> list[tuple[int, int]]:
        """(first, count) of the gaps among the units 0 … `units` − 1, in order."""
        gaps = []
        at = 0
        for first, count in self._rows("SELECT first, count FROM chunks WHERE series = ? AND first < ? ORDER BY first", series, units):
            if first > at:
                gaps.append((at, first - at))
            at = first + count
        if at < units:
            gaps.append((at, units - at))
        return gaps

    def done(self, series: int, units: int) -> int:
        """Number of finished units among 0 … `units` − 1."""
        return units - sum(count for _, count in self.missing(series, units))

    def add(self, series: int, first: int, count: int, seconds: float, arrays: Mapping[str, np.ndarray]) -> bool:
        """Add a chunk in one transaction.  Returns False, with nothing added, if another process has added some of its units."""
        with self._transaction():
            overlapping = self._connection.execute(
                "SELECT 1 FROM chunks WHERE series = ? AND first < ? AND first + count > ? LIMIT 1", (series, first + count, first)
            ).fetchone()
            if overlapping:
                return False
            self._connection.execute("INSERT INTO chunks VALUES (?, ?, ?, ?, ?)", (series, first, count, seconds, pack(arrays)))
        return True

    def chunks(self, series: int, since: int = 0, until: int | None = None) -> Iterator[tuple[int, int, float, dict[str, np.ndarray]]]:
        """(first, count, seconds, arrays) of the chunks that begin at unit `since` or later and before `until`, in order."""
        query = "SELECT first, count, seconds, payload FROM chunks WHERE series = ? AND first >= ? AND first < ? ORDER BY first LIMIT 1"
        while rows := self._rows(query, series, since, _LAST if until is None else until):
            first, count, seconds, payload = rows[0]
            try:
                arrays = unpack(payload)
            except ValueError as error:
                raise StoreError(f"store {shorten(str(self.path))}: series {series}, units from {first}: {error}") from error
            yield first, count, seconds, arrays
            since = first + 1

    def chunk_with(self, series: int, unit: int) -> tuple[int, dict[str, np.ndarray]] | None:
        """(first, arrays) of the chunk that holds a unit; None if it is missing."""
        rows = self._rows("SELECT max(first) FROM chunks WHERE series = ? AND first <= ? AND first + count > ?", series, unit, unit)
        if rows[0][0] is None:
            return None
        first, _, _, arrays = next(self.chunks(series, rows[0][0]))
        return first, arrays

    def arrays(self, series: int, units: int) -> dict[str, np.ndarray]:
        """Arrays of the finished units among 0 … `units` − 1, concatenated in order."""
        parts: dict[str, list[np.ndarray]] = {}
        for first, count, _, arrays in self.chunks(series, until=units):
            for name, array in arrays.items():
                each = len(array) // count  # numbers per unit
                parts.setdefault(name, []).append(array[: each * (units - first)])
        return {name: np.concatenate(pieces) for name, pieces in parts.items()}

    # ---- runs ----

    def begin_run(self, kind: str, game: str, players: tuple[str, ...], key: Mapping[str, Any]) -> int:
        """Number of the run with this key, created if it is new."""
        text = canonical({"kind": kind, **key})
        with self._transaction():
            self._connection.execute(
                "INSERT OR IGNORE INTO runs (kind, key, game, players, started, version) VALUES (?, ?, ?, ?, ?, ?)",
                (kind, text, game, json.dumps(players), datetime.now(UTC).isoformat(timespec="seconds"), __version__),
            )
        return int(self._rows("SELECT id FROM runs WHERE key = ?", text)[0][0])

    def want(self, run: int, series: int, units: int) -> None:
        """Register that a run needs `units` units of a series; a smaller number later has no effect."""
        with self._transaction():
            self._connection.execute(
                "INSERT INTO parts VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET units = max(units, excluded.units)", (run, series, units)
            )

    def note(self, run: int, seconds: float, result: Mapping[str, Any] | None = None) -> None:
        """Add `seconds` to the time of a run and replace its result, if one is given."""
        with self._transaction():
            self._connection.execute("UPDATE runs SET seconds = seconds + ? WHERE id = ?", (seconds, run))
            if result is not None:
                self._connection.execute("UPDATE runs SET result = ? WHERE id = ?", (json.dumps(result), run))

    def run(self, run: int) -> Run:
        """The run with this number; raises StoreError if there is none."""
        rows = self._rows("SELECT id, kind, key, game, players, started, seconds, version, result FROM runs WHERE id = ?", run)
        if not rows:
            raise StoreError(f"there is no run {run} in {shorten(str(self.path))}; `ludometer runs` lists them")
        number, kind, key, game, players, started, seconds, version, result = rows[0]
        parts = self.parts(run)
        return Run(
            id=number,
            kind=kind,
            key=json.loads(key),
            game=game,
            players=tuple(json.loads(players)),
            started=started,
            seconds=seconds,
            version=version,
            result=None if result is None else json.loads(result),
            wanted=sum(units for _, units in parts),
            done=sum(self.done(series, units) for series, units in parts),
        )

    def runs(self) -> RunList:
        """All runs, oldest first."""
        return RunList(self.run(number) for (number,) in self._rows("SELECT id FROM runs ORDER BY id"))

    def latest(self, count: int, but: str = "") -> list[Run]:
        """The latest `count` runs of other kinds than `but`, newest first."""
        return [self.run(number) for (number,) in self._rows("SELECT id FROM runs WHERE kind != ? ORDER BY id DESC LIMIT ?", but, count)]

    def of_kind(self, kind: str) -> list[Run]:
        """All runs of one kind, oldest first."""
        return [self.run(number) for (number,) in self._rows("SELECT id FROM runs WHERE kind = ? ORDER BY id", kind)]

    def parts(self, run: int) -> list[tuple[int, int]]:
        """(series, units wanted) of a run, in the order of registration."""
        return [(series, units) for series, units in self._rows("SELECT series, units FROM parts WHERE run = ? ORDER BY rowid", run)]

    def delete(self, run: int) -> None:
        """Remove a run and every series that no other run refers to."""
        self.run(run)
        with self._transaction():
            execute = self._connection.execute
            execute("DELETE FROM parts WHERE run = ?", (run,))
            execute("DELETE FROM runs WHERE id = ?", (run,))
            execute("DELETE FROM series WHERE id NOT IN (SELECT series FROM parts)")


def pack(arrays: Mapping[str, np.ndarray]) -> bytes:
    """Bytes of arrays: checksum, length of the header, JSON header with names, types and shapes, data."""
    ordered = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    header = json.dumps([[name, array.dtype.str, array.shape] for name, array in ordered.items()]).encode()
    body = len(header).to_bytes(4, "little") + header + b"".join(array.tobytes() for array in ordered.values())
    return zlib.crc32(body).to_bytes(4, "little") + body


def unpack(content: bytes) -> dict[str, np.ndarray]:
    """Inverse of `pack`; raises ValueError for damaged bytes."""
    if len(content) < 8 or zlib.crc32(content[4:]) != int.from_bytes(content[:4], "little"):
        raise ValueError("the numbers are damaged (their checksum is wrong)")
    at = 8 + int.from_bytes(content[4:8], "little")
    arrays = {}
    for name, kind, shape in json.loads(content[8:at]):
        dtype = np.dtype(kind)
        size = int(np.prod(shape, dtype=np.int64))
        arrays[name] = np.frombuffer(content, dtype, size, at).reshape(shape)
        at += size * dtype.itemsize
    return arrays
