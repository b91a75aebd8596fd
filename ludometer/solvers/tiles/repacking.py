"""Packing and unpacking a finished folder of a tile game's tables in place.

New files are written beside the old ones; then the manifest is replaced, which is the moment the folder changes; then the old files are
removed.  A kill at any time leaves a usable folder, and the next run uses the new files written before.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ludometer import games
from ludometer.core.game import Game
from ludometer.core.progress import OnProgress
from ludometer.core.stopping import Stop
from ludometer.solvers.files.locking import locked
from ludometer.solvers.files.packed_files import PackedFile, write_packed
from ludometer.solvers.files.table_files import Origin, TableError, TableFile, write_table
from ludometer.solvers.files.table_folders import AnyTable, TableFolder, open_folder, open_table, remove_tables_except, write_manifest
from ludometer.solvers.tiles.filling import FILLS, OnEntries, mark
from ludometer.solvers.tiles.index import Rows
from ludometer.solvers.tiles.pairs import Class
from ludometer.solvers.tiles.solution import LAYOUT, ROWS, class_named, rows_of
from ludometer.solvers.tiles.whole_tables import read_whole


def pack_folder(
    folder: Path,
    *,
    game: Game | None = None,
    as_stored: bool = False,
    progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> TableFolder:
    """Pack the tables of a finished folder; raises TableError, Stopped.

    `as_stored`: keep all entries as they are.  By default entries that the rules decide at once are replaced by what compresses best.
    In a folder of values these entries are computed first, which takes far longer than packing; with distances the codes show them.
    """
    return _Repacking(folder, game, progress, stop).run(packed=True, filled=not as_stored)


def unpack_folder(folder: Path, *, game: Game | None = None, progress: OnProgress | None = None, stop: Stop | None = None) -> TableFolder:
    """Make plain tables of packed ones: the bytes that solving without packing writes; raises TableError, Stopped."""
    return _Repacking(folder, game, progress, stop).run(packed=False, filled=False)


class _Repacking:
    """One run of packing or unpacking."""

    def __init__(self, folder: Path, game: Game | None, progress: OnProgress | None, stop: Stop | None) -> None:
        self.folder = folder
        self.given = game
        self.progress = progress
        self.stop = stop or Stop()
        self.done = self.total = 0

    def run(self, packed: bool, filled: bool) -> TableFolder:
        with locked(self.folder, self.stop):
            opened = open_folder(self.folder, self.given)
            if opened.origin.layout != LAYOUT:
                raise TableError(
                    f"tables of games without repetition are not packed; those in {str(self.folder)!r} are {opened.origin.layout!r}"
                )
            self.game = self.given or games.game(opened.origin.game)
            Origin.of(self.game, LAYOUT).check(vars(opened.origin), self.folder)
            self.origin = opened.origin
            self.keep = opened.meta["keep"]
            if self.keep == "none":
                raise TableError(f"of {self.game.spec} only totals were kept in {str(self.folder)!r}; there is nothing to pack")
            rows = rows_of(opened)
            assert rows is not None
            sources = {name: table for name, table in opened.tables.items() if name != ROWS}
            self.total = sum(table.meta["entries"] for table in sources.values())
            files: dict[str, AnyTable] = {ROWS: opened.tables[ROWS]}
            if opened.packed == packed:
                remove_tables_except(self.folder, opened.tables.values())  # what a killed run left
                return opened
            for name, table in sources.items():
                files[name] = self._converted(name, table, rows, packed, filled)
            meta = {key: value for key, value in opened.meta.items() if key != "filled"} | ({"filled": True} if filled else {})
            written = write_manifest(self.folder, {name: files[name] for name in opened.tables}, opened.origin, meta)
            remove_tables_except(self.folder, files.values())
            return written

    def _converted(self, name: str, table: AnyTable, rows: Rows, packed: bool, filled: bool) -> AnyTable:
        """The new file of a table, left by a killed run or written now; its checksums are compared."""
        place = class_named(name)
        meta = {key: value for key, value in table.meta.items() if key != "filled"} | ({"filled": True} if filled else {})
        try:
            found = open_table(self.folder, name, self.origin, packed)
            found.check_all()
            if found.meta == meta and found.encoding == table.encoding:
                self._advance(name)(meta["entries"])
                return found
        except TableError:
            pass  # not there, or left half written by another system
        if packed:
            assert isinstance(table, TableFile)
            self._pack(name, table, rows, place, meta, filled)
        else:
            assert isinstance(table, PackedFile)
            whole = read_whole(table, self.game, rows, place, self.keep, self._advance(name), self.stop)
            write_table(self.folder, name, whole, self.origin, table.encoding, meta, self.stop)
        return open_table(self.folder, name, self.origin, packed)

    def _pack(self, name: str, table: TableFile, rows: Rows, place: Class, meta: dict[str, Any], filled: bool) -> None:
        array = table.array()
        advance = self._advance(name)
        if filled and self.keep == "values":
            array = np.array(array)
            mark(self.game, rows, place, meta["entries"], array, advance, self.stop)
        fill = FILLS[self.keep] if filled else None
        write_packed(self.folder, name, array, self.origin, table.encoding, meta, fill, self.stop)
        if not (filled and self.keep == "values"):
            advance(meta["entries"])
        table.let_go()

    def _advance(self, name: str) -> OnEntries:
        def advance(entries: int) -> None:
            self.stop.check("packing")
            self.done += entries
            if self.progress is not None:
                self.progress(self.done, self.total, name)

        return advance
