"""What the exact solvers may know about Connect Four.

Who can complete a line does so.  Otherwise a cell on which the opponent could must be taken, and of the other columns the middle ones
come first.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, lowest_bit
from ludometer.games.connect4.evaluation import completing_cells
from ludometer.games.connect4.rules import open_tops


@njit
def search_moves(rules, tables, state, buffer):
    tops = open_tops(rules, state)
    forced = completing_cells(rules, state.mover, tops)
    if forced == U0:
        forced = completing_cells(rules, state.other, tops)
    if forced != U0:
        buffer[0] = lowest_bit(forced) // (rules.rows + 1)
        return 1
    found = 0
    column = (U1 << np.uint64(rules.rows)) - U1
    for step in range(rules.columns):
        move = rules.columns // 2 + ((step + 1) // 2 if step % 2 else -(step // 2))
        if rules.columns % 2 == 0:
            move -= 1
        if tops & (column << (np.uint64(move) * np.uint64(rules.rows + 1))) != U0:
            buffer[found] = move
            found += 1
    return found
