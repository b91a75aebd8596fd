"""Evaluation of Breakthrough: each man counts four points, and one for every row that it has gone forward."""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import popcount

EVALUATIONS = ("advance",)
MAN = 4


@njit
def strength(rules, men, player):
    """The points of these men."""
    total = 0
    row = rules.top
    for place in range(rules.rows):
        total += popcount(men & row) * (MAN + (place if player else rules.rows - 1 - place))
        row <<= np.uint64(rules.columns)
    return total


@njit
def evaluate(rules, state, number):
    mover = np.int64(state.turn)
    return np.float64(strength(rules, state.mover, mover) - strength(rules, state.other, 1 - mover))
