"""Solving a game with the solver that answers for it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ludometer.core.game import Game
from ludometer.core.progress import OnProgress
from ludometer.core.stopping import Stop
from ludometer.solvers.options import SolveOptions, check_options
from ludometer.solvers.routing import solver_of, solver_of_folder, tried
from ludometer.solvers.solvable import folder_of, within_reach

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ludometer.solvers.solution import Solution


def solve(
    game: Game | str,
    *,
    device: str = "cpu",
    workers: int | None = None,
    tables: str | Path | None = None,
    keep: str = "distances",
    check: bool = False,
    pack: bool = False,
    memory: int | None = None,
    executor: Executor | None = None,
    progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Solution:
    """Solve a game exactly: value and distance of every position.

        game       a game or its spec
        device     "cpu" or "cuda"
        workers    threads; games without repetition are solved by one
        tables     folder for tables of solved games; default: nothing is written
        keep       "distances", "values" or "none"
        check      compare every entry with its successors while it is on the GPU; `verify` does so afterwards on any device
        pack       write packed tables, which take a small part of the disk; games that can repeat only
        memory     bytes that may be used for a game that can repeat, of the card's memory on a GPU; default: what is free
        executor   a `concurrent.futures.Executor` whose workers see `tables`; tile games only
        progress   called with (done, total, text) a few times a second
        stop       once asked, the work ends with Stopped; the next run uses what is in the folder

    Raises LudometerError for games out of reach, OptionError for options that do not fit, WrongEntries if `check` finds an error.

    >>> lm.solve("tictactoe").value(lm.game("tictactoe").start()).outcome  # a draw
    0
    """
    chosen = within_reach(game)
    options = SolveOptions(
        device=device,
        workers=workers,
        folder=folder_of(chosen, tables),
        keep=keep,
        check=check,
        pack=pack,
        memory=memory,
        executor=executor,
        progress=progress,
        stop=stop or Stop(),
    )
    return solve_with(chosen, options)


def solve_with(game: Game, options: SolveOptions) -> Solution:
    """`solve` with its options as one object."""
    from ludometer.solvers.background import run_stoppable

    within_reach(game)
    solver = solver_of(game) if options.folder is None else solver_of_folder(game, options.folder)
    check_options(game.spec, options, solver.devices)

    def solved(stop: Stop) -> Solution:
        return tried(game, solver, lambda able: able.solve(game, options))

    return run_stoppable(solved, options.stop, f"solving {game.spec}")
