"""Solving tile games completely: pairs of classes in the order they need each other, in memory or in a folder of tables.

In a folder every finished pair stays: a run that was killed goes on where it stopped and ends with the same bytes.  A task reads
what it needs from the folder and writes its results there, so any executor whose workers see the folder can run it.
"""

from __future__ import annotations

import importlib
import os
import shutil
import threading
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ludometer import games
from ludometer.core import entry
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.solve.codes import LOSS_BASE, WIN_BASE, decode, histogram
from ludometer.solve.packing import CODE_OF_PACKED, pack_values
from ludometer.solve.retrograde_kernels import close, solve_pair
from ludometer.solve.solution import VALUE_NAMES, OutsideTable, Probe, Solution, Value
from ludometer.solve.table_files import (
    MANIFEST,
    SUFFIX,
    DamagedTable,
    MissingTable,
    Origin,
    ProgressCallback,
    TableError,
    TableFile,
    TableFolder,
    locked,
    make_folder,
    open_folder,
    read_manifest,
    remove_tables_except,
    write_manifest,
    write_table,
)
from ludometer.solve.tasks import run_graph
from ludometer.solve.tile_index import image_of_cell, locate, locate_successors
from ludometer.solve.tiles import O_TO_MOVE, X_TO_MOVE, Pair, TileTables, all_pairs, count_cells, is_tile_game, pair_entries, tile_tables

LAYOUT = "tile classes 1"
KEEP = ("none", "values", "distances")  # what stays of each class, from least to most
ENCODINGS = {"none": "nothing", "values": "values, 2 bits", "distances": "codes of values and distances, 1 byte"}
ROWS = "rows"  # the table of representatives
DEVICES = {  # device -> class that follows `PairSolver`
    "cpu": "ludometer.solve.retrograde.CpuPairSolver",
    "cuda": "ludometer.solve.cuda.CudaPairSolver",
}

_WRITERS = 4  # threads that write files while a device solves on
_MOST_WRITING = 8 << 30  # bytes that may wait to be written
_WORK = "work"  # folder of distance codes that are needed only while solving
_SMALL = 1 << 24  # entries of a pair that stays in memory until it is no longer needed, although it is in files
_SCRATCH_BYTES = 20  # per entry of one table of a pair
_LONG_WAY = 1000  # moves, more than any code can say
_SECONDS_PER_MOVE = 8e-9  # for one move of one entry on one core, measured with quixo:4 on an AMD EPYC

Class = tuple[int, int]  # tiles of the player to move, tiles of the other


def classes_of(pair: Pair) -> list[Class]:
    """The classes of a pair, in the order of `Pair.sides`."""
    return [(pair.more, pair.fewer)] if pair.is_diagonal else [(pair.more, pair.fewer), (pair.fewer, pair.more)]


# ---- solving one pair ----


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


# ---- the solution ----


@dataclass(frozen=True)
class Rows:
    """The rows of all tables: sets of X tiles up to symmetry."""

    representatives: np.ndarray  # (rows of all sizes,) uint32, ascending among those of one size
    first_row: np.ndarray  # (cells + 2,) int64: where the representatives with a tiles begin


