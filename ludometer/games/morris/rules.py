"""The rules of men's morris on three boards.

Points are numbered as in `points`; each side's men are one word with a bit per point.  Both players place all their men in turn; after
that a move takes a man along a line to a neighbouring empty point.  A mill is three own men on a line of three points.

Three men:     a mill wins at once, also while placing.  No men are taken.
Six and nine:  closing a mill takes one enemy man, one that is in no mill unless all are.  A player with fewer than three men, in hand and
               on the board, has lost.  In nine men's morris a player with three men on the board and none in hand flies to any point.
All:           a player to move who cannot has lost.

A step is a point to place a man on, or n + n·from + to.  Move number: the step alone where no men are taken, else (n + 1)·step + 0, or
+ 1 + the point of the man taken.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, lowest_bit, popcount
from ludometer.core.errors import SpecError, shorten
from ludometer.core.outcome import LOSS, ONGOING
from ludometer.games.morris.points import BOARDS

_MEN = {"3": 0, "6": 1, "9": 2}  # men of a player -> number of the board
_MOST_POINTS = max(len(board.places) for board in BOARDS)
_MOST_MILLS = max(len(board.mills) for board in BOARDS)
_MOST_SYMMETRIES = max(len(board.images) for board in BOARDS)
_NEVER = np.uint64(0xFFFFFFFFFFFFFFFF)  # in place of a mill that is not there: no set of men contains it


class MorrisRules(NamedTuple):
    board: int  # 0, 1, 2: three, six, nine men's morris
    points: int
    men: int  # of each player
    takes: int  # 1: closing a mill takes a man; 0: it wins
    flies: int  # 1: three men may fly


class MorrisState(NamedTuple):
    mover: np.uint64  # men of the player to move
    other: np.uint64  # men of the opponent
    hand: np.uint64  # men that the player to move has in hand; see `other_hand` for the opponent
    turn: np.uint64  # 0: the first player (x) is to move


# Tables by board.
NEIGHBOURS = np.zeros((len(BOARDS), _MOST_POINTS), np.uint64)
MILLS = np.full((len(BOARDS), _MOST_MILLS), _NEVER, np.uint64)
REST_OF_MILL = np.full((len(BOARDS), _MOST_POINTS, 4), _NEVER, np.uint64)  # the other two points of each mill through a point
SYMMETRIES = np.array([len(board.images) for board in BOARDS])
IMAGE = np.zeros((len(BOARDS), _MOST_SYMMETRIES, _MOST_POINTS), np.int64)
ALL_POINTS = np.array([(1 << len(board.places)) - 1 for board in BOARDS], np.uint64)

for _number, _board in enumerate(BOARDS):
    for _one, _two in _board.edges:
        NEIGHBOURS[_number, _one] |= np.uint64(1 << _two)
        NEIGHBOURS[_number, _two] |= np.uint64(1 << _one)
    _met = [0] * len(_board.places)
    for _place, _mill in enumerate(_board.mills):
        MILLS[_number, _place] = sum(1 << _point for _point in _mill)
        for _point in _mill:
            REST_OF_MILL[_number, _point, _met[_point]] = sum(1 << _each for _each in _mill if _each != _point)
            _met[_point] += 1
    for _symmetry, _images in enumerate(_board.images):
        IMAGE[_number, _symmetry, : len(_images)] = _images


def rules_from_text(text: str) -> MorrisRules:
    """The parameter is the number of men of a player; without it the game is nine men's morris."""
    men = text or "9"
    if men not in _MEN:
        raise SpecError(f"morris:{shorten(text)}: the number of men is 3, 6 or 9")
    board = _MEN[men]
    return MorrisRules(board, len(BOARDS[board].places), int(men), int(board > 0), int(board == 2))


def rules_to_text(rules: MorrisRules) -> str:
    return str(rules.men)


@njit
def start(rules):
    return MorrisState(U0, U0, np.uint64(rules.men), U0)


@njit
def move_bound(rules):
    return (rules.points + rules.points * rules.points) * (rules.points + 1 if rules.takes else 1)


@njit
def turn(rules, state):
    return np.int64(state.turn)


@njit
def other_hand(state):
    """Men that the opponent of the player to move has in hand: the players place in turn, the first player first."""
    return state.hand - state.turn if state.hand != U0 else U0


@njit
def closes_mill(rules, men, point):
    """Whether a man on `point` makes a mill with two of `men`."""
    found = False
    for place in range(4):
        rest = REST_OF_MILL[rules.board, point, place]
        found |= men & rest == rest
    return found


@njit
def men_in_mills(rules, men):
    """Those of the men that stand in a mill."""
    found = U0
    for place in range(_MOST_MILLS):
        mill = MILLS[rules.board, place]
        if men & mill == mill:
            found |= mill
    return found


