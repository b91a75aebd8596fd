"""Evaluation of Connect Four: cells that would complete a line.

Such a cell is worth a point to its owner, two points if it lies on a row of the owner's parity: with both players filling columns, the
first player gets the odd rows from the bottom and the second the even ones.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, popcount

EVALUATIONS = ("threats",)


@njit
def completing_in_direction(discs, step, length):
    """The cells at which a disc completes a run of `length` in one direction, wherever the gap is."""
    found = U0
    for before in range(length):
        cells = ~U0
        for place in range(length):
            offset = place - before
            if offset < 0:
                cells &= discs << (np.uint64(-offset) * step) if -offset * np.int64(step) < 64 else U0
            elif offset > 0:
                cells &= discs >> (np.uint64(offset) * step) if offset * np.int64(step) < 64 else U0
        found |= cells
    return found


@njit
def completing_cells(rules, discs, free):
    """The free cells that complete a line of these discs."""
    across = np.uint64(rules.rows + 1)
    found = completing_in_direction(discs, U1, rules.line) | completing_in_direction(discs, across, rules.line)
    found |= completing_in_direction(discs, across + U1, rules.line) | completing_in_direction(discs, across - U1, rules.line)
    return found & free


@njit
def evaluate(rules, state, number):
    free = rules.cells & ~(state.mover | state.other)
    mine = completing_cells(rules, state.mover, free)
    theirs = completing_cells(rules, state.other, free)
    reachable = ((state.mover | state.other) + rules.lowest) & rules.cells
    if mine & reachable != U0:
        return np.inf
    if popcount(theirs & reachable) > 1:
        return -np.inf
    odd = odd_rows(rules)
    own_rows, other_rows = (odd, ~odd) if state.turn == U0 else (~odd, odd)
    value = popcount(mine) + popcount(mine & own_rows) - popcount(theirs) - popcount(theirs & other_rows)
    return np.float64(value)


@njit
def odd_rows(rules):
    """The cells of the first, third, … row from the bottom."""
    found = U0
    row = rules.lowest
    for _ in range(0, rules.rows, 2):
        found |= row
        row <<= np.uint64(2)
    return found & rules.cells