class TileSolution(Solution):
    """Exact values of a tile game by class, in memory or in files."""

    def __init__(
        self,
        game: Game,
        keep: str,
        counts: Mapping[Class, np.ndarray],
        tables: Mapping[Class, Any],
        rows: Rows | None,
        start_code: int,
        folder: Path | None = None,
    ) -> None:
        self.game = game
        self.keep = keep
        self.counts = counts  # class -> positions by code (256)
        self.tables = tables  # class -> array or TableFile of codes, or of packed values; none with keep="none"
        self.rows = rows
        self.folder = folder
        self.start_code = start_code
        self.seconds = 0.0
        self.device = "cpu"
        self.stated_totals: dict[str, int] | None = None  # what the folder's manifest says: states, win, loss, draw
        self.reused = 0  # entries that were in the folder already

    @property
    def total(self) -> np.ndarray:
        """All positions by code (256)."""
        total: np.ndarray = np.sum(list(self.counts.values()), axis=0)
        return total

    def code(self, position: Position) -> int:
        """The code of a position (see `solve.codes`); with values only, win and loss have distance 0."""
        rows = self._rows_for(position)
        mover, other, index = locate(self.game.rules, position.state, rows.representatives, rows.first_row)
        return self._code_at(mover, other, index)

    def _rows_for(self, position: Position) -> Rows:
        if position.game != self.game:
            raise OutsideTable(f"this is a solution of {self.game.spec}, not of {position.game.spec}")
        if self.rows is None:
            raise OutsideTable(f"{self.game.spec}: only totals were kept, no values; solve with values or distances kept")
        return self.rows

    def _code_at(self, mover: int, other: int, index: int) -> int:
        table = self.tables.get((mover, other))
        if table is None:
            raise OutsideTable(f"{self.game.spec}: no table is kept of positions with {mover} tiles of the mover and {other} of the other")
        if self.keep == "distances":
            return int(table.item(index))
        return CODE_OF_PACKED[int(table.item(index >> 2)) >> 2 * (index & 3) & 3]

    def value(self, position: Position) -> Value:
        outcome, distance = decode(self.code(position))
        if self.keep == "distances":
            return Value(outcome, distance)
        return Value(outcome, 0 if position.is_over else None)

    def probe(self, position: Position) -> Probe:
        """Value and all moves, found with one call of compiled code; raises OutsideTable."""
        rows = self._rows_for(position)
        bound = self.game.move_bound
        moves, places = np.empty(bound, np.int32), np.empty((bound + 1, 4), np.int64)
        count = int(locate_successors(self.game.rules, position.state, rows.representatives, rows.first_row, moves, places))
        exact = self.keep == "distances"
        (mover, other, index, over), *after = places[: count + 1].tolist()
        outcome, distance = decode(self._code_at(mover, other, index))
        seen = [_seen_from_before(self._code_at(mover, other, index), exact or over == 1) for mover, other, index, over in after]
        listed = moves[:count].tolist()
        top = max((preference for _, preference in seen), default=None)
        return Probe(
            Value(outcome, distance if exact or over else None),
            tuple((move, value) for move, (value, _) in zip(listed, seen)),
            best=tuple(move for move, (_, preference) in zip(listed, seen) if preference == top),
            keeping=tuple(move for move, (_, preference) in zip(listed, seen) if top is not None and preference[0] == top[0]),
        )

    def summary(self) -> dict[str, Any]:
        total = self.total
        outcome, distance = decode(self.start_code)
        return {
            "game": self.game.spec,
            "states": int(total.sum()),
            **_totals(total),
            "start": {"value": VALUE_NAMES[outcome], "distance": distance},
            "histogram": histogram(total),
            "seconds": self.seconds,
            "device": self.device,  # "none" if all was in the folder already
            "reused": self.device == "none",
        }

    def classes(self) -> list[dict[str, int]]:
        """{mover, other, win, loss, draw} for every class, by number of tiles."""
        ordered = sorted(self.counts, key=lambda c: (c[0] + c[1], c))
        return [{"mover": mover, "other": other, **_totals(self.counts[mover, other])} for mover, other in ordered]


@lru_cache(maxsize=2 * 256)
def _seen_from_before(code: int, exact: bool) -> tuple[Value, tuple[int, int]]:
    """What a move to an entry with this code is worth to the player who makes it, and how he ranks it.

    `exact`: the distance in the code is right.  A distance that is not known counts as a long way, so that a win at
    once is better and a loss at once worse.
    """
    outcome, distance = decode(code)
    value = Value(outcome, distance if exact else None).for_other_player().before_a_move()
    return value, value.preference() if value.distance is not None else (value.outcome, -value.outcome * _LONG_WAY)


def _totals(counts: np.ndarray) -> dict[str, int]:
    return {
        "win": int(counts[WIN_BASE:LOSS_BASE].sum()),
        "loss": int(counts[LOSS_BASE:255].sum()),
        "draw": int(counts[0]),
    }


