"""Keys of m,n,k positions after Zobrist: a random word for each mark, joined by exclusive or, so that a move changes a key by one word."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, lowest_bit
from ludometer.core.random import stream
from ludometer.games.mnk.rules import LARGEST

_CELLS = LARGEST * (LARGEST + 1)
_MARK = np.array([[stream(1, "mark", player, cell) for cell in range(_CELLS)] for player in range(2)], np.uint64)
_SECOND_TO_MOVE = stream(1, "turn")


@njit
def word_of_marks(marks, player):
    """The words of one player's marks, joined."""
    joined = U0
    for place in range(len(marks)):
        rest = marks[place]
        while rest != U0:
            joined ^= _MARK[player, 64 * place + lowest_bit(rest)]
            rest &= rest - U1
    return joined


@njit
def key(rules, state):
    mover = np.int64(state.turn)
    word = word_of_marks(state.mover, mover) ^ word_of_marks(state.other, 1 - mover)
    return word ^ _SECOND_TO_MOVE if state.turn != U0 else word


@njit
def key_after(rules, state, known, move, after):
    return known ^ _MARK[np.int64(state.turn), move] ^ _SECOND_TO_MOVE
