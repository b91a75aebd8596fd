"""The rules of Othello on boards of 4×4, 6×6 and 8×8 cells.

All boards lie in the upper left corner of an 8×8 one: cell 8·r + c is row r from the top and column c from the left.

    . . . .      x begins.  A disc is put on an empty cell so that at least one line of enemy discs, in any of the eight
    . O X .      directions, lies between it and another own disc; all discs of all such lines are turned.
    . X O .      A player who can turn nothing passes, if the opponent can turn something.
    . . . .      When neither can, the game is over at once, and the player with more discs has won.

Points are discs on the board; empty cells count for neither player.  Move number: the cell, or 64 for a pass.

Sets of cells are searched in all directions at once: the moves in one direction are the cells that a run of enemy discs, begun beside an
own one, ends at.  Enemy discs of the outer columns cannot be turned sideways, and leaving them out keeps runs from passing the edges.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, lowest_bit, nth_bit, popcount
from ludometer.core.errors import SpecError, shorten
from ludometer.core.outcome import DRAW, LOSS, ONGOING, WIN
from ludometer.core.random import below

SIZES = (4, 6, 8)
STRIDE = 8
PASS = 64
_INNER = np.uint64(0x7E7E7E7E7E7E7E7E)  # all columns but the outer ones of an 8×8 board
_U1, _U7, _U8, _U9 = (np.uint64(places) for places in (1, 7, 8, 9))
_U2, _U14, _U16, _U18 = (np.uint64(places) for places in (2, 14, 16, 18))


class OthelloRules(NamedTuple):
    size: int
    cells: np.uint64  # every cell of the board


class OthelloState(NamedTuple):
    mover: np.uint64  # discs of the player to move
    other: np.uint64  # discs of the opponent
    turn: np.uint64  # 0: the first player (x) is to move


def cells_of_board(size: int) -> int:
    """Every cell of a board, as a set."""
    return sum(1 << STRIDE * row + column for row in range(size) for column in range(size))


def rules_from_text(text: str) -> OthelloRules:
    """The parameter is the board's side; without it the board is 8×8."""
    if (text or "8") not in [str(size) for size in SIZES]:
        raise SpecError(f"othello:{shorten(text)}: the size of an Othello board is 4, 6 or 8")
    size = int(text or "8")
    return OthelloRules(size, np.uint64(cells_of_board(size)))


def rules_to_text(rules: OthelloRules) -> str:
    return str(rules.size)


