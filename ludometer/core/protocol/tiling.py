"""States of tile games.

In a *tile game* every cell of the board is blank or holds a tile of one player, a state consists of these cells and the player to
move, and the number of tiles never decreases.  `solvers.tiles` solves such games by retrograde analysis although they can repeat.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from ludometer.core.compiling.dispatch import Group
from ludometer.core.errors import GameDefinitionError

TILES = Group("tiles", together=(("tile_cells", "state_of_tiles", "tiles_of_state"),))


def _not_a_tile_game(*arguments):
    raise GameDefinitionError("this game does not say how its states are made of tiles")


@TILES.function(_not_a_tile_game)
def tile_cells(rules):
    """Number of cells of the board."""


@TILES.function(_not_a_tile_game)
def state_of_tiles(rules, mover, other):
    """The state in which the player to move has the tiles `mover` and the opponent `other` (words, a bit per cell)."""


@TILES.function(_not_a_tile_game)
def tiles_of_state(rules, state):
    """(tiles of the player to move, tiles of the opponent) as words: the inverse of `state_of_tiles`."""


def _same_state(rules, state, turn):
    return state


@TILES.function(_same_state)
def state_with_turn(rules, state, turn):
    """The state with the same tiles of mover and opponent in which this player, FIRST (0) or SECOND (1), is to move.

    Fallback: the state itself, which fits games whose states do not distinguish the players.
    """
