"""The rules of Quixo on an n×n board, 2 ≤ n ≤ 6.

Cell r·n + c is row r from the top and column c from the left; each side's cubes are one word with a bit per cell.

    . X O        mover = 0b000000010      A player takes a blank or own cube from the border and pushes it back in at
    . . .        other = 0b000000100      another end of the same row or column; the cubes between move one step.
    . . .                                 A cube never goes back into the place it came from.

A line of the mover's symbol means that the opponent has just completed it: the mover has won, even if the opponent completed
a line of his own with the same push.  Otherwise a line of the other's symbol means that the mover has lost.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, popcount
from ludometer.core.errors import SpecError
from ludometer.core.outcome import LOSS, ONGOING, WIN
from ludometer.core.random import remix

SMALLEST, LARGEST = 2, 6
_U32 = np.uint64(32)
_LOWER = np.uint64(0xFFFFFFFF)  # the lower half of a random word
_MOST_DRAWS = 100  # rounds; positions of games in progress have enough legal moves to need fewer
TOP, BOTTOM, LEFT, RIGHT = range(4)  # the side at which a cube goes back in


class QuixoRules(NamedTuple):
    size: int


class QuixoState(NamedTuple):
    mover: np.uint64  # cubes of the player to move
    other: np.uint64  # cubes of the opponent
    turn: np.uint64  # 0: the first player (X) is to move


def rules_from_text(text: str) -> QuixoRules:
    """The parameter is the board's side; without it the board is the 5×5 one sold in shops."""
    if not text:
        return QuixoRules(5)
    if text not in [str(n) for n in range(SMALLEST, LARGEST + 1)]:
        raise SpecError(f"quixo:{text}: the size of a Quixo board is a number from {SMALLEST} to {LARGEST}")
    return QuixoRules(int(text))


def rules_to_text(rules: QuixoRules) -> str:
    return str(rules.size)


@cache
def list_moves(size: int) -> list[tuple[int, int]]:
    """(cell taken, side pushed in at) of every move, in the order of their numbers."""
    moves = []
    for cell in range(size * size):
        row, column = divmod(cell, size)
        if row in (0, size - 1) or column in (0, size - 1):
            own_end = {TOP: row == 0, BOTTOM: row == size - 1, LEFT: column == 0, RIGHT: column == size - 1}
            moves += [(cell, side) for side in range(4) if not own_end[side]]
    return moves


def list_lines(size: int) -> list[list[int]]:
    """The cells of every row, column and diagonal."""
    rows = [[r * size + c for c in range(size)] for r in range(size)]
    columns = [[r * size + c for r in range(size)] for c in range(size)]
    diagonals = [[i * size + i for i in range(size)], [i * size + size - 1 - i for i in range(size)]]
    return rows + columns + diagonals


def transformed_cell(size: int, cell: int, symmetry: int) -> int:
    """Symmetries: bit 2 mirrors left-right first, bits 0–1 then turn clockwise by quarter turns."""
    row, column = divmod(cell, size)
    if symmetry & 4:
        column = size - 1 - column
    for _ in range(symmetry & 3):
        row, column = column, size - 1 - row
    return row * size + column


def _bits(cells: list[int]) -> int:
    return sum(1 << cell for cell in cells)


def path_of(size: int, cell: int, side: int) -> list[int]:
    """The taken cell and those between it and the end where the cube comes back, in order."""
    row, column = divmod(cell, size)
    if side == TOP:
        return [r * size + column for r in range(row, -1, -1)]
    if side == BOTTOM:
        return [r * size + column for r in range(row, size)]
    if side == LEFT:
        return [row * size + c for c in range(column, -1, -1)]
    return [row * size + c for c in range(column, size)]


# Tables by size (index: size − 2) and move number.
_MOST_MOVES = len(list_moves(LARGEST))
_shape = (LARGEST - SMALLEST + 1, _MOST_MOVES)
TAKEN = np.zeros(_shape, np.uint64)  # the cell the cube leaves
KEPT = np.zeros(_shape, np.uint64)  # cells the push does not touch
PUSHED = np.zeros(_shape, np.uint64)  # cells whose cubes move one step
UP = np.zeros(_shape, np.uint64)  # how far the pushed bits shift to higher indices …
DOWN = np.zeros(_shape, np.uint64)  # … or to lower ones; one of the two is zero
ENTERED = np.zeros(_shape, np.uint64)  # the cell the cube comes back into
MOVE_COUNT = np.zeros(_shape[0], np.int64)
LINES = np.zeros((_shape[0], 2 * LARGEST + 2), np.uint64)
BORDER = np.zeros(_shape[0], np.uint64)
CORNERS = np.zeros(_shape[0], np.uint64)
MOVE_OF = np.full((_shape[0], LARGEST * LARGEST, 4), -1, np.int64)  # (cell, side) -> move number
MOVE_IMAGE = np.zeros((_shape[0], 8, _MOST_MOVES), np.int64)
CELL_IMAGE = np.zeros((_shape[0], 8, LARGEST * LARGEST), np.uint64)

