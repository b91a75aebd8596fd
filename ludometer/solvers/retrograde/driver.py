"""Solving any game by retrograde analysis: all positions are found, then valued from the end, and kept in a folder."""

from __future__ import annotations

import time
from contextlib import nullcontext

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.machine import usable_cores
from ludometer.solvers.files.table_files import DamagedTable, MissingTable, Origin
from ludometer.solvers.forecasts import Forecast
from ludometer.solvers.memory import free_memory
from ludometer.solvers.options import KEEP, SolveOptions
from ludometer.solvers.retrograde.keys import fixing_symmetries
from ludometer.solvers.retrograde.query_kernels import estimated_positions
from ludometer.solvers.retrograde.reach import Positions, TooManyPositions, find_positions
from ludometer.solvers.retrograde.reach_kernels import first_key
from ludometer.solvers.retrograde.rounds import Rounds
from ludometer.solvers.retrograde.snapshots import INTERVAL, Snapshots
from ludometer.solvers.retrograde.solution import LAYOUT, ArrayEntries, RetrogradeSolution, count_totals
from ludometer.solvers.retrograde.store import arrays_of, keep_solution, locked_folder, open_retrograde, stored_values
from ludometer.solvers.retrograde.team import Threads

_BYTES_OF_ENTRY = 9  # in a folder: a key of one word and a value
_HEADS = 1 << 14  # bytes of the heads of its files and the manifest
_UNKNOWN_MEMORY = 1 << 62  # bytes, where the system does not say how much there is


def solve_retrograde(game: Game, options: SolveOptions, most: int | None = None, interval: float = INTERVAL) -> RetrogradeSolution:
    """Solve a game, whether its positions come again or not.

    A whole folder that has what is to be kept is returned as it is.  `interval`: seconds between two snapshots.
    Raises TooManyPositions beyond `most` positions or the memory that may be used, and Stopped.
    """
    if game.kind.scored:
        raise LudometerError(f"{game.spec} counts points and can come back to a position: what is gained without an end has no exact value")
    folder = options.folder
    since = time.perf_counter()
    with nullcontext() if folder is None else locked_folder(folder, options.stop):
        kept = None if folder is None else _found(game, options)
        snapshots = Snapshots(folder, Origin.of(game, LAYOUT), options.stop, interval)
        if kept is not None:
            snapshots.clear()  # left by a run killed after it wrote the manifest
            if folder is not None and options.pack and not kept.is_packed:
                kept.found = arrays_of(kept)
                keep_solution(kept, folder, True, options.stop)
                kept.is_packed = True
            return kept
        with Threads(options.workers or usable_cores(), options.stop) as threads:
            solution = _solve(game, options, most, snapshots, threads)
        if folder is not None:
            keep_solution(solution, folder, options.pack, options.stop)
            snapshots.clear()
    solution.seconds = time.perf_counter() - since
    return solution


def _found(game: Game, options: SolveOptions) -> RetrogradeSolution | None:
    """What the folder has; None if solving is to fill it, repair it or keep more."""
    assert options.folder is not None
    try:
        found = open_retrograde(game, options.folder)
    except (MissingTable, DamagedTable):
        return None
    return found if KEEP.index(found.keep) >= KEEP.index(options.keep) else None


def _solve(game: Game, options: SolveOptions, most: int | None, snapshots: Snapshots, threads: Threads) -> RetrogradeSolution:
    memory = options.memory or free_memory() or _UNKNOWN_MEMORY
    start = game.start().state
    kept = snapshots.positions()
    if kept is not None:
        positions = Positions(kept[0], fixing_symmetries(game.rules, start), kept[1])
    else:
        positions = find_positions(game, threads, memory, snapshots, options.progress, most)
        snapshots.keep_positions(positions.layout, positions.keys)
    rounds = Rounds(game, positions, threads, memory, snapshots, options.progress)
    values = rounds.run()
    entries = ArrayEntries(positions.layout, positions.keys, values)
    key = np.array(first_key(game.rules, start, positions.layout, positions.symmetries)[0], np.uint64)
    first = int(values[entries.find(key, 1)[0]])
    totals = count_totals(game, positions.layout, positions.symmetries, positions.keys, values, first, threads)
    kept_entries = None if options.keep == "none" else ArrayEntries(positions.layout, positions.keys, stored_values(values, options.keep))
    return RetrogradeSolution(game, options.keep, positions.layout, positions.symmetries, totals, kept_entries, options.folder)


def solve_small(game: Game, most: int, options: SolveOptions) -> RetrogradeSolution | None:
    """`solve_retrograde` of a game with at most `most` positions; None if it has more."""
    try:
        return solve_retrograde(game, options, most)
    except TooManyPositions:
        return None


def forecast_retrograde(game: Game, options: SolveOptions) -> Forecast:
    """What can be said before positions are counted: where they will be, and in how much memory."""
    threads = options.workers or usable_cores()
    entries = int(estimated_positions(game.rules))
    return Forecast(
        states=None,
        entries=entries or None,
        memory=0,
        disk=0 if options.folder is None or options.keep == "none" or not entries else _BYTES_OF_ENTRY * entries + _HEADS,
        seconds=None,
        where=f"{threads} core{'s' if threads > 1 else ''}",
        workers=threads,
        counts_first=True,
        limit=options.memory or free_memory(),
    )
