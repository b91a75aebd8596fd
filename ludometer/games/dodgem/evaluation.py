"""Evaluation of Dodgem: how many forward moves the opponent's cars still need, less those of one's own."""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, lowest_bit

EVALUATIONS = ("distance",)


@njit
def forward_moves(rules, cars, player):
    """Forward moves until all these cars are off the board."""
    total = 0
    while cars != U0:
        cell = lowest_bit(cars)
        total += rules.size - cell % rules.size if player == 0 else cell // rules.size + 1
        cars &= cars - U1
    return total


@njit
def evaluate(rules, state, number):
    mover = np.int64(state.turn)
    return np.float64(forward_moves(rules, state.other, 1 - mover) - forward_moves(rules, state.mover, mover))