@njit
def start(rules):
    corner = np.uint64((STRIDE + 1) * (rules.size // 2 - 1))  # the upper left of the four cells in the middle
    falling = (U1 << corner) | (U1 << (corner + _U9))
    rising = (U1 << (corner + _U1)) | (U1 << (corner + _U8))
    return OthelloState(rising, falling, U0)


@njit
def move_bound(rules):
    return PASS + 1


@njit
def turn(rules, state):
    return np.int64(state.turn)


@njit
def reached_up(own, enemy, places, twice):
    """The cells behind runs of enemy discs that begin beside own ones, in a direction of higher numbers.

    `twice` is 2·places.  Three own steps, then runs of two enemy discs are stepped over at once: six discs are the most there can be.
    """
    run = enemy & (own << places)
    run |= enemy & (run << places)
    pairs = enemy & (enemy << places)
    run |= pairs & (run << twice)
    run |= pairs & (run << twice)
    return run << places


@njit
def reached_down(own, enemy, places, twice):
    """The same in a direction of lower numbers."""
    run = enemy & (own >> places)
    run |= enemy & (run >> places)
    pairs = enemy & (enemy >> places)
    run |= pairs & (run >> twice)
    run |= pairs & (run >> twice)
    return run >> places


@njit
def turning_cells(rules, own, enemy):
    """The empty cells on which a disc turns at least one enemy disc."""
    inner = enemy & _INNER
    found = reached_up(own, inner, _U1, _U2) | reached_down(own, inner, _U1, _U2)
    found |= reached_up(own, enemy, _U8, _U16) | reached_down(own, enemy, _U8, _U16)
    found |= reached_up(own, inner, _U7, _U14) | reached_down(own, inner, _U7, _U14)
    found |= reached_up(own, inner, _U9, _U18) | reached_down(own, inner, _U9, _U18)
    return found & rules.cells & ~(own | enemy)


@njit
def turned_up(disc, own, enemy, places, twice):
    """The enemy discs turned in a direction of higher numbers by putting `disc`."""
    run = enemy & (disc << places)
    run |= enemy & (run << places)
    pairs = enemy & (enemy << places)
    run |= pairs & (run << twice)
    run |= pairs & (run << twice)
    return run if (run << places) & own != U0 else U0


@njit
def turned_down(disc, own, enemy, places, twice):
    """The same in a direction of lower numbers."""
    run = enemy & (disc >> places)
    run |= enemy & (run >> places)
    pairs = enemy & (enemy >> places)
    run |= pairs & (run >> twice)
    run |= pairs & (run >> twice)
    return run if (run >> places) & own != U0 else U0


@njit
def turned(disc, own, enemy):
    """All enemy discs that are turned by putting `disc`."""
    inner = enemy & _INNER
    found = turned_up(disc, own, inner, _U1, _U2) | turned_down(disc, own, inner, _U1, _U2)
    found |= turned_up(disc, own, enemy, _U8, _U16) | turned_down(disc, own, enemy, _U8, _U16)
    found |= turned_up(disc, own, inner, _U7, _U14) | turned_down(disc, own, inner, _U7, _U14)
    return found | turned_up(disc, own, inner, _U9, _U18) | turned_down(disc, own, inner, _U9, _U18)


@njit
def margin(rules, state):
    """Discs of the player to move minus the opponent's."""
    return popcount(state.mover) - popcount(state.other)


@njit
def outcome(rules, state):
    if turning_cells(rules, state.mover, state.other) != U0 or turning_cells(rules, state.other, state.mover) != U0:
        return ONGOING
    lead = margin(rules, state)
    return WIN if lead > 0 else LOSS if lead < 0 else DRAW


@njit
def legal_moves(rules, state, buffer):
    cells = turning_cells(rules, state.mover, state.other)
    if cells == U0:
        if turning_cells(rules, state.other, state.mover) == U0:
            return 0
        buffer[0] = PASS
        return 1
    found = 0
    while cells != U0:
        buffer[found] = lowest_bit(cells)
        found += 1
        cells &= cells - U1
    return found


@njit
def count_moves(rules, state):
    count = popcount(turning_cells(rules, state.mover, state.other))
    if count == 0 and turning_cells(rules, state.other, state.mover) != U0:
        return np.int64(1)
    return count


@njit
def random_move(rules, state, word, buffer):
    cells = turning_cells(rules, state.mover, state.other)
    if cells == U0:
        return np.int64(PASS)
    return nth_bit(cells, below(word, popcount(cells)))


@njit
def play(rules, state, move):
    if move == PASS:
        return OthelloState(state.other, state.mover, state.turn ^ U1)
    disc = U1 << np.uint64(move)
    flips = turned(disc, state.mover, state.other)
    return OthelloState(state.other ^ flips, state.mover | disc | flips, state.turn ^ U1)


@njit
def symmetry_count(rules):
    return 4


@njit
def cell_seen(rules, cell, symmetry):
    """The cell seen through a symmetry: bit 1 swaps rows and columns, bit 0 does so across the other diagonal."""
    row, column = cell // STRIDE, cell % STRIDE
    if symmetry & 2:
        row, column = column, row
    if symmetry & 1:
        row, column = rules.size - 1 - column, rules.size - 1 - row
    return STRIDE * row + column


@njit
def discs_seen(rules, discs, symmetry):
    """A set of discs seen through a symmetry."""
    image = U0
    while discs != U0:
        image |= U1 << np.uint64(cell_seen(rules, lowest_bit(discs), symmetry))
        discs &= discs - U1
    return image


@njit
def transform(rules, state, symmetry):
    if symmetry == 0:
        return state
    return OthelloState(discs_seen(rules, state.mover, symmetry), discs_seen(rules, state.other, symmetry), state.turn)


@njit
def transform_move(rules, move, symmetry):
    return np.int64(move) if move == PASS else np.int64(cell_seen(rules, move, symmetry))


@njit
def pack(rules, state):
    """The discs, for either player to move."""
    return state.mover, state.other
