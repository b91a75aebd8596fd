"""A tile game for tests, a Quixo of one row: take a blank or own tile and push it back in at the left or right end.

The parameters are N, the number of cells, and K: K tiles of one symbol side by side are a line, judged as in Quixo.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1
from ludometer.core.game import GameKind
from ludometer.core.outcome import LOSS, ONGOING, WIN

GAME = GameKind(name=__file__, title="Row", syntax="row_game.py:N,K", listed=(), modules=(__name__,), ply_limit=100)


class RowRules(NamedTuple):
    cells: int
    line: int


class RowState(NamedTuple):
    mover: np.uint64
    other: np.uint64
    turn: np.uint64


def rules_from_text(text):
    return RowRules(*map(int, text.split(",")))


def rules_to_text(rules):
    return f"{rules.cells},{rules.line}"


@njit
def start(rules):
    return RowState(U0, U0, U0)


@njit
def move_bound(rules):
    return 2 * (rules.cells - 1)


@njit
def taken_cell(rules, move):
    """Moves 0 … N−2 take cell move + 1 to the left end, the others cell move − N + 1 to the right end."""
    return np.uint64(move + 1) if move < rules.cells - 1 else np.uint64(move - rules.cells + 1)


@njit
def legal_moves(rules, state, buffer):
    if outcome(rules, state) != ONGOING:
        return 0
    found = 0
    for move in range(move_bound(rules)):
        if (state.other >> taken_cell(rules, move)) & U1 == U0:
            buffer[found] = move
            found += 1
    return found


@njit
def pushed(rules, tiles, move):
    """The tiles after a move, without the one that was taken."""
    cell = taken_cell(rules, move)
    below = (U1 << cell) - U1
    above = ~(below | (U1 << cell))
    if move < rules.cells - 1:
        return (tiles & above) | ((tiles & below) << U1)
    return (tiles & below) | ((tiles & above) >> U1)


@njit
def play(rules, state, move):
    entered = U1 if move < rules.cells - 1 else U1 << np.uint64(rules.cells - 1)
    return RowState(pushed(rules, state.other, move), pushed(rules, state.mover, move) | entered, state.turn ^ U1)


@njit
def turn(rules, state):
    return np.int64(state.turn)


@njit
def has_line(rules, tiles):
    for _ in range(rules.line - 1):
        tiles &= tiles >> U1
    return tiles != U0


@njit
def outcome(rules, state):
    if has_line(rules, state.mover):
        return WIN
    return LOSS if has_line(rules, state.other) else ONGOING


@njit
def symmetry_count(rules):
    return 2


@njit
def mirrored(rules, tiles):
    image = U0
    for cell in range(rules.cells):
        if (tiles >> np.uint64(cell)) & U1 != U0:
            image |= U1 << np.uint64(rules.cells - 1 - cell)
    return image


@njit
def transform(rules, state, symmetry):
    if symmetry == 0:
        return state
    return RowState(mirrored(rules, state.mover), mirrored(rules, state.other), state.turn)


@njit
def transform_move(rules, move, symmetry):
    return move if symmetry == 0 else move_bound(rules) - 1 - move


@njit
def tile_cells(rules):
    return rules.cells


@njit
def state_of_tiles(rules, mover, other):
    return RowState(mover, other, U0)


@njit
def tiles_of_state(rules, state):
    return state.mover, state.other


def format_position(rules, state):
    x, o = (state.mover, state.other) if state.turn == 0 else (state.other, state.mover)
    cells = "".join("X" if int(x) >> c & 1 else "O" if int(o) >> c & 1 else "." for c in range(rules.cells))
    return f"{cells} {'xo'[int(state.turn)]}"


def parse_position(rules, text):
    raise NotImplementedError


def format_move(rules, state, move):
    return str(move)


def draw(rules, state, last):
    raise NotImplementedError


def text_board(rules, state, last):
    raise NotImplementedError
