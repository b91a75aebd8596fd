"""Checkpoints within a long pair: pieces of filled tables, and tables between two distances.

They are files in the work folder of `folder`, written about once a minute, so that a pair that takes seconds writes none.  They are removed
when their pair is solved.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ludometer.core.stopping import Stop
from ludometer.solvers.files.table_files import SUFFIX, Origin, TableError, TableFile, write_table
from ludometer.solvers.files.table_folders import make_folder
from ludometer.solvers.tiles.pairs import Pair

PIECE_ENTRIES = 1 << 27  # entries of a piece, the next whole row included
INTERVAL = 60.0  # least seconds between two times of writing
_SHARE = 20  # least ratio of that interval to the time that writing takes

_ENCODING = "codes while solving"


@dataclass(frozen=True)
class Piece:
    """Rows of one table of a pair, and their file if there is one."""

    begin: int
    end: int
    file: TableFile | None = None


class Pieces:
    """The pieces of pairs in a folder."""

    def __init__(self, folder: Path, origin: Origin, stop: Stop, entries: int = PIECE_ENTRIES, interval: float = INTERVAL) -> None:
        self._folder, self._origin, self._stop = folder, origin, stop
        self._entries, self._interval = entries, interval
        self._pause = interval
        self._written = time.monotonic()

    def begin(self) -> None:
        """Restart the interval, because a pair begins."""
        self._written = time.monotonic()

    def is_due(self) -> bool:
        """Whether it is time to write."""
        return time.monotonic() - self._written >= self._pause

    def of(self, pair: Pair, side: int, rows: int, columns: int) -> list[Piece]:
        """All rows of a table in order: pieces with files, and between them pieces that are to be filled."""
        step = rows_of_piece(columns, self._entries)
        pieces: list[Piece] = []
        done = 0
        for found in [*self._there(pair, side, rows, columns), Piece(rows, rows)]:
            if found.begin < done:
                continue
            pieces += [Piece(first, min(found.begin, first + step)) for first in range(done, found.begin, step)]
            if found.file is not None:
                pieces.append(found)
            done = found.end
        return pieces

    def save(self, pair: Pair, side: int, begin: int, end: int, codes: np.ndarray) -> None:
        """Write filled rows."""
        self._write(f"{_stem(pair)}.{side}.{begin:07}", codes, {"begin": begin, "end": end})

    def save_round(self, pair: Pair, win: int, tables: Sequence[np.ndarray]) -> None:
        """Write the tables as they are before the distance of the code `win`, and remove older files of the pair."""
        for side, codes in enumerate(tables):
            self._write(f"{_stem(pair)}.round{win:03}.{side}", codes, {"win": win, "tables": len(tables)})
        for file in self._files(pair):
            if f".round{win:03}." not in file.name:
                file.unlink(missing_ok=True)

    def last_round(self, pair: Pair) -> tuple[int, list[np.ndarray]] | None:
        """(win, tables) of the last `save_round` whose files are complete and undamaged, or None."""
        tables: dict[int, list[TableFile]] = {}
        for file in self._files(pair):
            if ".round" in file.name:
                table = self._opened(file)
                if table is not None:
                    tables.setdefault(table.meta["win"], []).append(table)
        for win in sorted(tables, reverse=True):
            if len(tables[win]) == tables[win][0].meta["tables"]:
                return win, [table.array() for table in sorted(tables[win], key=lambda table: table.name)]
        return None

    def clear(self, pair: Pair) -> None:
        """Remove the files of a pair."""
        for file in self._files(pair):
            file.unlink(missing_ok=True)

    def _there(self, pair: Pair, side: int, rows: int, columns: int) -> list[Piece]:
        found = []
        for file in self._files(pair):
            if file.name.startswith(f"{_stem(pair)}.{side}."):
                table = self._opened(file)
                if table is not None:
                    begin, end = table.meta["begin"], table.meta["end"]
                    if 0 <= begin < end <= rows and table.shape == ((end - begin) * columns,):
                        found.append(Piece(begin, end, table))
        return sorted(found, key=lambda piece: (piece.begin, -piece.end))

    def _opened(self, file: Path) -> TableFile | None:
        """The table in a file, or None if it is damaged or not a piece."""
        try:
            table = TableFile(file, self._origin)
            table.check_all()
        except TableError:
            return None
        return table if table.encoding == _ENCODING else None

    def _files(self, pair: Pair) -> list[Path]:
        return sorted(self._folder.glob(f"{_stem(pair)}.*{SUFFIX}"))

    def _write(self, name: str, codes: np.ndarray, meta: dict[str, int]) -> None:
        since = time.monotonic()
        make_folder(self._folder)
        write_table(self._folder, name, codes, self._origin, _ENCODING, meta, self._stop)
        self._written = time.monotonic()
        self._pause = max(self._interval, _SHARE * (self._written - since)) if self._interval > 0 else 0


def rows_of_piece(columns: int, entries: int = PIECE_ENTRIES) -> int:
    """Number of rows in a piece of at least `entries` entries."""
    return max(1, -(-entries // columns))


def _stem(pair: Pair) -> str:
    return f"{pair.more:02}-{pair.fewer:02}"
