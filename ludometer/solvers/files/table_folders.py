"""A folder of tables of one game.  `manifest.json` is written last and lists every file with a checksum of its head."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludometer.core.files import reason
from ludometer.core.game import Game
from ludometer.core.stopping import Stop
from ludometer.solvers.files.locking import locked
from ludometer.solvers.files.packed_files import SUFFIX as PACKED_SUFFIX
from ludometer.solvers.files.packed_files import PackedFile
from ludometer.solvers.files.table_files import (
    FORMAT,
    SUFFIX,
    ForeignTable,
    MissingTable,
    Origin,
    TableError,
    TableFile,
    damaged,
    replace,
    shown,
    write_table,
)

MANIFEST = "manifest.json"
FORMAT_WITH_PACKED = 2  # of a manifest that lists packed tables; others have FORMAT
CHECKED_AT_OPENING = 256 << 20  # folders up to this size are read whole when opened; of larger ones each segment before its first use

_SYNCED_AT_ONCE = 8

AnyTable = TableFile | PackedFile


def open_table(folder: Path, name: str, origin: Origin | None, packed: bool) -> AnyTable:
    """A table of a folder by its name; raises MissingTable, DamagedTable or ForeignTable."""
    return (PackedFile if packed else TableFile)(folder / file_name(name, packed), origin)


def file_name(name: str, packed: bool) -> str:
    return f"{name}{PACKED_SUFFIX if packed else SUFFIX}"


def is_packed(listed: Mapping[str, Any]) -> bool:
    """Whether a table is packed, from what the manifest has of it."""
    return bool(listed.get("packed", False))


@dataclass(frozen=True)
class TableFolder:
    """A finished folder of tables."""

    path: Path
    origin: Origin
    meta: dict[str, Any]  # what the solver stored about all tables together
    tables: dict[str, AnyTable]  # by name

    @property
    def packed(self) -> bool:
        """Whether tables in it are packed."""
        return any(isinstance(table, PackedFile) for table in self.tables.values())


def write_manifest(folder: Path, tables: Mapping[str, AnyTable], origin: Origin, meta: Mapping[str, Any]) -> TableFolder:
    """Finish a folder: make its tables durable, then write the manifest.  Left-over temporary files are removed."""
    for stray in folder.glob(".*.part"):
        stray.unlink(missing_ok=True)
    with ThreadPoolExecutor(_SYNCED_AT_ONCE) as pool:
        list(pool.map(_sync, [table.file for table in tables.values()]))
    _sync(folder)
    listed = {
        name: {"bytes": table.bytes, "head": table.head_checksum, **({"packed": True} if isinstance(table, PackedFile) else {})}
        for name, table in tables.items()
    }
    version = FORMAT_WITH_PACKED if any(map(is_packed, listed.values())) else FORMAT
    content = {"format": version, "game": origin.game, "rules": origin.rules, "layout": origin.layout, "files": listed, "meta": meta}
    replace(folder / MANIFEST, (_manifest_text(content).encode(),), durable=True)
    _sync(folder)
    return TableFolder(folder, origin, dict(meta), dict(tables))


def read_manifest(folder: Path, game: Game | None = None, layout: str | None = None) -> dict[str, Any]:
    """The manifest of a finished folder; raises MissingTable, DamagedTable or ForeignTable.  With `game`, of that game only."""
    file = folder / MANIFEST
    try:
        raw = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise MissingTable(f"there is no finished table in {shown(folder)}") from error
    except OSError as error:
        raise TableError(f"cannot read {shown(file)}: {reason(error)}") from error
    try:
        manifest: dict[str, Any] = json.loads(raw)
        content = {key: value for key, value in manifest.items() if key != "checksum"}
        agrees = _manifest_text(content).encode() == raw
    except (ValueError, AttributeError) as error:
        raise damaged(file, "it is not JSON") from error
    if not agrees:
        raise damaged(file, "its checksum does not agree")
    if manifest["format"] not in (FORMAT, FORMAT_WITH_PACKED):
        known = f"formats {FORMAT} and {FORMAT_WITH_PACKED}"
        raise ForeignTable(f"{shown(file)} has format {manifest['format']}, this program reads {known}; solve the game again")
    if game is not None:
        Origin.of(game, layout or manifest["layout"]).check(manifest, file)
    return manifest


def open_folder(folder: Path, game: Game | None = None, layout: str | None = None) -> TableFolder:
    """The tables of a finished folder, refused when anything is damaged, missing or foreign.

    Manifest, sizes and heads are always checked.  Up to 256 MiB all data are checked too; beyond that each segment
    when it is first used.
    """
    manifest = read_manifest(folder, game, layout)
    of_game = Origin.of(game, manifest["layout"]) if game is not None else None
    origin = of_game or Origin(manifest["game"], manifest["rules"], manifest["layout"])
    tables: dict[str, AnyTable] = {}
    for name, listed in manifest["files"].items():
        table = open_table(folder, name, origin, is_packed(listed))
        if table.name != name or table.bytes != listed["bytes"] or table.head_checksum != listed["head"]:
            raise damaged(table.file, "it is not the file the manifest lists")
        tables[name] = table
    if sum(table.bytes for table in tables.values()) <= CHECKED_AT_OPENING:
        for table in tables.values():
            table.check_all()
    return TableFolder(folder, origin, manifest["meta"], tables)


def store_arrays(
    folder: Path,
    game: Game,
    layout: str,
    arrays: Mapping[str, np.ndarray],
    meta: Mapping[str, Any],
    stop: Stop | None = None,
) -> TableFolder:
    """Write a whole solution, arrays by name and `meta` about them; returns the folder opened."""
    origin = Origin.of(game, layout)
    make_folder(folder)
    with locked(folder, stop):
        (folder / MANIFEST).unlink(missing_ok=True)
        for name, array in arrays.items():
            write_table(folder, name, array, origin, "raw", {}, stop)
        written: dict[str, AnyTable] = {name: TableFile(folder / f"{name}{SUFFIX}", origin) for name in arrays}
        remove_tables_except(folder, written.values())
        return write_manifest(folder, written, origin, meta)


def tables_in(folder: Path) -> list[Path]:
    """All files of tables, plain and packed, in order of their names, whether the manifest lists them or not."""
    return sorted(file for suffix in (SUFFIX, PACKED_SUFFIX) for file in folder.glob(f"*{suffix}"))


def remove_tables_except(folder: Path, kept: Iterable[AnyTable]) -> None:
    """Remove the tables of an earlier solution that are not in `kept`."""
    names = {table.file.name for table in kept}
    for file in tables_in(folder):
        if file.name not in names:
            file.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it; raises TableError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TableError(f"cannot make the folder {shown(folder)}: {reason(error)}") from error


def _sync(path: Path) -> None:
    """Wait until the content of a file, or the entries of a folder, are on disk."""
    if os.name == "nt" and path.is_dir():  # there a folder cannot be opened, and need not be
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _manifest_text(content: Mapping[str, Any]) -> str:
    """The canonical text of a manifest, with a checksum of its content."""
    checksum = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]
    return json.dumps({**content, "checksum": checksum}, sort_keys=True, indent=1) + "\n"


def folder_stamp(folder: Path) -> tuple[int, ...] | None:
    """Identity of a folder's manifest, which changes whenever the folder is finished anew; None if it is not finished."""
    try:
        found = (folder / MANIFEST).stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