@njit
def removable(rules, men):
    """The men that may be taken: those in no mill, or all if all are in mills."""
    free = men & ~men_in_mills(rules, men)
    return free if free != U0 else men


@njit
def may_fly(rules, state):
    """Whether the player to move may move a man to any empty point."""
    return rules.flies == 1 and state.hand == U0 and popcount(state.mover) == 3


@njit
def targets(rules, point, empty, flying):
    """The empty points that the man on `point` may move to."""
    return empty if flying else NEIGHBOURS[rules.board, point] & empty


@njit
def is_decided(rules, state):
    """Whether the opponent has won by a mill (three men), or by taking men (six and nine)."""
    if rules.takes == 0:
        return men_in_mills(rules, state.other) != U0
    return popcount(state.mover) + np.int64(state.hand) < 3


@njit
def can_move(rules, state):
    """Whether a man can be placed or moved."""
    empty = ALL_POINTS[rules.board] & ~(state.mover | state.other)
    if state.hand != U0 or may_fly(rules, state):
        return empty != U0
    men = state.mover
    while men != U0:
        if NEIGHBOURS[rules.board, lowest_bit(men)] & empty != U0:
            return True
        men &= men - U1
    return False


@njit
def outcome(rules, state):
    return LOSS if is_decided(rules, state) or not can_move(rules, state) else ONGOING


@njit
def add_step(rules, step, taken, buffer, found):
    """Write the moves of a step that may take one of `taken` (none: the move is the step alone); returns how many are written then."""
    if rules.takes == 0:
        buffer[found] = step
        return found + 1
    first = step * (rules.points + 1)
    if taken == U0:
        buffer[found] = first
        return found + 1
    while taken != U0:
        buffer[found] = first + 1 + lowest_bit(taken)
        found += 1
        taken &= taken - U1
    return found


@njit
def legal_moves(rules, state, buffer):
    if is_decided(rules, state):
        return 0
    empty = ALL_POINTS[rules.board] & ~(state.mover | state.other)
    taken = removable(rules, state.other) if rules.takes else U0
    found = 0
    if state.hand != U0:
        while empty != U0:
            point = lowest_bit(empty)
            empty &= empty - U1
            found = add_step(rules, point, taken if closes_mill(rules, state.mover, point) else U0, buffer, found)
        return found
    flying = may_fly(rules, state)
    men = state.mover
    while men != U0:
        source = lowest_bit(men)
        men &= men - U1
        rest = state.mover & ~(U1 << np.uint64(source))
        ends = targets(rules, source, empty, flying)
        while ends != U0:
            target = lowest_bit(ends)
            ends &= ends - U1
            step = rules.points + rules.points * source + target
            found = add_step(rules, step, taken if closes_mill(rules, rest, target) else U0, buffer, found)
    return found


@njit
def step_of(rules, move):
    return move // (rules.points + 1) if rules.takes else move


@njit
def taken_by(rules, move):
    """The point of the man that a move takes, -1 if it takes none."""
    return move % (rules.points + 1) - 1 if rules.takes else -1


@njit
def play(rules, state, move):
    step, taken = step_of(rules, move), taken_by(rules, move)
    mover, other = state.mover, state.other
    if step < rules.points:
        mover |= U1 << np.uint64(step)
    else:
        source = (step - rules.points) // rules.points
        target = step - rules.points - source * rules.points
        mover ^= (U1 << np.uint64(source)) | (U1 << np.uint64(target))
    if taken >= 0:
        other &= ~(U1 << np.uint64(taken))
    return MorrisState(other, mover, other_hand(state), state.turn ^ U1)


@njit
def symmetry_count(rules):
    return SYMMETRIES[rules.board]


@njit
def men_image(rules, men, symmetry):
    """A set of men seen through a symmetry."""
    image = U0
    while men != U0:
        image |= U1 << np.uint64(IMAGE[rules.board, symmetry, lowest_bit(men)])
        men &= men - U1
    return image


@njit
def transform(rules, state, symmetry):
    mover, other = men_image(rules, state.mover, symmetry), men_image(rules, state.other, symmetry)
    return MorrisState(mover, other, state.hand, state.turn)


@njit
def transform_move(rules, move, symmetry):
    step, taken = step_of(rules, move), taken_by(rules, move)
    if step < rules.points:
        image = IMAGE[rules.board, symmetry, step]
    else:
        source = (step - rules.points) // rules.points
        target = step - rules.points - source * rules.points
        image = rules.points * (1 + IMAGE[rules.board, symmetry, source]) + IMAGE[rules.board, symmetry, target]
    if rules.takes == 0:
        return image
    return image * (rules.points + 1) + (1 + IMAGE[rules.board, symmetry, taken] if taken >= 0 else 0)


@njit
def position_estimate(rules):
    """The number of positions up to symmetry, as the solver counts them; 0 where it has not."""
    if rules.board == 0:
        return 744.0
    return 2_660_288.0 if rules.board == 1 else 0.0
