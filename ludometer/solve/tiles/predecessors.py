"""Where a position of a tile game can have come from."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ludometer.core import tiling
from ludometer.core.compilation import kernel
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.position import Position, typed
from ludometer.solve.tiles.board import carried_cells, check_board, is_tile_game


@kernel
def _tiles_in(rules, state):
    return tiling.tiles_of_state(rules, state)


@kernel
def _state_with(rules, mover, other):
    return tiling.state_of_tiles(rules, mover, other)


def predecessors(position: Position) -> list[tuple[Position, int]]:
    """All positions, each with a move, from which that move leads here: the opponent's latest move taken back in every possible way.

    Raises LudometerError for a game that is not made of tiles.
    """
    game = position.game
    if not is_tile_game(game):
        raise LudometerError(f"{game.spec} is not a game of tiles, so its positions do not say what can have come before them")
    carried, taken = _moved_cells(game)
    mine, theirs = (int(tiles) for tiles in _tiles_in(game.rules, position.state))
    found = []
    for move, goes in enumerate(carried):
        back = np.argsort(goes)  # back[cell]: where its content was before the move
        mine_before, theirs_before = _moved(mine, back), _moved(theirs, back)
        taken_bit = 1 << int(taken[move])
        if not theirs_before & taken_bit:
            continue  # the tile pushed in must be the opponent's
        for was_theirs in (theirs_before, theirs_before & ~taken_bit):  # it was already, or it was blank
            before = Position(game, _state_for(game, was_theirs, mine_before, 1 - position.player))
            if move in before.legal and before.play(move) == position:
                found.append((before, move))
    return found


def _moved(tiles: int, back: np.ndarray) -> int:
    return sum(1 << int(back[cell]) for cell in range(len(back)) if tiles >> cell & 1)


@lru_cache(maxsize=16)
def _moved_cells(game: Game) -> tuple[list[np.ndarray], np.ndarray]:
    return carried_cells(game, check_board(game))


def _state_for(game: Game, mover: int, other: int, player: int) -> Any:
    """The state with these tiles and this player to move; `state_of_tiles` alone leaves open who that is."""
    state = typed(_state_with(game.rules, np.uint64(mover), np.uint64(other)))
    for name, value in _turn_fields(game)[player].items():
        state = state._replace(**{name: value})
    return state


@lru_cache(maxsize=16)
def _turn_fields(game: Game) -> tuple[dict[str, np.uint64], dict[str, np.uint64]]:
    """For each player the fields of a state that say it is his turn: those in which positions of both differ from mere tiles."""
    start = game.start()
    examples = start, start.play(start.legal[0])
    bare = [typed(_state_with(game.rules, *_tiles_in(game.rules, each.state))) for each in examples]
    names = {
        name for each, tiles in zip(examples, bare) for name in each.state._fields if getattr(each.state, name) != getattr(tiles, name)
    }
    first, second = ({name: getattr(each.state, name) for name in names} for each in examples)
    return first, second
