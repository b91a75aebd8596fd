"""The rules of Dodgem on an n×n board, 2 ≤ n ≤ 8 (Colin Vout).

Cell r·n + c is row r from the top and column c from the left.  The first player's n − 1 cars stand in column A above the lower left corner
and drive right; the second player's stand in the lowest row right of it and drive up.

    X . .      A car moves one cell forward or to either side, to an empty cell, never back.
    X . .      By a forward move x's cars leave over the right edge, o's over the upper one; a car that left is out.
    . O O      The player whose last car leaves has won.  A player to move who has cars but no move has won as well.

Move number: 3·cell + direction, where direction 0 is forward, 1 and 2 are the sides: up and down for x, left and right for o.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, lowest_bit, nth_bit, popcount
from ludometer.core.errors import SpecError, shorten
from ludometer.core.outcome import LOSS, ONGOING, WIN
from ludometer.core.random import below

SMALLEST, LARGEST = 2, 8
FORWARD, FIRST_SIDE, SECOND_SIDE = range(3)


class DodgemRules(NamedTuple):
    size: int
    cells: np.uint64  # every cell of the board
    left: np.uint64  # column A


class DodgemState(NamedTuple):
    mover: np.uint64  # cars of the player to move
    other: np.uint64  # cars of the opponent
    turn: np.uint64  # 0: the first player (x) is to move


def rules_from_text(text: str) -> DodgemRules:
    """The parameter is the board's side; without it the board is 3×3."""
    if (text or "3") not in [str(size) for size in range(SMALLEST, LARGEST + 1)]:
        raise SpecError(f"dodgem:{shorten(text)}: the size of a Dodgem board is a number from {SMALLEST} to {LARGEST}")
    size = int(text or "3")
    return DodgemRules(size, np.uint64((1 << size * size) - 1), np.uint64(sum(1 << size * row for row in range(size))))


def rules_to_text(rules: DodgemRules) -> str:
    return str(rules.size)


@njit
def start(rules):
    size = np.uint64(rules.size)
    above = rules.left & ((U1 << (size * (size - U1))) - U1)
    beside = rules.cells & ~rules.left & ~((U1 << (size * (size - U1))) - U1)
    return DodgemState(above, beside, U0)


@njit
def move_bound(rules):
    return 3 * rules.size * rules.size


@njit
def turn(rules, state):
    return np.int64(state.turn)


@njit
def cars_that_can_go(rules, state):
    """The mover's cars that can go forward, to their first side, and to their second side."""
    size = np.uint64(rules.size)
    empty = rules.cells & ~(state.mover | state.other)
    right = rules.left << (size - U1)
    to_left = state.mover & ((empty & ~right) << U1)
    to_right = state.mover & ((empty & ~rules.left) >> U1)
    to_up = state.mover & (empty << size)
    to_down = state.mover & (empty >> size)
    if state.turn == U0:
        return to_right | (state.mover & right), to_up, to_down
    return to_up | (state.mover & ((U1 << size) - U1)), to_left & rules.cells, to_right


@njit
def outcome(rules, state):
    if state.other == U0:
        return LOSS
    forward, first, second = cars_that_can_go(rules, state)
    return WIN if forward | first | second == U0 else ONGOING


@njit
def legal_moves(rules, state, buffer):
    if state.other == U0:
        return 0
    forward, first, second = cars_that_can_go(rules, state)
    found = 0
    cars = forward | first | second
    while cars != U0:
        cell = lowest_bit(cars)
        car = cars & (~cars + U1)
        for direction, able in ((FORWARD, forward), (FIRST_SIDE, first), (SECOND_SIDE, second)):
            if able & car != U0:
                buffer[found] = 3 * cell + direction
                found += 1
        cars ^= car
    return found


@njit
def count_moves(rules, state):
    if state.other == U0:
        return np.int64(0)
    forward, first, second = cars_that_can_go(rules, state)
    return popcount(forward) + popcount(first) + popcount(second)


@njit
def random_move(rules, state, word, buffer):
    forward, first, second = cars_that_can_go(rules, state)
    forwards, firsts = popcount(forward), popcount(first)
    number = below(word, forwards + firsts + popcount(second))
    if number < forwards:
        return 3 * nth_bit(forward, number)
    if number < forwards + firsts:
        return 3 * nth_bit(first, number - forwards) + FIRST_SIDE
    return 3 * nth_bit(second, number - forwards - firsts) + SECOND_SIDE


@njit
def target_of(rules, player, move):
    """The cell a move leads to, -1 if the car leaves the board."""
    size = rules.size
    cell = move // 3
    direction = move - 3 * cell
    if player == 0:
        if direction == FORWARD:
            return -1 if cell % size == size - 1 else cell + 1
        return cell - size if direction == FIRST_SIDE else cell + size
    if direction == FORWARD:
        return -1 if cell < size else cell - size
    return cell - 1 if direction == FIRST_SIDE else cell + 1


@njit
def play(rules, state, move):
    mover = state.mover & ~(U1 << np.uint64(move // 3))
    target = target_of(rules, np.int64(state.turn), move)
    if target >= 0:
        mover |= U1 << np.uint64(target)
    return DodgemState(state.other, mover, state.turn ^ U1)
