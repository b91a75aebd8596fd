"""What solves one pair of classes of a tile game: the processor here, a GPU in `tiles.cuda.solver`."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ludometer.core.errors import Defect, LudometerError
from ludometer.core.game import Game
from ludometer.core.stopping import Stop, Stopped
from ludometer.solve.tiles.index import Rows, locate
from ludometer.solve.tiles.kernels import NO_CODE, STOPPED, Listed, Shape, Side, close, solve_pair
from ludometer.solve.tiles.lookup import TileTables, pair_entries
from ludometer.solve.tiles.packing import pack_marked_values, pack_values
from ludometer.solve.tiles.pairs import O_TO_MOVE, X_TO_MOVE, Class, Pair

DEVICES = {  # device -> class that follows `PairSolver`
    "cpu": "ludometer.solve.tiles.pair_solvers.CpuPairSolver",
    "cuda": "ludometer.solve.tiles.cuda.solver.CudaPairSolver",
}


class WrongEntries(Defect):
    """Entries that are not what their successors say: a defect of the solver or of the machine."""


class PairSolver(Protocol):
    """Something that solves pairs and holds their tables: the processor, or a device with memory of its own."""

    at_once: int | None  # pairs worth solving at the same time; None: one for each worker
    resident: bool  # whether tables that are in files too should stay here until no pair needs them any more
    checkpoints: bool  # whether distances that are not kept should be written all the same while others need them, to resume from
    checks: bool  # whether it can `check`

    def __init__(self, game: Game, tables: TileTables) -> None: ...

    def prepare(self, solve: bool, check: bool) -> None:
        """Compile what solving or checking needs; what is compiled later counts as time of the first pairs."""

    def solve_pair(self, pair: Pair, stop: Stop) -> np.ndarray:
        """Solve a pair, whose further pairs (`Pair.needs`) are here; returns positions by side and code (2 × 256).  Raises Stopped."""

    def fetch(self, pair: Pair, side: int) -> np.ndarray:
        """The codes of one table that is here."""

    def fetch_values(self, pair: Pair, side: int, marked: bool = False) -> np.ndarray:
        """The values of one table that is here, packed as in `tiles.packing`; `marked`: with LEFT_OUT where the rules decide at once."""

    def check(self, pair: Pair) -> tuple[list[str], np.ndarray]:
        """Compare all entries of a solved pair with their successors, by an independent routine.

        Returns what is wrong, and the positions by side and code (2 × 256), counted again.
        """

    def put(self, pair: Pair, codes: Sequence[np.ndarray], counts: np.ndarray) -> None:
        """Bring the tables of a pair solved elsewhere: codes of each of its sides, and what `solve_pair` returned for it."""

    def forget(self, pair: Pair) -> None:
        """Let go of the tables of a pair."""


class CpuPairSolver:
    """Solves a pair in the calling thread."""

    at_once = None
    resident = False  # files are mapped into memory, which the system can take back
    checkpoints = True
    checks = False

    def __init__(self, game: Game, tables: TileTables) -> None:
        self._rules = game.rules
        self._tables = tables
        self._codes: dict[tuple[Pair, int], np.ndarray] = {}
        self._scratch = threading.local()

    def prepare(self, solve: bool, check: bool) -> None:
        pass  # the first pair is small, and compiled code is kept on disk

    def solve_pair(self, pair: Pair, stop: Stop) -> np.ndarray:
        tables = self._tables
        entries = pair_entries(tables, pair)
        columns = pair.columns(tables.cells)
        shape = Shape(pair.more, pair.fewer, entries // columns, columns)
        empty = np.empty(0, np.uint8)
        x_codes = np.empty(entries, np.uint8)
        o_codes = empty if pair.is_diagonal else np.empty(entries, np.uint8)
        x_further = o_further = empty
        if pair.more + pair.fewer < tables.cells:
            x_further = self._codes[Pair(pair.more + 1, pair.fewer), O_TO_MOVE]
            if not pair.is_diagonal:
                o_further = self._codes[Pair(pair.more, pair.fewer + 1), X_TO_MOVE]
        x_side = Side(X_TO_MOVE, x_codes, x_codes if pair.is_diagonal else o_codes, x_further)
        o_side = Side(O_TO_MOVE, o_codes, x_codes, o_further)
        ended = solve_pair(self._rules, tables, shape, x_side, o_side, *self._scratch_for(entries), stop.flag)
        if ended == STOPPED:
            raise Stopped("solving was stopped")
        if ended == NO_CODE:
            raise LudometerError(f"positions with {pair.more} and {pair.fewer} tiles have a distance that has no code (see tiles.codes)")
        counts = np.zeros((2, 256), np.int64)
        for side, codes in zip(pair.sides, (x_codes, o_codes)):
            close(tables, shape, codes, 0, shape.rows, counts[side])
            self._codes[pair, side] = codes
        return counts

    def fetch(self, pair: Pair, side: int) -> np.ndarray:
        return self._codes[pair, side]

    def fetch_values(self, pair: Pair, side: int, marked: bool = False) -> np.ndarray:
        codes = self._codes[pair, side]
        packed = np.empty(-(-codes.size // 4), np.uint8)
        (pack_marked_values if marked else pack_values)(codes, packed)
        return packed

    def check(self, pair: Pair) -> tuple[list[str], np.ndarray]:
        raise LudometerError("on the processor tables are checked when all are solved, by `verify`")

    def put(self, pair: Pair, codes: Sequence[np.ndarray], counts: np.ndarray) -> None:
        for side, side_codes in zip(pair.sides, codes):
            self._codes[pair, side] = side_codes

    def forget(self, pair: Pair) -> None:
        for side in pair.sides:
            self._codes.pop((pair, side), None)

    def _scratch_for(self, entries: int) -> tuple[Listed, Listed, np.ndarray]:
        """Two lists and room for lost positions, scratch of this thread: memory fresh from the system is slow, so it is used again."""
        if getattr(self._scratch, "entries", -1) < entries:
            self._scratch.words = self._scratch.small = None
            self._scratch.words = np.empty(4 * entries, np.uint32)
            self._scratch.small = np.empty(4 * entries, np.uint8)
            self._scratch.entries = entries
        words, small = self._scratch.words, self._scratch.small
        parts = [slice(number * entries, (number + 1) * entries) for number in range(4)]
        x_listed = Listed(words[parts[0]], small[parts[0]], small[parts[1]])
        o_listed = Listed(words[parts[1]], small[parts[2]], small[parts[3]])
        return x_listed, o_listed, words[2 * entries : 4 * entries]


def solver_for(device: str) -> type[PairSolver]:
    if device not in DEVICES:
        raise LudometerError(f"no device is called {device!r}; devices are {', '.join(DEVICES)}")
    module, _, name = DEVICES[device].rpartition(".")
    found: type[PairSolver] = getattr(importlib.import_module(module), name)
    return found


def must_be_right(solver: PairSolver, pair: Pair, counts: np.ndarray) -> None:
    """Check a pair that has just been solved with these counts; raises WrongEntries."""
    wrong, counted = solver.check(pair)
    if wrong:
        raise WrongEntries(wrong[0])
    if not np.array_equal(counts, counted):
        raise WrongEntries(f"the numbers of wins, losses and draws with {pair.more} and {pair.fewer} tiles are not those of the entries")


def start_entry(game: Game, rows: Rows) -> tuple[Class, int]:
    """Class and entry of the position a game begins with."""
    mover, other, index = locate(game.rules, game.start().state, rows)
    return (mover, other), index


def as_kept(solver: PairSolver, pair: Pair, side: int, keep: str, marked: bool = False) -> np.ndarray:
    """One table of a solved pair as it is to be kept; `marked`: see `fetch_values`."""
    if keep == "none":
        return np.empty(0, np.uint8)
    return solver.fetch(pair, side) if keep == "distances" else solver.fetch_values(pair, side, marked)
