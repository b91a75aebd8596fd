"""Solving a game: which solver answers, and with what."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.progress import OnProgress
from ludometer.solvers.solvable import check_keep, folder_of, within_reach

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ludometer.core.stopping import Stop
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
    `pack`: write packed tables, which take a small part of the room; tile games only.
    `workers`: threads that solve a tile game; other games are solved by one.
    `memory`: bytes that may be used for a tile game, of the card's memory on a GPU; None: what is free.
    `check`: let a GPU compare every entry with its successors while it is there; elsewhere `verify` does so afterwards.
    `progress(done, all, text)` is told how far the work is.
    `stop`: ends the work early with Stopped; what is in the folder by then is used by the next run.
    Raises LudometerError for games out of reach and options that mean nothing here, WrongEntries if `check` finds an error.
    """
    from ludometer.solvers.background import run_stoppable
    from ludometer.solvers.tiles.board import is_tile_game

    chosen = within_reach(game)
    check_keep(keep)
    folder = folder_of(chosen, tables)
    if check and device == "cpu":
        raise LudometerError("on the processor tables are checked when all are solved: solve first, then verify")
    if is_tile_game(chosen):
        from ludometer.solvers.tiles.driver import solve_tiles

        return run_stoppable(
            lambda stop: solve_tiles(
                chosen,
                device=device,
                workers=workers,
                folder=folder,
                keep=keep,
                check=check,
                pack=pack,
                memory=memory,
                executor=executor,
                progress=progress,
                stop=stop,
            ),
            stop,
            f"solving {chosen.spec}",
        )
    if device != "cpu" or executor is not None:
        raise LudometerError(f"{chosen.spec} is solved on the cpu in this process; leave out --device and --cluster")
    if pack:
        raise LudometerError(f"only tables of tile games are packed, and {chosen.spec} is none; leave out --pack")
    if workers is not None:
        raise LudometerError(f"{chosen.spec} is solved by one thread; leave out --workers")
    if memory is not None:
        raise LudometerError(f"{chosen.spec} is solved in as much memory as it takes; leave out --memory")
    from ludometer.solvers.acyclic.driver import solve_acyclic

    return run_stoppable(
        lambda stop: solve_acyclic(chosen, folder=folder, keep=keep, progress=progress, stop=stop), stop, f"solving {chosen.spec}"
    )
