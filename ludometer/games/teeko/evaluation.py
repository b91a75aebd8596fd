"""Evaluation of Teeko: the nearer the men stand to the centre, the more ways to win pass through them."""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, lowest_bit
from ludometer.games.teeko.rules import SIZE

EVALUATIONS = ("centre",)


@njit
def centrality(men):
    """For each man four points, less one for each row or column between it and the middle ones."""
    total = 0
    while men != U0:
        point = lowest_bit(men)
        total += 4 - abs(point // SIZE - 2) - abs(point % SIZE - 2)
        men &= men - U1
    return total


@njit
def evaluate(rules, state, number):
    return np.float64(centrality(state.mover) - centrality(state.other))