def open_solution(folder: Path, game: Game | None = None) -> TileSolution:
    """The solution in a finished folder; raises MissingTable, DamagedTable or ForeignTable."""
    opened = open_folder(folder, game, LAYOUT if game else None)
    if opened.origin.layout != LAYOUT:
        raise TableError(f"the tables in {str(folder)!r} are {opened.origin.layout!r}, not {LAYOUT!r}")
    found = game or games.game(opened.origin.game)
    if game is None:
        Origin.of(found, LAYOUT).check(vars(opened.origin), folder)
    return _solution_of(found, opened)


def _solution_of(game: Game, opened: TableFolder) -> TileSolution:
    by_class = {_class_named(name): table for name, table in opened.tables.items() if name != ROWS}
    rows = None
    if ROWS in opened.tables:
        table = opened.tables[ROWS]
        rows = Rows(np.array(table.array()), np.array(table.meta["first_row"], np.int64))
    counts = {place: _dense(table.meta["counts"]) for place, table in by_class.items()}
    solution = TileSolution(game, opened.meta["keep"], counts, by_class if rows else {}, rows, opened.meta["start"], opened.path)
    solution.stated_totals = {key: opened.meta[key] for key in ("states", "win", "loss", "draw")}
    return solution


def _name(place: Class) -> str:
    return f"{place[0]:02d}-{place[1]:02d}"


def _class_named(name: str) -> Class:
    mover, other = name.split("-")
    return int(mover), int(other)


def _sparse(counts: np.ndarray) -> dict[str, int]:
    return {str(code): int(count) for code, count in enumerate(counts) if count}


def _dense(counts: Mapping[str, int]) -> np.ndarray:
    dense = np.zeros(256, np.int64)
    for code, count in counts.items():
        dense[int(code)] = count
    return dense


# ---- the driver ----


def solve_tiles(
    game: Game,
    *,
    device: str = "cpu",
    workers: int | None = None,
    folder: Path | None = None,
    keep: str = "distances",
    check: bool = False,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
) -> TileSolution:
    """Solve a tile game.

    `folder`: keep the tables there, and take from there what an earlier run finished; None solves in memory.
    `keep`: "distances", "values" (a quarter of the room) or "none" (totals only).  A folder that has more already is used as it is.
    `check`: compare every entry with its successors as soon as its pair is solved, by an independent routine (on a GPU only;
    elsewhere use `verification.verify` afterwards); raises WrongEntries.
    `executor`: any `concurrent.futures.Executor` whose workers see `folder`; by default `workers` threads (None: all cores).
    `progress(done, all, text)`: called after each pair with numbers of entries.
    The values depend on none of these.
    """
    begin = time.perf_counter()
    if not is_tile_game(game):
        raise LudometerError(f"{game.spec} is not a game of tiles: its states are not made of two sets of tiles")
    if keep not in KEEP:
        raise LudometerError(f"keep={keep!r} should be one of {', '.join(KEEP)}")
    if workers is not None and workers < 1:
        raise LudometerError(f"the number of workers is 1 or more, not {workers}")
    if executor is not None and folder is None:
        raise LudometerError("solving with an executor needs a folder that all its workers see")
    solver_class = solver_for(device)
    at_once = solver_class.at_once or workers or cores()
    if folder is None:
        solution = _solve_in_memory(game, solver_class, at_once, keep, check, progress)
    else:
        solution = _solve_in_folder(game, device, at_once, Path(folder), keep, check, executor, progress)
    solution.seconds = time.perf_counter() - begin
    solution.device = device if solution.reused < sum(_sizes_of_game(game).values()) else "none"
    return solution


