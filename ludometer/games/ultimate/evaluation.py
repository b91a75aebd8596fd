"""Evaluations of Ultimate Tic-Tac-Toe, after Lifshitz and Tsurel, "AI Approaches to Ultimate Tic-Tac-Toe", section V; and its hash keys.

All four are differences: what the player to move has minus what the opponent has.

    heur1   small boards won
    heur2   5 points for a small board won, 10 more if it is the centre one, 3 more if it is a corner; 3 for a centre cell of any
            small board, 3 for a cell of the centre board; 4 for two boards won in a line whose third the opponent has not won,
            2 for two cells in a line whose third is free, in a small board that is not won
    heur3   the same numbers, looked up: a small board has only 3^9 = 19,683 fillings
    heur4   heur3 and 2 points for being free to choose the board
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, popcount
from ludometer.core.random import stream
from ludometer.games.ultimate.rules import ANY, HAS_LINE, LINES, marks_in

EVALUATIONS = ("heur3", "heur4", "heur2", "heur1")
HEUR3, HEUR4, HEUR2, HEUR1 = range(4)

BOARD_WON, CENTRE_BOARD_WON, CORNER_BOARD_WON, TWO_BOARDS = 5, 10, 3, 4
CENTRE_CELL, CELL_OF_CENTRE_BOARD, TWO_CELLS = 3, 3, 2
FREE_CHOICE = 2
CENTRE = 4

_LINE_CELLS = np.array(LINES, np.int64)
_CENTRE_BIT = np.uint64(1 << CENTRE)
_CORNER_BITS = np.uint64(0b101_000_101)


@njit
def open_pairs(mine, theirs):
    """Lines of nine bits with two of mine and none of theirs; the third is not mine."""
    found = 0
    for line in range(8):
        own, foreign = 0, 0
        for place in range(3):
            cell = np.uint64(_LINE_CELLS[line, place])
            own += np.int64((mine >> cell) & U1)
            foreign += np.int64((theirs >> cell) & U1)
        found += np.int64((own == 2) & (foreign == 0))
    return found


@njit
def points_for_boards(mine, theirs):
    """What the small boards won by one player are worth."""
    points = BOARD_WON * popcount(mine) + CENTRE_BOARD_WON * popcount(mine & _CENTRE_BIT) + CORNER_BOARD_WON * popcount(mine & _CORNER_BITS)
    return points + TWO_BOARDS * open_pairs(mine, theirs)


@njit
def points_for_cells(mine, theirs, in_centre):
    """What one player's cells in one small board are worth; `in_centre` is 1 for the centre board, 0 for others."""
    points = CENTRE_CELL * popcount(mine & _CENTRE_BIT) + in_centre * CELL_OF_CENTRE_BOARD * popcount(mine)
    if (HAS_LINE[mine] | HAS_LINE[theirs]) == U0:
        points += TWO_CELLS * open_pairs(mine, theirs)
    return points


# A filling of nine places is the number TERNARY[mine] + 2·TERNARY[theirs]; the tables hold differences in points.
TERNARY = np.array([sum(3**cell for cell in range(9) if marks >> cell & 1) for marks in range(512)], np.int64)


def _tables() -> tuple[np.ndarray, np.ndarray]:
    """(points for the small boards won, points for the cells of a small board) by filling; see BOARDS_VALUE and CELLS_VALUE."""
    filling = np.arange(3**9)[:, None] // 3 ** np.arange(9) % 3  # 0 empty, 1 mine, 2 theirs
    own_in_line = (filling[:, LINES] == 1).sum(axis=2)
    foreign_in_line = (filling[:, LINES] == 2).sum(axis=2)
    pairs = ((own_in_line == 2) & (foreign_in_line == 0)).sum(axis=1) - ((foreign_in_line == 2) & (own_in_line == 0)).sum(axis=1)
    undecided = ((own_in_line < 3) & (foreign_in_line < 3)).all(axis=1)
    sign = (filling == 1).astype(int) - (filling == 2)
    boards = BOARD_WON * sign.sum(axis=1) + CENTRE_BOARD_WON * sign[:, CENTRE] + CORNER_BOARD_WON * sign[:, (0, 2, 6, 8)].sum(axis=1)
    cells = CENTRE_CELL * sign[:, CENTRE] + TWO_CELLS * pairs * undecided
    in_centre = cells + CELL_OF_CENTRE_BOARD * sign.sum(axis=1)
    return (boards + TWO_BOARDS * pairs).astype(np.int16), np.array([cells, in_centre], np.int16)


BOARDS_VALUE, CELLS_VALUE = _tables()  # shapes (19683,) and (2, 19683), the second row for the centre board


@njit
def heur1(rules, state):
    return popcount(state.mover_boards) - popcount(state.other_boards)


@njit
def heur2(rules, state):
    mine, theirs = state.mover_boards, state.other_boards
    value = points_for_boards(mine, theirs) - points_for_boards(theirs, mine)
    for board in range(9):
        own = marks_in(state.mover, np.uint64(board))
        foreign = marks_in(state.other, np.uint64(board))
        in_centre = np.int64(board == CENTRE)
        value += points_for_cells(own, foreign, in_centre) - points_for_cells(foreign, own, in_centre)
    return value


@njit
def heur3(rules, state):
    value = np.int64(BOARDS_VALUE[TERNARY[state.mover_boards] + 2 * TERNARY[state.other_boards]])
    for board in range(9):
        filling = TERNARY[marks_in(state.mover, np.uint64(board))] + 2 * TERNARY[marks_in(state.other, np.uint64(board))]
        value += np.int64(CELLS_VALUE[np.int64(board == CENTRE), filling])
    return value


@njit
def evaluate(rules, state, number):
    if number == HEUR1:
        return np.float64(heur1(rules, state))
    if number == HEUR2:
        return np.float64(heur2(rules, state))
    bonus = FREE_CHOICE if number == HEUR4 and state.board == ANY else 0
    return np.float64(heur3(rules, state) + bonus)


# Keys after Zobrist: a random word for each mark, owner of a board and board to play in, joined by exclusive or.
_MARK = np.array([[stream(1, "mark", player, move) for move in range(81)] for player in range(2)], np.uint64)
_OWNER = np.array([[stream(1, "owner", player, board) for board in range(9)] for player in range(2)], np.uint64)
_BOARD = np.array([stream(1, "board", board) for board in range(10)], np.uint64)
_SECOND_TO_MOVE = stream(1, "turn")


@njit
def key(rules, state):
    word = _BOARD[state.board]
    if state.turn != U0:
        word ^= _SECOND_TO_MOVE
    mover = np.int64(state.turn)
    for board in range(9):
        own = marks_in(state.mover, np.uint64(board))
        foreign = marks_in(state.other, np.uint64(board))
        place = np.uint64(board)
        for cell in range(9):
            if (own >> np.uint64(cell)) & U1 != U0:
                word ^= _MARK[mover, 9 * board + cell]
            if (foreign >> np.uint64(cell)) & U1 != U0:
                word ^= _MARK[1 - mover, 9 * board + cell]
        if (state.mover_boards >> place) & U1 != U0:
            word ^= _OWNER[mover, board]
        if (state.other_boards >> place) & U1 != U0:
            word ^= _OWNER[1 - mover, board]
    return word


@njit
def key_after(rules, state, known, move, after):
    mover = np.int64(state.turn)
    word = known ^ _MARK[mover, move] ^ _BOARD[state.board] ^ _BOARD[after.board] ^ _SECOND_TO_MOVE
    if after.other_boards != state.mover_boards:
        word ^= _OWNER[mover, move // 9]
    return word
