"""Fill the row: players put stones on a row of cells in turn; two own stones side by side win, a full row is a draw."""

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1
from ludometer.core.outcome import DRAW, LOSS, ONGOING
from ludometer_row import GAME

CELLS = 7


class RowRules(NamedTuple):  # the parameters of the game; gridgame asks for rows and columns
    rows: int
    columns: int


class RowState(NamedTuple):  # all that decides how the game goes on: unsigned 64-bit integers only
    mover: np.uint64  # stones of the player to move; bit i is cell i
    other: np.uint64  # stones of the opponent
    turn: np.uint64  # 0: the first player (x) is to move


def rules_from_text(text):
    """The rules for the parameters after the colon of a spec."""
    if text:
        raise GAME.wrong(text, "this game takes no parameters")
    return RowRules(1, CELLS)


@njit
def start(rules):
    return RowState(U0, U0, U0)


@njit
def move_bound(rules):
    """Moves are whole numbers from 0 to this minus 1.  Here a move is a cell."""
    return rules.columns


@njit
def legal_moves(rules, state, buffer):
    """Write the legal moves into the buffer, in ascending order, and return their number: 0 when the game is over."""
    count = 0
    if outcome(rules, state) != ONGOING:
        return count
    for cell in range(rules.columns):
        if (state.mover | state.other) >> np.uint64(cell) & U1 == U0:
            buffer[count] = cell
            count += 1
    return count


@njit
def play(rules, state, move):
    """The next state, seen by the other player: mover and other change places."""
    stone = U1 << np.uint64(move)
    return RowState(state.other, state.mover | stone, state.turn ^ U1)


@njit
def outcome(rules, state):
    """WIN, DRAW, LOSS or ONGOING for the player to move: only the other one can have won with the latest move."""
    if state.other & (state.other >> U1) != U0:
        return LOSS
    full = (U1 << np.uint64(rules.columns)) - U1
    return DRAW if state.mover | state.other == full else ONGOING
