"""The rules of Connect Four on boards of w columns and h rows, w·(h + 1) ≤ 64; k in a row win.

Each column takes h + 1 bits of a word, from the lowest cell up.  The bit above a column stays empty, so that a set of cells moved by a
step in any direction never runs over from one column into the next.

    .  .  .      3   7  11     cell (column c, height y) is bit c·(h + 1) + y
    2  6 10                    A disc falls to the lowest free cell of its column: occupied + the lowest bit of the column.
    1  5  9                    The player who completes k or more in a row has won; a full board without a line is a draw.
    0  4  8                    The move number is the column.

Only the player who has just moved, the *other*, can have a line: positions in which the player to move has one are not read from text.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1
from ludometer.core.errors import SpecError, shorten
from ludometer.core.outcome import DRAW, LOSS, ONGOING
from ludometer.core.random import below, remix

MOST_BITS = 64
LONGEST_SIDE = 25
_MOST_DRAWS = 4096  # with a single open column among 25, more are needed once in 10^72 positions
_SPEC = re.compile(r"([0-9]{1,2})[xX×]([0-9]{1,2})(?:,([0-9]{1,2}))?", re.ASCII)
_U2 = np.uint64(2)


class Connect4Rules(NamedTuple):
    columns: int
    rows: int
    line: int  # number of discs in a row that win
    cells: np.uint64  # every cell of the board
    lowest: np.uint64  # the lowest cell of every column


class Connect4State(NamedTuple):
    mover: np.uint64  # discs of the player to move
    other: np.uint64  # discs of the opponent
    turn: np.uint64  # 0: the first player (x) is to move


def rules_from_text(text: str) -> Connect4Rules:
    """The parameters are columns, rows and the length of a line; without them it is the 7×6 board with lines of four."""
    read = _SPEC.fullmatch(text.replace(" ", "") or "7x6,4")
    if read is None:
        raise SpecError(f"connect4:{shorten(text)}: write columns x rows and the length of a line, such as connect4:7x6,4")
    columns, rows, line = int(read[1]), int(read[2]), int(read[3] or 4)
    if not (1 <= columns <= LONGEST_SIDE and 1 <= rows <= LONGEST_SIDE):
        raise SpecError(f"connect4:{text}: a board has from 1 to {LONGEST_SIDE} columns and rows")
    if columns * (rows + 1) > MOST_BITS:
        raise SpecError(f"connect4:{text}: columns times one more than rows is {columns * (rows + 1)}, and at most {MOST_BITS}")
    if not 1 <= line <= max(columns, rows):
        raise SpecError(f"connect4:{text}: the length of a line on this board is a number from 1 to {max(columns, rows)}")
    lowest = sum(1 << column * (rows + 1) for column in range(columns))
    return Connect4Rules(columns, rows, line, np.uint64(lowest * ((1 << rows) - 1)), np.uint64(lowest))


def rules_to_text(rules: Connect4Rules) -> str:
    return f"{rules.columns}x{rules.rows},{rules.line}"


@njit
def start(rules):
    return Connect4State(U0, U0, U0)


@njit
def move_bound(rules):
    return rules.columns


@njit
def turn(rules, state):
    return np.int64(state.turn)


@njit
def lines_begun(discs, step, length):
    """The cells at which `length` discs in a row begin in one direction.

    Each bit says that a run of so many begins there; and-ing the set with itself moved by a few steps makes the runs longer by these.
    """
    if length == 4:
        pairs = discs & (discs >> step)
        return pairs & (pairs >> (_U2 * step))
    runs, reached = discs, 1
    while reached < length:
        further = min(reached, length - reached)
        runs &= runs >> (np.uint64(further) * step) if further * np.int64(step) < 64 else U0
        reached += further
    return runs


@njit
def has_line(rules, discs):
    """Whether these discs contain a line, in any of the four directions."""
    up = U1
    across = np.uint64(rules.rows + 1)
    found = lines_begun(discs, up, rules.line) | lines_begun(discs, across, rules.line)
    return found | lines_begun(discs, across + U1, rules.line) | lines_begun(discs, across - U1, rules.line) != U0


@njit
def open_tops(rules, state):
    """The cells just above the discs of every column that is not full."""
    return ((state.mover | state.other) + rules.lowest) & rules.cells


@njit
def outcome(rules, state):
    if has_line(rules, state.other):
        return LOSS
    return DRAW if state.mover | state.other == rules.cells else ONGOING


@njit
def legal_moves(rules, state, buffer):
    if has_line(rules, state.other):
        return 0
    free = open_tops(rules, state)
    height = np.uint64(rules.rows + 1)
    column = (U1 << np.uint64(rules.rows)) - U1
    found = 0
    for move in range(rules.columns):
        if free & column != U0:
            buffer[found] = move
            found += 1
        column <<= height
    return found


@njit
def play(rules, state, move):
    base = np.uint64(move) * np.uint64(rules.rows + 1)
    column = ((U1 << np.uint64(rules.rows)) - U1) << base
    disc = ((state.mover | state.other) + (U1 << base)) & column
    return Connect4State(state.other, state.mover | disc, state.turn ^ U1)


@njit
def random_move(rules, state, word, buffer):
    """Draws columns until one is not full, which is uniform over the legal moves."""
    occupied = state.mover | state.other
    height = np.uint64(rules.rows + 1)
    for _ in range(_MOST_DRAWS):
        move = below(word, rules.columns)
        top = U1 << (np.uint64(move) * height + np.uint64(rules.rows - 1))
        if occupied & top == U0:
            return move
        word = remix(word)
    return np.int64(-1)


@njit
def symmetry_count(rules):
    return 2


@njit
def mirrored(rules, discs):
    """The order of the columns reversed."""
    height = np.uint64(rules.rows + 1)
    column = (U1 << np.uint64(rules.rows)) - U1
    image = U0
    for _ in range(rules.columns):
        image = (image << height) | (discs & column)
        discs >>= height
    return image


@njit
def transform(rules, state, symmetry):
    if symmetry == 0:
        return state
    return Connect4State(mirrored(rules, state.mover), mirrored(rules, state.other), state.turn)


@njit
def transform_move(rules, move, symmetry):
    return move if symmetry == 0 else rules.columns - 1 - move


@njit
def pack(rules, state):
    """One word: in each column the mover's discs, and above all discs a bit that says how many there are (J. Tromp)."""
    return (state.mover + (state.mover | state.other) + rules.lowest,)
