"""The rules of Breakthrough (Dan Troyka) on boards of r rows and c columns, at most 64 cells.

Cell r·columns + c is row r from the top and column c from the left.  The first player's men fill the lowest rows and go up, the second
player's fill the upper rows and go down: two rows each, one on boards of less than four rows or if the parameters say so.

    O O O      A man goes one cell straight or diagonally forward to an empty cell, or takes an enemy man diagonally forward.
    . . .      The player whose man reaches the opponent's first row, or who took all men, has won.
    X X X      A player who cannot move has lost, which happens on boards of one column alone.

Move number: 3·cell + direction, where 0, 1, 2 are forward to the left, straight, and to the right as seen on the board.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1
from ludometer.core.errors import SpecError, shorten
from ludometer.core.lattice import turned
from ludometer.core.outcome import LOSS, ONGOING
from ludometer.core.random import below
from ludometer.core.steps import count_steps, list_steps, pick_step, sources

MOST_CELLS = 64
LONGEST_SIDE = 26
_SPEC = re.compile(r"([0-9]{1,2})[xX×]([0-9]{1,2})(,1)?", re.ASCII)


class BreakthroughRules(NamedTuple):
    rows: int
    columns: int
    filled: int  # rows of men on each side
    cells: np.uint64  # every cell of the board
    left: np.uint64  # column A
    top: np.uint64  # row 1, where the second player's men begin


class BreakthroughState(NamedTuple):
    mover: np.uint64  # men of the player to move
    other: np.uint64  # men of the opponent
    turn: np.uint64  # 0: the first player (x), who goes up, is to move


def rules_from_text(text: str) -> BreakthroughRules:
    """The parameters are rows x columns, and 1 for single rows of men; without them it is the 8×8 board."""
    read = _SPEC.fullmatch(text.replace(" ", "") or "8x8")
    if read is None:
        raise SpecError(f"breakthrough:{shorten(text)}: write rows x columns, such as breakthrough:8x8 or breakthrough:6x6,1")
    rows, columns = int(read[1]), int(read[2])
    if not (2 <= rows <= LONGEST_SIDE and 1 <= columns <= LONGEST_SIDE) or rows * columns > MOST_CELLS:
        raise SpecError(f"breakthrough:{text}: a board has from 2 rows and 1 column up to {LONGEST_SIDE}, and at most {MOST_CELLS} cells")
    left = sum(1 << columns * row for row in range(rows))
    filled = 1 if rows < 4 or read[3] else 2
    if columns == 1 and rows == 2 * filled:
        raise SpecError(f"breakthrough:{text}: nobody could move; a board of one column needs an empty cell")
    cells, top = (1 << rows * columns) - 1, (1 << columns) - 1
    return BreakthroughRules(rows, columns, filled, np.uint64(cells), np.uint64(left), np.uint64(top))


def rules_to_text(rules: BreakthroughRules) -> str:
    return f"{rules.rows}x{rules.columns}" + (",1" if rules.rows >= 4 and rules.filled == 1 else "")


@njit
def start(rules):
    men = rules.top
    if rules.filled == 2:
        men |= men << np.uint64(rules.columns)
    return BreakthroughState(men << np.uint64(rules.columns * (rules.rows - rules.filled)), men, U0)


@njit
def move_bound(rules):
    return 3 * rules.rows * rules.columns


@njit
def turn(rules, state):
    return np.int64(state.turn)


@njit
def men_that_can_go(rules, state):
    """For each direction, the mover's men that can go there."""
    forward = -1 if state.turn == U0 else 1
    ahead = rules.cells & ~state.mover
    empty = ahead & ~state.other
    return (
        state.mover & sources(ahead, rules.left, rules.columns, forward, -1),
        state.mover & sources(empty, rules.left, rules.columns, forward, 0),
        state.mover & sources(ahead, rules.left, rules.columns, forward, 1),
    )


@njit
def last_row(rules):
    """The lowest row, where the first player's men begin."""
    return rules.top << np.uint64(rules.columns * (rules.rows - 1))


@njit
def is_decided(rules, state):
    """Whether the opponent has reached the mover's first row or taken all men."""
    home = last_row(rules) if state.turn == U0 else rules.top
    return state.other & home != U0 or state.mover == U0


@njit
def outcome(rules, state):
    if is_decided(rules, state) or (rules.columns == 1 and count_steps(men_that_can_go(rules, state)) == 0):
        return LOSS
    return ONGOING


@njit
def legal_moves(rules, state, buffer):
    return 0 if is_decided(rules, state) else list_steps(men_that_can_go(rules, state), buffer)


@njit
def count_moves(rules, state):
    return np.int64(0) if is_decided(rules, state) else count_steps(men_that_can_go(rules, state))


@njit
def random_move(rules, state, word, buffer):
    sets = men_that_can_go(rules, state)
    return pick_step(sets, below(word, count_steps(sets)))


@njit
def target_of(rules, player, move):
    """The cell that a move leads to."""
    cell = move // 3
    return cell + (rules.columns if player else -rules.columns) + move - 3 * cell - 1


@njit
def play(rules, state, move):
    target = U1 << np.uint64(target_of(rules, np.int64(state.turn), move))
    mover = state.mover ^ (U1 << np.uint64(move // 3)) ^ target
    return BreakthroughState(state.other & ~target, mover, state.turn ^ U1)


@njit
def symmetry_count(rules):
    return 2


@njit
def mirrored(rules, men):
    """The order of the columns reversed."""
    image, column = U0, rules.left
    for place in range(rules.columns):
        image |= ((men >> np.uint64(place)) & column) << np.uint64(rules.columns - 1 - place)
    return image


@njit
def transform(rules, state, symmetry):
    if symmetry == 0:
        return state
    return BreakthroughState(mirrored(rules, state.mover), mirrored(rules, state.other), state.turn)


@njit
def transform_move(rules, move, symmetry):
    if symmetry == 0:
        return move
    cell = move // 3
    row = cell // rules.columns
    column = cell - row * rules.columns
    return 3 * (row * rules.columns + rules.columns - 1 - column) + 2 - (move - 3 * cell)


@njit
def pack(rules, state):
    """The men as the player to move sees them, who goes up."""
    if state.turn == U0:
        return state.mover, state.other
    last = rules.rows * rules.columns - 1
    return turned(state.mover, last), turned(state.other, last)
