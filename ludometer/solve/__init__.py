"""Exact answers: counts, values and distances.

    solution = solve("quixo:4")                    # in memory
    solution = solve("quixo:4", tables=folder)     # kept on disk, resumed after a kill
    solution.probe(position).best

Which solver answers depends on the game: `retrograde` for games of tiles that can go round in circles (on the CPU, or with
`cuda` on a GPU), `strong` for acyclic games whose positions fit into memory, `proof` (depth-first search) for larger ones.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game, GameKind

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ludometer.solve.solution import Solution

QUICK_STATES = 50_000_000  # what is at most so large is solved on demand, in seconds


def is_solvable(kind: GameKind, parameters: str) -> bool:
    """Whether the exact solvers reach this game; loads no compiler."""
    return not kind.simultaneous and kind.solvable(parameters)


def solve(
    game: Game | str,
    *,
    device: str = "cpu",
    workers: int | None = None,
    tables: str | Path | None = None,
    keep: str = "distances",
    executor: Executor | None = None,
    progress: Any = None,
) -> Solution:
    """Solve a game exactly.

    `tables`: a folder for tables of solved games; without it nothing is written.  `keep`: "distances", "values" or "none".
    `progress(done, all, text)` is told how far the work is.  Raises LudometerError for games out of reach.
    """
    from ludometer import games
    from ludometer.solve.tiles import is_tile_game

    chosen = games.game(game)
    if not is_solvable(chosen.kind, chosen.spec.partition(":")[2]):
        raise LudometerError(f"{chosen.spec} is out of reach of the exact solvers; `ludometer games` shows what is not")
    folder = _folder(chosen, tables)
    if is_tile_game(chosen):
        from ludometer.solve.retrograde import solve_tiles

        return solve_tiles(chosen, device=device, workers=workers, folder=folder, keep=keep, executor=executor, progress=progress)
    if device != "cpu":
        raise LudometerError(f"{chosen.spec} is solved on the cpu only; leave out --device")
    from ludometer.solve.acyclic import solve_acyclic

    return solve_acyclic(chosen, folder=folder, keep=keep, progress=progress)


def open_solution(game: Game | str, tables: str | Path | None = None) -> Solution:
    """The solution of a game that was solved before into this folder (default: the user's); raises LudometerError."""
    from ludometer import games
    from ludometer.solve.table_files import folder_for, tables_root
    from ludometer.solve.tiles import is_tile_game

    chosen = games.game(game)
    folder = folder_for(chosen, Path(tables) if tables is not None else tables_root())
    if is_tile_game(chosen):
        from ludometer.solve import retrograde

        return retrograde.open_solution(folder, chosen)
    from ludometer.solve.acyclic import open_acyclic

    return open_acyclic(chosen, folder)


def solution_for(game: Game, tables: str | Path | None = None, need_distances: bool = False) -> Solution:
    """What was solved before, or a game solved on the spot if that takes seconds; raises LudometerError otherwise."""
    from ludometer.solve.table_files import MissingTable
    from ludometer.solve.tiles import is_tile_game

    try:
        found = open_solution(game, tables)
    except MissingTable:
        found = None
    if found is not None and not (need_distances and getattr(found, "keep", "distances") != "distances"):
        return found
    if is_tile_game(game):
        from ludometer.solve.retrograde import estimate

        if estimate(game).states > QUICK_STATES:
            lacking = "solved with distances" if need_distances else "solved"
            raise LudometerError(f"{game.spec} is not {lacking} here; run `ludometer solve {game.spec}` first")
    return solve(game)


def _folder(game: Game, tables: str | Path | None) -> Path | None:
    from ludometer.solve.table_files import folder_for

    return None if tables is None else folder_for(game, Path(tables))
