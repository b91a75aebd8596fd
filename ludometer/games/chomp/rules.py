"""The rules of Chomp (David Gale) on r rows and c columns of chocolate, at most 64 squares.

Square r·columns + c is row r from the top and column c from the left.

    # # # #      A player chooses a square and eats it with all that lies below, right of, or below and right of it.
    # # . .      The square in the upper left corner is poisoned and may not be chosen:
    # # . .      a player who finds that one alone has lost.

Move number: the square chosen.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, lowest_bit, nth_bit, popcount
from ludometer.core.errors import SpecError, shorten
from ludometer.core.lattice import cell_image, cells_image
from ludometer.core.outcome import LOSS, ONGOING
from ludometer.core.random import below

MOST_SQUARES = 64
LONGEST_SIDE = 26
_SPEC = re.compile(r"([0-9]{1,2})[xX×]([0-9]{1,2})", re.ASCII)


class ChompRules(NamedTuple):
    rows: int
    columns: int
    squares: np.uint64  # every square
    left: np.uint64  # column A


class ChompState(NamedTuple):
    squares: np.uint64  # the chocolate that is left
    turn: np.uint64  # 0: the first player (x) is to move


def rules_from_text(text: str) -> ChompRules:
    """The parameter is rows x columns; without it there are 3×4 squares."""
    read = _SPEC.fullmatch(text.replace(" ", "") or "3x4")
    if read is None:
        raise SpecError(f"chomp:{shorten(text)}: write rows x columns, such as chomp:3x4")
    rows, columns = int(read[1]), int(read[2])
    if not (1 <= rows <= LONGEST_SIDE and 1 <= columns <= LONGEST_SIDE) or not 2 <= rows * columns <= MOST_SQUARES:
        raise SpecError(f"chomp:{text}: there are at most {LONGEST_SIDE} rows and columns and from 2 to {MOST_SQUARES} squares")
    left = sum(1 << columns * row for row in range(rows))
    return ChompRules(rows, columns, np.uint64((1 << rows * columns) - 1), np.uint64(left))


def rules_to_text(rules: ChompRules) -> str:
    return f"{rules.rows}x{rules.columns}"


@njit
def start(rules):
    return ChompState(np.uint64(rules.squares), U0)


@njit
def move_bound(rules):
    return rules.rows * rules.columns


@njit
def turn(rules, state):
    return np.int64(state.turn)


@njit
def outcome(rules, state):
    return LOSS if state.squares == U1 else ONGOING


@njit
def legal_moves(rules, state, buffer):
    squares = state.squares & ~U1
    found = 0
    while squares != U0:
        buffer[found] = lowest_bit(squares)
        found += 1
        squares &= squares - U1
    return found


@njit
def count_moves(rules, state):
    return popcount(state.squares) - 1


@njit
def random_move(rules, state, word, buffer):
    squares = state.squares & ~U1
    return nth_bit(squares, below(word, popcount(squares)))


@njit
def eaten_by(rules, move):
    """The squares below and right of one, with it: the rows from its row on, times the columns from its column on."""
    row = move // rules.columns
    column = np.uint64(move - row * rules.columns)
    rows = rules.left & ~((U1 << np.uint64(row * rules.columns)) - U1)
    columns = ((U1 << np.uint64(rules.columns)) - U1) & ~((U1 << column) - U1)
    return rows * columns


@njit
def play(rules, state, move):
    return ChompState(state.squares & ~eaten_by(rules, move), state.turn ^ U1)


@njit
def symmetry_count(rules):
    return 2 if rules.rows == rules.columns else 1


@njit
def transform(rules, state, symmetry):
    if symmetry == 0:
        return state
    return ChompState(cells_image(rules.rows, rules.columns, state.squares, 4), state.turn)


@njit
def transform_move(rules, move, symmetry):
    return np.int64(move) if symmetry == 0 else np.int64(cell_image(rules.rows, rules.columns, move, 4))


@njit
def pack(rules, state):
    """The chocolate, for either player to move."""
    return (state.squares,)
