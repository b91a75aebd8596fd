"""Features of an Ultimate Tic-Tac-Toe position for learners: the terms of the evaluations heur2 and heur4, without weights.

Features are from the point of view of the player to move: *mine* is the mover's, *theirs* the opponent's.  Each count is divided by its
maximum (for pairs in small boards by nine), so that all features have the same scale.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import U0, popcount
from ludometer.games.ultimate.evaluation import CENTRE, open_pairs
from ludometer.games.ultimate.rules import ANY, HAS_LINE, UltimateRules, marks_in

LEARNING_SCORE = "heur1"  # the evaluation whose changes reward a learner

_COUNTED = (
    "boards won",
    "centre board won",
    "corner boards won",
    "pairs of boards",
    "centre cells",
    "cells of the centre board",
    "pairs of cells",
)
_CENTRE_BIT = np.uint64(1 << CENTRE)
_CORNER_BITS = np.uint64(0b101_000_101)
_KINDS = 7  # of things counted for both players


def feature_names(rules: UltimateRules) -> list[str]:
    """What each feature counts."""
    return ["always", *(f"{side} {what}" for what in _COUNTED for side in ("my", "their")), "free choice"]


def pattern_names(rules: UltimateRules) -> list[str]:
    """The questions behind the bits of a pattern, lowest bit first."""
    return [*(f"{whose} more {what}" for what in _COUNTED for whose in ("I have", "they have")), "free choice"]


@njit
def feature_count(rules):
    return 2 * _KINDS + 2


@njit
def features(rules, state, out):
    mine, theirs = state.mover_boards, state.other_boards
    out[0] = 1.0
    out[1] = popcount(mine) / 9
    out[2] = popcount(theirs) / 9
    out[3] = np.float64(popcount(mine & _CENTRE_BIT))
    out[4] = np.float64(popcount(theirs & _CENTRE_BIT))
    out[5] = popcount(mine & _CORNER_BITS) / 4
    out[6] = popcount(theirs & _CORNER_BITS) / 4
    out[7] = open_pairs(mine, theirs) / 8
    out[8] = open_pairs(theirs, mine) / 8
    for place in range(9, 15):
        out[place] = 0.0
    for board in range(9):
        own = marks_in(state.mover, np.uint64(board))
        foreign = marks_in(state.other, np.uint64(board))
        out[9] += popcount(own & _CENTRE_BIT) / 9
        out[10] += popcount(foreign & _CENTRE_BIT) / 9
        if board == CENTRE:
            out[11] = popcount(own) / 9
            out[12] = popcount(foreign) / 9
        if (HAS_LINE[own] | HAS_LINE[foreign]) == U0:
            out[13] += open_pairs(own, foreign) / 9
            out[14] += open_pairs(foreign, own) / 9
    out[15] = 1.0 if state.board == ANY else 0.0


@njit
def pattern_count(rules):
    return 1 << (2 * _KINDS + 1)


@njit
def more(mine, theirs, kind):
    """Two bits in the place of this kind: more of mine, more of theirs."""
    return (np.int64(mine > theirs) | np.int64(mine < theirs) << 1) << (2 * kind)


@njit
def feature_pattern(rules, state):
    mine, theirs = state.mover_boards, state.other_boards
    centre = np.uint64(CENTRE)
    bits = more(popcount(mine), popcount(theirs), 0)
    bits |= more(popcount(mine & _CENTRE_BIT), popcount(theirs & _CENTRE_BIT), 1)
    bits |= more(popcount(mine & _CORNER_BITS), popcount(theirs & _CORNER_BITS), 2)
    bits |= more(open_pairs(mine, theirs), open_pairs(theirs, mine), 3)
    my_centres, their_centres, my_pairs, their_pairs = 0, 0, 0, 0
    for board in range(9):
        own = marks_in(state.mover, np.uint64(board))
        foreign = marks_in(state.other, np.uint64(board))
        my_centres += popcount(own & _CENTRE_BIT)
        their_centres += popcount(foreign & _CENTRE_BIT)
        if (HAS_LINE[own] | HAS_LINE[foreign]) == U0:
            my_pairs += open_pairs(own, foreign)
            their_pairs += open_pairs(foreign, own)
    bits |= more(my_centres, their_centres, 4)
    bits |= more(popcount(marks_in(state.mover, centre)), popcount(marks_in(state.other, centre)), 5)
    bits |= more(my_pairs, their_pairs, 6)
    return bits | np.int64(state.board == ANY) << (2 * _KINDS)
