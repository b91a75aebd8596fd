"""Evaluation of men's morris: ten points for each man more, one for each open direction of a man more."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, lowest_bit, popcount
from ludometer.games.morris.rules import ALL_POINTS, NEIGHBOURS, other_hand

EVALUATIONS = ("men",)


@njit
def open_ways(rules, men, empty):
    """The number of ways along lines from these men to empty points."""
    total = 0
    while men != U0:
        total += popcount(NEIGHBOURS[rules.board, lowest_bit(men)] & empty)
        men &= men - U1
    return total


@njit
def evaluate(rules, state, number):
    empty = ALL_POINTS[rules.board] & ~(state.mover | state.other)
    men = popcount(state.mover) + np.int64(state.hand) - popcount(state.other) - np.int64(other_hand(state))
    return np.float64(10 * men + open_ways(rules, state.mover, empty) - open_ways(rules, state.other, empty))