def cores() -> int:
    """Processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Progress:
    """Adds up finished entries and tells the caller."""

    def __init__(self, callback: ProgressCallback | None, sizes: Mapping[Pair, int]) -> None:
        self._callback = callback
        self._sizes = sizes
        self._all = sum(sizes.values())
        self.done = 0

    def add(self, pairs: Iterable[Pair], text: str) -> None:
        self.done += sum(self._sizes[pair] for pair in pairs)
        if self._callback is not None:
            self._callback(self.done, self._all, text)

    def solved(self, pair: Pair) -> None:
        self.add([pair], f"{pair.more} and {pair.fewer} tiles")


def _sizes(tables: TileTables) -> dict[Pair, int]:
    """Entries of every pair, both tables, in an order of solving."""
    return {pair: pair_entries(tables, pair) * len(pair.sides) for pair in all_pairs(tables.cells)}


def _needed_by(pairs: Iterable[Pair], cells: int) -> dict[Pair, int]:
    """How many of these pairs need each pair."""
    count: dict[Pair, int] = {}
    for pair in pairs:
        for need in pair.needs(cells):
            count[need] = count.get(need, 0) + 1
    return count


def _solve_in_memory(
    game: Game, solver_class: type[PairSolver], at_once: int, keep: str, check: bool, callback: ProgressCallback | None
) -> TileSolution:
    tables = tile_tables(game)
    solver = solver_class(game, tables)
    sizes = _sizes(tables)
    waiting = _needed_by(sizes, tables.cells)
    progress = _Progress(callback, sizes)
    kept: dict[Class, np.ndarray] = {}
    counts: dict[Class, np.ndarray] = {}
    rows = Rows(tables.representatives, tables.first_row)
    start_class, start_entry = _start(game, rows)
    start_code = -1

    def work(pair: Pair) -> np.ndarray:
        pair_counts = solver.solve_pair(pair)
        if check:
            _must_be_right(solver, pair)
        if keep != "none":
            for place, side in zip(classes_of(pair), pair.sides):
                kept[place] = _as_kept(solver, pair, side, keep)
        return pair_counts

    def finished(pair: Pair, pair_counts: np.ndarray) -> None:
        nonlocal start_code
        counts.update(zip(classes_of(pair), pair_counts))
        if start_class in classes_of(pair):
            start_code = int(solver.fetch(pair, classes_of(pair).index(start_class))[start_entry])
        for done in _no_longer_needed(pair, tables.cells, waiting):
            solver.forget(done)
        progress.solved(pair)

    with ThreadPoolExecutor(at_once) as pool:
        needs = {pair: pair.needs(tables.cells) for pair in sizes}
        run_graph(needs, sizes.__getitem__, lambda pair: pool.submit(work, pair), finished, at_once + 1)
    return TileSolution(game, keep, counts, kept, rows if keep != "none" else None, start_code)


def _must_be_right(solver: PairSolver, pair: Pair) -> None:
    wrong = solver.check(pair)
    if wrong is not None:
        raise WrongEntries(wrong)


def _no_longer_needed(pair: Pair, cells: int, waiting: dict[Pair, int]) -> list[Pair]:
    """The pairs that only this one, now solved, still needed; `waiting` is counted down."""
    for need in pair.needs(cells):
        waiting[need] -= 1
    done = [need for need in pair.needs(cells) if waiting[need] == 0]
    return done if waiting.get(pair) else [*done, pair]


def _start(game: Game, rows: Rows) -> tuple[Class, int]:
    """Class and entry of the position a game begins with."""
    mover, other, index = locate(game.rules, game.start().state, rows.representatives, rows.first_row)
    return (mover, other), index


def _as_kept(solver: PairSolver, pair: Pair, side: int, keep: str) -> np.ndarray:
    if keep == "none":
        return np.empty(0, np.uint8)
    return solver.fetch(pair, side) if keep == "distances" else solver.fetch_values(pair, side)


# ---- in a folder ----


def _solve_in_folder(
    game: Game,
    device: str,
    at_once: int,
    folder: Path,
    keep: str,
    check: bool,
    executor: Executor | None,
    callback: ProgressCallback | None,
) -> TileSolution:
    make_folder(folder)
    finished_before, keep = _finished_solution(folder, game, keep)
    if finished_before is None:
        with locked(folder):
            finished_before, keep = _finished_solution(folder, game, keep)  # another process may have been faster
            if finished_before is None:
                return _fill_folder(game, device, at_once, folder, keep, check, executor, callback)
    finished_before.reused = sum(_sizes_of_game(game).values())
    if callback is not None:
        callback(finished_before.reused, finished_before.reused, f"found in {folder}")
    return finished_before


def _finished_solution(folder: Path, game: Game, keep: str) -> tuple[TileSolution | None, str]:
    """What a finished folder has, if it is in order and enough; and what is to be kept: never less than was kept before."""
    try:
        kept = read_manifest(folder, game, LAYOUT)["meta"]["keep"]
    except (MissingTable, DamagedTable):
        return None, keep
    if KEEP.index(kept) < KEEP.index(keep):
        return None, keep
    try:
        return open_solution(folder, game), kept
    except TableError:  # solving again repairs what is missing or damaged
        return None, kept


def _fill_folder(
    game: Game,
    device: str,
    at_once: int,
    folder: Path,
    keep: str,
    check: bool,
    executor: Executor | None,
    callback: ProgressCallback | None,
) -> TileSolution:
    if executor is not None and games.game(game.spec) != game:
        raise LudometerError(f"{game.spec} is not a built-in game, which other processes could find by its name; solve it with threads")
    origin = Origin.of(game, LAYOUT)
    tables = tile_tables(game)
    cells = tables.cells
    sizes = _sizes(tables)
    (folder / MANIFEST).unlink(missing_ok=True)
    if keep != "distances":
        make_folder(folder / _WORK)
    to_do = _to_do(folder, sizes, cells, origin, keep, at_once)
    waiting = _needed_by(to_do, cells)
    progress = _Progress(callback, sizes)
    progress.add([pair for pair in sizes if pair not in to_do], "found from an earlier run")
    reused = progress.done
    local = None if executor is not None else _FolderSolver(game, device, tables, check)

    def submit(pair: Pair) -> Future[None]:
        if local is None:
            assert executor is not None
            return executor.submit(solve_pair_in_folder, game.spec, device, pair.more, pair.fewer, str(folder), keep)
        return pool.submit(local.solve, pair, folder, keep)

    def finished(pair: Pair, result: None) -> None:
        for done in _no_longer_needed(pair, cells, waiting):
            if local is not None:
                local.forget(done)
            if keep != "distances":
                for place in classes_of(done):
                    (folder / _WORK / f"{_name(place)}{SUFFIX}").unlink(missing_ok=True)
        progress.solved(pair)

    with ThreadPoolExecutor(at_once) as pool:
        needs = {pair: pair.needs(cells) for pair in sizes if pair in to_do}
        run_graph(needs, sizes.__getitem__, submit, finished, None if executor is not None else at_once + 1)
    if local is not None:
        local.finish_writing()
    shutil.rmtree(folder / _WORK, ignore_errors=True)
    solution = _solution_of(game, _finish_folder(folder, origin, sizes, keep, tables))
    solution.reused = reused
    return solution


def _to_do(folder: Path, sizes: Mapping[Pair, int], cells: int, origin: Origin, keep: str, at_once: int) -> set[Pair]:
    """The pairs to solve: those not in the folder, and those whose distances others still need but that were not kept."""
    with ThreadPoolExecutor(at_once) as pool:
        there = dict(zip(sizes, pool.map(lambda pair: _is_there(folder, pair, sizes[pair], origin, keep), sizes)))
    to_do: set[Pair] = set()
    needed: set[Pair] = set()
    for pair in reversed(list(sizes)):  # from the start position on: who needs a pair comes before it
        lost = keep != "distances" and pair in needed and not _is_there(folder / _WORK, pair, sizes[pair], origin, "distances")
        if not there[pair] or lost:
            to_do.add(pair)
            needed.update(pair.needs(cells))
    return to_do


def _is_there(folder: Path, pair: Pair, entries: int, origin: Origin, keep: str) -> bool:
    """Whether a pair's files are in order, every byte."""
    try:
        for place in classes_of(pair):
            table = TableFile(folder / f"{_name(place)}{SUFFIX}", origin)
            if table.encoding != ENCODINGS[keep] or table.meta["entries"] * len(pair.sides) != entries:
                return False
            table.array()
    except TableError:
        return False
    return True


