"""Evaluation of Nim: exact, by the exclusive or of the piles (C. L. Bouton 1901)."""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.games.nim.rules import pile_at

EVALUATIONS = ("nim-sum",)


@njit
def evaluate(rules, state, number):
    joined = 0
    for place in range(rules.piles):
        joined ^= pile_at(state.counters, place)
    return np.inf if joined != 0 else -np.inf
