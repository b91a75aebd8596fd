"""Solving a tile game into a folder of tables.

Finished pairs stay on disk: a killed run resumes there and ends with the same bytes.  A task reads its input from the folder and writes its
results there, so any executor whose workers see the folder can run it.
"""

from __future__ import annotations

import shutil
import threading
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ludometer import games
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.machine import usable_cores
from ludometer.solvers.files.locking import locked
from ludometer.solvers.files.packed_files import write_packed
from ludometer.solvers.files.table_files import SUFFIX, DamagedTable, MissingTable, Origin, TableError, TableFile, write_table
from ludometer.solvers.files.table_folders import (
    MANIFEST,
    TableFolder,
    make_folder,
    open_table,
    read_manifest,
    remove_tables_except,
    write_manifest,
)
from ludometer.solvers.memory import free_memory
from ludometer.solvers.options import KEEP, SolveOptions
from ludometer.solvers.task_graph import run_graph
from ludometer.solvers.tiles.estimate import estimate, sizes_of_game
from ludometer.solvers.tiles.filling import FILLS
from ludometer.solvers.tiles.index import Rows
from ludometer.solvers.tiles.lookup import TileTables, tile_tables
from ludometer.solvers.tiles.pair_solvers import CpuPairSolver, as_kept, must_be_right, solve_pairs, solver_for, start_entry
from ludometer.solvers.tiles.pairs import Pair, classes_of, needed_by, no_longer_needed
from ludometer.solvers.tiles.pieces import INTERVAL, PIECE_ENTRIES, Pieces, rows_of_piece
from ludometer.solvers.tiles.progress import PairProgress
from ludometer.solvers.tiles.repacking import pack_folder
from ludometer.solvers.tiles.solution import (
    ENCODINGS,
    LAYOUT,
    ROWS,
    TileSolution,
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
_SMALL = 1 << 24  # entries of a pair up to which a worker process solves it with one thread


@dataclass(frozen=True)
class FolderJob:
    """A game, the options with which to solve it, and the sizes of checkpoints."""

    game: Game
    options: SolveOptions  # with a folder
    piece_entries: int = PIECE_ENTRIES
    interval: float = INTERVAL  # seconds of work that a kill may lose

    @property
    def folder(self) -> Path:
        assert self.options.folder is not None
        return self.options.folder


@dataclass(frozen=True)
class PieceTask:
    """Rows of one table of a pair that is too large for one task."""

    pair: Pair
    side: int
    begin: int
    end: int


def solve_in_folder(job: FolderJob) -> TileSolution:
    """The solution in a folder, solved or completed first if need be; raises TableError, Stopped, WrongEntries."""
    make_folder(job.folder)
    found, keep = _finished_solution(job.folder, job.game, job.options.keep)
    if found is None:
        with locked(job.folder, job.options.stop):
            found, keep = _finished_solution(job.folder, job.game, job.options.keep)  # another process may have been faster
            if found is None:
                return _fill_folder(job, keep)
    if job.options.pack and not found.packed:
        pack_folder(job.folder, game=job.game, stop=job.options.stop)
        found = open_solution(job.folder, job.game)
    found.reused = found.entries
    job.options.report(found.reused, found.reused, f"found in {job.folder}")
    return found


def _finished_solution(folder: Path, game: Game, keep: str) -> tuple[TileSolution | None, str]:
    """(the solution in a finished folder if it is undamaged and keeps enough, what to keep: never less than before)."""
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


def _fill_folder(job: FolderJob, keep: str) -> TileSolution:
    game, folder, executor = job.game, job.folder, job.options.executor
    if executor is not None and games.game(game.spec) != game:
        raise LudometerError(f"{game.spec} is not a built-in game, which other processes could find by its name; solve it with threads")
    origin = Origin.of(game, LAYOUT)
    tables = tile_tables(game)
    cells = tables.cells
    sizes = sizes_of_game(game)
    (folder / MANIFEST).unlink(missing_ok=True)
    apart = keep != "distances" or job.options.pack  # distances that others need are not among what is kept, or packed there
    if apart:
        make_folder(folder / _WORK)
    to_do = _to_do(job, sizes, cells, origin, keep, apart)
    waiting = needed_by(to_do, cells)
    local = None if executor is not None else _FolderSolver(job, tables, keep)
    if local is not None:
        local.prepare()
    progress = PairProgress(job.options.progress, sizes)
    progress.add([pair for pair in sizes if pair not in to_do], "found from an earlier run")
    reused = progress.done

    def finished(pair: Pair) -> None:
        for done in no_longer_needed(pair, cells, waiting):
            if local is not None:
                local.forget(done)
            if apart:
                for place in classes_of(done):
                    (folder / _WORK / f"{name_of(place)}{SUFFIX}").unlink(missing_ok=True)
        progress.solved(pair)

    if local is None:
        _send(job, keep, sizes, to_do, cells, finished)
    else:
        solve_pairs(game, to_do, local.at_once, local.solve, lambda pair, result: finished(pair), job.options.stop)
        local.finish_writing()
    shutil.rmtree(folder / _WORK, ignore_errors=True)
    solution = solution_of(game, _finish_folder(folder, origin, sizes, keep, tables, job.options.pack))
    solution.reused = reused
    solution.checked = solution.entries - reused if job.options.check and local is not None else 0
    return solution


def _send(job: FolderJob, keep: str, sizes: Mapping[Pair, int], to_do: set[Pair], cells: int, finished: Callable[[Pair], None]) -> None:
    """Have the executor's workers solve pairs, after filling pieces of the large ones."""
    assert job.options.executor is not None
    executor = job.options.executor
    order = Order(job.game.spec, job.options.device, str(job.folder), keep, job.options.pack, job.piece_entries, job.interval)
    needs: dict[Pair | PieceTask, list[Pair | PieceTask]] = {}
    for pair in (pair for pair in sizes if pair in to_do):
        parts = _pieces_of(pair, sizes[pair], cells, job.piece_entries) if job.options.device == "cpu" else []
        needs.update({part: list(pair.needs(cells)) for part in parts})
        needs[pair] = list(parts) or list(pair.needs(cells))

    def size(task: Pair | PieceTask) -> int:
        return sizes[task] if isinstance(task, Pair) else (task.end - task.begin) * task.pair.columns(cells)

    def submit(task: Pair | PieceTask) -> Future[None]:
        if isinstance(task, Pair):
            return executor.submit(solve_pair_in_folder, order, task)
        return executor.submit(fill_piece_in_folder, order, task)

    def ended(task: Pair | PieceTask, result: None) -> None:
        if isinstance(task, Pair):
            finished(task)

    run_graph(needs, size, submit, ended, None, job.options.stop)


def _pieces_of(pair: Pair, entries: int, cells: int, piece_entries: int) -> list[PieceTask]:
    """The pieces of a pair; none if a table has no more entries than a piece."""
    each, columns = entries // len(pair.sides), pair.columns(cells)
    if each <= piece_entries:
        return []
    rows, step = each // columns, rows_of_piece(columns, piece_entries)
    return [PieceTask(pair, side, first, min(rows, first + step)) for side in pair.sides for first in range(0, rows, step)]


def _to_do(job: FolderJob, sizes: Mapping[Pair, int], cells: int, origin: Origin, keep: str, apart: bool) -> set[Pair]:
    """The pairs to solve: those not in the folder, and those whose distances others still need but that were not kept."""
    folder = job.folder

    def is_there(pair: Pair) -> bool:
        job.options.stop.check("solving")
        return _is_there(folder, pair, sizes[pair], origin, keep, job.options.pack)

    with ThreadPoolExecutor(job.options.workers or usable_cores()) as pool:
        there = dict(zip(sizes, pool.map(is_there, sizes)))
    to_do: set[Pair] = set()
    needed: set[Pair] = set()
    for pair in reversed(list(sizes)):  # from the start position on: a pair comes after those that need it
        lost = apart and pair in needed and not _is_there(folder / _WORK, pair, sizes[pair], origin, "distances")
        if not there[pair] or lost:
            to_do.add(pair)
            needed.update(pair.needs(cells))
    return to_do


def _is_there(folder: Path, pair: Pair, entries: int, origin: Origin, keep: str, packed: bool = False) -> bool:
    """Whether the files of a pair are there and undamaged; compares all checksums."""
    try:
        for place in classes_of(pair):
            table = open_table(folder, name_of(place), origin, packed)
            if table.encoding != ENCODINGS[keep] or table.meta["entries"] * len(pair.sides) != entries:
                return False
            if packed and not table.meta.get("filled", False):
                return False
            table.check_all()
    except TableError:
        return False
    return True


class _FolderSolver:
    """Solves pairs, reading from and writing to files."""

    def __init__(self, job: FolderJob, tables: TileTables, keep: str) -> None:
        self._job, self._tables, self._keep, self._stop = job, tables, keep, job.options.stop
        self._folder = job.folder
        self._apart = keep != "distances" or job.options.pack
        self._work = job.folder / _WORK if self._apart else job.folder  # where distances are that others need
        self._writer = ThreadPoolExecutor(_WRITERS)
        self._writing: deque[tuple[Future[Path], int]] = deque()  # files on their way to the disk, and their bytes
        self._solver = solver_for(job.options.device)(job.game, tables, job.options.memory, job.options.workers)
        self.at_once = self._solver.at_once
        self._origin = Origin.of(job.game, LAYOUT)
        self._pieces = Pieces(job.folder / _WORK, self._origin, job.options.stop, job.piece_entries, job.interval)
        self._start = start_entry(job.game, Rows(tables.representatives, tables.first_row))
        self._sizes = sizes_of_game(job.game)
        self._here: set[Pair] = set()  # pairs whose tables the solver holds
        self._bringing = threading.Lock()
        self._room = _room(job)  # entries of finished pairs that may stay in memory

    def prepare(self) -> None:
        self._solver.prepare(solve=True, check=self._job.options.check)

    def solve(self, pair: Pair) -> None:
        for need in pair.needs(self._tables.cells):
            self._bring(need)
        self._pieces.begin()
        counts = self._solver.solve_pair(pair, self._stop, self._pieces)
        if self._job.options.check:
            must_be_right(self._solver, pair, counts)
        for place, side in zip(classes_of(pair), pair.sides):
            entries = self._sizes[pair] // len(pair.sides)
            meta: dict[str, Any] = {"mover": place[0], "other": place[1], "entries": entries, "counts": sparse(counts[side])}
            if place == self._start[0]:
                meta["start"] = int(self._solver.fetch(pair, side)[self._start[1]])
            if self._apart and self._solver.checkpoints:
                codes = self._solver.fetch(pair, side)
                write_table(self._work, name_of(place), codes, self._origin, ENCODINGS["distances"], meta, self._stop)
            self._write(name_of(place), as_kept(self._solver, pair, side, self._keep, self._job.options.pack), meta)
        self._pieces.clear(pair)
        with self._bringing:
            if self._solver.resident or sum(self._sizes[one] for one in self._here) + self._sizes[pair] <= self._room:
                self._here.add(pair)
            else:
                self._solver.forget(pair)

    def fill_piece(self, task: PieceTask) -> None:
        """Fill some rows and write them, unless files have them."""
        columns = task.pair.columns(self._tables.cells)
        rows = self._sizes[task.pair] // len(task.pair.sides) // columns
        there = [piece for piece in self._pieces.of(task.pair, task.side, rows, columns) if piece.file is not None]
        if any(piece.begin <= task.begin and task.end <= piece.end for piece in there):
            return
        for need in task.pair.needs(self._tables.cells):
            self._bring(need)
        assert isinstance(self._solver, CpuPairSolver)
        codes = self._solver.fill_piece(task.pair, task.side, task.begin, task.end, self._stop)
        self._pieces.save(task.pair, task.side, task.begin, task.end, codes)

    def _write(self, name: str, array: np.ndarray, meta: dict[str, Any]) -> None:
        """Write a table, in the background if it stays on a device that can solve on in the meantime."""
        folder, keep = self._folder, self._keep

        def write() -> Path:
            if self._job.options.pack:
                return write_packed(folder, name, array, self._origin, ENCODINGS[keep], {**meta, "filled": True}, FILLS[keep], self._stop)
            return write_table(folder, name, array, self._origin, ENCODINGS[keep], meta, self._stop)

        if not self._solver.resident:
            write()
            return
        while self._writing and sum(size for _, size in self._writing) > _MOST_WRITING:
            self._writing.popleft()[0].result()
        self._writing.append((self._writer.submit(write), array.nbytes))

    def finish_writing(self) -> None:
        """Wait for the last files; raises the first error of writing."""
        while self._writing:
            self._writing.popleft()[0].result()
        self._writer.shutdown()
        self._solver.close()

    def _bring(self, pair: Pair) -> None:
        """Load the tables of a solved pair into the solver, unless it has them."""
        with self._bringing:
            if pair in self._here:
                return
            files = [TableFile(self._work / f"{name_of(place)}{SUFFIX}", self._origin) for place in classes_of(pair)]
            counts = np.zeros((2, 256), np.int64)
            for side, file in enumerate(files):
                counts[side] = dense(file.meta["counts"])
            self._solver.put(pair, [file.array() for file in files], counts)
            self._here.add(pair)

    def forget(self, pair: Pair) -> None:
        with self._bringing:
            self._here.discard(pair)
            self._solver.forget(pair)

    def is_done(self, pair: Pair) -> bool:
        entries = self._sizes[pair]
        there = _is_there(self._folder, pair, entries, self._origin, self._keep, self._job.options.pack)
        return there and (not self._apart or _is_there(self._work, pair, entries, self._origin, "distances"))


def _room(job: FolderJob) -> int:
    """Bytes of memory beyond the least that solving takes.  A limit for a device's memory does not count here."""
    limit = (job.options.memory if job.options.device == "cpu" else None) or free_memory()
    return _SMALL if limit is None else max(0, limit - estimate(job.game, job.options.workers).least_memory)


@lru_cache(maxsize=1)
def _tables_of(spec: str) -> TileTables:
    return tile_tables(games.game(spec))


@dataclass(frozen=True)
class Order:
    """The job of a task, as sent to another process."""

    spec: str
    device: str
    folder: str
    keep: str
    pack: bool
    piece_entries: int
    interval: float

    def solver(self, workers: int | None) -> _FolderSolver:
        options = SolveOptions(device=self.device, workers=workers, folder=Path(self.folder), keep=self.keep, pack=self.pack)
        job = FolderJob(games.game(self.spec), options, self.piece_entries, self.interval)
        return _FolderSolver(job, _tables_of(self.spec), self.keep)


def solve_pair_in_folder(order: Order, pair: Pair) -> None:
    """Task of another process: solve one pair, from files to files.  Idempotent."""
    one_thread = order.device == "cpu" and sizes_of_game(games.game(order.spec))[pair] <= _SMALL
    solver = order.solver(1 if one_thread else None)
    if not solver.is_done(pair):
        solver.solve(pair)
    solver.finish_writing()


def fill_piece_in_folder(order: Order, piece: PieceTask) -> None:
    """Task of another process that comes before: fill some rows of a large pair."""
    solver = order.solver(1)
    solver.fill_piece(piece)
    solver.finish_writing()


def _finish_folder(
    folder: Path, origin: Origin, sizes: Mapping[Pair, int], keep: str, tables: TileTables, pack: bool = False
) -> TableFolder:
    """Write the rows and the manifest."""
    names = [name_of(place) for pair in sizes for place in classes_of(pair)]
    files = {name: open_table(folder, name, origin, pack) for name in names}
    metas = [file.meta for file in files.values()]
    total = np.sum([dense(meta["counts"]) for meta in metas], axis=0)
    start_code = next(meta["start"] for meta in metas if "start" in meta)
    if keep != "none":
        first_row = [int(row) for row in tables.first_row]
        file = write_table(folder, ROWS, tables.representatives, origin, "rows", {"first_row": first_row})
        files[ROWS] = TableFile(file, origin)
    remove_tables_except(folder, files.values())
    meta = {"keep": keep, "states": int(total.sum()), **totals_of(total), "start": start_code, **({"filled": True} if pack else {})}
    return write_manifest(folder, files, origin, meta)