class _FolderSolver:
    """Solves pairs from files to files."""

    def __init__(self, game: Game, device: str, tables: TileTables, check: bool = False) -> None:
        self._tables = tables
        self._check = check
        self._writer = ThreadPoolExecutor(_WRITERS)
        self._writing: deque[tuple[Future[Path], int]] = deque()  # files on their way to the disk, and their bytes
        self._solver = solver_for(device)(game, self._tables)
        self._origin = Origin.of(game, LAYOUT)
        self._start = _start(game, Rows(self._tables.representatives, self._tables.first_row))
        self._sizes = _sizes(self._tables)
        self._here: set[Pair] = set()  # pairs whose tables the solver holds
        self._bringing = threading.Lock()

    def solve(self, pair: Pair, folder: Path, keep: str) -> None:
        work = folder if keep == "distances" else folder / _WORK
        for need in pair.needs(self._tables.cells):
            self._bring(need, work)
        counts = self._solver.solve_pair(pair)
        if self._check:
            _must_be_right(self._solver, pair)
        for place, side in zip(classes_of(pair), pair.sides):
            entries = self._sizes[pair] // len(pair.sides)
            meta: dict[str, Any] = {"mover": place[0], "other": place[1], "entries": entries, "counts": _sparse(counts[side])}
            if place == self._start[0]:
                meta["start"] = int(self._solver.fetch(pair, side)[self._start[1]])
            if keep != "distances" and self._solver.checkpoints:
                write_table(work, _name(place), self._solver.fetch(pair, side), self._origin, ENCODINGS["distances"], meta)
            self._write(folder, _name(place), _as_kept(self._solver, pair, side, keep), ENCODINGS[keep], meta)
        if self._solver.resident or self._sizes[pair] <= _SMALL:
            with self._bringing:
                self._here.add(pair)
        else:
            self._solver.forget(pair)

    def _write(self, folder: Path, name: str, array: np.ndarray, encoding: str, meta: dict[str, Any]) -> None:
        """Write a table: at once, or behind the back of a device that can solve on in the meantime."""
        if not self._solver.resident:
            write_table(folder, name, array, self._origin, encoding, meta)
            return
        while self._writing and sum(size for _, size in self._writing) > _MOST_WRITING:
            self._writing.popleft()[0].result()
        self._writing.append((self._writer.submit(write_table, folder, name, array, self._origin, encoding, meta), array.nbytes))

    def finish_writing(self) -> None:
        """Wait for the last files; raises what went wrong with one of them."""
        while self._writing:
            self._writing.popleft()[0].result()
        self._writer.shutdown()

    def _bring(self, pair: Pair, work: Path) -> None:
        """Hand the tables of a solved pair to the solver, unless it has them."""
        with self._bringing:
            if pair not in self._here:
                files = [TableFile(work / f"{_name(place)}{SUFFIX}", self._origin) for place in classes_of(pair)]
                counts = np.zeros((2, 256), np.int64)
                for side, file in enumerate(files):
                    counts[side] = _dense(file.meta["counts"])
                self._solver.put(pair, [file.array() for file in files], counts)
                self._here.add(pair)

    def forget(self, pair: Pair) -> None:
        with self._bringing:
            self._here.discard(pair)
            self._solver.forget(pair)

    def is_done(self, pair: Pair, folder: Path, keep: str) -> bool:
        there = _is_there(folder, pair, self._sizes[pair], self._origin, keep)
        return there and (keep == "distances" or _is_there(folder / _WORK, pair, self._sizes[pair], self._origin, "distances"))


