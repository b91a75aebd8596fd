"""Evaluation of Hex: how many stones each player still needs to join his sides, the opponent's number less one's own."""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import both, is_empty, union, without
from ludometer.core.connection import connected, neighbours
from ludometer.games.hex.rules import first_side, last_side

EVALUATIONS = ("distance",)


@njit
def stones_needed(rules, own, other, player):
    """The least number of further stones that would join a player's sides; as many as there are cells if none can."""
    allowed = without(rules.cells, other)
    side, goal = first_side(rules, player), last_side(rules, player)
    reached = connected(own, both(own, side), rules.steps)
    edge = both(side, allowed)
    for needed in range(rules.size * rules.size):
        if not is_empty(both(reached, goal)):
            return needed
        wider = union(reached, union(edge, both(neighbours(reached, rules.steps), allowed)))
        reached = connected(own, wider, rules.steps)
    return rules.size * rules.size


@njit
def evaluate(rules, state, number):
    player = np.int64(state.turn)
    own = stones_needed(rules, state.mover, state.other, player)
    return np.float64(stones_needed(rules, state.other, state.mover, 1 - player) - own)
