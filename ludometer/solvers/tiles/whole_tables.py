"""Whole tables of a solution: plain files mapped into memory, packed ones decoded and completed."""

from __future__ import annotations

import threading

import numpy as np

from ludometer.core.game import Game
from ludometer.core.stopping import Stop
from ludometer.solvers.files.block_reading import Lately
from ludometer.solvers.files.packed_files import PackedFile
from ludometer.solvers.files.table_files import TableFile
from ludometer.solvers.tiles.filling import OnEntries, restore
from ludometer.solvers.tiles.index import Rows
from ludometer.solvers.tiles.pairs import Class
from ludometer.solvers.tiles.solution import TileSolution

MOST_BYTES = 2 << 30  # of decoded tables held; a single task may need more


class WholeTables:
    """The tables of a solution with their true entries.  Safe to use from several threads."""

    def __init__(self, solution: TileSolution, stop: Stop) -> None:
        self._solution = solution
        self._stop = stop
        self._decoded: Lately[Class, np.ndarray] = Lately(MOST_BYTES)
        self._guard = threading.Lock()  # a second thread waits for what the first decodes

    def get(self, place: Class) -> np.ndarray:
        """The table of a class; its checksums must have been compared before."""
        found = self._solution.tables[place]
        if isinstance(found, TableFile):
            return found.unchecked
        if not isinstance(found, PackedFile):
            return np.asarray(found)
        with self._guard:
            whole = self._decoded.get(place)
            if whole is None:
                rows = self._solution.rows
                assert rows is not None
                whole = read_whole(found, self._solution.game, rows, place, self._solution.keep, stop=self._stop)
                self._decoded.put(place, whole, whole.nbytes)
            return whole


def read_whole(
    file: PackedFile, game: Game, rows: Rows, place: Class, keep: str, done: OnEntries | None = None, stop: Stop | None = None
) -> np.ndarray:
    """The table of a class from a packed file, as a plain file has it; raises DamagedTable, Stopped."""
    whole = file.array()
    entries = int(file.meta["entries"])
    if file.meta.get("filled", False):
        restore(game, rows, place, keep, entries, whole, done, stop)
    elif done is not None:
        done(entries)
    return whole
