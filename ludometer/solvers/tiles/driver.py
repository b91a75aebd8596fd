"""Solving tile games completely: pairs of classes in the order they need each other, in memory or (`folder`) in a folder of tables."""

from __future__ import annotations

import time
from concurrent.futures import Executor
from pathlib import Path

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.progress import OnProgress
from ludometer.core.stopping import Stop
from ludometer.core.text import size_at_least, size_text
from ludometer.solvers.solvable import check_keep
from ludometer.solvers.tiles.board import check_board
from ludometer.solvers.tiles.estimate import estimate, sizes_of_game
from ludometer.solvers.tiles.folder import FolderJob, solve_in_folder
from ludometer.solvers.tiles.index import Rows
from ludometer.solvers.tiles.lookup import TileTables, tile_tables
from ludometer.solvers.tiles.pair_solvers import PairSolver, as_kept, must_be_right, solve_pairs, solver_for, start_entry
from ludometer.solvers.tiles.pairs import Class, Pair, classes_of, needed_by, no_longer_needed
from ludometer.solvers.tiles.progress import PairProgress
from ludometer.solvers.tiles.solution import TileSolution


def solve_tiles(
    game: Game,
    *,
    device: str = "cpu",
    workers: int | None = None,
    folder: Path | None = None,
    keep: str = "distances",
    check: bool = False,
    pack: bool = False,
    memory: int | None = None,
    executor: Executor | None = None,
    progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> TileSolution:
    """Solve a tile game.

    `folder`: keep the tables there, and take from there what an earlier run finished; None solves in memory.
    `keep`: "distances", "values" (a quarter of the room) or "none" (totals only).  A folder that has more already is used as it is.
    `pack`: write packed tables (`solvers.files.packed_files`); a folder that has plain ones already is packed.
    `check`: compare every entry with its successors as soon as its pair is solved, by an independent routine (on a GPU only;
    elsewhere use `verification.verify` afterwards); raises WrongEntries.  `checked` of the solution says how many entries that were:
    tables found in the folder and those made by an executor's workers are not among them.
    `workers`: threads that share the rows of a pair (None: all cores).
    `memory`: bytes that may be used, of the card's on a GPU (None: what is free); see `estimate`.
    `executor`: any `concurrent.futures.Executor` whose workers see `folder`, for pairs and for pieces of large ones.
    `progress(done, all, text)`: called after each pair with numbers of entries.
    `stop`: ends the work with Stopped, within 50 ms on the processor, after the kernel at work on a GPU.
    The values depend on none of these.
    """
    begin = time.perf_counter()
    check_board(game)
    check_keep(keep)
    if workers is not None and workers < 1:
        raise LudometerError(f"the number of workers is 1 or more, not {workers}")
    if executor is not None and folder is None:
        raise LudometerError("solving with an executor needs a folder that all its workers see")
    if pack and (folder is None or keep == "none"):
        raise LudometerError("only tables that are kept in a folder, with values or distances, can be packed; leave out --pack")
    solver_class = solver_for(device)
    if check and not solver_class.checks:
        raise LudometerError(f"on {device} tables are checked when all are solved, by `verify`")
    if workers is not None and not solver_class.threaded:
        raise LudometerError(f"on {device} there are no threads to choose; leave out --workers")
    if memory is not None and solver_class.threaded:
        expected = estimate(game, workers)
        least = expected.memory[keep] if folder is None else expected.least_memory
        if memory < least:
            raise LudometerError(f"{game.spec} cannot be solved in {size_text(memory)} of memory; the least is {size_at_least(least)}")
    request = stop or Stop()
    if folder is None:
        tables = tile_tables(game)
        solution = _solve_in_memory(game, tables, solver_class(game, tables, memory, workers), keep, check, progress, request)
    else:
        job = FolderJob(game, device, workers, Path(folder), keep, check, executor, progress, request, pack, memory)
        solution = solve_in_folder(job)
    solution.seconds = time.perf_counter() - begin
    solution.device = device if solution.reused < solution.entries else "none"
    return solution


def _solve_in_memory(
    game: Game, tables: TileTables, solver: PairSolver, keep: str, check: bool, callback: OnProgress | None, stop: Stop
) -> TileSolution:
    sizes = sizes_of_game(game)
    cells = check_board(game)
    solver.prepare(solve=True, check=check)
    waiting = needed_by(sizes, cells)
    progress = PairProgress(callback, sizes)
    kept: dict[Class, np.ndarray] = {}
    counts: dict[Class, np.ndarray] = {}
    rows = Rows(tables.representatives, tables.first_row)
    start_class, start_place = start_entry(game, rows)
    start_code = -1

    def work(pair: Pair) -> np.ndarray:
        pair_counts = solver.solve_pair(pair, stop)
        if check:
            must_be_right(solver, pair, pair_counts)
        if keep != "none":
            for place, side in zip(classes_of(pair), pair.sides):
                kept[place] = as_kept(solver, pair, side, keep)
        return pair_counts

    def finished(pair: Pair, pair_counts: np.ndarray) -> None:
        nonlocal start_code
        counts.update(zip(classes_of(pair), pair_counts))
        if start_class in classes_of(pair):
            start_code = int(solver.fetch(pair, classes_of(pair).index(start_class))[start_place])
        for done in no_longer_needed(pair, cells, waiting):
            solver.forget(done)
        progress.solved(pair)

    solve_pairs(game, sizes, solver.at_once, work, finished, stop)
    solver.close()
    solution = TileSolution(game, keep, counts, kept, rows if keep != "none" else None, start_code)
    solution.checked = solution.entries if check else 0
    return solution
