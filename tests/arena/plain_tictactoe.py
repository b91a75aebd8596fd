"""Tic-tac-toe without an evaluation: a depth-first search takes 0 for every game that goes on."""

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1
from ludometer.core.game import GameKind
from ludometer.core.outcome import DRAW, LOSS, ONGOING

GAME = GameKind(
    name=__file__, title="Plain Tic-Tac-Toe", syntax="plain_tictactoe.py", listed=(), modules=(__name__, "ludometer.core.gridgame")
)
LINES = np.array([0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124], np.uint64)


class PlainTicTacToeRules(NamedTuple):
    rows: int
    columns: int


class PlainTicTacToeState(NamedTuple):
    mover: np.uint64
    other: np.uint64
    turn: np.uint64


def rules_from_text(text):
    return PlainTicTacToeRules(3, 3)


@njit
def start(rules):
    return PlainTicTacToeState(U0, U0, U0)


@njit
def move_bound(rules):
    return 9


@njit
def legal_moves(rules, state, buffer):
    count = 0
    if outcome(rules, state) == ONGOING:
        for cell in range(9):
            if (state.mover | state.other) >> np.uint64(cell) & U1 == U0:
                buffer[count] = cell
                count += 1
    return count


@njit
def play(rules, state, move):
    return PlainTicTacToeState(state.other, state.mover | U1 << np.uint64(move), state.turn ^ U1)


@njit
def turn(rules, state):
    return state.turn


@njit
def outcome(rules, state):
    for line in LINES:
        if state.other & line == line:
            return LOSS
    return DRAW if state.mover | state.other == np.uint64(0o777) else ONGOING
