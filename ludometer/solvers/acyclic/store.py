"""Solutions of games without repetition in a folder (`solvers.files.table_folders` writes it).

- "positions 1": the arrays of a `PositionTable`; the manifest has the totals and the value of the start.
- "proven start 1": `start` (1, int16) and `moves` (one for each legal move of the start, int16): final margins, or 1, 0, −1 for win, draw,
  loss, for the player who begins.  A move that was not proven has NOT_PROVEN.  All other positions are searched when asked about.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ludometer.core.game import Game
from ludometer.core.stopping import Stop
from ludometer.solvers.acyclic.solution import LAYOUT, PROVEN_LAYOUT, PositionTable, ProvenSolution
from ludometer.solvers.files.table_files import ForeignTable
from ludometer.solvers.files.table_folders import open_folder, store_arrays


def keep_table(table: PositionTable, folder: Path, stop: Stop | None = None) -> None:
    """Write a table of all positions."""
    summary = table.summary()
    meta = {key: summary[key] for key in ("states", "win", "loss", "draw", "start")}
    store_arrays(folder, table.game, LAYOUT, table.tables(), meta, stop)


def keep_proof(solution: ProvenSolution, folder: Path, stop: Stop | None = None) -> None:
    """Write the values of the start and of its moves."""
    arrays = {"start": np.array([solution.start_value], np.int16), "moves": solution.move_values}
    store_arrays(folder, solution.game, PROVEN_LAYOUT, arrays, {"nodes": solution.start_proof().nodes}, stop)


def open_acyclic(game: Game, folder: Path) -> PositionTable | ProvenSolution:
    """The solution kept in a folder; raises MissingTable, DamagedTable or ForeignTable."""
    opened = open_folder(folder, game)
    arrays = {name: file.array() for name, file in opened.tables.items()}
    if opened.origin.layout == LAYOUT:
        table = PositionTable(game, arrays)
        table.stated = opened.meta
        return table
    if opened.origin.layout == PROVEN_LAYOUT:
        return ProvenSolution(game, int(arrays["start"][0]), np.array(arrays["moves"]))
    known = f"{LAYOUT!r} and {PROVEN_LAYOUT!r}"
    raise ForeignTable(f"the tables in {str(folder)!r} have layout {opened.origin.layout!r}; of {game.spec} this program reads {known}")
