"""Moves of men by one step: for each direction the set of the men that can take it.

A game makes a tuple of such sets, one word with a bit per cell for each of its directions.  The move of the man on a cell in direction d
then has the number `len(sets)`·cell + d.  Cell r·columns + c is row r from the top and column c from the left.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, lowest_bit, nth_bit, popcount


@njit
def sources(targets, left, columns, down, right):
    """The cells from which a step of `down` rows and `right` columns leads to one of `targets`; both are -1, 0 or 1.

    `left` is the leftmost column.  Cells beyond the upper and the lower edge are not left out.
    """
    if right > 0:
        targets &= ~left
    elif right < 0:
        targets &= ~(left << np.uint64(columns - 1))
    places = down * columns + right
    return targets >> np.uint64(places) if places >= 0 else targets << np.uint64(-places)


@njit
def count_steps(sets):
    """The number of moves."""
    total = 0
    for place in range(len(sets)):
        total += popcount(sets[place])
    return np.int64(total)


@njit
def list_steps(sets, buffer):
    """Write the moves, ascending, into `buffer`; returns how many."""
    men = U0
    for place in range(len(sets)):
        men |= sets[place]
    found = 0
    while men != U0:
        cell = lowest_bit(men)
        man = men & (~men + U1)
        for place in range(len(sets)):
            if sets[place] & man != U0:
                buffer[found] = len(sets) * cell + place
                found += 1
        men ^= man
    return found


@njit
def pick_step(sets, number):
    """The move with this number in the order of directions, then cells; there are more than `number` moves."""
    for place in range(len(sets)):
        here = popcount(sets[place])
        if number < here:
            return np.int64(len(sets) * nth_bit(sets[place], number) + place)
        number -= here
    return np.int64(-1)


@njit
def left_column(rows, columns):
    """The leftmost column of a board of at most 64 cells."""
    column = U0
    for row in range(rows):
        column |= U1 << np.uint64(row * columns)
    return column
