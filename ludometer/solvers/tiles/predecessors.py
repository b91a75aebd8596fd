"""What can have come before: the positions of a tile game that lead to a given one by one legal move.

A move carries the cells of the board like a permutation and marks one of them for the mover.  Taken back, the cell it came from was either
blank or held a tile of his own already; so every move has at most two positions before it.  Each is played forward again before it counts.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from functools import lru_cache

import numpy as np

from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.core.protocol import tiling
from ludometer.solvers.tiles.board import carried_cells, count_cells


@kernel
def _tiles(rules, state):
    return tiling.tiles_of_state(rules, state)


@kernel
def _state_of(rules, mover, other, turn):
    return tiling.state_with_turn(rules, tiling.state_of_tiles(rules, mover, other), turn)


@kernel
def _turn_of(rules, state):
    return np.int64(protocol.turn(rules, state))


@lru_cache(maxsize=8)
def _carrying(game: Game) -> tuple[int, list[np.ndarray], np.ndarray]:
    """(cells, for each move where a cell's content comes from, the cell that is taken)."""
    cells = int(count_cells(game.rules))
    carried, taken = carried_cells(game, cells)
    return cells, [np.argsort(way) for way in carried], taken


def predecessors(position: Position) -> list[tuple[int, Position]]:
    """(move, position before it) of every legal move that leads to this position, by number of the move.

    Finished positions have no moves and do not count; whether play can reach a predecessor is not asked.
    """
    game = position.game
    cells, back, taken = _carrying(game)
    now_mover, now_other = (int(tiles) for tiles in _tiles(game.rules, position.state))
    before_turn = 1 - position.player
    found = []
    for move, way in enumerate(back):
        mover, other = (sum(1 << int(way[cell]) for cell in range(cells) if tiles >> cell & 1) for tiles in (now_other, now_mover))
        mark = 1 << int(taken[move])
        if not mover & mark:  # the player who moved has no tile where the move ends
            continue
        for held in (mover & ~mark, mover):
            state = _state_of(game.rules, np.uint64(held), np.uint64(other), before_turn)
            if int(_turn_of(game.rules, state)) != before_turn:
                raise LudometerError(f"{game.spec} does not say how to change who is to move (state_with_turn)")
            before = Position(game, state)
            if move in before.legal and before.play(move) == position:
                found.append((move, before))
    return found