for _size in range(SMALLEST, LARGEST + 1):
    _s = _size - SMALLEST
    _moves = list_moves(_size)
    MOVE_COUNT[_s] = len(_moves)
    for _number, (_cell, _side) in enumerate(_moves):
        _way = path_of(_size, _cell, _side)
        _step = _way[1] - _way[0]
        TAKEN[_s, _number] = _bits(_way[:1])
        KEPT[_s, _number] = _bits([c for c in range(_size * _size) if c not in _way])
        PUSHED[_s, _number] = _bits(_way[1:])
        UP[_s, _number] = max(0, -_step)
        DOWN[_s, _number] = max(0, _step)
        ENTERED[_s, _number] = _bits(_way[-1:])
        MOVE_OF[_s, _cell, _side] = _number
        BORDER[_s] |= np.uint64(1 << _cell)
    CORNERS[_s] = _bits([0, _size - 1, _size * (_size - 1), _size * _size - 1])
    for _number, _line in enumerate(list_lines(_size)):
        LINES[_s, _number] = _bits(_line)
    for _symmetry in range(8):
        for _cell in range(_size * _size):
            CELL_IMAGE[_s, _symmetry, _cell] = transformed_cell(_size, _cell, _symmetry)
        for _number, (_cell, _side) in enumerate(_moves):
            _end = path_of(_size, _cell, _side)[-1]
            _image_cell, _image_end = (transformed_cell(_size, c, _symmetry) for c in (_cell, _end))
            MOVE_IMAGE[_s, _symmetry, _number] = next(
                n for n, (c, side) in enumerate(_moves) if c == _image_cell and path_of(_size, c, side)[-1] == _image_end
            )


@njit
def start(rules):
    return QuixoState(U0, U0, U0)


@njit
def move_bound(rules):
    return MOVE_COUNT[rules.size - SMALLEST]


@njit
def turn(rules, state):
    return np.int64(state.turn)


@njit
def has_line(rules, cubes):
    """Whether these cubes contain a whole row, column or diagonal."""
    found = False
    for line in range(2 * rules.size + 2):
        mask = LINES[rules.size - SMALLEST, line]
        found |= cubes & mask == mask
    return found


@njit
def outcome(rules, state):
    if has_line(rules, state.mover):
        return WIN
    if has_line(rules, state.other):
        return LOSS
    return ONGOING


@njit
def push(rules, cubes, move):
    """Where these cubes stand after a push, without the cube that is put back."""
    s = rules.size - SMALLEST
    return (cubes & KEPT[s, move]) | (((cubes & PUSHED[s, move]) << UP[s, move]) >> DOWN[s, move])


@njit
def play(rules, state, move):
    mover = push(rules, state.mover, move) | ENTERED[rules.size - SMALLEST, move]
    return QuixoState(push(rules, state.other, move), mover, state.turn ^ U1)


@njit
def legal_moves(rules, state, buffer):
    s = rules.size - SMALLEST
    if outcome(rules, state) != ONGOING:
        return 0
    count = 0
    for move in range(MOVE_COUNT[s]):
        buffer[count] = move
        count += np.int64(state.other & TAKEN[s, move] == U0)
    return count


@njit
def count_moves(rules, state):
    if outcome(rules, state) != ONGOING:
        return np.int64(0)
    takable = BORDER[rules.size - SMALLEST] & ~state.other
    corners = takable & CORNERS[rules.size - SMALLEST]
    return 3 * popcount(takable) - popcount(corners)


@njit
def random_move(rules, state, word, buffer):
    """Draws move numbers until one takes a cube that may be taken, which is uniform over the legal moves.

    Three draws are compared at a time without a branch: most positions are settled by them, so that branches are seldom mispredicted.
    """
    s = rules.size - SMALLEST
    moves = np.uint64(MOVE_COUNT[s])
    for _ in range(_MOST_DRAWS):
        first = ((word >> _U32) * moves) >> _U32
        second = ((word & _LOWER) * moves) >> _U32
        word = remix(word)
        third = ((word >> _U32) * moves) >> _U32
        move = second if state.other & TAKEN[s, second] == U0 else third
        move = first if state.other & TAKEN[s, first] == U0 else move
        if state.other & TAKEN[s, move] == U0:
            return np.int64(move)
        word = remix(word)
    for move in range(MOVE_COUNT[s]):
        if state.other & TAKEN[s, move] == U0:
            return np.int64(move)
    return np.int64(-1)


@njit
def symmetry_count(rules):
    return 8


@njit
def transformed_cubes(rules, cubes, symmetry):
    """A set of cubes seen through a symmetry."""
    image = U0
    for cell in range(rules.size * rules.size):
        image |= ((cubes >> np.uint64(cell)) & U1) << CELL_IMAGE[rules.size - SMALLEST, symmetry, cell]
    return image


@njit
def transform(rules, state, symmetry):
    return QuixoState(transformed_cubes(rules, state.mover, symmetry), transformed_cubes(rules, state.other, symmetry), state.turn)


@njit
def transform_move(rules, move, symmetry):
    return MOVE_IMAGE[rules.size - SMALLEST, symmetry, move]


@njit
def tile_cells(rules):
    return rules.size * rules.size


@njit
def state_of_tiles(rules, mover, other):
    return QuixoState(mover, other, U0)


@njit
def tiles_of_state(rules, state):
    return state.mover, state.other


@njit
def state_with_turn(rules, state, turn):
    return QuixoState(state.mover, state.other, np.uint64(turn))
