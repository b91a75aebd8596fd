"""Solving a game with the solver that answers for it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ludometer.core.game import Game
from ludometer.core.progress import OnProgress
from ludometer.core.stopping import Stop
from ludometer.solvers.options import SolveOptions, check_options
from ludometer.solvers.routing import solver_of
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
    """Solve a game exactly.

    `tables`: a folder for tables of solved games; without it nothing is written.  `keep`: "distances", "values" or "none".
    `pack`: write packed tables, about a tenth of the size; tile games only.
    `workers`: threads that solve a tile game; other games are solved by one.
    `memory`: bytes that may be used for a tile game, of the card's memory on a GPU; None: what is free.
    `check`: let a GPU compare every entry with its successors while it is there; elsewhere `verify` does so afterwards.
    `executor`: any `concurrent.futures.Executor` whose workers see `tables`; tile games only.
    `progress(done, total, text)` is called now and then.
    `stop`: ends the work early with Stopped; what is in the folder by then is used by the next run.
    Raises LudometerError for games out of reach, OptionError for options that mean nothing here, WrongEntries if `check` finds an error.
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

    solver = solver_of(within_reach(game))
    check_options(game.spec, options, solver.devices)
    return run_stoppable(lambda stop: solver.solve(game, options), options.stop, f"solving {game.spec}")
