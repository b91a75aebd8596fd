"""A tile game for tests, with values that have no code: two cells, a move takes a blank or an own tile where it lies.

    (mover, other) tiles   (0,0) → (0,1);   (0,1) → (1,1);   (1,0) → (0,1) with the own tile, (0,2) with the blank;   two tiles: over

The player to move has won at (1,1), so (0,1) is lost in 1.  At (0,2) he has lost in `two_cells.py:blank`: (1,0) is won in 1 and (0,0) in 2,
by taking a blank.  In `two_cells.py:own` (0,2) is a draw: (1,0) too is won in 2, by moving an own tile.  `two_cells.py:right` has no win
at (1,1).  `two_cells.py:stuck` is the same, but at (0,2) the game goes on and there is no move.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, popcount
from ludometer.core.game import GameKind
from ludometer.core.outcome import DRAW, LOSS, ONGOING, WIN

GAME = GameKind(name=__file__, title="Two cells", syntax="two_cells.py:KIND", listed=(), modules=(__name__,), ply_limit=100)
KINDS = ("blank", "own", "right", "stuck")


class CellsRules(NamedTuple):
    kind: int


class CellsState(NamedTuple):
    mover: np.uint64
    other: np.uint64
    turn: np.uint64


def rules_from_text(text):
    return CellsRules(KINDS.index(text))


def rules_to_text(rules):
    return KINDS[rules.kind]


@njit
def start(rules):
    return CellsState(U0, U0, U0)


@njit
def move_bound(rules):
    return 2


@njit
def outcome(rules, state):
    if popcount(state.mover) + popcount(state.other) < 2:
        return ONGOING
    if popcount(state.mover) == 1 and rules.kind < 2:
        return WIN
    if popcount(state.other) == 2 and rules.kind == 3:
        return ONGOING
    return LOSS if popcount(state.other) == 2 and rules.kind == 0 else DRAW


@njit
def legal_moves(rules, state, buffer):
    found = 0
    if outcome(rules, state) == ONGOING:
        for move in range(2):
            if (state.other >> np.uint64(move)) & U1 == U0:
                buffer[found] = move
                found += 1
    return found


@njit
def play(rules, state, move):
    return CellsState(state.other, state.mover | (U1 << np.uint64(move)), state.turn ^ U1)


@njit
def turn(rules, state):
    return np.int64(state.turn)


@njit
def tile_cells(rules):
    return 2


@njit
def state_of_tiles(rules, mover, other):
    return CellsState(mover, other, U0)


@njit
def tiles_of_state(rules, state):
    return state.mover, state.other


def format_position(rules, state):
    return f"{int(state.mover)} {int(state.other)} {'xo'[int(state.turn)]}"


def parse_position(rules, text):
    raise NotImplementedError


def format_move(rules, state, move):
    return str(move)


def draw(rules, state, last):
    raise NotImplementedError


def text_board(rules, state, last):
    raise NotImplementedError
