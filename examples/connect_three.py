"""Connect Three: drop a stone into a column of a 3×3 board; it falls as far as it can, and three in a row win."""

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1
from ludometer.core.game import GameKind
from ludometer.core.outcome import DRAW, LOSS, ONGOING

GAME = GameKind(
    name=__file__,
    title="Connect Three",
    syntax="connect_three.py",
    listed=(),
    modules=(__name__, "ludometer.core.gridgame"),
    position_help="rows from the top with X, O and . for empty, then the side to move: .../.O./.XX o",
    move_help="the column to drop a stone into: A, B or C",
)
LINES = np.array([0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124], np.uint64)  # an octal digit per row, the last one on top


class ConnectThreeRules(NamedTuple):
    rows: int
    columns: int


class ConnectThreeState(NamedTuple):
    mover: np.uint64  # stones of the player to move; bit 3·r + c is row r from the top, column c from the left
    other: np.uint64  # stones of the opponent
    turn: np.uint64  # 0: the first player (x) is to move


def rules_from_text(text):
    if text:
        raise GAME.wrong(text, "Connect Three takes no parameters")
    return ConnectThreeRules(3, 3)


@njit
def start(rules):
    return ConnectThreeState(U0, U0, U0)


@njit
def move_bound(rules):
    return 3  # a move is a column


@njit
def legal_moves(rules, state, buffer):
    count = 0
    for column in range(3):
        is_free = ((state.mover | state.other) >> np.uint64(column)) & U1 == U0
        if is_free and outcome(rules, state) == ONGOING:
            buffer[count] = column
            count += 1
    return count


@njit
def play(rules, state, move):
    stone = U1 << np.uint64(6 + move)
    while stone & (state.mover | state.other) != U0:
        stone >>= np.uint64(3)
    return ConnectThreeState(state.other, state.mover | stone, state.turn ^ U1)


@njit
def outcome(rules, state):
    for line in LINES:
        if state.other & line == line:  # only the player who has just moved can have completed a line
            return LOSS
    return DRAW if (state.mover | state.other) & LINES[0] == LINES[0] else ONGOING  # LINES[0] is the top row


def format_move(rules, state, move):
    return "ABC"[move]
