"""The rules of Ultimate Tic-Tac-Toe.

    A1 | B1 | C1      Nine small boards of nine cells form a big board.  A move puts a mark on a cell of a small board; the
    ---+----+---      place of that cell in its board names the board in which the opponent must play.  The first line of
    A2 | B2 | C2      three in a small board wins that board; three boards in a line win the game.  It ends with such a
    ---+----+---      line, or as a draw when no cell can be played, not before.
    A3 | B3 | C3

Closed rules (`ultimate`): a board that is won is closed.  Open rules (`ultimate:open`): play goes on there until the
board is full, and it stays with its first winner.  A player sent to a board in which he cannot play chooses any board.

Boards and the cells in a board are numbered 0 to 8, row by row; the move number is 9·board + cell.  Marks are wide sets of
two words: nine bits for each of the boards 0 to 6 in the first and for 7 and 8 in the second, so that no board is split.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, Words, count, is_empty, lowest_bit, nth, popcount, union, without
from ludometer.core.errors import SpecError
from ludometer.core.outcome import DRAW, LOSS, ONGOING
from ludometer.core.random import below

ANY = np.uint64(9)  # in place of a board number: the player chooses the board
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

_IN_FIRST_WORD = np.uint64(7)  # number of boards in the first word
_U9 = np.uint64(9)
_FULL = np.uint64(511)


class UltimateRules(NamedTuple):
    open: int  # 1: play goes on in boards that are won


class UltimateState(NamedTuple):
    mover: Words  # marks of the player to move
    other: Words  # marks of the opponent
    mover_boards: np.uint64  # small boards won by the player to move, a bit for each
    other_boards: np.uint64  # small boards won by the opponent
    board: np.uint64  # where to play: 0 to 8, or ANY
    turn: np.uint64  # 0: the first player (X) is to move


def rules_from_text(text: str) -> UltimateRules:
    """The parameter is `open`, or nothing for the closed rules."""
    if text.strip().lower() not in ("", "open"):
        raise SpecError(f"ultimate:{text}: the only variant is ultimate:open; write ultimate or ultimate:open")
    return UltimateRules(1 if text.strip() else 0)


def rules_to_text(rules: UltimateRules) -> str:
    return "open" if rules.open else ""


def contains_line(marks: int) -> bool:
    """Whether nine bits, row by row, contain three in a line."""
    return any(all(marks >> cell & 1 for cell in line) for line in LINES)


def transformed_cell(cell: int, symmetry: int) -> int:
    """Symmetries: bit 2 swaps rows and columns first, then bit 1 mirrors top-bottom and bit 0 left-right."""
    row, column = divmod(cell, 3)
    if symmetry & 4:
        row, column = column, row
    if symmetry & 2:
        row = 2 - row
    if symmetry & 1:
        column = 2 - column
    return 3 * row + column


# Tables by nine bits, of a small board's marks or of the small boards themselves.
HAS_LINE = np.array([contains_line(marks) for marks in range(512)], np.uint64)  # 1 or 0
FIRST_WORD = np.array([sum(511 << 9 * board for board in range(7) if boards >> board & 1) for boards in range(512)], np.uint64)
SECOND_WORD = np.array([sum(511 << 9 * (board - 7) for board in (7, 8) if boards >> board & 1) for boards in range(512)], np.uint64)
NTH_CELL = np.zeros((512, 9), np.uint8)  # where the n-th of these bits is
for _bits in range(512):
    _set = [cell for cell in range(9) if _bits >> cell & 1]
    NTH_CELL[_bits, : len(_set)] = _set
CELL_IMAGE = np.array([[transformed_cell(cell, symmetry) for cell in range(9)] for symmetry in range(8)], np.uint64)
BITS_IMAGE = np.array(
    [[sum(1 << transformed_cell(c, symmetry) for c in range(9) if bits >> c & 1) for bits in range(512)] for symmetry in range(8)],
    np.uint64,
)


@njit
def start(rules):
    return UltimateState((U0, U0), (U0, U0), U0, U0, ANY, U0)


@njit
def move_bound(rules):
    return 81


@njit
def turn(rules, state):
    return np.int64(state.turn)


@njit
def marks_in(marks, board):
    """The nine bits of one small board."""
    if board < _IN_FIRST_WORD:
        return (marks[0] >> (_U9 * board)) & _FULL
    return (marks[1] >> (_U9 * (board - _IN_FIRST_WORD))) & _FULL


@njit
def placed(bits, board):
    """The wide set with these nine bits in one small board."""
    if board < _IN_FIRST_WORD:
        return (bits << (_U9 * board), U0)
    return (U0, bits << (_U9 * (board - _IN_FIRST_WORD)))


@njit
def free_in(state, board):
    """The nine bits of the free cells of one small board."""
    return (marks_in(state.mover, board) | marks_in(state.other, board)) ^ _FULL


@njit
def cells_of_boards(boards):
    """All cells of these small boards."""
    return (FIRST_WORD[boards], SECOND_WORD[boards])


@njit
def playable_cells(rules, state):
    """The cells on which the player to move may put a mark, unless three boards in a line have ended the game."""
    if state.board != ANY:
        return placed(free_in(state, state.board), state.board)
    shut = U0 if rules.open else state.mover_boards | state.other_boards
    return without(cells_of_boards(shut ^ _FULL), union(state.mover, state.other))


@njit
def outcome(rules, state):
    if HAS_LINE[state.other_boards] != U0:
        return LOSS
    # A board to play in always has a free cell; only the whole board can be used up.
    if state.board == ANY and is_empty(playable_cells(rules, state)):
        return DRAW
    return ONGOING


@njit
def play(rules, state, move):
    board = np.uint64(move) // _U9
    cell = np.uint64(move) - _U9 * board
    marks = union(state.mover, placed(U1 << cell, board))
    # Without branches, since in random games they would be mispredicted.
    boards = state.mover_boards | ((HAS_LINE[marks_in(marks, board)] << board) & ~state.other_boards)
    won = U0 if rules.open else ((boards | state.other_boards) >> cell) & U1
    is_full = marks_in(marks, cell) | marks_in(state.other, cell) == _FULL
    return UltimateState(state.other, marks, state.other_boards, boards, ANY if (won != U0) | is_full else cell, state.turn ^ U1)


@njit
def legal_moves(rules, state, buffer):
    found = 0
    if HAS_LINE[state.other_boards] != U0:
        return found
    cells = playable_cells(rules, state)
    for place in range(2):
        word = cells[place]
        while word != U0:
            buffer[found] = 63 * place + lowest_bit(word)
            found += 1
            word &= word - U1
    return found


@njit
def count_moves(rules, state):
    if HAS_LINE[state.other_boards] != U0:
        return np.int64(0)
    return np.int64(count(playable_cells(rules, state)))


@njit
def random_move(rules, state, word, buffer):
    if state.board != ANY:
        free = free_in(state, state.board)
        return np.int64(_U9 * state.board) + NTH_CELL[free, below(word, popcount(free))]
    cells = playable_cells(rules, state)
    place = np.int64(nth(cells, below(word, count(cells))))
    return place - 1 if place >= 64 else place  # bit 63 of the first word is not a cell


@njit
def symmetry_count(rules):
    return 8


@njit
def transformed_marks(marks, symmetry):
    """Marks seen through a symmetry, which moves the small boards and the cells in each of them alike."""
    image = (U0, U0)
    for board in range(9):
        bits = BITS_IMAGE[symmetry, marks_in(marks, np.uint64(board))]
        image = union(image, placed(bits, CELL_IMAGE[symmetry, board]))
    return image


@njit
def transform(rules, state, symmetry):
    return UltimateState(
        transformed_marks(state.mover, symmetry),
        transformed_marks(state.other, symmetry),
        BITS_IMAGE[symmetry, state.mover_boards],
        BITS_IMAGE[symmetry, state.other_boards],
        ANY if state.board == ANY else CELL_IMAGE[symmetry, state.board],
        state.turn,
    )


@njit
def transform_move(rules, move, symmetry):
    board = move // 9
    return np.int64(_U9 * CELL_IMAGE[symmetry, board] + CELL_IMAGE[symmetry, move - 9 * board])
