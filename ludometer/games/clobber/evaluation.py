"""Evaluation of Clobber: men that have an enemy beside them, one's own less the opponent's.

Every man beside an enemy can move, for either player to move, so moves alone are always balanced.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import popcount
from ludometer.games.clobber.rules import ClobberState, men_that_can_take

EVALUATIONS = ("movable",)


@njit
def movable(rules, state):
    """The number of the mover's men that can take another."""
    up, left, right, down = men_that_can_take(rules, state)
    return popcount(up | left | right | down)


@njit
def evaluate(rules, state, number):
    return np.float64(movable(rules, state) - movable(rules, ClobberState(state.other, state.mover, state.turn)))
