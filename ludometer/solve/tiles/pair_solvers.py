"""What solves one pair of classes of a tile game: the processor here, a GPU in `solve.cuda`."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Sequence
from math import comb
from typing import Protocol

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.solve.tiles.board import O_TO_MOVE, X_TO_MOVE, Pair, TileTables, pair_entries
from ludometer.solve.tiles.kernels import close, solve_pair
from ludometer.solve.tiles.packing import pack_values

DEVICES = {  # device -> class that follows `PairSolver`
    "cpu": "ludometer.solve.tiles.pair_solvers.CpuPairSolver",
    "cuda": "ludometer.solve.tiles.cuda.solver.CudaPairSolver",
}


class WrongEntries(LudometerError):
    """What was computed contradicts itself: a defect of the solver or of the machine."""


class PairSolver(Protocol):
    """Something that solves pairs and holds their tables: the processor, or a device with memory of its own."""

    at_once: int | None  # pairs worth solving at the same time; None: one for each worker
    resident: bool  # whether tables that are in files too should stay here until no pair needs them any more
    checkpoints: bool  # whether distances that are not kept should be written all the same while others need them, to resume from

    def __init__(self, game: Game, tables: TileTables) -> None: ...

    def solve_pair(self, pair: Pair) -> np.ndarray:
        """Solve a pair, whose further pairs (`Pair.needs`) are here; returns positions by side and code (2 × 256)."""

    def fetch(self, pair: Pair, side: int) -> np.ndarray:
        """The codes of one table that is here."""

    def fetch_values(self, pair: Pair, side: int) -> np.ndarray:
        """The values of one table that is here, packed as in `solve.packing`."""

    def check(self, pair: Pair) -> str | None:
        """Compare all entries of a solved pair with their successors, by an independent routine: None, or what is wrong."""

    def put(self, pair: Pair, codes: Sequence[np.ndarray], counts: np.ndarray) -> None:
        """Bring the tables of a pair solved elsewhere: codes of each of its sides, and what `solve_pair` returned for it."""

    def forget(self, pair: Pair) -> None:
        """Let go of the tables of a pair."""


class CpuPairSolver:
    """Solves a pair in the calling thread."""

    at_once = None
    resident = False  # files are mapped into memory, which the system can take back
    checkpoints = True

    def __init__(self, game: Game, tables: TileTables) -> None:
        self._rules = game.rules
        self._tables = tables
        self._codes: dict[tuple[Pair, int], np.ndarray] = {}
        self._scratch = threading.local()

    def solve_pair(self, pair: Pair) -> np.ndarray:
        tables = self._tables
        entries = pair_entries(tables, pair)
        empty = np.empty(0, np.uint8)
        x_codes = np.empty(entries, np.uint8)
        o_codes = empty if pair.is_diagonal else np.empty(entries, np.uint8)
        x_further = o_further = empty
        if pair.more + pair.fewer < tables.cells:
            x_further = self._codes[Pair(pair.more + 1, pair.fewer), O_TO_MOVE]
            if not pair.is_diagonal:
                o_further = self._codes[Pair(pair.more, pair.fewer + 1), X_TO_MOVE]
        words, small = self._scratch_for(entries)
        if not solve_pair(self._rules, tables, pair.more, pair.fewer, x_codes, o_codes, x_further, o_further, words, small):
            raise LudometerError(f"positions with {pair.more} and {pair.fewer} tiles have a distance that has no code (see solve.codes)")
        columns = comb(tables.cells - pair.more, pair.fewer)
        counts = np.zeros((2, 256), np.int64)
        for side, codes in zip(pair.sides, (x_codes, o_codes)):
            close(tables, pair.more, columns, codes, 0, entries // columns, counts[side])
            self._codes[pair, side] = codes
        return counts

    def fetch(self, pair: Pair, side: int) -> np.ndarray:
        return self._codes[pair, side]

    def fetch_values(self, pair: Pair, side: int) -> np.ndarray:
        codes = self._codes[pair, side]
        packed = np.empty(-(-codes.size // 4), np.uint8)
        pack_values(codes, packed)
        return packed

    def check(self, pair: Pair) -> str | None:
        raise LudometerError("on the processor tables are checked when all are solved, by `verify`")

    def put(self, pair: Pair, codes: Sequence[np.ndarray], counts: np.ndarray) -> None:
        for side, side_codes in zip(pair.sides, codes):
            self._codes[pair, side] = side_codes

    def forget(self, pair: Pair) -> None:
        for side in pair.sides:
            self._codes.pop((pair, side), None)

    def _scratch_for(self, entries: int) -> tuple[np.ndarray, np.ndarray]:
        """Scratch of this thread: memory fresh from the system is slow, so it is used again."""
        words = getattr(self._scratch, "words", None)
        if words is None or words.size < 4 * entries:
            self._scratch.words = self._scratch.small = None
            self._scratch.words = np.empty(4 * entries, np.uint32)
            self._scratch.small = np.empty(4 * entries, np.uint8)
        return self._scratch.words[: 4 * entries], self._scratch.small[: 4 * entries]


def solver_for(device: str) -> type[PairSolver]:
    if device not in DEVICES:
        raise LudometerError(f"no device is called {device!r}; devices are {', '.join(DEVICES)}")
    module, _, name = DEVICES[device].rpartition(".")
    found: type[PairSolver] = getattr(importlib.import_module(module), name)
    return found
