"""Evaluations of Othello.

mobility: cells to move to, one's own less the opponent's, and ten for each corner held more.
discs: the discs so far, which is what counts in the end and misleads before.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import U1, popcount
from ludometer.games.othello.rules import STRIDE, margin, turning_cells

EVALUATIONS = ("mobility", "discs")
_CORNER = 10


@njit
def corners(rules):
    """The four corner cells."""
    last = np.uint64(rules.size - 1)
    row = U1 | (U1 << last)
    return row | (row << (np.uint64(STRIDE) * last))


@njit
def evaluate(rules, state, number):
    if number == 1:
        return np.float64(margin(rules, state))
    value = popcount(turning_cells(rules, state.mover, state.other)) - popcount(turning_cells(rules, state.other, state.mover))
    held = corners(rules)
    return np.float64(value + _CORNER * (popcount(state.mover & held) - popcount(state.other & held)))
