"""The rules of Hex (Piet Hein, John Nash) on a board of n×n hexagons, 1 ≤ n ≤ 19.

Cell number r·(n + 1) + c is row r from the top and column c from the left; the column after the last one is a guard that stays empty.
Each row lies half a cell further right than the one above: the neighbours of a cell are those beside it, the one above and the one above
to the right, the one below and the one below to the left.

    . . . .          The players put stones on empty cells in turn.  The first player joins the upper and the lower side,
     . . X .         the second player the left and the right side.  The first chain that does so wins; there are no draws.
      O X O .        With `swap` the second player may, as his first move, take over the first stone: it becomes his own, and
       X . . .       is put on the cell with row and column exchanged, which is to him what its old cell was to the other.

Move number: the cell, or n·(n + 1) for swap.

A state also holds the stones of each player that are joined to his first side (the upper, the left one).  They follow from the stones, and
a new stone changes them by little, while finding them again costs much more than all else in a move.
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
    union,
    wide_from_integer,
    with_bit,
    without,
)
from ludometer.core.connection import connected, neighbours
from ludometer.core.errors import SpecError, shorten
from ludometer.core.outcome import LOSS, ONGOING
from ludometer.core.random import below

LARGEST = 19
_SPEC = re.compile(r"([0-9]{1,2})(,swap)?", re.ASCII | re.IGNORECASE)

Steps = tuple[np.uint64, np.uint64, np.uint64]


class HexRules(NamedTuple):
    size: int
    swap: int  # 1: the second player may take over the first stone
    cells: Words  # every cell of the board; its width is that of all sets
    upper: Words  # the cells of each side
    lower: Words
    left: Words
    right: Words
    steps: Steps  # from a cell to the next one, to the one below and to the one below on the left


class HexState(NamedTuple):
    mover: Words  # stones of the player to move
    other: Words  # stones of the opponent
    mover_joined: Words  # the mover's stones that are joined to his first side
    other_joined: Words
    turn: np.uint64  # 0: the first player (x) is to move


def rules_from_text(text: str) -> HexRules:
    """The parameters are the board's side, and swap; without them the board is 11×11."""
    read = _SPEC.fullmatch(text.replace(" ", "") or "11")
    if read is None or not 1 <= int(read[1]) <= LARGEST:
        raise SpecError(f"hex:{shorten(text)}: write the size of the board, from 1 to {LARGEST}, such as hex:11 or hex:11,swap")
    size = int(read[1])
    empty = empty_words(size * (size + 1))

    def cells(rows: range, columns: range) -> Words:
        return wide_from_integer(sum(1 << cell_number(size, row, column) for row in rows for column in columns), empty)

    each, first, last = range(size), range(1), range(size - 1, size)
    sides = cells(first, each), cells(last, each), cells(each, first), cells(each, last)
    steps = np.uint64(1), np.uint64(size + 1), np.uint64(max(1, size))
    return HexRules(size, int(read[2] is not None), cells(each, each), *sides, steps)


def rules_to_text(rules: HexRules) -> str:
    return f"{rules.size}" + (",swap" if rules.swap else "")


def cell_number(size: int, row: int, column: int) -> int:
    """The number of a cell, which is that of the move there."""
    return row * (size + 1) + column


@njit
def swap_move(rules):
    """The number of the move that takes over the first stone."""
    return rules.size * (rules.size + 1)


@njit
def start(rules):
    empty = without(rules.cells, rules.cells)
    return HexState(empty, empty, empty, empty, U0)


@njit
def move_bound(rules):
    return swap_move(rules) + rules.swap


@njit
def turn(rules, state):
    return np.int64(state.turn)


@njit
def first_side(rules, player):
    """The side that a player's chain begins at."""
    return rules.upper if player == 0 else rules.left


@njit
def last_side(rules, player):
    """The side that a player's chain has to reach."""
    return rules.lower if player == 0 else rules.right


@njit
def outcome(rules, state):
    return ONGOING if is_empty(both(state.other_joined, last_side(rules, 1 - np.int64(state.turn)))) else LOSS


@njit
def may_swap(rules, state):
    """Whether the player to move may take over the only stone."""
    return rules.swap == 1 and state.turn == U1 and is_empty(state.mover) and count(state.other) == 1


@njit
def legal_moves(rules, state, buffer):
    found = 0
    if outcome(rules, state) != ONGOING:
        return found
    free = without(rules.cells, union(state.mover, state.other))
    for place in range(len(free)):
        word = free[place]
        while word != U0:
            buffer[found] = 64 * place + lowest_bit(word)
            found += 1
            word &= word - U1
    if may_swap(rules, state):
        buffer[found] = swap_move(rules)
        found += 1
    return found


@njit
def count_moves(rules, state):
    if outcome(rules, state) != ONGOING:
        return np.int64(0)
    return np.int64(count(without(rules.cells, union(state.mover, state.other))) + may_swap(rules, state))


@njit
def random_move(rules, state, word, buffer):
    free = without(rules.cells, union(state.mover, state.other))
    open_cells = count(free)
    number = below(word, open_cells + may_swap(rules, state))
    return np.int64(nth(free, number)) if number < open_cells else np.int64(swap_move(rules))


@njit
def joined_with(rules, stones, joined, player, cell):
    """The stones joined to the player's first side after a new one on `cell`; `joined` are those without it."""
    stone = with_bit(without(stones, stones), cell)
    touches = both(stone, first_side(rules, player)), both(neighbours(stone, rules.steps), joined)
    if is_empty(touches[0]) and is_empty(touches[1]):
        return joined
    return union(joined, connected(without(stones, joined), stone, rules.steps))


@njit
def all_joined(rules, stones, player):
    """The stones joined to the player's first side, found anew."""
    return connected(stones, both(stones, first_side(rules, player)), rules.steps)


@njit
def play(rules, state, move):
    player = np.int64(state.turn)
    mover, other, other_joined = state.mover, state.other, state.other_joined
    cell = move
    if move == swap_move(rules):
        only = nth(other, 0)
        cell = only % (rules.size + 1) * (rules.size + 1) + only // (rules.size + 1)
        other = other_joined = without(other, other)
    mover = with_bit(mover, cell)
    joined = joined_with(rules, mover, state.mover_joined, player, cell)
    return HexState(other, mover, other_joined, joined, state.turn ^ U1)


@njit
def symmetry_count(rules):
    return 2


@njit
def cell_turned(rules, cell):
    """The cell after half a turn of the board."""
    return rules.size * (rules.size + 1) - 2 - cell


@njit
def stones_turned(rules, stones):
    """A set of stones after half a turn of the board."""
    image = without(stones, stones)
    for cell in range(rules.size * (rules.size + 1) - 1):
        if has(stones, cell):
            image = with_bit(image, cell_turned(rules, cell))
    return image


@njit
def transform(rules, state, symmetry):
    if symmetry == 0:
        return state
    player = np.int64(state.turn)
    mover, other = stones_turned(rules, state.mover), stones_turned(rules, state.other)
    return HexState(mover, other, all_joined(rules, mover, player), all_joined(rules, other, 1 - player), state.turn)


@njit
def transform_move(rules, move, symmetry):
    return np.int64(move) if symmetry == 0 or move == swap_move(rules) else np.int64(cell_turned(rules, move))


@njit
def pack(rules, state):
    """The stones, and whose turn it is in the guard cell of the first row."""
    mover = with_bit(state.mover, rules.size) if state.turn != U0 else state.mover
    return mover + state.other
