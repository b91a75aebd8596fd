"""Snapshots of unfinished work, so that a killed run goes on where it was.

Three files in the subfolder `work` of a folder of tables: `found`, the positions found so far, while they are being found; `positions`, all
of them; `values`, what is decided after some round.  They are written about once a minute and removed when the game is solved.
"""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludometer.core.stopping import Stop
from ludometer.solvers.files.table_files import SUFFIX, Origin, TableError, TableFile, write_table
from ludometer.solvers.files.table_folders import make_folder
from ludometer.solvers.retrograde.keys import KeyLayout, layout_of, widths_of, word_count

INTERVAL = 60.0  # seconds between two snapshots, or as many times longer than writing one takes:
_SHARE = 20
WORK = "work"

_FOUND, _POSITIONS, _VALUES = "found", "positions", "values"


@dataclass(frozen=True)
class FoundSoFar:
    """Positions found, by the number of moves from the start."""

    widths: list[int]  # bits of each leaf in the keys
    levels: list[np.ndarray]


@dataclass(frozen=True)
class DecidedSoFar:
    """Values after a round (see `rounds`)."""

    values: np.ndarray  # int16
    distance: int  # the largest distance that is decided


class Snapshots:
    """Snapshots of one game in a folder; without a folder nothing is kept."""

    def __init__(self, folder: Path | None, origin: Origin, stop: Stop, interval: float = INTERVAL) -> None:
        self._folder = None if folder is None else folder / WORK
        self._origin, self._stop, self._interval = origin, stop, interval
        self._pause = interval
        self._written = time.monotonic()

    def is_due(self) -> bool:
        """Whether it is time to keep something."""
        return self._folder is not None and time.monotonic() - self._written >= self._pause

    def found(self) -> FoundSoFar | None:
        """The positions found before a kill."""
        table = self._open(_FOUND)
        if table is None:
            return None
        widths, ends = table.meta["widths"], table.meta["ends"]
        levels = [level.copy() for level in np.split(table.array().reshape(-1), ends[:-1])]
        return FoundSoFar(widths, levels)

    def keep_found(self, layout: KeyLayout, levels: list[np.ndarray]) -> None:
        """Keep the positions found so far; all but the last level have had their moves played."""
        ends = np.cumsum([level.size for level in levels]).tolist()
        self._write(_FOUND, np.concatenate(levels), {"widths": widths_of(layout), "ends": ends})

    def positions(self) -> tuple[KeyLayout, np.ndarray] | None:
        """(layout, flat keys in ascending order) of all positions, if these were found before a kill."""
        table = self._open(_POSITIONS)
        return None if table is None else (layout_of(table.meta["widths"]), np.array(table.array()).reshape(-1))

    def keep_positions(self, layout: KeyLayout, keys: np.ndarray) -> None:
        """Keep all positions, if finding them took long enough to be worth it."""
        if self.is_due() or self._has(_FOUND):
            self._write(_POSITIONS, keys.reshape(-1, word_count(layout)), {"widths": widths_of(layout)})
            self._remove(_FOUND)

    def decided(self) -> DecidedSoFar | None:
        """The values of the last snapshot."""
        table = self._open(_VALUES)
        return None if table is None else DecidedSoFar(np.array(table.array()), table.meta["distance"])

    def keep_decided(self, values: np.ndarray, distance: int) -> None:
        """Keep the values after the round that decided this distance."""
        self._write(_VALUES, values, {"distance": distance})

    def clear(self) -> None:
        """Remove all snapshots."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _has(self, name: str) -> bool:
        return self._folder is not None and (self._folder / f"{name}{SUFFIX}").exists()

    def _remove(self, name: str) -> None:
        if self._folder is not None:
            (self._folder / f"{name}{SUFFIX}").unlink(missing_ok=True)

    def _open(self, name: str) -> TableFile | None:
        """A snapshot of this game in which every byte is in order."""
        if self._folder is None:
            return None
        try:
            table = TableFile(self._folder / f"{name}{SUFFIX}", self._origin)
            table.check_all()
        except TableError:
            return None
        return table

    def _write(self, name: str, array: np.ndarray, meta: dict[str, Any]) -> None:
        if self._folder is None:
            return
        since = time.monotonic()
        make_folder(self._folder)
        write_table(self._folder, name, array, self._origin, "snapshot", meta, self._stop)
        self._written = time.monotonic()
        self._pause = max(self._interval, _SHARE * (self._written - since)) if self._interval > 0 else 0.0
