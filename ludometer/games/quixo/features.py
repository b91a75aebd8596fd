"""Features of a Quixo board for learners: those of the Quixo study, section 2.4.1, and coarser patterns of yes-or-no questions.

Everything is seen by the player to move: *mine* are the mover's cubes, *theirs* the opponent's.  The study's 4n + 7 numbers:

    1                                      always
    mine, theirs                           cubes on the whole board, as a share of its cells
    mine, theirs in each line              cubes in each row, column and diagonal, as a share of its cells
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, popcount
from ludometer.core.outcome import ONGOING
from ludometer.core.random import below, draw
from ludometer.games.quixo.rules import BORDER, CORNERS, LINES, SMALLEST, TAKEN, QuixoRules, QuixoState, outcome

_SIDES = ("mine", "theirs")
_QUESTIONS = (
    *(f"{side}: {what}" for side in _SIDES for what in ("line short of one", "two of them", "line short of two", "three of them")),
    *(f"more {whose} {where}" for where in ("on the board", "in corners", "inside") for whose in _SIDES),
)


def feature_names(rules: QuixoRules) -> list[str]:
    """What each feature counts."""
    numbers = range(1, rules.size + 1)
    lines = [*(f"row {n}" for n in numbers), *(f"column {chr(64 + n)}" for n in numbers), "falling diagonal", "rising diagonal"]
    return ["always", *(f"{side} on the board" for side in _SIDES), *(f"{side} in {line}" for line in lines for side in _SIDES)]


def pattern_names(rules: QuixoRules) -> list[str]:
    """The questions behind the bits of a pattern, lowest bit first."""
    return list(_QUESTIONS)


@njit
def feature_count(rules):
    return 4 * rules.size + 7


@njit
def features(rules, state, out):
    size = rules.size
    out[0] = 1.0
    out[1] = popcount(state.mover) / (size * size)
    out[2] = popcount(state.other) / (size * size)
    for line in range(2 * size + 2):
        cells = LINES[size - SMALLEST, line]
        out[3 + 2 * line] = popcount(state.mover & cells) / size
        out[4 + 2 * line] = popcount(state.other & cells) / size


@njit
def move_kinds(rules):
    return 2


@njit
def kind_of_move(rules, state, move):
    """0: a blank cube is taken, 1: one of the mover's own."""
    return np.int64(state.mover & TAKEN[rules.size - SMALLEST, move] != U0)


@njit
def pattern_count(rules):
    return 1 << 14


@njit
def answers_about_lines(rules, cubes):
    """Four bits: a line short of one cube, two such lines, a line short of two, three such lines."""
    size = rules.size
    short_of_one = 0
    short_of_two = 0
    for line in range(2 * size + 2):
        missing = size - popcount(cubes & LINES[size - SMALLEST, line])
        short_of_one += np.int64(missing == 1)
        short_of_two += np.int64(missing == 2)
    return (
        np.int64(short_of_one >= 1) | np.int64(short_of_one >= 2) << 1 | np.int64(short_of_two >= 1) << 2 | np.int64(short_of_two >= 3) << 3
    )


@njit
def answers_about_more(mine, theirs):
    """Two bits: more of mine, more of theirs."""
    difference = popcount(mine) - popcount(theirs)
    return np.int64(difference > 0) | np.int64(difference < 0) << 1


@njit
def feature_pattern(rules, state):
    corners = CORNERS[rules.size - SMALLEST]
    inside = ~BORDER[rules.size - SMALLEST]
    bits = answers_about_lines(rules, state.mover) | answers_about_lines(rules, state.other) << 4
    bits |= answers_about_more(state.mover, state.other) << 8
    bits |= answers_about_more(state.mover & corners, state.other & corners) << 10
    return bits | answers_about_more(state.mover & inside, state.other & inside) << 12


@njit
def random_state(rules, key, buffer):
    """Each cell is blank, X or O alike; boards on which the game is over are drawn again."""
    counter = U0
    while True:
        mover = U0
        other = U0
        for cell in range(rules.size * rules.size):
            symbol = below(draw(key, counter), 3)
            counter += U1
            mover |= np.uint64(symbol == 1) << np.uint64(cell)
            other |= np.uint64(symbol == 2) << np.uint64(cell)
        state = QuixoState(mover, other, U0)
        if outcome(rules, state) == ONGOING:
            return state
