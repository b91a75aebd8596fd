"""Solving tile games completely: pairs of classes in order of dependence, in memory or in a folder of tables."""

from __future__ import annotations

import time

import numpy as np

from ludometer.core.game import Game
from ludometer.solvers.options import SolveOptions
from ludometer.solvers.tiles.board import check_board
from ludometer.solvers.tiles.estimate import estimate, sizes_of_game
from ludometer.solvers.tiles.folder import FolderJob, solve_in_folder
from ludometer.solvers.tiles.forecasting import check_memory
from ludometer.solvers.tiles.index import Rows
from ludometer.solvers.tiles.lookup import tile_tables
from ludometer.solvers.tiles.pair_solvers import as_kept, must_be_right, solve_pairs, solver_for, start_entry
from ludometer.solvers.tiles.pairs import Class, Pair, classes_of, needed_by, no_longer_needed
from ludometer.solvers.tiles.progress import PairProgress
from ludometer.solvers.tiles.solution import TileSolution


def solve_tiles(game: Game, options: SolveOptions) -> TileSolution:
    """Solve a tile game with options that `check_options` has accepted.

    A folder is resumed: tables finished by an earlier run are used, and a folder that keeps more than asked for is used as it is.  Plain
    tables are packed if `options.pack` asks for it.  `checked` of the solution counts the entries compared while solving, without tables
    found in the folder.  `options.progress` is called after each pair with numbers of entries.  A request to stop takes effect within 50 ms
    on the processor; on a GPU the running kernel ends first.
    """
    begin = time.perf_counter()
    check_board(game)
    if options.memory is not None and options.device == "cpu":
        check_memory(game, options, estimate(game, options.workers))
    if options.folder is None:
        solution = _solve_in_memory(game, options)
    else:
        solution = solve_in_folder(FolderJob(game, options))
    solution.seconds = time.perf_counter() - begin
    solution.device = options.device if solution.reused < solution.entries else "none"
    return solution


def _solve_in_memory(game: Game, options: SolveOptions) -> TileSolution:
    keep, check = options.keep, options.check
    tables = tile_tables(game)
    solver = solver_for(options.device)(game, tables, options.memory, options.workers)
    sizes = sizes_of_game(game)
    cells = check_board(game)
    solver.prepare(solve=True, check=check)
    waiting = needed_by(sizes, cells)
    progress = PairProgress(options.progress, sizes)
    kept: dict[Class, np.ndarray] = {}
    counts: dict[Class, np.ndarray] = {}
    rows = Rows(tables.representatives, tables.first_row)
    start_class, start_place = start_entry(game, rows)
    start_code = -1

    def work(pair: Pair) -> np.ndarray:
        pair_counts = solver.solve_pair(pair, options.stop)
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

    solve_pairs(game, sizes, solver.at_once, work, finished, options.stop)
    solver.close()
    solution = TileSolution(game, keep, counts, kept, rows if keep != "none" else None, start_code)
    solution.checked = solution.entries if check else 0
    return solution
