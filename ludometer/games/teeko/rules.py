"""The rules of Teeko (John Scarne).

Point 5·r + c is row r from the top and column c from the left.  The players place four men each in turn; after that a move takes a man to
one of the eight neighbouring empty points.  A player wins at once, also while placing, when his four men stand

    in a line of four        X . . . .      in a square        X X      advanced: also on the      X . X
    without a gap            X . . . .      of 2×2             X X      corners of a 3×3, 4×4      . . .
    (28 ways)                X . . . .      (16 ways)                   or 5×5 square (14 ways)    X . X

Move number: the point a man is placed on, or 25 + 8·point + direction.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, lowest_bit, nth_bit, popcount
from ludometer.core.errors import SpecError, shorten
from ludometer.core.lattice import cell_image, cells_image
from ludometer.core.outcome import LOSS, ONGOING
from ludometer.core.random import below
from ludometer.core.steps import count_steps, list_steps, pick_step, sources

SIZE = 5
MEN = 4
POINTS = SIZE * SIZE
DIRECTIONS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))  # rows down and columns right
_DOWN = np.array([down for down, _ in DIRECTIONS])
_RIGHT = np.array([right for _, right in DIRECTIONS])
_ALL = np.uint64((1 << POINTS) - 1)
_LEFT = np.uint64(sum(1 << SIZE * row for row in range(SIZE)))


def _columns(first: int, last: int) -> np.uint64:
    """The points of these columns."""
    return np.uint64(sum(int(_LEFT) << column for column in range(first, last + 1)))


_AB, _DE, _AD, _AC = _columns(0, 1), _columns(3, 4), _columns(0, 3), _columns(0, 2)
_A = _LEFT
_1, _2, _3, _4, _5, _6 = (np.uint64(places) for places in range(1, 7))
_8, _10, _12, _15, _18, _20, _24 = (np.uint64(places) for places in (8, 10, 12, 15, 18, 20, 24))


class TeekoRules(NamedTuple):
    advanced: int  # 1: the corners of larger squares win as well


class TeekoState(NamedTuple):
    mover: np.uint64  # men of the player to move
    other: np.uint64  # men of the opponent
    turn: np.uint64  # 0: the first player (x) is to move


def rules_from_text(text: str) -> TeekoRules:
    """Without a parameter the standard game; `advanced` has more ways to win."""
    if text.lower() not in ("", "advanced"):
        raise SpecError(f"teeko:{shorten(text)}: write teeko or teeko:advanced")
    return TeekoRules(int(bool(text)))


def rules_to_text(rules: TeekoRules) -> str:
    return "advanced" if rules.advanced else ""


@njit
def start(rules):
    return TeekoState(U0, U0, U0)


@njit
def move_bound(rules):
    return POINTS + len(DIRECTIONS) * POINTS


@njit
def turn(rules, state):
    return np.int64(state.turn)


@njit
def has_won(rules, men):
    """Whether these men, four at most, stand in a line of four or in a square."""
    pairs = men & (men >> _1)
    found = pairs & (pairs >> _2) & _AB
    found |= pairs & (pairs >> _5) & _AD
    pairs = men & (men >> _5)
    found |= pairs & (pairs >> _10)
    pairs = men & (men >> _6)
    found |= pairs & (pairs >> _12) & _AB
    pairs = men & (men >> _4)
    found |= pairs & (pairs >> _8) & _DE
    if rules.advanced:
        pairs = men & (men >> _2)
        found |= pairs & (pairs >> _10) & _AC
        pairs = men & (men >> _3)
        found |= pairs & (pairs >> _15) & _AB
        pairs = men & (men >> _4)
        found |= pairs & (pairs >> _20) & _A
    return found != U0


@njit
def is_placing(state):
    """Whether the player to move still has men to place."""
    return popcount(state.mover) < MEN


@njit
def men_that_can_go(state):
    """For each direction, the mover's men that can go there."""
    empty = _ALL & ~(state.mover | state.other)
    return (
        state.mover & sources(empty, _LEFT, SIZE, -1, -1),
        state.mover & sources(empty, _LEFT, SIZE, -1, 0),
        state.mover & sources(empty, _LEFT, SIZE, -1, 1),
        state.mover & sources(empty, _LEFT, SIZE, 0, -1),
        state.mover & sources(empty, _LEFT, SIZE, 0, 1),
        state.mover & sources(empty, _LEFT, SIZE, 1, -1),
        state.mover & sources(empty, _LEFT, SIZE, 1, 0),
        state.mover & sources(empty, _LEFT, SIZE, 1, 1),
    )


@njit
def outcome(rules, state):
    """With eight men on 25 points there is always a move."""
    return LOSS if has_won(rules, state.other) else ONGOING


@njit
def legal_moves(rules, state, buffer):
    if has_won(rules, state.other):
        return 0
    if not is_placing(state):
        found = list_steps(men_that_can_go(state), buffer)
        for place in range(found):
            buffer[place] += POINTS
        return found
    empty = _ALL & ~(state.mover | state.other)
    found = 0
    while empty != U0:
        buffer[found] = lowest_bit(empty)
        found += 1
        empty &= empty - U1
    return found


@njit
def count_moves(rules, state):
    if has_won(rules, state.other):
        return np.int64(0)
    if is_placing(state):
        return POINTS - popcount(state.mover | state.other)
    return count_steps(men_that_can_go(state))


@njit
def random_move(rules, state, word, buffer):
    if is_placing(state):
        empty = _ALL & ~(state.mover | state.other)
        return nth_bit(empty, below(word, popcount(empty)))
    sets = men_that_can_go(state)
    return POINTS + pick_step(sets, below(word, count_steps(sets)))


@njit
def target_of(source, direction):
    """The point that a step leads to."""
    return source + SIZE * _DOWN[direction] + _RIGHT[direction]


@njit
def play(rules, state, move):
    if move < POINTS:
        return TeekoState(state.other, state.mover | (U1 << np.uint64(move)), state.turn ^ U1)
    source, direction = (move - POINTS) // 8, (move - POINTS) % 8
    mover = state.mover ^ (U1 << np.uint64(source)) ^ (U1 << np.uint64(target_of(source, direction)))
    return TeekoState(state.other, mover, state.turn ^ U1)


@njit
def symmetry_count(rules):
    return 8


@njit
def transform(rules, state, symmetry):
    return TeekoState(cells_image(SIZE, SIZE, state.mover, symmetry), cells_image(SIZE, SIZE, state.other, symmetry), state.turn)


@njit
def transform_move(rules, move, symmetry):
    if move < POINTS:
        return cell_image(SIZE, SIZE, move, symmetry)
    source, direction = (move - POINTS) // 8, (move - POINTS) % 8
    image = cell_image(SIZE, SIZE, source, symmetry)
    down, right = _DOWN[direction], _RIGHT[direction]
    if symmetry & 4:
        down, right = right, down
    if symmetry & 2:
        down = -down
    if symmetry & 1:
        right = -right
    place = 3 * (down + 1) + right + 1
    return POINTS + 8 * image + (place if place < 4 else place - 1)


@njit
def position_estimate(rules):
    """The number of positions up to symmetry, as the solver counts them; 0 where it has not."""
    return 0.0 if rules.advanced else 21_500_830.0
