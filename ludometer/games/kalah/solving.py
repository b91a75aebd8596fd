"""What the exact solvers may know about Kalah: moves that end in the store come first, and no gain exceeds what is in the pits."""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.games.kalah.rules import seeds_in, sum_of


@njit
def value_bounds(rules, state):
    left = np.int64(sum_of(rules, state.mover) + sum_of(rules, state.other))
    return -left, left


@njit
def search_moves(rules, tables, state, buffer):
    found = 0
    for again in range(2):  # first the moves after which the same player moves again; pits near the store before others
        for place in range(rules.pits - 1, -1, -1):
            seeds = np.int64(seeds_in(state.mover, place))
            ends_in_store = seeds % (2 * rules.pits + 1) == rules.pits - place
            if seeds != 0 and ends_in_store == (again == 0):
                buffer[found] = place
                found += 1
    return found
