"""Solving games that never come back to a position: a table of all positions where it fits into memory, else a proof of the start."""

from __future__ import annotations

from pathlib import Path

from ludometer.core.game import Game
from ludometer.solvers.acyclic.solution import PositionTable, ProvenSolution
from ludometer.solvers.acyclic.store import keep_proof, keep_table, open_acyclic
from ludometer.solvers.acyclic.table import MEMORY_MB, TableTooLarge, estimate, make_table
from ludometer.solvers.files.table_files import DamagedTable, MissingTable
from ludometer.solvers.forecasts import Forecast
from ludometer.solvers.options import SolveOptions

_ENTRIES_PER_SECOND = {True: 4e7, False: 5e5}  # dense tables, and positions found by playing; on one core of an AMD EPYC
_ARRAYS = 4096  # bytes of a table file beside its data


def solve_acyclic(game: Game, options: SolveOptions) -> PositionTable | ProvenSolution:
    """Solve a game without repetition: a PositionTable where that fits into memory, else a ProvenSolution.

    The solution of a finished folder is returned as it is.  `keep="none"` writes nothing; "values" and "distances" are the same here,
    because the tables are small and hold both.  Raises Stopped.
    """
    found = None if options.folder is None else _found(game, options.folder)
    if found is not None:
        return found
    kept = options.folder if options.keep != "none" else None
    try:
        table = make_table(game, options.progress, stop=options.stop)
    except TableTooLarge:
        return _prove(game, kept, options)
    if kept is not None:
        keep_table(table, kept, options.stop)
    return table


def _found(game: Game, folder: Path) -> PositionTable | ProvenSolution | None:
    """The solution in a folder; None if it is missing or damaged."""
    try:
        return open_acyclic(game, folder)
    except (MissingTable, DamagedTable):
        return None


def _prove(game: Game, folder: Path | None, options: SolveOptions) -> ProvenSolution:
    solution = ProvenSolution(game, progress=options.progress)
    solution.prove_start(moves_too=folder is not None, stop=options.stop)
    if folder is not None:
        keep_proof(solution, folder, options.stop)
    return solution


def forecast_acyclic(game: Game, stored: bool) -> Forecast:
    """Forecast for a game without repetition."""
    expected = estimate(game)
    fits = 0 < expected.memory <= MEMORY_MB << 20
    if fits:
        dense = expected.memory == expected.stored
        return Forecast(
            states=expected.entries if dense else None,
            entries=expected.entries,
            memory=expected.memory + expected.stored,
            disk=4 * _ARRAYS + expected.stored if stored else 0,
            seconds=expected.entries / _ENTRIES_PER_SECOND[dense],
            where="1 core",
            workers=None,
        )
    known = expected.entries > 0
    return Forecast(
        states=None,
        entries=expected.entries or None,
        memory=MEMORY_MB << 20,
        disk=2 * _ARRAYS if stored else 0,
        seconds=None,
        where="1 core",
        workers=None,
        time_text="too many for a table: the start is proven by search" if known else "a table if it fits, else a search",
    )
