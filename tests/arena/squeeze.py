"""Squeeze: a stone on any free cell of a 4×4 board; who makes a 2×2 square of their own stones loses, a full board is drawn.

Written as a designer would: no evaluation, no symmetries, nothing solved.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1
from ludometer.core.game import GameKind
from ludometer.core.outcome import DRAW, ONGOING, WIN

GAME = GameKind(
    name=__file__,
    title="Squeeze",
    syntax="squeeze.py",
    listed=(),
    modules=(__name__, "ludometer.core.gridgame"),
    solvable=lambda parameters: False,
    position_help="rows from the top with X, O and . for empty, then the side to move",
    move_help="the cell to put a stone on: A1 … D4",
)
ROWS = COLUMNS = 4
SQUARES = np.array([0b110011 << (ROWS * row + column) for row in range(3) for column in range(3)], np.uint64)
FULL = np.uint64(0xFFFF)


class SqueezeRules(NamedTuple):
    rows: int
    columns: int


class SqueezeState(NamedTuple):
    mover: np.uint64  # stones of the player to move; bit 4·r + c is row r from the top, column c from the left
    other: np.uint64  # stones of the opponent
    turn: np.uint64  # 0: the first player (x) is to move


def rules_from_text(text):
    if text:
        raise GAME.wrong(text, "Squeeze takes no parameters")
    return SqueezeRules(ROWS, COLUMNS)


@njit
def start(rules):
    return SqueezeState(U0, U0, U0)


@njit
def move_bound(rules):
    return ROWS * COLUMNS


@njit
def legal_moves(rules, state, buffer):
    count = 0
    if outcome(rules, state) == ONGOING:
        for cell in range(ROWS * COLUMNS):
            if ((state.mover | state.other) >> np.uint64(cell)) & U1 == U0:
                buffer[count] = cell
                count += 1
    return count


@njit
def play(rules, state, move):
    return SqueezeState(state.other, state.mover | (U1 << np.uint64(move)), state.turn ^ U1)


@njit
def turn(rules, state):
    return state.turn


@njit
def outcome(rules, state):
    """The player who has just moved loses with a square of their own."""
    for square in SQUARES:
        if state.other & square == square:
            return WIN
    return DRAW if (state.mover | state.other) == FULL else ONGOING
