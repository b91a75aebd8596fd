"""The rules of Clobber (Albert, Grossman, Nowakowski) on boards of r rows and c columns, at most 64 cells.

Cell r·columns + c is row r from the top and column c from the left.  At the start the board is full: cells with an even sum of row and
column are the first player's, the others the second player's.

    X O X      A man takes an enemy man above, beside or below it and stands in its place.
    O X O      A player who cannot move has lost.

Move number: 4·cell + direction, where 0, 1, 2, 3 are up, left, right, down.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1
from ludometer.core.errors import SpecError, shorten
from ludometer.core.lattice import cell_image, cells_image
from ludometer.core.outcome import LOSS, ONGOING
from ludometer.core.random import below
from ludometer.core.steps import count_steps, list_steps, pick_step, sources

MOST_CELLS = 64
LONGEST_SIDE = 26
_SPEC = re.compile(r"([0-9]{1,2})[xX×]([0-9]{1,2})", re.ASCII)
_UP, _LEFT, _RIGHT, _DOWN = range(4)


class ClobberRules(NamedTuple):
    rows: int
    columns: int
    cells: np.uint64  # every cell of the board
    left: np.uint64  # column A
    even: np.uint64  # the first player's cells at the start


class ClobberState(NamedTuple):
    mover: np.uint64  # men of the player to move
    other: np.uint64  # men of the opponent
    turn: np.uint64  # 0: the first player (x) is to move


def rules_from_text(text: str) -> ClobberRules:
    """The parameter is rows x columns; without it the board is 5×6."""
    read = _SPEC.fullmatch(text.replace(" ", "") or "5x6")
    if read is None:
        raise SpecError(f"clobber:{shorten(text)}: write rows x columns, such as clobber:5x6")
    rows, columns = int(read[1]), int(read[2])
    if not (1 <= rows <= LONGEST_SIDE and 1 <= columns <= LONGEST_SIDE) or not 2 <= rows * columns <= MOST_CELLS:
        raise SpecError(f"clobber:{text}: a board has at most {LONGEST_SIDE} rows and columns and from 2 to {MOST_CELLS} cells")
    left = sum(1 << columns * row for row in range(rows))
    even = sum(1 << columns * row + column for row in range(rows) for column in range(columns) if (row + column) % 2 == 0)
    return ClobberRules(rows, columns, np.uint64((1 << rows * columns) - 1), np.uint64(left), np.uint64(even))


def rules_to_text(rules: ClobberRules) -> str:
    return f"{rules.rows}x{rules.columns}"


@njit
def start(rules):
    return ClobberState(rules.even, rules.cells & ~rules.even, U0)


@njit
def move_bound(rules):
    return 4 * rules.rows * rules.columns


@njit
def turn(rules, state):
    return np.int64(state.turn)


@njit
def men_that_can_take(rules, state):
    """For each direction, the mover's men that can take an enemy man there."""
    return (
        state.mover & sources(state.other, rules.left, rules.columns, -1, 0),
        state.mover & sources(state.other, rules.left, rules.columns, 0, -1),
        state.mover & sources(state.other, rules.left, rules.columns, 0, 1),
        state.mover & sources(state.other, rules.left, rules.columns, 1, 0),
    )


@njit
def outcome(rules, state):
    up, left, right, down = men_that_can_take(rules, state)
    return LOSS if up | left | right | down == U0 else ONGOING


@njit
def legal_moves(rules, state, buffer):
    return list_steps(men_that_can_take(rules, state), buffer)


@njit
def count_moves(rules, state):
    return count_steps(men_that_can_take(rules, state))


@njit
def random_move(rules, state, word, buffer):
    sets = men_that_can_take(rules, state)
    return pick_step(sets, below(word, count_steps(sets)))


@njit
def target_of(rules, move):
    """The cell of the man that a move takes."""
    cell = move // 4
    direction = move - 4 * cell
    if direction == _UP:
        return cell - rules.columns
    if direction == _DOWN:
        return cell + rules.columns
    return cell - 1 if direction == _LEFT else cell + 1


@njit
def play(rules, state, move):
    target = U1 << np.uint64(target_of(rules, move))
    mover = state.mover ^ (U1 << np.uint64(move // 4)) ^ target
    return ClobberState(state.other & ~target, mover, state.turn ^ U1)


@njit
def symmetry_count(rules):
    return 8 if rules.rows == rules.columns else 4


@njit
def transform(rules, state, symmetry):
    mover = cells_image(rules.rows, rules.columns, state.mover, symmetry)
    return ClobberState(mover, cells_image(rules.rows, rules.columns, state.other, symmetry), state.turn)


@njit
def transform_move(rules, move, symmetry):
    direction = move % 4
    if symmetry & 4:  # up and left change places, and right and down
        direction = direction ^ 1
    if symmetry & 2 and direction in (_UP, _DOWN):
        direction = 3 - direction
    if symmetry & 1 and direction in (_LEFT, _RIGHT):
        direction = 3 - direction
    return 4 * cell_image(rules.rows, rules.columns, move // 4, symmetry) + direction


@njit
def pack(rules, state):
    """The men, for either player to move."""
    return state.mover, state.other
