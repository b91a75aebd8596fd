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

from ludometer.core.bits import U0, U1
from ludometer.core.errors import SpecError, shorten
from ludometer.core.outcome import LOSS, ONGOING, WIN
from ludometer.core.random import below
from ludometer.core.steps import count_steps, list_steps, pick_step, sources

SMALLEST, LARGEST = 2, 8
FORWARD, FIRST_SIDE = range(2)  # directions; the third one is the second side


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
    size = rules.size
    empty = rules.cells & ~(state.mover | state.other)
    if state.turn == U0:
        leaving = rules.left << np.uint64(size - 1)
        forward = leaving | sources(empty, rules.left, size, 0, 1)
        first, second = sources(empty, rules.left, size, -1, 0), sources(empty, rules.left, size, 1, 0)
    else:
        leaving = (U1 << np.uint64(size)) - U1
        forward = leaving | sources(empty, rules.left, size, -1, 0)
        first, second = sources(empty, rules.left, size, 0, -1), sources(empty, rules.left, size, 0, 1)
    return state.mover & forward, state.mover & first, state.mover & second


@njit
def outcome(rules, state):
    if state.other == U0:
        return LOSS
    forward, first, second = cars_that_can_go(rules, state)
    return WIN if forward | first | second == U0 else ONGOING


@njit
def legal_moves(rules, state, buffer):
    return 0 if state.other == U0 else list_steps(cars_that_can_go(rules, state), buffer)


@njit
def count_moves(rules, state):
    return np.int64(0) if state.other == U0 else count_steps(cars_that_can_go(rules, state))


@njit
def random_move(rules, state, word, buffer):
    cars = cars_that_can_go(rules, state)
    return pick_step(cars, below(word, count_steps(cars)))


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


@njit
def position_estimate(rules):
    """The number of positions up to symmetry, as the solver counts them; 0 where it has not."""
    if rules.size == 3:
        return 1_963.0
    return 393_900.0 if rules.size == 4 else 0.0
