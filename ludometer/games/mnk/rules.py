"""The rules of m,n,k games: m rows and n columns of at most 15, k in a row wins.

Cell number r·(n+1) + c is row r from the top and column c from the left.  The column after the last one is a guard that stays
empty, so that a set of cells moved by a step in any direction never runs over from one row into the next.

    X . O |     0 1 2 | 3       A mark goes on any empty cell.  The move number is the cell number.
    . X . |     4 5 6 | 7       The player who completes a row, column or diagonal of k of his marks wins;
    . . . |     8 9 10| 11      a full board without such a line is a draw.

Sets of cells are wide sets, of as many words as the board needs.  Only the player who has just moved, the *other*, is checked
for a line: positions in which the player to move has one are not read from text and do not arise in play.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import (
    U0,
    U1,
    Words,
    both,
    count,
    empty_words,
    has,
    is_empty,
    lowest_bit,
    nth,
    shift_down,
    union,
    wide_from_integer,
    with_bit,
    without,
)
from ludometer.core.errors import SpecError
from ludometer.core.outcome import DRAW, LOSS, ONGOING
from ludometer.core.random import below

LARGEST = 15
_LONGEST_STEP = 3  # a set is moved by at most 3 steps at once: 3·(LARGEST + 2) places are still less than a word


class MnkRules(NamedTuple):
    rows: int
    columns: int
    line: int  # how many in a row win
    cells: Words  # all cells of the board; its width is the width of every set of cells


class MnkState(NamedTuple):
    mover: Words  # marks of the player to move
    other: Words  # marks of the opponent
    turn: np.uint64  # 0: the first player (X) is to move


def rules_from_text(text: str) -> MnkRules:
    """The parameters are rows, columns and the length of a line; without them it is tic-tac-toe."""
    numbers = re.fullmatch(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*", text or "3,3,3")
    if numbers is None:
        raise SpecError(f"mnk:{text}: write three numbers up to {LARGEST}, rows, columns and the length of a line, such as mnk:3,3,3")
    rows, columns, line = (int(number) for number in numbers.groups())
    if not (1 <= rows <= LARGEST and 1 <= columns <= LARGEST):
        raise SpecError(f"mnk:{text}: a board has from 1 to {LARGEST} rows and columns")
    if not 1 <= line <= max(rows, columns):
        raise SpecError(f"mnk:{text}: the length of a line on this board is a number from 1 to {max(rows, columns)}")
    empty = empty_words(rows * (columns + 1))
    cells = sum(1 << cell_number(columns, row, column) for row in range(rows) for column in range(columns))
    return MnkRules(rows, columns, line, wide_from_integer(cells, empty))


def rules_to_text(rules: MnkRules) -> str:
    return f"{rules.rows},{rules.columns},{rules.line}"


def cell_number(columns: int, row: int, column: int) -> int:
    """The number of a cell, which is also the number of the move that puts a mark there."""
    return row * (columns + 1) + column


@njit
def start(rules):
    empty = without(rules.cells, rules.cells)
    return MnkState(empty, empty, U0)


@njit
def move_bound(rules):
    return rules.rows * (rules.columns + 1) - 1


@njit
def turn(rules, state):
    return np.int64(state.turn)


@njit
def has_line(rules, marks):
    """Whether these marks contain `rules.line` in a row, in any of the four directions.

    A set holds the cells at which a run of `length` begins; and-ing it with itself moved by `step` makes that
    length + step.
    """
    across = down = falling = rising = marks
    one_down = np.uint64(rules.columns + 1)
    length = 1
    while length < rules.line:
        step = min(length, rules.line - length, _LONGEST_STEP)
        places = np.uint64(step)
        across = both(across, shift_down(across, places))
        down = both(down, shift_down(down, places * one_down))
        falling = both(falling, shift_down(falling, places * (one_down + U1)))
        rising = both(rising, shift_down(rising, places * (one_down - U1)))
        length += step
    return not is_empty(union(union(across, down), union(falling, rising)))


@njit
def free_cells(rules, state):
    """The cells without a mark."""
    return without(rules.cells, union(state.mover, state.other))


@njit
def outcome(rules, state):
    if has_line(rules, state.other):
        return LOSS
    if is_empty(free_cells(rules, state)):
        return DRAW
    return ONGOING


@njit
def play(rules, state, move):
    return MnkState(state.other, with_bit(state.mover, move), state.turn ^ U1)


@njit
def legal_moves(rules, state, buffer):
    found = 0
    if has_line(rules, state.other):
        return found
    free = free_cells(rules, state)
    for place in range(len(free)):
        word = free[place]
        while word != U0:
            buffer[found] = 64 * place + lowest_bit(word)
            found += 1
            word &= word - U1
    return found


@njit
def count_moves(rules, state):
    if has_line(rules, state.other):
        return np.int64(0)
    return np.int64(count(free_cells(rules, state)))


@njit
def random_move(rules, state, word, buffer):
    free = free_cells(rules, state)
    return np.int64(nth(free, below(word, count(free))))


@njit
def symmetry_count(rules):
    return 8 if rules.rows == rules.columns else 4


@njit
def image_steps(rules, symmetry):
    """(number of the cell that A1 goes to, step per row, step per column) of a symmetry.

    Bit 2 swaps rows and columns first (square boards only), then bit 1 mirrors top-bottom and bit 0 left-right.
    """
    origin = 0
    row_step = rules.columns + 1
    column_step = 1
    if symmetry & 1:
        origin += rules.columns - 1
        column_step = -1
    if symmetry & 2:
        origin += (rules.rows - 1) * row_step
        row_step = -row_step
    if symmetry & 4:
        row_step, column_step = column_step, row_step
    return origin, row_step, column_step


@njit
def transformed_marks(rules, marks, symmetry):
    """A set of cells seen through a symmetry."""
    first_image, row_step, column_step = image_steps(rules, symmetry)
    image = without(marks, marks)
    for row in range(rules.rows):
        for column in range(rules.columns):
            if has(marks, row * (rules.columns + 1) + column):
                image = with_bit(image, first_image + row * row_step + column * column_step)
    return image


@njit
def transform(rules, state, symmetry):
    return MnkState(transformed_marks(rules, state.mover, symmetry), transformed_marks(rules, state.other, symmetry), state.turn)


@njit
def transform_move(rules, move, symmetry):
    first_image, row_step, column_step = image_steps(rules, symmetry)
    row = move // (rules.columns + 1)
    column = move - row * (rules.columns + 1)
    return first_image + row * row_step + column * column_step