@lru_cache(maxsize=1)
def _tables_of(spec: str) -> TileTables:
    return tile_tables(games.game(spec))


def solve_pair_in_folder(spec: str, device: str, more: int, fewer: int, folder: str, keep: str) -> None:
    """The task other processes run: solve one pair from files to files.  Doing it twice does no harm."""
    solver = _FolderSolver(games.game(spec), device, _tables_of(spec))
    if not solver.is_done(Pair(more, fewer), Path(folder), keep):
        solver.solve(Pair(more, fewer), Path(folder), keep)
    solver.finish_writing()


def _finish_folder(folder: Path, origin: Origin, sizes: Mapping[Pair, int], keep: str, tables: TileTables) -> TableFolder:
    """Write the rows and the manifest."""
    names = [_name(place) for pair in sizes for place in classes_of(pair)]
    files = {name: TableFile(folder / f"{name}{SUFFIX}", origin) for name in names}
    metas = [file.meta for file in files.values()]
    total = np.sum([_dense(meta["counts"]) for meta in metas], axis=0)
    start_code = next(meta["start"] for meta in metas if "start" in meta)
    if keep != "none":
        first_row = [int(row) for row in tables.first_row]
        file = write_table(folder, ROWS, tables.representatives, origin, "rows", {"first_row": first_row})
        files[ROWS] = TableFile(file, origin)
    remove_tables_except(folder, files)
    return write_manifest(folder, files, origin, {"keep": keep, "states": int(total.sum()), **_totals(total), "start": start_code})


