"""Evaluation, move order, opening and depth rules of Quixo, after Fezza, "Computational Intelligence Project" (2024).

A player's *longest line* is the most cubes of his in one row, column or diagonal, neighbours or not.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import U0, popcount
from ludometer.core.random import below
from ludometer.games.quixo.rules import CORNERS, ENTERED, LINES, MOVE_COUNT, SMALLEST, TAKEN, push

EVALUATIONS = ("longest", "result")  # result: an unfinished game is worth nothing
BY_LONGEST, BY_RESULT = range(2)
DEPTH_RULES = ("advantage", "losing", "longest")
ADVANTAGE, LOSING, LONGEST = range(3)

IN_DANGER = 3  # a line this long makes the rules `losing` and `longest` look further
DANGER_DEPTH = 3
GREATEST_DEPTH = 4

_A_BLANK = 0.5  # between two lengths: of moves that make equally long lines, those that take a blank cube come first


@njit
def longest_line(rules, cubes):
    """The most of these cubes in one row, column or diagonal."""
    longest = np.int64(0)
    for line in range(2 * rules.size + 2):
        longest = max(longest, popcount(cubes & LINES[rules.size - SMALLEST, line]))
    return longest


@njit
def evaluate(rules, state, number):
    """The longest line of the player to move minus that of the opponent; 0 if only results count."""
    if number == BY_RESULT:
        return 0.0
    return np.float64(longest_line(rules, state.mover) - longest_line(rules, state.other))


@njit
def promise(rules, state, move, after, number):
    """The longest line the move leaves its maker, blanks before own cubes."""
    is_blank = state.mover & TAKEN[rules.size - SMALLEST, move] == U0
    return longest_line(rules, after.other) + (_A_BLANK if is_blank else 0.0)


@njit
def opening_move(rules, state, word):
    """While no move makes a line of two, a random move that takes a corner cube."""
    s = rules.size - SMALLEST
    corner_moves = 0
    for move in range(MOVE_COUNT[s]):
        if state.other & TAKEN[s, move] == U0:
            if longest_line(rules, push(rules, state.mover, move) | ENTERED[s, move]) > 1:
                return np.int64(-1)
            corner_moves += np.int64(CORNERS[s] & TAKEN[s, move] != U0)
    if corner_moves == 0:
        return np.int64(-1)
    chosen = below(word, corner_moves)
    for move in range(MOVE_COUNT[s]):
        if state.other & TAKEN[s, move] == U0 and CORNERS[s] & TAKEN[s, move] != U0:
            if chosen == 0:
                return np.int64(move)
            chosen -= 1
    return np.int64(-1)


@njit
def depth_rule(rules, state, number):
    """Plies to search.

    advantage   the difference of the longest lines plus one, but no more than the opponent's longest line
    losing      3 when either side has a line of three or more, else 1
    longest     the longest line on the board, at most 4, when it is three or more, else 1
    """
    mine = longest_line(rules, state.mover)
    theirs = longest_line(rules, state.other)
    if number == ADVANTAGE:
        return max(np.int64(1), min(abs(mine - theirs) + 1, theirs))
    if max(mine, theirs) < IN_DANGER:
        return np.int64(1)
    return np.int64(DANGER_DEPTH) if number == LOSING else min(np.int64(GREATEST_DEPTH), max(mine, theirs))
