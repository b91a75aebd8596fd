"""Evaluation of m,n,k games: windows of k cells in a line that one player alone has marks in.

A window is k neighbouring cells of a row, column or diagonal, named by the cell it begins at.  It counts, with the number of its
marks, for the player whose marks alone are in it.  Two things are stronger than any sum: the player to move completes a window
(+inf), or cannot and the opponent threatens to complete windows at two different cells (-inf).

All windows of one direction are evaluated together: sets of cells are shifted step by step along the direction and combined, so that
each bit stands for the window that begins there.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, both, count, is_empty, lowest_bit, shift_down, union, with_bit, without
from ludometer.games.mnk.rules import free_cells, has_line

EVALUATIONS = ("windows",)
_DIRECTIONS = 4


@njit
def step_along(rules, direction):
    """Distance to the next cell of a line in a direction: across, down, falling, rising."""
    one_down = np.uint64(rules.columns + 1)
    if direction == 0:
        return U1
    if direction == 1:
        return one_down
    return one_down + U1 if direction == 2 else one_down - U1


@njit
def marks_in_windows(rules, marks, allowed, step):
    """The number of marks in all windows that lie in `allowed`, counted once for each window."""
    windows = moved = allowed
    for _ in range(1, rules.line):
        moved = shift_down(moved, step)
        windows = both(windows, moved)
    total = count(both(windows, marks))
    moved = marks
    for _ in range(1, rules.line):
        moved = shift_down(moved, step)
        total += count(both(windows, moved))
    return total


@njit
def nearly_complete(rules, marks, free, step):
    """The windows that hold `marks` in all cells but one, which is free."""
    complete, lacking = marks, free
    moved_marks, moved_free = marks, free
    for _ in range(1, rules.line):
        moved_marks = shift_down(moved_marks, step)
        moved_free = shift_down(moved_free, step)
        lacking = union(both(lacking, moved_marks), both(complete, moved_free))
        complete = both(complete, moved_marks)
    return lacking


@njit
def completes_at_two_cells(rules, marks, free):
    """Whether a line is completed by a mark on either of two different free cells."""
    found = 0
    for place in range(len(free)):
        word = free[place]
        while word != U0:
            if has_line(rules, with_bit(marks, 64 * place + lowest_bit(word))):
                found += 1
                if found == 2:
                    return True
            word &= word - U1
    return False


@njit
def evaluate(rules, state, number):
    free = free_cells(rules, state)
    value = np.int64(0)
    threatened = False
    for direction in range(_DIRECTIONS):
        step = step_along(rules, direction)
        if not is_empty(nearly_complete(rules, state.mover, free, step)):
            return np.inf
        threatened |= not is_empty(nearly_complete(rules, state.other, free, step))
        value += marks_in_windows(rules, state.mover, without(rules.cells, state.other), step)
        value -= marks_in_windows(rules, state.other, without(rules.cells, state.mover), step)
    if threatened and completes_at_two_cells(rules, state.other, free):
        return -np.inf
    return np.float64(value)
