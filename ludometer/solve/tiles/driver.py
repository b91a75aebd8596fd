"""Solving tile games completely: pairs of classes in the order they need each other, in memory or in a folder of tables.

In a folder every finished pair stays: a run that was killed goes on where it stopped and ends with the same bytes.  A task reads
what it needs from the folder and writes its results there, so any executor whose workers see the folder can run it.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from ludometer import games
from ludometer.core import entry
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
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
    read_manifest,
    remove_tables_except,
    write_manifest,
    write_table,
)
from ludometer.solve.tasks import run_graph
from ludometer.solve.tiles.board import Pair, TileTables, all_pairs, count_cells, is_tile_game, pair_entries, tile_tables
from ludometer.solve.tiles.index import image_of_cell, locate
from ludometer.solve.tiles.pair_solvers import PairSolver, WrongEntries, solver_for
from ludometer.solve.tiles.solution import (
    ENCODINGS,
    KEEP,
    LAYOUT,
    ROWS,
    Class,
    Rows,
    TileSolution,
    classes_of,
    dense,
    name_of,
    open_solution,
    solution_of,
    sparse,
    totals_of,
)

_WRITERS = 4  # threads that write files while a device solves on
_MOST_WRITING = 8 << 30  # bytes that may wait to be written
_WORK = "work"  # folder of distance codes that are needed only while solving
_SMALL = 1 << 24  # entries of a pair that stays in memory until it is no longer needed, although it is in files
_SCRATCH_BYTES = 20  # per entry of one table of a pair
_SECONDS_PER_MOVE = 8e-9  # for one move of one entry on one core, measured with quixo:4 on an AMD EPYC


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
                    (folder / _WORK / f"{name_of(place)}{SUFFIX}").unlink(missing_ok=True)
        progress.solved(pair)

    with ThreadPoolExecutor(at_once) as pool:
        needs = {pair: pair.needs(cells) for pair in sizes if pair in to_do}
        run_graph(needs, sizes.__getitem__, submit, finished, None if executor is not None else at_once + 1)
    if local is not None:
        local.finish_writing()
    shutil.rmtree(folder / _WORK, ignore_errors=True)
    solution = solution_of(game, _finish_folder(folder, origin, sizes, keep, tables))
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
            table = TableFile(folder / f"{name_of(place)}{SUFFIX}", origin)
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
            meta: dict[str, Any] = {"mover": place[0], "other": place[1], "entries": entries, "counts": sparse(counts[side])}
            if place == self._start[0]:
                meta["start"] = int(self._solver.fetch(pair, side)[self._start[1]])
            if keep != "distances" and self._solver.checkpoints:
                write_table(work, name_of(place), self._solver.fetch(pair, side), self._origin, ENCODINGS["distances"], meta)
            self._write(folder, name_of(place), _as_kept(self._solver, pair, side, keep), ENCODINGS[keep], meta)
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
                files = [TableFile(work / f"{name_of(place)}{SUFFIX}", self._origin) for place in classes_of(pair)]
                counts = np.zeros((2, 256), np.int64)
                for side, file in enumerate(files):
                    counts[side] = dense(file.meta["counts"])
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
    names = [name_of(place) for pair in sizes for place in classes_of(pair)]
    files = {name: TableFile(folder / f"{name}{SUFFIX}", origin) for name in names}
    metas = [file.meta for file in files.values()]
    total = np.sum([dense(meta["counts"]) for meta in metas], axis=0)
    start_code = next(meta["start"] for meta in metas if "start" in meta)
    if keep != "none":
        first_row = [int(row) for row in tables.first_row]
        file = write_table(folder, ROWS, tables.representatives, origin, "rows", {"first_row": first_row})
        files[ROWS] = TableFile(file, origin)
    remove_tables_except(folder, files)
    return write_manifest(folder, files, origin, {"keep": keep, "states": int(total.sum()), **totals_of(total), "start": start_code})


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