# ---- what it will cost ----


@dataclass(frozen=True)
class Estimate:
    """What solving a game will take; bytes by what is kept ("none", "values", "distances")."""

    states: int  # positions
    entries: int  # of all tables: positions up to the symmetries of one side's tiles
    memory: dict[str, int]  # most bytes at a time when solved in memory with one worker
    folder_memory: int  # … when solved in a folder, for each worker
    disk: dict[str, int]  # bytes of the finished folder
    working_disk: int  # further bytes while solving into a folder with values or nothing kept
    seconds: float  # on the processor with all cores, from a measured rate: a rough figure


def estimate(game: Game, workers: int | None = None) -> Estimate:
    """What solving a tile game will take, without beginning to."""
    if not is_tile_game(game):
        raise LudometerError(f"{game.spec} is not a game of tiles: its states are not made of two sets of tiles")
    cells = int(count_cells(game.rules))
    sizes = _sizes_of_game(game)
    entries = sum(sizes.values())
    look_up = 4 << cells  # the largest look-up table: an orbit for each set of cells
    waiting = _needed_by(sizes, cells)
    held = working = in_memory = 0
    for pair, size in sizes.items():
        held += size
        in_memory = max(in_memory, held + _SCRATCH_BYTES * size // len(pair.sides))
        working = max(working, held)
        for need in pair.needs(cells):
            waiting[need] -= 1
            if waiting[need] == 0:
                held -= sizes[need]
    scratch = max(size + _SCRATCH_BYTES * size // len(pair.sides) for pair, size in sizes.items())
    heads = 4096 * ((cells + 1) * (cells + 2) // 2)
    rows = 4 * sum(_rows_by_size(game))
    return Estimate(
        states=3**cells,
        entries=entries,
        memory={"none": look_up + in_memory, "values": look_up + in_memory + entries // 4, "distances": look_up + scratch + entries},
        folder_memory=look_up + scratch,
        disk={"none": heads, "values": heads + rows + entries // 4, "distances": heads + rows + entries},
        working_disk=working,
        seconds=entries * game.move_bound * _SECONDS_PER_MOVE / (workers or cores()),
    )


@lru_cache(maxsize=8)
def _sizes_of_game(game: Game) -> dict[Pair, int]:
    """Entries of every pair, both tables, in an order of solving; without look-up tables."""
    rows = _rows_by_size(game)
    cells = len(rows) - 1
    return {pair: rows[pair.more] * comb(cells - pair.more, pair.fewer) * len(pair.sides) for pair in all_pairs(cells)}


@lru_cache(maxsize=8)
def _rows_by_size(game: Game) -> tuple[int, ...]:
    """The number of sets of a tiles up to symmetry, for every a: the average number of sets that a symmetry leaves as they are."""
    cells = int(count_cells(game.rules))
    symmetries = int(entry.image_of_move(game.rules, 0, 0)[1])
    total = np.zeros(cells + 1, np.int64)
    for symmetry in range(symmetries):
        image = [int(image_of_cell(game.rules, cell, symmetry)) for cell in range(cells)]
        unchanged = np.zeros(cells + 1, np.int64)
        unchanged[0] = 1
        for length in _cycles(image):  # a set is left as it is when it has all or nothing of every cycle
            unchanged[length:] += unchanged[:-length].copy()
        total += unchanged
    return tuple(int(count) // symmetries for count in total)


def _cycles(image: list[int]) -> list[int]:
    """Lengths of the cycles of a permutation."""
    left = set(range(len(image)))
    lengths = []
    while left:
        cell = left.pop()
        length = 1
        while (image[cell]) in left:
            cell = image[cell]
            left.remove(cell)
            length += 1
        lengths.append(length)
    return lengths
