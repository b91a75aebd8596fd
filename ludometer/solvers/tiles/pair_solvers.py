"""Solvers of one pair of classes of a tile game: the processor's here, a GPU's in `tiles.cuda.solver`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

import numpy as np

from ludometer.core.errors import Defect, LudometerError
from ludometer.core.game import Game
from ludometer.core.machine import usable_cores
from ludometer.core.stopping import Stop
from ludometer.solvers.task_graph import run_graph
from ludometer.solvers.tiles.estimate import pairs_at_once, sizes_of_game
from ludometer.solvers.tiles.index import Rows, locate
from ludometer.solvers.tiles.lookup import TileTables
from ludometer.solvers.tiles.packing import pack_marked_values, pack_values
from ludometer.solvers.tiles.pair_work import PairWork
from ludometer.solvers.tiles.pairs import Class, Pair, further_table
from ludometer.solvers.tiles.pieces import Pieces
from ludometer.solvers.tiles.team import Team

Result = TypeVar("Result")

DEVICES = {  # device -> class that follows `PairSolver`
    "cpu": "ludometer.solvers.tiles.pair_solvers.CpuPairSolver",
    "cuda": "ludometer.solvers.tiles.cuda.solver.CudaPairSolver",
}


class WrongEntries(Defect):
    """Entries that are not what their successors say: a defect of the solver or of the machine."""


class PairSolver(Protocol):
    """Solves pairs and holds their tables, on the processor or on a device with separate memory."""

    at_once: int  # number of threads that may solve a pair each at the same time
    resident: bool  # whether tables written to files should also stay here until no pair needs them
    checkpoints: bool  # whether to write distances that are not kept while others need them, to resume from

    def __init__(self, game: Game, tables: TileTables, memory: int | None = None, workers: int | None = None) -> None:
        """`memory`: bytes of a device's memory to use; `workers`: number of threads.  None: all there are."""

    def prepare(self, solve: bool, check: bool) -> None:
        """Compile the kernels of solving or checking, so that compilation does not count as time of the first pairs."""

    def solve_pair(self, pair: Pair, stop: Stop, pieces: Pieces | None = None) -> np.ndarray:
        """Solve a pair; returns positions by side and code (2 × 256).  Its further pairs (`Pair.needs`) must be here.  Raises Stopped.

        `pieces`: where a killed run left its work, and where to leave it.
        """

    def fetch(self, pair: Pair, side: int) -> np.ndarray:
        """The codes of one table that is here."""

    def fetch_values(self, pair: Pair, side: int, marked: bool = False) -> np.ndarray:
        """The values of one table that is here, packed as in `tiles.packing`; `marked`: with LEFT_OUT where the rules decide at once."""

    def check(self, pair: Pair) -> tuple[list[str], np.ndarray]:
        """Compare all entries of a solved pair with their successors, by an independent routine.

        Returns the errors found, and positions by side and code (2 × 256), counted again.
        """

    def put(self, pair: Pair, codes: Sequence[np.ndarray], counts: np.ndarray) -> None:
        """Take over the tables of a pair solved elsewhere.  `counts`: what `solve_pair` returned for it."""

    def forget(self, pair: Pair) -> None:
        """Free the tables of a pair."""

    def close(self) -> None:
        """Free all tables and threads."""


class CpuPairSolver:
    """Solves a pair with threads that share its rows."""

    resident = False  # files are mapped into memory, which the system can take back
    checkpoints = True

    def __init__(self, game: Game, tables: TileTables, memory: int | None = None, workers: int | None = None) -> None:
        self._rules = game.rules
        self._tables = tables
        self._codes: dict[tuple[Pair, int], np.ndarray] = {}
        self.at_once = pairs_at_once(game, workers)
        self._team = Team(1 if self.at_once > 1 else workers or usable_cores())

    def prepare(self, solve: bool, check: bool) -> None:
        pass  # the first pair is small, and compiled code is kept on disk

    def solve_pair(self, pair: Pair, stop: Stop, pieces: Pieces | None = None) -> np.ndarray:
        work = PairWork(self._rules, self._tables, pair, self._team, stop)
        win = work.resume(pieces) if pieces is not None else None
        if win is None:
            for side in pair.sides:
                work.fill(side, self._further(pair, side), pieces)
            win = work.begin()
        work.decide(win, pieces)
        counts = np.zeros((2, 256), np.int64)
        for side in pair.sides:
            counts[side] = work.close(side)
            self._codes[pair, side] = work.codes(side)
        return counts

    def fill_piece(self, pair: Pair, side: int, begin: int, end: int, stop: Stop) -> np.ndarray:
        """The first step for rows begin..end of one table alone."""
        work = PairWork(self._rules, self._tables, pair, self._team, stop, rows_of_codes=(begin, end))
        work.fill_rows(side, self._further(pair, side), begin, end)
        return work.codes(side)

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

    def close(self) -> None:
        self._team.close()

    def _further(self, pair: Pair, side: int) -> np.ndarray:
        """The table reached by this side's moves that take a blank; empty on a full board."""
        target = further_table(pair, side, self._tables.cells)
        return np.empty(0, np.uint8) if target is None else self._codes[target]


def solver_for(device: str) -> type[PairSolver]:
    if device not in DEVICES:
        raise LudometerError(f"no device is called {device!r}; devices are {', '.join(DEVICES)}")
    module, _, name = DEVICES[device].rpartition(".")
    found: type[PairSolver] = getattr(importlib.import_module(module), name)
    return found


def solve_pairs(
    game: Game, pairs: Collection[Pair], at_once: int, work: Callable[[Pair], Result], finished: Callable[[Pair, Result], None], stop: Stop
) -> None:
    """Call work(pair) for these pairs, each after those it needs, in `at_once` threads, and finished(pair, result) in this one."""
    sizes = sizes_of_game(game)
    if at_once == 1:
        for pair in (pair for pair in sizes if pair in pairs):
            finished(pair, work(pair))
        return
    cells = max(pair.more for pair in sizes)
    with ThreadPoolExecutor(at_once) as pool:
        needs = {pair: pair.needs(cells) for pair in sizes if pair in pairs}
        run_graph(needs, sizes.__getitem__, lambda pair: pool.submit(work, pair), finished, at_once + 1, stop)


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
