"""Positions of a solved game without repetition drawn at random."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.states import States
from ludometer.solvers.acyclic.many_kernels import moves_of_numbers, states_of_numbers
from ludometer.solvers.acyclic.solution import PositionTable
from ludometer.solvers.sampling import draw_from_strata

MOST_LISTED = 30_000_000  # positions that are listed to draw from

Drawn = tuple[States, npt.NDArray[np.float64]]


def draw_positions(table: PositionTable, number: int, by: str, seed: int) -> Drawn:
    """What `Solution._draw` returns: from every numbered state, or every position that play can reach from the start."""
    generator = np.random.default_rng(seed)
    return _draw_numbered(table, number, by, generator) if table.is_dense else _draw_reachable(table, number, by, generator)


def _draw_numbered(table: PositionTable, number: int, by: str, generator: np.random.Generator) -> Drawn:
    game, values = table.game, table.tables()["values"]
    strata: npt.NDArray[np.int64] | npt.NDArray[np.int8] | None = None
    if by == "class":
        strata = np.empty(values.size, np.int64)
        moves_of_numbers(game.rules, strata)
    elif by == "distance":
        strata = values
    chosen, probabilities = draw_from_strata(strata, values.size, number, generator)
    rows = np.empty((number, States.of(game, [game.start()]).rows.shape[1]), np.uint64)
    states_of_numbers(game.rules, chosen, rows)
    return States(game, rows), probabilities


def _draw_reachable(table: PositionTable, number: int, by: str, generator: np.random.Generator) -> Drawn:
    states, moves = reachable_states(table.game)
    strata = None if by == "uniform" else moves if by == "class" else table.stored_values(states)
    chosen, probabilities = draw_from_strata(strata, len(states), number, generator)
    return states[chosen], probabilities


def reachable_states(game: Game, most: int = MOST_LISTED) -> tuple[States, npt.NDArray[np.int64]]:
    """(every different state that play can reach from the start, the fewest moves that lead to each).

    States are in the order of these moves, then of their leaves.  Raises LudometerError if there are more than `most`.
    """
    level = States.of(game, [game.start()])
    found, known = [level.rows], _as_items(level.rows)
    while len(level):
        moves = game.legal_moves(level)
        after = game.play(level[moves.owners], moves.flat).rows
        _, first = np.unique(_as_items(after), return_index=True)
        fresh = first[~np.isin(_as_items(after)[first], known)]
        level = States(game, after[fresh])
        found.append(level.rows)
        known = np.concatenate([known, _as_items(level.rows)])
        if len(known) > most:
            raise LudometerError(f"{game.spec} has more than {most:,} positions, too many to list them all; sample by play")
    return States(game, np.concatenate(found)), np.repeat(np.arange(len(found)), [len(rows) for rows in found])


def _as_items(rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.void]:
    """Each row as one item that can be compared."""
    return np.ascontiguousarray(rows).view([(f"leaf_{place}", np.uint64) for place in range(rows.shape[1])]).reshape(-1)
