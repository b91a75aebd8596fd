"""Knowledge of m,n,k games for the exact solvers.

A player who can complete a line does so.  Otherwise a line that the opponent could complete must be stopped.  Otherwise any free cell is
tried, the centre first.  A player without a line that could still be filled cannot win.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numba.extending import overload

from ludometer.core.bits import U0, U1, Words, both, lowest_bit, shift_down, union, without
from ludometer.core.lattice import mirrored, shift_up, transposed, turned
from ludometer.core.outcome import DRAW, LOSS, WIN
from ludometer.games.mnk.evaluation import step_along
from ludometer.games.mnk.rules import free_cells, has_line, symmetry_count, transformed_marks

_DIRECTIONS = 4
_MOVE = 0xFFFF  # the bits of a buffer's entry that are the move; those above sort it
_HALF = np.uint64(32)


# Search


@njit
def completing_cells(rules, marks, free):
    """The free cells that complete a line of these marks: some marks before the cell and the rest after it."""
    cells = without(free, free)
    for direction in range(_DIRECTIONS):
        step = step_along(rules, direction)
        for before in range(rules.line):
            here = free
            moved = marks
            for _ in range(before):
                moved = shift_up(moved, step)
                here = both(here, moved)
            moved = marks
            for _ in range(rules.line - 1 - before):
                moved = shift_down(moved, step)
                here = both(here, moved)
            cells = union(cells, here)
    return cells


@njit
def first_cell(cells):
    """The lowest cell of a set, -1 if it is empty."""
    for place in range(len(cells)):
        if cells[place] != U0:
            return 64 * place + lowest_bit(cells[place])
    return -1


@njit
def value_bounds(rules, state):
    """Bounds of the value: a player wins only if some line is free of the opponent's marks."""
    most = WIN if has_line(rules, without(rules.cells, state.other)) else DRAW
    least = LOSS if has_line(rules, without(rules.cells, state.mover)) else DRAW
    return least, most


@njit
def search_moves(rules, tables, state, buffer):
    free = free_cells(rules, state)
    forced = first_cell(completing_cells(rules, state.mover, free))
    if forced < 0:
        forced = first_cell(completing_cells(rules, state.other, free))
    if forced >= 0:
        buffer[0] = forced
        return 1
    found = 0
    for place in range(len(free)):
        word = free[place]
        while word != U0:
            found = insert(buffer, found, 64 * place + lowest_bit(word), rules)
            word &= word - U1
    for place in range(found):
        buffer[place] &= _MOVE
    return found


@njit
def insert(buffer, found, cell, rules):
    """Put a cell into the buffer's first `found` entries, which are sorted by their distance from the centre."""
    row = cell // (rules.columns + 1)
    column = cell - row * (rules.columns + 1)
    distance = max(abs(2 * row - rules.rows + 1), abs(2 * column - rules.columns + 1))
    place = found
    while place > 0 and buffer[place - 1] >> 16 > distance:
        buffer[place] = buffer[place - 1]
        place -= 1
    buffer[place] = np.int32((distance << 16) | cell)
    return found + 1


# Keys


@njit
def fits_one_word(rules):
    """Whether the marks of both players fit into one word side by side."""
    return rules.rows * (rules.columns + 1) <= 32


@njit
def pack(rules, state):
    """The marks of the player to move and of the other, as words."""
    return packed_marks(rules, state.mover, state.other)


def packed_marks(rules: Any, mover: Words, other: Words) -> Words:
    """Two sets of marks as words; on small boards the first word holds them all."""
    if len(mover) == 1 and fits_one_word(rules):
        return (np.uint64(mover[0] | other[0] << _HALF), U0)
    return mover + other


@overload(packed_marks)
def _packed_marks(rules, mover, other):
    if len(mover) > 1:
        return lambda rules, mover, other: mover + other

    def pack_one_word(rules, mover, other):
        if fits_one_word(rules):
            return (mover[0] | (other[0] << _HALF), U0)
        return (mover[0], other[0])

    return pack_one_word


@njit
def packed_words(rules):
    return 1 if len(rules.cells) == 1 and fits_one_word(rules) else 2 * len(rules.cells)


@njit
def canonical(rules, state):
    return least_image(rules, state.mover, state.other)


@njit
def cells_of_windows(rules, allowed):
    """The cells of all lines that lie within `allowed`."""
    cells = without(allowed, allowed)
    for direction in range(_DIRECTIONS):
        step = step_along(rules, direction)
        windows = moved = allowed
        for _ in range(1, rules.line):
            moved = shift_down(moved, step)
            windows = both(windows, moved)
        cells = union(cells, windows)
        for _ in range(1, rules.line):
            windows = shift_up(windows, step)
            cells = union(cells, windows)
    return cells


@njit
def search_key(rules, state):
    """The least image under the symmetries, where a mark that can be in no line of its owner counts as a mark of both players.

    Such a mark only blocks, for either owner.
    """
    mover_dead = without(state.mover, cells_of_windows(rules, without(rules.cells, state.other)))
    other_dead = without(state.other, cells_of_windows(rules, without(rules.cells, state.mover)))
    return least_image(rules, union(state.mover, other_dead), union(state.other, mover_dead))[0]


def least_image(rules: Any, mover: Words, other: Words) -> tuple[Words, int]:
    """(the least image of the marks under the symmetries of the board, how many symmetries give it)."""
    found: tuple[Words, int] = least_by_cells(rules, mover, other)
    return found


@overload(least_image)
def _least_image(rules, mover, other):
    if len(mover) > 1:
        return lambda rules, mover, other: least_by_cells(rules, mover, other)
    return lambda rules, mover, other: least_by_rows(rules, mover, other)


@njit
def lesser(words, equal, others):
    """The lesser of two words, and how often it has been met."""
    if others < words:
        return others, 1
    return words, equal + (others == words)


@njit
def least_by_cells(rules, mover, other):
    """Cell by cell, for boards of any size."""
    least, equal = packed_marks(rules, mover, other), 1
    for symmetry in range(1, symmetry_count(rules)):
        image = packed_marks(rules, transformed_marks(rules, mover, symmetry), transformed_marks(rules, other, symmetry))
        least, equal = lesser(least, equal, image)
    return least, equal


@njit
def least_by_rows(rules, mover, other):
    """Whole rows and diagonals at a time, for boards of one word."""
    rows, columns, stride = rules.rows, rules.columns, rules.columns + 1
    last = rows * stride - 2
    least, equal = packed_marks(rules, mover, other), 0
    mine, theirs = mover[0], other[0]
    for swapped in range(2 if rows == columns else 1):
        if swapped:
            mine, theirs = transposed(mine, stride, columns), transposed(theirs, stride, columns)
        for _ in range(2):
            least, equal = lesser(least, equal, packed_marks(rules, (mine,), (theirs,)))
            least, equal = lesser(least, equal, packed_marks(rules, (turned(mine, last),), (turned(theirs, last),)))
            mine, theirs = mirrored(mine, stride, columns), mirrored(theirs, stride, columns)
    return least, equal


@njit
def position_estimate(rules):
    """Number of ways to place the marks up to symmetry, reachable or not."""
    cells = rules.rows * rules.columns
    total = 0.0
    placed = 1.0  # ways to choose `marks` cells, and then the second player's among them
    for marks in range(cells + 1):
        share = 1.0
        for chosen in range(marks // 2):
            share = share * (marks - chosen) / (chosen + 1)
        total += placed * share
        placed = placed * (cells - marks) / (marks + 1)
    return total / symmetry_count(rules)
