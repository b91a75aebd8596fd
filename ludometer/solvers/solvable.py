"""Which games the exact solvers reach, and where their tables lie.  Loads no compiler."""

from __future__ import annotations

import re
from pathlib import Path

from ludometer.core.errors import LudometerError
from ludometer.core.folders import tables_folder
from ludometer.core.game import Game, GameKind


def is_solvable(kind: GameKind, parameters: str) -> bool:
    """Whether the exact solvers reach this game."""
    return not kind.simultaneous and kind.solvable(parameters)


def within_reach(game: Game | str) -> Game:
    """The game, if it can be solved; raises LudometerError."""
    from ludometer import games

    chosen = games.game(game)
    if chosen.kind.simultaneous:
        raise LudometerError(f"{chosen.spec}: moves are made at the same time, so no position has one exact value")
    if not is_solvable(chosen.kind, chosen.spec.partition(":")[2]):
        raise LudometerError(f"{chosen.spec} is out of reach of the exact solvers; `ludometer games` shows what is not")
    return chosen


def tables_root() -> Path:
    """Where tables are kept: in the user's data folder, see `core.folders`."""
    return tables_folder()


def folder_for(game: Game, root: Path | None = None) -> Path:
    """The folder of one game's tables: its spec with everything but letters, digits and dots made a dash (`quixo-4`)."""
    return (root or tables_root()) / re.sub(r"[^A-Za-z0-9.]+", "-", game.spec).strip("-.")


def folder_of(game: Game, tables: str | Path | None) -> Path | None:
    """The folder of one game's tables in a folder that was named; None if none was."""
    return None if tables is None else folder_for(game, Path(tables).expanduser())
