"""Solving a tile game into a folder of tables.

Every finished pair stays: a run that was killed goes on where it stopped and ends with the same bytes.  A task reads what it needs from the
folder and writes its results there, so any executor whose workers see the folder can run it.
"""

from __future__ import annotations

import shutil
import threading
from collections import deque
from collections.abc import Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ludometer import games
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.progress import OnProgress
from ludometer.core.stopping import Stop
from ludometer.solve.locking import locked
from ludometer.solve.packed_files import write_packed
from ludometer.solve.reach import KEEP
from ludometer.solve.table_files import SUFFIX, DamagedTable, MissingTable, Origin, TableError, TableFile, write_table
from ludometer.solve.table_folders import (
    MANIFEST,
    TableFolder,
    make_folder,
    open_table,
    read_manifest,
    remove_tables_except,
    write_manifest,
)
from ludometer.solve.tasks import run_graph
from ludometer.solve.tiles.estimate import sizes_of_game
from ludometer.solve.tiles.filling import FILLS
from ludometer.solve.tiles.index import Rows
from ludometer.solve.tiles.lookup import TileTables, tile_tables
from ludometer.solve.tiles.pair_solvers import as_kept, must_be_right, solver_for, start_entry
from ludometer.solve.tiles.pairs import Pair, classes_of, needed_by, no_longer_needed
from ludometer.solve.tiles.progress import PairProgress
from ludometer.solve.tiles.repacking import pack_folder
from ludometer.solve.tiles.solution import (
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
_SMALL = 1 << 24  # entries of a pair that stays in memory until it is no longer needed, although it is in files


@dataclass(frozen=True)
class FolderJob:
    """What is to be solved, where, and how; the fields are those of `driver.solve_tiles`."""

    game: Game
    device: str
    at_once: int  # pairs solved at the same time in this process
    folder: Path
    keep: str
    check: bool
    executor: Executor | None
    on_progress: OnProgress | None
    stop: Stop
    pack: bool = False


def solve_in_folder(job: FolderJob) -> TileSolution:
    """What a finished folder has, or what solving makes of an unfinished one; raises TableError, Stopped, WrongEntries."""
    make_folder(job.folder)
    found, keep = _finished_solution(job.folder, job.game, job.keep)
    if found is None:
        with locked(job.folder, job.stop):
            found, keep = _finished_solution(job.folder, job.game, job.keep)  # another process may have been faster
            if found is None:
                return _fill_folder(job, keep)
    if job.pack and not found.packed:
        pack_folder(job.folder, game=job.game, stop=job.stop)
        found = open_solution(job.folder, job.game)
    found.reused = found.entries
    if job.on_progress is not None:
        job.on_progress(found.reused, found.reused, f"found in {job.folder}")
    return found


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


def _fill_folder(job: FolderJob, keep: str) -> TileSolution:
    game, folder, executor = job.game, job.folder, job.executor
    if executor is not None and games.game(game.spec) != game:
        raise LudometerError(f"{game.spec} is not a built-in game, which other processes could find by its name; solve it with threads")
    origin = Origin.of(game, LAYOUT)
    tables = tile_tables(game)
    cells = tables.cells
    sizes = sizes_of_game(game)
    (folder / MANIFEST).unlink(missing_ok=True)
    apart = keep != "distances" or job.pack  # distances that others need are not among what is kept, or packed there
    if apart:
        make_folder(folder / _WORK)
    to_do = _to_do(job, sizes, cells, origin, keep, apart)
    waiting = needed_by(to_do, cells)
    local = None if executor is not None else _FolderSolver(game, job.device, tables, job.stop, job.check)
    if local is not None:
        local.prepare()
    progress = PairProgress(job.on_progress, sizes)
    progress.add([pair for pair in sizes if pair not in to_do], "found from an earlier run")
    reused = progress.done

    def submit(pair: Pair) -> Future[None]:
        if local is None:
            assert executor is not None
            return executor.submit(solve_pair_in_folder, game.spec, job.device, pair.more, pair.fewer, str(folder), keep, job.pack)
        return pool.submit(local.solve, pair, folder, keep, job.pack)

    def finished(pair: Pair, result: None) -> None:
        for done in no_longer_needed(pair, cells, waiting):
            if local is not None:
                local.forget(done)
            if apart:
                for place in classes_of(done):
                    (folder / _WORK / f"{name_of(place)}{SUFFIX}").unlink(missing_ok=True)
        progress.solved(pair)

    with ThreadPoolExecutor(job.at_once) as pool:
        needs = {pair: pair.needs(cells) for pair in sizes if pair in to_do}
        run_graph(needs, sizes.__getitem__, submit, finished, None if executor is not None else job.at_once + 1, job.stop)
    if local is not None:
        local.finish_writing()
    shutil.rmtree(folder / _WORK, ignore_errors=True)
    solution = solution_of(game, _finish_folder(folder, origin, sizes, keep, tables, job.pack))
    solution.reused = reused
    solution.checked = solution.entries - reused if job.check and local is not None else 0
    return solution


def _to_do(job: FolderJob, sizes: Mapping[Pair, int], cells: int, origin: Origin, keep: str, apart: bool) -> set[Pair]:
    """The pairs to solve: those not in the folder, and those whose distances others still need but that were not kept."""
    folder = job.folder

    def is_there(pair: Pair) -> bool:
        job.stop.check("solving")
        return _is_there(folder, pair, sizes[pair], origin, keep, job.pack)

    with ThreadPoolExecutor(job.at_once) as pool:
        there = dict(zip(sizes, pool.map(is_there, sizes)))
    to_do: set[Pair] = set()
    needed: set[Pair] = set()
    for pair in reversed(list(sizes)):  # from the start position on: who needs a pair comes before it
        lost = apart and pair in needed and not _is_there(folder / _WORK, pair, sizes[pair], origin, "distances")
        if not there[pair] or lost:
            to_do.add(pair)
            needed.update(pair.needs(cells))
    return to_do


def _is_there(folder: Path, pair: Pair, entries: int, origin: Origin, keep: str, packed: bool = False) -> bool:
    """Whether a pair's files are in order, every byte."""
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
    """Solves pairs from files to files."""

    def __init__(self, game: Game, device: str, tables: TileTables, stop: Stop, check: bool = False) -> None:
        self._tables = tables
        self._check = check
        self._stop = stop
        self._writer = ThreadPoolExecutor(_WRITERS)
        self._writing: deque[tuple[Future[Path], int]] = deque()  # files on their way to the disk, and their bytes
        self._solver = solver_for(device)(game, self._tables)
        self._origin = Origin.of(game, LAYOUT)
        self._start = start_entry(game, Rows(self._tables.representatives, self._tables.first_row))
        self._sizes = sizes_of_game(game)
        self._here: set[Pair] = set()  # pairs whose tables the solver holds
        self._bringing = threading.Lock()

    def prepare(self) -> None:
        self._solver.prepare(solve=True, check=self._check)

    def solve(self, pair: Pair, folder: Path, keep: str, pack: bool = False) -> None:
        apart = keep != "distances" or pack
        work = folder / _WORK if apart else folder
        for need in pair.needs(self._tables.cells):
            self._bring(need, work)
        counts = self._solver.solve_pair(pair, self._stop)
        if self._check:
            must_be_right(self._solver, pair, counts)
        for place, side in zip(classes_of(pair), pair.sides):
            entries = self._sizes[pair] // len(pair.sides)
            meta: dict[str, Any] = {"mover": place[0], "other": place[1], "entries": entries, "counts": sparse(counts[side])}
            if place == self._start[0]:
                meta["start"] = int(self._solver.fetch(pair, side)[self._start[1]])
            if apart and self._solver.checkpoints:
                codes = self._solver.fetch(pair, side)
                write_table(work, name_of(place), codes, self._origin, ENCODINGS["distances"], meta, self._stop)
            self._write(folder, name_of(place), as_kept(self._solver, pair, side, keep, pack), keep, meta, pack)
        if self._solver.resident or self._sizes[pair] <= _SMALL:
            with self._bringing:
                self._here.add(pair)
        else:
            self._solver.forget(pair)

    def _write(self, folder: Path, name: str, array: np.ndarray, keep: str, meta: dict[str, Any], pack: bool) -> None:
        """Write a table: at once, or behind the back of a device that can solve on in the meantime."""

        def write() -> Path:
            if pack:
                return write_packed(folder, name, array, self._origin, ENCODINGS[keep], {**meta, "filled": True}, FILLS[keep], self._stop)
            return write_table(folder, name, array, self._origin, ENCODINGS[keep], meta, self._stop)

        if not self._solver.resident:
            write()
            return
        while self._writing and sum(size for _, size in self._writing) > _MOST_WRITING:
            self._writing.popleft()[0].result()
        self._writing.append((self._writer.submit(write), array.nbytes))

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

    def is_done(self, pair: Pair, folder: Path, keep: str, pack: bool) -> bool:
        entries = self._sizes[pair]
        apart = keep != "distances" or pack
        there = _is_there(folder, pair, entries, self._origin, keep, pack)
        return there and (not apart or _is_there(folder / _WORK, pair, entries, self._origin, "distances"))


@lru_cache(maxsize=1)
def _tables_of(spec: str) -> TileTables:
    return tile_tables(games.game(spec))


def solve_pair_in_folder(spec: str, device: str, more: int, fewer: int, folder: str, keep: str, pack: bool = False) -> None:
    """The task other processes run: solve one pair from files to files.  Doing it twice does no harm."""
    solver = _FolderSolver(games.game(spec), device, _tables_of(spec), Stop())
    if not solver.is_done(Pair(more, fewer), Path(folder), keep, pack):
        solver.solve(Pair(more, fewer), Path(folder), keep, pack)
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
